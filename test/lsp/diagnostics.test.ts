// Diagnostics as clients get them: pulled or pushed, for documents of every kind of name, with what changes around them.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { StatusResult } from "../../server/src/lsp/protocol.ts";
import { plainCapabilities, pullCapabilities, uriOf } from "./client.ts";
import { serving } from "./serving.ts";
import { clean, conflict, unlaunched } from "./texts.ts";

const { folder, start, write: written } = serving((line) => / failed: |\n\s+at /.test(line));

const codesOf = (diagnostics: readonly { code?: unknown }[]) => diagnostics.map(({ code }) => code);

describe("a finding", () => {
  it("has range, severity, code, page, the launch, and the texts of the command line", async () => {
    const client = await start({ initializationOptions: { rulePages: "file:///pages/" } });
    const path = join(folder, "a.cu");
    client.open(path, conflict);
    const uri = uriOf(path);
    const [found, ...rest] = await client.diagnostics(uri);
    expect(rest).toEqual([]);
    expect(found).toMatchObject({
      severity: 2,
      code: "shared-bank-conflict",
      source: "warplint",
      codeDescription: { href: "file:///pages/shared-bank-conflict.md" },
      message: expect.stringMatching(/^32-way bank conflict: 32 wavefronts, 1 ideal.*\n.+/),
    });
    const document = client.document(uri);
    expect(document.getText(found?.range)).toBe("tile[threadIdx.x][threadIdx.y]");
    expect(found?.relatedInformation).toHaveLength(1);
    const [launch] = found?.relatedInformation ?? [];
    expect(launch?.location.uri).toBe(uri);
    expect(document.getText(launch?.location.range)).toContain("transpose<<<1, dim3(32, 32)>>>");
  });

  it("names a page that is there, where the client says nothing of pages", async () => {
    const client = await start();
    const path = join(folder, "a.cu");
    client.open(path, conflict);
    const [found] = await client.diagnostics(uriOf(path));
    const page = readFileSync(fileURLToPath(found?.codeDescription?.href ?? ""), "utf8");
    expect(page).toContain("# shared-bank-conflict");
  });

  it("leaves out what the client does not know", async () => {
    const client = await start({ capabilities: plainCapabilities });
    const path = join(folder, "a.cu");
    client.open(path, conflict);
    const [found] = await client.diagnostics(uriOf(path));
    expect(Object.keys(found ?? {}).sort()).toEqual(["code", "message", "range", "severity", "source"]);
  });

  it("counts positions in UTF-16 units, whatever ends the lines", async () => {
    const client = await start();
    const access = "tile[threadIdx.x][threadIdx.y]";
    const text = conflict.replace(`= ${access}`, `= /* 𝔸é */ ${access}`);
    for (const [name, ending] of [
      ["unix.cu", "\n"],
      ["windows.cu", "\r\n"],
    ] as const) {
      const path = join(folder, name);
      client.open(path, text.replaceAll("\n", ending));
      const [found] = await client.diagnostics(uriOf(path));
      expect(client.document(uriOf(path)).getText(found?.range)).toBe(access);
    }
  });

  it("is the same behind a byte order mark, which counts as a character", async () => {
    const client = await start();
    const access = "tile[threadIdx.x][threadIdx.y]";
    const oneLine = conflict.replace("#define N 32\n", "").replaceAll("N", "32").replaceAll("\n", " ");
    for (const [name, text] of [
      ["marked.cu", `\uFEFF${conflict}`],
      ["line.cu", `\uFEFF${oneLine}`],
    ] as const) {
      const path = join(folder, name);
      client.open(path, text);
      const [found] = await client.diagnostics(uriOf(path));
      expect(client.document(uriOf(path)).getText(found?.range)).toBe(access);
    }
  });

  it("is marked as unnecessary where it is a suppression without use", async () => {
    const client = await start();
    const path = join(folder, "unused.cu");
    client.open(
      path,
      clean.replace("  out[", "  // warplint-disable-next-line shared-bank-conflict -- why not\n  out["),
    );
    const [found] = await client.diagnostics(uriOf(path));
    expect(found).toMatchObject({ code: "unused-suppression", tags: [1] });
  });

  it("stands on an annotation that cannot be read", async () => {
    const client = await start();
    const path = join(folder, "annotated.cu");
    client.open(path, conflict.replace("__global__", "// warplint: launch(blok=3)\n__global__"));
    const found = (await client.diagnostics(uriOf(path))).filter(({ code }) => code === "launch-annotation");
    expect(found).toHaveLength(1);
    expect(client.document(uriOf(path)).getText(found[0]?.range)).toMatch(/^blok=3/);
  });
});

