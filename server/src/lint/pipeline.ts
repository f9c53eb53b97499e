// The stages between a text and access profiles, as functions: lint strings them together, tests may put others in their place.
import type { ConfiguredLaunch } from "../config/schema.ts";
import type { LaunchProfile } from "../evaluate/profile.ts";
import type { KernelDeclaration, Program } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { ReadInclude } from "../project/includes.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";

export interface Pipeline {
  read(file: string, text: string, options: ReadUnitOptions): TranslationUnit;
  lower(unit: TranslationUnit): Program;
  /** Every kernel with a body and its launches: annotated, configured, found, or assumed. */
  launches(program: Program, options: LaunchOptions): LaunchSearch;
  /** The program as the compiler would have it access memory. */
  generate(program: Program): Program;
  /** Spends at most `stepLimit` steps, and says what it spent. */
  evaluate(program: Program, launch: Launch, stepLimit: number): LaunchProfile;
}

export interface ReadUnitOptions {
  readonly readInclude: ReadInclude;
  readonly defines: Readonly<Record<string, string>>;
  /** The value of `__CUDA_ARCH__`: 900. */
  readonly architecture: number;
}

export interface LaunchOptions {
  /** By kernel name. */
  readonly configured: Readonly<Record<string, ConfiguredLaunch | readonly ConfiguredLaunch[]>>;
  /** Texts of the files, for the words of conditions. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface LaunchSearch {
  readonly kernels: readonly KernelLaunches[];
  /** What is wrong with annotations, and where. */
  readonly problems: readonly { readonly message: string; readonly range: SourceRange }[];
  /** What could not be followed, in words. */
  readonly notes: readonly string[];
}

export interface KernelLaunches {
  readonly declaration: KernelDeclaration;
  readonly launches: readonly Launch[];
}
