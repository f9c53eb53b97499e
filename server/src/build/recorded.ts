// What a reading asked of the files, so that it is made again when an answer would be another, and only then.
import { directoryOf, nameOf } from "../text/path.ts";
import type { BuildHost } from "./flags.ts";

export interface Recorded {
  readonly host: BuildHost;
  /** Also counts as asked for. */
  note(files: readonly string[]): void;
  /** Whether an answer may be another now that `path` has other contents, is new, or is gone. */
  hangsOn(path: string): boolean;
  /** Everything that was asked for by its path. */
  files(): ReadonlySet<string>;
}

export function recorded(base: BuildHost): Recorded {
  const asked = new Set<string>();
  const listed = new Map<string, ReadonlySet<string>>();
  return {
    host: {
      readText: (path) => {
        asked.add(path);
        return base.readText(path);
      },
      kindOf: (path) => {
        asked.add(path);
        return base.kindOf(path);
      },
      list: (directory) => {
        const entries = base.list(directory);
        listed.set(directory, new Set(entries.map(({ name }) => name)));
        return entries;
      },
    },
    note: (files) => {
      for (const file of files) asked.add(file);
    },
    hangsOn: (path) => {
      if (asked.has(path)) return true;
      const names = listed.get(directoryOf(path));
      // Most changes are edits of sources: they leave directories as they are.
      return names !== undefined && names.has(nameOf(path)) !== (base.kindOf(path) !== "missing");
    },
    files: () => asked,
  };
}
