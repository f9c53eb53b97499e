// What the project takes from outside: packages, programs and libraries of the machine, downloads. Of the few that every CUDA machine has the contents are known; the others are unknown, with their name.

import { entryOf } from "../../../table.ts";
import { isInside, resolvePath } from "../../../text/path.ts";
import type { Call, Flow, Interpreter } from "../interpreter.ts";
import type { Running } from "../run.ts";
import { isFalseConstant } from "../state.ts";
import { assumeCudaVersion, cudaVersion, toolkit } from "../toolchain.ts";
import { hasUnknown, splitListWhole } from "../unknown.ts";
import { type CommandTable, textsOf } from "./command.ts";
import { giveLegacyCuda } from "./legacy-cuda.ts";
import { modulePaths } from "./project.ts";

export const packageCommands: CommandTable = [
  ["find_package", findPackage],
  ["find_dependency", findPackage],
  ["find_package_handle_standard_args", handleStandardArguments],
  ["find_path", findFile],
  ["find_file", findFile],
  ["find_library", findFile],
  ["find_program", findFile],
  ["pkg_check_modules", pkgCheckModules],
  ["pkg_search_module", pkgCheckModules],
  ["fetchcontent_declare", fetchDeclare],
  ["fetchcontent_makeavailable", fetchMakeAvailable],
  ["fetchcontent_populate", fetchMakeAvailable],
  ["fetchcontent_getproperties", () => undefined],
  ["externalproject_add", externalProject],
  ["externalproject_get_property", externalProperty],
  ["cpmaddpackage", cpmAddPackage],
  ["cpmfindpackage", cpmAddPackage],
];

/** Other beginnings of the names that packages give. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  pythoninterp: ["python"],
  pythonlibs: ["python"],
  pybind11: ["python"],
  torch: ["caffe2", "c10"],
  pkgconfig: ["pkg_config"],
  opengl: ["glu"],
  gtest: ["gmock"],
  blas: ["bla"],
};

function findPackage(cmake: Interpreter, call: Call, running: Running): Flow | undefined {
  const args = textsOf(call);
  const name = args[0] ?? "";
  if (hasUnknown(name)) return undefined;
  const isRequired = args.includes("REQUIRED") || call.name === "find_dependency";
  const own = modulePaths(cmake, `Find${name}.cmake`).find((path) => cmake.kindOf(path) === "file");
  const isConfig = args.includes("CONFIG") || args.includes("NO_MODULE");
  if (own !== undefined && !isConfig) {
    const componentsAt = Math.max(args.indexOf("COMPONENTS"), isRequired ? args.indexOf("REQUIRED") : -1);
    const put = (suffix: string, text: string): void =>
      cmake.set(`${name}_FIND_${suffix}`, text, call.origin);
    put("REQUIRED", isRequired ? "1" : "0");
    put("QUIETLY", args.includes("QUIET") ? "1" : "0");
    if (/^\d/.test(args[1] ?? "")) put("VERSION", args[1] ?? "");
    if (componentsAt > 0) put("COMPONENTS", args.slice(componentsAt + 1).join(";"));
    const flow = running.file(cmake, own);
    if (flow !== null && flow.kind !== "next") return flow;
    settleRequired(cmake, call, name, isRequired);
    return undefined;
  }
  if (givePackage(cmake, call, name)) return undefined;
  if (cmake.unknownNames.has(name.toLowerCase()) && cmake.variable(`${name}_FOUND`) !== null && !isRequired)
    return undefined;
  const place = cmake.cache.get(`${name}_DIR`);
  if (place?.kind === "variable" && isFalseConstant(place.text) && !isRequired) {
    cmake.set(`${name}_FOUND`, "0", call.origin);
    return undefined;
  }
  const reason = isRequired
    ? `what the package ${name} contains is not known`
    : `whether the package ${name} is there is not known`;
  markUnknown(cmake, name, reason);
  cmake.note(`find_package(${name})`, reason, call.origin);
  for (const variable of new Set([`${name}_FOUND`, `${name.toUpperCase()}_FOUND`])) {
    cmake.set(variable, isRequired ? "TRUE" : cmake.unknown(reason), call.origin);
  }
  return undefined;
}

function markUnknown(cmake: Interpreter, name: string, reason: string): void {
  const lower = name.toLowerCase();
  for (const one of [lower, ...(entryOf(otherNames, lower) ?? [])]) cmake.unknownNames.set(one, reason);
}

/** A required package whose own module can't tell is there: else there is no build. */
function settleRequired(cmake: Interpreter, call: Call, name: string, isRequired: boolean): void {
  for (const variable of new Set([`${name}_FOUND`, `${name.toUpperCase()}_FOUND`])) {
    const value = cmake.variable(variable);
    if (isRequired && (value === null || hasUnknown(value.text))) cmake.set(variable, "TRUE", call.origin);
  }
}

