// Bazel's BUILD files: rules with sources, and what their dependencies hand on: `defines`, `includes`.
import { directoryOf, nameOf, resolvePath } from "../text/path.ts";
import { readCompilerFlags } from "./arguments.ts";
import {
  type BazelRule,
  type BazelWorkspace,
  bazelRoot,
  bazelWorkspace,
  buildFileOf,
  fileOfLabel,
  truth,
  workspaceMarkers,
} from "./bazel/packages.ts";
import { type CommandWord, literalWords } from "./command/command.ts";
import { optionsFileWords, shellWords } from "./command/words.ts";
import type {
  BuildDescription,
  BuildHost,
  BuildTarget,
  CompiledSource,
  CompileFlags,
  Unresolved,
} from "./flags.ts";
import type { Value } from "./python/values.ts";
import { wordsOf } from "./python/words.ts";

const maximumPackages = 2_000;
const maximumDependencies = 5_000;

/**
 * Reads Bazel's packages: all of a workspace where `file` is its MODULE.bazel or WORKSPACE, else that of a BUILD file and those that it depends on. Rules of other repositories are taken by
 * their attributes; a rule of any name that has C++ or CUDA sources is a target.
 */
export function readBazel(host: BuildHost, file: string, workspace: string): BuildDescription | null {
  const directory = directoryOf(file);
  const root = bazelRoot(host, directory, workspace);
  const bazel = bazelWorkspace(host, root);
  const isWhole = workspaceMarkers.includes(nameOf(file));
  const unresolved: Unresolved[] = [];
  const packages = isWhole ? packagesBelow(host, root, unresolved, file) : [directory];
  const rules = packages.flatMap((one) => bazel.rulesOf(one));
  const reading: Reading = { host, bazel, common: optionsOfRc(host, root), targets: new Map() };
  const sources: CompiledSource[] = [];
  const targets: BuildTarget[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < rules.length && at < maximumDependencies; at++) {
    const rule = rules[at];
    if (rule === undefined || seen.has(rule.label)) continue;
    seen.add(rule.label);
    const dependencies = dependenciesOf(reading, rule);
    rules.push(...dependencies);
    const own = sourcesOfRule(reading, rule, unresolved);
    if (own.length === 0 && !/library|import/.test(rule.record.callee)) continue;
    sources.push(...own);
    targets.push({
      name: rule.label,
      kind: kindOf(rule),
      sources: own.map(({ path }) => path),
      links: dependencies.map(({ label }) => label),
      origin: rule.record.origin,
    });
  }
  if (sources.length === 0) return null;
  return {
    kind: "bazel",
    file,
    readFiles: [...new Set([file, ...bazel.readFiles, ...reading.common.readFiles])],
    sources,
    targets,
    generatedFiles: [],
    unresolved,
    others: null,
  };
}

interface Reading {
  readonly host: BuildHost;
  readonly bazel: BazelWorkspace;
  readonly common: RcOptions;
  /** What a rule hands on, by label. */
  readonly targets: Map<string, Handed>;
}

/** Words that a rule and those that depend on it are compiled with. */
interface Handed {
  readonly words: readonly CommandWord[];
  readonly unresolved: readonly Unresolved[];
}

function packagesBelow(host: BuildHost, root: string, unresolved: Unresolved[], file: string): string[] {
  const directories = [root];
  for (let at = 0; at < directories.length && at < maximumPackages * 4; at++) {
    const directory = directories[at] ?? root;
    for (const { name, kind } of host.list(directory)) {
      if (kind === "directory" && !/^(?:bazel-.*|\..*|node_modules)$/.test(name))
        directories.push(resolvePath(directory, name));
    }
  }
  const packages = directories.filter((directory) => buildFileOf(host, directory) !== null);
  if (packages.length > maximumPackages) {
    unresolved.push({
      what: nameOf(file),
      reason: `there are more than ${maximumPackages} packages`,
      origin: { file, line: 1 },
    });
  }
  return packages.slice(0, maximumPackages);
}

function attribute(rule: BazelRule, ...names: readonly string[]): readonly Value[] {
  return names.flatMap((name) => rule.record.named.get(name) ?? []);
}

