// The workspace is linted in a process of its own, and in the server where there can be none.
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import {
  createConnection,
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { LintProcess } from "../../server/src/lsp/lint-process/linter.ts";
import type { FromLinter, ToLinter } from "../../server/src/lsp/lint-process/messages.ts";
import { serveLint } from "../../server/src/lsp/lint-process/serve.ts";
import { nodeClock } from "../../server/src/lsp/node-clock.ts";
import type { LintWorkspaceResult } from "../../server/src/lsp/protocol.ts";
import { startServer } from "../../server/src/lsp/server.ts";
import { testPipeline } from "../support/pipeline.ts";
import { plainCapabilities } from "./client.ts";
import { clean, conflict } from "./texts.ts";

const host = memoryHost({ "/w/a.cu": conflict, "/w/b.cu": clean });

/** A client of a server with such a process. */
async function connected(startLintProcess: () => LintProcess) {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  startServer({
    readReport: null,
    connection: createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient)),
    host,
    version: "0",
    rulePages: null,
    clock: nodeClock,
    whenQuiet: () => {},
    createPipeline: testPipeline,
    startSearchThread: () => ({ post: () => {}, onMessage: () => {}, onFailure: () => {}, end: () => {} }),
    startLintProcess,
  });
  const client = createMessageConnection(
    new StreamMessageReader(toClient),
    new StreamMessageWriter(toServer),
  );
  const log: string[] = [];
  client.onRequest(() => null);
  client.onNotification("window/logMessage", ({ message }) => {
    log.push(message);
  });
  client.listen();
  await client.sendRequest("initialize", {
    processId: null,
    rootUri: "file:///w",
    capabilities: plainCapabilities,
  });
  await client.sendNotification("initialized", {});
  return { client, log };
}

/** What it is told where it has the workspace linted, with a conflict more in an open document. */
async function linted(startLintProcess: () => LintProcess) {
  const { client, log } = await connected(startLintProcess);
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri: "file:///w/b.cu", languageId: "cuda-cpp", version: 1, text: conflict },
  });
  const result = await client.sendRequest<LintWorkspaceResult>("warplint/lintWorkspace", {});
  client.dispose();
  return { result, log };
}

/** A process whose part is played here; messages pass as they would between processes. */
function playedProcess(sent: ToLinter[]): LintProcess & { hasEnded(): boolean } {
  let toServer: (message: FromLinter) => void = () => {};
  let toProcess: (message: ToLinter) => void = () => {};
  let hasEnded = false;
  serveLint({
    port: {
      post: (message) => toServer(structuredClone(message)),
      onMessage: (listener) => {
        toProcess = listener;
      },
    },
    host,
    clock: nodeClock,
    createPipeline: testPipeline,
  });
  return {
    post: (message) => {
      sent.push(message);
      toProcess(structuredClone(message));
    },
    onMessage: (listener) => {
      toServer = listener;
    },
    onFailure: () => {},
    end: () => {
      hasEnded = true;
    },
    hasEnded: () => hasEnded,
  };
}

it("a process finds what stands in files and in open documents, and is ended then", async () => {
  const sent: ToLinter[] = [];
  const played = playedProcess(sent);
  const { result, log } = await linted(() => played);
  expect(log).toEqual([]);
  expect(result).toMatchObject({ files: 2, findings: 2 });
  expect(sent.map(({ kind }) => kind)).toEqual(["lint"]);
  expect(played.hasEnded()).toBe(true);
});

it.each<[string, () => LintProcess]>([
  [
    "cannot be started",
    () => {
      throw new Error("no process");
    },
  ],
  [
    "ends before it is done",
    () => ({
      post: () => {},
      onMessage: () => {},
      onFailure: (listener) => void setTimeout(() => listener(new Error("no process"))),
      end: () => {},
    }),
  ],
])("the server lints by itself where a process %s, and notes it", async (_, start) => {
  const { result, log } = await linted(start);
  expect(result).toMatchObject({ files: 2, findings: 2 });
  expect(log).toEqual([
    expect.stringMatching(/^the process that lints the workspace failed: Error: no process/),
  ]);
});

it("what a process says of a file that has changed meanwhile is not shown", async () => {
  let say: (message: FromLinter) => void = () => {};
  let onAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  const { client } = await connected(() => ({
    post: () => onAsked(),
    onMessage: (listener) => {
      say = listener;
    },
    onFailure: () => {},
    end: () => {},
  }));
  const shown: string[] = [];
  client.onNotification("textDocument/publishDiagnostics", ({ uri }: { readonly uri: string }) => {
    shown.push(uri);
  });
  const result = client.sendRequest("warplint/lintWorkspace", {});
  await asked;
  const [a, b] = ["/w/a.cu", "/w/b.cu"] as const;
  const known = (path: string): FromLinter => ({
    kind: "file",
    path,
    result: { diagnostics: [], kernels: [], counts: { path, severities: [], kernels: [], accesses: [] } },
  });
  say({ kind: "files", files: [a, b] });
  await client.sendNotification("workspace/didChangeWatchedFiles", {
    changes: [{ uri: "file:///w/a.cu", type: 2 }],
  });
  await client.sendRequest("textDocument/codeLens", { textDocument: { uri: "file:///w/a.cu" } });
  for (const path of [a, b]) say(known(path));
  say({ kind: "ended", linted: { counts: [], failures: [] } });
  await result;
  expect(shown).toEqual(["file:///w/b.cu"]);
  client.dispose();
});
