// The module FindCUDA of old, whose commands compile .cu files by rules of their own: with CUDA_NVCC_FLAGS, the directory's definitions and include paths.
import type { Argument, Call, Interpreter } from "../interpreter.ts";
import { assumeCudaVersion, cudaVersion, toolkit } from "../toolchain.ts";
import { type CommandTable, entriesOfArguments } from "./command.ts";
import { makeCompiledTarget } from "./targets.ts";

/** The property that holds the options which FindCUDA gives to nvcc. */
export const cudaOptions = "(cuda options)";

export const legacyCudaCommands: CommandTable = [
  ["cuda_add_executable", (cmake, call) => cudaTarget(cmake, call, "EXECUTABLE")],
  ["cuda_add_library", (cmake, call) => cudaTarget(cmake, call, null)],
  ["cuda_compile", (cmake, call) => cudaTarget(cmake, call, "OBJECT_LIBRARY")],
  ["cuda_compile_ptx", (cmake, call) => cudaTarget(cmake, call, "OBJECT_LIBRARY")],
  ["cuda_compile_cubin", (cmake, call) => cudaTarget(cmake, call, "OBJECT_LIBRARY")],
  ["cuda_wrap_srcs", (cmake, call) => cudaTarget(cmake, call, "OBJECT_LIBRARY")],
  ["cuda_select_nvcc_arch_flags", selectArchitectures],
  ["cuda_add_cublas_to_target", () => undefined],
  ["cuda_add_cufft_to_target", () => undefined],
  ["cuda_build_clean_target", () => undefined],
  ["cuda_find_helper_files", () => undefined],
];

/** `find_package(CUDA)`. */
export function giveLegacyCuda(cmake: Interpreter, call: Call): void {
  const root = toolkit(cmake);
  const [major = "", minor = ""] = cudaVersion.split(".");
  const values: Readonly<Record<string, string>> = {
    CUDA_FOUND: "TRUE",
    CUDA_VERSION: `${major}.${minor}`,
    CUDA_VERSION_STRING: `${major}.${minor}`,
    CUDA_VERSION_MAJOR: major,
    CUDA_VERSION_MINOR: minor,
    CUDA_TOOLKIT_ROOT_DIR: root,
    CUDA_SDK_ROOT_DIR: root,
    CUDA_TOOLKIT_INCLUDE: `${root}/include`,
    CUDA_INCLUDE_DIRS: `${root}/include`,
    CUDA_NVCC_EXECUTABLE: `${root}/bin/nvcc`,
    CUDA_LIBRARIES: `${root}/lib64/libcudart.so`,
    CUDA_CUDART_LIBRARY: `${root}/lib64/libcudart.so`,
    CUDA_CUDA_LIBRARY: `${root}/lib64/stubs/libcuda.so`,
    CUDA_cudart_static_LIBRARY: `${root}/lib64/libcudart_static.a`,
    CUDA_CUBLAS_LIBRARIES: `${root}/lib64/libcublas.so`,
    CUDA_CUFFT_LIBRARIES: `${root}/lib64/libcufft.so`,
    CUDA_cublas_LIBRARY: `${root}/lib64/libcublas.so`,
    CUDA_cusparse_LIBRARY: `${root}/lib64/libcusparse.so`,
    CUDA_cusolver_LIBRARY: `${root}/lib64/libcusolver.so`,
    CUDA_curand_LIBRARY: `${root}/lib64/libcurand.so`,
    CUDA_cufft_LIBRARY: `${root}/lib64/libcufft.so`,
  };
  for (const [name, text] of Object.entries(values)) cmake.set(name, text, call.origin);
  for (const [name, text] of [
    ["CUDA_SEPARABLE_COMPILATION", "OFF"],
    ["CUDA_PROPAGATE_HOST_FLAGS", "ON"],
    ["CUDA_HOST_COMPILER", "/usr/bin/cc"],
    ["CUDA_NVCC_FLAGS", ""],
    ["CUDA_USE_STATIC_CUDA_RUNTIME", "ON"],
  ] as const) {
    if (cmake.variable(name) === null) cmake.set(name, text, call.origin, cmake.cache);
  }
  assumeCudaVersion(cmake, [
    "CUDA_VERSION",
    "CUDA_VERSION_MAJOR",
    "CUDA_VERSION_MINOR",
    "CUDA_VERSION_STRING",
  ]);
  // Its .cu files are compiled though the project does not name the language.
  cmake.put(cmake.globalProperties, "(legacy cuda)", []);
}

function cudaTarget(cmake: Interpreter, call: Call, type: string | null): undefined {
  const [name, ...rest] = call.args;
  if (name === undefined) return undefined;
  const sources: Argument[] = [];
  const options: Argument[] = [];
  let isOption = false;
  let kind = type;
  for (const arg of rest) {
    if (arg.text === "OPTIONS") isOption = true;
    else if (isOption) options.push(arg);
    else if (type === null && /^(?:STATIC|SHARED|MODULE)$/.test(arg.text)) kind = `${arg.text}_LIBRARY`;
    else if (!/^(?:WIN32|MACOSX_BUNDLE|EXCLUDE_FROM_ALL|STATIC|SHARED|MODULE)$/.test(arg.text))
      sources.push(arg);
  }
  const shared = /^(?:1|on|true|yes)$/i.test(cmake.text("BUILD_SHARED_LIBS"));
  const target = makeCompiledTarget(
    cmake,
    call,
    name.text,
    kind ?? (shared ? "SHARED_LIBRARY" : "STATIC_LIBRARY"),
    sources,
  );
  const flags = cmake.variable("CUDA_NVCC_FLAGS");
  const configuration = cmake.text("CMAKE_BUILD_TYPE").toUpperCase();
  const own = configuration === "" ? null : cmake.variable(`CUDA_NVCC_FLAGS_${configuration}`);
  const entries = [flags, own].flatMap((variable) =>
    (variable?.pieces ?? []).flatMap((piece) =>
      cmake.unknowns.elements(piece.text).map(({ text, doubt }) => ({ text, doubt, origin: piece.origin })),
    ),
  );
  cmake.put(target.properties, cudaOptions, [...entries, ...entriesOfArguments(cmake, options)]);
  const separable = cmake.variable("CUDA_SEPARABLE_COMPILATION");
  if (separable !== null) {
    cmake.put(target.properties, "CUDA_SEPARABLE_COMPILATION", [
      { text: separable.text, origin: call.origin, doubt: null },
    ]);
  }
  return undefined;
}

/** `cuda_select_nvcc_arch_flags(VAR 7.0 8.6+PTX Auto)`. */
function selectArchitectures(cmake: Interpreter, call: Call): undefined {
  const [variable, ...names] = call.args.map(({ text }) => text);
  if (variable === undefined) return undefined;
  const numbers = names
    .flatMap((name) => name.split(/[\s;]+/))
    .map((name) => /^(\d+)\.(\d)(?:\+PTX)?$/.exec(name));
  const isKnown = numbers.length > 0 && numbers.every((found) => found !== null);
  const flags = numbers.flatMap((found) => {
    const number = `${found?.[1] ?? ""}${found?.[2] ?? ""}`;
    return ["-gencode", `arch=compute_${number},code=sm_${number}`];
  });
  const reason = "which GPUs CUDA_SELECT_NVCC_ARCH_FLAGS finds is not known";
  cmake.set(variable, isKnown ? flags.join(";") : cmake.unknown(reason), call.origin);
  return undefined;
}
