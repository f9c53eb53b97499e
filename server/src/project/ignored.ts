// Which files a workspace does not want to hear of: .gitignore at every level, `ignore` of the configuration, and .git.
import createIgnore, { type Ignore } from "ignore";
import type { Host } from "../host/host.ts";
import { readText } from "../host/host.ts";
import { isInside, relativeTo, resolvePath } from "../text/path.ts";
import { cacheName } from "./cache-name.ts";

/** Answers whether a path is ignored; remembers the .gitignore files that it has read. */
export interface IgnoredFiles {
  /** `path` is below `root`. Directories matter: a pattern `build/` names only those. */
  isIgnored(path: string, kind: "file" | "directory"): boolean;
}

/** `patterns` are the configuration's, relative to `patternsDirectory`. */
export function ignoredFiles(
  host: Host,
  root: string,
  patterns: readonly string[],
  patternsDirectory: string,
): IgnoredFiles {
  const configured = createIgnore().add([...patterns]);
  const ofDirectory = new Map<string, Ignore | null>();
  const known = new Map<string, boolean>();

  const gitignoreOf = (directory: string): Ignore | null => {
    let found = ofDirectory.get(directory);
    if (found === undefined) {
      const read = readText(host, resolvePath(directory, ".gitignore"));
      found = read.kind === "text" ? createIgnore().add(read.text) : null;
      ofDirectory.set(directory, found);
    }
    return found;
  };

  const matches = (path: string, kind: "file" | "directory"): boolean => {
    const mark = kind === "directory" ? "/" : "";
    if (path.endsWith("/.git") || path.endsWith(`/${cacheName}`)) return true;
    if (
      patterns.length > 0 &&
      path !== patternsDirectory &&
      isInside(path, patternsDirectory) &&
      configured.ignores(relativeTo(patternsDirectory, path) + mark)
    )
      return true;
    let ignored = false;
    for (const directory of directoriesBetween(root, path)) {
      const result = gitignoreOf(directory)?.test(relativeTo(directory, path) + mark);
      if (result?.ignored) ignored = true;
      else if (result?.unignored) ignored = false;
    }
    return ignored;
  };

  const isIgnored = (path: string, kind: "file" | "directory"): boolean => {
    if (path === root || !isInside(path, root)) return false;
    const remembered = known.get(path);
    if (remembered !== undefined) return remembered;
    const above = path.slice(0, path.lastIndexOf("/")) || "/";
    const answer = isIgnored(above, "directory") || matches(path, kind);
    known.set(path, answer);
    return answer;
  };
  return { isIgnored };
}

/** `root`, then each directory on the way down to the one that holds `path`. */
function directoriesBetween(root: string, path: string): string[] {
  const found = [root];
  const parts = relativeTo(root, path).split("/").slice(0, -1);
  let at = root === "/" ? "" : root;
  for (const part of parts) {
    at = `${at}/${part}`;
    found.push(at);
  }
  return found;
}
