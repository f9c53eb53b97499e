// Command line and server say the same of every fixture: ranges, severities, messages, over the wire.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Diagnostic } from "vscode-languageserver/node";
import { check } from "../../server/src/cli/commands.ts";
import { noBar } from "../../server/src/cli/progress.ts";
import type { Terminal } from "../../server/src/cli/terminal.ts";
import { nodeHost } from "../../server/src/host/node.ts";
import { readWasm } from "../../server/src/host/wasm.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createPipeline } from "../../server/src/lint/stages.ts";
import { plainPaint } from "../../server/src/render/report.ts";
import { builtCli } from "../support/built.ts";
import { type Client, root, startClient, uriOf } from "./client.ts";

interface Said {
  readonly rule: string;
  readonly severity: string;
  readonly range: string;
  readonly message: string;
}

const severities = ["", "error", "warning", "information"];
const folders = ["fixtures/seeds", "fixtures/programs"];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => /\.cuh?$/.test(name))
    .map((name) => `${folder}/${name}`),
);

let client: Client;
beforeAll(async () => {
  client = await startClient({ cli: builtCli(), folders: [root] });
});
afterAll(async () => {
  expect(client.log).toEqual([]);
  await client.stop();
});

const saidByServer = ({ code, severity, range: { start, end }, message }: Diagnostic): Said => ({
  rule: String(code),
  severity: severities[severity ?? 0] ?? "",
  range: `${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1}`,
  message: String(message),
});

interface CliDiagnostic extends Omit<Said, "range"> {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

let pipeline: Promise<Pipeline> | null = null;

/** What the command line says of `file` alone, as an editor that has it open. It runs in this process, with a parser that is warm. */
async function saidByCommandLine(file: string): Promise<Said[]> {
  const written: string[] = [];
  const terminal: Terminal = {
    host: nodeHost(root.replace(/\/$/, "")),
    version: "test",
    paint: plainPaint,
    createPipeline: () => {
      pipeline ??= createPipeline(readWasm(join(root, "server/src/host")));
      return pipeline;
    },
    serve: () => Promise.reject(new Error("not asked for")),
    serveTools: () => Promise.reject(new Error("not asked for")),
    writeFile: () => "not asked for",
    bundleDirectory: "",
    cores: 1,
    progress: () => noBar,
    interrupts: () => new AbortController().signal,
    worked: () => 0,
    write: (text) => written.push(text),
    readInput: async () => "",
    watch: () => ({ changed: async () => {}, close: () => {} }),
    runName: null,
    said: () => null,
    writeError: () => {},
  };
  await check([file], { format: "json", fixes: false, cache: false, define: {}, includePath: [] }, terminal);
  const report = JSON.parse(written.join("")) as { files: { path: string; diagnostics: CliDiagnostic[] }[] };
  return (report.files.find(({ path }) => path === file)?.diagnostics ?? []).map(
    ({ rule, severity, line, column, endLine, endColumn, message }) => ({
      rule,
      severity,
      range: `${line}:${column}-${endLine}:${endColumn}`,
      message,
    }),
  );
}

describe("every fixture", () => {
  it("is there", () => {
    expect(files.length).toBeGreaterThan(100);
  });

  it.each(files)("%s", { timeout: 60_000 }, async (file) => {
    const uri = uriOf(join(root, file));
    client.open(join(root, file), readFileSync(join(root, file), "utf8"));
    const [byServer, byCommandLine] = await Promise.all([client.diagnostics(uri), saidByCommandLine(file)]);
    client.close(uri);
    expect(byServer.map(saidByServer)).toEqual(byCommandLine);
  });
});
