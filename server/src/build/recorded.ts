// What a reading asked of the files, so that it is made again when an answer would be another, and only then.
import { directoryOf, nameOf } from "../text/path.ts";
import type { BuildHost } from "./flags.ts";

export interface Recorded {
  readonly host: BuildHost;
  /** Whether an answer may be another now that `path` has other contents, is new, or is gone. */
  hangsOn(path: string): boolean;
}

export function recorded(base: BuildHost): Recorded {
  const read = new Set<string>();
  const kinds = new Map<string, ReturnType<BuildHost["kindOf"]>>();
  const listed = new Map<string, ReadonlySet<string>>();
  return {
    host: {
      readText: (path) => {
        read.add(path);
        return base.readText(path);
      },
      kindOf: (path) => {
        const kind = base.kindOf(path);
        kinds.set(path, kind);
        return kind;
      },
      list: (directory) => {
        const entries = base.list(directory);
        listed.set(directory, new Set(entries.map(({ name }) => name)));
        return entries;
      },
    },
    hangsOn: (path) => {
      if (read.has(path)) return true;
      // Most changes are edits of sources, which are there as before.
      const kind = kinds.get(path);
      if (kind !== undefined && kind !== base.kindOf(path)) return true;
      const names = listed.get(directoryOf(path));
      return names !== undefined && names.has(nameOf(path)) !== (base.kindOf(path) !== "missing");
    },
  };
}
