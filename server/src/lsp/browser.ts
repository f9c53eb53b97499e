// The language server in a worker of a browser, and its thread in a worker of that one. The first message brings what a worker cannot read by itself; then the protocol begins.
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from "vscode-languageserver/browser";
import { memoryHost } from "../host/memory.ts";
import { withRepeats } from "../host/repeats.ts";
import { fixTools } from "../lint/fix-tools.ts";
import type { Pipeline } from "../lint/pipeline.ts";
import { createPipeline } from "../lint/stages.ts";
import type { WorkerStart } from "./protocol.ts";
import type { Clock } from "./scheduler.ts";
import type { FromThread, ToThread } from "./second-phase/messages.ts";
import { serveSearches } from "./second-phase/serve.ts";
import type { SearchThread } from "./second-phase/thread.ts";
import { startServer } from "./server.ts";

/** A worker's own side: as much of it as is needed here. */
export interface WorkerScope {
  onmessage: ((event: { readonly data: WorkerStart }) => void) | null;
  readonly location: { readonly href: string };
  readonly Worker: new (url: string) => ChildWorker;
}

interface ChildWorker {
  onmessage: ((event: { readonly data: FromThread }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  postMessage(message: WorkerStart | ToThread): void;
  terminate(): void;
}

/** Waits for the start in `scope`, and does what it says until the worker is ended. */
export function serveWorker(scope: WorkerScope): void {
  // Who serves takes `onmessage` for itself, before the next message comes.
  scope.onmessage = ({ data }) => (data.role === "server" ? serve(scope, data) : search(scope, data));
}

const clock = (): Clock => ({
  now: () => performance.now(),
  // A browser tells the time of the wall alone: others on the machine may have had two thirds of it.
  worked: () => performance.now() / 3,
  pause: pauses(),
});

function serve(scope: WorkerScope, start: WorkerStart): void {
  const port = scope as unknown as ConstructorParameters<typeof BrowserMessageReader>[0];
  startServer({
    readReport: null,
    connection: createConnection(new BrowserMessageReader(port), new BrowserMessageWriter(port)),
    // There is no file here but those of the client.
    host: memoryHost({}),
    version: start.version,
    rulePages: null,
    clock: clock(),
    // A browser tells nobody how to collect memory.
    whenQuiet: () => {},
    createPipeline: () => pipelineOf(start),
    startSearchThread: () => startSearchThread(scope, start),
    startLintProcess: null,
  });
}

function pipelineOf({ runtime, grammar }: WorkerStart): Promise<Pipeline> {
  return createPipeline({ runtime, grammar: withRepeats(grammar) });
}

/** This script once more. */
function startSearchThread(scope: WorkerScope, start: WorkerStart): SearchThread {
  const worker = new scope.Worker(scope.location.href);
  worker.postMessage({ ...start, role: "search" });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      worker.onmessage = ({ data }) => listener(data);
    },
    onFailure: (listener) => {
      worker.onerror = listener;
    },
    end: () => worker.terminate(),
  };
}

function search(scope: WorkerScope, start: WorkerStart): void {
  const own = scope as unknown as {
    onmessage: (event: { readonly data: ToThread }) => void;
    postMessage(message: FromThread): void;
  };
  serveSearches({
    port: {
      post: (message) => own.postMessage(message),
      onMessage: (listener) => {
        own.onmessage = ({ data }) => listener(data);
      },
    },
    clock: clock(),
    tools: fixTools,
    createPipeline: () => pipelineOf(start),
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