/** Packages that are known; whether this is one. */
function givePackage(cmake: Interpreter, call: Call, name: string): boolean {
  const put = (variable: string, text: string): void => cmake.set(variable, text, call.origin);
  switch (name) {
    case "Threads":
      put("Threads_FOUND", "TRUE");
      put("THREADS_FOUND", "TRUE");
      put("CMAKE_THREAD_LIBS_INIT", "");
      put("CMAKE_USE_PTHREADS_INIT", "1");
      imported(cmake, call, "Threads::Threads");
      // glibc has its threads in libc since 2.34: no flag is needed.
      return true;
    case "OpenMP":
      for (const variable of ["OpenMP_FOUND", "OPENMP_FOUND", "OpenMP_C_FOUND", "OpenMP_CXX_FOUND"])
        put(variable, "TRUE");
      put("OpenMP_VERSION", "4.5");
      put("OpenMP_CXX_VERSION", "4.5");
      for (const language of ["C", "CXX"]) {
        put(`OpenMP_${language}_FLAGS`, "-fopenmp");
        put(`OpenMP_${language}_LIB_NAMES`, "gomp;pthread");
        put(`OpenMP_${language}_LIBRARIES`, "-lgomp;-lpthread");
        imported(cmake, call, `OpenMP::OpenMP_${language}`, [`$<$<COMPILE_LANGUAGE:${language}>:-fopenmp>`]);
      }
      return true;
    case "CUDAToolkit":
      giveToolkit(cmake, call);
      return true;
    case "CUDA":
      giveLegacyCuda(cmake, call);
      return true;
    default:
      return false;
  }
}

function imported(cmake: Interpreter, call: Call, name: string, options: readonly string[] = []): void {
  const target = cmake.makeTarget(name, "INTERFACE_LIBRARY", call.origin);
  const { origin } = call;
  cmake.put(target.properties, "IMPORTED", [{ text: "TRUE", origin, doubt: null }]);
  const entries = options.map((text) => ({ text, origin, doubt: null }));
  if (options.length > 0) cmake.put(target.properties, "INTERFACE_COMPILE_OPTIONS", entries);
}

const toolkitTargets =
  "cudart cudart_static cuda_driver cublas cublas_static cublasLt cublasLt_static cufft cufft_static cufftw curand curand_static " +
  "cusolver cusolver_static cusparse cusparse_static nvrtc nvml cupti nppc nppial nppicc nppidei nppif nppig nppim nppist nppisu " +
  "nppitc npps nvjpeg nvJitLink culibos OpenCL toolkit nvptxcompiler_static nvrtc_builtins";

function giveToolkit(cmake: Interpreter, call: Call): void {
  const root = toolkit(cmake);
  const [major = "", minor = "", patch = ""] = cudaVersion.split(".");
  const values: Readonly<Record<string, string>> = {
    CUDAToolkit_FOUND: "TRUE",
    CUDAToolkit_VERSION: cudaVersion,
    CUDAToolkit_VERSION_MAJOR: major,
    CUDAToolkit_VERSION_MINOR: minor,
    CUDAToolkit_VERSION_PATCH: patch,
    CUDAToolkit_INCLUDE_DIRS: `${root}/include`,
    CUDAToolkit_INCLUDE_DIR: `${root}/include`,
    CUDAToolkit_BIN_DIR: `${root}/bin`,
    CUDAToolkit_LIBRARY_DIR: `${root}/lib64`,
    CUDAToolkit_LIBRARY_ROOT: root,
    CUDAToolkit_TARGET_DIR: root,
    CUDAToolkit_ROOT_DIR: root,
    CUDAToolkit_NVCC_EXECUTABLE: `${root}/bin/nvcc`,
    CUDA_CUDART: `${root}/lib64/libcudart.so`,
  };
  for (const [variable, text] of Object.entries(values)) cmake.set(variable, text, call.origin);
  assumeCudaVersion(cmake, ["CUDAToolkit_VERSION", "CUDAToolkit_VERSION_MAJOR", "CUDAToolkit_VERSION_MINOR"]);
  for (const name of toolkitTargets.split(" ")) imported(cmake, call, `CUDA::${name}`);
  cmake.unknownNames.set("cuda::", "what of the CUDA toolkit is installed is not known");
}

