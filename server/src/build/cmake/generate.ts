// From what the commands left to what each source is compiled with.
import { resolvePath } from "../../text/path.ts";
import { readCompilerFlags } from "../arguments.ts";
import type { CommandWord } from "../command/command.ts";
import type { BuildTarget, CompiledSource, CompileFlags, GeneratedFile, Unresolved } from "../flags.ts";
import { defineFlags } from "./commands/directories.ts";
import { cudaOptions } from "./commands/legacy-cuda.ts";
import { wordOf, wordsOfFlags, wordsOfOption } from "./flag-words.ts";
import { evaluateExpression } from "./genex.ts";
import type { Interpreter } from "./interpreter.ts";
import { standardFlag } from "./standard.ts";
import {
  type Entry,
  entriesOf,
  isFalseConstant,
  isTrueConstant,
  propertyText,
  type Target,
  type Values,
} from "./state.ts";
import { isOfToolkit } from "./toolchain.ts";
import { hasUnknown, replaceMarks, splitList } from "./unknown.ts";
import { Usage, type UsedEntry } from "./usage.ts";

export type Language = "C" | "CXX" | "CUDA";

export interface Generated {
  readonly sources: readonly CompiledSource[];
  readonly targets: readonly BuildTarget[];
  readonly generatedFiles: readonly GeneratedFile[];
}

const compiledTypes = new Set([
  "EXECUTABLE",
  "STATIC_LIBRARY",
  "SHARED_LIBRARY",
  "MODULE_LIBRARY",
  "OBJECT_LIBRARY",
]);
const mostSources = 60_000;

/** All targets with their sources, as CMake's generators would write them. */
export function generate(cmake: Interpreter): Generated {
  return new Generator(cmake).generate();
}

class Generator {
  private readonly cmake: Interpreter;
  private readonly usage: Usage;
  private readonly flags = new Map<string, CompileFlags>();
  private readonly precompiled = new Map<string, GeneratedFile>();
  private readonly sources: CompiledSource[] = [];

  constructor(cmake: Interpreter) {
    this.cmake = cmake;
    this.usage = new Usage(cmake, (target) => configurationOf(cmake, target));
  }

  generate(): Generated {
    const targets: BuildTarget[] = [];
    for (const target of this.cmake.targets.values()) {
      if (!target.properties.has("TYPE") || target.properties.has("IMPORTED")) continue;
      targets.push(this.target(target));
    }
    const generatedFiles = [...this.cmake.writtenFiles].flatMap(([path, file]) =>
      this.generatedFile(path, file),
    );
    return {
      sources: this.sources,
      targets,
      generatedFiles: [...generatedFiles, ...this.precompiled.values()],
    };
  }

  private generatedFile(path: string, file: ReturnType<Values["get"]>): readonly GeneratedFile[] {
    const isSource = /\.(?:h|hh|hpp|hxx|cuh|inl|inc|cu|c|cc|cpp|cxx)$/i.test(path) || !/\.[^/]*$/.test(path);
    if (file?.kind !== "file" || !isSource || file.text.length > 2_000_000) return [];
    return [{ path, text: replaceMarks(file.text, () => "unknown"), origin: file.origin }];
  }

  private target(target: Target): BuildTarget {
    const type = entriesOf(target.properties.get("TYPE")).at(-1)?.text ?? "";
    const compiled: string[] = [];
    if (compiledTypes.has(type)) {
      const seen = new Set<string>();
      for (const entry of this.usage.entries(target, "SOURCES", "")) {
        const path = this.sourceOf(entry);
        if (path === null || seen.has(path) || this.sources.length >= mostSources) continue;
        seen.add(path);
        const language = this.languageOf(target, path);
        if (language === null) continue;
        compiled.push(path);
        this.sources.push({
          path,
          language: language === "CUDA" ? "cuda" : language === "CXX" ? "c++" : "c",
          target: target.name,
          flags: this.flagsOf(target, type, language, path, entry),
        });
      }
    }
    const links = this.usage.linked(
      target,
      type === "INTERFACE_LIBRARY" ? "INTERFACE_LINK_LIBRARIES" : "LINK_LIBRARIES",
    );
    const objects = entriesOf(target.properties.get("SOURCES")).flatMap(
      ({ text }) => /^\$<TARGET_OBJECTS:(.*)>$/.exec(text)?.[1] ?? [],
    );
    const names = [
      ...links.flatMap((item) =>
        item.target === null || item.target.properties.has("IMPORTED") ? [] : [item.name],
      ),
      ...objects.map((name) => this.cmake.aliases.get(name) ?? name),
    ];
    return {
      name: target.name,
      kind: kindOf(type),
      sources: compiled,
      links: [...new Set(names)],
      origin: target.origin,
    };
  }

