// Reads a CMake project: its commands are evaluated as far as they can be from the files alone, and nothing is executed.
import { resolvePath } from "../../text/path.ts";
import type { BuildDescription, BuildHost, BuildReader } from "../flags.ts";
import { type BuildTree, findBuildTree } from "./build-tree.ts";
import { builtins } from "./commands/builtins.ts";
import { generate } from "./generate.ts";
import { type CudaOption, Interpreter } from "./interpreter.ts";
import { doubtedBy } from "./preset-doubts.ts";
import { findPresets, type Preset } from "./presets.ts";
import { runText } from "./run.ts";
import { giveMachine } from "./toolchain.ts";

/**
 * What CMake would give to the compiler for each source of the project whose top CMakeLists.txt is `file`, with its default cache: that of the build tree that
 * exists, else of the preset that is taken; what other presets say otherwise is doubtful. The machine is taken as Linux with GCC and nvcc.
 */
export const readCMake: BuildReader = (
  host: BuildHost,
  file: string,
  workspace: string,
): BuildDescription | null => {
  const text = host.readText(file);
  if (
    text === null ||
    !/\b(?:project|add_executable|add_library|cmake_minimum_required|add_subdirectory)\s*\(/i.test(text)
  )
    return null;
  const source = resolvePath(file, "..");
  const { presets, readFiles: presetFiles } = findPresets(host, source);
  const directories = presets.flatMap(({ binaryDirectory }) => binaryDirectory ?? []);
  const { tree, readFiles: cacheFiles } = findBuildTree(host, source, directories);
  const evaluated = (preset: Preset | null, on: readonly CudaOption[]): BuildDescription => {
    const binary = tree?.directory ?? preset?.binaryDirectory ?? resolvePath(source, "build");
    const cmake = new Interpreter(host, file, workspace, binary);
    cmake.commandNames = new Set(builtins.keys());
    if (tree !== null) fillCache(cmake, tree);
    else if (preset !== null) takePreset(cmake, preset, presets);
    for (const { name, origin } of on) {
      cmake.set(name, "ON", origin, cmake.cache);
      cmake.assume(name, "taken as ON: nothing of CUDA is compiled without", origin);
    }
    giveMachine(cmake);
    runText(cmake, text, file);
    const { sources, targets, generatedFiles } = generate(cmake);
    tellDefaults(cmake, sources);
    if (on.length === 0 && tree === null && cmake.cudaOptions.length > 0 && !compilesCuda(sources)) {
      const more = evaluated(preset, cmake.cudaOptions);
      if (compilesCuda(more.sources)) return doubtedByEach(more, preset, cmake.cudaOptions);
    }
    return {
      kind: "cmake",
      file,
      readFiles: [...new Set([file, ...presetFiles, ...cacheFiles, ...cmake.readFiles])],
      sources,
      targets,
      generatedFiles,
      unresolved: cmake.unresolved,
      others: null,
    };
  };
  /** Of several options one may be enough: what it alone says otherwise is doubtful. */
  const doubtedByEach = (
    all: BuildDescription,
    preset: Preset | null,
    options: readonly CudaOption[],
  ): BuildDescription => {
    if (options.length === 1 || options.length > mostOptions) return all;
    const alone = options.map((option) => ({ option, description: evaluated(preset, [option]) }));
    return alone
      .filter(({ description }) => compilesCuda(description.sources))
      .reduce(
        (description, each) => doubtedBy(description, each.description, `${each.option.name} alone`, null),
        all,
      );
  };
  const [first = null, ...others] = presets;
  let description = evaluated(first, []);
  if (tree !== null) return description;
  for (const other of others)
    description = doubtedBy(
      description,
      evaluated(other, []),
      `the preset ${other.name}`,
      first?.name ?? null,
    );
  return description;
};

/** Options that are tried alone: each is a reading of the whole project. */
const mostOptions = 4;

function compilesCuda(sources: BuildDescription["sources"]): boolean {
  return sources.some(({ language }) => language === "cuda");
}

function fillCache(cmake: Interpreter, tree: BuildTree): void {
  for (const [name, { text: value, line }] of tree.values)
    cmake.set(name, value, { file: tree.cacheFile, line }, cmake.cache);
}

function takePreset(cmake: Interpreter, preset: Preset, all: readonly Preset[]): void {
  for (const [name, { text: value, origin }] of preset.variables) cmake.set(name, value, origin, cmake.cache);
  for (const [name, value] of preset.environment) cmake.set(name, value, preset.origin, cmake.environment);
  const others = all.filter((each) => each !== preset).map(({ name }) => name);
  const why =
    others.length === 0
      ? "taken, since it is the only one, or the default"
      : `taken before ${others.join(", ")}`;
  cmake.assume(`preset ${preset.name}`, why, preset.origin);
}

/** The architectures are nvcc's own where neither the project nor a target says anything. */
function tellDefaults(cmake: Interpreter, sources: BuildDescription["sources"]): void {
  const { value, reason = "" } = cmake.defaultArchitectures ?? {};
  if (value?.kind !== "variable" || cmake.cache.get("CMAKE_CUDA_ARCHITECTURES") !== value) return;
  const origin = value.pieces.at(-1)?.origin ?? { file: cmake.file, line: 1 };
  const isMade = sources.some(({ flags }) =>
    flags.architectures.some((each) => each.origin.file === origin.file && each.origin.line === origin.line),
  );
  if (isMade && cmake.variable("CMAKE_CUDA_ARCHITECTURES") === value)
    cmake.assume("CMAKE_CUDA_ARCHITECTURES", reason, origin);
}
