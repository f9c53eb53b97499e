// .vscode/c_cpp_properties.json: what an editor's user wrote down for IntelliSense.
import { findNodeAtLocation, type Node, type ParseError, parseTree } from "jsonc-parser";
import { directoryOf, resolvePath } from "../text/path.ts";
import { readCompilerFlags } from "./arguments.ts";
import type { CommandWord } from "./command/command.ts";
import { lineAt, lineStarts } from "./command/lines.ts";
import { readCompileCommands } from "./compile-commands.ts";
import type { BuildDescription, BuildHost, CompileFlags, IncludePath, Unresolved } from "./flags.ts";

/** Directories that "/**" may stand for, all of a configuration's together. */
const maximumDirectories = 256;

/**
 * Reads a c_cpp_properties.json. Of several configurations the first that is named "Linux" is taken, else the first. Where one names a compile_commands.json, its sources are those of
 * this description.
 */
export function readCppProperties(host: BuildHost, file: string): BuildDescription | null {
  const text = host.readText(file);
  const errors: ParseError[] = [];
  const tree = text === null ? undefined : parseTree(text, errors, { allowTrailingComma: true });
  if (text === null || tree === undefined) return null;
  const starts = lineStarts(text);
  const configurations = findNodeAtLocation(tree, ["configurations"])?.children ?? [];
  const configuration =
    configurations.find((one) => findNodeAtLocation(one, ["name"])?.value === "Linux") ?? configurations[0];
  if (configuration === undefined) return null;
  // ".vscode" lies in the folder that ${workspaceFolder} stands for.
  const folder = directoryOf(directoryOf(file));
  const variables = variablesOf(tree, folder);
  const unresolved: Unresolved[] = [];
  const wordsAt = (name: string): CommandWord[] => {
    const node = findNodeAtLocation(configuration, [name]);
    return (node?.type === "array" ? (node.children ?? []) : node === undefined ? [] : [node]).flatMap(
      (one) => wordOf(one, file, variables, starts),
    );
  };
  const known = (word: CommandWord): boolean => {
    if (word.hole !== null) unresolved.push({ what: word.text, reason: word.hole, origin: word.origin });
    return word.hole === null;
  };
  const options = [
    ...wordsAt("defines").map((word) => ({ ...word, text: `-D${word.text}` })),
    ...wordsAt("forcedInclude").map((word) => ({ ...word, text: `-include${word.text}` })),
    ...wordsAt("cppStandard").map((word) => ({ ...word, text: `-std=${word.text}` })),
    ...wordsAt("compilerArgs"),
  ];
  const compiler: unknown = findNodeAtLocation(configuration, ["compilerPath"])?.value;
  const dialect = typeof compiler === "string" && /(?:^|\/)nvcc$/.test(compiler) ? "nvcc" : "gcc";
  const { flags, readFiles } = readCompilerFlags(host, options, folder, dialect);
  const includePaths = includePathsOf(host, wordsAt("includePath").filter(known), folder, unresolved);
  const others: CompileFlags = { ...flags, includePaths: [...flags.includePaths, ...includePaths] };
  const databases = wordsAt("compileCommands")
    .filter(known)
    .map((word) => resolvePath(folder, word.text));
  const read = databases.flatMap((database) => readCompileCommands(host, database) ?? []);
  return {
    kind: "c-cpp-properties",
    file,
    readFiles: [...new Set([file, ...databases, ...readFiles, ...read.flatMap((one) => one.readFiles)])],
    sources: read.flatMap(({ sources }) => sources),
    targets: read.flatMap(({ targets }) => targets),
    generatedFiles: [],
    unresolved: [...unresolved, ...read.flatMap((one) => one.unresolved)],
    others,
  };
}

/** What `${…}` stands for: the editor's own names, then those of the file's "env". */
function variablesOf(tree: Node, folder: string): ReadonlyMap<string, string> {
  const variables = new Map([
    ["workspaceFolder", folder],
    ["workspaceRoot", folder],
    ["workspaceFolderBasename", folder.slice(folder.lastIndexOf("/") + 1)],
  ]);
  for (const property of findNodeAtLocation(tree, ["env"])?.children ?? []) {
    const name: unknown = property.children?.[0]?.value;
    const value: unknown = property.children?.[1]?.value;
    if (typeof name !== "string" || typeof value !== "string") continue;
    const text = value.replace(
      /\$\{(?:env:)?([^}]*)\}/g,
      (whole, key: string) => variables.get(key) ?? whole,
    );
    variables.set(name, text);
  }
  return variables;
}

/** A string of the file with its variables in place; "${default}" stands for nothing. */
function wordOf(
  node: Node,
  file: string,
  variables: ReadonlyMap<string, string>,
  starts: readonly number[],
): CommandWord[] {
  const value: unknown = node.value;
  if (typeof value !== "string" || /^(?:\$\{default\})?$/.test(value)) return [];
  let hole: string | null = null;
  const text = value.replace(/\$\{([^}]*)\}/g, (whole, name: string) => {
    const text = variables.get(name.replace(/^env:/, ""));
    if (text !== undefined) return text;
    hole ??= `${name} is known to the editor alone`;
    return whole;
  });
  return [{ text, origin: { file, line: lineAt(starts, node.offset) }, hole, doubt: null }];
}

function includePathsOf(
  host: BuildHost,
  words: readonly CommandWord[],
  folder: string,
  unresolved: Unresolved[],
): IncludePath[] {
  const found: IncludePath[] = [];
  for (const { text, origin } of words) {
    const base = resolvePath(folder, text.replace(/\/\*\*?$/, "").replace(/^$/, "."));
    found.push({ path: base, kind: "user", doubt: null, origin });
    if (!text.endsWith("/**")) continue;
    const below = [base];
    for (let at = 0; at < below.length; at++) {
      for (const { name, kind } of host.list(below[at] ?? base)) {
        if (kind === "directory" && !/^(?:\..*|node_modules|CMakeFiles)$/.test(name))
          below.push(resolvePath(below[at] ?? base, name));
      }
      if (found.length + below.length > maximumDirectories) break;
    }
    if (found.length + below.length > maximumDirectories) {
      unresolved.push({
        what: text,
        reason: `there are more than ${maximumDirectories} directories`,
        origin,
      });
    } else
      found.push(...below.slice(1).map((path) => ({ path, kind: "user" as const, doubt: null, origin })));
  }
  return found;
}
