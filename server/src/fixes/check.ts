// Runs a kernel before and after an edit with the same inputs, and compares every byte that they leave behind.
import type { Program } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { Fault } from "../simulator/request.ts";
import { type SimulationResult, simulating } from "../simulator/simulate.ts";
import type { SourceRange } from "../text/source.ts";
import { type BlockIndex, chooseBlocks } from "./blocks.ts";
import type { CheckPair, CheckResult } from "./fix.ts";
import { changedArguments, type InputSet, type Inputs, inputSets, inputsOf } from "./inputs.ts";
import { firstDifference } from "./memory-difference.ts";

export interface CheckLimits {
  /** Steps of all runs of a pair together; a million take about a second. */
  readonly maxSteps: number;
}

export const defaultCheckLimits: CheckLimits = { maxSteps: 600_000 };

/**
 * Whether both kernels of the pair leave the same bytes in global memory, for several sets of random inputs. Random inputs prove nothing: the
 * answer is "checked", never "right". It yields between warps.
 */
export function* checkPair(
  pair: CheckPair,
  limits: CheckLimits = defaultCheckLimits,
): Generator<void, CheckResult, void> {
  const budget: Budget = { stepsLeft: limits.maxSteps };
  const fixed = changedArguments(pair.original.launch, pair.patched.launch);
  const executed = new Set<string>();
  const complaints: string[] = [];
  let inputSetCount = 0;
  let integerLimits: readonly number[] = triedIntegerLimits;
  for (const set of inputSets) {
    if (inputSetCount >= wantedSets) break;
    const outcome = yield* runSet(pair, set, integerLimits, fixed, executed, budget);
    if (outcome.kind === "equal") {
      inputSetCount++;
      integerLimits = [outcome.integerLimit];
    } else if (outcome.kind === "unusable") complaints.push(outcome.reason);
    else return outcome;
    if (budget.stepsLeft <= 0) break;
  }
  const missed = pair.mustRun.filter((range) => !isExecuted(executed, range));
  if (inputSetCount < leastSets) return notChecked(complaints[0] ?? tooManySteps);
  if (missed.length > 0) return notChecked("an access that it changes does not run on any input tried");
  return { kind: "checked", inputSets: inputSetCount };
}

/** Three sets are run; two are enough where one cannot be used, as where a size must not be odd. */
const wantedSets = 3;
const leastSets = 2;

/** Integers in memory may be indices into something small. */
const triedIntegerLimits = [128, 16, 4, 2];

const tooManySteps = "running it takes more steps than a check may spend";

interface Budget {
  stepsLeft: number;
}

type SetOutcome =
  | { readonly kind: "equal"; readonly integerLimit: number }
  | { readonly kind: "unusable"; readonly reason: string }
  | { readonly kind: "differs" | "faults"; readonly reason: string };

type Attempt = SetOutcome | { readonly kind: "out-of-bounds"; readonly reason: string };

function notChecked(reason: string): CheckResult {
  return { kind: "not-checked", reason };
}

function* runSet(
  pair: CheckPair,
  set: InputSet,
  integerLimits: readonly number[],
  fixed: ReadonlySet<number>,
  executed: Set<string>,
  budget: Budget,
): Generator<void, SetOutcome, void> {
  let reason = tooManySteps;
  for (const integerLimit of integerLimits) {
    const outcome = yield* attempt(pair, set, integerLimit, fixed, executed, budget);
    if (outcome.kind !== "out-of-bounds") return outcome;
    reason = outcome.reason;
  }
  return { kind: "unusable", reason };
}

/** One set of inputs, on both sides. */
function* attempt(
  { original, patched, originalMisaligns }: CheckPair,
  set: InputSet,
  integerLimit: number,
  fixed: ReadonlySet<number>,
  executed: Set<string>,
  budget: Budget,
): Generator<void, Attempt, void> {
  const inputs = inputsOf(original.program, original.launch, set, integerLimit, fixed);
  const patchedInputs = inputsOf(patched.program, patched.launch, set, integerLimit, fixed);
  if (!inputs || !patchedInputs) return { kind: "unusable", reason: "the kernel has no body in sight" };
  const shapes = [
    { block: original.launch.block, grid: inputs.grid },
    { block: patched.launch.block, grid: patchedInputs.grid },
  ] as const;
  const probe = yield* run(original, inputs, [[0, 0, 0]], set, null, budget);
  if (probe.status !== "complete") return { kind: "unusable", reason: endOf(probe, budget) };
  const blockCount = Math.floor(stepsOfRun / Math.max(1, probe.steps));
  const blocks = chooseBlocks(shapes[0], shapes[1], Math.min(mostBlocks, Math.max(1, blockCount)));
  if (blocks === null)
    return { kind: "unusable", reason: "the two shapes of the launch have too little in common" };
  const before = yield* run(original, inputs, blocks.original, set, executed, budget);
  const objection = objectionTo(before, originalMisaligns ? toleratedFaults : harmlessFaults, budget);
  if (objection !== null) return objection;
  const after = yield* run(patched, patchedInputs, blocks.patched, set, null, budget);
  if (after.status !== "complete") return { kind: "unusable", reason: endOf(after, budget) };
  const fault = after.faults.find(({ kind }) => !harmlessFaults.has(kind));
  if (fault !== undefined) return { kind: "faults", reason: `with it, ${faultText(fault)}` };
  const gap = gapIn(after);
  if (gap !== null) return { kind: "differs", reason: `with it, ${gap}` };
  const difference = firstDifference(before, after);
  if (difference === null) return { kind: "equal", integerLimit };
  const isRace = yield* isOrderDependent(original, inputs, blocks.original, set, before, budget);
  return isRace
    ? { kind: "unusable", reason: "what it computes depends on which warp runs first" }
    : { kind: "differs", reason: `with it, ${difference}` };
}