function labelsIn(rule: BazelRule, ...names: readonly string[]): readonly CommandWord[] {
  return attribute(rule, ...names).flatMap(
    (value) => wordsOf(value, rule.record.origin, rule.record.doubt).words,
  );
}

function dependenciesOf(reading: Reading, rule: BazelRule): BazelRule[] {
  const found = labelsIn(rule, "deps", "implementation_deps", "exports").flatMap(
    ({ text }) => reading.bazel.find(text, rule.directory) ?? [],
  );
  return [...new Map(found.map((one) => [one.label, one])).values()];
}

function kindOf(rule: BazelRule): BuildTarget["kind"] {
  const { callee, named } = rule.record;
  if (/shared|extension/.test(callee) || truth(named.get("linkshared"))) return "shared-library";
  if (/binary|test|executable/.test(callee)) return "executable";
  return /objects?$/.test(callee) ? "object-library" : "static-library";
}

function sourcesOfRule(reading: Reading, rule: BazelRule, unresolved: Unresolved[]): CompiledSource[] {
  const { record, directory } = rule;
  if (/^(?:py_|java_|go_|sh_|rust_|proto_|filegroup$|genrule$|exports_files$|alias$)/.test(record.callee))
    return [];
  const files: CommandWord[] = [];
  const seen = new Set<string>();
  const add = (words: readonly CommandWord[], from: string, depth: number): void => {
    for (const word of words) {
      const group = depth < 8 ? reading.bazel.find(word.text, from) : null;
      if (word.hole !== null) unresolved.push({ what: word.text, reason: word.hole, origin: word.origin });
      else if (group !== null && group.label !== rule.label)
        add(labelsIn(group, "srcs"), group.directory, depth + 1);
      else {
        const path = fileOfLabel(reading.bazel.root, word.text, from);
        if (path !== null && /\.(?:cu|cc|cpp|cxx|c|C)$/.test(path) && !seen.has(path)) {
          seen.add(path);
          files.push({ ...word, text: path });
        }
      }
    }
  };
  const srcs = attribute(rule, "srcs", "cuda_srcs", "gpu_srcs").map((value) =>
    wordsOf(value, record.origin, record.doubt),
  );
  for (const { words, more } of srcs) {
    add(words, directory, 0);
    if (more !== null)
      unresolved.push({ what: `srcs of ${rule.label}`, reason: more, origin: record.origin });
  }
  if (files.length === 0) return [];
  // A CUDA rule hands C++ sources to nvcc as CUDA, too.
  const isCudaRule = /cuda|gpu|nvcc/i.test(record.callee);
  const flags = new Map<CompiledSource["language"], CompileFlags>();
  return files.map(({ text: path }) => {
    const language = path.endsWith(".cu") || isCudaRule ? "cuda" : path.endsWith(".c") ? "c" : "c++";
    const own = flags.get(language) ?? flagsOf(reading, rule, language);
    flags.set(language, own);
    return { path, language, target: rule.label, flags: own };
  });
}

function flagsOf(reading: Reading, rule: BazelRule, language: CompiledSource["language"]): CompileFlags {
  const { record } = rule;
  const { root } = reading.bazel;
  const common = reading.common.words.filter(({ for: kind }) => kind === "all" || kind === language);
  const words: CommandWord[] = [{ text: `-iquote${root}`, origin: record.origin, hole: null, doubt: null }];
  const unresolved: Unresolved[] = [];
  const closure = [rule];
  const seen = new Set([rule.label]);
  for (let at = 0; at < closure.length && at < maximumDependencies; at++) {
    const one = closure[at];
    if (one === undefined) continue;
    const handed = handedOn(reading, one);
    words.push(...handed.words);
    unresolved.push(...handed.unresolved);
    for (const dependency of dependenciesOf(reading, one)) {
      if (!seen.has(dependency.label)) closure.push(dependency);
      seen.add(dependency.label);
    }
  }
  const local = ownWords(rule, ["local_defines"], "-D");
  const copts = ownWords(
    rule,
    language === "c" ? ["copts", "conlyopts"] : ["copts", ...(language === "c++" ? ["cxxopts"] : [])],
    "",
  );
  words.push(...local.words, ...common.map(({ word }) => word), ...copts.words);
  if (truth(record.named.get("rdc")))
    words.push({ text: "-rdc=true", origin: record.origin, hole: null, doubt: null });
  const { flags } = readCompilerFlags(reading.host, words, root, language === "cuda" ? "nvcc" : "gcc");
  return {
    ...flags,
    unresolved: [...flags.unresolved, ...unresolved, ...local.unresolved, ...copts.unresolved],
  };
}

