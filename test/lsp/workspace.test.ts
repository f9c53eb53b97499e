// Lint of the whole workspace: what is found in files that nobody has open, with progress, and how it reaches the client.
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { CancellationTokenSource, type WorkspaceDiagnosticReport } from "vscode-languageserver/node";
import type { LintWorkspaceResult } from "../../server/src/lsp/protocol.ts";
import { type Client, plainCapabilities, uriOf } from "./client.ts";
import { serving } from "./serving.ts";
import { clean, conflict } from "./texts.ts";

const { folder, start, write, empty } = serving();
beforeEach(() => {
  empty();
  write(".gitignore", "ignored/\n");
  write("a b.cu", conflict);
  write("clean.cu", clean);
  write("below/c.cu", conflict.replace("#define N 32", '#include "size.cuh"'));
  write("below/size.cuh", "#define N 32\n");
  write("ignored/d.cu", conflict);
});

const uri = (path: string) => uriOf(join(folder, path));
const kinds = (client: Client) => client.progress.map(({ value }) => (value as { kind: string }).kind);

describe("lint of the workspace", () => {
  it("finds what the command line finds, and shows how far it is", async () => {
    const client = await start();
    const result = await client.request<LintWorkspaceResult>("warplint/lintWorkspace", {
      workDoneToken: "w",
    });
    expect(result).toMatchObject({
      files: 4,
      findings: 2,
      summary: expect.stringMatching(/^2 warnings in 2 of 4 files/),
    });
    await client.until(() => kinds(client).at(-1) === "end", "the end of the progress");
    expect(kinds(client)[0]).toBe("begin");
    expect(kinds(client).filter((kind) => kind === "report").length).toBeGreaterThanOrEqual(4);
  });

  it("reaches a client that pulls through its open request, once", async () => {
    const client = await start();
    const pull = (previous: WorkspaceDiagnosticReport | null) =>
      client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", {
        partialResultToken: "p",
        previousResultIds: (previous?.items ?? []).map(({ uri, resultId }) => ({
          uri,
          value: resultId ?? "",
        })),
      });
    const first = pull(null);
    await client.request("warplint/lintWorkspace", {});
    const report = await first;
    const found = report.items.flatMap((item) =>
      item.kind === "full" && item.items.length > 0 ? [item.uri] : [],
    );
    expect(found.sort()).toEqual([uri("a b.cu"), uri("below/c.cu")].sort());
    const second = pull(report);
    write("a b.cu", clean);
    void client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uri("a b.cu"), type: 2 }],
    });
    const changed = await second;
    expect(changed.items.filter(({ kind }) => kind === "full")).toMatchObject([
      { uri: uri("a b.cu"), items: [] },
    ]);
    expect(client.published).toEqual([]);
  });

  it("leaves the request of a client that pulls open as long as nobody lints, and lints nothing for it", async () => {
    const client = await start();
    let isAnswered = false;
    const pull = client
      .request<WorkspaceDiagnosticReport>("workspace/diagnostic", {
        partialResultToken: "p",
        previousResultIds: [],
      })
      .then((report) => {
        isAnswered = true;
        return report;
      });
    // An answer that would come at once is here before those of later requests.
    await client.request("warplint/status", { uri: uri("clean.cu"), position: { line: 0, character: 0 } });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isAnswered).toBe(false);
    await client.request("warplint/lintWorkspace", {});
    expect((await pull).items).toHaveLength(4);
  });

  it("is done for a client that asks for everything and waits", async () => {
    const client = await start();
    const report = await client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", {
      previousResultIds: [],
    });
    expect(report.items).toHaveLength(4);
    const previousResultIds = report.items.map((item) => ({ uri: item.uri, value: item.resultId ?? "" }));
    const again = await client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", {
      previousResultIds,
    });
    expect(again.items.map(({ kind }) => kind)).toEqual(Array(4).fill("unchanged"));
  });

  it("has an answer where there is nothing to lint", async () => {
    empty();
    const client = await start();
    const asked = client.request("workspace/diagnostic", { previousResultIds: [] });
    expect(await asked).toEqual({ items: [] });
  });

  it("is taken back when its folder leaves the workspace", async () => {
    const capabilities = { ...plainCapabilities, workspace: { workspaceFolders: true } };
    const client = await start({ capabilities });
    const last = () => client.published.findLast((each) => each.uri === uri("a b.cu"))?.diagnostics.length;
    await client.request("workspace/executeCommand", { command: "warplint.server.lintWorkspace" });
    await client.until(() => last() === 1, "a finding");
    const removed = [{ uri: uriOf(folder), name: "" }];
    void client.connection.sendNotification("workspace/didChangeWorkspaceFolders", {
      event: { added: [], removed },
    });
    await client.until(() => last() === 0, "no finding");
  });

  it("is pushed to others, but for documents that they have open", async () => {
    const client = await start({ capabilities: plainCapabilities });
    client.open(join(folder, "a b.cu"), clean);
    expect(await client.diagnostics(uri("a b.cu"))).toEqual([]);
    await client.request("workspace/executeCommand", { command: "warplint.server.lintWorkspace" });
    await client.until(() => client.published.some((each) => each.uri === uri("below/c.cu")), "diagnostics");
    const found = client.published.filter(({ diagnostics }) => diagnostics.length > 0);
    expect(found.map((each) => each.uri)).toEqual([uri("below/c.cu")]);
  });

  it("shows its own progress where a command started it, and ends when the user says so there", async () => {
    for (let index = 0; index < 40; index++) write(`many/${index}.cu`, conflict);
    const client = await start();
    const linted = client.request("workspace/executeCommand", { command: "warplint.server.lintWorkspace" });
    await client.until(() => kinds(client).includes("report"), "progress");
    expect(client.asked).toContain("window/workDoneProgress/create");
    const [{ token } = { token: "" }] = client.progress;
    void client.connection.sendNotification("window/workDoneProgress/cancel", { token });
    await expect(linted).rejects.toMatchObject({ code: -32800 });
  });

  it("can be cancelled, and leaves room for open documents", async () => {
    for (let index = 0; index < 40; index++) write(`many/${index}.cu`, conflict);
    const client = await start();
    client.open(join(folder, "clean.cu"), conflict);
    const source = new CancellationTokenSource();
    const linted = client.connection.sendRequest(
      "warplint/lintWorkspace",
      { workDoneToken: "w" },
      source.token,
    );
    await client.until(() => kinds(client).includes("report"), "progress");
    expect(await client.diagnostics(uri("clean.cu"))).toHaveLength(1);
    expect(kinds(client)).not.toContain("end");
    source.cancel();
    await expect(linted).rejects.toMatchObject({ code: -32800 });
    await client.until(() => kinds(client).at(-1) === "end", "the end of the progress");
  });
});

