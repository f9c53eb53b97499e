// While somebody waits for a menu or a hover, the search for fixes stands still, so that the editor has the processors to show it.
import { PassThrough } from "node:stream";
import { expect, it, vi } from "vitest";
import {
  createConnection,
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { memoryHost } from "../../server/src/host/memory.ts";
import { fixTools } from "../../server/src/lint/fix-tools.ts";
import { nodeClock } from "../../server/src/lsp/node-clock.ts";
import type { FromThread, ToThread } from "../../server/src/lsp/second-phase/messages.ts";
import { serveSearches } from "../../server/src/lsp/second-phase/serve.ts";
import { startServer } from "../../server/src/lsp/server.ts";
import { testPipeline } from "../support/pipeline.ts";
import { pullCapabilities } from "./client.ts";
import { conflict } from "./texts.ts";

const uri = "file:///w/a.cu";
const textDocument = { uri };
const position = { line: 5, character: 45 };

/** A server in this process that has begun to search in `conflict`, by a thread whose part the test plays. */
async function searchingServer() {
  const said: ToThread[] = [];
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  startServer({
    readReport: null,
    connection: createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient)),
    host: memoryHost({}),
    version: "0",
    rulePages: null,
    clock: nodeClock,
    whenQuiet: () => {},
    createPipeline: testPipeline,
    startLintProcess: null,
    startSearchThread: () => ({
      post: (message) => said.push(message),
      onMessage: () => {},
      onFailure: () => {},
      end: () => {},
    }),
  });
  const client = createMessageConnection(
    new StreamMessageReader(toClient),
    new StreamMessageWriter(toServer),
  );
  client.onRequest(() => null);
  client.listen();
  await client.sendRequest("initialize", { processId: null, rootUri: null, capabilities: pullCapabilities });
  await client.sendNotification("initialized", {});
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "cuda-cpp", version: 1, text: conflict },
  });
  await client.sendRequest("textDocument/diagnostic", { textDocument });
  await vi.waitUntil(() => said.length > 0, { timeout: 50_000 });
  return { client, said };
}

it("menus and hovers have the thread make way; what is asked for by itself does not", async () => {
  const { client, said } = await searchingServer();
  const kinds = () => said.map(({ kind }) => kind);
  await client.sendRequest("textDocument/codeLens", { textDocument });
  expect(kinds()).toEqual(["search"]);
  await client.sendRequest("textDocument/hover", { textDocument, position });
  expect(kinds()).toEqual(["search", "make-way"]);
  const range = { start: position, end: position };
  await client.sendRequest("textDocument/codeAction", { textDocument, range, context: { diagnostics: [] } });
  expect(kinds()).toEqual(["search", "make-way", "make-way"]);
  client.dispose();
});

it("a thread that makes way goes on by and by, and finds what it was asked for", async () => {
  const { client, said } = await searchingServer();
  client.dispose();
  const [search] = said;
  if (search === undefined) throw new Error("nothing is searched for");
  let milliseconds = 0;
  let pauses = 0;
  const answers: FromThread[] = [];
  let tell: (message: ToThread) => void = () => {};
  serveSearches({
    port: {
      post: (message) => answers.push(message),
      onMessage: (listener) => {
        tell = listener;
      },
    },
    clock: {
      now: () => milliseconds,
      worked: () => 0,
      pause: () => {
        pauses++;
        return nodeClock.pause();
      },
    },
    tools: fixTools,
    createPipeline: testPipeline,
  });
  tell({ kind: "make-way" });
  tell(search);
  // By its clock the moment does not pass, however long it waits.
  await vi.waitUntil(() => pauses > 20, { timeout: 50_000 });
  expect(answers).toEqual([]);
  milliseconds = 1000;
  await vi.waitUntil(() => answers.length === 2, { timeout: 50_000 });
  expect(answers.map(({ kind }) => kind)).toEqual(["found", "ended"]);
});