  private sourceOf(entry: UsedEntry): string | null {
    if (hasUnknown(entry.text) || entry.text === "") return null;
    return resolvePath(entry.of.directory.source, entry.text);
  }

  private languageOf(target: Target, path: string): Language | null {
    const properties = this.cmake.knownPropertiesOfSource(path, target.directory);
    const own =
      properties === undefined ? null : propertyText(properties.get("LANGUAGE"), this.cmake.unknowns);
    if (properties !== undefined) {
      const header = propertyText(properties.get("HEADER_FILE_ONLY"), this.cmake.unknowns);
      if (header !== null && !isFalseConstant(header)) return null;
    }
    const { languages } = this.cmake;
    if (own !== null)
      return (own === "CUDA" || own === "CXX" || own === "C") && languages.has(own) ? own : null;
    const isLegacy = target.properties.has(cudaOptions);
    const extension = /\.([^./]+)$/.exec(path)?.[1] ?? "";
    if (extension === "cu") return languages.has("CUDA") || isLegacy ? "CUDA" : null;
    if (/^(?:C|M|c\+\+|cc|cpp|cxx|mm|mpp|CPP|ixx|cppm)$/.test(extension))
      return languages.has("CXX") ? "CXX" : null;
    return extension === "c" ? (languages.has("C") ? "C" : null) : null;
  }

  private flagsOf(
    target: Target,
    type: string,
    language: Language,
    path: string,
    entry: UsedEntry,
  ): CompileFlags {
    const properties = this.cmake.knownPropertiesOfSource(path, target.directory);
    const isOwn = properties !== undefined && sourceFlags.some((name) => properties.has(name));
    const key = `${target.name}\n${language}\n${isOwn ? path : ""}\n${entry.doubt ?? ""}`;
    const before = this.flags.get(key);
    if (before !== undefined) return before;
    const words = this.words(target, type, language, isOwn ? properties : null);
    const dialect = language === "CUDA" ? "nvcc" : "gcc";
    const read = readCompilerFlags(this.cmake.host, words, target.directory.binary, dialect).flags;
    const flags: CompileFlags = {
      ...read,
      macros: settled(read.macros),
      unresolved: [...read.unresolved, ...this.unresolvedOf(target, entry)],
    };
    this.flags.set(key, flags);
    return flags;
  }

  private unresolvedOf(target: Target, entry: UsedEntry): readonly Unresolved[] {
    const result: Unresolved[] = [];
    const { cmake } = this;
    if (entry.doubt !== null) {
      result.push({
        what: cmake.shown(entry.text),
        reason: `whether it is compiled is not known: ${cmake.shown(entry.doubt)}`,
        origin: entry.origin,
      });
    }
    const type = entriesOf(target.properties.get("TYPE")).at(-1);
    if (type?.doubt != null) {
      result.push({
        what: target.name,
        reason: `whether the target is made is not known: ${cmake.shown(type.doubt)}`,
        origin: target.origin,
      });
    }
    for (const item of this.usage.closure(target)) {
      if (item.unknown !== null && !/^CUDA::/.test(item.name)) {
        result.push({ what: item.name, reason: cmake.shown(item.unknown), origin: item.entry.origin });
      }
    }
    for (const { text, origin } of entriesOf(target.properties.get("(unknown)"))) {
      result.push({ what: text, reason: "what the command gives to the compiler is not known", origin });
    }
    return result;
  }

