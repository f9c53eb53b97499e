// Finds the files that `#include` names: beside the including file, then along the include paths, then where projects by convention
// keep headers, and never outside the workspace and those paths, links followed.
import { type Host, readText } from "../host/host.ts";
import { ancestors, directoryOf, isInside, resolvePath } from "./path.ts";

export interface IncludedFile {
  readonly path: string;
  readonly text: string;
}

export type ReadInclude = (name: string, fromFile: string, kind: "quoted" | "angled") => IncludedFile | null;

/** Reads includes and remembers what it read. */
export interface IncludeReader {
  readonly readInclude: ReadInclude;
  /** These files, by whatever path they were read, have other contents than before, or are new, or are gone. */
  forget(files: readonly string[]): void;
}

/** Directories that build files put on the include path, without a build file to read. */
const headerDirectories = ["include", "inc", "common", "Common", "src", "utils"];

/**
 * `workspace` and `includePaths` are absolute directories. Files are read once and kept. What stands neither beside the file nor along
 * the include paths is looked for in the directories around the file, innermost first, and in those of them that hold headers by name.
 */
export function includeReader(host: Host, workspace: string, includePaths: readonly string[]): IncludeReader {
  const allowed = [workspace, ...includePaths].map((directory) => host.realPath(directory) ?? directory);
  const files = new Map<string, IncludedFile | null>();

  const read = (path: string): IncludedFile | null => {
    let found = files.get(path);
    if (found === undefined) {
      found = readAllowed(path);
      files.set(path, found);
    }
    return found;
  };

  const readAllowed = (path: string): IncludedFile | null => {
    const real = host.realPath(path);
    if (real === null || !allowed.some((directory) => isInside(real, directory))) return null;
    const result = readText(host, path);
    return result.kind === "text" ? { path, text: result.text } : null;
  };

  const byDirectory = new Map<string, readonly string[]>();
  const conventional = (directory: string): readonly string[] => {
    let known = byDirectory.get(directory);
    if (known === undefined) {
      known = around(directory);
      byDirectory.set(directory, known);
    }
    return known;
  };

  const around = (directory: string): string[] =>
    ancestors(directory)
      .filter((each) => isInside(each, workspace))
      .flatMap((each) => [each, ...headerDirectories.map((name) => resolvePath(each, name))])
      .filter((each) => each !== directory);

  const readInclude: ReadInclude = (name, fromFile, kind) => {
    const here = directoryOf(fromFile);
    const beside = kind === "quoted" ? [here] : [];
    for (const directory of [...beside, ...includePaths, ...conventional(here)]) {
      const found = read(resolvePath(directory, name));
      if (found !== null) return found;
    }
    return null;
  };

  const forget = (changed: readonly string[]): void => {
    // Links are followed for each edit only where there is something to forget.
    if (files.size === 0) return;
    const gone = new Set(changed.flatMap((path) => [path, host.realPath(path) ?? path]));
    for (const path of files.keys())
      if (gone.has(path) || gone.has(host.realPath(path) ?? path)) files.delete(path);
  };
  return { readInclude, forget };
}
