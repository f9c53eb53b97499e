// Loads the bundles with the code that V8 made of them in an earlier run, and keeps what it makes of them in this one.
import { createRequire } from "node:module";
import { join } from "node:path";
import v8 from "node:v8";
import { Script } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { keepBuildFile, keptBuildFile, readInto } from "../host/build-files.ts";
import { workedMilliseconds } from "../host/cpu-time.ts";
import { isHelperArgument } from "../lsp/helper-arguments.ts";

const directory = import.meta.dirname;
const command = process.argv[2] ?? "";
const isServer = command === "lsp" || command === "mcp" || isHelperArgument(command);
const require = createRequire(join(directory, "cli.cjs"));

/** Starts the command line, or what else this process is to be. */
export function loadBundles(): void {
  // The optimising tier of WASM compiles for 700 ms and holds up the exit; a command line run is over before it pays. A server is not.
  if (!isServer) v8.setFlagsFromString("--liftoff-only");
  // Young memory grows at once, for collections of a small one copy what is in use: a run over pages of source takes at most a twentieth less.
  v8.setFlagsFromString("--semi-space-growth-factor=8");
  // What threads share out among them in a collection is hardly more than what it costs to share it out.
  if (!isServer) v8.setFlagsFromString("--no-parallel-scavenge");
  // V8 optimises a function after so many bytes of its code have run. The code is flat, and most runs end before what is optimised early pays:
  // with a budget seven times the usual a run over pages of source takes half the time.
  if (!isServer) v8.setFlagsFromString("--interrupt-budget=1000000");
  let core: unknown = null;
  const requireBundle = (id: string): unknown => {
    if (id === "./mcp.cjs" || id === "./measured.cjs") return load(id.slice(2), requireBundle);
    if (id !== "./server.js") return require(id);
    core ??= load("server.js", require);
    return core;
  };
  const { parsing } = load("command.cjs", requireBundle) as Pick<typeof import("./main.ts"), "parsing">;
  if (isMainThread) onceWarm(() => isServer || parsing.hasBegun);
}

/** Runs a bundle as a module of Node's. */
function load(name: string, requireFrom: (id: string) => unknown): unknown {
  const filename = join(directory, name);
  const bytes = readInto(filename, room);
  // The build writes ASCII alone, which needs no decoding.
  const source = `(function (exports, require, module, __filename, __dirname) { ${bytes.toString("latin1")}\n})`;
  const kept = keptBuildFile(fileOf(name), room);
  const script = new Script(source, { filename, ...(kept === null ? {} : { cachedData: kept }) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, requireFrom, module, filename, directory);
  if (!isMainThread) return module.exports;
  if (kept === null || script.cachedDataRejected) {
    fresh.set(name, script);
    // What runs once, at a start, V8 would have forgotten by the time that it is kept: the bundles as a whole among it, which take long to parse.
    v8.setFlagsFromString("--no-flush-bytecode");
  }
  return module.exports;
}

/** Scripts of which no code was kept. */
const fresh = new Map<string, Script>();

/** For each file in turn. */
const room = Buffer.allocUnsafeSlow(4 * 1024 * 1024);

/**
 * Keeps the code that a start and the first file take, or that a shorter run took. A longer run has compiled more, but all that is kept is read at each
 * start, needed or not: what one file takes starts faster. A run that parses nothing (`--version`) leaves it to the next.
 */
function onceWarm(isWorthKeeping: () => boolean): void {
  const keepAll = (): void => {
    clearInterval(timer);
    process.off("exit", keepAll);
    if (!isWorthKeeping()) return;
    // Code that was kept under other flags is not taken.
    v8.setFlagsFromString("--flush-bytecode");
    for (const [name, script] of fresh) keepBuildFile(fileOf(name), script.createCachedData());
    fresh.clear();
  };
  const timer = setInterval(() => {
    if (workedMilliseconds() >= warmMilliseconds && isWorthKeeping()) keepAll();
  }, 100);
  timer.unref();
  process.once("exit", keepAll);
}

const warmMilliseconds = 1500;

/** Other flags make other code. */
function fileOf(name: string): string {
  return `${name}-${isServer ? "server" : "command"}-${process.version}-${process.arch}`;
}
