// Commands that make targets and say what belongs to them.
import { resolvePath } from "../../../text/path.ts";
import type { Argument, Call, Interpreter } from "../interpreter.ts";
import type { Entry, Target } from "../state.ts";
import { isFalseConstant } from "../state.ts";
import { hasUnknown } from "../unknown.ts";
import { type Command, type CommandTable, entriesOfArguments } from "./command.ts";
import { absolute, withoutD } from "./directories.ts";

export const targetCommands: CommandTable = [
  ["add_executable", addExecutable],
  ["add_library", addLibrary],
  ["add_custom_target", () => undefined],
  ["add_dependencies", () => undefined],
  ["target_sources", targetSources],
  ["target_compile_definitions", forScopes("COMPILE_DEFINITIONS", (_, entries) => entries.map(withoutD))],
  ["target_compile_options", forScopes("COMPILE_OPTIONS", (_, entries) => entries)],
  ["target_compile_features", forScopes("COMPILE_FEATURES", (_, entries) => entries)],
  ["target_include_directories", forScopes("INCLUDE_DIRECTORIES", absolute)],
  ["target_precompile_headers", forScopes("PRECOMPILE_HEADERS", precompiled)],
  ["target_link_libraries", targetLinkLibraries],
  ["target_link_options", () => undefined],
  ["target_link_directories", () => undefined],
  ["link_directories", () => undefined],
  ["add_link_options", () => undefined],
];

/** Properties that a target takes from the variable `CMAKE_<name>` when it is made. */
const fromVariables = [
  "C_STANDARD",
  "C_STANDARD_REQUIRED",
  "C_EXTENSIONS",
  "CXX_STANDARD",
  "CXX_STANDARD_REQUIRED",
  "CXX_EXTENSIONS",
  "CUDA_STANDARD",
  "CUDA_STANDARD_REQUIRED",
  "CUDA_EXTENSIONS",
  "CUDA_ARCHITECTURES",
  "CUDA_SEPARABLE_COMPILATION",
  "ENABLE_EXPORTS",
  "NO_SYSTEM_FROM_IMPORTED",
  "DISABLE_PRECOMPILE_HEADERS",
];

/** Makes a target that compiles something, with what its directory and variables say at this moment. */
export function makeCompiledTarget(
  cmake: Interpreter,
  call: Call,
  name: string,
  type: string,
  sources: readonly Argument[],
): Target {
  const target = cmake.makeTarget(name, type, call.origin);
  const { properties } = cmake.directory;
  for (const property of [
    "INCLUDE_DIRECTORIES",
    "SYSTEM_INCLUDE_DIRECTORIES",
    "COMPILE_OPTIONS",
    "LINK_LIBRARIES",
  ]) {
    const value = properties.get(property);
    if (value !== undefined && type !== "INTERFACE_LIBRARY") {
      cmake.journal.put(target.properties, property, value);
      if (property === "LINK_LIBRARIES")
        cmake.journal.put(target.properties, "INTERFACE_LINK_LIBRARIES", value);
    }
  }
  for (const property of fromVariables) {
    const variable = cmake.variable(`CMAKE_${property}`);
    if (variable === null) continue;
    const origin = variable.pieces.at(-1)?.origin ?? call.origin;
    cmake.put(target.properties, property, [{ text: variable.text, origin, doubt: null }]);
  }
  addSources(cmake, target, sources);
  return target;
}

function addSources(cmake: Interpreter, target: Target, args: readonly Argument[]): void {
  const entries = entriesOfArguments(cmake, args).map((entry) => ({
    ...entry,
    text: sourcePath(cmake, entry.text),
  }));
  cmake.append(target.properties, "SOURCES", entries);
}

/** Where a source lies: below the source directory, else below the binary one, where something is known to make it. */
export function sourcePath(cmake: Interpreter, text: string): string {
  if (text.startsWith("$<") || text.startsWith("/") || text.startsWith("\uE000")) return text;
  if (/[\uE000]/.test(text)) return `${cmake.directory.source}/${text}`;
  const own = resolvePath(cmake.directory.source, text);
  if (cmake.kindOf(own) === "file") return own;
  const made = resolvePath(cmake.directory.binary, text);
  return cmake.writtenFiles.has(made) ? made : own;
}

