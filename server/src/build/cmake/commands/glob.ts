// `file(GLOB)` over the files of the workspace.
import { isInside } from "../../../text/path.ts";
import type { Interpreter } from "../interpreter.ts";
import { globRegex } from "../regex.ts";

export interface GlobOptions {
  readonly isRecursive: boolean;
  readonly hasDirectories: boolean;
}

const mostEntries = 200_000;
const deepest = 40;

/** The paths that a pattern names, absolute, in CMake's order. */
export function glob(cmake: Interpreter, pattern: string, options: GlobOptions): readonly string[] {
  const absolute = pattern.startsWith("/") ? pattern : `${cmake.directory.source}/${pattern}`;
  const parts = absolute.split("/").filter((part) => part !== "" && part !== ".");
  const firstOpen = parts.findIndex((part) => /[*?[]/.test(part));
  const fixed = firstOpen < 0 ? parts.length - 1 : Math.min(firstOpen, parts.length - 1);
  const start = `/${parts.slice(0, fixed).join("/")}`;
  const regexes = parts.slice(fixed).map(globRegex);
  const found: string[] = [];
  let seen = 0;
  const walk = (directory: string, at: number, depth: number): void => {
    if (!isInside(directory, cmake.workspace) || depth > deepest) return;
    cmake.readFiles.add(directory);
    const regex = regexes[at];
    if (regex == null) return;
    const isLast = at === regexes.length - 1;
    for (const entry of cmake.host.list(directory)) {
      if (++seen > mostEntries) return;
      const path = directory === "/" ? `/${entry.name}` : `${directory}/${entry.name}`;
      const isDirectory = entry.kind === "directory";
      const isMatch = regex.test(entry.name);
      if (isLast) {
        if (isMatch && (!isDirectory || options.hasDirectories)) found.push(path);
        if (isDirectory && options.isRecursive && entry.name !== ".git") walk(path, at, depth + 1);
      } else if (isDirectory && isMatch) walk(path, at + 1, depth + 1);
    }
  };
  walk(start, 0, 0);
  for (const path of cmake.writtenFiles.keys()) {
    if (isInside(path, start) && !found.includes(path)) {
      const rest = path.slice(start.length + 1).split("/");
      const isMatch =
        (rest.length === regexes.length || (options.isRecursive && rest.length > regexes.length)) &&
        (regexes.at(-1)?.test(rest.at(-1) ?? "") ?? false);
      if (isMatch) found.push(path);
    }
  }
  return found.sort();
}
