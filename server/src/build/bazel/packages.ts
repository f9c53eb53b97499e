// Bazel's packages: what the BUILD files of a workspace declare, each read once.
import { ancestors, directoryOf, isInside, nameOf, resolvePath } from "../../text/path.ts";
import type { BuildHost } from "../flags.ts";
import { globFiles } from "../glob.ts";
import { evaluatePython } from "../python/evaluate.ts";
import { callBuiltin, lastPart } from "../python/library.ts";
import type { CallArguments, Environment, PythonModule } from "../python/machine.ts";
import { parsePython } from "../python/parse.ts";
import { boolean, type CallRecord, joined, list, string, unknown, type Value } from "../python/values.ts";

/** A rule of a BUILD file: `cuda_library(name = "k", …)`. */
export interface BazelRule {
  /** "//pkg:name". */
  readonly label: string;
  readonly name: string;
  /** The directory of its package. */
  readonly directory: string;
  readonly record: CallRecord;
}

export interface BazelWorkspace {
  readonly root: string;
  /** BUILD and .bzl files that were read or looked for. */
  readonly readFiles: Set<string>;
  /** The rules of a package; none where there is no such package. */
  rulesOf(directory: string): readonly BazelRule[];
  /** The rule that a label names, seen from a package; null where it is outside of the workspace, or a file. */
  find(label: string, from: string): BazelRule | null;
}

export const workspaceMarkers = ["MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE", "REPO.bazel"];
const buildNames = ["BUILD.bazel", "BUILD"];

/** The directory of the workspace that a directory is in: the nearest with a MODULE.bazel or a WORKSPACE, else itself. */
export function bazelRoot(host: BuildHost, directory: string, workspace: string): string {
  const around = ancestors(directory).filter((one) => isInside(one, workspace));
  return (
    around.find((one) => workspaceMarkers.some((name) => host.kindOf(resolvePath(one, name)) === "file")) ??
    directory
  );
}

/** The BUILD file of a package; null where the directory is none. */
export function buildFileOf(host: BuildHost, directory: string): string | null {
  for (const name of buildNames) {
    const path = resolvePath(directory, name);
    if (host.kindOf(path) === "file") return path;
  }
  return null;
}

export function bazelWorkspace(host: BuildHost, root: string): BazelWorkspace {
  const readFiles = new Set<string>();
  const packages = new Map<string, readonly BazelRule[]>();
  const modules = new Map<string, PythonModule | null>();
  const module = (label: string, from: string): PythonModule | null => {
    const path = fileOfLabel(root, label, directoryOf(from));
    if (path === null || !path.endsWith(".bzl")) return null;
    const known = modules.get(path);
    if (known !== undefined) return known;
    const text = host.kindOf(path) === "file" ? host.readText(path) : null;
    const read = text === null ? null : { file: path, statements: parsePython(text) };
    readFiles.add(path);
    modules.set(path, read);
    return read;
  };
  const rulesOf = (directory: string): readonly BazelRule[] => {
    const known = packages.get(directory);
    if (known !== undefined) return known;
    const file = buildFileOf(host, directory);
    const text = file === null ? null : host.readText(file);
    packages.set(directory, []);
    if (file === null || text === null) return [];
    readFiles.add(file);
    const { records } = evaluatePython(
      parsePython(text),
      file,
      environmentOf(host, root, directory, module),
      () => false,
    );
    const rules = records.flatMap((record) => ruleOf(root, directory, record));
    packages.set(directory, rules);
    return rules;
  };
  const find = (label: string, from: string, depth = 0): BazelRule | null => {
    const place = placeOfLabel(root, label, from);
    const rule =
      place === null ? undefined : rulesOf(place.directory).find(({ name }) => name === place.name);
    const actual = rule?.record.callee === "alias" ? rule.record.named.get("actual") : undefined;
    if (rule === undefined || actual?.kind !== "string" || depth > 8) return rule ?? null;
    return find(actual.text, rule.directory, depth + 1);
  };
  return { root, readFiles, rulesOf, find: (label, from) => find(label, from) };
}

function ruleOf(root: string, directory: string, record: CallRecord): BazelRule[] {
  const name = record.named.get("name");
  if (name?.kind !== "string" || name.hole !== null) return [];
  return [{ label: `//${packageOf(root, directory)}:${name.text}`, name: name.text, directory, record }];
}

