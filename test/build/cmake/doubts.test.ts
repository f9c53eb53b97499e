// What the files of a project alone can't tell, where each flag is written, and texts that are no CMake.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCMake } from "../../../server/src/build/cmake/cmake.ts";
import type { BuildDescription, CompileFlags, MacroFlag } from "../../../server/src/build/flags.ts";
import { memoryHost } from "../../../server/src/host/memory.ts";
import { buildHost } from "../../../server/src/project/build-host.ts";
import { treeOf } from "./record.ts";

const root = "/project";
const head = "cmake_minimum_required(VERSION 3.22)\nproject(p LANGUAGES CXX CUDA)\nadd_executable(t a.cu)\n";

function read(files: Readonly<Record<string, string>>): BuildDescription | null {
  const absolute = Object.fromEntries(Object.entries(files).map(([path, text]) => [`${root}/${path}`, text]));
  return readCMake(buildHost(memoryHost(absolute), [root]), `${root}/CMakeLists.txt`, root);
}

function flagsOf(text: string, more: Readonly<Record<string, string>> = {}): CompileFlags {
  const flags = read({ "CMakeLists.txt": text, "a.cu": "", ...more })?.sources[0]?.flags;
  if (flags === undefined) throw new Error("there is no source");
  return flags;
}

function macro(flags: CompileFlags, name: string): MacroFlag | undefined {
  return flags.macros.find((one) => one.name === name);
}