describe("an edit in a header that 50 sources include", () => {
  const user = (index: number) =>
    `#include "rows.cuh"\n${conflict
      .replace("tile[N][N]", "tile[N][ROW]")
      .replaceAll("transpose", `transpose${index}`)}`;
  const names = Array.from({ length: 50 }, (_, index) => `users/${index}.cu`);
  const header = "#define ROW 32\n";
  const edited = "#define ROW 33\n";
  const headerUri = uri("users/rows.cuh");
  beforeEach(() => {
    write("users/rows.cuh", header);
    for (const [index, name] of names.entries()) write(name, user(index));
  });

  it("answers for the open file first, while the workspace is linted", async () => {
    const client = await start();
    client.open(join(folder, "users/rows.cuh"), header);
    client.open(join(folder, "users/49.cu"), user(49));
    expect(await client.diagnostics(uri("users/49.cu"))).toHaveLength(1);
    const source = new CancellationTokenSource();
    const linted = client.connection.sendRequest(
      "warplint/lintWorkspace",
      { workDoneToken: "w" },
      source.token,
    );
    await client.until(() => kinds(client).includes("report"), "progress");
    client.replace(headerUri, edited);
    const before = client.progress.length;
    expect(await client.diagnostics(uri("users/49.cu"))).toEqual([]);
    // Of the other 49 hardly one has been done meanwhile.
    expect(client.progress.length - before).toBeLessThan(10);
    expect(kinds(client)).not.toContain("end");
    source.cancel();
    await expect(linted).rejects.toMatchObject({ code: -32800 });
  });

  it("answers for the file that is edited first, where all of them are open", async () => {
    const client = await start({ capabilities: plainCapabilities });
    for (const [index, name] of names.entries()) client.open(join(folder, name), user(index));
    client.open(join(folder, "users/rows.cuh"), header);
    const found = (name: string) =>
      client.published.findLast((each) => each.uri === uri(name))?.diagnostics.length;
    await client.until(
      () => names.every((name) => found(name) === 1) && found("users/rows.cuh") === 0,
      "the diagnostics of all",
    );
    const before = client.published.length;
    client.replace(headerUri, edited);
    await client.until(() => names.every((name) => found(name) === 0), "the diagnostics of all");
    expect(client.published[before]).toMatchObject({ uri: headerUri, version: 2 });
  });
});
