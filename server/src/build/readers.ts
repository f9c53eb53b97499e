// The readers of all kinds of build descriptions.
import type { BuildReader } from "./flags.ts";
import { readMakefile } from "./makefile.ts";

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

export const allReaders: BuildReaders = { make: readMakefile };
