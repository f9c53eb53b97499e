// Commands that set and read properties of targets, sources, directories and the whole project.
import { resolvePath } from "../../../text/path.ts";
import type { Argument, Call, Interpreter } from "../interpreter.ts";
import { type Directory, type Entry, entriesOf, type Values } from "../state.ts";
import { hasUnknown } from "../unknown.ts";
import { type CommandTable, entriesOfArguments, textsOf } from "./command.ts";
import { sourcePath, targetsOf } from "./targets.ts";

export const propertyCommands: CommandTable = [
  ["set_target_properties", setTargetProperties],
  ["set_source_files_properties", setSourceProperties],
  ["set_directory_properties", setDirectoryProperties],
  ["set_property", setProperty],
  ["get_property", getProperty],
  ["get_target_property", getTargetProperty],
  ["get_source_file_property", getSourceProperty],
  ["get_directory_property", getDirectoryProperty],
  ["get_cmake_property", getCMakeProperty],
  ["define_property", () => undefined],
  ["set_tests_properties", () => undefined],
  ["get_test_property", () => undefined],
];

/** Pairs of names and values. */
function pairs(args: readonly Argument[]): readonly (readonly [string, Argument])[] {
  const found: (readonly [string, Argument])[] = [];
  for (let at = 0; at + 1 < args.length; at += 2) {
    const [name, value] = [args[at], args[at + 1]];
    if (name !== undefined && value !== undefined) found.push([name.text, value]);
  }
  return found;
}

function split(args: readonly Argument[], word: string): readonly [readonly Argument[], readonly Argument[]] {
  const at = args.findIndex(({ text }) => text === word);
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}

/** Properties of old whose text stands for flags, and is no list. */
const flagTexts = new Set(["COMPILE_FLAGS", "LINK_FLAGS"]);

function valueEntries(cmake: Interpreter, property: string, args: readonly Argument[]): readonly Entry[] {
  if (flagTexts.has(property))
    return args.map((arg) => ({ text: arg.text, origin: arg.origin, doubt: null }));
  return entriesOfArguments(cmake, args);
}

function setTargetProperties(cmake: Interpreter, call: Call): undefined {
  const [names, rest] = split(call.args, "PROPERTIES");
  for (const name of names) {
    const found = cmake.findTarget(name.text);
    if (found === null || "unknown" in found) continue;
    for (const [property, value] of pairs(rest)) {
      cmake.put(
        found.target.properties,
        property,
        prepared(cmake, property, valueEntries(cmake, property, [value])),
      );
    }
  }
  return undefined;
}

/** Paths in a property are those of the directory that is being read; definitions lose their `-D`. */
function prepared(cmake: Interpreter, property: string, entries: readonly Entry[]): readonly Entry[] {
  if (/(?:^|_)INCLUDE_DIRECTORIES$/.test(property)) {
    return entries.map((entry) => ({ ...entry, text: cmake.pathOf(entry.text) }));
  }
  if (property === "SOURCES")
    return entries.map((entry) => ({ ...entry, text: sourcePath(cmake, entry.text) }));
  if (/(?:^|_)COMPILE_DEFINITIONS$/.test(property)) {
    return entries.map((entry) =>
      entry.text.startsWith("-D") ? { ...entry, text: entry.text.slice(2) } : entry,
    );
  }
  return entries;
}

/** `SOURCE… [DIRECTORY dir…] [TARGET_DIRECTORY target…]`: the properties of each source, as the targets of each directory see them. */
function sourcesOf(cmake: Interpreter, args: readonly Argument[]): readonly Values[] {
  const end = args.findIndex(({ text }) => text === "DIRECTORY" || text === "TARGET_DIRECTORY");
  const directories = end < 0 ? [cmake.directory] : directoriesOf(cmake, args.slice(end));
  return args
    .slice(0, end < 0 ? undefined : end)
    .flatMap((arg) => cmake.unknowns.elements(arg.text))
    .filter(({ text }) => !hasUnknown(text))
    .flatMap(({ text }) =>
      directories.map((directory) => cmake.propertiesOfSource(sourcePath(cmake, text), directory)),
    );
}

function directoriesOf(cmake: Interpreter, args: readonly Argument[]): readonly Directory[] {
  let ofTargets = false;
  return args.flatMap(({ text }) => {
    if (text === "DIRECTORY" || text === "TARGET_DIRECTORY") {
      ofTargets = text === "TARGET_DIRECTORY";
      return [];
    }
    const found = ofTargets ? cmake.findTarget(text) : null;
    if (found !== null) return "target" in found ? [found.target.directory] : [];
    return ofTargets ? [] : (cmake.directories.get(resolvePath(cmake.directory.source, text)) ?? []);
  });
}

