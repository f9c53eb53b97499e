// Files that a pattern names: `*`, `?`, `[a-z]` within a name, `**` for directories.
import { resolvePath } from "../text/path.ts";
import type { BuildHost } from "./flags.ts";

const maximumVisited = 20_000;

export interface Glob {
  /** Paths below `directory`, relative to it, sorted. */
  readonly files: readonly string[];
  /** Whether there were too many to visit them all. */
  readonly isCut: boolean;
}

/** The files and directories below `directory` that `pattern` names. `**` matches any depth of directories, none among them; names that begin with a dot are matched by a dot alone. */
export function globFiles(host: BuildHost, directory: string, pattern: string): Glob {
  const parts = pattern.split("/").filter((one) => one !== "" && one !== ".");
  const found = new Set<string>();
  let visited = 0;
  const go = (at: string, below: string, index: number): void => {
    const part = parts[index];
    if (part === undefined || ++visited > maximumVisited) return;
    const isLast = index === parts.length - 1;
    if (!/[*?[]/.test(part)) {
      const path = below === "" ? part : `${below}/${part}`;
      const kind = host.kindOf(resolvePath(at, part));
      if (isLast && kind !== "missing") found.add(path);
      else if (kind === "directory") go(resolvePath(at, part), path, index + 1);
      return;
    }
    if (part === "**") {
      if (!isLast) go(at, below, index + 1);
      for (const { name, kind } of host.list(at)) {
        if (++visited > maximumVisited) return;
        if (name.startsWith(".")) continue;
        const path = below === "" ? name : `${below}/${name}`;
        if (isLast && kind === "file") found.add(path);
        if (kind === "directory") go(resolvePath(at, name), path, index);
      }
      return;
    }
    const matcher = nameMatcher(part);
    for (const { name, kind } of host.list(at)) {
      if (++visited > maximumVisited) return;
      if ((name.startsWith(".") && !part.startsWith(".")) || !matcher.test(name)) continue;
      const path = below === "" ? name : `${below}/${name}`;
      if (isLast) found.add(path);
      else if (kind === "directory") go(resolvePath(at, name), path, index + 1);
    }
  };
  go(directory, "", 0);
  return { files: [...found].sort(), isCut: visited > maximumVisited };
}

/** A pattern of one name as a regular expression. */
export function nameMatcher(pattern: string): RegExp {
  const source = pattern.replace(
    /\[(!?)([^\]]+)\]|[*?]|[\\^$.|+(){}[\]]/g,
    (whole, not: string | undefined, set: string | undefined) => {
      if (whole === "*") return "[^/]*";
      if (whole === "?") return "[^/]";
      if (set !== undefined) return `[${not === "!" ? "^" : ""}${set.replace(/[\\\]^]/g, "\\$&")}]`;
      return `\\${whole}`;
    },
  );
  try {
    return new RegExp(`^${source}$`);
  } catch {
    return /^$/;
  }
}
