// The process: how it starts, what it says of itself, how it ends.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { builtCli } from "../support/built.ts";
import { plainCapabilities, pullCapabilities, startClient, uriOf } from "./client.ts";
import { conflict } from "./texts.ts";

const cli = builtCli();

const exitOf = (child: ReturnType<typeof spawn>) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode);
    else child.on("exit", resolve);
  });

describe("the process", () => {
  it("exits with 0 after shutdown and exit", async () => {
    const client = await startClient({ cli });
    expect(await client.stop()).toBe(0);
    expect(client.log).toEqual([]);
  });

  it("exits with 1 where nobody has said shutdown", async () => {
    const client = await startClient({ cli });
    void client.connection.sendNotification("exit");
    expect(await exitOf(client.process)).toBe(1);
  });

  it("exits when its input ends", async () => {
    const client = await startClient({ cli });
    client.process.stdin?.end();
    expect(await exitOf(client.process)).toBe(1);
  });

  it("exits when the editor that started it is gone", async () => {
    const editor = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
    const child = spawn(process.execPath, [cli, "lsp", "--stdio"]);
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.listen();
    await connection.sendRequest("initialize", {
      processId: editor.pid ?? null,
      rootUri: null,
      capabilities: {},
      workspaceFolders: null,
    });
    editor.kill();
    expect(await exitOf(child)).toBe(1);
  });

  it("says on the command line what it lacks", () => {
    const { status, stderr } = spawnSync(process.execPath, [cli, "lsp"], { encoding: "utf8" });
    expect(status).toBe(2);
    expect(stderr).toContain("--stdio");
  });
});

describe("what the server offers", () => {
  it("is pulled diagnostics where the client can be told to pull again", async () => {
    const { initialized, stop } = await startClient({ cli, capabilities: pullCapabilities });
    expect(initialized.capabilities).toMatchObject({
      positionEncoding: "utf-16",
      textDocumentSync: { openClose: true, change: 2 },
      hoverProvider: true,
      codeLensProvider: {},
      codeActionProvider: { codeActionKinds: ["quickfix", "source.fixAll.warplint"] },
      diagnosticProvider: { identifier: "warplint", interFileDependencies: true },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    });
    expect(initialized.serverInfo?.name).toBe("warplint");
    await stop();
  });

  it.each([
    ["no pull at all", plainCapabilities],
    [
      "pull without refresh",
      {
        ...pullCapabilities,
        workspace: { ...pullCapabilities.workspace, diagnostics: { refreshSupport: false } },
      },
    ],
  ])("is pushed diagnostics with %s", async (_, capabilities) => {
    const { initialized, stop } = await startClient({ cli, capabilities });
    expect(initialized.capabilities.diagnosticProvider).toBeUndefined();
    await stop();
  });

  it("has no actions for a client that knows no literals", async () => {
    const { initialized, stop } = await startClient({ cli, capabilities: plainCapabilities });
    expect(initialized.capabilities.codeActionProvider).toBeUndefined();
    await stop();
  });

  it("answers what it does not know with an error, and goes on", async () => {
    const client = await startClient({ cli });
    await expect(client.request("textDocument/nothing", {})).rejects.toMatchObject({ code: -32601 });
    expect(
      await client.request("textDocument/hover", {
        textDocument: { uri: "file:///none.cu" },
        position: { line: 0, character: 0 },
      }),
    ).toBeNull();
    expect(client.log).toEqual([]);
    await client.stop();
  });
});

describe("a client that breaks the protocol", () => {
  it("is told so, and the server goes on", async () => {
    const client = await startClient({ cli });
    const place = { line: 0, character: 0 };
    for (const [method, params] of [
      ["textDocument/hover", { position: place }],
      [
        "textDocument/hover",
        { textDocument: { uri: "file:///a.cu" }, position: { line: "x", character: 0 } },
      ],
      ["textDocument/codeAction", { textDocument: { uri: 1 }, range: { start: place, end: place } }],
      ["textDocument/codeLens", null],
      ["warplint/status", {}],
      ["warplint/lintWorkspace", []],
      ["warplint/effectiveConfiguration", [null]],
      ["workspace/executeCommand", { command: "warplint.server.effectiveConfiguration", arguments: [null] }],
    ] as const)
      await expect(client.request(method, params)).rejects.toMatchObject({ code: -32602 });
    await expect(client.request("initialize", { capabilities: {} })).rejects.toMatchObject({ code: -32600 });
    void client.connection.sendNotification("initialized", {});
    expect(await client.request("textDocument/codeLens", { textDocument: { uri: "file:///a.cu" } })).toEqual(
      [],
    );
    expect(client.log).toEqual([]);
    expect(await client.stop()).toBe(0);
  });

  it("may refuse what it is asked: that is noted, and nothing fails", async () => {
    const client = await startClient({ cli, refuses: () => true });
    client.openUri("file:///a.cu", conflict);
    expect(await client.diagnostics("file:///a.cu")).toHaveLength(1);
    await client.request("workspace/executeCommand", {
      command: "warplint.server.lintWorkspace",
      arguments: [],
    });
    // The library notes one by itself.
    const isNoted = /^(The client refused .*: no|Bulk registration failed\.)$/;
    expect(client.log.filter((line) => !isNoted.test(line))).toEqual([]);
    for (const what of ["its settings", "to tell of changed files and settings", "to show progress"])
      expect(client.log).toContain(`The client refused ${what}: no`);
    expect(await client.stop()).toBe(0);
  });

  it("closes a configuration that cannot be read without saving it: it counts no more", async () => {
    const folder = mkdtempSync(join(tmpdir(), "warplint-closed-"));
    const client = await startClient({ cli, folders: [folder] });
    const [source, configuration] = ["a.cu", "warplint.json"].map((name) => uriOf(join(folder, name)));
    client.openUri(configuration ?? "", "{", "json");
    client.openUri(source ?? "", conflict);
    expect(await client.diagnostics(source ?? "")).toHaveLength(0);
    client.close(configuration ?? "");
    expect(await client.diagnostics(source ?? "")).toHaveLength(1);
    await client.stop();
    rmSync(folder, { recursive: true });
  });
});
