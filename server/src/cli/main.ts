// The process: its arguments, its streams, its exit code.
import { availableParallelism } from "node:os";
import pc from "picocolors";
import writeFileAtomic from "write-file-atomic";
import { workedMilliseconds } from "../host/cpu-time.ts";
import { nodeHost } from "../host/node.ts";
import { readWasm } from "../host/wasm.ts";
import { createPipeline } from "../lint/stages.ts";
import { isHelperArgument } from "../lsp/helper-arguments.ts";
import { plainPaint } from "../render/report.ts";
import { visible, visibleWithColours } from "../render/visible.ts";
import { endWithout } from "./output-ended.ts";
import { colouredPaint } from "./paint.ts";
import type { PartTerminal } from "./part-linter.ts";
import { runCommandLine } from "./program.ts";
import { noBar, progressBar } from "./progress.ts";
import { nameOfRun } from "./said.ts";
import { version } from "./version.ts";
import { watchDirectories } from "./watch.ts";
import { servesParts } from "./workers.ts";

/** For who loads this bundle: whether a source was parsed. */
export const parsing = { hasBegun: false };

const shown = hasColours() ? visibleWithColours : visible;

// A server starts this bundle once more.
const [, , argument] = process.argv;
if (isHelperArgument(argument) && process.connected)
  void import("../lsp/node-processes.ts").then(({ serveAsProcess }) =>
    serveAsProcess(argument, import.meta.dirname),
  );
else if (!servesParts(partTerminal())) main();

/** Of what is said the most that is kept as a whole. */
const mostSaidCharacters = 16_000_000;

function main(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", endWithout);
  const args = process.argv.slice(2);
  const host = nodeHost(process.cwd());
  const said: string[] = [];
  let saidCharacters = 0;

  runCommandLine(args, {
    ...partTerminal(),
    version,
    bundleDirectory: import.meta.dirname,
    cores: availableParallelism(),
    // The protocol's library is loaded for those who speak it.
    serve: async () => {
      const { serve } = await import("../lsp/node.ts");
      serve(import.meta.dirname, version);
    },
    // Tools and their library are a bundle of their own.
    serveTools: async () => {
      const { serveMcp } = await import("../mcp/stdio.ts");
      await serveMcp(import.meta.dirname, version);
    },
    writeFile: (path, bytes) => {
      try {
        // Whole or not at all, with the mode that it had; of a link what it leads to.
        writeFileAtomic.sync(path, Buffer.from(bytes));
        return null;
      } catch (error) {
        return `cannot be written (${(error as NodeJS.ErrnoException).code ?? "error"})`;
      }
    },
    progress: () =>
      process.stderr.isTTY && !process.env.CI && process.env.TERM !== "dumb"
        ? progressBar(process.stderr)
        : noBar,
    interrupts: () => {
      const controller = new AbortController();
      // The second one ends the process.
      process.once("SIGINT", () => controller.abort());
      return controller.signal;
    },
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return new TextDecoder().decode(Buffer.concat(chunks));
    },
    watch: watchDirectories,
    runName: nameOfRun(args, host.currentDirectory),
    said: () => (saidCharacters > mostSaidCharacters ? null : said.join("")),
    write: (text) => {
      const visibleText = shown(text);
      saidCharacters += visibleText.length;
      if (saidCharacters <= mostSaidCharacters) said.push(visibleText);
      process.stdout.write(visibleText);
    },
    writeError: (text) => {
      saidCharacters = Infinity;
      process.stderr.write(shown(text));
    },
  }).then((exitCode) => {
    process.exitCode = exitCode;
  }, endWithout);
}

function partTerminal(): PartTerminal {
  return {
    host: nodeHost(process.cwd()),
    paint: hasColours() ? colouredPaint(pc) : plainPaint,
    createPipeline: () => {
      parsing.hasBegun = true;
      return createPipeline(readWasm(import.meta.dirname));
    },
    worked: workedMilliseconds,
  };
}

/** On a terminal, unless NO_COLOR is set; elsewhere (the log of a CI) where FORCE_COLOR asks for it. */
function hasColours(): boolean {
  return pc.isColorSupported && (process.stdout.isTTY === true || process.env.FORCE_COLOR !== undefined);
}
