// Evaluates the launches of one file in turns: each with its share of the budget, then, with what is left over, those that were cut.
import { type EvaluationOptions, enoughFor } from "../evaluate/evaluate.ts";
import type { AccessProfile, LaunchProfile, Verdict } from "../evaluate/profile.ts";
import { withoutFigures } from "../evaluate/regions/unreached.ts";
import { distinctAssumptions } from "../ir/assumption.ts";
import type { Launch } from "../launches/launch.ts";
import { isMisfit } from "../rules/group.ts";
import { createBudget, createLeftover, type StepLimits, stepLimitsOf, turnsOf } from "./budget.ts";
import { countExpected, Instances } from "./instances.ts";
import { spread, standingForAmong } from "./sisters.ts";

/** A sister may take a little more. */
const slackOfNeeds = 1.25;

export interface LaunchesOfKernel {
  readonly id: string;
  readonly launches: readonly Launch[];
  /** For each launch, the index of the first that accesses memory as it does. */
  readonly alike: readonly number[];
}

/** What was found out of a launch, and what it might have taken for that. */
export interface Outcome {
  readonly profile: LaunchProfile;
  readonly allowed: EvaluationOptions;
}

export interface Evaluating<Kernel extends LaunchesOfKernel, Result extends Outcome> {
  /** `lesser`: what came out with less, which stays where it settles more; null the first time. */
  evaluate(
    kernel: Kernel,
    launch: Launch,
    allowed: EvaluationOptions,
    lesser: Result | null,
  ): Generator<void, Result>;
  /** Where the budget of the file is spent; its profile is `unevaluatedProfile`. */
  unevaluated(sister: Result, launch: Launch): Result;
  /** Of the same launch, with what else is said of it. */
  withProfile(outcome: Result, profile: LaunchProfile): Result;
  /** Of a launch that accesses what `result` does. */
  alike(result: Result, launch: Launch): Result;
}

/**
 * The outcomes of all launches, by kernel, but of instances that are not worth their code by what was told of them (`toldOf`). Between two steps
 * whoever takes them may stop for a while.
 */
export function* evaluateInTurns<Kernel extends LaunchesOfKernel, Result extends Outcome>(
  kernels: readonly Kernel[],
  evaluating: Evaluating<Kernel, Result>,
  limits: StepLimits = stepLimitsOf("file"),
  toldOf: (kernel: Kernel) => Instances = () => new Instances(),
): Generator<void, Result[][]> {
  const distinct = kernels.map((kernel) =>
    indicesOfDistinct(kernel).flatMap((index) => kernel.launches[index] ?? []),
  );
  const outcomes = kernels.map((): (Result | null)[] => []);
  const instances = kernels.map(toldOf);
  const expected = (launches: readonly Launch[] = []) =>
    limits.instances === "all" ? launches.length : countExpected(launches);
  const counts = new Map(kernels.map(({ id }, index) => [id, expected(distinct[index])]));
  const budget = createBudget(counts, limits);
  for (const turn of turnsOf(distinct.map(({ length }) => length))) {
    const kernel = kernels[turn];
    const known = outcomes[turn];
    const launch = distinct[turn]?.[known?.length ?? 0];
    const told = instances[turn];
    if (!kernel || !known || !launch || !told) continue;
    if (limits.instances === "telling" && !told.isWorth(launch)) {
      known.push(null);
      continue;
    }
    const sister = known.findLast((each) => each !== null) ?? null;
    yield;
    const allowed = budget.next(kernel.id, launch);
    const outcome =
      allowed.stepLimit === 0 && sister !== null
        ? evaluating.unevaluated(sister, launch)
        : yield* evaluating.evaluate(kernel, launch, allowed, null);
    budget.spend(kernel.id, allowed, outcome.profile);
    if (allowed.stepLimit > 0) told.tell(outcome.profile);
    known.push(outcome);
  }
  const isWanting = (turn: number, { profile }: Outcome) =>
    limits.instances === "all" ||
    profile.accesses.some((access) => isUnknown(access) && instances[turn]?.isKnown(access) === false);
  yield* secondRound({ kernels, outcomes, evaluating, isWanting }, budget.leftover(), limits);
  return kernels.map((kernel, index) => {
    const all = forAll(kernel, withSisters(outcomes[index] ?? [], evaluating), evaluating);
    return unlessAllMisfit(all, evaluating);
  });
}