describe("what is not known", () => {
  test("a definition behind a package that need not be there", () => {
    const flags = flagsOf(`${head}find_package(MPI)
if(MPI_CXX_FOUND)
  target_compile_definitions(t PRIVATE USE_MPI RANKS=4)
else()
  target_compile_definitions(t PRIVATE RANKS=1)
endif()
target_compile_definitions(t PRIVATE SURE)`);
    expect(macro(flags, "USE_MPI")).toMatchObject({ value: "1", doubt: expect.stringContaining("MPI") });
    expect(macro(flags, "RANKS")).toMatchObject({ value: null, doubt: expect.stringContaining("MPI") });
    expect(macro(flags, "SURE")).toMatchObject({ value: "1", doubt: null });
  });

  test("a value that a program would print", () => {
    const flags = flagsOf(`${head}execute_process(COMMAND git rev-parse HEAD OUTPUT_VARIABLE hash)
target_compile_definitions(t PRIVATE HASH="\${hash}" \${hash})`);
    expect(macro(flags, "HASH")).toMatchObject({
      value: null,
      doubt: expect.stringContaining("git rev-parse"),
    });
    expect(flags.unresolved.length).toBeGreaterThan(0);
  });

  test("a way that ends with an error is not gone", () => {
    const flags = flagsOf(`${head}find_package(Eigen3)
if(NOT EIGEN3_FOUND)
  message(FATAL_ERROR "no Eigen")
else()
  target_compile_definitions(t PRIVATE EIGEN)
endif()
target_compile_definitions(t PRIVATE SURE)`);
    expect(macro(flags, "EIGEN")).toMatchObject({ doubt: null });
    expect(macro(flags, "SURE")).toMatchObject({ doubt: null });
  });

  test("variables that both ways set, and what hangs on them", () => {
    const flags = flagsOf(`${head}check_cxx_compiler_flag(-Wx HAS_X)
set(BLOCK 32)
set(SAME 1)
set(FLAGS -DALWAYS)
if(HAS_X)
  set(BLOCK 64)
  set(SAME 1)
  list(APPEND FLAGS -DSOMETIMES)
endif()
target_compile_definitions(t PRIVATE BLOCK=\${BLOCK} SAME=\${SAME})
target_compile_options(t PRIVATE \${FLAGS})
if(BLOCK GREATER 16)
  target_compile_definitions(t PRIVATE LARGE)
endif()
if(BLOCK GREATER 48)
  target_compile_definitions(t PRIVATE LARGER)
endif()`);
    expect(macro(flags, "BLOCK")).toMatchObject({ value: null });
    expect(macro(flags, "SAME")).toMatchObject({ value: "1", doubt: null });
    expect(macro(flags, "ALWAYS")).toMatchObject({ doubt: null });
    expect(macro(flags, "SOMETIMES")).toMatchObject({
      doubt: expect.stringContaining("check_cxx_compiler_flag"),
    });
    expect(macro(flags, "LARGE")).toMatchObject({ doubt: null });
    expect(macro(flags, "LARGER")?.doubt).not.toBeNull();
  });

  test("a file that may end early", () => {
    const flags = flagsOf(
      `${head}check_cxx_compiler_flag(-Wx HAS_X)
include(more.cmake)
target_compile_definitions(t PRIVATE SURE)`,
      {
        "more.cmake":
          "target_compile_definitions(t PRIVATE FIRST)\nif(HAS_X)\n  return()\nendif()\ntarget_compile_definitions(t PRIVATE SECOND)",
      },
    );
    expect(macro(flags, "FIRST")).toMatchObject({ doubt: null });
    expect(macro(flags, "SECOND")?.doubt).not.toBeNull();
    expect(macro(flags, "SURE")).toMatchObject({ doubt: null });
  });

  test("a target of one way alone is whole", () => {
    const description = read({
      "CMakeLists.txt": `${head}find_package(OpenGL)
if(OpenGL_FOUND)
  add_executable(viewer b.cu)
  target_compile_definitions(viewer PRIVATE N=1)
endif()`,
    });
    const viewer = description?.sources.find(({ target }) => target === "viewer")?.flags;
    expect(viewer?.macros).toMatchObject([{ name: "N", value: "1", doubt: null }]);
    expect(viewer?.unresolved.map(({ what }) => what)).toContain("viewer");
  });

  test("what is fetched, and targets of packages", () => {
    const description = read({
      "CMakeLists.txt": `${head}FetchContent_Declare(fmt GIT_REPOSITORY https://example.org/fmt)
FetchContent_MakeAvailable(fmt)
find_package(Kokkos REQUIRED)
target_link_libraries(t PRIVATE fmt::fmt Kokkos::kokkos CUDA::cudart m)`,
    });
    expect(description?.unresolved.map(({ what }) => what)).toEqual(
      expect.arrayContaining(["FetchContent_MakeAvailable(fmt)", "find_package(Kokkos)"]),
    );
    expect(description?.sources[0]?.flags.unresolved.map(({ what }) => what)).toEqual([
      "fmt::fmt",
      "Kokkos::kokkos",
    ]);
  });

  test("an alias of a package's target or of the project's own in its place", () => {
    const flags = flagsOf(
      `${head}find_package(PORTABLE)
if(NOT TARGET PORTABLE::PORTABLE)
  add_library(PORTABLE INTERFACE)
  target_compile_definitions(PORTABLE INTERFACE P)
endif()
if(TARGET PORTABLE::PORTABLE)
  set(used PORTABLE::PORTABLE)
elseif(TARGET PORTABLE)
  set(used PORTABLE)
else()
  message(FATAL_ERROR "neither")
endif()
target_compile_definitions(\${used} INTERFACE Q)
add_library(own::used ALIAS \${used})
target_link_libraries(t PRIVATE own::used)`,
    );
    expect(macro(flags, "P")?.doubt).toContain("PORTABLE");
    expect(macro(flags, "Q")?.doubt).toContain("PORTABLE");
  });

  test("architectures that nobody sets are nvcc's own, which is told; those that the project forces are its choice", () => {
    const toldOf = (text: string): readonly string[] =>
      (read({ "CMakeLists.txt": `${head}${text}` })?.unresolved ?? []).map(({ what }) => what);
    expect(toldOf("")).toContain("CMAKE_CUDA_ARCHITECTURES");
    const forced = 'set(CMAKE_CUDA_ARCHITECTURES "80;86" CACHE STRING "" FORCE)\nadd_library(u a.cu)';
    expect(toldOf(`set_target_properties(t PROPERTIES CUDA_ARCHITECTURES 80)\n${forced}`)).not.toContain(
      "CMAKE_CUDA_ARCHITECTURES",
    );
  });

  test("a module of CMake's that helps to find packages is no package", () => {
    const text = `${head}include(FindPackageHandleStandardArgs)\ninclude(FindThreads)\ninclude(FindGit)`;
    const told = (read({ "CMakeLists.txt": text })?.unresolved ?? []).map(({ what }) => what);
    expect(told.filter((what) => what.startsWith("find_package"))).toEqual(["find_package(Git)"]);
  });

  test("a project that asks for a newer CMake than the assumed one has it", () => {
    const flags = flagsOf(`cmake_minimum_required(VERSION 3.30)
project(p CUDA)
add_library(t a.cu)
target_compile_definitions(t PRIVATE NEW_ENOUGH=$<VERSION_GREATER_EQUAL:\${CMAKE_VERSION},3.28> V=\${CMAKE_MINOR_VERSION})`);
    expect(macro(flags, "NEW_ENOUGH")).toMatchObject({ value: "1", doubt: null });
    expect(macro(flags, "V")).toMatchObject({ value: "30", doubt: null });
  });

  test("an environment variable that not every machine has is taken as not set, and told", () => {
    const description = read({
      "CMakeLists.txt": `${head}if(DEFINED ENV{WIDTH})
  set(width $ENV{WIDTH})
else()
  set(width 8)
endif()
target_compile_definitions(t PRIVATE WIDTH=\${width})`,
    });
    const flags = description?.sources[0]?.flags;
    expect(flags && macro(flags, "WIDTH")).toMatchObject({ value: "8", doubt: null });
    expect(description?.unresolved).toContainEqual(
      expect.objectContaining({ what: "$ENV{WIDTH}", reason: "taken as not set" }),
    );
  });

  test("the environment", () => {
    const flags = flagsOf(`${head}target_compile_definitions(t PRIVATE HOME=\${X}$ENV{HOME})`);
    expect(macro(flags, "HOME")).toMatchObject({
      value: null,
      doubt: expect.stringContaining("environment"),
    });
  });
});