describe("pulled diagnostics", () => {
  it("are unchanged as long as they are the same", async () => {
    const client = await start();
    const path = join(folder, "a.cu");
    const uri = uriOf(path);
    client.open(path, conflict);
    const first = await client.pull(uri);
    const second = await client.pull(uri, first.resultId);
    expect(second).toEqual({ kind: "unchanged", resultId: first.resultId });
    client.edit(uri, { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, "// moved\n");
    const third = await client.pull(uri, first.resultId);
    expect(third).toMatchObject({ kind: "full" });
    expect(third.resultId).not.toBe(first.resultId);
    // Nobody who pulls is pushed.
    expect(client.published).toEqual([]);
  });
});

describe("pushed diagnostics", () => {
  it("name the version that they are of, come once it is quiet, and go when the document does", async () => {
    const client = await start({ capabilities: plainCapabilities });
    const path = join(folder, "a.cu");
    const uri = uriOf(path);
    client.open(path, conflict);
    for (let index = 0; index < 10; index++)
      client.edit(uri, { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, "\n");
    expect(codesOf(await client.diagnostics(uri))).toEqual(["shared-bank-conflict"]);
    expect(client.published.map(({ version }) => version)).toEqual([11]);
    client.close(uri);
    await client.until(() => client.published.at(-1)?.diagnostics.length === 0, "the document to be cleared");
  });
});

describe("documents", () => {
  it.each(["cuda-cpp", "cuda", "cpp", "c++", "plaintext"])(
    "of language %s are read alike",
    async (language) => {
      const client = await start();
      const path = join(folder, "a.cu");
      client.open(path, conflict, language);
      expect(codesOf(await client.diagnostics(uriOf(path)))).toEqual(["shared-bank-conflict"]);
    },
  );

  it.each([
    ["untitled:Untitled-1"],
    ["file:///tmp/a%20b%25c%23d/x%20y.cu"],
    ["file:///c%3A/Users/me/x.cu"],
    ["file://server/share/x.cu"],
    ["vscode-vfs://github/owner/repo/kernels/x.cu"],
  ])("named %s keep their name", async (uri) => {
    const client = await start();
    client.openUri(uri, conflict);
    const [found] = await client.diagnostics(uri);
    expect(found?.code).toBe("shared-bank-conflict");
    expect(found?.relatedInformation?.[0]?.location.uri).toBe(uri);
  });

  it("without CUDA have nothing", async () => {
    const client = await start();
    const path = join(folder, "a.cpp");
    client.open(path, "int main() { return 0; }\n", "cpp");
    expect(await client.diagnostics(uriOf(path))).toEqual([]);
    client.replace(uriOf(path), conflict);
    expect(codesOf(await client.diagnostics(uriOf(path)))).toEqual(["shared-bank-conflict"]);
  });

  it("are the same when closed and opened again", async () => {
    const client = await start();
    const path = written("reopened.cu", clean);
    const uri = uriOf(path);
    client.open(path, conflict);
    const before = await client.diagnostics(uri);
    client.close(uri);
    client.open(path, conflict);
    expect(await client.diagnostics(uri)).toEqual(before);
    client.close(uri);
    client.open(path, clean);
    expect(await client.diagnostics(uri)).toEqual([]);
  });
});

describe("what stands around a document", () => {
  const source = conflict.replace("#define N 32", '#include "size.h"');

  it("is read from unsaved buffers, then from the disk", async () => {
    const client = await start();
    const header = written("around/size.h", "#define N 32\n");
    const path = written("around/a.cu", source);
    client.open(path, source);
    expect(codesOf(await client.diagnostics(uriOf(path)))).toEqual(["shared-bank-conflict"]);
    client.open(header, "#define N 33\n", "cpp");
    expect(await client.diagnostics(uriOf(path))).toEqual([]);
    client.close(uriOf(header));
    expect(codesOf(await client.diagnostics(uriOf(path)))).toEqual(["shared-bank-conflict"]);
  });

  it("has new lenses when a header beside it is edited, and all anew when that is closed unsaved", async () => {
    const client = await start();
    const header = written("beside/size.h", "#define N 32\n");
    const path = written("beside/a.cu", source);
    client.open(path, source);
    await client.diagnostics(uriOf(path));
    client.open(header, "#define N 33\n", "cpp");
    await client.until(() => client.asked.includes("workspace/codeLens/refresh"), "a refresh of lenses");
    expect(await client.diagnostics(uriOf(path))).toEqual([]);
    expect(client.asked).not.toContain("workspace/diagnostic/refresh");
    client.close(uriOf(header));
    await client.until(() => client.asked.includes("workspace/diagnostic/refresh"), "a refresh");
  });

  it("is pushed as it is on disk when a header is closed unsaved", async () => {
    const client = await start({ capabilities: plainCapabilities });
    const header = written("pushed/size.h", "#define N 33\n");
    const path = written("pushed/a.cu", source);
    const last = () => client.published.findLast(({ uri }) => uri === uriOf(path))?.diagnostics.length;
    client.open(path, source);
    await client.until(() => last() === 0, "no finding");
    client.open(header, "#define N 32\n", "cpp");
    await client.until(() => last() === 1, "a finding");
    client.close(uriOf(header));
    await client.until(() => last() === 0, "no finding again");
  });

  it("is read again when it changes on disk, and the client is told", async () => {
    const client = await start();
    const header = written("watched/size.h", "#define N 32\n");
    const path = written("watched/a.cu", source);
    client.open(path, source);
    expect(codesOf(await client.diagnostics(uriOf(path)))).toEqual(["shared-bank-conflict"]);
    await client.until(() => client.registered.includes("workspace/didChangeWatchedFiles"), "a registration");
    written("watched/size.h", "#define N 33\n");
    void client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uriOf(header), type: 2 }],
    });
    await client.until(() => client.asked.includes("workspace/diagnostic/refresh"), "a refresh");
    await client.until(() => client.asked.includes("workspace/codeLens/refresh"), "a refresh of lenses");
    expect(await client.diagnostics(uriOf(path))).toEqual([]);
  });

  it("is found when it is created later", async () => {
    const client = await start({ capabilities: { ...pullCapabilities, ...plainCapabilities } });
    const path = written("later/a.cu", source);
    client.open(path, source);
    expect(await client.diagnostics(uriOf(path))).toMatchObject([
      {
        severity: 4,
        code: "missing-include",
        message:
          "size.h is not found: add its directory to includePaths in warplint.json, or name it with --include-path",
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 17 } },
      },
    ]);
    const header = written("later/size.h", "#define N 32\n");
    const before = client.published.length;
    void client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uriOf(header), type: 1 }],
    });
    await client.until(() => client.published.length > before, "new diagnostics");
    expect(codesOf(client.published.at(-1)?.diagnostics ?? [])).toEqual(["shared-bank-conflict"]);
  });
});

