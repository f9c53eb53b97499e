// Build trees that exist beside the sources: what their CMakeCache.txt remembers was chosen by the user.
import { resolvePath } from "../../text/path.ts";
import type { BuildHost } from "../flags.ts";
import { withoutMarks } from "./unknown.ts";

export interface BuildTree {
  readonly directory: string;
  readonly cacheFile: string;
  /** Values of the cache by name, with the line that each stands in. */
  readonly values: ReadonlyMap<string, { readonly text: string; readonly line: number }>;
}

/** Names of directories that people build in. */
export const buildDirectoryNames = /^(?:(?:cmake-)?build.*|out|_build|bin|Build.*)$/;

/** The build tree of the sources at `source`, and the files that were looked for. */
export function findBuildTree(
  host: BuildHost,
  source: string,
  also: readonly string[],
): { readonly tree: BuildTree | null; readonly readFiles: readonly string[] } {
  const readFiles: string[] = [];
  const candidates = [...also];
  for (const entry of host.list(source)) {
    if (entry.kind !== "directory" || !buildDirectoryNames.test(entry.name)) continue;
    const directory = resolvePath(source, entry.name);
    candidates.push(directory);
    for (const inner of host.list(directory).slice(0, 50)) {
      // `out/build/x64-Debug`, `build/release`.
      if (
        inner.kind === "directory" &&
        /^(?:build|release|debug|default|x64|linux|relwithdebinfo).*$/i.test(inner.name)
      ) {
        candidates.push(resolvePath(directory, inner.name));
        if (/^build$/i.test(inner.name)) {
          for (const third of host.list(resolvePath(directory, inner.name)).slice(0, 50)) {
            if (third.kind === "directory")
              candidates.push(resolvePath(directory, `${inner.name}/${third.name}`));
          }
        }
      }
    }
  }
  candidates.push(source);
  for (const directory of new Set(candidates)) {
    const cacheFile = resolvePath(directory, "CMakeCache.txt");
    readFiles.push(cacheFile);
    if (host.kindOf(cacheFile) !== "file") continue;
    const text = host.readText(cacheFile);
    if (text === null) continue;
    const values = readCache(text);
    if (values.get("CMAKE_HOME_DIRECTORY")?.text !== source) continue;
    return { tree: { directory, cacheFile, values }, readFiles };
  }
  return { tree: null, readFiles };
}

/** `NAME:TYPE=value` of a CMakeCache.txt. */
export function readCache(text: string): BuildTree["values"] {
  const values = new Map<string, { text: string; line: number }>();
  for (const [index, line] of withoutMarks(text).split(/\r?\n/).entries()) {
    if (line.startsWith("#") || line.startsWith("//")) continue;
    const found = /^(?:"([^"]+)"|([^:=]+)):([A-Z]+)=(.*)$/.exec(line);
    if (found === null) continue;
    const name = found[1] ?? found[2] ?? "";
    const value = (found[4] ?? "").replace(/^'(.*)'$/, "$1");
    // What CMake notes of its own modules, such as the advanced marks, is of no use.
    if (name.endsWith("-ADVANCED") || name.endsWith("-STRINGS") || name.endsWith("-MODIFIED")) continue;
    values.set(name, { text: value, line: index + 1 });
  }
  return values;
}
