// The stages between a text and access profiles, as functions: lint strings them together, tests may put others in their place.

import type { CompileFlags } from "../build/flags.ts";
import type { GeneratedProgram } from "../codegen/codegen.ts";
import type { ConfiguredLaunch } from "../config/schema.ts";
import type { EvaluationOptions } from "../evaluate/evaluate.ts";
import type { LaunchProfile } from "../evaluate/profile.ts";
import type { KernelDeclaration, Program } from "../ir/function.ts";
import type { HostGap } from "../launches/host/gaps.ts";
import type { Launch } from "../launches/launch.ts";
import type { ReadInclude } from "../project/includes.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";

export interface Pipeline {
  read(file: string, text: string, options: ReadUnitOptions): TranslationUnit;
  /** Links the units as a linker would, in their order: that of the root first. */
  lower(units: readonly TranslationUnit[]): Program;
  /**
   * The launches that the host code makes, found in steps. `mayAssume`: whether templates are entered with arguments of our own for a kernel
   * that nothing else launches.
   */
  findLaunches(
    program: Program,
    texts: ReadonlyMap<string, string>,
    mayAssume: (kernel: KernelDeclaration) => boolean,
  ): Generator<void, FoundLaunches>;
  /** Of `found` those of each kernel. */
  launchesByKernel(
    program: Program,
    found: readonly Launch[],
  ): ReadonlyMap<KernelDeclaration, readonly Launch[]>;
  /** The launches of one kernel: annotated, configured, found by the host code (`found`), or assumed. */
  kernelLaunches(
    program: Program,
    kernel: KernelDeclaration,
    found: readonly Launch[],
    options: KernelLaunchesOptions,
  ): KernelLaunches;
  /** The program as the compiler would have it access memory. */
  generate(program: Program): GeneratedProgram;
  evaluatorOf(program: Program): Evaluate;
}

/** Spends at most what is allowed, and says what it spent. Whoever takes the generator's steps may stop for a while between two. */
export type Evaluate = (launch: Launch, allowed: EvaluationOptions) => Generator<void, LaunchProfile>;

export interface ReadUnitOptions {
  readonly readInclude: ReadInclude;
  /** What the compiler is given: macros and files that are read in front of the text. */
  readonly flags: CompileFlags;
  /** The value of `__CUDA_ARCH__`: 900. */
  readonly architecture: number;
  /** An earlier state of the same file: declarations that have not changed are not parsed again. */
  readonly previous: TranslationUnit | null;
}

/** By kernel name. */
export type ConfiguredLaunches = Readonly<Record<string, ConfiguredLaunch | readonly ConfiguredLaunch[]>>;

export interface KernelLaunchesOptions {
  readonly configured: ConfiguredLaunches;
  /** Whether launches are assumed of a kernel that nothing launches. */
  readonly mayAssume: (kernel: KernelDeclaration) => boolean;
}

export interface FoundLaunches {
  readonly launches: readonly Launch[];
  /** What of the host code could not be followed. */
  readonly gaps: readonly HostGap[];
}

export interface KernelLaunches {
  readonly launches: readonly Launch[];
  /** What is wrong with annotations, and where. */
  readonly problems: readonly LaunchProblem[];
  /** Why there is no launch, in words; null where there is one. */
  readonly gap: string | null;
}

export interface LaunchProblem {
  readonly message: string;
  readonly range: SourceRange;
}
