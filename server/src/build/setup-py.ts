// setup.py, and other Python that compiles extensions: `CUDAExtension`, `CppExtension`, `Extension`, `load`, with what PyTorch adds to their flags.
import { directoryOf, resolvePath } from "../text/path.ts";
import { readCompilerFlags } from "./arguments.ts";
import type { CommandWord } from "./command/command.ts";
import type {
  BuildDescription,
  BuildHost,
  BuildTarget,
  CompiledSource,
  CompileFlags,
  Origin,
  Unresolved,
} from "./flags.ts";
import { evaluatePython } from "./python/evaluate.ts";
import { callLibrary, callPathMethod, lastPart, libraryValue } from "./python/library.ts";
import { parsePython } from "./python/parse.ts";
import { projectModules } from "./python/project.ts";
import type { Statement } from "./python/syntax.ts";
import { type CallRecord, doubted, unknownReason, unsetVariableOf, type Value } from "./python/values.ts";
import { type ValueWords, wordOf, wordsOf } from "./python/words.ts";

type Maker = "torch" | "torch-jit" | "setuptools";

const makers: ReadonlyMap<string, Maker> = new Map([
  ["CUDAExtension", "torch"],
  ["CppExtension", "torch"],
  ["load", "torch-jit"],
  ["Extension", "setuptools"],
  ["Pybind11Extension", "setuptools"],
]);

/**
 * Reads a Python file that compiles extensions. Each extension is a target, a shared library. Paths are relative to the file's directory. Environment variables are taken as not set; the
 * machine is one with Linux and CUDA.
 */
export function readSetupPy(host: BuildHost, file: string): BuildDescription | null {
  const text = host.readText(file);
  if (text === null || !/\b(?:\w*Extension|cpp_extension)\b/.test(text)) return null;
  const directory = directoryOf(file);
  const statements = parsePython(text);
  const { records, modules } = evaluatePython(
    statements,
    file,
    {
      hasLoad: false,
      module: projectModules(host, file),
      isRecorded: (name) => makerOf(name) !== null,
      valueOf: (dotted) => libraryValue(dotted, file),
      call: (dotted, all, context) => callLibrary(host, directory, dotted, all, context),
      callPath: (path, name, all) => callPathMethod(host, directory, path, name, all),
    },
    mentionsMaker,
  );
  const sources: CompiledSource[] = [];
  const targets: BuildTarget[] = [];
  const unresolved: Unresolved[] = [];
  for (const record of records) {
    const read = extensionOf(host, file, record, unresolved);
    if (read === null) continue;
    sources.push(...read.sources);
    targets.push(read.target);
  }
  if (sources.length === 0 && unresolved.length === 0) return null;
  return {
    kind: "setup-py",
    file,
    readFiles: [file, ...modules],
    sources,
    targets,
    generatedFiles: [],
    unresolved,
    others: null,
  };
}

function makerOf(dotted: string): Maker | null {
  const name = lastPart(dotted);
  // `load` is the name of much else.
  if (name === "load" && !/(?:^|\.)cpp_extension\.load$/.test(dotted)) return null;
  return makers.get(name) ?? null;
}

/** Whether a function's body names an extension: only those are worth a run of their own. */
function mentionsMaker(body: readonly Statement[]): boolean {
  const known = mentioning.get(body);
  if (known !== undefined) return known;
  const found = /"(?:CUDAExtension|CppExtension|Extension|load)"/.test(JSON.stringify(body));
  mentioning.set(body, found);
  return found;
}

const mentioning = new WeakMap<readonly Statement[], boolean>();

/** Parameters of the makers, in order. */
const parametersOf: Readonly<Record<Maker, readonly string[]>> = {
  torch: ["name", "sources"],
  setuptools: ["name", "sources", "include_dirs", "define_macros", "undef_macros"],
  "torch-jit": [
    "name",
    "sources",
    "extra_cflags",
    "extra_cuda_cflags",
    "extra_ldflags",
    "extra_include_paths",
  ],
};

function extensionOf(
  host: BuildHost,
  file: string,
  record: CallRecord,
  unresolved: Unresolved[],
): { sources: readonly CompiledSource[]; target: BuildTarget } | null {
  const maker = makers.get(record.callee) ?? "setuptools";
  const directory = directoryOf(file);
  const { origin } = record;
  const parameter = (name: string): Value | undefined => {
    const at = parametersOf[maker].indexOf(name);
    const value = record.named.get(name) ?? (at === -1 ? undefined : record.positional[at]);
    return value;
  };
  const name = parameter("name");
  const listed = wordsOf(parameter("sources"), origin, null);
  const known = listed.words.filter((word) => {
    if (word.hole !== null) unresolved.push({ what: word.text, reason: word.hole, origin: word.origin });
    return word.hole === null && /\.(?:cu|cc|cpp|cxx|c|C)$/.test(word.text);
  });
  if (listed.more !== null)
    unresolved.push({ what: `sources of ${record.callee}`, reason: listed.more, origin });
  if (known.length === 0) return null;
  const target = name?.kind === "string" ? name.text : `${record.callee}:${origin.line}`;
  const flags = {
    cuda: flagsOf(host, maker, "cuda", parameter, target, file, record),
    "c++": flagsOf(host, maker, "c++", parameter, target, file, record),
  };
  const sources = known.map(({ text }): CompiledSource => {
    const language = text.endsWith(".cu") ? "cuda" : text.endsWith(".c") ? "c" : "c++";
    return {
      path: resolvePath(directory, text),
      language,
      target,
      flags: flags[language === "cuda" ? "cuda" : "c++"],
    };
  });
  return {
    sources,
    target: {
      name: target,
      kind: "shared-library",
      sources: [...new Set(sources.map(({ path }) => path))],
      links: [],
      origin,
    },
  };
}

