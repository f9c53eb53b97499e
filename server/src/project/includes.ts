// Finds the files that `#include` names, and the sources that stand beside one. What is included lies beside the including file, then along the include paths, then where projects by convention
// keep headers, and never outside the workspace and those paths, links followed.
import { type Host, readText } from "../host/host.ts";
import { ancestors, directoryOf, isInside, nameOf, resolvePath } from "../text/path.ts";

export interface IncludedFile {
  readonly path: string;
  readonly text: string;
}

export type ReadInclude = (name: string, fromFile: string, kind: "quoted" | "angled") => IncludedFile | null;

/** The other sources in the directory of `file`, by their names. */
export type SourcesBeside = (file: string) => readonly IncludedFile[];

/** Reads includes and remembers what it read. */
export interface IncludeReader {
  readonly readInclude: ReadInclude;
  readonly sourcesBeside: SourcesBeside;
  /** These files, by whatever path they were read, have other contents than before, or are new, or are gone. */
  forget(files: readonly string[]): void;
}

/** What was tried under a path: null where there was nothing, or nothing that may be read. */
interface ReadFile {
  readonly real: string | null;
  readonly file: IncludedFile | null;
}

/** Directories that build files put on the include path, without a build file to read. */
const headerDirectories = ["include", "includes", "inc", "common", "Common", "src", "utils"];

/**
 * `workspace`, those of `alsoRead` and `includePaths` are absolute directories. Files are read once and kept. What stands neither beside the file nor along
 * the include paths is looked for in the directories around the file, innermost first, and in those of them that hold headers by name.
 */
export function includeReader(
  host: Host,
  workspace: string,
  includePaths: readonly string[],
  alsoRead: readonly string[] = [],
): IncludeReader {
  const allowed = [workspace, ...alsoRead, ...includePaths].map(
    (directory) => host.realPath(directory) ?? directory,
  );
  const files = new Map<string, ReadFile>();
  /** What was found, by who asked for what. */
  const answers = new Map<string, IncludedFile | null>();

  const read = (path: string): IncludedFile | null => {
    let found = files.get(path);
    if (found === undefined) {
      found = readAllowed(path);
      files.set(path, found);
    }
    return found.file;
  };

  const readAllowed = (path: string): ReadFile => {
    const real = host.realPath(path);
    if (real === null || !allowed.some((directory) => isInside(real, directory))) return { real, file: null };
    const result = readText(host, path);
    return { real, file: result.kind === "text" ? { path, text: result.text } : null };
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
    const question = `${kind}\n${here}\n${name}`;
    let answer = answers.get(question);
    if (answer === undefined) {
      answer = search(name, here, kind);
      answers.set(question, answer);
    }
    return answer;
  };

  const search = (name: string, here: string, kind: "quoted" | "angled"): IncludedFile | null => {
    const beside = kind === "quoted" ? [here] : [];
    for (const directory of [...beside, ...includePaths, ...conventional(here)]) {
      const found = read(resolvePath(directory, name));
      if (found !== null) return found;
    }
    return null;
  };

  const sourceLists = new Map<string, readonly string[]>();
  const sourcesBeside: SourcesBeside = (file) => {
    const directory = directoryOf(file);
    const paths = sourceLists.get(directory) ?? sourcePathsIn(host, directory);
    sourceLists.set(directory, paths);
    return paths.flatMap((path) => (path === file ? [] : (read(path) ?? [])));
  };

  const forget = (changed: readonly string[]): void => {
    for (const path of changed)
      if (sourceLists.get(directoryOf(path))?.includes(path) === false) sourceLists.delete(directoryOf(path));
    if (files.size === 0) return;
    const gone = new Set(changed.flatMap((path) => [path, host.realPath(path) ?? path]));
    const names = new Set([...gone].map(nameOf));
    // Links are followed once, when a file is read: for each edit of a document that would take longer than the edit itself.
    const isGone = (path: string, { real }: ReadFile): boolean =>
      gone.has(path) ||
      (real === null ? names.has(nameOf(path)) && gone.has(host.realPath(path) ?? path) : gone.has(real));
    let isAnyGone = false;
    for (const [path, file] of files) {
      if (!isGone(path, file)) continue;
      files.delete(path);
      isAnyGone = true;
    }
    if (isAnyGone) answers.clear();
  };
  return { readInclude, sourcesBeside, forget };
}

/** Directories of more sources than these are collections, not programs; larger sources are generated. */
const mostSources = 32;
const mostSourceBytes = 1 << 19;

function sourcePathsIn(host: Host, directory: string): readonly string[] {
  const sources = (host.list(directory) ?? []).filter(
    ({ name, kind }) => kind === "file" && sourceName.test(name),
  );
  if (sources.length > mostSources) return [];
  return sources
    .map(({ name }) => resolvePath(directory, name))
    .filter((path) => (host.sizeOf(path) ?? 0) <= mostSourceBytes);
}

/** What a compiler is given, by its name. */
export const sourceName = /\.(cu|cpp|cc|cxx|c)$/;
