// The second phase over stdio: fixes come by themselves after a moment of quiet, menus never wait for them, and what is picked cures.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeAction, CodeLens, Hover, Range, TextDocumentEdit } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { requestNames } from "../../server/src/lsp/protocol.ts";
import { buildServer, type Client, pullCapabilities, root, startClient, uriOf } from "./client.ts";

const seedText = (name: string) => readFileSync(join(root, `fixtures/seeds/${name}`), "utf8");

let built: ReturnType<typeof buildServer>;
let client: Client;

beforeAll(async () => {
  built = buildServer();
  client = await startClient({
    cli: built.cli,
    capabilities: pullCapabilities,
    folders: ["/w"],
    initializationOptions: { commandLinks: true },
  });
}, 60_000);

afterAll(async () => {
  await client.stop();
  built.remove();
});

function rangeOf(uri: string, word: string): Range {
  const document = client.document(uri);
  const start = document.getText().indexOf(word);
  if (start === -1) throw new Error(`no ${word}`);
  return { start: document.positionAt(start), end: document.positionAt(start + 1) };
}

function actionsAt(uri: string, range: Range, only?: readonly string[]): Promise<CodeAction[]> {
  return client.request("textDocument/codeAction", {
    textDocument: { uri },
    range,
    context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
  });
}

/** Asks until a fix is ready, now and then: the search makes way for whoever asks. */
async function fixesAt(uri: string, word: string): Promise<CodeAction[]> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const actions = await actionsAt(uri, rangeOf(uri, word));
    const fixes = actions.filter(({ title }) => title.endsWith("(output checked)"));
    if (fixes.length > 0) return fixes;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`no fix for ${word}`);
}

/** The text with the edits of an action, as an editor makes them. */
function applied(uri: string, action: CodeAction | undefined): string {
  const changes = (action?.edit?.documentChanges ?? []) as TextDocumentEdit[];
  expect(changes.map(({ textDocument }) => textDocument.uri)).toEqual([uri]);
  expect(changes[0]?.textDocument.version).toBe(client.document(uri).version);
  return TextDocument.applyEdits(
    client.document(uri),
    (changes[0]?.edits ?? []).flatMap((edit) => ("newText" in edit ? [edit] : [])),
  );
}

const rulesIn = async (uri: string) => (await client.diagnostics(uri)).map(({ code }) => code);

describe("a quick fix", () => {
  const path = "/w/seed1.cu";
  const uri = uriOf(path);

  it("is there after a moment, first of the menu, and cures what it was found for", async () => {
    client.open(path, seedText("seed1_matrix_trans.cu"));
    expect(await rulesIn(uri)).toEqual(["uncoalesced-access", "shared-bank-conflict"]);
    const [first] = await fixesAt(uri, "subMatrix[col][row]");
    expect(first).toMatchObject({
      title: "Pad subMatrix to [blockSizeX][blockSizeY + 1]: 32 → 1 wavefronts, +128 B (output checked)",
      kind: "quickfix",
      isPreferred: true,
    });
    const menu = await actionsAt(uri, rangeOf(uri, "subMatrix[col][row]"));
    expect(menu[0]?.title).toBe(first?.title);
    expect(menu.at(-1)?.title).toBe("Disable shared-bank-conflict in this file…");
    expect(menu.filter(({ isPreferred }) => isPreferred)).toHaveLength(1);
    client.replace(uri, applied(uri, first));
    expect(await rulesIn(uri)).toEqual(["uncoalesced-access"]);
    client.replace(uri, seedText("seed1_matrix_trans.cu"));
    expect(await rulesIn(uri)).toEqual(["uncoalesced-access", "shared-bank-conflict"]);
  });

  it("stands in the message once it is ready, in the place of advice", async () => {
    const messages = async () => (await client.diagnostics(uri)).map(({ message }) => String(message));
    await client.until(() => client.asked.includes("workspace/diagnostic/refresh"), "a refresh");
    const texts = await messages();
    expect(texts.filter((text) => text.includes("Fix: "))).not.toEqual([]);
    for (const text of texts) expect(text).not.toMatch(/Fix: .*(?:Pad the row|Shorten)/s);
  });

  it("moves at once with edits that do not concern it", async () => {
    const [before] = await fixesAt(uri, "subMatrix[col][row]");
    const start = { line: 0, character: 0 };
    client.edit(uri, { start, end: start }, "// a line more\n");
    const [after] = await actionsAt(uri, rangeOf(uri, "subMatrix[col][row]"));
    expect(after?.title).toBe(before?.title);
    expect(applied(uri, after)).toContain("subMatrix[blockSizeX][blockSizeY + 1];");
  });

  it("is not offered for what was edited since", async () => {
    await fixesAt(uri, "subMatrix[col][row]");
    client.edit(uri, rangeOf(uri, "[blockSizeY];"), "[1 *");
    client.replace(uri, client.document(uri).getText().replace("[1 *blockSizeY];", "[1 * blockSizeY];"));
    const menu = await actionsAt(uri, rangeOf(uri, "subMatrix[col][row]"));
    expect(menu.map(({ title }) => title)).toEqual([
      "Searching for fixes… Open the menu again",
      "Ignore shared-bank-conflict on this line…",
      "Disable shared-bank-conflict in this file…",
    ]);
  });
});

