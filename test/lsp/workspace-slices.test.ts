// Lint of a workspace ends in what is published of each of its files: between any two of them the server listens.
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import {
  CancellationTokenSource,
  createConnection,
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { memoryHost } from "../../server/src/host/memory.ts";
import { nodeClock } from "../../server/src/lsp/node-clock.ts";
import { startServer } from "../../server/src/lsp/server.ts";
import { testPipeline } from "../support/pipeline.ts";
import { plainCapabilities } from "./client.ts";
import { clean } from "./texts.ts";

const fileCount = 60;

it("a lint that is cancelled when the first file is published publishes few more", async () => {
  const files = Object.fromEntries(
    Array.from({ length: fileCount }, (_, index) => [`/w/${index}.cu`, clean]),
  );
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  let milliseconds = 0;
  startServer({
    readReport: null,
    connection: createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient)),
    host: memoryHost(files),
    version: "0",
    rulePages: null,
    // By this clock every step takes longer than a slice.
    clock: {
      ...nodeClock,
      now: () => {
        milliseconds += 1000;
        return milliseconds;
      },
    },
    whenQuiet: () => {},
    createPipeline: testPipeline,
    startLintProcess: null,
    startSearchThread: () => ({ post: () => {}, onMessage: () => {}, onFailure: () => {}, end: () => {} }),
  });
  const client = createMessageConnection(
    new StreamMessageReader(toClient),
    new StreamMessageWriter(toServer),
  );
  const source = new CancellationTokenSource();
  const published: unknown[] = [];
  client.onRequest(() => null);
  client.onNotification("textDocument/publishDiagnostics", (params) => {
    published.push(params);
    source.cancel();
  });
  client.listen();
  await client.sendRequest("initialize", {
    processId: null,
    rootUri: "file:///w",
    capabilities: plainCapabilities,
  });
  await client.sendNotification("initialized", {});
  await expect(client.sendRequest("warplint/lintWorkspace", {}, source.token)).rejects.toMatchObject({
    code: -32800,
  });
  expect(published.length).toBeGreaterThan(0);
  expect(published.length).toBeLessThan(fileCount / 2);
  client.dispose();
});