function addExecutable(cmake: Interpreter, call: Call): undefined {
  const [name, ...rest] = call.args;
  if (name === undefined) return undefined;
  if (rest[0]?.text === "ALIAS") cmake.aliases.set(name.text, rest[1]?.text ?? "");
  else if (rest[0]?.text === "IMPORTED") makeImported(cmake, call, name.text, "EXECUTABLE");
  else {
    const options = new Set(["WIN32", "MACOSX_BUNDLE", "EXCLUDE_FROM_ALL"]);
    const sources = rest.filter((arg) => !options.has(arg.text));
    makeCompiledTarget(cmake, call, name.text, "EXECUTABLE", sources);
  }
  return undefined;
}

const libraryTypes = new Set(["STATIC", "SHARED", "MODULE", "OBJECT", "INTERFACE", "UNKNOWN"]);

function addLibrary(cmake: Interpreter, call: Call): undefined {
  const [name, ...rest] = call.args;
  if (name === undefined) return undefined;
  let type: string | null = null;
  let isImported = false;
  const sources: Argument[] = [];
  for (const [at, arg] of rest.entries()) {
    if (arg.text === "ALIAS" && at === 0) {
      cmake.aliases.set(name.text, rest[1]?.text ?? "");
      return undefined;
    }
    if (type === null && sources.length === 0 && libraryTypes.has(arg.text)) type = arg.text;
    else if (arg.text === "IMPORTED" && sources.length === 0) isImported = true;
    else if (arg.text !== "GLOBAL" && arg.text !== "EXCLUDE_FROM_ALL") sources.push(arg);
  }
  if (isImported) makeImported(cmake, call, name.text, `${type ?? "UNKNOWN"}_LIBRARY`);
  else makeCompiledTarget(cmake, call, name.text, `${type ?? defaultLibraryType(cmake)}_LIBRARY`, sources);
  return undefined;
}

function defaultLibraryType(cmake: Interpreter): string {
  const shared = cmake.text("BUILD_SHARED_LIBS");
  return isFalseConstant(shared) || hasUnknown(shared) ? "STATIC" : "SHARED";
}

function makeImported(cmake: Interpreter, call: Call, name: string, type: string): void {
  const target = cmake.makeTarget(name, type, call.origin);
  cmake.put(target.properties, "IMPORTED", [{ text: "TRUE", origin: call.origin, doubt: null }]);
}

/** The target that a command names first; what is not known of it is told. */
function targetOf(cmake: Interpreter, call: Call): Target | null {
  const name = call.args[0]?.text ?? "";
  const found = cmake.findTarget(name);
  if (found !== null && "target" in found) return found.target;
  cmake.note(
    `${call.name}(${name})`,
    found?.unknown ?? `there is no target ${cmake.shown(name)}`,
    call.origin,
  );
  return null;
}

type Scope = "PRIVATE" | "PUBLIC" | "INTERFACE";

/** Arguments behind the target's name, by scope and in order. */
function* scoped(
  args: readonly Argument[],
  options: ReadonlySet<string>,
): Generator<{ scope: Scope; args: readonly Argument[]; options: ReadonlySet<string> }> {
  const found = new Set<string>();
  let scope: Scope = "PRIVATE";
  let current: Argument[] = [];
  for (const arg of args) {
    const isScope = arg.text === "PRIVATE" || arg.text === "PUBLIC" || arg.text === "INTERFACE";
    if (options.has(arg.text)) found.add(arg.text);
    else if (isScope) {
      if (current.length > 0) yield { scope, args: current, options: found };
      scope = arg.text as Scope;
      current = [];
    } else current.push(arg);
  }
  if (current.length > 0) yield { scope, args: current, options: found };
}

const scopeOptions = new Set(["SYSTEM", "BEFORE", "AFTER"]);

function forScopes(
  property: string,
  prepare: (cmake: Interpreter, entries: readonly Entry[]) => readonly Entry[],
): Command {
  return (cmake, call) => {
    const target = targetOf(cmake, call);
    if (target === null) return undefined;
    for (const part of scoped(call.args.slice(1), scopeOptions)) {
      const entries = prepare(cmake, entriesOfArguments(cmake, part.args));
      const place = part.options.has("BEFORE") ? "before" : "behind";
      if (part.scope !== "INTERFACE") cmake.append(target.properties, property, entries, place);
      if (part.scope !== "PRIVATE") cmake.append(target.properties, `INTERFACE_${property}`, entries, place);
      if (!part.options.has("SYSTEM")) continue;
      if (part.scope !== "INTERFACE") cmake.append(target.properties, "SYSTEM_INCLUDE_DIRECTORIES", entries);
      if (part.scope !== "PRIVATE") {
        cmake.append(target.properties, "INTERFACE_SYSTEM_INCLUDE_DIRECTORIES", entries);
      }
    }
    return undefined;
  };
}

