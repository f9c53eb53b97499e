// The server's processes in Node: this bundle once more. A thread would not do: memory is collected and code compiled in threads that a process has
// in common, so that a thread could not step back with all of its work.
import { fork } from "node:child_process";
import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { nodeHost } from "../host/node.ts";
import { readWasm } from "../host/wasm.ts";
import { fixTools } from "../lint/fix-tools.ts";
import { createPipeline } from "../lint/stages.ts";
import { type HelperArgument, lintArgument, searchArgument } from "./helper-arguments.ts";
import type { LintProcess } from "./lint-process/linter.ts";
import type { FromLinter, ToLinter } from "./lint-process/messages.ts";
import { serveLint } from "./lint-process/serve.ts";
import { nodeClock } from "./node-clock.ts";
import type { Helper, Port } from "./port.ts";
import type { FromThread, ToThread } from "./second-phase/messages.ts";
import { serveSearches } from "./second-phase/serve.ts";
import type { SearchThread } from "./second-phase/thread.ts";

/** Of the heap of a process that lints: V8 lets garbage lie as long as there is room. */
const lintMegabytes = 1200;

export function startSearchProcess(bundleDirectory: string): SearchThread {
  return startProcess(bundleDirectory, searchArgument, []);
}

export function startLintProcess(bundleDirectory: string): LintProcess {
  return startProcess(bundleDirectory, lintArgument, [`--max-old-space-size=${lintMegabytes}`]);
}

function startProcess<In, Out extends object>(
  bundleDirectory: string,
  argument: HelperArgument,
  execArgv: string[],
): Helper<In, Out> {
  const child = fork(join(bundleDirectory, "cli.cjs"), [argument], {
    // Messages hold maps.
    serialization: "advanced",
    execArgv,
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

/** What a process that was started with such an argument does, until its server ends. */
export function serveAsProcess(argument: HelperArgument, bundleDirectory: string): void {
  // Of a lint somebody watches the progress.
  if (argument === searchArgument) stepBack();
  process.on("disconnect", () => process.exit());
  const environment = {
    clock: nodeClock,
    createPipeline: () => createPipeline(readWasm(bundleDirectory)),
  };
  if (argument === searchArgument)
    serveSearches({ ...environment, port: portOfParent<ToThread, FromThread>(), tools: fixTools });
  else serveLint({ ...environment, port: portOfParent<ToLinter, FromLinter>(), host: nodeHost("/") });
}

function portOfParent<In, Out>(): Port<In, Out> {
  return {
    post: (message) => void process.send?.(message),
    onMessage: (listener) => process.on("message", listener),
  };
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
