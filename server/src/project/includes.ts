// Finds the files that `#include` names: beside the including file, then along the include paths, and never outside the
// workspace and those paths, links followed.
import { type Host, readText } from "../host/host.ts";
import { directoryOf, isInside, resolvePath } from "./path.ts";

export interface IncludedFile {
  readonly path: string;
  readonly text: string;
}

export type ReadInclude = (name: string, fromFile: string, kind: "quoted" | "angled") => IncludedFile | null;

/** `workspace` and `includePaths` are absolute directories. Files are read once and kept. */
export function includeReader(host: Host, workspace: string, includePaths: readonly string[]): ReadInclude {
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

  return (name, fromFile, kind) => {
    const beside = kind === "quoted" ? [directoryOf(fromFile)] : [];
    for (const directory of [...beside, ...includePaths]) {
      const found = read(resolvePath(directory, name));
      if (found !== null) return found;
    }
    return null;
  };
}
