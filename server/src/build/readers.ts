// The readers of all kinds of build descriptions.
import { readBazel } from "./bazel.ts";
import { readCppProperties } from "./c-cpp-properties.ts";
import { readClangd } from "./clangd.ts";
import { readCMake } from "./cmake/cmake.ts";
import { readCMakeFileApi } from "./cmake/file-api.ts";
import { readCompileCommands } from "./compile-commands.ts";
import { readCompileFlags } from "./compile-flags.ts";
import type { BuildReader } from "./flags.ts";
import { readMake } from "./make/make.ts";
import { readNinja } from "./ninja.ts";
import { readSetupPy } from "./setup-py.ts";
import { readShell } from "./shell.ts";

/** By kind; one that is left out is not read. */
export interface BuildReaders {
  readonly compileCommands?: BuildReader;
  readonly cmakeFileApi?: BuildReader;
  readonly ninja?: BuildReader;
  readonly cmake?: BuildReader;
  readonly make?: BuildReader;
  readonly shell?: BuildReader;
  readonly setupPy?: BuildReader;
  readonly bazel?: BuildReader;
  readonly clangd?: BuildReader;
  readonly compileFlags?: BuildReader;
  readonly cCppProperties?: BuildReader;
}

export const allReaders: BuildReaders = {
  compileCommands: readCompileCommands,
  cmakeFileApi: readCMakeFileApi,
  ninja: readNinja,
  cmake: readCMake,
  make: readMake,
  shell: readShell,
  setupPy: readSetupPy,
  bazel: readBazel,
  clangd: readClangd,
  compileFlags: readCompileFlags,
  cCppProperties: readCppProperties,
};
