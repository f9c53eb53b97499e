// One program from its translation units to the access profiles of its kernels. What the state before knew, and no edit touched, stays.
import type { KernelDeclaration } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { FileSettings } from "../project/project.ts";
import type { KernelProfile } from "../rules/group.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";
import type { KernelSummary } from "./analysis.ts";
import { type Extent, stepLimitsOf } from "./budget.ts";
import { Evaluator, type KnownEvaluations, knownEvaluations } from "./evaluations.ts";
import { isLaunched, mergedLaunches, mergeLaunches, withBlock } from "./kernel-launches.ts";
import { type KernelState, kernelStates, type LaunchedKernel } from "./kernel-states.ts";
import type { Evaluation, HostMemory, KernelMemory, UnitMemory } from "./memory.ts";
import { notesByFile } from "./notes.ts";
import type { KernelLaunches, Pipeline } from "./pipeline.ts";
import { unitOfProgram } from "./program-units.ts";
import type { KernelLaunch } from "./report.ts";
import { type Evaluating, evaluateInTurns, type LaunchesOfKernel } from "./rounds.ts";
import { strayAnnotations } from "./stray-annotations.ts";
import { type BrokenCode, stateOfUnit, type UnitState } from "./unit-state.ts";

export interface UnitAnalysis {
  /** As they are linked: the root's first. */
  readonly units: readonly TranslationUnit[];
  /** All of them as one. */
  readonly unit: TranslationUnit;
  readonly profiles: readonly KernelProfile[];
  readonly launches: readonly KernelLaunch[];
  /** Every kernel with a body, wherever it stands. */
  readonly kernels: readonly KernelSummary[];
  /** The kernels that the host is seen to launch, by `placeOf` their names. */
  readonly launched: ReadonlySet<string>;
  /** By the file of a translation unit. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
  /** What is wrong with annotations, and where. */
  readonly problems: KernelLaunches["problems"];
  /** For the next state of the text. */
  readonly memory: UnitMemory;
}

/**
 * What of a kernel a program analyses: all that it says of it; of a kernel in a source that it links, what its host launches; nothing of one
 * that other programs speak for.
 */
export type KernelShare = "all" | "launched" | "none";

export interface UnitOptions {
  /** The block for kernels that nothing launches, in place of the shapes that are assumed otherwise. */
  readonly block: Launch["block"] | null;
  /** Why sources in sight were not linked, in words. */
  readonly gaps: readonly string[];
  readonly brokenCode: BrokenCode;
  readonly edits: "awaited" | "none";
  readonly extent: Extent;
  shareOf(declaration: KernelDeclaration): KernelShare;
  /**
   * Whether launches are assumed of a kernel that the host's code does not launch: by templates that are entered with arguments of our own, or by
   * what the kernel's own text needs.
   */
  mayAssume(declaration: KernelDeclaration): boolean;
  /** Whether a kernel that nothing launches is worth analysing. */
  wantsUnlaunched(declaration: KernelDeclaration): boolean;
}

/** Runs all stages on the program of `units`, in steps: whoever takes them may stop for a while between two. Throws only where warplint itself is wrong. */
export function* analyseUnits(
  units: readonly TranslationUnit[],
  settings: FileSettings,
  pipeline: Pipeline,
  options: UnitOptions,
  earlier: UnitMemory | null = null,
): Generator<void, UnitAnalysis> {
  const unit = unitOfProgram(units);
  yield;
  const state = stateOfUnit(unit, settings, earlier, options.brokenCode);
  const program = pipeline.lower(units);
  yield;
  const { kernels, host } = yield* kernelStates(state, program, pipeline, options.mayAssume);
  const surroundings = { world: state.dependencies.world, texts: unit.texts };
  const evaluator = new Evaluator(program, pipeline, surroundings, options.edits);
  const evaluated = yield* evaluateKernels(kernels, host, evaluator, options);
  const notes = notesByFile({
    units,
    gaps: [...host.gaps, ...options.gaps],
    unread: program.unreadKernels,
    kernels: evaluated.flatMap(([, kernel]) => (options.wantsUnlaunched(kernel.declaration) ? [kernel] : [])),
  });
  return analysisOf(state, units, evaluated, host, notes);
}

/** By id, in the order of the text. */
type NamedKernels = readonly (readonly [string, KernelMemory])[];