  private words(
    target: Target,
    type: string,
    language: Language,
    source: Values | null,
  ): readonly CommandWord[] {
    const { cmake } = this;
    const words: CommandWord[] = [];
    const isLegacy = language === "CUDA" && target.properties.has(cudaOptions);
    // Definitions.
    words.push(...this.definitions(target, type, language));
    const context = this.usage.context(target, target, language);
    const ofSource = (name: string): readonly Entry[] =>
      entriesOf(source?.get(name)).flatMap((entry) =>
        cmake.unknowns
          .elements(evaluateExpression(entry.text, context))
          .map(({ text, doubt }) => ({ text, origin: entry.origin, doubt: entry.doubt ?? doubt })),
      );
    words.push(...this.sorted(ofSource("COMPILE_DEFINITIONS").map((entry) => ({ ...entry, of: target }))));
    for (const entry of ofSource("INCLUDE_DIRECTORIES")) {
      if (isOfToolkit(cmake, entry.text)) continue;
      words.push(
        wordOf(cmake, `-I${resolvePath(target.directory.source, entry.text)}`, entry.origin, entry.doubt),
      );
    }
    words.push(...this.includes(target, language, isLegacy));
    // Flags.
    if (isLegacy) words.push(...this.legacyFlags(target));
    else words.push(...this.languageFlags(target, language));
    const { directory } = target;
    for (const entry of entriesOf(directory.properties.get(defineFlags)))
      words.push(...wordsOfOption(cmake, { ...entry, text: `SHELL:${entry.text}` }));
    for (const entry of entriesOf(target.properties.get("COMPILE_FLAGS")))
      words.push(...wordsOfFlags(cmake, evaluateExpression(entry.text, context), [], entry.origin));
    const seen = new Set<string>();
    if (!isLegacy) {
      for (const entry of this.usage.entries(target, "COMPILE_OPTIONS", language)) {
        if (seen.has(entry.text)) continue;
        seen.add(entry.text);
        words.push(...wordsOfOption(cmake, entry));
      }
    }
    const standard = standardFlag(
      cmake,
      target,
      language,
      this.usage.entries(target, "COMPILE_FEATURES", language),
    );
    if (standard !== null) words.push(wordOf(cmake, standard.text, standard.origin, null));
    if (language === "CUDA") {
      const separable = entriesOf(target.properties.get("CUDA_SEPARABLE_COMPILATION")).at(-1);
      if (separable !== undefined && isTrueConstant(separable.text))
        words.push(wordOf(cmake, "-rdc=true", separable.origin, separable.doubt));
    }
    for (const entry of entriesOf(source?.get("COMPILE_FLAGS")))
      words.push(...wordsOfFlags(cmake, evaluateExpression(entry.text, context), [], entry.origin));
    for (const entry of ofSource("COMPILE_OPTIONS")) words.push(...wordsOfOption(cmake, entry));
    words.push(...this.precompiledHeader(target, language, source));
    return words;
  }

  private definitions(target: Target, type: string, language: Language): readonly CommandWord[] {
    const entries: UsedEntry[] = [];
    if (
      type === "SHARED_LIBRARY" ||
      type === "MODULE_LIBRARY" ||
      (type === "EXECUTABLE" && this.isOn(target, "ENABLE_EXPORTS"))
    ) {
      const own = propertyText(target.properties.get("DEFINE_SYMBOL"), this.cmake.unknowns);
      const name = own ?? `${target.name.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(\d)/, "_$1")}_EXPORTS`;
      if (name !== "") entries.push({ text: name, origin: target.origin, doubt: null, of: target });
    }
    entries.push(...this.usage.entries(target, "COMPILE_DEFINITIONS", language));
    const { cmake } = this;
    const context = this.usage.context(target, target, language);
    for (const entry of entriesOf(target.directory.properties.get("COMPILE_DEFINITIONS"))) {
      for (const { text, doubt } of cmake.unknowns.elements(evaluateExpression(entry.text, context))) {
        entries.push({ text, origin: entry.origin, doubt: entry.doubt ?? doubt, of: target });
      }
    }
    return this.sorted(entries);
  }

  private isOn(target: Target, property: string): boolean {
    const text = propertyText(target.properties.get(property), this.cmake.unknowns);
    return text !== null && isTrueConstant(text);
  }

  /** CMake keeps definitions in a set: sorted, each text once. */
  private sorted(entries: readonly UsedEntry[]): readonly CommandWord[] {
    const byText = new Map<string, UsedEntry>();
    for (const entry of entries) {
      const text = entry.text.startsWith("-D") ? entry.text.slice(2) : entry.text;
      if (text === "") continue;
      const before = byText.get(text);
      if (before === undefined || (before.doubt !== null && entry.doubt === null))
        byText.set(text, { ...entry, text });
    }
    const all = [...byText.values()].sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
    return all.map((entry) => wordOf(this.cmake, `-D${entry.text}`, entry.origin, entry.doubt));
  }

