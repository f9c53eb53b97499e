// Hover, lenses, actions and the requests of our own, as clients of different abilities get them.
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CodeAction, CodeLens, Hover, TextEdit, WorkspaceEdit } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type {
  EffectiveConfiguration,
  LaunchChoicesResult,
  PanelStateResult,
  SetLaunchResult,
  StatusResult,
} from "../../server/src/lsp/protocol.ts";
import { type Client, type ClientOptions, plainCapabilities, pullCapabilities, uriOf } from "./client.ts";
import { serving } from "./serving.ts";
import { conflict, placeOf, unlaunched } from "./texts.ts";

const access = "tile[threadIdx.x][threadIdx.y]";
const vsCode = { commandLinks: true, rulePages: "file:///pages/" };

const { folder, start, write } = serving();

/** A client with `text` open as a.cu. */
async function opened(text: string, options: Omit<ClientOptions, "cli"> = {}) {
  const client = await start(options);
  const path = join(folder, "a.cu");
  client.open(path, text);
  return { client, uri: uriOf(path) };
}

function applied(text: string, uri: string, edit: WorkspaceEdit | null | undefined): string {
  const edits: TextEdit[] = [];
  for (const change of edit?.documentChanges ?? []) {
    if (!("textDocument" in change)) throw new Error("no text edit");
    expect(change.textDocument).toEqual({ uri, version: 1 });
    edits.push(...(change.edits as TextEdit[]));
  }
  edits.push(...(edit?.changes?.[uri] ?? []));
  return TextDocument.applyEdits(TextDocument.create(uri, "", 1, text), edits);
}