/** A run may take as many; of a kernel whose blocks take more, one block is run. */
const stepsOfRun = 40_000;
const mostBlocks = 5;

type Subject = { readonly program: Program; readonly launch: Launch };

function* run(
  { program, launch }: Subject,
  inputs: Inputs,
  blocks: readonly BlockIndex[],
  set: InputSet,
  executed: Set<string> | null,
  budget: Budget,
): Generator<void, SimulationResult, void> {
  const result = yield* simulating(program, launch, {
    ...inputs,
    blocks,
    seed: set.seed,
    warpOrder: set.warpOrder,
    uncomputed: "uninterpreted",
    maxSteps: Math.max(1, budget.stepsLeft),
    maxAllocationBytes,
    ...(executed === null ? {} : { onRequest: ({ site }) => void executed.add(placeOf(site.range)) }),
  });
  budget.stepsLeft -= result.steps;
  return result;
}

const maxAllocationBytes = 2 ** 30;

function placeOf({ file, start }: SourceRange): string {
  return `${file}:${start}`;
}

/** The access itself or, where it was typed as part of another, one that begins in it. */
function isExecuted(executed: ReadonlySet<string>, range: SourceRange): boolean {
  return executed.has(placeOf(range));
}

/** A read of what was never written does no harm unless it reaches a condition or the result: these are gaps. */
const harmlessFaults: ReadonlySet<Fault["kind"]> = new Set(["uninitialized"]);
const toleratedFaults: ReadonlySet<Fault["kind"]> = new Set(["uninitialized", "misaligned"]);

/** Why a run of the original says nothing; null where it does. */
function objectionTo(
  result: SimulationResult,
  tolerated: ReadonlySet<Fault["kind"]>,
  budget: Budget,
): Attempt | null {
  if (result.status !== "complete") return { kind: "unusable", reason: endOf(result, budget) };
  const fault = result.faults.find(({ kind }) => !tolerated.has(kind));
  if (fault !== undefined) {
    const kind = fault.kind === "out-of-bounds" ? "out-of-bounds" : "unusable";
    return { kind, reason: `on made-up data ${faultText(fault)}` };
  }
  const gap = gapIn(result);
  return gap === null ? null : { kind: "unusable", reason: gap };
}

/** Why a run did not come to its end. */
function endOf({ reasons, missingArguments }: SimulationResult, { stepsLeft }: Budget): string {
  const [missing] = missingArguments;
  if (missing !== undefined) return `the value of ${missing.name} is not known`;
  return stepsLeft <= 0 ? tooManySteps : (reasons[0] ?? tooManySteps);
}

/** What was not followed, or is not known; in words. */
function gapIn({ gaps, unknownStores }: SimulationResult): string | null {
  const [gap] = gaps;
  const [store] = unknownStores;
  if (gap !== undefined) return gap.reason;
  return store === undefined ? null : `what it stores depends on ${store.reason}`;
}

function faultText({ kind, thread, block, object, offsetBytes }: Fault): string {
  const who = `thread (${thread.join()}) of block (${block.join()})`;
  const where = object === null ? "an address that nothing lies at" : `byte ${offsetBytes} of ${object}`;
  switch (kind) {
    case "out-of-bounds":
      return `${who} reaches outside of memory: ${where}`;
    case "misaligned":
      return `${who} accesses ${where}, which is not aligned`;
    case "uninitialized":
      return `${who} reads ${where}, which was never written`;
    case "divergent-barrier":
    case "barrier-mismatch":
      return `${who} does not reach a barrier that others wait at`;
  }
}

/** Whether warps in the other order leave other bytes: then the kernel has a race, and so may the patched one. */
function* isOrderDependent(
  subject: Subject,
  inputs: Inputs,
  blocks: readonly BlockIndex[],
  set: InputSet,
  before: SimulationResult,
  budget: Budget,
): Generator<void, boolean, void> {
  const other = { ...set, warpOrder: set.warpOrder === "ascending" ? "descending" : "ascending" } as const;
  const again = yield* run(subject, inputs, blocks, other, null, budget);
  return again.status === "complete" && firstDifference(before, again) !== null;
}
