// The machine that a project is read for where nothing of the real one is known: Linux on x86-64 with GCC and nvcc.
import type { Origin } from "../flags.ts";
import type { Interpreter } from "./interpreter.ts";
import { isNew } from "./state.ts";

export const assumedCMake = "3.25.1";
export const assumedGcc = "12.2.0";
const assumedCuda = "13.0.88";
/** What nvcc of that version makes code for unless it is told otherwise. */
const defaultArchitecture = "75";
const toolkitReason = "where the CUDA toolkit lies is not known";

/** The directory of the CUDA toolkit: a path that is not known. */
export function toolkit(cmake: Interpreter): string {
  return cmake.unknown(toolkitReason);
}

/** Whether a path is below the CUDA toolkit, whose headers every CUDA compilation has. */
export function isOfToolkit(cmake: Interpreter, text: string): boolean {
  return cmake.unknowns.reasonOf(text) === toolkitReason;
}

/** What holds before the first command. */
export function giveMachine(cmake: Interpreter): void {
  giveVersion(cmake, assumedCMake, { file: cmake.file, line: 1 });
  const { sourceRoot, binaryRoot } = cmake;
  const values: Readonly<Record<string, string>> = {
    CMAKE_SOURCE_DIR: sourceRoot,
    CMAKE_BINARY_DIR: binaryRoot,
    CMAKE_CURRENT_SOURCE_DIR: sourceRoot,
    CMAKE_CURRENT_BINARY_DIR: binaryRoot,
    CMAKE_HOME_DIRECTORY: sourceRoot,
    CMAKE_COMMAND: "/usr/bin/cmake",
    CMAKE_ROOT: "/usr/share/cmake",
    CMAKE_GENERATOR: "Unix Makefiles",
    CMAKE_MAKE_PROGRAM: "/usr/bin/make",
    CMAKE_HOST_SYSTEM_NAME: "Linux",
    CMAKE_HOST_SYSTEM_PROCESSOR: "x86_64",
    CMAKE_HOST_UNIX: "1",
    CMAKE_HOST_LINUX: "1",
    CMAKE_FILES_DIRECTORY: "/CMakeFiles",
    CMAKE_CFG_INTDIR: ".",
    CMAKE_CURRENT_LIST_DIR: sourceRoot,
  };
  for (const [name, text] of Object.entries(values)) cmake.give(name, text);
}

/** The version of CMake that reads the project. */
export function giveVersion(cmake: Interpreter, version: string, origin: Origin): void {
  const [major = "0", minor = "0", patch = "0"] = version.split(".");
  cmake.set("CMAKE_VERSION", `${major}.${minor}.${patch}`, origin);
  cmake.set("CMAKE_MAJOR_VERSION", major, origin);
  cmake.set("CMAKE_MINOR_VERSION", minor, origin);
  cmake.set("CMAKE_PATCH_VERSION", patch, origin);
}

/** What the first `project` makes known of the system. */
function giveSystem(cmake: Interpreter, origin: Origin): void {
  const values: Readonly<Record<string, string>> = {
    CMAKE_SYSTEM_NAME: "Linux",
    CMAKE_SYSTEM_PROCESSOR: "x86_64",
    CMAKE_SYSTEM: "Linux",
    CMAKE_CROSSCOMPILING: cmake.variable("CMAKE_SYSTEM_NAME") === null ? "FALSE" : "TRUE",
    CMAKE_SIZEOF_VOID_P: "8",
    CMAKE_LIBRARY_ARCHITECTURE: "x86_64-linux-gnu",
    UNIX: "1",
    LINUX: "1",
    CMAKE_SHARED_LIBRARY_PREFIX: "lib",
    CMAKE_SHARED_LIBRARY_SUFFIX: ".so",
    CMAKE_STATIC_LIBRARY_PREFIX: "lib",
    CMAKE_STATIC_LIBRARY_SUFFIX: ".a",
    CMAKE_EXECUTABLE_SUFFIX: "",
    CMAKE_DL_LIBS: "dl",
  };
  for (const [name, text] of Object.entries(values)) {
    if (cmake.variable(name) === null) cmake.set(name, text, origin);
  }
  for (const [name, text] of [
    ["CMAKE_BUILD_TYPE", ""],
    ["CMAKE_INSTALL_PREFIX", "/usr/local"],
  ] as const) {
    if (!cmake.cache.has(name)) cmake.set(name, text, origin, cmake.cache);
  }
}

const configurations: readonly (readonly [string, string])[] = [
  ["DEBUG", "-g"],
  ["RELEASE", "-O3 -DNDEBUG"],
  ["RELWITHDEBINFO", "-O2 -g -DNDEBUG"],
  ["MINSIZEREL", "-Os -DNDEBUG"],
];

