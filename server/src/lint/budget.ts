// How many steps of evaluation the launches of one file may take, so that no file takes longer than people wait, and in which order they
// take them.
import type { EvaluationOptions } from "../evaluate/evaluate.ts";
import type { LaunchProfile } from "../evaluate/profile.ts";
import { isAssumed, type Launch } from "../launches/launch.ts";

/** Shares the steps of a file among launches; what one does not need is left to the others. */
export interface Budget {
  /**
   * What the next launch of `kernel` may take; no steps where it would end in vain, as that of launches before it did. What is assumed for want
   * of a launch must agree: where one such came to nothing, the others are in vain.
   */
  next(kernel: string, launch: Launch): EvaluationOptions;
  /** `allowed` is what it might have taken. */
  spend(kernel: string, allowed: EvaluationOptions, profile: LaunchProfile): void;
  /** What no launch took, for those that were cut. */
  leftover(): number;
}

/** What is left once every launch had its turn, shared among those that were cut. */
export interface Leftover {
  /**
   * What the next of them may take, which `had` so much and `needs` so much where that is known; null where there is not so much left, or
   * not enough to see noticeably more.
   */
  next(kernel: string, had: EvaluationOptions, needs: EvaluationOptions | null): EvaluationOptions | null;
  spend(kernel: string, allowed: EvaluationOptions, profile: LaunchProfile): void;
}

/** How much the launches of one program may take. */
export interface StepLimits {
  /** Shared among its launches. */
  readonly stepsOfFile: number;
  readonly mostStepsOfLaunch: number;
  /** Steps of the file after which no launch gets even the least. */
  readonly mostStepsOfFile: number;
  /** Of what is left over. */
  readonly mostStepsOfLeftover: number;
  /** What an access counts for in the code of an instance, which is generated before it is evaluated. */
  readonly stepsOfCode: number;
  /** Which instances of a template are looked at: all, or those that tell something new. */
  readonly instances: "all" | "telling";
}

/** For a file that somebody waits for: about five seconds of evaluation, and of what is left over a second or so more. */
const limitsOfFile: StepLimits = {
  stepsOfFile: 3_000_000,
  mostStepsOfLaunch: 1_500_000,
  mostStepsOfFile: 4_000_000,
  mostStepsOfLeftover: 750_000,
  stepsOfCode: 0,
  instances: "all",
};

/**
 * For one of hundreds: of templates of many instances, whose code costs more than their evaluation, those are evaluated that tell something new, and all
 * with half as many steps.
 */
const limitsInRepository: StepLimits = {
  stepsOfFile: 1_500_000,
  mostStepsOfLaunch: 500_000,
  mostStepsOfFile: 2_000_000,
  mostStepsOfLeftover: 375_000,
  stepsOfCode: 1000,
  instances: "telling",
};

/** Whether somebody waits for one file, or for all of a repository: how much is spent on each program. */
export type Extent = "file" | "repository";

export function stepLimitsOf(extent: Extent): StepLimits {
  return extent === "file" ? limitsOfFile : limitsInRepository;
}

/** What a launch may take when the others took all: the kernels of most files need less. */
const leastStepsOfLaunch = 20_000;
/** A launch may take several times its share, for most take much less than theirs. */
const sharesOfLaunch = 4;
/** One that is assumed may take so many times its share of what its kernel's have: all of them are wanted, since all must agree. */
const sharesOfAssumed = 2;

/** Of what is left, for the first launches of kernels, however many launches wait behind them. */
const shareOfFirsts = 1 / 2;

/** Once launches of a kernel came to nothing with so much, the next one may take twice that: some are known then, rather than none. */
const growthAfterNothing = 2;
/** The share of its accesses of which a launch that came to nothing may know figures. */
const nextToNothing = 1 / 8;
/** Digits that limits have: what a few steps of another launch's change does not move is known from the state before. */
const digitsOfLimits = 2;

/**
 * Whose turn it is, by index, given how many launches each kernel has: the first launch of every kernel, then the second, so that the many
 * launches of one kernel do not take what another's few need.
 */
export function turnsOf(launchCounts: readonly number[]): number[] {
  const rounds = launchCounts.reduce((most, count) => Math.max(most, count), 0);
  const kernels = launchCounts.map((_, kernel) => kernel);
  return Array.from({ length: rounds }, (_, round) =>
    kernels.filter((kernel) => round < (launchCounts[kernel] ?? 0)),
  ).flat();
}