  private includes(target: Target, language: Language, isLegacy: boolean): readonly CommandWord[] {
    const { cmake } = this;
    const system = this.systemPaths(target, language);
    const found = new Map<string, UsedEntry>();
    const { directory } = target;
    const current = directory.variables.get("CMAKE_INCLUDE_CURRENT_DIR");
    const entries: UsedEntry[] = [];
    if (current?.kind === "variable" && !isFalseConstant(current.text) && !hasUnknown(current.text)) {
      const origin = current.pieces.at(-1)?.origin ?? target.origin;
      for (const text of [directory.binary, directory.source])
        entries.push({ text, origin, doubt: null, of: target });
    }
    entries.push(...this.usage.entries(target, "INCLUDE_DIRECTORIES", language));
    if (isLegacy) {
      for (const entry of entriesOf(directory.properties.get("(cuda include directories)")))
        entries.push({ ...entry, of: target });
    }
    for (const entry of entries) {
      if (isOfToolkit(cmake, entry.text)) continue;
      const path = hasUnknown(entry.text) ? entry.text : resolvePath(entry.of.directory.source, entry.text);
      if (/^\/usr\/(?:local\/)?include$/.test(path)) continue;
      const before = found.get(path);
      if (before === undefined) found.set(path, { ...entry, text: path });
      else if (before.doubt !== null && entry.doubt === null) found.set(path, { ...before, doubt: null });
    }
    const words = (isSystem: boolean): readonly CommandWord[] =>
      [...found.values()]
        .filter(({ text }) => system.has(text) === isSystem)
        .flatMap((entry) => {
          const word = wordOf(cmake, entry.text, entry.origin, entry.doubt);
          return isSystem
            ? [{ ...word, text: "-isystem", hole: null }, word]
            : [{ ...word, text: `-I${word.text}` }];
        });
    return [...words(false), ...words(true)];
  }

  private systemPaths(target: Target, language: Language): ReadonlySet<string> {
    const paths = new Set<string>();
    const add = (of: Target, property: string): void => {
      const context = this.usage.context(target, of, language);
      for (const entry of entriesOf(of.properties.get(property))) {
        for (const path of splitList(evaluateExpression(entry.text, context))) {
          paths.add(hasUnknown(path) ? path : resolvePath(of.directory.source, path));
        }
      }
    };
    add(target, "SYSTEM_INCLUDE_DIRECTORIES");
    const isPlain = this.isOn(target, "NO_SYSTEM_FROM_IMPORTED");
    for (const item of this.usage.closure(target)) {
      if (item.target === null) continue;
      add(item.target, "INTERFACE_SYSTEM_INCLUDE_DIRECTORIES");
      const isImported = item.target.properties.has("IMPORTED") && !isPlain;
      if (isImported || this.isOn(item.target, "SYSTEM")) add(item.target, "INTERFACE_INCLUDE_DIRECTORIES");
    }
    return paths;
  }

  /** `CMAKE_<LANG>_FLAGS`, those of the configuration, and for CUDA the architectures. */
  private languageFlags(target: Target, language: Language): readonly CommandWord[] {
    const words: CommandWord[] = [];
    const configuration = configurationOf(this.cmake, target).toUpperCase();
    words.push(...this.variableFlags(target, `CMAKE_${language}_FLAGS`));
    if (configuration !== "")
      words.push(...this.variableFlags(target, `CMAKE_${language}_FLAGS_${configuration}`));
    if (language === "CUDA") words.push(...this.architectures(target));
    return words;
  }

  private variableFlags(target: Target, name: string): readonly CommandWord[] {
    const value = target.directory.variables.get(name) ?? this.cmake.cache.get(name);
    if (value?.kind !== "variable") return [];
    return wordsOfFlags(this.cmake, value.text, value.pieces, target.origin);
  }

