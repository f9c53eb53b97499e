// Finds the files that `#include` names. What is included lies beside the including file, then along the include paths, then where projects by convention
// keep headers, and never outside the workspace and those paths, links followed.
import type { IncludePath } from "../build/flags.ts";
import { type Host, readText } from "../host/host.ts";
import { ancestors, directoryOf, isInside, nameOf, resolvePath } from "../text/path.ts";

export interface IncludedFile {
  readonly path: string;
  readonly text: string;
  /** It lies outside of the workspace. */
  readonly isOutside?: true;
}

export type ReadInclude = (name: string, fromFile: string, kind: "quoted" | "angled") => IncludedFile | null;

/** Texts of files by their paths, each read once and kept. Several readers may share them. */
export interface FileTexts {
  read(path: string): ReadFile;
  /** These files, by whatever path they were read, have other contents than before, or are new, or are gone; whether any of them was read. */
  forget(files: readonly string[]): boolean;
  forgetAll(): void;
}

/** What was tried under a path: null where there was nothing, or nothing that is a text. */
interface ReadFile {
  readonly real: string | null;
  readonly file: IncludedFile | null;
}

/** `generated`: files that a build makes, by path; they stand where no file does. */
export function fileTexts(host: Host, generated: (path: string) => string | null = () => null): FileTexts {
  const files = new Map<string, ReadFile>();
  const readFile = (path: string): ReadFile => {
    const real = host.realPath(path);
    const result = real === null ? null : readText(host, path);
    if (result?.kind === "text") return { real, file: { path, text: result.text } };
    const text = real === null ? generated(path) : null;
    return text === null ? { real, file: null } : { real: path, file: { path, text } };
  };
  return {
    read: (path) => {
      const found = files.get(path) ?? readFile(path);
      files.set(path, found);
      return found;
    },
    forget: (changed) => {
      if (files.size === 0) return false;
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
      return isAnyGone;
    },
    forgetAll: () => files.clear(),
  };
}

interface Answer {
  readonly found: IncludedFile | null;
  readonly missed: readonly string[];
}

/** Reads includes and remembers what was found. */
export interface IncludeReader {
  readonly readInclude: ReadInclude;
  /** Texts that were read may be others now. */
  forgetAnswers(): void;
}

export interface IncludeSearch {
  readonly workspace: string;
  /** Directories that may be read: those that are one's own, and others. */
  readonly allowed: { readonly inside: readonly string[]; readonly outside: readonly string[] };
  readonly includePaths: readonly IncludePath[];
  /** Told of each path at which an included file was looked for in vain. */
  onMissed?(path: string): void;
}

/** Directories that build files put on the include path, without a build file to read. */
const headerDirectories = ["include", "includes", "inc", "common", "Common", "src", "utils"];

/** The order in which a compiler searches. */
const kindsInOrder: readonly IncludePath["kind"][] = ["quote", "user", "system", "after"];

/**
 * All directories are absolute. What stands neither beside the file nor along the include paths is looked for in the directories around the
 * file, innermost first, and in those of them that hold headers by name.
 */
export function includeReader(
  host: Host,
  texts: FileTexts,
  { workspace, allowed, includePaths, onMissed }: IncludeSearch,
): IncludeReader {
  const ordered = kindsInOrder.flatMap((kind) => includePaths.filter((each) => each.kind === kind));
  const directories = {
    quoted: [...new Set(ordered.map(({ path }) => path))],
    angled: [...new Set(ordered.flatMap(({ kind, path }) => (kind === "quote" ? [] : [path])))],
  };
  const realOf = (directory: string) => host.realPath(directory) ?? directory;
  const inside = allowed.inside.map(realOf);
  const outside = allowed.outside.map(realOf);
  /** What was found, by who asked for what. */
  const answers = new Map<string, Answer>();

  const read = (path: string): IncludedFile | null => {
    const { real, file } = texts.read(path);
    if (real === null || file === null) return null;
    if (inside.some((directory) => isInside(real, directory))) return file;
    return outside.some((directory) => isInside(real, directory)) ? { ...file, isOutside: true } : null;
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
    if (onMissed !== undefined) for (const path of answer.missed) onMissed(path);
    return answer.found;
  };

  const search = (name: string, here: string, kind: "quoted" | "angled"): Answer => {
    const beside = kind === "quoted" ? [here] : [];
    const missed: string[] = [];
    for (const directory of [...beside, ...directories[kind], ...conventional(here)]) {
      const path = resolvePath(directory, name);
      const found = read(path);
      if (found !== null) return { found, missed };
      // Nobody else remembers them.
      if (onMissed !== undefined) missed.push(path);
    }
    return { found: null, missed };
  };

  return { readInclude, forgetAnswers: () => answers.clear() };
}
