// How files are called in which builds are described.
import { nameOf } from "../text/path.ts";

export const buildFileNames: readonly string[] = [
  "CMakeLists.txt",
  "CMakePresets.json",
  "CMakeUserPresets.json",
  "CMakeCache.txt",
  "Makefile",
  "makefile",
  "GNUmakefile",
  "compile_commands.json",
  "compile_flags.txt",
  "c_cpp_properties.json",
  ".clangd",
  "build.ninja",
  "BUILD",
  "BUILD.bazel",
  "MODULE.bazel",
  "WORKSPACE",
  "WORKSPACE.bazel",
  ".bazelrc",
];

/** Of what descriptions include and generate from: modules, fragments, scripts, response files, templates of headers. */
export const buildFileEndings: readonly string[] = [
  "cmake",
  "mk",
  "make",
  "ninja",
  "sh",
  "py",
  "bzl",
  "rsp",
  "in",
];

/** Whether a file may describe a build by its name. */
export function isBuildFile(path: string): boolean {
  const name = nameOf(path);
  return buildFileNames.includes(name) || buildFileEndings.some((ending) => name.endsWith(`.${ending}`));
}