function packageOf(root: string, directory: string): string {
  return directory === root ? "" : directory.slice(root === "/" ? 1 : root.length + 1);
}

/** `//a/b:c`, `//a/b`, `:c`, `c`; null for what lies in another repository. */
function placeOfLabel(root: string, label: string, from: string): { directory: string; name: string } | null {
  const own = label.replace(/^@(?:@)?(?=\/\/)/, "");
  if (own.startsWith("@")) return null;
  const absolute = /^\/\/([^:]*)(?::(.*))?$/.exec(own);
  if (absolute === null) return { directory: from, name: own.replace(/^:/, "") };
  const path = absolute[1] ?? "";
  return { directory: resolvePath(root, path === "" ? "." : path), name: absolute[2] ?? nameOf(path) };
}

/** The path of the file that a label would name. */
export function fileOfLabel(root: string, label: string, from: string): string | null {
  const place = placeOfLabel(root, label, from);
  return place === null ? null : resolvePath(place.directory, place.name);
}

function environmentOf(
  host: BuildHost,
  root: string,
  directory: string,
  module: (label: string, from: string) => PythonModule | null,
): Environment {
  return {
    hasLoad: true,
    module: (name, from) => (/[:/]/.test(name) ? module(name, from) : null),
    // Every rule and macro that is not read: those with a name and sources are targets.
    isRecorded: (name) =>
      !known.has(lastPart(name)) && callBuiltin(name, nothing, context) === null && !/^if_/.test(name),
    valueOf: () => null,
    callPath: () => null,
    call: (dotted, all, at) => {
      const name = lastPart(dotted);
      if (name === "glob") return globbed(host, directory, all);
      if (name === "select") return selected(all.positional[0]);
      if (name === "if_cuda" || name === "if_cuda_is_configured") return all.positional[0] ?? null;
      if (/^if_/.test(name)) return all.positional[1] ?? all.named.get("if_false") ?? list([]);
      if (name === "package_name") return string(packageOf(root, directory));
      if (name === "Label") return all.positional[0] ?? null;
      return callBuiltin(dotted, all, at);
    },
  };
}

const nothing: CallArguments = { positional: [], named: new Map() };
const context = { origin: { file: "", line: 0 }, apply: () => unknown(""), moduleAt: () => null };

const known = new Set(
  "glob select package_name Label load package licenses exports_files print fail list str int bool len sorted dict range enumerate zip any all min max reversed tuple depset struct provider rule".split(
    " ",
  ),
);

/** Files of packages below belong to those. */
function globbed(host: BuildHost, directory: string, all: CallArguments): Value {
  const texts = (value: Value | undefined): string[] =>
    value?.kind === "list"
      ? value.items.flatMap((one) => (one.kind === "string" && one.hole === null ? [one.text] : []))
      : [];
  const include = texts(all.positional[0] ?? all.named.get("include"));
  const excluded = new Set(
    texts(all.positional[1] ?? all.named.get("exclude")).flatMap(
      (pattern) => globFiles(host, directory, pattern).files,
    ),
  );
  const isOwn = (path: string): boolean => {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      if (buildFileOf(host, resolvePath(directory, path.slice(0, at))) !== null) return false;
    }
    return true;
  };
  const found = include.map((pattern) => globFiles(host, directory, pattern));
  const files = [...new Set(found.flatMap((one) => one.files))].filter(
    (path) => !excluded.has(path) && isOwn(path),
  );
  return list(
    files.map((path) => string(path)),
    "list",
    found.some(({ isCut }) => isCut) ? "there are too many files" : null,
  );
}

/** The machine is one with Linux and CUDA; whatever else a select() hangs on is not known. */
function selected(branches: Value | undefined): Value {
  if (branches?.kind !== "dict") return unknown("a select() is not known");
  const entries = [...branches.entries].filter(
    ([key]) => !/windows|msvc|macos|osx|darwin|apple|android|ios|rocm|hip/i.test(key),
  );
  const cuda = entries.filter(([key]) => /cuda|nvcc/i.test(key) && !/disabled|no_cuda|clang/i.test(key));
  const [first, ...rest] = (cuda.length === 1 ? cuda : entries).map(([, value]) => value);
  if (first === undefined) return list([]);
  return rest.reduce((all, one) => joined(all, one, "what select() chooses is not known"), first);
}

export function truth(value: Value | undefined): boolean {
  return value !== undefined && JSON.stringify(value) === JSON.stringify(boolean(true));
}