describe("where flags are written", () => {
  const lines = (flags: CompileFlags): Record<string, number> =>
    Object.fromEntries(flags.macros.map(({ name, origin }) => [name, origin.line]));

  test("an argument has its own line, a part of a variable that of the command that put it there", () => {
    const flags = flagsOf(`${head}target_compile_definitions(t PRIVATE
  A=1
  B=2)
set(CMAKE_CUDA_FLAGS "\${CMAKE_CUDA_FLAGS} -DC")
if(TRUE)
  string(APPEND CMAKE_CUDA_FLAGS " -DD=1")
endif()
add_definitions(-DE)`);
    expect(lines(flags)).toEqual({ A: 5, B: 6, C: 7, D: 9, E: 11 });
  });

  test("in another file, a function and a preset", () => {
    const description = read({
      "CMakeLists.txt": `${head}include(f.cmake)\nsized(t 4)\nset(CMAKE_CUDA_ARCHITECTURES 90)\nadd_library(u b.cu)`,
      "f.cmake":
        "function(sized target size)\n  target_compile_definitions(${target} PRIVATE SIZE=${size})\nendfunction()",
    });
    const [first, second] = description?.sources ?? [];
    expect(first?.flags.macros[0]?.origin).toEqual({ file: `${root}/f.cmake`, line: 2 });
    expect(second?.flags.architectures).toMatchObject([{ number: 90, origin: { line: 6 } }]);
  });
});

test("a build tree remembers what the user chose", () => {
  const cache = `CMAKE_HOME_DIRECTORY:INTERNAL=${root}
BLOCK:STRING=64
HAS_X:INTERNAL=1
CMAKE_CUDA_ARCHITECTURES:STRING=86
`;
  const flags = flagsOf(
    `cmake_minimum_required(VERSION 3.22)
project(p LANGUAGES CXX CUDA)
set(BLOCK 32 CACHE STRING "")
add_executable(t a.cu)
check_cxx_compiler_flag(-Wx HAS_X)
target_compile_definitions(t PRIVATE BLOCK=\${BLOCK} X=\${HAS_X})`,
    { "build-debug/CMakeCache.txt": cache },
  );
  expect(macro(flags, "BLOCK")).toMatchObject({ value: "64", doubt: null });
  expect(macro(flags, "X")).toMatchObject({ value: "1", doubt: null });
  expect(flags.architectures).toMatchObject([{ number: 86 }]);
});

