// Commands that say something of all targets of a directory.
import type { Argument, Call, Interpreter } from "../interpreter.ts";
import type { Entry } from "../state.ts";
import { type CommandTable, entriesOfArguments, textsOf } from "./command.ts";

export const directoryCommands: CommandTable = [
  ["add_definitions", addDefinitions],
  ["remove_definitions", removeDefinitions],
  ["add_compile_definitions", addCompileDefinitions],
  ["add_compile_options", addCompileOptions],
  ["include_directories", includeDirectories],
  ["cuda_include_directories", cudaIncludeDirectories],
  ["link_libraries", linkLibraries],
];

/** The words of `add_definitions` that are no definitions. */
export const defineFlags = "(define flags)";

const definition = /^[-/]D[A-Za-z_]\w*(?:=.*)?$/s;

function addDefinitions(cmake: Interpreter, call: Call): undefined {
  for (const entry of entriesOfArguments(cmake, call.args)) {
    const text = cmake.unknowns.bare(entry.text);
    if (definition.test(text)) {
      cmake.append(cmake.directory.properties, "COMPILE_DEFINITIONS", [
        { ...entry, text: entry.text.slice(2) },
      ]);
    } else cmake.append(cmake.directory.properties, defineFlags, [entry]);
  }
  return undefined;
}

function removeDefinitions(cmake: Interpreter, call: Call): undefined {
  const removed = new Set(call.args.map(({ text }) => text.replace(/^[-/]D/, "")));
  const { properties } = cmake.directory;
  const before = properties.get("COMPILE_DEFINITIONS");
  if (before?.kind === "property") {
    cmake.put(
      properties,
      "COMPILE_DEFINITIONS",
      before.entries.filter(({ text }) => !removed.has(text)),
    );
  }
  return undefined;
}

/** A definition without the `-D` that people write in front of it. */
export function withoutD(entry: Entry): Entry {
  return entry.text.startsWith("-D") ? { ...entry, text: entry.text.slice(2) } : entry;
}

function addCompileDefinitions(cmake: Interpreter, call: Call): undefined {
  const entries = entriesOfArguments(cmake, call.args).map(withoutD);
  cmake.append(cmake.directory.properties, "COMPILE_DEFINITIONS", entries);
  return undefined;
}

function addCompileOptions(cmake: Interpreter, call: Call): undefined {
  cmake.append(cmake.directory.properties, "COMPILE_OPTIONS", entriesOfArguments(cmake, call.args));
  return undefined;
}

function includeDirectories(cmake: Interpreter, call: Call): undefined {
  const [first] = textsOf(call);
  const isPlaced = first === "BEFORE" || first === "AFTER";
  const isBefore = isPlaced
    ? first === "BEFORE"
    : /^(?:on|1|true|yes)$/i.test(cmake.text("CMAKE_INCLUDE_DIRECTORIES_BEFORE"));
  const place = isBefore ? "before" : "behind";
  let isSystem = false;
  const args: Argument[] = [];
  /** Those that stand behind SYSTEM. */
  const systemArgs: Argument[] = [];
  for (const arg of isPlaced ? call.args.slice(1) : call.args) {
    if (arg.text === "SYSTEM") isSystem = true;
    else {
      args.push(arg);
      if (isSystem) systemArgs.push(arg);
    }
  }
  // Each argument goes before what is there: the last one is searched first.
  const inOrder = isBefore ? args.toReversed() : args;
  const entries = absolute(cmake, entriesOfArguments(cmake, inOrder));
  const systemEntries = absolute(cmake, entriesOfArguments(cmake, systemArgs));
  cmake.append(cmake.directory.properties, "INCLUDE_DIRECTORIES", entries, place);
  // Targets of the directory that are there already search them as well.
  for (const target of cmake.targets.values()) {
    const type = cmake.propertyText(target.properties, "TYPE");
    if (target.directory !== cmake.directory || type === null || type === "INTERFACE_LIBRARY") continue;
    if (target.properties.has("IMPORTED")) continue;
    cmake.append(target.properties, "INCLUDE_DIRECTORIES", entries, place);
    if (isSystem) cmake.append(target.properties, "SYSTEM_INCLUDE_DIRECTORIES", systemEntries);
  }
  if (isSystem) cmake.append(cmake.directory.properties, "SYSTEM_INCLUDE_DIRECTORIES", systemEntries);
  return undefined;
}

function cudaIncludeDirectories(cmake: Interpreter, call: Call): undefined {
  const entries = absolute(cmake, entriesOfArguments(cmake, call.args));
  cmake.append(cmake.directory.properties, "(cuda include directories)", entries);
  return undefined;
}

/** Paths as seen from the directory that is being read. */
export function absolute(cmake: Interpreter, entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) => ({ ...entry, text: cmake.pathOf(entry.text) }));
}

function linkLibraries(cmake: Interpreter, call: Call): undefined {
  cmake.append(cmake.directory.properties, "LINK_LIBRARIES", entriesOfArguments(cmake, call.args));
  return undefined;
}
