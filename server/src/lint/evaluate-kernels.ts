// The kernels of a program, evaluated: those that somebody looks at first. What came out of them is taken in their turn wherever the budget
// of the file would give the same, so that in the end all figures are those of the order of the text.
import type { Launch } from "../launches/launch.ts";
import type { Extent } from "./budget.ts";
import { stepLimitsOf } from "./budget.ts";
import { type Evaluator, type KnownEvaluations, knownEvaluations } from "./evaluations.ts";
import type { Instances } from "./instances.ts";
import { mergeLaunches } from "./kernel-launches.ts";
import type { KernelState, LaunchedKernel } from "./kernel-states.ts";
import type { Evaluation, KernelMemory } from "./memory.ts";
import { type Evaluating, evaluateInTurns, type LaunchesOfKernel } from "./rounds.ts";

/** By id, in the order of the text. */
export type NamedKernels = readonly (readonly [string, KernelMemory])[];

export interface EvaluationNeeds {
  readonly extent: Extent;
  /** The launches of a kernel that are evaluated. */
  wanted(kernel: LaunchedKernel): readonly Launch[];
  /** Whether somebody looks at a kernel now. */
  isInSight(kernel: LaunchedKernel): boolean;
  /** What is known of a kernel's instances before. */
  toldOf(kernel: LaunchedKernel): Instances;
}

export class KernelEvaluations {
  private readonly states: readonly KernelState[];
  private readonly evaluator: Evaluator;
  private readonly needs: EvaluationNeeds;
  private readonly work: readonly Work[];
  /** By kernel, what came out before its turn. */
  private readonly ahead = new Map<string, readonly Evaluation[]>();
  private isEvaluating = false;

  constructor(states: readonly KernelState[], evaluator: Evaluator, needs: EvaluationNeeds) {
    this.states = states;
    this.evaluator = evaluator;
    this.needs = needs;
    this.work = states.flatMap((state) => (state.kind === "launched" ? [this.workOn(state.kernel)] : []));
  }

  /** Each launch in steps of its own. */
  *all(): Generator<void, NamedKernels> {
    const inTurns = this.evaluate(this.work);
    for (;;) {
      if (!this.isEvaluating) yield* this.evaluateInSight();
      const step = inTurns.next();
      if (step.done) return this.named((item) => kernelMemory(item, step.value.get(item.id) ?? []));
      yield;
    }
  }

  /** How many kernels were evaluated before their turn. */
  get countAhead(): number {
    return this.ahead.size;
  }

  /** Those that were evaluated before their turn, and what was known before of the others. */
  soFar(): NamedKernels {
    return this.named((item) => {
      const ahead = this.ahead.get(item.id);
      return ahead === undefined ? item.kernel.before : kernelMemory(item, ahead);
    });
  }

  /** What to begin with where the text changes now. */
  toGoOnWith(): NamedKernels {
    return this.named((item) => {
      const { kernel, launches, alike } = item;
      const outcomes = launches.map((launch) => this.evaluator.outcomeOf(launch));
      const isWhole = outcomes.every((outcome, index) => outcome !== null || alike[index] !== index);
      const memory = kernelMemory(
        item,
        outcomes.flatMap((outcome) => outcome ?? []),
      );
      if (isWhole) return memory;
      const { before, isUnchanged } = kernel;
      if (isUnchanged && before?.launches === kernel.launches) return before;
      // The next state looks for its launches anew, and compares what it evaluates with what is known.
      return { ...(before ?? memory), isStale: true };
    });
  }

  private *evaluateInSight(): Generator<void, void> {
    const wanted = this.work.filter(({ id, kernel }) => !this.ahead.has(id) && this.needs.isInSight(kernel));
    if (wanted.length === 0 || wanted.length === this.work.length) return;
    for (const [id, evaluations] of yield* this.evaluate(wanted)) this.ahead.set(id, evaluations);
  }

  /** By kernel, as in a file that has no others. */
  private *evaluate(work: readonly Work[]): Generator<void, ReadonlyMap<string, readonly Evaluation[]>> {
    const evaluations = yield* evaluateInTurns(
      work,
      this.evaluating(),
      stepLimitsOf(this.needs.extent),
      ({ kernel }) => this.needs.toldOf(kernel),
    );
    return new Map(work.map(({ id }, index) => [id, evaluations[index] ?? []]));
  }

  private evaluating(): Evaluating<Work, Evaluation> {
    return {
      evaluate: (item, launch, allowed, lesser) => this.evaluateLaunch(item, launch, allowed, lesser),
      unevaluated: (sister, launch) => this.evaluator.unevaluated(sister, launch),
      withProfile: (outcome, profile) => ({ ...outcome, profile, lesser: outcome }),
      alike: (same, launch) => ({ ...same, profile: { ...same.profile, launch } }),
    };
  }

  /** The code of a kernel is generated for one launch at a time. */
  private *evaluateLaunch(
    { kernel, known }: Work,
    ...[launch, allowed, lesser]: readonly [Launch, Evaluation["allowed"], Evaluation | null]
  ): Generator<void, Evaluation> {
    this.isEvaluating = true;
    const outcome = yield* this.evaluator.evaluation(kernel, known, launch, allowed, lesser);
    this.isEvaluating = false;
    return outcome;
  }

  private workOn(kernel: LaunchedKernel): Work {
    const launches = this.needs.wanted(kernel);
    const { before } = kernel;
    // A kernel that is as it was with its launches may not even be known to the program.
    const isAsBefore = kernel.isUnchanged && before?.launches === kernel.launches;
    const alike = isAsBefore ? before.alike : this.evaluator.firstAlike(launches);
    return { id: kernel.id, kernel, launches, alike, known: knownEvaluations(before) };
  }

  /** Kernels of which nothing is to be said are left out. */
  private named(memoryOf: (item: Work) => KernelMemory | null): NamedKernels {
    const work = new Map(this.work.map((item) => [item.id, item]));
    return this.states.flatMap((state): NamedKernels => {
      if (state.kind === "stale") return [[state.id, state.memory]];
      const item = work.get(state.kernel.id);
      const memory = item === undefined ? null : memoryOf(item);
      return memory === null ? [] : [[state.kernel.id, memory]];
    });
  }
}

interface Work extends LaunchesOfKernel {
  readonly kernel: LaunchedKernel;
  readonly known: KnownEvaluations;
}

function kernelMemory(
  { kernel: { declaration, parts, launches, problems, gap, before }, alike }: Work,
  evaluations: readonly Evaluation[],
): KernelMemory {
  const isSame =
    before?.evaluations.length === evaluations.length &&
    evaluations.every((each, index) => each.profile.accesses === before.evaluations[index]?.profile.accesses);
  const merged = isSame ? before.merged : mergeLaunches(evaluations);
  return { declaration, parts, launches, problems, gap, evaluations, alike, merged, isStale: false };
}