test("FindCUDA of old", () => {
  const flags = flagsOf(`cmake_minimum_required(VERSION 3.5)
project(p)
find_package(CUDA REQUIRED)
include_directories(inc)
add_definitions(-DALL)
set(CUDA_NVCC_FLAGS \${CUDA_NVCC_FLAGS} -DB=1 -gencode arch=compute_80,code=sm_80)
list(APPEND CUDA_NVCC_FLAGS "-DC -DD")
cuda_include_directories(cuda_inc)
cuda_add_executable(t a.cu OPTIONS -DE)`);
  expect(flags.macros.map(({ name }) => name)).toEqual(["ALL", "B", "C", "D", "E"]);
  expect(flags.includePaths.map(({ path }) => path)).toEqual([`${root}/inc`, `${root}/cuda_inc`]);
  expect(flags.architectures.map(({ number }) => number)).toEqual([80]);
});

test("texts that end anywhere, loops without an end and calls without an end", () => {
  for (const name of ["language", "targets", "conditions"]) {
    const files = treeOf(readFileSync(`${import.meta.dirname}/${name}.txt`, "utf8"));
    const text = files["CMakeLists.txt"] ?? "";
    for (let end = 0; end < text.length; end += 397) read({ ...files, "CMakeLists.txt": text.slice(0, end) });
  }
  const endless = [
    "while(TRUE)\nset(x 1)\nendwhile()",
    "function(f)\nf()\nf()\nendfunction()\nf()",
    "macro(m)\nm()\nm()\nendmacro()\nm()",
    "include(CMakeLists.txt)",
    "add_subdirectory(.)",
    'set(x a)\nforeach(i RANGE 100)\nset(x "${x}${x}")\nendforeach()',
    "foreach(i RANGE 1 1000000000)\nendforeach()",
    "${${${",
    "if(((((",
    'set(a "${a',
    'math(EXPR x "1 << 99999999999")',
    "string(REPEAT x 1000000000 y)",
    "$<$<$<",
  ];
  for (const text of endless) expect(read({ "CMakeLists.txt": `${head}${text}` })).not.toBeNull();
});

describe("of several presets", () => {
  const project = `cmake_minimum_required(VERSION 3.22)
project(p LANGUAGES CXX CUDA)
set(TILE 16 CACHE STRING "")
add_executable(t a.cu)
target_compile_definitions(t PRIVATE TILE=\${TILE} FIXED=1 $<$<CONFIG:Debug>:CHECKED>)`;
  const presets = (more: string) => `{ "version": 4, "configurePresets": [
  { "name": "base", "hidden": true, "binaryDir": "\${sourceDir}/build/\${presetName}", "cacheVariables": { "CMAKE_CUDA_ARCHITECTURES": "80" } },
  { "name": "debug", "inherits": "base", "cacheVariables": { "CMAKE_BUILD_TYPE": "Debug" } },
  { "name": "release", "inherits": "base", "cacheVariables": { "CMAKE_BUILD_TYPE": "Release", "TILE": "32" } }${more} }`;

  test("the Release one is taken, with a doubt where another says otherwise", () => {
    const flags = flagsOf(project, { "CMakePresets.json": presets("]") });
    expect(macro(flags, "TILE")).toMatchObject({
      value: "32",
      doubt: "the preset debug has 16",
      preset: "release",
    });
    expect(macro(flags, "FIXED")).toMatchObject({ value: "1", doubt: null });
    expect(macro(flags, "CHECKED")).toBeUndefined();
    expect(flags.architectures).toMatchObject([{ number: 80 }]);
  });

  test("the one of the only build preset is taken", () => {
    const build = '], "buildPresets": [{ "name": "d", "configurePreset": "debug" }]';
    const flags = flagsOf(project, { "CMakePresets.json": presets(build) });
    expect(macro(flags, "TILE")).toMatchObject({ value: "16", doubt: "the preset release has 32" });
    expect(macro(flags, "CHECKED")).toMatchObject({ doubt: "the preset release does not set it so" });
  });

  test("the one whose build tree exists is certain", () => {
    const cache = `CMAKE_HOME_DIRECTORY:INTERNAL=${root}\nTILE:STRING=32\n`;
    const files = { "CMakePresets.json": presets("]"), "build/release/CMakeCache.txt": cache };
    expect(macro(flagsOf(project, files), "TILE")).toMatchObject({ value: "32", doubt: null });
  });
});