function handleStandardArguments(cmake: Interpreter, call: Call): Flow | undefined {
  const args = textsOf(call);
  const name = args[0] ?? "";
  const at = args.indexOf("REQUIRED_VARS");
  const keywords = new Set([
    "VERSION_VAR",
    "FAIL_MESSAGE",
    "HANDLE_COMPONENTS",
    "CONFIG_MODE",
    "FOUND_VAR",
    "REASON_FAILURE_MESSAGE",
  ]);
  const variables: string[] = [];
  for (const text of at < 0 ? args.slice(2) : args.slice(at + 1)) {
    if (keywords.has(text)) break;
    variables.push(text);
  }
  const isRequired = cmake.text(`${name}_FIND_REQUIRED`) === "1";
  let reason: string | null = null;
  let isMissing = false;
  for (const variable of variables) {
    const text = cmake.text(variable);
    if (hasUnknown(text)) reason ??= cmake.unknowns.reasonOf(text);
    else if (isFalseConstant(text)) isMissing = true;
  }
  const found = isMissing ? "FALSE" : reason === null || isRequired ? "TRUE" : cmake.unknown(reason);
  for (const variable of new Set([`${name}_FOUND`, `${name.toUpperCase()}_FOUND`]))
    cmake.set(variable, found, call.origin);
  if (isMissing && isRequired && cmake.journal.depth > 0) return { kind: "fatal", doubt: null };
  return undefined;
}

const findKeywords = new Set(
  (
    "NAMES HINTS PATHS PATH_SUFFIXES DOC NO_DEFAULT_PATH NO_PACKAGE_ROOT_PATH NO_CMAKE_PATH NO_CMAKE_ENVIRONMENT_PATH REQUIRED " +
    "NO_SYSTEM_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH NO_CMAKE_FIND_ROOT_PATH CMAKE_FIND_ROOT_PATH_BOTH ONLY_CMAKE_FIND_ROOT_PATH NAMES_PER_DIR ENV VALIDATOR REGISTRY_VIEW"
  ).split(" "),
);

/** `find_path` and its kin: what lies in the workspace is found there, all else is not known. */
function findFile(cmake: Interpreter, call: Call): undefined {
  const [variable, ...args] = textsOf(call);
  if (variable === undefined) return undefined;
  const before = cmake.variable(variable);
  if (before !== null && !isFalseConstant(before.text)) return undefined;
  const parts: Record<string, string[]> = { NAMES: [], HINTS: [], PATHS: [], PATH_SUFFIXES: [] };
  let current = "NAMES";
  for (const arg of args) {
    if (findKeywords.has(arg)) current = arg;
    else entryOf(parts, current)?.push(arg);
    // The short form: a name, then paths.
    if (current === "NAMES" && !args.includes("NAMES") && parts.NAMES?.length === 1 && arg === args[0])
      current = "PATHS";
  }
  const directories = [...(parts.HINTS ?? []), ...(parts.PATHS ?? [])].flatMap((path) =>
    splitListWhole(path),
  );
  const isOpen = !args.includes("NO_DEFAULT_PATH") || directories.some(hasUnknown);
  for (const directory of directories) {
    if (hasUnknown(directory)) continue;
    for (const suffix of ["", ...(parts.PATH_SUFFIXES ?? [])]) {
      const base = resolvePath(resolvePath(cmake.directory.source, directory), suffix);
      if (!isInside(base, cmake.workspace)) continue;
      const name = (parts.NAMES ?? []).find(
        (one) => !hasUnknown(one) && cmake.kindOf(resolvePath(base, one)) === "file",
      );
      if (name === undefined) continue;
      cmake.set(
        variable,
        call.name === "find_path" ? base : resolvePath(base, name),
        call.origin,
        cmake.cache,
      );
      return undefined;
    }
  }
  const outside = directories.some(
    (path) => !hasUnknown(path) && !isInside(resolvePath(cmake.directory.source, path), cmake.workspace),
  );
  if (!isOpen && !outside) cmake.set(variable, `${variable}-NOTFOUND`, call.origin, cmake.cache);
  else {
    const names = (parts.NAMES ?? []).map((one) => cmake.shown(one)).join(", ");
    cmake.set(variable, cmake.unknown(`where ${names} lies is not known`), call.origin);
  }
  return undefined;
}