  private architectures(target: Target): readonly CommandWord[] {
    const { cmake } = this;
    const words: CommandWord[] = [];
    for (const entry of entriesOf(target.properties.get("CUDA_ARCHITECTURES"))) {
      for (const { text, doubt } of cmake.unknowns.elements(
        evaluateExpression(entry.text, this.usage.context(target, target, "CUDA")),
      )) {
        if (isFalseConstant(text)) continue;
        const reason = cmake.unknowns.reasonOf(text) ?? entry.doubt ?? doubt;
        const shown = replaceMarks(text, () => "$");
        if (/^(?:all|all-major|native)$/.test(text)) {
          words.push({ text: `-arch=${text}`, origin: entry.origin, hole: reason, doubt: null });
          continue;
        }
        const [number = "", kind] = shown.split("-");
        const code =
          kind === "virtual"
            ? `compute_${number}`
            : kind === "real"
              ? `sm_${number}`
              : `compute_${number},sm_${number}`;
        words.push({
          text: `--generate-code=arch=compute_${number},code=[${code}]`,
          origin: entry.origin,
          hole: reason,
          doubt: null,
        });
      }
    }
    return words;
  }

  /** FindCUDA hands the host's flags on, and its own. */
  private legacyFlags(target: Target): readonly CommandWord[] {
    const { cmake } = this;
    const host = this.variableFlags(target, "CMAKE_CXX_FLAGS").filter(
      ({ text }) => !text.startsWith("-std="),
    );
    const own = entriesOf(target.properties.get(cudaOptions)).flatMap((entry) =>
      wordsOfFlags(cmake, entry.text, [], entry.origin).map((word) => ({
        ...word,
        doubt: word.doubt ?? entry.doubt,
      })),
    );
    const configuration = configurationOf(this.cmake, target).toUpperCase();
    const ofConfiguration =
      configuration === "" ? [] : this.variableFlags(target, `CMAKE_CXX_FLAGS_${configuration}`);
    return [...[...host, ...ofConfiguration].filter(({ text }) => /^-[DUI]/.test(text)), ...own];
  }

  private precompiledHeader(
    target: Target,
    language: Language,
    source: Values | null,
  ): readonly CommandWord[] {
    if (language === "CUDA") return [];
    const entries = this.usage.entries(target, "PRECOMPILE_HEADERS", language);
    const skipped =
      source === null ? null : propertyText(source.get("SKIP_PRECOMPILE_HEADERS"), this.cmake.unknowns);
    const first = entries[0];
    if (
      first === undefined ||
      (skipped !== null && !isFalseConstant(skipped)) ||
      this.isOn(target, "DISABLE_PRECOMPILE_HEADERS")
    )
      return [];
    const path = `${target.directory.binary}/CMakeFiles/${target.name}.dir/cmake_pch.${language === "C" ? "h" : "hxx"}`;
    const lines = entries.map(({ text }) => `#include ${/^[<"]/.test(text) ? text : `"${text}"`}`);
    const text = replaceMarks(`${lines.join("\n")}\n`, () => "unknown");
    this.precompiled.set(path, { path, text, origin: first.origin });
    return [wordOf(this.cmake, "-include", first.origin, null), wordOf(this.cmake, path, first.origin, null)];
  }
}

const sourceFlags = [
  "COMPILE_DEFINITIONS",
  "COMPILE_OPTIONS",
  "COMPILE_FLAGS",
  "INCLUDE_DIRECTORIES",
  "SKIP_PRECOMPILE_HEADERS",
];

function configurationOf(cmake: Interpreter, target: Target): string {
  const value = target.directory.variables.get("CMAKE_BUILD_TYPE") ?? cmake.cache.get("CMAKE_BUILD_TYPE");
  return value?.kind === "variable" && !hasUnknown(value.text) ? value.text : "";
}

function kindOf(type: string): BuildTarget["kind"] {
  switch (type) {
    case "EXECUTABLE":
      return "executable";
    case "SHARED_LIBRARY":
    case "MODULE_LIBRARY":
      return "shared-library";
    case "OBJECT_LIBRARY":
      return "object-library";
    case "INTERFACE_LIBRARY":
      return "interface";
    default:
      return "static-library";
  }
}

/** One macro that is given several values, each of them doubtful, has a value that is not known. */
function settled(macros: CompileFlags["macros"]): CompileFlags["macros"] {
  const doubtful = new Map<string, Set<string>>();
  for (const macro of macros) {
    if (macro.doubt === null) continue;
    const values = doubtful.get(macro.name) ?? new Set();
    doubtful.set(macro.name, values.add(macro.value ?? ""));
  }
  const done = new Set<string>();
  return macros.flatMap((macro) => {
    if (macro.doubt === null || (doubtful.get(macro.name)?.size ?? 0) < 2) return [macro];
    if (done.has(macro.name)) return [];
    done.add(macro.name);
    return [{ ...macro, value: null }];
  });
}
