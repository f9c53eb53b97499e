// The command line in this process: what it writes is kept, and the parser is shared.
import { writeFileSync } from "node:fs";
import { runCommandLine } from "../../server/src/cli/program.ts";
import { noBar } from "../../server/src/cli/progress.ts";
import type { Terminal } from "../../server/src/cli/terminal.ts";
import { nodeHost } from "../../server/src/host/node.ts";
import { plainPaint } from "../../server/src/render/report.ts";
import { testPipeline } from "./pipeline.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs `warplint ARGS` in `folder`, with `input` on standard input. */
export async function runIn(folder: string, args: readonly string[], input = ""): Promise<Ran> {
  let out = "";
  let errors = "";
  const terminal: Terminal = {
    host: nodeHost(folder),
    version: "0.0.0",
    paint: plainPaint,
    bundleDirectory: folder,
    cores: 1,
    createPipeline: () => testPipeline(),
    serve: async () => {},
    serveTools: async () => {},
    writeFile: (path, bytes) => {
      writeFileSync(path, bytes);
      return null;
    },
    worked: () => 0,
    progress: () => noBar,
    interrupts: () => new AbortController().signal,
    readInput: async () => input,
    watch: () => ({ changed: async () => {}, close: () => {} }),
    runName: null,
    said: () => null,
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      errors += text;
    },
  };
  const code = await runCommandLine(args, terminal);
  return { code, out, errors };
}
