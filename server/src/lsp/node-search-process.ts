// The search for fixes in Node: this bundle once more, as a process of its own. Its memory is collected and its code compiled in threads that
// a process has in common, so that a thread could not step back with all of its work.
import { fork } from "node:child_process";
import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { readWasm } from "../host/wasm.ts";
import { fixTools } from "../lint/fix-tools.ts";
import { createPipeline } from "../lint/stages.ts";
import { nodeClock } from "./node-clock.ts";
import { type FromThread, searchArgument, type ToThread } from "./second-phase/messages.ts";
import { serveSearches } from "./second-phase/serve.ts";
import type { SearchThread } from "./second-phase/thread.ts";

export function startSearchProcess(bundleDirectory: string): SearchThread {
  const child = fork(join(bundleDirectory, "cli.cjs"), [searchArgument], {
    // Snapshots hold maps.
    serialization: "advanced",
    execArgv: [],
    // The server's own output is the protocol's.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return {
    // Where it has ended, `onFailure` tells.
    post: (message) => void child.send(message, () => {}),
    onMessage: (listener) => child.on("message", listener),
    onFailure: (listener) => {
      child.once("error", listener);
      child.once("exit", (code, signal) => listener(new Error(`it has ended (${signal ?? code})`)));
    },
    end: () => {
      child.removeAllListeners();
      // What is said of it from here on is of no use.
      child.on("error", () => {});
      child.kill();
    },
  };
}

/** What such a process does, until its server ends. */
export function serveAsProcess(bundleDirectory: string): void {
  stepBack();
  process.on("disconnect", () => process.exit());
  serveSearches({
    port: {
      post: (message: FromThread) => void process.send?.(message),
      onMessage: (listener: (message: ToThread) => void) => process.on("message", listener),
    },
    clock: nodeClock,
    tools: fixTools,
    createPipeline: () => createPipeline(readWasm(bundleDirectory)),
  });
}

/** The search takes what the server and the editor leave it. On Linux a priority is a thread's own, and is what new threads begin with. */
function stepBack(): void {
  const threads = process.platform === "linux" ? readdirSync("/proc/self/task").map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      setPriority(thread, constants.priority.PRIORITY_LOW);
    } catch {
      // It has ended by itself, or may not be asked to.
    }
  }
}
