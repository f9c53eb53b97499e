// A compiler's command line, as an array of words, to what it compiles under which flags, and what it links.
import { resolvePath } from "../text/path.ts";
import { architecturesOf } from "./command/architectures.ts";
import {
  type CommandWord,
  type CompilerCommand,
  type CompilerDialect,
  unresolvedWord,
} from "./command/command.ts";
import { findCompiler, programName } from "./command/compiler.ts";
import { impliedMacro } from "./command/implied.ts";
import { languageOf, linkKind } from "./command/linking.ts";
import { matchOption, type OptionEffect } from "./command/options.ts";
import { nvccList, optionsFileWords, shellWords } from "./command/words.ts";
import type {
  ArchitectureFlag,
  BuildHost,
  CompiledSource,
  CompileFlags,
  ForcedInclude,
  IncludePath,
  MacroFlag,
  Origin,
  Unresolved,
} from "./flags.ts";

/**
 * What a command does that runs a compiler (behind `env`, `ccache`, `VAR=value` and the like) or `ar`; null where it runs neither. `directory` is where it runs, absolute.
 * Response files are read from `host`.
 */
export function readCompilerCommand(
  host: BuildHost,
  words: readonly CommandWord[],
  directory: string,
): CompilerCommand | null {
  const compiler = findCompiler(words);
  if (compiler === null) return readArchiverCommand(host, words, directory);
  const reading = startReading(host, compiler.dialect, directory);
  readWords(reading, words.slice(compiler.argumentsAt));
  const origin = words[compiler.argumentsAt - 1]?.origin ?? { file: directory, line: 1 };
  return commandOf(reading, origin, compiler.isAlwaysCuda);
}

/** The flags alone of words that hold no compiler: `CMAKE_CUDA_FLAGS`, `copts`. */
export function readCompilerFlags(
  host: BuildHost,
  words: readonly CommandWord[],
  directory: string,
  dialect: CompilerDialect,
): { readonly flags: CompileFlags; readonly readFiles: readonly string[] } {
  const reading = startReading(host, dialect, directory);
  readWords(reading, words);
  return { flags: flagsOf(reading), readFiles: reading.readFiles };
}

/** `path` of a command that runs in `directory`: absolute, normal, with "/" between its parts. */
export function commandPath(directory: string, path: string): string {
  const isWindows = /^[A-Za-z]:/.test(directory) || /^[A-Za-z]:[\\/]/.test(path);
  return resolvePath(directory, isWindows ? path.replaceAll("\\", "/") : path);
}

interface Reading {
  readonly host: BuildHost;
  readonly dialect: CompilerDialect;
  readonly directory: string;
  readonly macros: MacroFlag[];
  /** By name, the first is the last that an option asked for. */
  readonly implied: Map<string, MacroFlag>;
  readonly includePaths: IncludePath[];
  readonly forcedIncludes: { path: string; kind: ForcedInclude["kind"]; origin: Origin }[];
  readonly generated: ArchitectureFlag[];
  architecture: readonly ArchitectureFlag[];
  codes: readonly ArchitectureFlag[];
  standard: CompileFlags["standard"];
  isRelocatable: boolean;
  readonly unresolved: Unresolved[];
  readonly inputs: { readonly word: CommandWord; readonly language: string | null }[];
  language: string | null;
  output: CommandWord | null;
  outputDirectory: string | null;
  readonly actions: Set<string>;
  readonly libraries: string[];
  readonly libraryPaths: string[];
  readonly readFiles: string[];
  /** nvcc's -Xcompiler: they stand in front of its own on the command line of the host compiler. */
  readonly hostWords: CommandWord[];
}

function startReading(host: BuildHost, dialect: CompilerDialect, directory: string): Reading {
  return {
    host,
    dialect,
    directory,
    macros: [],
    implied: new Map(),
    includePaths: [],
    forcedIncludes: [],
    generated: [],
    architecture: [],
    codes: [],
    standard: null,
    isRelocatable: false,
    unresolved: [],
    inputs: [],
    language: null,
    output: null,
    outputDirectory: null,
    actions: new Set(),
    libraries: [],
    libraryPaths: [],
    readFiles: [],
    hostWords: [],
  };
}

/** Response files within response files, and words in all. */
const maximumDepth = 8;
const maximumWords = 200_000;

