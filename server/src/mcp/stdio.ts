// The process of `warplint mcp`: standard input and output, files, clock.
import { fileURLToPath } from "node:url";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { workedMilliseconds } from "../host/cpu-time.ts";
import { nodeHost } from "../host/node.ts";
import { readWasm } from "../host/wasm.ts";
import { createPipeline } from "../lint/stages.ts";
import { createMcpServer } from "./server.ts";

/** Serves the client at standard input and output, until it closes them. */
export async function serveMcp(bundleDirectory: string, version: string): Promise<void> {
  const server = createMcpServer({
    host: nodeHost(process.cwd()),
    version,
    createPipeline: () => createPipeline(readWasm(bundleDirectory)),
    worked: workedMilliseconds,
    pathOf: (uri) => {
      try {
        return fileURLToPath(uri).replaceAll("\\", "/");
      } catch {
        return null;
      }
    },
  });
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.on("end", resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
}