function precompiled(cmake: Interpreter, entries: readonly Entry[]): readonly Entry[] {
  return entries
    .filter(({ text }) => text !== "REUSE_FROM")
    .map((entry) =>
      /^[<"$]/.test(entry.text) ? entry : { ...entry, text: resolvePath(cmake.directory.source, entry.text) },
    );
}

function targetSources(cmake: Interpreter, call: Call): undefined {
  const target = targetOf(cmake, call);
  if (target === null) return undefined;
  for (const part of scoped(call.args.slice(1), new Set())) {
    if (part.args[0]?.text === "FILE_SET") {
      fileSet(cmake, target, part.scope, part.args);
      continue;
    }
    if (part.scope !== "INTERFACE") addSources(cmake, target, part.args);
    if (part.scope !== "PRIVATE") {
      const entries = entriesOfArguments(cmake, part.args);
      cmake.append(
        target.properties,
        "INTERFACE_SOURCES",
        entries.map((entry) => ({ ...entry, text: sourcePath(cmake, entry.text) })),
      );
    }
  }
  return undefined;
}

/** `FILE_SET HEADERS BASE_DIRS … FILES …`: the base directories are searched for headers. */
function fileSet(cmake: Interpreter, target: Target, scope: Scope, args: readonly Argument[]): void {
  const baseAt = args.findIndex(({ text }) => text === "BASE_DIRS");
  const filesAt = args.findIndex(({ text }) => text === "FILES");
  const typeAt = args.findIndex(({ text }) => text === "TYPE");
  const type = typeAt < 0 ? args[1]?.text : args[typeAt + 1]?.text;
  if (type !== "HEADERS") return;
  const bases = baseAt < 0 ? [] : args.slice(baseAt + 1, filesAt > baseAt ? filesAt : undefined);
  const first = args[0];
  const entries =
    bases.length > 0 || first === undefined
      ? absolute(cmake, entriesOfArguments(cmake, bases))
      : [{ text: cmake.directory.source, origin: first.origin, doubt: null }];
  if (scope !== "INTERFACE") cmake.append(target.properties, "INCLUDE_DIRECTORIES", entries);
  if (scope !== "PRIVATE") cmake.append(target.properties, "INTERFACE_INCLUDE_DIRECTORIES", entries);
}

const linkScopes: ReadonlyMap<string, Scope> = new Map([
  ["PRIVATE", "PRIVATE"],
  ["LINK_PRIVATE", "PRIVATE"],
  ["PUBLIC", "PUBLIC"],
  ["LINK_PUBLIC", "PUBLIC"],
  ["INTERFACE", "INTERFACE"],
  ["LINK_INTERFACE_LIBRARIES", "INTERFACE"],
]);

function targetLinkLibraries(cmake: Interpreter, call: Call): undefined {
  const target = targetOf(cmake, call);
  if (target === null) return undefined;
  let scope: Scope = "PUBLIC";
  let kind = "general";
  for (const entry of entriesOfArguments(cmake, call.args.slice(1))) {
    const named = linkScopes.get(entry.text);
    if (named !== undefined) scope = named;
    else if (/^(?:debug|optimized|general)$/.test(entry.text)) kind = entry.text;
    else {
      const text =
        kind === "debug"
          ? `$<$<CONFIG:Debug>:${entry.text}>`
          : kind === "optimized"
            ? `$<$<NOT:$<CONFIG:Debug>>:${entry.text}>`
            : entry.text;
      kind = "general";
      const item = { ...entry, text };
      if (scope !== "INTERFACE") cmake.append(target.properties, "LINK_LIBRARIES", [item]);
      if (scope !== "PRIVATE") cmake.append(target.properties, "INTERFACE_LINK_LIBRARIES", [item]);
    }
  }
  return undefined;
}

/** Names of targets of the directory, for `BUILDSYSTEM_TARGETS`. */
export function targetsOf(cmake: Interpreter, source: string): readonly string[] {
  return [...cmake.targets.values()]
    .filter(
      (target) =>
        target.directory.source === source &&
        target.properties.has("TYPE") &&
        !target.properties.has("IMPORTED"),
    )
    .map(({ name }) => name);
}
