// Loads the bundles with the code that V8 made of them in an earlier run, and keeps what it makes of them in this one.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import v8 from "node:v8";
import { Script } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { keepBuildFile, keptBuildFile } from "../host/build-files.ts";
import { searchArgument } from "../lsp/second-phase/messages.ts";

const directory = import.meta.dirname;
const command = process.argv[2] ?? "";
const isServer = command === "lsp" || command === searchArgument;
const require = createRequire(join(directory, "cli.cjs"));

/** Starts the command line, or what else this process is to be. */
export function loadBundles(): void {
  // The optimising tier of WASM compiles for 700 ms and holds up the exit; a command line run is over before it pays. A server is not.
  if (!isServer) v8.setFlagsFromString("--liftoff-only");
  // Young memory grows at once: what is loaded stays, and would be copied at each collection.
  v8.setFlagsFromString("--semi-space-growth-factor=8");
  // V8 optimises a function after so many bytes of its code have run. The code is flat, and most runs end before what is optimised early pays:
  // with a budget seven times the usual a run over pages of source takes half the time.
  if (!isServer) v8.setFlagsFromString("--interrupt-budget=1000000");
  let core: unknown = null;
  load("command.cjs", (id) => {
    if (id !== "./server.js") return require(id);
    core ??= load("server.js", require);
    return core;
  });
}

/** Runs a bundle as a module of Node's. */
function load(name: string, requireFrom: (id: string) => unknown): unknown {
  const filename = join(directory, name);
  const bytes = readFileSync(filename);
  // The build writes ASCII alone, which needs no decoding.
  const source = `(function (exports, require, module, __filename, __dirname) { ${bytes.toString("latin1")}\n})`;
  const kept = keptCode(name);
  const script = new Script(source, { filename, ...(kept === null ? {} : { cachedData: kept.code }) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, requireFrom, module, filename, directory);
  const isKnown = kept !== null && script.cachedDataRejected === false;
  if (!isMainThread) return module.exports;
  process.once("exit", () => {
    const work = milliseconds();
    // A longer run has compiled more.
    if (!isKnown || work > 4 * kept.work) keepCode(name, script.createCachedData(), work);
  });
  return module.exports;
}

interface KeptCode {
  readonly code: Buffer;
  /** What the process that made it had worked, in milliseconds. */
  readonly work: number;
}

/** Other flags make other code. */
function fileOf(name: string): string {
  return `${name}-${isServer ? "server" : "command"}-${process.version}-${process.arch}`;
}

function keptCode(name: string): KeptCode | null {
  const bytes = keptBuildFile(fileOf(name));
  if (bytes === null || bytes.length < 8) return null;
  return { code: bytes.subarray(8), work: bytes.readDoubleLE(0) };
}

function keepCode(name: string, code: Buffer, work: number): void {
  const head = Buffer.alloc(8);
  head.writeDoubleLE(work);
  keepBuildFile(fileOf(name), Buffer.concat([head, code]));
}

function milliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