describe("a header opened alone", () => {
  const kernel = unlaunched.replace("#define N 32", "#pragma once\n#define N 32");
  const launcher =
    '#include "kernel.cuh"\nvoid run(float *out, float *in) {\n  transpose<<<1, dim3(16, 16)>>>(out, in);\n}\n';

  it.each([
    ["pulled", pullCapabilities],
    ["pushed", plainCapabilities],
  ])("gets the launches of files that include it, %s", async (_, capabilities) => {
    const header = written("lone/kernel.cuh", kernel);
    written("lone/below/other.cu", "// transpose<<<>>> is not here\n");
    written("lone/run.cu", launcher);
    const client = await start({ capabilities });
    client.open(header, kernel);
    const uri = uriOf(header);
    const said = async () => (await client.diagnostics(uri)).map(({ message }) => message).join("\n");
    const inTime = { timeout: 50_000, interval: 20 };
    await expect.poll(said, inTime).toContain("block (16,16), lone/run.cu:3");
    // What the launcher says unsaved counts as well.
    client.open(join(folder, "lone/run.cu"), launcher.replace("16, 16", "32, 32"));
    await expect.poll(said, inTime).toContain("32-way bank conflict");
  });

  it("has them still when the document that launches it is closed", async () => {
    const header = written("closing/kernel.cuh", kernel);
    const path = written("closing/run.cu", launcher);
    const client = await start();
    client.open(header, kernel);
    const said = async () =>
      (await client.diagnostics(uriOf(header))).map(({ message }) => message).join("\n");
    const inTime = { timeout: 50_000, interval: 20 };
    await expect.poll(said, inTime).toContain("block (16,16), closing/run.cu:3");
    client.open(path, launcher.replace("16, 16", "32, 32"));
    await expect.poll(said, inTime).toContain("block (32,32), closing/run.cu:3");
    client.close(uriOf(path));
    await expect.poll(said, inTime).toContain("block (16,16), closing/run.cu:3");
  });

  it("gets those of a header that includes it, and none of files that git ignores", async () => {
    const header = written("wrapped/kernel.cuh", kernel);
    written("wrapped/.gitignore", "out/\n");
    written("wrapped/out/near.cu", launcher.replace('"kernel', '"../kernel').replace("16, 16", "32, 32"));
    written("wrapped/api/wrapper.cuh", launcher.replace('"kernel', '"../kernel'));
    const client = await start();
    client.open(header, kernel);
    const launches = async () =>
      (await client.diagnostics(uriOf(header))).flatMap(({ relatedInformation }) => relatedInformation ?? []);
    const inTime = { timeout: 50_000, interval: 20 };
    await expect.poll(launches, inTime).toContainEqual({
      message: "transpose is launched here with block (16,16)",
      location: expect.objectContaining({ uri: expect.stringContaining("wrapped/api/wrapper.cuh") }),
    });
    for (const { message } of await launches()) expect(message).toContain("(16,16)");
  });
});

