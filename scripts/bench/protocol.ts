// Times what an editor waits for over the protocol: a keystroke up to its diagnostics, a hover, a menu, a cold start, in a file of 1,000 lines and
// ten or so long kernels with their launches. Ratios are to the parse of the same text in the same run; times are of the wall,
// but where CPU is said.
//
// npm run bench -- protocol [--lines=1000] [--varied] [--edits=200] [--unseen]
//
// --varied: programs of all kinds, as a file has them that was pasted together, in place of long kernels. --unseen: the server is not told what is in
// sight, as by other editors than VS Code: an answer is of the whole file.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Range } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { Language, Parser } from "web-tree-sitter";
import { changedStretch } from "../../server/src/text/stretch.ts";
import { buildServer, type Client, startClient, uriOf } from "../../test/lsp/client.ts";
import { joinedPrograms } from "./joined-programs.ts";
import { costOf } from "./process-cost.ts";
import { longText, typedStates } from "./typed-text.ts";

const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "1000" },
    varied: { type: "boolean", default: false },
    edits: { type: "string", default: "200" },
    unseen: { type: "boolean", default: false },
  },
});
const lineCount = Number(values.lines);
const editCount = Number(values.edits);
const warmUpRounds = values.varied ? 0 : 2;
const coldStarts = values.varied ? 1 : 5;
const searchMilliseconds = 5000;
const linesInSight = 50;
const path = "/tmp/warplint-bench/a.cu";
const uri = uriOf(path);

async function main(): Promise<void> {
  await Parser.init();
  const grammar = await Language.load(new Uint8Array(readFileSync("grammars/tree-sitter-cuda.wasm")));
  const bare = new Parser().setLanguage(grammar);
  const text = values.varied ? joinedPrograms("fixtures/programs", lineCount) : longText(lineCount);
  const server = buildServer();
  const cold: ColdStart[] = [];
  for (let start = 0; start < coldStarts; start++) cold.push(await coldStart(server.cli, text));
  const coldMedian = (measure: keyof ColdStart) =>
    quantile(
      cold.map((each) => each[measure]),
      0.5,
    );
  const client = await startClient({ cli: server.cli });
  client.open(path, text);
  await client.diagnostics(uri);
  const parses: number[] = [];
  const edits: number[] = [];
  const hovers: number[] = [];
  for (let round = 0; round <= warmUpRounds; round++) {
    for (const times of [parses, edits, hovers]) times.length = 0;
    // From where the last round ended to where each begins is no keystroke.
    client.replace(uri, text);
    // As editors do, it says with each question what it was told last.
    let known = (await client.pull(uri)).resultId;
    for (const next of typedStates(text, editCount)) {
      parses.push(await timeOf(async () => bare.parse(next)?.delete()));
      const { range, typed } = editTo(client.document(uri), next);
      await look(client, range.start.line);
      collectOwnGarbage();
      edits.push(
        await timeOf(async () => {
          client.edit(uri, range, typed);
          known = (await client.pull(uri, known)).resultId;
        }),
      );
      hovers.push(await timeOf(() => hover(client)));
    }
  }
  const menus = await menusWhileSearching(client);
  await client.stop();
  server.remove();
  const parse = quantile(parses, 0.5);
  console.log(`${text.split("\n").length} lines, ${edits.length} edits`);
  for (const [name, time] of [
    ["parse of the text, median", parse],
    ["cold start to those in sight", coldMedian("inSight")],
    ["the same, of CPU", coldMedian("inSightCpu")],
    ["cold start to all diagnostics", coldMedian("whole")],
    ["the same, of CPU", coldMedian("wholeCpu")],
    ["edit to diagnostics, median", quantile(edits, 0.5)],
    ["edit to diagnostics, p95", quantile(edits, 0.95)],
    ["hover, median", quantile(hovers, 0.5)],
    ["hover, p95", quantile(hovers, 0.95)],
    ["menu during a search, median", quantile(menus, 0.5)],
    ["menu during a search, p95", quantile(menus, 0.95)],
    ["menu during a search, longest", quantile(menus, 1)],
  ] as const)
    console.log(
      `${name.padEnd(30)}${time.toFixed(2).padStart(10)} ms${(time / parse).toFixed(2).padStart(10)}×`,
    );
}

/** In milliseconds, from the start of the process; of CPU all threads count, and the processes that the server started. */
interface ColdStart {
  /** To the first diagnostics, of what is in sight. */
  readonly inSight: number;
  readonly inSightCpu: number;
  /** To those of the whole file. */
  readonly whole: number;
  readonly wholeCpu: number;
}

async function coldStart(cli: string, text: string): Promise<ColdStart> {
  const start = performance.now();
  const client = await startClient({ cli });
  const passed = () => ({
    clock: performance.now() - start,
    cpu: costOf(client.process.pid ?? 0).cpuSeconds * 1000,
  });
  await look(client, Math.floor(text.split("\n").length / 2));
  client.open(path, text);
  const whole = client.request("warplint/memoryCost", { uri }).then(passed);
  await client.pull(uri);
  const inSight = passed();
  const { clock, cpu } = await whole;
  await client.stop();
  return { inSight: inSight.clock, inSightCpu: inSight.cpu, whole: clock, wholeCpu: cpu };
}

/** As many lines as an editor shows, from `first` on. */
async function look(client: Client, first: number): Promise<void> {
  if (values.unseen) return;
  const range = { start: { line: first, character: 0 }, end: { line: first + linesInSight, character: 0 } };
  await client.connection.sendNotification("warplint/inSight", { uri, ranges: [range] });
}

/** One incremental edit: what differs between `document` and `after`. */
function editTo(document: TextDocument, after: string): { readonly range: Range; readonly typed: string } {
  const before = document.getText();
  const { start, oldEnd, newEnd } = changedStretch(before, after);
  const range = { start: document.positionAt(start), end: document.positionAt(oldEnd) };
  return { range, typed: after.slice(start, newEnd) };
}

/** What this process leaves behind must not be collected while the server is timed. The server is left alone. */
function collectOwnGarbage(): void {
  globalThis.gc?.({ type: "minor" });
}

/** On the first access of the last diagnostics, wherever it is by now. */
async function hover(client: Client): Promise<void> {
  const text = client.document(uri).getText();
  const offset = text.indexOf("[threadIdx.");
  const position = client.document(uri).positionAt(offset + 2);
  await client.request("textDocument/hover", { textDocument: { uri }, position });
}

/** Menus asked for from the last edit on, while fixes of all kernels are searched for. */
async function menusWhileSearching(client: Client): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + searchMilliseconds;
  const [finding] = await client.diagnostics(uri);
  if (finding === undefined) return times;
  while (performance.now() < end) {
    const context = { diagnostics: [] };
    const params = { textDocument: { uri }, range: finding.range, context };
    times.push(await timeOf(() => client.request("textDocument/codeAction", params)));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return times;
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

await main();