function readWords(reading: Reading, words: readonly CommandWord[]): void {
  const expanded: CommandWord[] = [];
  expandResponseFiles(reading, words, expanded, 0);
  readOptions(reading, reading.dialect, expanded);
  if (reading.hostWords.length === 0) return;
  // What the host compiler gets by -Xcompiler is read by itself, and goes in front.
  const own = {
    macros: [...reading.macros],
    includePaths: [...reading.includePaths],
    standard: reading.standard,
  };
  reading.macros.length = 0;
  reading.includePaths.length = 0;
  readOptions(reading, "gcc", reading.hostWords.splice(0));
  reading.macros.push(...own.macros);
  reading.includePaths.push(...own.includePaths);
  reading.standard = own.standard ?? reading.standard;
}

function expandResponseFiles(
  reading: Reading,
  words: readonly CommandWord[],
  into: CommandWord[],
  depth: number,
): void {
  for (let at = 0; at < words.length && into.length < maximumWords; at++) {
    const word = words[at];
    if (word === undefined) continue;
    const match = word.text.startsWith("@") ? null : matchOption(reading.dialect, word.text);
    if (word.text.length > 1 && word.text.startsWith("@") && word.hole === null) {
      expandFile(reading, { ...word, text: word.text.slice(1) }, into, depth);
    } else if (match?.effect === "options-file") {
      const value = match.value ?? words[++at]?.text;
      for (const text of value === undefined ? [] : nvccList(value)) {
        expandFile(reading, { ...word, text }, into, depth);
      }
    } else into.push(word);
  }
}

function expandFile(reading: Reading, word: CommandWord, into: CommandWord[], depth: number): void {
  const path = commandPath(reading.directory, word.text);
  reading.readFiles.push(path);
  const text = depth < maximumDepth ? reading.host.readText(path) : null;
  if (text === null) {
    reading.unresolved.push(unresolvedWord(word, "the file of options can't be read"));
    return;
  }
  const words = optionsFileWords(text, reading.dialect).map((one) => ({
    text: one.text,
    origin: { file: path, line: one.line },
    hole: null,
    doubt: word.doubt,
  }));
  expandResponseFiles(reading, words, into, depth + 1);
}

function readOptions(reading: Reading, dialect: CompilerDialect, words: readonly CommandWord[]): void {
  let isLinkerPart = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined || isLinkerPart) continue;
    if (dialect === "msvc" && /^[/-]link$/i.test(word.text)) {
      isLinkerPart = true;
      continue;
    }
    const match = matchOption(dialect, word.text);
    if (match === null) {
      readOther(reading, word);
      continue;
    }
    let value = match.value === null ? null : { ...word, text: match.value };
    if (match.takesNext) {
      const next = words[++at];
      value = next === undefined ? null : { ...next, doubt: next.doubt ?? word.doubt, origin: word.origin };
      if (next === undefined) continue;
    }
    const values =
      value === null ? [] : match.isList ? nvccList(value.text).map((text) => ({ ...value, text })) : [value];
    if (values.length === 0) readFlag(reading, dialect, match.name, match.effect, word);
    for (const one of values) readValue(reading, dialect, match.effect, one);
  }
}