describe("around it", () => {
  const path = "/w/seed4.cu";
  const uri = uriOf(path);

  beforeAll(async () => {
    client.open(path, seedText("seed4_transpose.cu"));
    await client.diagnostics(uri);
  });

  it("the kernel's lens leads to it, and the client is told to ask for lenses again", async () => {
    const asked = () => client.asked.filter((method) => method === "workspace/codeLens/refresh").length;
    const before = asked();
    await fixesAt(uri, "tile[threadIdx.x][threadIdx.y]");
    await client.until(() => asked() > before, "lenses to be asked for");
    const lenses = await client.request<CodeLens[]>("textDocument/codeLens", { textDocument: { uri } });
    const fix = lenses.find(({ command }) => command?.title === "Fix");
    expect(fix?.command).toMatchObject({ command: "warplint.pickFix" });
  });

  it("the panel shows before and after", async () => {
    await fixesAt(uri, "tile[threadIdx.x][threadIdx.y]");
    const result = await client.request<{
      state: { headline: string; after: { headline: string; title: string } | null };
    }>(requestNames.panelState, {
      uri,
      position: rangeOf(uri, "tile[threadIdx.x][threadIdx.y]").start,
      choice: null,
    });
    expect(result.state.headline).toBe("32 wavefronts, 1 ideal (32.0×)");
    expect(result.state.after).toMatchObject({
      headline: "1 wavefront, 1 ideal",
      title: expect.stringMatching(/^Pad tile to \[BDIMY\]\[BDIMX \+ 1\]/),
    });
  });
});

describe("fix-all", () => {
  const path = "/w/all.cu";
  const uri = uriOf(path);

  it("answers to its full name, and never to source.fixAll or to a bare request", async () => {
    client.open(path, seedText("seed4_transpose.cu"));
    await fixesAt(uri, "tile[threadIdx.x][threadIdx.y]");
    const range = rangeOf(uri, "#include");
    expect(await actionsAt(uri, range, ["source.fixAll"])).toEqual([]);
    expect(await actionsAt(uri, range, ["source"])).toEqual([]);
    expect(await actionsAt(uri, range)).toEqual([]);
    const [all, ...others] = await actionsAt(uri, range, ["source.fixAll.warplint"]);
    expect(others).toEqual([]);
    expect(all?.kind).toBe("source.fixAll.warplint");
    expect(applied(uri, all)).toBe(
      client.document(uri).getText().replace("tile[BDIMY][BDIMX];", "tile[BDIMY][BDIMX + 1];"),
    );
  });

  it("is announced by that name", () => {
    expect(client.initialized.capabilities.codeActionProvider).toEqual({
      codeActionKinds: ["quickfix", "source.fixAll.warplint"],
    });
  });
});

describe("no fix", () => {
  it("says why on hover", async () => {
    const path = "/w/escapes.cu";
    const uri = uriOf(path);
    const escaping = `__device__ void fill(float *tile, float value);\n${seedText(
      "seed4_transpose.cu",
    ).replace("tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];", "fill(&tile[0][0], in[iy * nx + ix]);")}`;
    client.open(path, escaping);
    await client.diagnostics(uri);
    const position = rangeOf(uri, "tile[threadIdx.x][threadIdx.y]").start;
    let text = "";
    for (let attempt = 0; attempt < 100 && !text.includes("No fix"); attempt++) {
      const hover = await client.request<Hover | null>("textDocument/hover", {
        textDocument: { uri },
        position,
      });
      text = JSON.stringify(hover?.contents);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(text).toMatch(/No fix: \w/);
  });
});