/** The budget of a file with so many launches of each kernel, taken in the order of `turnsOf`. */
export function createBudget(
  launchCounts: ReadonlyMap<string, number>,
  limits: StepLimits = limitsOfFile,
): Budget {
  let left = limits.stepsOfFile;
  let taken = 0;
  const counts = [...launchCounts.values()];
  let waitingKernels = counts.filter((count) => count > 0).length;
  let waitingLaunches = counts.reduce((sum, count) => sum + count, 0);
  const waitingOf = new Map(launchCounts);
  /** What launches took that came to nothing. */
  const inVain = new Map<string, number>();
  /** Steps that a thread of the last assumed block took which was swept precisely: a block of twice the threads takes about twice as many. */
  const preciseOf = new Map<string, number>();
  /** Those whose code was generated. */
  const instances = new Set<string>();
  const charge = (steps: number): void => {
    left = Math.max(0, left - steps);
    taken += steps;
  };
  return {
    next(kernel, launch) {
      const tooLittle = inVain.get(kernel) ?? 0;
      const share = Math.max(
        (left / Math.max(1, waitingLaunches)) * sharesOfLaunch,
        waitingKernels > 0 ? (left / waitingKernels) * shareOfFirsts : 0,
      );
      const waitingHere = waitingOf.get(kernel) ?? 1;
      waitingOf.set(kernel, waitingHere - 1);
      waitingKernels--;
      waitingLaunches--;
      const wanted = Math.max(share, tooLittle * growthAfterNothing);
      const ofKernel = left / Math.max(1, waitingHere);
      const most = isAssumed(launch) ? Math.min(wanted, ofKernel * sharesOfAssumed) : wanted;
      const least = taken < limits.mostStepsOfFile ? leastStepsOfLaunch : 0;
      const steps = roundedDown(Math.max(least, Math.min(limits.mostStepsOfLaunch, left, most)));
      if (steps <= tooLittle) return nothingAllowed;
      const expected = (preciseOf.get(kernel) ?? 0) * threadsOf(launch);
      if (!isAssumed(launch) || expected <= steps) return { stepLimit: steps, sweeps: "all" };
      return { stepLimit: Math.min(steps, roundedDown(ofKernel)), sweeps: "coarse" };
    },
    spend(kernel, allowed, profile) {
      if (allowed.stepLimit > 0 && !instances.has(profile.launch.kernel)) {
        instances.add(profile.launch.kernel);
        charge(limits.stepsOfCode * profile.accesses.length);
      }
      charge(profile.steps);
      if (allowed.sweeps === "all" && isAssumed(profile.launch))
        preciseOf.set(kernel, profile.steps / threadsOf(profile.launch));
      if (!cameToNothing(profile, allowed.stepLimit)) return;
      const tooLittle = isAssumed(profile.launch) ? Infinity : allowed.stepLimit;
      inVain.set(kernel, Math.max(tooLittle, inVain.get(kernel) ?? 0));
    },
    leftover: () => Math.max(0, Math.min(limits.mostStepsOfLeftover, limits.mostStepsOfFile - taken)),
  };
}

/** `steps` for so many launches that were cut. */
export function createLeftover(
  steps: number,
  cutLaunches: number,
  { mostStepsOfLaunch }: StepLimits = limitsOfFile,
): Leftover {
  let left = steps;
  let waiting = cutLaunches;
  /** What launches took that came to nothing this time, too. */
  const inVain = new Map<string, number>();
  return {
    next(kernel, had, needs) {
      const share = needs === null ? left / Math.max(1, waiting) : 0;
      waiting--;
      // A coarse evaluation sees more with less.
      const isCoarser = needs?.sweeps === "coarse" && had.sweeps === "all";
      const tooLittle = Math.max(isCoarser ? 0 : had.stepLimit, inVain.get(kernel) ?? 0);
      const enough = needs?.stepLimit ?? 0;
      const least =
        enough > tooLittle ? enough : Math.max(leastStepsOfLaunch, enough, tooLittle * growthAfterNothing);
      if (least > Math.min(mostStepsOfLaunch, left)) return null;
      const stepLimit = roundedDown(Math.min(mostStepsOfLaunch, Math.max(share, least)));
      return { stepLimit, sweeps: (needs ?? had).sweeps };
    },
    spend(kernel, { stepLimit }, profile) {
      left = Math.max(0, left - profile.steps);
      if (cameToNothing(profile, stepLimit)) inVain.set(kernel, Math.max(stepLimit, inVain.get(kernel) ?? 0));
    },
  };
}

function roundedDown(steps: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, steps))) + 1 - digitsOfLimits);
  return Math.floor(steps / unit) * unit;
}

export const nothingAllowed: EvaluationOptions = { stepLimit: 0, sweeps: "all" };

function threadsOf({ block: [x, y, z] }: Launch): number {
  return x * y * z;
}

/** What is in front of its loops is known with few steps, and of a large kernel that is next to nothing. */
function cameToNothing({ steps, accesses }: LaunchProfile, limit: number): boolean {
  const known = accesses.filter(({ verdict }) => verdict.kind !== "unknown");
  return steps >= limit && known.length <= accesses.length * nextToNothing;
}