function pkgCheckModules(cmake: Interpreter, call: Call): undefined {
  const args = textsOf(call);
  const prefix = args[0] ?? "";
  const reason = `what pkg-config knows of ${args.at(-1) ?? prefix} is not known`;
  markUnknown(cmake, prefix, reason);
  cmake.note(`${call.name}(${prefix})`, reason, call.origin);
  cmake.set(`${prefix}_FOUND`, args.includes("REQUIRED") ? "1" : cmake.unknown(reason), call.origin);
  cmake.unknownNames.set("pkgconfig", reason);
  return undefined;
}

function fetchDeclare(cmake: Interpreter, call: Call): undefined {
  const args = textsOf(call);
  const at = args.indexOf("SOURCE_DIR");
  const hasDownload = args.some((word) =>
    /^(?:GIT_REPOSITORY|URL|SVN_REPOSITORY|DOWNLOAD_COMMAND)$/.test(word),
  );
  if (at >= 0 && !hasDownload) {
    cmake.set(`(fetched ${(args[0] ?? "").toLowerCase()})`, args[at + 1] ?? "", call.origin);
  }
  return undefined;
}

/** What is to be fetched is not: whatever it would bring is unknown, unless the sources lie in the workspace. */
function fetchMakeAvailable(cmake: Interpreter, call: Call, running: Running): Flow | undefined {
  for (const name of textsOf(call)) {
    const lower = name.toLowerCase();
    const place =
      cmake.get(`FETCHCONTENT_SOURCE_DIR_${name.toUpperCase()}`) ??
      cmake.variable(`(fetched ${lower})`)?.text;
    const binary = resolvePath(cmake.binaryRoot, `_deps/${lower}-build`);
    if (place != null && !hasUnknown(place) && place !== "") {
      const source = resolvePath(cmake.directory.source, place);
      cmake.set(`${lower}_SOURCE_DIR`, source, call.origin);
      cmake.set(`${lower}_BINARY_DIR`, binary, call.origin);
      cmake.set(`${lower}_POPULATED`, "TRUE", call.origin);
      const flow =
        call.name === "fetchcontent_makeavailable" ? running.subdirectory(cmake, source, binary) : null;
      if (flow !== null && flow.kind !== "next") return flow;
      continue;
    }
    const reason = `${name} is fetched by the build, and so its contents are not known`;
    markUnknown(cmake, name, reason);
    cmake.note(
      `${call.name === "fetchcontent_populate" ? "FetchContent_Populate" : "FetchContent_MakeAvailable"}(${name})`,
      reason,
      call.origin,
    );
    cmake.set(`${lower}_SOURCE_DIR`, resolvePath(cmake.binaryRoot, `_deps/${lower}-src`), call.origin);
    cmake.set(`${lower}_BINARY_DIR`, binary, call.origin);
    cmake.set(`${lower}_POPULATED`, "TRUE", call.origin);
  }
  return undefined;
}

function externalProject(cmake: Interpreter, call: Call): undefined {
  const name = textsOf(call)[0] ?? "";
  cmake.note(
    `ExternalProject_Add(${name})`,
    `${name} is fetched by the build, and so its contents are not known`,
    call.origin,
  );
  return undefined;
}

function externalProperty(cmake: Interpreter, call: Call): undefined {
  const [name = "", ...properties] = textsOf(call);
  for (const property of properties) {
    cmake.set(property, cmake.unknown(`${property} of ${name} is not known`), call.origin);
  }
  return undefined;
}

function cpmAddPackage(cmake: Interpreter, call: Call): undefined {
  const args = textsOf(call);
  const at = args.indexOf("NAME");
  const name =
    at < 0
      ? (/([\w.-]+?)(?:@|#|$)/.exec((args[0] ?? "").split("/").at(-1) ?? "")?.[1] ?? "")
      : (args[at + 1] ?? "");
  const reason = `${name} is fetched by the build, and so its contents are not known`;
  markUnknown(cmake, name, reason);
  cmake.note(`CPMAddPackage(${name})`, reason, call.origin);
  return undefined;
}