/** Where each launch was assumed, and is one that the kernel is not made for, its figures are said to be of such: no finding rests on them. */
function unlessAllMisfit<Kernel extends LaunchesOfKernel, Result extends Outcome>(
  outcomes: Result[],
  evaluating: Evaluating<Kernel, Result>,
): Result[] {
  if (!outcomes.every(({ profile }) => isMisfit(profile))) return outcomes;
  return outcomes.map((outcome) => {
    const accesses = outcome.profile.accesses.map(asMisfit);
    return evaluating.withProfile(outcome, { ...outcome.profile, accesses });
  });
}

function asMisfit(access: AccessProfile): AccessProfile {
  const { verdict } = access;
  const known = verdict.kind === "exact" ? ofAssumptions : verdict;
  const assumptions = distinctAssumptions([...known.assumptions, { kind: "misfit-block" }]);
  return { ...access, verdict: { ...known, assumptions } };
}

const ofAssumptions: Extract<Verdict, { readonly kind: "conditional" }> = {
  kind: "conditional",
  condition: null,
  assumptions: [],
  dependsOnSizeOnly: true,
  byPitch: null,
};

/** Of the launches that access memory as none before does, spread: where the budget ends, those that had their turn stand for all. */
function indicesOfDistinct({ launches, alike }: LaunchesOfKernel): number[] {
  return spread(launches.flatMap((_, index) => (alike[index] === index ? [index] : [])));
}

/** Where too little was left for some launches, what the others of their kernel agree on. */
function withSisters<Kernel extends LaunchesOfKernel, Result extends Outcome>(
  outcomes: readonly (Result | null)[],
  evaluating: Evaluating<Kernel, Result>,
): readonly (Result | null)[] {
  const standingFor = standingForAmong(outcomes.flatMap((outcome) => outcome?.profile ?? []));
  return outcomes.map((outcome) => {
    if (outcome === null) return null;
    const profile = outcome.profile.isCut ? standingFor(outcome.profile) : outcome.profile;
    return profile === outcome.profile ? outcome : evaluating.withProfile(outcome, profile);
  });
}

/** Of a launch that may take no steps: it accesses what its sister does, and the figures are not known. */
export function unevaluatedProfile(sister: LaunchProfile, launch: Launch): LaunchProfile {
  const accesses = sister.accesses.map(withoutFigures);
  return { ...sister, launch, accesses, steps: 0, seen: "sample", isCut: accesses.length > 0 };
}

/** The one of two profiles of a launch that settles more, as what came out of the later one's steps: more of them settle less where they are taken coarsely. */
export function settlingMore(lesser: LaunchProfile, later: LaunchProfile): LaunchProfile {
  const isWorse =
    countOf(later, isUnknown) > countOf(lesser, isUnknown) ||
    countOf(later, hasTotals) < countOf(lesser, hasTotals);
  return isWorse ? { ...lesser, steps: later.steps } : later;
}

function countOf({ accesses }: LaunchProfile, has: (access: AccessProfile) => boolean): number {
  return accesses.filter(has).length;
}

function isUnknown({ verdict }: AccessProfile): boolean {
  return verdict.kind === "unknown";
}

function hasTotals({ totals }: AccessProfile): boolean {
  return totals !== null;
}

/** What came out of the first round. */
interface FirstRound<Kernel extends LaunchesOfKernel, Result extends Outcome> {
  readonly kernels: readonly Kernel[];
  /** Null where an instance was left out. */
  readonly outcomes: readonly (Result | null)[][];
  readonly evaluating: Evaluating<Kernel, Result>;
  /** Whether an outcome that was cut is worth more steps. */
  isWanting(turn: number, outcome: Outcome): boolean;
}