/** `project` or `enable_language` names a language: its compiler is found. */
export function enableLanguage(cmake: Interpreter, language: string, origin: Origin): void {
  giveSystem(cmake, origin);
  if (cmake.languages.has(language)) return;
  cmake.languages.add(language);
  if (!["C", "CXX", "CUDA"].includes(language)) return;
  const isCuda = language === "CUDA";
  const prefix = `CMAKE_${language}`;
  const values: Record<string, string> = {
    COMPILER_ID: isCuda ? "NVIDIA" : "GNU",
    COMPILER_VERSION: isCuda ? assumedCuda : assumedGcc,
    COMPILER_LOADED: "1",
    COMPILER_WORKS: "TRUE",
    PLATFORM_ID: "Linux",
    STANDARD_DEFAULT: "17",
    COMPILER_FRONTEND_VARIANT: isCuda ? "" : "GNU",
    SIZEOF_DATA_PTR: "8",
    BYTE_ORDER: "LITTLE_ENDIAN",
    COMPILER_ENV_VAR: isCuda ? "CUDACXX" : language === "CXX" ? "CXX" : "CC",
    COMPILER: isCuda ? `${toolkit(cmake)}/bin/nvcc` : language === "CXX" ? "/usr/bin/c++" : "/usr/bin/cc",
    COMPILE_FEATURES: compileFeatures(language),
  };
  if (isCuda) {
    const root = toolkit(cmake);
    values.TOOLKIT_INCLUDE_DIRECTORIES = `${root}/include`;
    values.COMPILER_TOOLKIT_ROOT = root;
    values.COMPILER_TOOLKIT_VERSION = assumedCuda;
    values.COMPILER_LIBRARY_ROOT = root;
    values.HOST_COMPILER = "";
    values.IMPLICIT_INCLUDE_DIRECTORIES = `${root}/include`;
    values.ARCHITECTURES_ALL =
      "75-real;80-real;86-real;87-real;88-real;89-real;90-real;100-real;103-real;110-real;120-real;121";
    values.ARCHITECTURES_ALL_MAJOR = "75-real;80-real;90-real;100-real;110-real;120";
    values.ARCHITECTURES_NATIVE = cmake.unknown("the GPU of the machine that builds is not known");
  } else {
    for (const { name, flags } of standardOptions(language)) cmake.set(name, flags, origin);
    cmake.set(`CMAKE_COMPILER_IS_GNU${language === "CXX" ? "CXX" : "CC"}`, "1", origin);
  }
  for (const [name, text] of Object.entries(values)) {
    const isChosen = name === "COMPILER" || name === "HOST_COMPILER";
    if (!isChosen || cmake.variable(`${prefix}_${name}`) === null)
      cmake.set(`${prefix}_${name}`, text, origin);
  }
  if (!cmake.cache.has(`${prefix}_FLAGS`)) {
    cmake.set(`${prefix}_FLAGS`, cmake.text(`${prefix}_FLAGS_INIT`), origin, cmake.cache);
  }
  for (const [name, flags] of configurations) {
    const own = isCuda && name === "MINSIZEREL" ? "-O1 -DNDEBUG" : flags;
    const given = cmake.text(`${prefix}_FLAGS_${name}_INIT`);
    if (!cmake.cache.has(`${prefix}_FLAGS_${name}`))
      cmake.set(`${prefix}_FLAGS_${name}`, given === "" ? own : `${given} ${own}`, origin, cmake.cache);
  }
  if (!isCuda) return;
  const isDefault = cmake.variable("CMAKE_CUDA_ARCHITECTURES") === null;
  if (isDefault && isNew(cmake.directory.policies, "CMP0104", 318)) {
    cmake.set("CMAKE_CUDA_ARCHITECTURES", defaultArchitecture, origin, cmake.cache);
    cmake.defaultArchitectures = {
      value: cmake.cache.get("CMAKE_CUDA_ARCHITECTURES"),
      reason: `CMAKE_CUDA_ARCHITECTURES is not set: nvcc ${assumedCuda.slice(0, 4)} makes code for ${defaultArchitecture}`,
    };
  }
  assumeCudaVersion(cmake, ["CMAKE_CUDA_COMPILER_VERSION"]);
}

/** Tells, once one of these variables is asked for, that the toolkit's version is taken for granted. */
export function assumeCudaVersion(cmake: Interpreter, names: readonly string[]): void {
  for (const name of names) {
    cmake.assumed.set(name, `taken as ${assumedCuda.slice(0, 4)}: the installed CUDA toolkit is not known`);
  }
}

export const cudaVersion = assumedCuda;

/** The options by which GCC is told a standard, as CMake names them. */
function standardOptions(language: string): readonly { readonly name: string; readonly flags: string }[] {
  const [word, ...standards] =
    language === "C" ? ["c", "90", "99", "11", "17"] : ["c++", "98", "11", "14", "17", "20", "23"];
  return standards.flatMap((standard) =>
    [
      ["STANDARD", `-std=${word}${standard}`],
      ["EXTENSION", `-std=gnu${word?.slice(1)}${standard}`],
    ].map(([kind = "", flags = ""]) => ({
      name: `CMAKE_${language}${standard}_${kind}_COMPILE_OPTION`,
      flags,
    })),
  );
}

function compileFeatures(language: string): string {
  const name = language === "CXX" ? "cxx" : language.toLowerCase();
  const standards =
    language === "C" ? ["90", "99", "11", "17", "23"] : ["98", "03", "11", "14", "17", "20", "23"];
  return standards.map((standard) => `${name}_std_${standard}`).join(";");
}
