// Replies of CMake's File API, which it writes into a build tree when somebody asks it: what it gives to the compiler, with the line of each command that says so.
import { parse } from "jsonc-parser";
import { directoryOf, resolvePath } from "../../text/path.ts";
import { readCompilerFlags } from "../arguments.ts";
import type { CommandWord } from "../command/command.ts";
import { shellWords } from "../command/words.ts";
import type {
  BuildDescription,
  BuildHost,
  BuildReader,
  BuildTarget,
  CompiledSource,
  CompileFlags,
  Origin,
} from "../flags.ts";
import { movedTree } from "../moved.ts";

type Data = Readonly<Record<string, unknown>>;

const mostTargets = 5_000;

/** Reads `<build>/.cmake/api/v1/reply/index-*.json`: the code model of version 2, its first configuration. CMake leaves out of it that device code is relocatable. */
export const readCMakeFileApi: BuildReader = (host: BuildHost, file: string): BuildDescription | null => {
  const readFiles = [file];
  const reply = directoryOf(file);
  const read = (name: unknown): Data | null => {
    if (typeof name !== "string" || name.includes("/")) return null;
    const path = resolvePath(reply, name);
    if (path !== file) readFiles.push(path);
    const text = host.readText(path);
    const data: unknown = text === null ? null : parse(text);
    return isData(data) ? data : null;
  };
  const index = read(file.slice(reply.length + 1));
  const object = listOf(index?.objects).find(
    (one) => one.kind === "codemodel" && dataOf(one.version)?.major === 2,
  );
  const model = read(object?.jsonFile);
  const paths = dataOf(model?.paths);
  const configuration = listOf(model?.configurations)[0];
  if (typeof paths?.source !== "string" || typeof paths.build !== "string" || configuration === undefined)
    return null;
  const tree = { source: paths.source, build: paths.build };
  const targets = listOf(configuration.targets)
    .slice(0, mostTargets)
    .map((one) => read(one.jsonFile))
    .filter((one) => one !== null);
  const names = new Map(targets.map((target) => [target.id, String(target.name)]));
  const all = targets.map((target) => readTarget(host, target, tree, names));
  const moved = movedTree(
    host,
    reply,
    all.flatMap(({ sources }) => sources.map(({ path }) => path)),
  );
  return {
    kind: "cmake-file-api",
    file,
    readFiles,
    sources: all.flatMap(({ sources }) =>
      sources.map((source) => {
        const flags = moved.flags(source.flags);
        return {
          ...source,
          path: moved.path(source.path),
          flags: {
            ...flags,
            macros: flags.macros.map((one) => ({ ...one, origin: movedOrigin(one.origin) })),
          },
        };
      }),
    ),
    targets: all.map(({ target }) => ({
      ...target,
      sources: target.sources.map((path) => moved.path(path)),
      origin: movedOrigin(target.origin),
    })),
    generatedFiles: [],
    unresolved: [],
    others: null,
  };

  function movedOrigin(origin: Origin): Origin {
    return { ...origin, file: moved.path(origin.file) };
  }
};

interface ReadTarget {
  readonly target: BuildTarget;
  readonly sources: readonly CompiledSource[];
}

function readTarget(
  host: BuildHost,
  target: Data,
  tree: { readonly source: string; readonly build: string },
  names: ReadonlyMap<unknown, string>,
): ReadTarget {
  const name = String(target.name);
  const originOf = originsOf(target, tree.source);
  const sources = listOf(target.sources);
  const compiled: CompiledSource[] = [];
  for (const group of listOf(target.compileGroups)) {
    const language = languages.get(group.language);
    if (language === undefined) continue;
    const flags = flagsOf(host, group, tree.build, language, originOf, originOf(target.backtrace));
    for (const index of Array.isArray(group.sourceIndexes) ? group.sourceIndexes : []) {
      const path = typeof index === "number" ? sources[index]?.path : undefined;
      if (typeof path !== "string") continue;
      compiled.push({ path: resolvePath(tree.source, path), language, target: name, flags });
    }
  }
  const links = listOf(target.dependencies).flatMap((one) => names.get(one.id) ?? []);
  return {
    sources: compiled,
    target: {
      name,
      kind: kinds.get(target.type) ?? "interface",
      sources: compiled.map(({ path }) => path),
      links,
      origin: originOf(target.backtrace),
    },
  };
}

const languages: ReadonlyMap<unknown, CompiledSource["language"]> = new Map([
  ["CUDA", "cuda"],
  ["CXX", "c++"],
  ["C", "c"],
]);

const kinds: ReadonlyMap<unknown, BuildTarget["kind"]> = new Map([
  ["EXECUTABLE", "executable"],
  ["STATIC_LIBRARY", "static-library"],
  ["SHARED_LIBRARY", "shared-library"],
  ["MODULE_LIBRARY", "shared-library"],
  ["OBJECT_LIBRARY", "object-library"],
]);

/** Gives the place of a backtrace: the command's own line. */
function originsOf(target: Data, source: string): (backtrace: unknown) => Origin {
  const graph = dataOf(target.backtraceGraph);
  const nodes = listOf(graph?.nodes);
  const files = Array.isArray(graph?.files) ? graph.files : [];
  return (backtrace) => {
    const node = typeof backtrace === "number" ? nodes[backtrace] : undefined;
    const file: unknown = typeof node?.file === "number" ? files[node.file] : undefined;
    return {
      file: resolvePath(source, typeof file === "string" ? file : "CMakeLists.txt"),
      line: typeof node?.line === "number" ? node.line : 1,
    };
  };
}

function flagsOf(
  host: BuildHost,
  group: Data,
  directory: string,
  language: CompiledSource["language"],
  originOf: (backtrace: unknown) => Origin,
  fallback: Origin,
): CompileFlags {
  const words: CommandWord[] = [];
  const placed = (one: Data): Origin =>
    typeof one.backtrace === "number" ? originOf(one.backtrace) : fallback;
  const plain = (text: string, origin: Origin): CommandWord => ({ text, origin, hole: null, doubt: null });
  for (const one of listOf(group.defines)) {
    if (typeof one.define === "string") words.push(plain(`-D${one.define}`, placed(one)));
  }
  for (const one of listOf(group.includes)) {
    if (typeof one.path !== "string") continue;
    if (one.isSystem === true) words.push(plain("-isystem", placed(one)), plain(one.path, placed(one)));
    else words.push(plain(`-I${one.path}`, placed(one)));
  }
  for (const one of listOf(group.compileCommandFragments)) {
    if (typeof one.fragment === "string") words.push(...shellWords(one.fragment, placed(one)));
  }
  return readCompilerFlags(host, words, directory, language === "cuda" ? "nvcc" : "gcc").flags;
}

function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function dataOf(value: unknown): Data | null {
  return isData(value) ? value : null;
}

function listOf(value: unknown): readonly Data[] {
  return Array.isArray(value) ? value.filter(isData) : [];
}