/** Puts outcomes of more steps in the place of those that were cut. */
function* secondRound<Kernel extends LaunchesOfKernel, Result extends Outcome>(
  { kernels, outcomes, evaluating, isWanting }: FirstRound<Kernel, Result>,
  steps: number,
  limits: StepLimits,
): Generator<void, void> {
  const cut = kernels
    .flatMap((_, turn) => cutLaunches(turn, outcomes[turn] ?? [], steps))
    .filter(({ turn, index }) => {
      const outcome = outcomes[turn]?.[index];
      return outcome ? isWanting(turn, outcome) : false;
    });
  const leftover = createLeftover(steps, cut.length, limits);
  for (const { turn, index, had, needs } of cut.sort(byWorth)) {
    const kernel = kernels[turn];
    const lesser = outcomes[turn]?.[index];
    if (!kernel || !lesser) continue;
    const allowed = leftover.next(kernel.id, had, needs);
    if (allowed === null) continue;
    yield;
    const outcome = yield* evaluating.evaluate(kernel, lesser.profile.launch, allowed, lesser);
    leftover.spend(kernel.id, allowed, outcome.profile);
    outcomes[turn]?.splice(index, 1, outcome);
  }
}

/** A launch that was cut, by where its outcome stands. */
interface CutLaunch {
  readonly turn: number;
  readonly index: number;
  readonly had: EvaluationOptions;
  /** Accesses without a figure. */
  readonly lost: number;
  /** What it would need, as a sister of the same code did; null where none was evaluated to its end. */
  readonly needs: EvaluationOptions | null;
}

/** The launches of a kernel that were cut, of which each may take `steps` at most. */
function cutLaunches(turn: number, outcomes: readonly (Outcome | null)[], steps: number): CutLaunch[] {
  const present = outcomes.filter((outcome) => outcome !== null);
  const families = new Map(
    [...new Set(present.map(({ profile }) => profile.launch.kernel))].map((kernel) => {
      const sisters = present.filter(({ profile }) => profile.launch.kernel === kernel);
      const whole = sisters.filter(({ profile }) => !profile.isCut);
      return [kernel, { most: most(sisters.map((each) => each.allowed)), needs: neededBy(whole, steps) }];
    }),
  );
  return outcomes.flatMap((outcome, index) => {
    if (outcome === null) return [];
    const { profile, allowed } = outcome;
    const family = families.get(profile.launch.kernel);
    if (!profile.isCut || !family) return [];
    // One that might take nothing is taken to need more than its sisters had.
    const had = allowed.stepLimit > 0 ? allowed : family.most;
    const lost = countOf(profile, isUnknown);
    return had === null ? [] : [{ turn, index, had, lost, needs: family.needs }];
  });
}

/** What did for all sisters of a launch, or where that is more than `steps`, for those that were known coarsely; null where there are none. */
function neededBy(sisters: readonly Outcome[], steps: number): EvaluationOptions | null {
  const needs = sisters.map(needsOf);
  const all = most(needs);
  if (all === null || all.stepLimit <= steps) return all;
  return most(needs.filter(({ sweeps }) => sweeps === "coarse")) ?? all;
}

function needsOf({ profile, allowed }: Outcome): EvaluationOptions {
  const { stepLimit, sweeps } = enoughFor(profile, allowed);
  return { stepLimit: stepLimit * slackOfNeeds, sweeps };
}

function most(options: readonly EvaluationOptions[]): EvaluationOptions | null {
  return options.reduce<EvaluationOptions | null>(
    (known, each) => (known !== null && known.stepLimit >= each.stepLimit ? known : each),
    null,
  );
}

/** By the accesses that it may win for each step, where that is known; behind them, the others by what they had. */
function byWorth(a: CutLaunch, b: CutLaunch): number {
  if (a.needs !== null && b.needs !== null) return b.lost * a.needs.stepLimit - a.lost * b.needs.stepLimit;
  if (a.needs !== null || b.needs !== null) return a.needs === null ? 1 : -1;
  return a.had.stepLimit - b.had.stepLimit;
}

function forAll<Kernel extends LaunchesOfKernel, Result extends Outcome>(
  kernel: Kernel,
  distinct: readonly (Result | null)[],
  evaluating: Evaluating<Kernel, Result>,
): Result[] {
  const places = new Map(indicesOfDistinct(kernel).map((index, place) => [index, place]));
  return kernel.launches.flatMap((launch, index) => {
    const first = kernel.alike[index] ?? index;
    const found = distinct[places.get(first) ?? -1] ?? null;
    if (found === null) return [];
    return [first === index ? found : evaluating.alike(found, launch)];
  });
}