describe("a file that is opened to be read", () => {
  it("has hovers and no diagnostics: one that git or the configuration ignores, a header outside of every folder", async () => {
    const project = dirname(written("project/warplint.json", '{ "ignore": ["deps"] }'));
    written("project/.gitignore", "build/\n");
    const client = await start({ folders: [project] });
    const reported = async (path: string) => {
      client.open(path, conflict);
      return codesOf(await client.diagnostics(uriOf(path))).length > 0;
    };
    expect(await reported(join(project, "own.cuh"))).toBe(true);
    expect(await reported(join(project, "deps/theirs.cu"))).toBe(false);
    expect(await reported(join(project, "build/generated.cu"))).toBe(false);
    // Who opens a folder that is ignored means it.
    const opened = await start({ folders: [join(project, "build")] });
    opened.open(join(project, "build/generated.cu"), conflict);
    expect(codesOf(await opened.diagnostics(uriOf(join(project, "build/generated.cu"))))).toHaveLength(1);
    const outside = join(folder, "elsewhere/library.cuh");
    expect(await reported(outside)).toBe(false);
    expect(await reported(join(folder, "elsewhere/pasted.cu"))).toBe(true);
    const position = client.document(uriOf(outside)).positionAt(conflict.indexOf("tile[threadIdx.x]"));
    const hover = { textDocument: { uri: uriOf(outside) }, position };
    expect(JSON.stringify(await client.request("textDocument/hover", hover))).toContain("32.0×");
  });
});