/** A word that is no option that is known: an input, or an option of which nothing hangs. */
function readOther(reading: Reading, word: CommandWord): void {
  const { text } = word;
  if (text === "" || text === "-") return;
  if (word.hole !== null && /^[$`]/.test(text)) {
    reading.unresolved.push(unresolvedWord(word, word.hole));
  } else if (!text.startsWith("-") && !(reading.dialect === "msvc" && /^\/[A-Za-z]+(?::|$)/.test(text))) {
    reading.inputs.push({ word, language: reading.language });
  }
}

function readFlag(
  reading: Reading,
  dialect: CompilerDialect,
  name: string,
  effect: OptionEffect,
  word: CommandWord,
): void {
  if (effect === "action") reading.actions.add(name);
  if (effect === "optimise" || name === "-Ofast") setOptimise(reading, "1", word);
  if (name === "-Ofast") imply(reading, dialect, "-ffast-math", word);
  if (["-dc", "--device-c", "-dlto", "--dlink-time-opt", "-fgpu-rdc", "-dw", "--device-w"].includes(name)) {
    reading.isRelocatable = true;
  }
  imply(reading, dialect, name, word);
}

function imply(reading: Reading, dialect: CompilerDialect, option: string, word: CommandWord): void {
  const implied = impliedMacro(dialect, option);
  if (implied === null) return;
  const [name, value] = implied;
  reading.implied.set(name, {
    kind: "define",
    name,
    value,
    doubt: word.doubt,
    origin: word.origin,
    impliedBy: option,
  });
}

function setOptimise(reading: Reading, level: string, word: CommandWord): void {
  if (/^0+$/.test(level)) reading.implied.delete("__OPTIMIZE__");
  else imply(reading, "gcc", "-O", word);
}

function readValue(
  reading: Reading,
  dialect: CompilerDialect,
  effect: OptionEffect,
  word: CommandWord,
): void {
  const { text, origin, hole, doubt } = word;
  switch (effect) {
    case "define":
    case "undefine":
      readMacro(reading, effect, word);
      return;
    case "user":
    case "quote":
    case "system":
    case "after": {
      if (hole !== null) {
        reading.unresolved.push(unresolvedWord(word, hole));
      } else if (text !== "" && text !== "-") {
        const path = commandPath(reading.directory, text.replace(/^=/, ""));
        reading.includePaths.push({ path, kind: effect, doubt, origin });
      }
      return;
    }
    case "include":
    case "imacros":
      if (hole !== null) reading.unresolved.push(unresolvedWord(word, hole));
      else reading.forcedIncludes.push({ path: text, kind: effect, origin });
      return;
    case "architecture":
      // nvcc takes the last, clang each.
      if (dialect === "gcc") reading.generated.push(...architectures(reading, word));
      else reading.architecture = architectures(reading, word);
      return;
    case "code":
      reading.codes = architectures(reading, word);
      return;
    case "generate-code": {
      const codes = /\bcode=(.*)$/.exec(text)?.[1];
      reading.generated.push(
        ...architectures(reading, codes === undefined ? word : { ...word, text: codes }),
      );
      return;
    }
    case "standard":
      if (hole !== null) reading.unresolved.push(unresolvedWord(word, hole));
      else reading.standard = { value: standardNamed(text), origin };
      return;
    case "language":
      reading.language = text === "none" ? null : text;
      // nvcc's -x holds for every input, wherever it stands.
      if (reading.dialect === "nvcc") {
        reading.inputs.splice(
          0,
          reading.inputs.length,
          ...reading.inputs.map((one) => ({ ...one, language: text })),
        );
      }
      return;
    case "output":
      reading.output = word;
      return;
    case "output-directory":
      if (hole === null) reading.outputDirectory = commandPath(reading.directory, text);
      return;
    case "host-options":
      if (dialect === "nvcc") {
        // nvcc hands them to a shell, and so their quotes are taken away twice.
        const inner = shellWords(nvccList(text).join(" "), origin);
        reading.hostWords.push(...inner.map((one) => ({ ...one, hole: hole === null ? null : hole, doubt })));
      } else readOptions(reading, "gcc", [word]);
      return;
    case "preprocessor-options":
      readOptions(
        reading,
        "gcc",
        text.split(",").map((one) => ({ ...word, text: one })),
      );
      return;
    case "relocatable":
      reading.isRelocatable = text === "true";
      if (text === "true") imply(reading, dialect, "-rdc=true", word);
      else reading.implied.delete("__CUDACC_RDC__");
      return;
    case "default-stream":
      imply(reading, dialect, `-default-stream=${text}`, word);
      return;
    case "optimise":
      setOptimise(reading, text, word);
      return;
    case "library":
      if (hole === null) reading.libraries.push(text);
      return;
    case "library-path":
      if (hole === null) reading.libraryPaths.push(commandPath(reading.directory, text));
      return;
    case "options-file":
    case "skip-value":
    case "action":
    case "flag":
      return;
  }
}

/** `gnu++17` and `c++1z` are `c++17` to whoever reads the source. */
function standardNamed(text: string): string {
  const drafts: Readonly<Record<string, string>> = {
    "0x": "11",
    "1y": "14",
    "1z": "17",
    "2a": "20",
    "2b": "23",
    "2c": "26",
  };
  return text.replace(/^gnu/, "c").replace(/\d[a-z]$/, (draft) => drafts[draft] ?? draft);
}

function readMacro(reading: Reading, kind: MacroFlag["kind"], word: CommandWord): void {
  const { text, origin, hole, doubt } = word;
  const match = /^([A-Za-z_$][\w$]*(?:\([^()]*\))?)(?:=(.*))?$/s.exec(text);
  const name = match?.[1];
  if (name === undefined || (hole !== null && (name.includes("$") || match?.[2] === undefined))) {
    reading.unresolved.push(
      unresolvedWord(
        { ...word, text: `-${kind === "define" ? "D" : "U"}${text}` },
        hole ?? "this is not the name of a macro",
      ),
    );
    return;
  }
  const value = kind === "undefine" ? "" : hole === null ? (match?.[2] ?? "1") : null;
  reading.macros.push({ kind, name, value, doubt: value === null ? hole : doubt, origin });
}

function architectures(reading: Reading, word: CommandWord): readonly ArchitectureFlag[] {
  if (word.hole !== null) {
    reading.unresolved.push(unresolvedWord(word, word.hole));
    return [];
  }
  const { found, reason } = architecturesOf(word.text, word.origin);
  // An architecture has no doubt of its own.
  const why = reason ?? (found.length > 0 ? word.doubt : null);
  if (why !== null) reading.unresolved.push(unresolvedWord(word, why));
  return found;
}

function flagsOf(reading: Reading): CompileFlags {
  return {
    macros: [...reading.implied.values(), ...reading.macros],
    includePaths: reading.includePaths,
    forcedIncludes: reading.forcedIncludes.map((one) => {
      const path = commandPath(reading.directory, one.path);
      return reading.host.kindOf(path) === "file" ? { ...one, path } : one;
    }),
    architectures: allArchitectures(reading),
    standard: reading.standard,
    hasRelocatableDeviceCode: reading.isRelocatable,
    unresolved: reading.unresolved,
  };
}

/** -code says what -arch's code is made for; -gencode stands by itself. */
function allArchitectures(reading: Reading): ArchitectureFlag[] {
  const all = [...(reading.codes.length > 0 ? reading.codes : reading.architecture), ...reading.generated];
  return all.filter((one, at) => all.findIndex((other) => other.number === one.number) === at);
}

function commandOf(reading: Reading, origin: Origin, isAlwaysCuda: boolean): CompilerCommand {
  const { directory, dialect } = reading;
  const sources: { path: string; language: CompiledSource["language"] }[] = [];
  const objects: string[] = [];
  for (const { word, language } of reading.inputs) {
    const made = languageOf(word.text, language, dialect);
    if (word.hole !== null) reading.unresolved.push(unresolvedWord(word, word.hole));
    else if (made === null) objects.push(commandPath(directory, word.text));
    else
      sources.push({
        path: commandPath(directory, word.text),
        language: isAlwaysCuda && made === "c++" ? "cuda" : made,
      });
  }
  const isCompiling = ![
    "-M",
    "-MM",
    "-E",
    "--preprocess",
    "--generate-dependencies",
    "--generate-nonsystem-dependencies",
  ].some((one) => reading.actions.has(one));
  const link = linkKind(reading.actions);
  const output =
    reading.output === null || reading.output.hole !== null
      ? null
      : commandPath(directory, reading.output.text);
  const compiled = isCompiling ? sources : [];
  return {
    dialect,
    directory,
    origin,
    sources: compiled,
    output,
    objects: link === null ? objectsOf(reading, compiled, output) : [],
    flags: flagsOf(reading),
    link:
      link === null || !isCompiling || (compiled.length === 0 && objects.length === 0)
        ? null
        : { kind: link, inputs: objects, libraries: reading.libraries, libraryPaths: reading.libraryPaths },
    readFiles: reading.readFiles,
  };
}

function objectsOf(reading: Reading, sources: CompilerCommand["sources"], output: string | null): string[] {
  if (output !== null && sources.length <= 1) return sources.length === 1 ? [output] : [];
  const suffix = reading.dialect === "msvc" ? ".obj" : ".o";
  return sources.map(({ path }) => {
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, suffix);
    return resolvePath(reading.outputDirectory ?? reading.directory, name);
  });
}

/** `ar rcs libx.a a.o b.o`: the operation, the archive, its members. */
function readArchiverCommand(
  host: BuildHost,
  words: readonly CommandWord[],
  directory: string,
): CompilerCommand | null {
  const [program, ...rest] = words;
  if (
    program === undefined ||
    !/^(?:[\w.]+-)*(?:gcc-|llvm-)?ar(?:-\d[\d.]*)?$/.test(programName(program.text))
  )
    return null;
  const reading = startReading(host, "gcc", directory);
  const expanded: CommandWord[] = [];
  expandResponseFiles(reading, rest, expanded, 0);
  const [operation, ...files] = expanded.filter(({ text }) => !text.startsWith("--"));
  if (operation === undefined || !/^-?[a-zA-Z]*[rq][a-zA-Z]*$/.test(operation.text)) return null;
  const known = files.filter((one) => one.hole === null).map(({ text }) => commandPath(directory, text));
  const [output, ...inputs] = known;
  if (output === undefined) return null;
  for (const file of files) if (file.hole !== null) reading.unresolved.push(unresolvedWord(file, file.hole));
  return {
    dialect: "gcc",
    directory,
    origin: program.origin,
    sources: [],
    output,
    objects: [],
    flags: flagsOf(reading),
    link: { kind: "static-library", inputs, libraries: [], libraryPaths: [] },
    readFiles: reading.readFiles,
  };
}
