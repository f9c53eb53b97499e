// compile_commands.json: what it says of each source, and where it is looked for.
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { ancestors, directoryOf, isInside, nameOf, relativeTo, resolvePath } from "../text/path.ts";
import { commandPath, readCompilerCommand } from "./arguments.ts";
import { compilationDatabaseOf } from "./clangd.ts";
import type { CommandWord, CompilerCommand } from "./command/command.ts";
import { lineAt, lineStarts } from "./command/lines.ts";
import { type ShellToken, shellTokens } from "./command/words.ts";
import {
  type BuildDescription,
  type BuildHost,
  type BuildTarget,
  type CompiledSource,
  type CompileFlags,
  noFlags,
  type Origin,
} from "./flags.ts";
import { type MovedTree, movedTree } from "./moved.ts";
import { readNinja } from "./ninja.ts";
import { readShellLine, readShellTokens } from "./shell-line.ts";

interface Entry {
  readonly directory: string;
  readonly file: string;
  /** The entry as it stands in the file, and where it begins. */
  readonly text: string;
  readonly start: number;
  /** The whole command, its words parted by spaces: what a look at it needs. */
  readonly command: string;
  readonly output: string | null;
}

/** Larger than any that a build has written so far. */
const maximumEntries = 100_000;

/**
 * Reads a compile_commands.json. A file may have several entries: each is a source of its own. Where the tree was built elsewhere (in a container, say), paths below its old root
 * stand for those below the new one.
 */
export function readCompileCommands(host: BuildHost, file: string): BuildDescription | null {
  const text = host.readText(file);
  if (text === null || !/^\s*\[/.test(text)) return null;
  const starts = lineStarts(text);
  const entries = objectsIn(text).flatMap((slice) => entryOf(slice, file) ?? []);
  if (entries.length === 0) return null;
  const moved = movedTree(
    host,
    directoryOf(file),
    entries.map((entry) => commandPath(entry.directory, entry.file)),
  );
  const readFiles = new Set([file]);
  const known = entries.map((entry) => sourceOf(host, file, starts, entry, moved));
  const linked = targetsOf(host, file, known, entries, moved, readFiles);
  const { sources, targets } =
    linked.length > 0 ? { sources: known, targets: linked } : programsBy(host, file, known, readFiles);
  return {
    kind: "compile-commands",
    file,
    readFiles: [...readFiles],
    sources,
    targets,
    generatedFiles: [],
    unresolved: [],
    others: null,
  };
}

/** Where a compile_commands.json was found for the files of a directory, nearest first, and where one would be found that is not there. */
export interface FoundCompileCommands {
  readonly files: readonly string[];
  readonly missing: readonly string[];
}

/** Looks in `directory` and those around it up to `workspace`: in it, in `build*`, `out`, `cmake-build-*` and two levels below those, and where .clangd says. */
export function findCompileCommands(
  host: BuildHost,
  directory: string,
  workspace: string,
): FoundCompileCommands {
  const files: string[] = [];
  const missing: string[] = [];
  const look = (place: string): void => {
    const path = resolvePath(place, "compile_commands.json");
    if (files.includes(path) || missing.includes(path)) return;
    (host.kindOf(path) === "file" ? files : missing).push(path);
  };
  for (const place of ancestors(directory)) {
    if (!isInside(place, workspace)) break;
    look(place);
    for (const build of buildDirectories(host, place)) look(build);
    const named = compilationDatabaseOf(host, resolvePath(place, ".clangd"));
    if (named !== null) look(named);
  }
  return { files, missing };
}

const maximumBuildDirectories = 64;

/** Directories that builds are made in, those of presets (`build/release`, `out/build/x64`) among them. */
function buildDirectories(host: BuildHost, place: string): string[] {
  const found = host
    .list(place)
    .filter(
      ({ name, kind }) => kind === "directory" && /^(?:\.?build.*|out|cmake-build-.*|_build)$/i.test(name),
    )
    .map(({ name }) => ({ path: resolvePath(place, name), depth: 0 }));
  for (let at = 0; at < found.length && found.length < maximumBuildDirectories; at++) {
    const one = found[at];
    if (
      one === undefined ||
      one.depth === 2 ||
      host.kindOf(resolvePath(one.path, "CMakeCache.txt")) === "file"
    )
      continue;
    for (const { name, kind } of host.list(one.path)) {
      if (kind !== "directory" || /^(?:CMakeFiles|_deps|Testing|bin|lib|\..*)$/.test(name)) continue;
      if (found.length < maximumBuildDirectories)
        found.push({ path: resolvePath(one.path, name), depth: one.depth + 1 });
    }
  }
  return found.map(({ path }) => path);
}

/** The objects of the outermost array, each with its offset. Only quotes and braces are looked at. */
function objectsIn(text: string): { readonly text: string; readonly start: number }[] {
  const found: { text: string; start: number }[] = [];
  const mark = /[{}"]/g;
  let depth = 0;
  let start = 0;
  for (
    let match = mark.exec(text);
    match !== null && found.length < maximumEntries;
    match = mark.exec(text)
  ) {
    const at = match.index;
    if (match[0] === "{") {
      if (depth++ === 0) start = at;
    } else if (match[0] === "}") {
      if (--depth === 0) found.push({ text: text.slice(start, at + 1), start });
      if (depth < 0) break;
    } else {
      let end = text.indexOf('"', at + 1);
      while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
      if (end === -1) break;
      mark.lastIndex = end + 1;
    }
  }
  return found;
}

function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text.charAt(at - 1 - count) === "\\") count++;
  return count % 2 === 1;
}