describe("hover", () => {
  const hoverOf = ({ client, uri }: { client: Client; uri: string }) =>
    client.request<Hover>("textDocument/hover", {
      textDocument: { uri },
      position: placeOf(conflict, access),
    });
  const markupOf = ({ contents }: Hover) => {
    if (typeof contents === "string" || !("kind" in contents)) throw new Error("no markup");
    return contents;
  };

  it("is coloured, with links, where the client allows both; what the diagnostic says is left out", async () => {
    const { kind, value } = markupOf(
      await hoverOf(await opened(conflict, { initializationOptions: vsCode })),
    );
    expect(kind).toBe("markdown");
    expect(value).toContain('<span style="color:var(--vscode-charts-red);">');
    expect(value).toContain("](command:warplint.showBankMap?");
    expect(value).not.toContain("32 wavefronts, 1 ideal");
  });

  it("is fenced text elsewhere, with the figures, and no link that leads nowhere", async () => {
    const { general: _, ...capabilities } = pullCapabilities;
    const { kind, value } = markupOf(await hoverOf(await opened(conflict, { capabilities })));
    expect(kind).toBe("markdown");
    expect(value).toContain("```text\n");
    expect(value).toContain("32 wavefronts, 1 ideal");
    expect(value).not.toMatch(/<span|command:/);
  });

  it("is plain for those who know no markdown", async () => {
    const { kind, value } = markupOf(
      await hoverOf(await opened(conflict, { capabilities: plainCapabilities })),
    );
    expect(kind).toBe("plaintext");
    expect(value).toContain("32 wavefronts, 1 ideal");
    expect(value).toMatch(/^bank /m);
    expect(value).not.toMatch(/```|\\|\*\*/);
  });

  it("covers the access, and is nothing where nothing is", async () => {
    const place = await opened(conflict);
    const { range } = await hoverOf(place);
    expect(place.client.document(place.uri).getText(range)).toBe(access);
    const nothing = await place.client.request("textDocument/hover", {
      textDocument: { uri: place.uri },
      position: { line: 8, character: 3 },
    });
    expect(nothing).toBeNull();
  });
});

describe("lenses", () => {
  const lensesOf = ({ client, uri }: { client: Client; uri: string }) =>
    client.request<CodeLens[]>("textDocument/codeLens", { textDocument: { uri } });

  it("say what a kernel costs and how it is launched, at its name", async () => {
    const place = await opened(conflict, { initializationOptions: vsCode });
    const lenses = await lensesOf(place);
    expect(lenses.map(({ command }) => command?.title)).toEqual([
      expect.stringMatching(/^line 6 load: 32\.0×|^line 6: 32\.0×/),
      expect.stringContaining("block (32,32), line 10"),
    ]);
    expect(lenses.map(({ command }) => command?.command)).toEqual([
      "warplint.showBankMap",
      "warplint.chooseLaunch",
    ]);
    expect(lenses.every(({ range }) => range.start.line === 1)).toBe(true);
  });

  it("name no command that the client does not have", async () => {
    const lenses = await lensesOf(await opened(conflict));
    expect(lenses.map(({ command }) => command?.command)).toEqual(["", ""]);
  });
});

describe("code actions", () => {
  const actionsOf = (
    { client, uri }: { client: Client; uri: string },
    position: { line: number; character: number },
    context: object = {},
  ) =>
    client.request<CodeAction[]>("textDocument/codeAction", {
      textDocument: { uri },
      range: { start: position, end: position },
      context: { diagnostics: [], ...context },
    });

  it("ignore a finding last of all, never preferred, and answer to its diagnostic", async () => {
    const place = await opened(conflict);
    const diagnostics = await place.client.diagnostics(place.uri);
    const actions = await actionsOf(place, placeOf(conflict, access), { diagnostics });
    const ignore = actions.at(-2);
    expect(ignore).toMatchObject({ kind: "quickfix", diagnostics });
    expect(ignore?.title).toMatch(/^Ignore shared-bank-conflict on this line/);
    expect(ignore?.isPreferred).toBeUndefined();
    const ignored = applied(conflict, place.uri, ignore?.edit);
    expect(ignored).toContain("  // warplint-disable-next-line shared-bank-conflict");
    place.client.replace(place.uri, ignored);
    expect(await place.client.diagnostics(place.uri)).toEqual([]);
    const disabled = applied(conflict, place.uri, actions.at(-1)?.edit);
    expect(disabled).toBe(`// warplint-disable shared-bank-conflict -- reason\n${conflict}`);
    place.client.replace(place.uri, disabled);
    expect(await place.client.diagnostics(place.uri)).toEqual([]);
    place.client.replace(place.uri, conflict);
    expect(await place.client.diagnostics(place.uri)).toEqual(diagnostics);
  });

  it("edit without versions where the client knows none", async () => {
    const place = await opened(conflict, {
      capabilities: { ...plainCapabilities, textDocument: pullCapabilities.textDocument ?? {} },
    });
    const actions = await actionsOf(place, placeOf(conflict, access));
    expect(Object.keys(actions.at(-1)?.edit ?? {})).toEqual(["changes"]);
  });

  it("are only of the kinds that were asked for", async () => {
    const place = await opened(conflict);
    const countOf = async (only: readonly string[]) =>
      (await actionsOf(place, placeOf(conflict, access), { only })).length;
    expect(await countOf(["quickfix"])).toBeGreaterThan(0);
    expect(await countOf([""])).toBeGreaterThan(0);
    expect(await countOf(["refactor"])).toBe(0);
    expect(await countOf(["source.fixAll"])).toBe(0);
  });

  it("set the launch of a kernel without one: by asking, or as edits where nobody can ask", async () => {
    const name = placeOf(unlaunched, "transpose(");
    const asking = await actionsOf(await opened(unlaunched, { initializationOptions: vsCode }), name);
    expect(asking[0]).toMatchObject({
      title: expect.stringContaining("Set the launch of transpose"),
      command: { command: "warplint.chooseLaunch" },
    });
    const place = await opened(unlaunched);
    const [first] = await actionsOf(place, name);
    expect(first?.title).toMatch(/^Set the launch of transpose: block=/);
    expect(applied(unlaunched, place.uri, first?.edit)).toMatch(
      /\/\/ warplint: launch\(block=.*\)\n__global__/,
    );
  });
});

describe("the launch", () => {
  it("is chosen: what there is, what is wrong with a text, the edit, and figures that follow", async () => {
    const { client, uri } = await opened(conflict);
    const place = { uri, position: placeOf(conflict, "transpose(") };
    const choices = await client.request<LaunchChoicesResult>("warplint/launchChoices", place);
    expect(choices).toMatchObject({
      kernel: "transpose",
      annotation: null,
      choices: [{ description: "line 10" }],
    });
    expect(client.document(uri).getText(choices.range)).toBe("transpose");
    const check = (annotation: string) => client.request("warplint/checkLaunch", { ...place, annotation });
    expect(await check("block=(16,16)")).toEqual([]);
    expect(await check("blok=(16,16)")).not.toEqual([]);
    const { edit } = await client.request<SetLaunchResult>("warplint/setLaunch", {
      ...place,
      annotation: "block=(16,16), grid=(1)",
    });
    client.replace(uri, applied(conflict, uri, edit));
    const found = await client.diagnostics(uri);
    expect(found.find(({ code }) => code === "shared-bank-conflict")?.message).toContain("block (16,16)");
  });

  it("is nothing outside of kernels", async () => {
    const { client, uri } = await opened(conflict);
    const place = { uri, position: placeOf(conflict, "float *out, *in;") };
    expect(await client.request("warplint/launchChoices", place)).toBeNull();
  });

  it("can be set by the server where the client has no view for it", async () => {
    const { client, uri } = await opened(unlaunched);
    const argument = { uri, position: placeOf(unlaunched, "transpose("), annotation: "block=(32,32)" };
    await client.request("workspace/executeCommand", {
      command: "warplint.server.setLaunch",
      arguments: [argument],
    });
    expect(client.asked).toContain("workspace/applyEdit");
  });
});

describe("views", () => {
  it("status names the kernel under the cursor", async () => {
    const { client, uri } = await opened(conflict);
    const statusAt = (needle: string) =>
      client.request<StatusResult>("warplint/status", { uri, position: placeOf(conflict, needle) });
    expect(await statusAt(access)).toMatchObject({
      uri,
      version: 1,
      kernel: { kernel: "transpose", isLaunchKnown: true, text: expect.stringContaining("block (32,32)") },
      findings: 1,
      problems: [],
    });
    expect((await statusAt("int main")).kernel).toBeNull();
  });

  it("the panel shows the access under the cursor, and follows the text", async () => {
    const { client, uri } = await opened(conflict, { initializationOptions: vsCode });
    const position = placeOf(conflict, access);
    const asked = { uri, position, choice: null };
    const panel = await client.request<PanelStateResult>("warplint/panelState", asked);
    expect(panel).toMatchObject({ uri, version: 1, state: { expression: access, kernel: "transpose" } });
    expect(client.document(uri).getText(panel.range)).toBe(access);
    client.edit(uri, { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, "\n");
    await client.until(
      () =>
        client.notified.some(
          ({ method, params }) =>
            method === "warplint/analysed" && (params as { version: number }).version === 2,
        ),
      "word of the change",
    );
    expect(
      await client.request("warplint/panelState", { ...asked, position: { line: 0, character: 0 } }),
    ).toBeNull();
  });

  it("the configuration has the architecture that figures are of, where the build says it", async () => {
    const build = "project(a CUDA)\nset(CMAKE_CUDA_ARCHITECTURES 80)\nadd_executable(a built/a.cu)\n";
    const root = dirname(write("arch/CMakeLists.txt", build));
    const path = write("arch/built/a.cu", conflict);
    const client = await start({ folders: [root] });
    client.open(path, conflict);
    const { text } = await client.request<EffectiveConfiguration>("warplint/effectiveConfiguration", {
      uri: uriOf(path),
    });
    expect(text).toContain('"architecture": "sm_80"');
  });

  it("the configuration says where it comes from", async () => {
    const { client, uri } = await opened(conflict, { settings: () => ({ architecture: "sm_80" }) });
    const { text, configFile } = await client.request<EffectiveConfiguration>(
      "warplint/effectiveConfiguration",
      { uri },
    );
    expect(configFile).toBeNull();
    expect(text).toContain('"architecture": "sm_80"');
    expect(text).toContain("From the editor's settings: architecture");
  });
});
