// A tree that was built under another root than it is read under: in a container, on another machine, before it was moved.
import { ancestors, directoryOf, isInside, resolvePath } from "../text/path.ts";
import type { BuildHost, CompileFlags } from "./flags.ts";

export interface MovedTree {
  path(path: string): string;
  flags(flags: CompileFlags): CompileFlags;
  /** A host that finds files under their old paths. */
  host(host: BuildHost): BuildHost;
}

const maximumTries = 32;

/** Where the sources lie that a build wrote into `directory` names: where it says, or, if none is there, below a directory around `directory` that holds the same ends of paths. */
export function movedTree(host: BuildHost, directory: string, sources: readonly string[]): MovedTree {
  const tried = sources.slice(0, maximumTries);
  if (tried.some((path) => host.kindOf(path) === "file")) return unmoved;
  for (const path of tried) {
    const olds = ancestors(directoryOf(path));
    for (const current of ancestors(directory)) {
      // The longest end of the path that exists here.
      for (const old of olds.toReversed()) {
        if (old === "/") continue;
        const below = path.slice(old.length + 1);
        if (host.kindOf(resolvePath(current, below)) === "file")
          return old === current ? unmoved : movedFrom(old, current);
      }
    }
  }
  return unmoved;
}

const unmoved: MovedTree = { path: (path) => path, flags: (flags) => flags, host: (host) => host };

function movedFrom(old: string, current: string): MovedTree {
  const path = (one: string): string =>
    isInside(one, old) ? resolvePath(current, `.${one.slice(old.length)}`) : one;
  return {
    path,
    flags: (flags) => ({
      ...flags,
      includePaths: flags.includePaths.map((one) => ({ ...one, path: path(one.path) })),
      forcedIncludes: flags.forcedIncludes.map((one) => ({ ...one, path: path(one.path) })),
    }),
    host: (host) => ({
      readText: (one) => host.readText(path(one)),
      kindOf: (one) => host.kindOf(path(one)),
      list: (one) => host.list(path(one)),
    }),
  };
}