/** Each launch in steps of its own. */
function* evaluateKernels(
  states: readonly KernelState[],
  host: HostMemory,
  evaluator: Evaluator,
  options: UnitOptions,
): Generator<void, NamedKernels> {
  const work = states.flatMap((state) =>
    state.kind === "launched" ? [workOn(state.kernel, host, evaluator, options)] : [],
  );
  const evaluating: Evaluating<Work, Evaluation> = {
    evaluate: ({ kernel, known }, launch, allowed, lesser) =>
      evaluator.evaluation(kernel, known, launch, allowed, lesser),
    unevaluated: (sister, launch) => evaluator.unevaluated(sister, launch),
    withProfile: (outcome, profile) => ({ ...outcome, profile, lesser: outcome }),
    alike: (same, launch) => ({ ...same, profile: { ...same.profile, launch } }),
  };
  const evaluations = yield* evaluateInTurns(work, evaluating, stepLimitsOf(options.extent));
  const known = new Map(
    work.map(({ id, kernel, alike }, index) => [id, kernelMemory(kernel, alike, evaluations[index] ?? [])]),
  );
  return states.map((state) => {
    if (state.kind === "stale") return [state.id, state.memory];
    const { kernel } = state;
    return [kernel.id, known.get(kernel.id) ?? kernelMemory(kernel, [], [])];
  });
}

interface Work extends LaunchesOfKernel {
  readonly kernel: LaunchedKernel;
  readonly known: KnownEvaluations;
}

function workOn(kernel: LaunchedKernel, host: HostMemory, evaluator: Evaluator, options: UnitOptions): Work {
  const launches = wantedLaunches(kernel, host, options);
  const { before } = kernel;
  // A kernel that is as it was with its launches may not even be known to the program.
  const isAsBefore = kernel.isUnchanged && before?.launches === kernel.launches;
  const alike = isAsBefore ? before.alike : evaluator.firstAlike(launches);
  return { id: kernel.id, kernel, launches, alike, known: knownEvaluations(kernel.before) };
}

function wantedLaunches(
  { id, declaration, launches }: LaunchedKernel,
  host: HostMemory,
  options: UnitOptions,
): readonly Launch[] {
  const share = options.shareOf(declaration);
  if (share === "none") return [];
  if (share === "launched") return areMade(id, launches, host) ? launches : [];
  if (isLaunched(launches)) return launches;
  if (!options.wantsUnlaunched(declaration)) return [];
  return options.block === null ? launches : withBlock(launches, options.block);
}

/** Whether launches are those that the host makes, and not others that stand in their place. */
function areMade(id: string, launches: readonly Launch[], { found }: HostMemory): boolean {
  const isAsked = launches.some(({ origin }) => origin.kind === "annotation" || origin.kind === "config");
  return !isAsked && (found.get(id) ?? []).length > 0;
}

/** Equal for the same name in the same text. */
export function placeOf({ file, start }: SourceRange): string {
  return `${start} ${file}`;
}

function kernelMemory(
  { declaration, parts, launches, problems, gap, before }: LaunchedKernel,
  alike: readonly number[],
  evaluations: readonly Evaluation[],
): KernelMemory {
  const isSame =
    before?.evaluations.length === evaluations.length &&
    evaluations.every((each, index) => each.profile.accesses === before.evaluations[index]?.profile.accesses);
  const merged = isSame ? before.merged : mergeLaunches(evaluations);
  return { declaration, parts, launches, problems, gap, evaluations, alike, merged, isStale: false };
}

function analysisOf(
  { unit, settings, dependencies, declarations }: UnitState,
  units: readonly TranslationUnit[],
  kernels: NamedKernels,
  host: HostMemory,
  notes: UnitAnalysis["notes"],
): UnitAnalysis {
  const launches = new Map(
    kernels.map(([id, { evaluations, merged }]) => [id, mergedLaunches(evaluations, merged)]),
  );
  return {
    units,
    unit,
    profiles: kernels.flatMap(([, { evaluations }]) => evaluations),
    launches: [...launches.values()].flat(),
    kernels: kernels.map(([id, memory]) => summaryOf(memory, launches.get(id) ?? [], host)),
    launched: new Set(
      kernels.flatMap(([id, { declaration, launches }]) =>
        areMade(id, launches, host) ? [placeOf(declaration.nameRange)] : [],
      ),
    ),
    notes,
    problems: [...kernels.flatMap(([, { problems }]) => problems), ...strayAnnotations(unit)],
    memory: {
      unit,
      settings,
      world: dependencies.world,
      names: dependencies.names,
      declarations,
      host,
      kernels: new Map(kernels),
    },
  };
}

function summaryOf(memory: KernelMemory, launches: readonly KernelLaunch[], host: HostMemory): KernelSummary {
  const { name, nameRange, range, annotations } = memory.declaration;
  const ofLaunches = memory.evaluations.flatMap(({ profile }) => profile.gaps);
  const gaps = [...new Set([...(memory.gap === null ? [] : [memory.gap]), ...ofLaunches])];
  const isStale = memory.isStale || (host.isStale && isLaunched(memory.launches));
  return { name, nameRange, range, annotations, launches, gaps, isStale };
}