describe("configuration", () => {
  it("is that of each folder", async () => {
    const one = dirname(written("one/warplint.json", '{ "rules": { "shared-bank-conflict": "error" } }'));
    const two = dirname(written("two/warplint.json", '{ "rules": { "shared-bank-conflict": "off" } }'));
    const client = await start({ folders: [one, two] });
    for (const path of [one, two]) client.open(join(path, "a.cu"), conflict);
    expect(await client.diagnostics(uriOf(join(one, "a.cu")))).toMatchObject([{ severity: 1 }]);
    expect(await client.diagnostics(uriOf(join(two, "a.cu")))).toEqual([]);
  });

  it("of the editor lies over that of the folder, and counts from the first answer on", async () => {
    const one = dirname(written("three/warplint.json", '{ "rules": { "shared-bank-conflict": "error" } }'));
    const two = dirname(written("four/warplint.json", "{}"));
    let severity = "information";
    const client = await start({
      folders: [one, two],
      settings: (scope) =>
        scope === uriOf(two)
          ? {
              architecture: null,
              thresholds: { sharedWarning: null },
              rules: { "shared-bank-conflict": severity },
            }
          : { rules: {}, includePaths: [] },
    });
    for (const path of [one, two]) client.open(join(path, "a.cu"), conflict);
    expect(await client.diagnostics(uriOf(join(two, "a.cu")))).toMatchObject([{ severity: 3 }]);
    expect(await client.diagnostics(uriOf(join(one, "a.cu")))).toMatchObject([{ severity: 1 }]);
    severity = "error";
    void client.connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
    await client.until(() => client.asked.includes("workspace/diagnostic/refresh"), "a refresh");
    expect(await client.diagnostics(uriOf(join(two, "a.cu")))).toMatchObject([{ severity: 1 }]);
  });

  it("can be sent by clients that are not asked for it", async () => {
    const client = await start({ capabilities: plainCapabilities });
    const path = join(folder, "pushed.cu");
    client.open(path, conflict);
    expect(await client.diagnostics(uriOf(path))).toMatchObject([{ severity: 2 }]);
    const before = client.published.length;
    void client.connection.sendNotification("workspace/didChangeConfiguration", {
      settings: { warplint: { rules: { "shared-bank-conflict": "error" } } },
    });
    await client.until(() => client.published.length > before, "new diagnostics");
    expect(client.published.at(-1)?.diagnostics).toMatchObject([{ severity: 1 }]);
  });

  it("that is wrong in the editor is named in the log and otherwise ignored", async () => {
    const client = await start({
      settings: () => ({ architecture: "sm_1", rules: { "shared-bank-conflict": "error" } }),
    });
    const path = join(folder, "wrong.cu");
    client.open(path, conflict);
    expect(await client.diagnostics(uriOf(path))).toMatchObject([{ severity: 1 }]);
    expect(client.log.join("\n")).toContain("warplint.architecture");
  });

  it("is marked where it means nothing, and holds", async () => {
    const stale = written("stale/warplint.json", '{\n  "includePaths": ["gone"]\n}\n');
    const path = join(dirname(stale), "a.cu");
    const client = await start({ folders: [dirname(stale)] });
    client.open(path, conflict);
    expect(codesOf(await client.diagnostics(uriOf(path)))).toEqual(["shared-bank-conflict"]);
    await client.until(() => client.published.length > 0, "a diagnostic on the configuration");
    const range = { start: { line: 1, character: 19 }, end: { line: 1, character: 25 } };
    const message = expect.stringContaining("there is no directory gone");
    expect(client.published).toMatchObject([
      { uri: uriOf(stale), diagnostics: [{ range, severity: 2, message }] },
    ]);
  });

  it("that is broken is marked in its own file, without a word on the screen", async () => {
    const broken = written("broken/warplint.json", '{\n  "rulez": {}\n}\n');
    const directory = dirname(broken);
    const client = await start({ folders: [directory] });
    const path = join(directory, "a.cu");
    client.open(path, conflict);
    await client.diagnostics(uriOf(path));
    await client.until(() => client.published.length > 0, "a diagnostic on the configuration");
    expect(client.published).toMatchObject([
      {
        uri: uriOf(broken),
        diagnostics: [
          {
            range: { start: { line: 1, character: 2 }, end: { line: 1, character: 9 } },
            message: expect.stringContaining("rulez"),
          },
        ],
      },
    ]);
    expect(client.notified.map(({ method }) => method)).not.toContain("window/showMessage");
    written("broken/warplint.json", "{}\n");
    void client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uriOf(broken), type: 2 }],
    });
    await client.until(() => client.published.at(-1)?.diagnostics.length === 0, "the mark to go");
    expect(codesOf(await client.diagnostics(uriOf(path)))).toEqual(["shared-bank-conflict"]);
  });

  it("that breaks holds as it was, and the status says what is wrong", async () => {
    const config = written("breaks/warplint.json", '{ "rules": { "shared-bank-conflict": "error" } }\n');
    const directory = dirname(config);
    const client = await start({ folders: [directory] });
    const path = join(directory, "a.cu");
    client.open(path, conflict);
    const severities = async () => (await client.diagnostics(uriOf(path))).map(({ severity }) => severity);
    expect(await severities()).toEqual([1]);
    written("breaks/warplint.json", '{ "rules": { "shared-bank-conflict": \n');
    void client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uriOf(config), type: 2 }],
    });
    await client.until(() => client.published.at(-1)?.diagnostics.length === 1, "a mark");
    expect(client.published.at(-1)?.uri).toBe(uriOf(config));
    expect(await severities()).toEqual([1]);
    const status = await client.request<StatusResult>("warplint/status", {
      uri: uriOf(path),
      position: { line: 0, character: 0 },
    });
    expect(status.problems.join()).toMatch(/^warplint\.json:\d+: /);
    written("breaks/warplint.json", "{}\n");
    void client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uriOf(config), type: 2 }],
    });
    await client.until(() => client.published.at(-1)?.diagnostics.length === 0, "the mark to go");
    expect(await severities()).toEqual([2]);
  });

  it("of a folder that comes and goes is followed", async () => {
    const quiet = dirname(written("quiet/warplint.json", "{}"));
    const client = await start({
      folders: [],
      settings: (scope) => (scope === uriOf(quiet) ? { rules: { "shared-bank-conflict": "off" } } : null),
    });
    const path = join(quiet, "a.cu");
    client.open(path, conflict);
    expect(codesOf(await client.diagnostics(uriOf(path)))).toEqual(["shared-bank-conflict"]);
    const change = (added: readonly string[], removed: readonly string[]) =>
      client.connection.sendNotification("workspace/didChangeWorkspaceFolders", {
        event: {
          added: added.map((each) => ({ uri: uriOf(each), name: each })),
          removed: removed.map((each) => ({ uri: uriOf(each), name: each })),
        },
      });
    const refreshes = () => client.asked.filter((method) => method === "workspace/diagnostic/refresh").length;
    void change([quiet], []);
    await client.until(() => refreshes() === 1, "a refresh");
    expect(await client.diagnostics(uriOf(path))).toEqual([]);
    void change([], [quiet]);
    await client.until(() => refreshes() === 2, "a refresh");
    expect(codesOf(await client.diagnostics(uriOf(path)))).toEqual(["shared-bank-conflict"]);
  });
});