function setSourceProperties(cmake: Interpreter, call: Call): undefined {
  const [head, rest] = split(call.args, "PROPERTIES");
  for (const source of sourcesOf(cmake, head)) {
    for (const [property, value] of pairs(rest)) {
      cmake.put(source, property, prepared(cmake, property, valueEntries(cmake, property, [value])));
    }
  }
  return undefined;
}

function setDirectoryProperties(cmake: Interpreter, call: Call): undefined {
  const [, rest] = split(call.args, "PROPERTIES");
  for (const [property, value] of pairs(rest)) {
    cmake.put(
      cmake.directory.properties,
      property,
      prepared(cmake, property, valueEntries(cmake, property, [value])),
    );
  }
  return undefined;
}

/** The things that `set_property` and `get_property` name. */
function owners(cmake: Interpreter, kind: string, args: readonly Argument[]): readonly Values[] {
  switch (kind) {
    case "GLOBAL":
      return [cmake.globalProperties];
    case "DIRECTORY": {
      const path =
        args[0] === undefined ? cmake.directory.source : resolvePath(cmake.directory.source, args[0].text);
      const directory = cmake.directories.get(path) ?? (args[0] === undefined ? cmake.directory : undefined);
      return directory === undefined
        ? []
        : [args[0] === undefined ? cmake.directory.properties : directory.properties];
    }
    case "TARGET":
      return args.flatMap((arg) => {
        const found = cmake.findTarget(arg.text);
        return found !== null && "target" in found ? [found.target.properties] : [];
      });
    case "SOURCE":
      return sourcesOf(cmake, args);
    default:
      return [];
  }
}

const modes = new Set(["APPEND", "APPEND_STRING"]);

function setProperty(cmake: Interpreter, call: Call): undefined {
  const [head, rest] = split(call.args, "PROPERTY");
  const kind = head[0]?.text ?? "";
  const names = head.slice(1).filter(({ text }) => !modes.has(text));
  const mode = head.find(({ text }) => modes.has(text))?.text;
  const [property, ...values] = rest;
  if (property === undefined) return undefined;
  if (kind === "CACHE") {
    const value = values.map(({ text }) => text).join(";");
    if (property.text === "VALUE") {
      for (const name of names) cmake.set(name.text, value, call.origin, cmake.cache);
    }
    return undefined;
  }
  const entries = prepared(cmake, property.text, valueEntries(cmake, property.text, values));
  for (const owner of owners(cmake, kind, names)) {
    if (mode === "APPEND") cmake.append(owner, property.text, entries);
    else if (mode === "APPEND_STRING") {
      const before = entriesOf(owner.get(property.text));
      const last = before.at(-1);
      const text = entries.map((entry) => entry.text).join(";");
      const joined =
        last === undefined ? entries : [...before.slice(0, -1), { ...last, text: last.text + text }];
      cmake.put(owner, property.text, joined);
    } else cmake.put(owner, property.text, entries);
  }
  return undefined;
}

function getProperty(cmake: Interpreter, call: Call): undefined {
  const [variable, kind, ...rest] = call.args;
  if (variable === undefined || kind === undefined) return undefined;
  const kindText = kind.text;
  const [head, tail] = split(rest, "PROPERTY");
  const property = tail[0]?.text ?? "";
  const mode = tail[1]?.text;
  const own = special(cmake, kindText, head, property);
  let text: string | null = own;
  if (text === null && kindText === "CACHE") text = cmake.get(head[0]?.text ?? "");
  if (text === null && kindText === "VARIABLE") text = cmake.get(property);
  if (text === null) {
    const owner = owners(cmake, kindText, head)[0];
    text = owner === undefined ? null : cmake.propertyText(owner, property);
    if (owner === undefined && kindText === "TARGET") {
      const found = cmake.findTarget(head[0]?.text ?? "");
      if (found !== null && "unknown" in found) text = cmake.unknown(found.unknown);
    }
  }
  if (mode === "SET" || mode === "DEFINED") cmake.set(variable.text, text === null ? "0" : "1", call.origin);
  else if (text === null) cmake.unset(variable.text);
  else cmake.set(variable.text, text, call.origin);
  return undefined;
}

