// The language server in a worker of a browser. The first message brings what a worker cannot read by itself; then the protocol begins.
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from "vscode-languageserver/browser";
import { memoryHost } from "../host/memory.ts";
import { createPipeline } from "../lint/stages.ts";
import type { WorkerStart } from "./protocol.ts";
import { startServer } from "./server.ts";

/** A worker's own side: as much of it as is needed here. */
export interface WorkerScope {
  onmessage: ((event: { readonly data: WorkerStart }) => void) | null;
}

/** Waits for the start in `scope`, and serves the client at its other end until the worker is ended. */
export function serveWorker(scope: WorkerScope): void {
  // The connection takes `onmessage` for itself, before the next message comes.
  scope.onmessage = ({ data }) => serve(scope, data);
}

function serve(scope: WorkerScope, { runtime, grammar, version }: WorkerStart): void {
  const port = scope as unknown as ConstructorParameters<typeof BrowserMessageReader>[0];
  startServer({
    connection: createConnection(new BrowserMessageReader(port), new BrowserMessageWriter(port)),
    // There is no file here but those of the client.
    host: memoryHost({}),
    version,
    rulePages: null,
    clock: { now: () => performance.now(), pause: pauses() },
    createPipeline: () => createPipeline({ runtime, grammar }),
  });
}

/** Resolves behind the messages that have arrived: a timer would wait for some milliseconds more each time. */
function pauses(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  let waiting: (() => void)[] = [];
  port1.addEventListener("message", () => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  });
  port1.start();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}
