// `warplint mcp` as agents start it: the built command line, over standard input and output.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "warplint-mcp-stdio-")));
afterAll(() => rmSync(folder, { recursive: true }));

it("serves all tools, reads the current directory, and ends with its client", async () => {
  writeFileSync(join(folder, "a.cu"), "__global__ void k(float *p) { p[threadIdx.x * 2] = 0; }\n");
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtCli(), "mcp"],
    cwd: folder,
  });
  const client = new Client({ name: "test", version: "0" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "analyze",
    "explain",
    "fixes",
    "apply_fix",
    "compare",
    "explain_unknown",
  ]);
  for (const { inputSchema } of tools) expect(Object.keys(inputSchema.properties ?? {})).toContain("launch");
  const result = await client.callTool({
    name: "analyze",
    arguments: { file: "a.cu", launch: { block: 32, grid: 1 } },
  });
  expect(result.content).toMatchObject([{ type: "text" }]);
  expect(JSON.stringify(result.content)).toContain("global: 8 sectors, 4 ideal");
  const { pid } = transport;
  await client.close();
  expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
}, 60_000);