/** Properties that CMake makes itself. */
function special(
  cmake: Interpreter,
  kind: string,
  names: readonly Argument[],
  property: string,
): string | null {
  if (kind === "GLOBAL") {
    if (property === "ENABLED_LANGUAGES") return [...cmake.languages].join(";");
    if (property === "TARGET_SUPPORTS_SHARED_LIBS") return "TRUE";
    if (property === "GENERATOR_IS_MULTI_CONFIG") return "0";
  }
  if (kind === "TARGET") {
    const found = cmake.findTarget(names[0]?.text ?? "");
    if (found === null || "unknown" in found) return null;
    const { target } = found;
    if (property === "NAME") return target.name;
    if (property === "SOURCE_DIR") return target.directory.source;
    if (property === "BINARY_DIR") return target.directory.binary;
    if (property === "ALIASED_TARGET") return cmake.aliases.get(names[0]?.text ?? "") ?? null;
    if (property === "IMPORTED") return target.properties.has("IMPORTED") ? "TRUE" : "FALSE";
    if (property === "LOCATION" || property === "IMPORTED_LOCATION") {
      return target.properties.has(property) ? null : cmake.unknown(`where ${target.name} lies is not known`);
    }
  }
  if (kind === "DIRECTORY") {
    const source =
      names[0] === undefined ? cmake.directory.source : resolvePath(cmake.directory.source, names[0].text);
    if (property === "BUILDSYSTEM_TARGETS") return targetsOf(cmake, source).join(";");
    if (property === "SUBDIRECTORIES") {
      return [...cmake.directories.values()]
        .filter(({ parent }) => parent?.source === source)
        .map((one) => one.source)
        .join(";");
    }
    if (property === "PARENT_DIRECTORY") return cmake.directories.get(source)?.parent?.source ?? "";
    if (property === "SOURCE_DIR") return source;
    if (property === "BINARY_DIR") return cmake.directories.get(source)?.binary ?? "";
  }
  return null;
}

function getTargetProperty(cmake: Interpreter, call: Call): undefined {
  const [variable = "", , property = ""] = textsOf(call);
  const target = call.args[1];
  if (target === undefined) return undefined;
  const found = cmake.findTarget(target.text);
  let text = special(cmake, "TARGET", [target], property);
  if (text === null && found !== null && "unknown" in found) text = cmake.unknown(found.unknown);
  if (text === null && found !== null && "target" in found) {
    text = cmake.propertyText(found.target.properties, property);
  }
  cmake.set(variable, text ?? `${variable}-NOTFOUND`, call.origin);
  return undefined;
}

function getSourceProperty(cmake: Interpreter, call: Call): undefined {
  const [variable = "", source = ""] = textsOf(call);
  const property = textsOf(call).at(-1) ?? "";
  const text = cmake.propertyText(cmake.propertiesOfSource(sourcePath(cmake, source)), property);
  cmake.set(variable, text ?? "NOTFOUND", call.origin);
  return undefined;
}

function getDirectoryProperty(cmake: Interpreter, call: Call): undefined {
  const [variable = "", ...rest] = textsOf(call);
  const at = rest.indexOf("DIRECTORY");
  const directory = at < 0 ? undefined : call.args[at + 2];
  const names = directory === undefined ? [] : [directory];
  const property = rest.at(-1) ?? "";
  if (rest.at(-2) === "DEFINITION") {
    const path =
      directory === undefined ? cmake.directory.source : resolvePath(cmake.directory.source, directory.text);
    const value = cmake.directories.get(path)?.variables.get(property);
    cmake.set(variable, value?.kind === "variable" ? value.text : "", call.origin);
    return undefined;
  }
  const owner = owners(cmake, "DIRECTORY", names)[0];
  const text = special(cmake, "DIRECTORY", names, property);
  cmake.set(
    variable,
    text ?? (owner === undefined ? "" : (cmake.propertyText(owner, property) ?? "")),
    call.origin,
  );
  return undefined;
}

function getCMakeProperty(cmake: Interpreter, call: Call): undefined {
  const [variable = "", property = ""] = textsOf(call);
  const text =
    property === "VARIABLES"
      ? [...cmake.scope.keys()].sort().join(";")
      : property === "CACHE_VARIABLES"
        ? [...cmake.cache.keys()].sort().join(";")
        : (special(cmake, "GLOBAL", [], property) ?? cmake.propertyText(cmake.globalProperties, property));
  cmake.set(variable, text ?? "NOTFOUND", call.origin);
  return undefined;
}