function entryOf(slice: { readonly text: string; readonly start: number }, file: string): Entry | null {
  let value: unknown;
  try {
    value = JSON.parse(slice.text);
  } catch {
    return null;
  }
  const fields = new Map<string, unknown>(Object.entries(value ?? {}));
  const text = (name: string): string | null => {
    const field = fields.get(name);
    return typeof field === "string" ? field : null;
  };
  const source = text("file");
  const words = fields.get("arguments");
  const command = Array.isArray(words)
    ? words.filter((word) => typeof word === "string").join(" ")
    : text("command");
  if (source === null || command === null || command.trim() === "") return null;
  const directory = commandPath(directoryOf(file), text("directory") ?? ".");
  const output = text("output");
  return {
    ...slice,
    directory,
    file: source,
    command,
    output: output === null ? null : commandPath(directory, output),
  };
}

/** The objects that a source of the database becomes. */
interface DatabaseSource extends CompiledSource {
  readonly objectDirectory: string | null;
}

/** Flags are read when somebody asks for them: there may be thousands of entries, of which an editor needs few. */
function sourceOf(
  host: BuildHost,
  file: string,
  starts: readonly number[],
  entry: Entry,
  moved: MovedTree,
): DatabaseSource {
  const path = moved.path(commandPath(entry.directory, entry.file));
  const output = entry.output ?? /\s-o\s*("[^"]+"|\S+)/.exec(entry.command)?.[1] ?? null;
  let flags: CompileFlags | null = null;
  return {
    path,
    language: languageIn(entry.command, path),
    target: targetNamed(output),
    objectDirectory:
      output === null
        ? null
        : relativeTo(entry.directory, directoryOf(commandPath(entry.directory, output))) || ".",
    get flags() {
      flags ??= flagsOf(host, tokensOf(entry, file, starts), entry, path, moved);
      return flags;
    },
  };
}

