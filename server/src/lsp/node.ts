// The language server as a process: `warplint lsp --stdio`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createConnection } from "vscode-languageserver/node";
import { nodeHost } from "../host/node.ts";
import { readWasm } from "../host/wasm.ts";
import { createPipeline } from "../lint/stages.ts";
import { nodeClock } from "./node-clock.ts";
import { youngCollector } from "./node-memory.ts";
import { startLintProcess, startSearchProcess } from "./node-processes.ts";
import { startServer } from "./server.ts";

/** Serves the client at the streams that the process's arguments name, until it ends. */
export function serve(bundleDirectory: string, version: string): void {
  const connection = createConnection();
  // A bug in what nobody waits for must not take the editor's server down.
  const report = (error: unknown) =>
    connection.console.error(`internal error: ${error instanceof Error ? error.stack : String(error)}`);
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
  const pages = join(bundleDirectory, "rules");
  startServer({
    connection,
    host: nodeHost("/"),
    version,
    rulePages: existsSync(pages) ? `${pathToFileURL(pages)}/` : null,
    readReport: async (bytes) => (await import("../measured/read.ts")).readReport(bytes),
    clock: nodeClock,
    whenQuiet: youngCollector(),
    createPipeline: () => createPipeline(readWasm(bundleDirectory)),
    startSearchThread: () => startSearchProcess(bundleDirectory),
    startLintProcess: () => startLintProcess(bundleDirectory),
  });
}
