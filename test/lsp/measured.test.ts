// A report of Nsight Compute shown beside what is predicted: hover and tree, stale once the text is edited.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type {
  ImportReportResult,
  MemoryCostResult,
  PanelStateResult,
} from "../../server/src/lsp/protocol.ts";
import { type Client, uriOf } from "./client.ts";
import { serving } from "./serving.ts";

const { start, write } = serving();
const fixtures = fileURLToPath(new URL("../../fixtures/", import.meta.url));
/** Three launches, on an H200: fixtures/programs/attention_tile.truth.jsonl. */
const program = readFileSync(`${fixtures}programs/attention_tile.cu`, "utf8");
const report = gunzipSync(readFileSync(`${fixtures}reports/attention_tile.ncu-rep.gz`)).toString("base64");
const lines = program.split("\n");
const scoreLine = lines.findIndex((line) => line.includes("score += "));
const accessColumn = lines[scoreLine]?.indexOf("k[lane") ?? 0;

const importing = (client: Client, base64: string | null) =>
  client.request<ImportReportResult>("warplint/importReport", { name: "attention.ncu-rep", base64 });

async function hoverText(client: Client, uri: string, line: number): Promise<string> {
  const { contents } = await client.request<{ contents: { value: string } }>("textDocument/hover", {
    textDocument: { uri },
    position: { line, character: accessColumn },
  });
  return contents.value;
}

async function dearest(client: Client, uri: string) {
  const { kernels } = await client.request<MemoryCostResult>("warplint/memoryCost", { uri });
  return kernels[0]?.accesses.find(({ location }) => location.range.start.line >= scoreLine);
}

it("hover, tree and table have the measured figure, stale behind an edit", async () => {
  const client = await start();
  const path = write("attention_tile.cu", program);
  const uri = uriOf(path);
  client.open(path, program);
  await client.diagnostics(uri);
  expect((await dearest(client, uri))?.measured).toBeNull();
  expect(await importing(client, report)).toEqual({
    isRead: true,
    message: "attention.ncu-rep: 3 launches of 1 kernel.",
    launches: {},
  });
  const text = await hoverText(client, uri, scoreLine);
  expect(text).toMatch(
    /attention\.ncu-rep: [\d,]+ wavefronts, [\d,]+ ideal on line 27 in 3 launches; as predicted/,
  );
  const access = await dearest(client, uri);
  expect(access?.measured).toMatchObject({ isStale: false });
  // All accesses of the line, in all three launches: what `measured` prints of them.
  const { kernels } = await client.request<MemoryCostResult>("warplint/memoryCost", { uri });
  const onLine = kernels[0]?.accesses.filter(
    ({ location, space }) => location.range.start.line === scoreLine && space === "shared",
  );
  const predicted = onLine?.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  expect(access?.measured?.cost).toBe(predicted);
  const panel = await client.request<PanelStateResult>("warplint/panelState", {
    uri,
    position: { line: scoreLine, character: accessColumn },
    choice: null,
  });
  expect(panel.state.cost?.rows.some(({ measured }) => measured?.cost === predicted)).toBe(true);

  client.replace(uri, `// A line above.\n${program}`);
  const stale = await hoverText(client, uri, scoreLine + 1);
  expect(stale).toMatch(/Stale, the text has been edited since: attention\.ncu-rep: [\d,]+ wavefronts/);
  expect((await dearest(client, uri))?.measured).toMatchObject({ isStale: true, cost: predicted });

  expect(await importing(client, null)).toMatchObject({ isRead: true });
  expect((await dearest(client, uri))?.measured).toBeNull();
});

it("kernels that nothing launches are told with the launches of the report", async () => {
  const client = await start();
  const kernels = program.slice(0, program.indexOf("\ntemplate <int D, int PAD>\nvoid launch"));
  expect(kernels.length).toBeLessThan(program.length);
  const path = write("attention_tile.cu", kernels);
  client.open(path, kernels);
  await client.diagnostics(uriOf(path));
  const { launches } = await importing(client, report);
  expect(launches).toEqual({
    attention: [
      { block: [32, 4, 1], grid: [11, 2, 1], shared: 17408, templateArguments: ["64", "0"] },
      { block: [32, 4, 1], grid: [11, 2, 1], shared: 17536, templateArguments: ["64", "1"] },
      { block: [32, 4, 1], grid: [11, 2, 1], shared: 8832, templateArguments: ["32", "1"] },
    ],
  });
});

it("what is no report is told", async () => {
  const client = await start();
  const cut = Buffer.from(report, "base64").subarray(0, 5000).toString("base64");
  expect(await importing(client, cut)).toMatchObject({
    isRead: false,
    message: expect.stringContaining("the report is cut off"),
  });
  expect(await importing(client, Buffer.from("hello").toString("base64"))).toMatchObject({ isRead: false });
});
