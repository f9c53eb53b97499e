// One program from its translation units to the access profiles of its kernels. What the state before knew, and no edit touched, stays.
import type { KernelDeclaration } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { FileSettings } from "../project/project.ts";
import type { KernelProfile } from "../rules/group.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";
import type { KernelSummary } from "./analysis.ts";
import type { Extent } from "./budget.ts";
import { KernelEvaluations, type NamedKernels } from "./evaluate-kernels.ts";
import { Evaluator } from "./evaluations.ts";
import type { Instances } from "./instances.ts";
import { isLaunched, mergedLaunches, withBlock } from "./kernel-launches.ts";
import { kernelStates, type LaunchedKernel } from "./kernel-states.ts";
import type { HostMemory, KernelMemory, UnitMemory } from "./memory.ts";
import { notesByFile } from "./notes.ts";
import type { KernelLaunches, Pipeline } from "./pipeline.ts";
import { unitOfProgram } from "./program-units.ts";
import type { KernelLaunch } from "./report.ts";
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
  /** What is known of a kernel's instances before: by other programs, of which most launch instances of the same templates. */
  toldOf(declaration: KernelDeclaration): Instances;
  /** Whether a kernel that nothing launches is worth analysing. */
  wantsUnlaunched(declaration: KernelDeclaration): boolean;
}

/** Somebody looks on while a program is analysed. */
export interface Onlooker {
  /** Whether a kernel, which has its definition here, is in sight now. */
  sees(definition: SourceRange): boolean;
  /** Is given what is known so far, once kernels begin to be evaluated. */
  show(interim: Interim): void;
}

/** A program that is being analysed. */
export interface Interim {
  /**
   * The kernels that were in sight as they are now, the others as they were before, if they were; null where nothing is known of any in sight.
   * The same object until more is known.
   */
  draft(): UnitAnalysis | null;
  /** For the next state of the text, where it changes now. */
  memory(): UnitMemory;
}

const nobody: Onlooker = { sees: () => false, show: () => {} };

/** Runs all stages on the program of `units`, in steps: whoever takes them may stop for a while between two. Throws only where warplint itself is wrong. */
export function* analyseUnits(
  units: readonly TranslationUnit[],
  settings: FileSettings,
  pipeline: Pipeline,
  options: UnitOptions,
  earlier: UnitMemory | null = null,
  onlooker: Onlooker = nobody,
): Generator<void, UnitAnalysis> {
  const unit = unitOfProgram(units);
  yield;
  const state = stateOfUnit(unit, settings, earlier, options);
  const program = pipeline.lower(units);
  yield;
  const { kernels, host } = yield* kernelStates(state, program, pipeline, options.mayAssume);
  const surroundings = { world: state.dependencies.world, texts: unit.texts };
  const evaluator = new Evaluator(program, pipeline, surroundings, options.edits);
  const evaluations = new KernelEvaluations(kernels, evaluator, {
    extent: options.extent,
    wanted: (kernel) => wantedLaunches(kernel, host, options),
    isInSight: ({ declaration }) => onlooker.sees(declaration.range),
    toldOf: ({ declaration }) => options.toldOf(declaration),
  });
  const analysisOfKernels = (named: NamedKernels): UnitAnalysis => {
    const notes = notesByFile({
      units,
      gaps: [...host.gaps, ...options.gaps.map((reason) => ({ reason, file: null }))],
      unread: program.unreadKernels,
      kernels: named.flatMap(([id, kernel]) =>
        options.wantsUnlaunched(kernel.declaration) || isLeftOut(id, kernel, host, options) ? [kernel] : [],
      ),
    });
    return analysisOf(state, units, named, host, notes);
  };
  let draft: UnitAnalysis | null = null;
  let drafted = 0;
  onlooker.show({
    draft: () => {
      if (evaluations.countAhead > drafted) {
        drafted = evaluations.countAhead;
        draft = analysisOfKernels(evaluations.soFar());
      }
      return draft;
    },
    memory: () => memoryOf(state, evaluations.toGoOnWith(), host),
  });
  return analysisOfKernels(yield* evaluations.all());
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

/** Whether other programs told of its instances what there is to tell, so that none was evaluated here. */
function isLeftOut(
  id: string,
  { declaration, launches, evaluations }: KernelMemory,
  host: HostMemory,
  options: UnitOptions,
): boolean {
  return evaluations.length === 0 && options.shareOf(declaration) !== "none" && areMade(id, launches, host);
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

function analysisOf(
  state: UnitState,
  units: readonly TranslationUnit[],
  kernels: NamedKernels,
  host: HostMemory,
  notes: UnitAnalysis["notes"],
): UnitAnalysis {
  const { unit } = state;
  const launches = new Map(
    kernels.map(([id, { evaluations, merged }]) => [id, mergedLaunches(evaluations, merged)]),
  );
  return {
    units,
    unit,
    profiles: kernels.flatMap(([, { evaluations }]) => evaluations),
    launches: [...launches.values()].flat(),
    kernels: kernels.map(([id, memory]) => summaryOf(id, memory, launches.get(id) ?? [], host)),
    launched: new Set(
      kernels.flatMap(([id, { declaration, launches }]) =>
        areMade(id, launches, host) ? [placeOf(declaration.nameRange)] : [],
      ),
    ),
    notes,
    problems: [...kernels.flatMap(([, { problems }]) => problems), ...strayAnnotations(unit)],
    memory: memoryOf(state, kernels, host),
  };
}

function memoryOf(
  { unit, settings, dependencies: { world, names }, declarations }: UnitState,
  kernels: NamedKernels,
  host: HostMemory,
): UnitMemory {
  return { unit, settings, world, names, declarations, host, kernels: new Map(kernels) };
}

function summaryOf(
  id: string,
  memory: KernelMemory,
  launches: readonly KernelLaunch[],
  host: HostMemory,
): KernelSummary {
  const { name, nameRange, range, annotations } = memory.declaration;
  const ofLaunches = memory.evaluations.flatMap(({ profile }) => profile.gaps);
  const gaps = [...new Set([...(memory.gap === null ? [] : [memory.gap]), ...ofLaunches])];
  // A kernel that was not there when the host's code still parsed may be launched by it.
  const isHostsToSay = isLaunched(memory.launches) || !host.found.has(id);
  const isStale = memory.isStale || (host.isStale && isHostsToSay);
  return { name, nameRange, range, annotations, launches, gaps, isStale };
}
