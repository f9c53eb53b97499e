// Threads of Node: this bundle once more, which finds by itself that it is not the main thread.
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { parentPort, Worker } from "node:worker_threads";
import { readWasm } from "../host/wasm.ts";
import { fixTools } from "../lint/fix-tools.ts";
import { createPipeline } from "../lint/stages.ts";
import { nodeClock } from "./node-clock.ts";
import type { FromThread, ToThread } from "./second-phase/messages.ts";
import { serveSearches } from "./second-phase/serve.ts";
import type { SearchThread } from "./second-phase/thread.ts";

export function startSearchThread(bundleDirectory: string): SearchThread {
  const worker = new Worker(join(bundleDirectory, "cli.cjs"));
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.on("message", listener),
    onFailure: (listener) => worker.on("error", listener),
    end: () => void worker.terminate(),
  };
}

/** What such a thread does. */
export function serveAsThread(bundleDirectory: string): void {
  const port = parentPort;
  if (port === null) throw new Error("this is the main thread");
  stepBack();
  serveSearches({
    port: {
      post: (message: FromThread) => port.postMessage(message),
      onMessage: (listener: (message: ToThread) => void) => port.on("message", listener),
    },
    clock: nodeClock,
    tools: fixTools,
    createPipeline: () => createPipeline(readWasm(bundleDirectory)),
  });
}

/** The search takes what the server and the editor leave it. On Linux a priority is a thread's own; elsewhere it would be the whole server's. */
function stepBack(): void {
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);
}
