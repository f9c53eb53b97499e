// .clangd: flags that it adds and removes, for which files, and where its compile_commands.json lies.
import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Scalar, type YAMLMap } from "yaml";
import { directoryOf, resolvePath } from "../text/path.ts";
import { readCompilerFlags } from "./arguments.ts";
import type { CommandWord } from "./command/command.ts";
import {
  type BuildDescription,
  type BuildHost,
  type CompileFlags,
  noFlags,
  type Unresolved,
} from "./flags.ts";

/** One document of a .clangd. */
export interface ClangdFragment {
  /** Whether it holds for a file, which lies below the directory of the .clangd. */
  appliesTo(path: string): boolean;
  readonly isConditional: boolean;
  readonly added: CompileFlags;
  /** As written: "-D", "-DX=*". */
  readonly removed: readonly string[];
  /** The directory that holds compile_commands.json; null where it is not said. */
  readonly database: string | null;
}

/** Reads a .clangd: `others` are the flags that it adds for every file. Fragments with `If` are for `clangdFlags`, which knows the file. */
export function readClangd(host: BuildHost, file: string): BuildDescription | null {
  const read = clangdFragments(host, file);
  if (read === null) return null;
  const everywhere = read.fragments.filter(({ isConditional }) => !isConditional);
  return {
    kind: "clangd",
    file,
    readFiles: [file, ...read.readFiles],
    sources: [],
    targets: [],
    generatedFiles: [],
    unresolved: read.unresolved,
    others: everywhere.reduce(withFragment, noFlags),
  };
}

/** `flags` of the file at `path` as the fragments that hold for it edit them. */
export function clangdFlags(
  fragments: readonly ClangdFragment[],
  path: string,
  flags: CompileFlags,
): CompileFlags {
  return fragments.filter((one) => one.appliesTo(path)).reduce(withFragment, flags);
}

/** The directory that CompilationDatabase names; null where there is none, or no .clangd. */
export function compilationDatabaseOf(host: BuildHost, file: string): string | null {
  const text = host.kindOf(file) === "file" ? host.readText(file) : null;
  if (text === null || !text.includes("CompilationDatabase")) return null;
  return (
    clangdFragments(host, file)?.fragments.findLast(({ database }) => database !== null)?.database ?? null
  );
}

/** The documents of a .clangd in their order; null where it holds nothing that can be read. */
export function clangdFragments(
  host: BuildHost,
  file: string,
): {
  readonly fragments: readonly ClangdFragment[];
  readonly readFiles: readonly string[];
  readonly unresolved: readonly Unresolved[];
} | null {
  const text = host.readText(file);
  if (text === null) return null;
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, logLevel: "silent" });
  const fragments: ClangdFragment[] = [];
  const readFiles: string[] = [];
  const unresolved: Unresolved[] = [];
  for (const document of Array.isArray(documents) ? documents : []) {
    for (const error of document.errors.slice(0, 1)) {
      unresolved.push({
        what: ".clangd",
        reason: "this is not YAML",
        origin: { file, line: lines.linePos(error.pos[0]).line },
      });
    }
    if (!isMap(document.contents)) continue;
    const read = fragmentOf(host, file, document.contents, lines);
    fragments.push(read.fragment);
    readFiles.push(...read.readFiles);
  }
  return fragments.length === 0 ? null : { fragments, readFiles, unresolved };
}

function fragmentOf(
  host: BuildHost,
  file: string,
  document: YAMLMap,
  lines: LineCounter,
): { fragment: ClangdFragment; readFiles: readonly string[] } {
  const directory = directoryOf(file);
  const flags = mapAt(document, "CompileFlags");
  const condition = mapAt(document, "If");
  const wordsAt = (name: string): CommandWord[] =>
    scalarsAt(flags, name).map((one) => ({
      text: String(one.value),
      origin: { file, line: lines.linePos(one.range?.[0] ?? 0).line },
      hole: null,
      doubt: null,
    }));
  const read = readCompilerFlags(host, wordsAt("Add"), directory, "gcc");
  const [database] = scalarsAt(flags, "CompilationDatabase").map((one) => String(one.value));
  const matches = patternsOf(condition, "PathMatch");
  const excludes = patternsOf(condition, "PathExclude");
  return {
    fragment: {
      // Patterns are of the whole path from the directory of the .clangd.
      appliesTo: (path) => {
        const below = path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
        return (
          (matches.length === 0 || matches.some((one) => one.test(below))) &&
          !excludes.some((one) => one.test(below))
        );
      },
      isConditional: matches.length + excludes.length > 0,
      added: read.flags,
      removed: wordsAt("Remove").map((word) => word.text),
      database:
        database === undefined || /^(?:Ancestors|None)$/.test(database)
          ? null
          : resolvePath(directory, database),
    },
    readFiles: read.readFiles,
  };
}

function mapAt(node: YAMLMap | null, name: string): YAMLMap | null {
  const value: unknown = node?.get(name, true);
  return isMap(value) ? value : null;
}

/** A scalar, or the scalars of a list. */
function scalarsAt(node: YAMLMap | null, name: string): Scalar[] {
  const value: unknown = node?.get(name, true);
  if (isSeq(value)) return value.items.filter((one) => isScalar(one));
  return isScalar(value) && value.value !== null ? [value] : [];
}

function patternsOf(condition: YAMLMap | null, name: string): RegExp[] {
  return scalarsAt(condition, name).flatMap((one) => {
    try {
      return [new RegExp(`^(?:${String(one.value)})$`)];
    } catch {
      return [];
    }
  });
}

/** clangd removes, then adds. */
function withFragment(flags: CompileFlags, { added, removed }: ClangdFragment): CompileFlags {
  const isRemoved = (option: string, argument: string): boolean =>
    removed.some((one) => {
      if (one.endsWith("*")) return argument.startsWith(one.slice(0, -1));
      return one === argument || one === option;
    });
  return {
    macros: [
      ...flags.macros.filter(({ kind, name, value }) => {
        const option = kind === "define" ? "-D" : "-U";
        const plain = `${option}${name}`;
        return !(
          isRemoved(option, plain) ||
          (kind === "define" && isRemoved(option, `${plain}=${value ?? ""}`))
        );
      }),
      ...added.macros,
    ],
    includePaths: [
      ...flags.includePaths.filter(({ kind, path }) => {
        const option = includeOptions[kind];
        return !isRemoved(option, `${option}${path}`);
      }),
      ...added.includePaths,
    ],
    forcedIncludes: [
      ...flags.forcedIncludes.filter(({ kind }) => !isRemoved(`-${kind}`, `-${kind}`)),
      ...added.forcedIncludes,
    ],
    architectures: [
      ...flags.architectures.filter(
        ({ written }) =>
          !["--cuda-gpu-arch", "--offload-arch", "-arch", "-gencode"].some((one) =>
            isRemoved(one, `${one}=${written}`),
          ),
      ),
      ...added.architectures,
    ],
    standard:
      added.standard ??
      (flags.standard !== null && isRemoved("-std", `-std=${flags.standard.value}`) ? null : flags.standard),
    hasRelocatableDeviceCode: flags.hasRelocatableDeviceCode || added.hasRelocatableDeviceCode,
    unresolved: [...flags.unresolved, ...added.unresolved],
  };
}

const includeOptions = { quote: "-iquote", user: "-I", system: "-isystem", after: "-idirafter" } as const;