/** What PyTorch's BuildExtension and load() pass to nvcc in front of the extension's own (torch/utils/cpp_extension.py, COMMON_NVCC_FLAGS). */
const torchCudaFlags = [
  "-D__CUDA_NO_HALF_OPERATORS__",
  "-D__CUDA_NO_HALF_CONVERSIONS__",
  "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
  "-D__CUDA_NO_HALF2_OPERATORS__",
  "--expt-relaxed-constexpr",
];

function flagsOf(
  host: BuildHost,
  maker: Maker,
  language: "cuda" | "c++",
  parameter: (name: string) => Value | undefined,
  target: string,
  file: string,
  record: CallRecord,
): CompileFlags {
  const { origin } = record;
  const words: CommandWord[] = [];
  const unresolved: Unresolved[] = [];
  const own = (text: string): void => {
    words.push({ text, origin, hole: null, doubt: null });
  };
  const add = (value: Value | undefined, what: string, option = ""): void => {
    const read = relativeTo(record, wordsOf(value, origin, null));
    words.push(...read.words.map((word) => ({ ...word, text: option + word.text })));
    if (read.more !== null) unresolved.push({ what, reason: read.more, origin });
  };
  words.push(
    ...relativeTo(record, { words: macroWords(parameter("define_macros"), origin, unresolved), more: null })
      .words,
  );
  add(parameter("undef_macros"), "undef_macros", "-U");
  add(parameter(maker === "torch-jit" ? "extra_include_paths" : "include_dirs"), "include_dirs", "-I");
  const extra =
    maker === "torch-jit"
      ? parameter(language === "cuda" ? "extra_cuda_cflags" : "extra_cflags")
      : ofLanguage(parameter("extra_compile_args"), language);
  if (maker !== "setuptools" && language === "cuda") torchCudaFlags.forEach(own);
  add(extra, "extra_compile_args");
  if (maker !== "setuptools") {
    own("-DTORCH_API_INCLUDE_EXTENSION_H");
    own(`-DTORCH_EXTENSION_NAME=${target.slice(target.lastIndexOf(".") + 1)}`);
  }
  if (maker !== "setuptools" && !words.some(({ text }) => text.startsWith("-std="))) own("-std=c++17");
  const certain = words.map((word) => withoutEnvironment(word, unresolved));
  const { flags } = readCompilerFlags(host, certain, directoryOf(file), language === "cuda" ? "nvcc" : "gcc");
  if (maker !== "setuptools" && language === "cuda" && flags.architectures.length === 0) {
    unresolved.push({
      what: "TORCH_CUDA_ARCH_LIST",
      reason: "PyTorch compiles for the GPU of the machine that builds",
      origin,
    });
  }
  return { ...flags, unresolved: [...flags.unresolved, ...unresolved] };
}

/** The word as it is where no environment variable is set, which is told. */
function withoutEnvironment(word: CommandWord, unresolved: Unresolved[]): CommandWord {
  const variable = unsetVariableOf(word.doubt);
  if (variable === null) return word;
  unresolved.push({ what: variable, reason: "taken as not set", origin: word.origin, isAssumed: true });
  return { ...word, doubt: null };
}

/** What hangs on nothing but the condition under which the extension is built at all is certain for it. */
function relativeTo(record: CallRecord, read: ValueWords): ValueWords {
  if (record.doubt === null) return read;
  return {
    ...read,
    words: read.words.map((word) => (word.doubt === record.doubt ? { ...word, doubt: null } : word)),
  };
}

/** `extra_compile_args` is a list for all, or a dict of lists by compiler. */
function ofLanguage(value: Value | undefined, language: "cuda" | "c++"): Value | undefined {
  if (value?.kind !== "dict") return value;
  const entry = value.entries.get(language === "cuda" ? "nvcc" : "cxx");
  return entry ?? (value.more === null ? undefined : { kind: "unknown", reason: value.more, isNone: "no" });
}

/** `[("NAME", None), ("N", "2")]`. */
function macroWords(value: Value | undefined, origin: Origin, unresolved: Unresolved[]): CommandWord[] {
  if (value === undefined || value.kind === "none") return [];
  const more = value.kind === "list" ? value.more : (unknownReason(value) ?? "this is no list");
  if (more !== null) unresolved.push({ what: "define_macros", reason: more, origin });
  return (value.kind === "list" ? value.items : []).flatMap((item): CommandWord[] => {
    const [name, text] = item.kind === "list" ? item.items : [];
    if (name?.kind !== "string") {
      unresolved.push({
        what: "define_macros",
        reason: unknownReason(item) ?? "an item is not known",
        origin,
      });
      return [];
    }
    const word = wordOf(doubted(name, item.doubt ?? value.doubt), origin, null);
    if (text === undefined || text.kind === "none") return [{ ...word, text: `-D${word.text}` }];
    const known = text.kind === "string" ? text.text : text.kind === "number" ? String(text.value) : null;
    const hole =
      word.hole ??
      (known === null
        ? (unknownReason(text) ?? "its value is not known")
        : text.kind === "string"
          ? text.hole
          : null);
    // nvcc parts values at commas; Python's distutils passes them as they are.
    return [
      { ...word, text: `-D${word.text}=${known ?? "{…}"}`, hole, doubt: word.doubt ?? text.doubt ?? null },
    ];
  });
}
