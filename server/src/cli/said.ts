// What a whole run said, kept word for word: the next that is asked the same, with all that it hangs on as it was, needs nothing else.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "../host/build-files.ts";
import { nodeHost } from "../host/node.ts";
import { cacheName } from "../project/cache-name.ts";
import { ancestors, resolvePath } from "../text/path.ts";
import { CacheFiles, digestOf } from "./cache-files.ts";
import {
  type Asked,
  type Dependencies,
  DependencyCheck,
  type IndexState,
  type Surroundings,
} from "./dependency-check.ts";

/** As JSON. */
export interface SaidRun {
  /** What was asked by the run itself, beside its parts. */
  readonly asked: readonly Asked[];
  /** Of all parts. */
  readonly parts: Pick<Dependencies, "texts" | "absent" | "missed">;
  /** Files of the cache with what configuration and build were read from. */
  readonly surroundings: readonly string[];
  /** Files of the cache with the states of indexes, and the digests that they had. */
  readonly indexes: readonly (readonly [file: string, digest: string])[];
  readonly output: string;
  readonly exitCode: number;
}

/** The name under which a run of this process is kept; null where nothing of it can be. */
export function nameOfRun(args: readonly string[], currentDirectory: string): string | null {
  if (build === null || args[0] !== "check") return null;
  const { NO_COLOR, FORCE_COLOR, TERM, CI } = process.env;
  const colours = [NO_COLOR, FORCE_COLOR, TERM, CI].map((value) => value ?? null);
  return `run-${digestOf(JSON.stringify([build, args, currentDirectory, colours, process.stdout.isTTY === true]))}.json`;
}

/** What a run of these arguments said, if it would say it again; null where it has to be made. */
export function saidBefore(args: readonly string[]): Pick<SaidRun, "output" | "exitCode"> | null {
  const host = nodeHost(process.cwd());
  const name = nameOfRun(args, host.currentDirectory);
  if (name === null || args.includes("--no-cache")) return null;
  try {
    for (const directory of cacheDirectories(args, host.currentDirectory)) {
      const files = new CacheFiles(directory);
      const run = files.read(name) as SaidRun | null;
      if (run !== null && isAsItWas(run, files, new DependencyCheck(host))) return run;
    }
  } catch {
    // Written by something else.
  }
  return null;
}

function isAsItWas(run: SaidRun, files: CacheFiles, check: DependencyCheck): boolean {
  return (
    check.areAnswersSame(run.asked) &&
    check.areTextsSame(run.parts) &&
    run.surroundings.every((name) => {
      const surroundings = files.read(name) as Surroundings | null;
      return surroundings !== null && check.areAnswersSame(surroundings.asked);
    }) &&
    run.indexes.every(([name, digest]) => {
      const state = files.read(name) as IndexState | null;
      return state?.digest === digest && check.isIndexSame(state);
    })
  );
}

/** Where the run may lie: it need not be found, so that what configuration says of the place is left out. */
function cacheDirectories(args: readonly string[], currentDirectory: string): readonly string[] {
  const wanted = process.env.WARPLINT_CACHE_DIR;
  if (wanted) return [resolvePath(currentDirectory, wanted)];
  const path = args.slice(1).find((arg) => !arg.startsWith("-") && existsSync(arg));
  const around = new Set([
    ...ancestors(resolvePath(currentDirectory, path ?? ".")),
    ...ancestors(currentDirectory),
  ]);
  return [...around].map((at) => join(at, cacheName)).filter((at) => existsSync(at));
}