function languageIn(command: string, path: string): CompiledSource["language"] {
  if (/\.cu"?$/.test(path) || /\s-x\s*cu(?:da)?\s|nvcc_wrapper/.test(command)) return "cuda";
  return /\.c$/.test(path) && !/\s-x\s*c\+\+\s/.test(command) ? "c" : "c++";
}

/** The words of an entry, each with its line. */
function tokensOf(entry: Entry, file: string, starts: readonly number[]): readonly ShellToken[] {
  const tree = parseTree(entry.text);
  const at = (name: string): Node | undefined =>
    tree === undefined ? undefined : findNodeAtLocation(tree, [name]);
  const originOf = (node: Node | undefined): Origin => ({
    file,
    line: lineAt(starts, entry.start + (node?.offset ?? 0)),
  });
  const words = at("arguments")?.children;
  if (words === undefined) return shellTokens(entry.command, originOf(at("command")));
  return words.flatMap((one): CommandWord[] =>
    typeof one.value === "string"
      ? [{ text: one.value, origin: originOf(one), hole: null, doubt: null }]
      : [],
  );
}

function flagsOf(
  host: BuildHost,
  tokens: readonly ShellToken[],
  entry: Entry,
  path: string,
  moved: MovedTree,
): CompileFlags {
  const command = commandOfEntry(host, tokens, entry, moved);
  if (command !== null) return moved.flags(command.flags);
  const origin = tokens.flatMap((token) => ("origin" in token ? token.origin : []))[0] ?? {
    file: path,
    line: 1,
  };
  return { ...noFlags, unresolved: [{ what: path, reason: "no compiler stands in its command", origin }] };
}

/** The run of a compiler in an entry that compiles its file, else the first that compiles anything. */
function commandOfEntry(
  host: BuildHost,
  tokens: readonly ShellToken[],
  entry: Entry,
  moved: MovedTree,
): CompilerCommand | null {
  const seen = moved.host(host);
  const commands = readShellTokens(seen, tokens, entry.directory).commands.filter(
    ({ sources }) => sources.length > 0,
  );
  const path = commandPath(entry.directory, entry.file);
  const own = commands.find(({ sources }) => sources.some((source) => source.path === path)) ?? commands[0];
  if (own !== undefined) return own;
  // A compiler of a name that warplint does not know: its options are those that most have.
  const [first, ...rest] = tokens.flatMap((token) => ("operator" in token ? [] : [token]));
  if (first === undefined) return null;
  const command = readCompilerCommand(
    seen,
    [{ ...first, text: /\.cuh?$/.test(path) ? "nvcc" : "c++" }, ...rest],
    entry.directory,
  );
  return command !== null && command.sources.length > 0 ? command : null;
}

/** CMake's and Meson's objects lie in a directory that is named as their target. */
function targetNamed(output: string | null): string | null {
  const cmake = /(?:^|\/)CMakeFiles\/([^/]+)\.dir\//.exec(output ?? "")?.[1];
  return cmake ?? /(?:^|\/)([^/]+)\.p\/[^/]+$/.exec(output ?? "")?.[1] ?? null;
}

/** What is linked of the sources, where the build says so beside: CMake's `CMakeFiles/app.dir/link.txt`, or a build.ninja. */
function targetsOf(
  host: BuildHost,
  file: string,
  sources: readonly CompiledSource[],
  entries: readonly Entry[],
  moved: MovedTree,
  readFiles: Set<string>,
): readonly BuildTarget[] {
  const ninja = resolvePath(directoryOf(file), "build.ninja");
  if (host.kindOf(ninja) !== "file") return makefileTargets(host, sources, entries, moved, readFiles);
  const read = readNinja(moved.host(host), ninja);
  for (const one of read?.readFiles ?? []) readFiles.add(one);
  const targetOf = new Map(sources.map(({ path, target }) => [path, target]));
  const names = new Map(
    (read?.targets ?? []).map(({ name, sources: own }) => {
      // Named as its objects' directory is, where those agree: an output may have another name.
      const all = new Set(own.map((path) => targetOf.get(moved.path(path)) ?? name));
      return [name, all.size === 1 ? ([...all][0] ?? name) : name];
    }),
  );
  return (read?.targets ?? []).map((target) => ({
    ...target,
    name: names.get(target.name) ?? target.name,
    sources: target.sources.map(moved.path),
    links: target.links.map((link) => names.get(link) ?? link),
  }));
}

/**
 * The programs of a database that says nothing of linking and compiles some source in several ways: objects of one target, else of one directory, belong together, and make a
 * program where `main` is among them. What is in no such program may be linked to any of them.
 */
function programsBy(
  host: BuildHost,
  file: string,
  known: readonly DatabaseSource[],
  readFiles: Set<string>,
): { readonly sources: readonly CompiledSource[]; readonly targets: readonly BuildTarget[] } {
  if (new Set(known.map(({ path }) => path)).size === known.length) return { sources: known, targets: [] };
  const groups = new Map<string, DatabaseSource[]>();
  for (const source of known) {
    const name = source.target ?? source.objectDirectory ?? nameOf(file);
    groups.set(name, [...(groups.get(name) ?? []), source]);
  }
  const hasMain = (path: string): boolean => {
    readFiles.add(path);
    return /\bmain\s*\(/.test(host.readText(path) ?? "");
  };
  const mains = new Map([...new Set(known.map(({ path }) => path))].map((path) => [path, hasMain(path)]));
  const isProgram = (group: readonly DatabaseSource[]) => group.some(({ path }) => mains.get(path) === true);
  const parts = [...groups].flatMap(([name, group]) => (isProgram(group) ? [] : [name]));
  const targets = [...groups].map(([name, group]): BuildTarget => {
    const isRoot = isProgram(group);
    return {
      name,
      kind: isRoot ? "executable" : "static-library",
      sources: [...new Set(group.map(({ path }) => path))],
      links: isRoot ? parts : [],
      origin: { file, line: 1 },
    };
  });
  const sources = [...groups].flatMap(([name, group]) => group.map((source) => withTarget(source, name)));
  return { sources, targets };
}

/** Flags stay unread. */
function withTarget(source: CompiledSource, target: string): CompiledSource {
  const { path, language } = source;
  return {
    path,
    language,
    target,
    get flags() {
      return source.flags;
    },
  };
}

function makefileTargets(
  host: BuildHost,
  sources: readonly CompiledSource[],
  entries: readonly Entry[],
  moved: MovedTree,
  readFiles: Set<string>,
): BuildTarget[] {
  const directories = new Set(entries.map(({ directory }) => moved.path(directory)));
  const bySources = new Map<string, Set<string>>();
  for (const { target, path } of sources) {
    if (target !== null) bySources.set(target, (bySources.get(target) ?? new Set()).add(path));
  }
  const links = new Map<string, CompilerCommand>();
  for (const [target] of bySources) {
    for (const directory of directories) {
      const file = resolvePath(directory, `CMakeFiles/${target}.dir/link.txt`);
      const text = host.readText(file);
      if (text === null) continue;
      readFiles.add(file);
      const { commands } = readShellLine(host, text, directory, { file, line: 1 });
      const link = commands.find((command) => command.link !== null);
      if (link !== undefined) links.set(target, link);
    }
  }
  const byOutput = new Map([...links].map(([target, { output }]) => [output, target]));
  return [...bySources].flatMap(([name, paths]): BuildTarget[] => {
    const command = links.get(name);
    if (command?.link == null) return [];
    const { kind } = command.link;
    const linked = command.link.inputs.flatMap((input) => byOutput.get(input) ?? []);
    return [
      {
        name,
        kind: kind === "shared-library" || kind === "static-library" ? kind : "executable",
        sources: [...paths],
        links: [...new Set(linked)],
        origin: command.origin,
      },
    ];
  });
}