/** `defines`, `includes` and `strip_include_prefix` of a rule. */
function handedOn(reading: Reading, rule: BazelRule): Handed {
  const known = reading.targets.get(rule.label);
  if (known !== undefined) return known;
  const defines = ownWords(rule, ["defines"], "-D");
  const includes = ownWords(rule, ["includes"], "");
  const prefix = ownWords(rule, ["strip_include_prefix"], "");
  const below = (word: CommandWord, option: string): CommandWord => {
    const path = word.text.startsWith("/")
      ? resolvePath(reading.bazel.root, `.${word.text}`)
      : resolvePath(rule.directory, word.text === "" ? "." : word.text);
    return { ...word, text: `${option}${path}` };
  };
  const handed: Handed = {
    words: [
      ...defines.words,
      ...includes.words.map((word) => below(word, "-isystem=")),
      ...prefix.words.map((word) => below(word, "-I")),
    ],
    unresolved: [...defines.unresolved, ...includes.unresolved, ...prefix.unresolved],
  };
  reading.targets.set(rule.label, handed);
  return handed;
}

/** Bazel parts copts and defines as a shell does; `$(…)` are its own variables. */
function ownWords(rule: BazelRule, names: readonly string[], option: string): Handed {
  const { record } = rule;
  const words: CommandWord[] = [];
  const unresolved: Unresolved[] = [];
  for (const name of names) {
    const value = record.named.get(name);
    const read = wordsOf(value, record.origin, record.doubt);
    if (read.more !== null)
      unresolved.push({ what: `${name} of ${rule.label}`, reason: read.more, origin: record.origin });
    for (const word of read.words) {
      const parts = word.hole === null ? shellWords(word.text, word.origin) : [word];
      words.push(
        ...parts.map((part) => ({ ...word, text: option + part.text, hole: word.hole ?? part.hole })),
      );
    }
  }
  return { words, unresolved };
}

interface RcOptions {
  readonly words: readonly { readonly for: "all" | "c++" | "c" | "cuda"; readonly word: CommandWord }[];
  readonly readFiles: readonly string[];
}

/** Options of every build in .bazelrc: `build --copt=-DX`. Those of a `--config` are given by hand. */
function optionsOfRc(host: BuildHost, root: string): RcOptions {
  const file = resolvePath(root, ".bazelrc");
  const words: { for: "all" | "c++" | "c" | "cuda"; word: CommandWord }[] = [];
  (host.readText(file) ?? "").split("\n").forEach((line, at) => {
    const match = /^\s*(?:build|common)\s+(.*)$/.exec(line);
    if (match === null) return;
    const origin = { file, line: at + 1 };
    const all = literalWords(
      optionsFileWords((match[1] ?? "").replace(/#.*$/, ""), "gcc").map(({ text }) => text),
      origin,
    );
    all.forEach((word, index) => {
      const option = /^--(copt|cxxopt|conlyopt|@rules_cuda\/\/cuda:(copts|archs))(?:=(.*))?$/s.exec(
        word.text,
      );
      if (option === null) return;
      const value = option[3] ?? all[index + 1]?.text ?? "";
      const [, name, cuda] = option;
      if (cuda === "archs") {
        for (const one of value.split(";")) {
          const codes = one.slice(one.indexOf(":") + 1).split(",");
          words.push({ for: "cuda", word: { ...word, text: `-gencode=code=[${codes.join(",")}]` } });
        }
      } else {
        const language =
          name === "cxxopt" ? "c++" : name === "conlyopt" ? "c" : cuda === "copts" ? "cuda" : "all";
        words.push({ for: language, word: { ...word, text: value } });
      }
    });
  });
  return { words, readFiles: [file] };
}