test("an option without which nothing of CUDA is compiled is taken as on", () => {
  const project = (own: string) => `cmake_minimum_required(VERSION 3.22)
project(p LANGUAGES CXX)
option(P_CUDA "Build for GPUs" OFF)
option(P_NO_GPU "Never" OFF)
${own}
if(P_CUDA)
  enable_language(CUDA)
  add_executable(t a.cu)
  target_compile_definitions(t PRIVATE USE_CUDA NO=$<BOOL:\${P_NO_GPU}>)
endif()
add_library(l STATIC b.cpp)`;
  const flags = flagsOf(project(""));
  expect(macro(flags, "USE_CUDA")).toMatchObject({ value: "1", doubt: null });
  expect(macro(flags, "NO")).toMatchObject({ value: "0" });
  const other = read({ "CMakeLists.txt": project("enable_language(CUDA)\nadd_executable(u u.cu)") });
  expect(other?.sources.map(({ path }) => path.replace(`${root}/`, ""))).toEqual(["u.cu", "b.cpp"]);
});

test("of several options that are taken as on each is told where it stands, and what one alone says otherwise is doubtful", () => {
  const description = read({
    "CMakeLists.txt": `cmake_minimum_required(VERSION 3.22)
project(p LANGUAGES CXX)
option(P_CUDA "Build for GPUs" OFF)
option(P_TRACE_GPU "Trace" OFF)
if(P_CUDA OR P_TRACE_GPU)
  enable_language(CUDA)
  add_executable(t a.cu)
  set_target_properties(t PROPERTIES CUDA_ARCHITECTURES 90)
  target_compile_definitions(t PRIVATE SURE=1 TRACE=$<BOOL:\${P_TRACE_GPU}>)
endif()`,
    "a.cu": "",
  });
  const flags = description?.sources[0]?.flags;
  if (flags === undefined) throw new Error("there is no source");
  expect(macro(flags, "SURE")).toMatchObject({ value: "1", doubt: null });
  expect(macro(flags, "TRACE")).toMatchObject({ value: "1", doubt: "P_CUDA alone has 0" });
  // The target says for which GPUs: that no variable does is no matter.
  expect(description?.unresolved.map(({ what, origin }) => `${what} ${origin.line}`)).toEqual([
    "P_CUDA 3",
    "P_TRACE_GPU 4",
  ]);
});

test("what the compiler says of itself", () => {
  const flags = flagsOf(`cmake_minimum_required(VERSION 3.22)
project(p LANGUAGES C CXX CUDA)
add_executable(t a.cu)
execute_process(COMMAND \${CMAKE_C_COMPILER} \${CMAKE_EXE_LINKER_FLAGS} -Wl,-v ERROR_VARIABLE output OUTPUT_QUIET)
if(output MATCHES "dyld-1015")
  add_compile_definitions(BUGGY)
endif()
execute_process(COMMAND \${CMAKE_CXX_COMPILER} -dumpversion OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND git rev-parse HEAD OUTPUT_VARIABLE commit)
target_compile_definitions(t PRIVATE GCC=\${version} COMMIT=\${commit})`);
  expect(macro(flags, "BUGGY")).toBeUndefined();
  expect(macro(flags, "GCC")).toMatchObject({ value: "12", doubt: null });
  expect(macro(flags, "COMMIT")).toMatchObject({ value: null });
});
