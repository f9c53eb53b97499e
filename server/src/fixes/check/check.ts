// Runs a kernel before and after an edit with the same inputs, and compares every byte that they leave behind.
import type { Program } from "../../ir/function.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Launch } from "../../launches/launch.ts";
import { figureOf } from "../../simulator/figure.ts";
import { madePages } from "../../simulator/memory.ts";
import type { Fault } from "../../simulator/request.ts";
import { type SimulationResult, simulating } from "../../simulator/simulate.ts";
import type { SourceRange } from "../../text/source.ts";
import type { CheckPair, CheckResult, CheckVerdict } from "../fix.ts";
import { type BlockChoice, type BlockIndex, chooseBlocks, type LaunchShape } from "./blocks.ts";
import {
  canShorten,
  changedArguments,
  type Extent,
  type InputChoices,
  type InputSet,
  type Inputs,
  inputSets,
  inputsOf,
  intrinsicsOf,
  parameterPlaces,
  shorterThan,
} from "./inputs.ts";
import { firstDifference } from "./memory-difference.ts";
import { type CountedRun, knownRun, type OriginalRuns } from "./original-runs.ts";

export interface CheckLimits {
  /** Steps of all runs of a pair together, filling their memory included; a million take about a second. */
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
  const state = startOf(pair, limits);
  const verdict = yield* verdictOf(pair, state);
  return { ...verdict, steps: limits.maxSteps - state.stepsLeft };
}

function* verdictOf(pair: CheckPair, state: CheckState): Generator<void, CheckVerdict, void> {
  const complaints: string[] = [];
  const wavefronts = { before: 0, after: 0 };
  let inputSetCount = 0;
  for (const set of inputSets) {
    if (inputSetCount >= wantedSets || state.stepsLeft <= 0) break;
    const outcome = yield* runSet(pair, set, state);
    if (outcome.kind === "equal") {
      inputSetCount++;
      wavefronts.before += outcome.wavefronts.before;
      wavefronts.after += outcome.wavefronts.after;
    } else if (outcome.kind === "unusable") complaints.push(outcome.reason);
    else return outcome;
    // Other sets take as long.
    if (outcome.kind === "unusable" && outcome.reason === tooManySteps) break;
  }
  if (inputSetCount < leastSets) return notChecked(complaints[0] ?? tooManySteps);
  if (pair.mustRun.some((range) => !state.executed.has(placeOf(range))))
    return notChecked("an access that it changes does not run on any input tried");
  return { kind: "checked", inputSets: inputSetCount, wavefronts };
}

/** Three sets are run; two are enough where one cannot be used, as where a size must not be odd. */
const wantedSets = 3;
const leastSets = 2;

/** Integers in memory may be indices into something small. */
const triedIntegerLimits = [128, 16, 4, 2];

export const tooManySteps = "running it takes more steps than a check may spend";

/** What is known of a pair from one set of inputs to the next. */
interface CheckState {
  readonly originalRuns: OriginalRuns | undefined;
  stepsLeft: number;
  mostBlocks: number;
  extent: Extent;
  /** What a run of one block may take. */
  stepsOfBlock: number;
  integerLimits: readonly number[];
  /** Numbers in memory become indices: they are kept near one. */
  areFloatsIndices: boolean;
  readonly fixed: ReadonlySet<number>;
  /** Places of the original's accesses that ran. */
  readonly executed: Set<string>;
  /** The original's runs with warps in ascending order, by seed: in descending order it must leave the same bytes, as the patched kernel must. */
  readonly ascending: Map<number, OriginalRun>;
  /** But for atomics, which may leave other bytes in another order, and be right. */
  readonly mayDependOnOrder: boolean;
}

function startOf(
  { original, patched, keptArguments, originalRuns }: CheckPair,
  { maxSteps }: CheckLimits,
): CheckState {
  const { program, launch } = original;
  return {
    originalRuns,
    stepsLeft: maxSteps,
    mostBlocks,
    extent: "whole",
    stepsOfBlock,
    integerLimits: triedIntegerLimits,
    areFloatsIndices: false,
    fixed: new Set([
      ...changedArguments(launch, patched.launch),
      ...parameterPlaces(program, launch, keptArguments),
    ]),
    executed: new Set(),
    ascending: new Map(),
    mayDependOnOrder: [...intrinsicsOf(program, launch.kernel)].some(
      (name) => intrinsicEffect(name) === "atomic",
    ),
  };
}

type SetOutcome =
  | { readonly kind: "equal"; readonly wavefronts: { readonly before: number; readonly after: number } }
  | { readonly kind: "unusable"; readonly reason: string }
  | { readonly kind: "differs" | "faults" | "not-checked"; readonly reason: string };

type Attempt = SetOutcome | { readonly kind: "out-of-bounds"; readonly reason: string };

function notChecked(reason: string): CheckVerdict & { readonly kind: "not-checked" } {
  return { kind: "not-checked", reason };
}

function unusable(reason: string): SetOutcome {
  return { kind: "unusable", reason };
}

function* runSet(pair: CheckPair, set: InputSet, state: CheckState): Generator<void, SetOutcome, void> {
  let reason: string | null = null;
  for (const [integerLimit, areFloatsIndices] of valuesToTry(state)) {
    const own: InputSet = areFloatsIndices ? { ...set, floats: "near-one" } : set;
    const outcome = yield* attempt(pair, own, integerLimit, state);
    if (outcome.kind === "equal") {
      state.integerLimits = [integerLimit];
      state.areFloatsIndices = areFloatsIndices;
    }
    if (outcome.kind !== "out-of-bounds") return outcome;
    reason ??= outcome.reason;
  }
  return unusable(reason ?? tooManySteps);
}

function valuesToTry({ integerLimits, areFloatsIndices }: CheckState): (readonly [number, boolean])[] {
  const small = integerLimits.at(-1) ?? 1;
  return [
    ...integerLimits.map((limit) => [limit, areFloatsIndices] as const),
    ...(areFloatsIndices ? [] : [[small, true] as const]),
  ];
}

/** One set of inputs, on both sides. What very short sizes say against an edit may be their own fault: then longer ones are asked. */
function* attempt(
  pair: CheckPair,
  set: InputSet,
  integerLimit: number,
  state: CheckState,
): Generator<void, Attempt, void> {
  const outcome = yield* attemptAsItIs(pair, set, integerLimit, state);
  const isVeryShort = state.extent === "fewer" || state.extent === "fewest";
  if (outcome.kind === "equal" || !isVeryShort || !takesLonger(state)) return outcome;
  return yield* attemptAsItIs(pair, set, integerLimit, state);
}

function* attemptAsItIs(
  pair: CheckPair,
  set: InputSet,
  integerLimit: number,
  state: CheckState,
): Generator<void, Attempt, void> {
  const { original, patched } = pair;
  const choices: InputChoices = { integerLimit, fixed: state.fixed, extent: state.extent };
  const inputs = inputsOf(original.program, original.launch, set, choices);
  const patchedInputs = inputsOf(patched.program, patched.launch, set, choices);
  if (!inputs || !patchedInputs) return unusable("the kernel has no body in sight");
  const known =
    set.warpOrder === "descending" && !state.mayDependOnOrder ? state.ascending.get(set.seed) : null;
  const shapes = shapesOf(pair, inputs, patchedInputs);
  const chosen: ChosenInputs = { inputs, integerLimit };
  const ran = known ?? (yield* runOriginal(pair, chosen, shapes, set, state));
  if (ran === "too-long") {
    const shorter = shorterThan(state.extent, original, state.fixed);
    if (shorter !== null) state.extent = shorter;
    else takesLonger(state);
    return yield* attemptAsItIs(pair, set, integerLimit, state);
  }
  if ("kind" in ran) return ran;
  const { blocks, before } = ran;
  const after = yield* run(pair.patched, { inputs: patchedInputs, set, blocks: blocks.patched }, state);
  if (after.status !== "complete") {
    // The patched kernel may take many more steps than the original: then fewer blocks, or shorter sizes, must do.
    if (!after.isOutOfSteps || !shrinks(pair, state)) return unusable(endOf(after));
    return yield* attemptAsItIs(pair, set, integerLimit, state);
  }
  const fault = after.faults.find(({ kind }) => !harmlessFaults.has(kind));
  if (fault !== undefined) return { kind: "faults", reason: `with it, ${faultText(fault)}` };
  const gap = gapIn(after);
  if (gap !== null) return { kind: "differs", reason: `with it, ${gap}` };
  const difference = firstDifference(before, after);
  if (difference === null)
    return { kind: "equal", wavefronts: { before: before.wavefronts, after: after.wavefronts } };
  // A kernel with a race may leave other bytes as soon as anything moves: then they say nothing of the edit.
  const warpOrder = known || set.warpOrder === "ascending" ? "descending" : "ascending";
  const other = yield* runAgain(
    pair.original,
    chosen,
    { set: { ...set, warpOrder }, blocks: blocks.original },
    state,
  );
  if (other.status !== "complete" || firstDifference(before, other) === null)
    return { kind: "differs", reason: `with it, ${difference}` };
  // So short a size may have threads write where others do.
  if (state.extent !== "whole" && state.extent !== "short") return unusable(tooManySteps);
  return set.sizes === "odd" ? unusable(orderDependent) : notChecked(orderDependent);
}

/** Lets one run take more, with sizes as long as they can be then; false where it may already, or nothing is left. */
function takesLonger(state: CheckState): boolean {
  if (state.stepsOfBlock === stepsOfLongBlock || state.stepsLeft === 0) return false;
  state.stepsOfBlock = stepsOfLongBlock;
  state.extent = "whole";
  state.ascending.clear();
  return true;
}

/** Whether less than so far can be run. */
function shrinks({ original, patched }: CheckPair, state: CheckState): boolean {
  state.ascending.clear();
  if (state.mostBlocks > 1) {
    state.mostBlocks = 1;
    return true;
  }
  const extent = shorterThan(state.extent, original, state.fixed);
  if (extent === null) return takesLonger(state);
  const isShorter = canShorten(patched, state.fixed, state.extent, extent);
  state.extent = extent;
  return isShorter;
}

const orderDependent = "what it computes depends on which warp runs first";

/** What the original left behind, and the blocks that were run. */
interface OriginalRun {
  readonly blocks: BlockChoice;
  readonly before: CountedRun;
}

function shapesOf({ original, patched }: CheckPair, inputs: Inputs, patchedInputs: Inputs) {
  return [
    { block: original.launch.block, grid: inputs.grid },
    { block: patched.launch.block, grid: patchedInputs.grid },
  ] as const;
}

/** Runs as many blocks as fit into a run's steps; an objection where they say nothing, `too-long` where shorter sizes may do. */
function* runOriginal(
  { original, originalMisaligns, swappedAxes = null }: CheckPair,
  chosen: ChosenInputs,
  [shape, patchedShape]: readonly [LaunchShape, LaunchShape],
  set: InputSet,
  state: CheckState,
): Generator<void, OriginalRun | Attempt | "too-long", void> {
  let blocks = chooseBlocks(shape, patchedShape, state.mostBlocks, swappedAxes);
  if (blocks === null) return unusable("the two shapes of the launch have too little in common");
  let before = yield* runAgain(original, chosen, { set, blocks: blocks.original }, state);
  const shorter = shorterThan(state.extent, original, state.fixed);
  if (before.status === "stopped" && state.mostBlocks > 1) {
    state.mostBlocks = Math.max(1, before.completedBlockCount);
    const isLong = before.isOutOfSteps && before.completedBlockCount === 0;
    if (isLong && shorter === "short") return "too-long";
    blocks = chooseBlocks(shape, patchedShape, state.mostBlocks, swappedAxes) ?? blocks;
    before = yield* runAgain(original, chosen, { set, blocks: blocks.original }, state);
  }
  const isTooLong = before.status === "stopped" && before.isOutOfSteps;
  const canTakeLonger = state.stepsOfBlock < stepsOfLongBlock && state.mostBlocks === 1;
  if (isTooLong && state.stepsLeft > 0 && (shorter !== null || canTakeLonger)) return "too-long";
  const objection = objectionTo(before, originalMisaligns ? toleratedFaults : harmlessFaults);
  if (objection !== null) return objection;
  if (set.warpOrder === "ascending") state.ascending.set(set.seed, { blocks, before });
  return { blocks, before };
}

/**
 * A run of several blocks may take as many, or fewer blocks are run; one block alone may take some more, and again more where no shorter sizes say
 * anything of the kernel. A check is of several runs, and a search of several checks.
 */
const stepsOfBlocks = 15_000;
const stepsOfBlock = 70_000;
const stepsOfLongBlock = 130_000;
const mostBlocks = 5;

type Subject = { readonly program: Program; readonly launch: Launch };

interface RunInputs {
  readonly inputs: Inputs;
  readonly set: InputSet;
  readonly blocks: readonly BlockIndex[];
  /** Told of the places of the accesses that run. */
  readonly executed?: Set<string>;
}

/** The inputs of a run, and what they were made with beside the set and the state. */
interface ChosenInputs {
  readonly inputs: Inputs;
  readonly integerLimit: number;
}

/** A run of the original, or what it did when it was run with these inputs before. */
function* runAgain(
  original: Subject,
  { inputs, integerLimit }: ChosenInputs,
  { set, blocks }: Pick<RunInputs, "set" | "blocks">,
  state: CheckState,
): Generator<void, CountedRun, void> {
  const fixed = [...state.fixed].sort((a, b) => a - b);
  const key = JSON.stringify([set, blocks, integerLimit, state.extent, fixed]);
  const maxSteps = stepsAllowed(state);
  const known = knownRun(state.originalRuns, key, maxSteps);
  const executed = new Set<string>(known?.executed);
  const result = known?.result ?? (yield* run(original, { inputs, set, blocks, executed }, state));
  if (known === null) state.originalRuns?.set(key, { result, executed, maxSteps });
  for (const place of executed) state.executed.add(place);
  return result;
}

function stepsAllowed({ stepsLeft, mostBlocks: blocks, stepsOfBlock: ofBlock }: CheckState): number {
  return Math.min(stepsLeft, blocks === mostBlocks ? stepsOfBlocks : ofBlock);
}

function* run(
  { program, launch }: Subject,
  { inputs, set, blocks, executed }: RunInputs,
  state: CheckState,
): Generator<void, CountedRun, void> {
  let wavefronts = 0;
  const result = yield* simulating(program, launch, {
    ...inputs,
    blocks,
    seed: set.seed,
    warpOrder: set.warpOrder,
    uncomputed: "uninterpreted",
    maxSteps: Math.max(1, stepsAllowed(state)),
    maxAllocationBytes,
    onRequest: (request) => {
      executed?.add(placeOf(request.stack[0] ?? request.site.range));
      if (request.space === "shared") wavefronts += figureOf(request)?.cost ?? 0;
    },
  });
  state.stepsLeft = Math.max(0, state.stepsLeft - result.steps - stepsOfMemory(result));
  return { ...result, wavefronts };
}

/** What it takes to fill a page and to compare it, in steps of a warp. */
const stepsOfPage = 4;

/** Where threads reach far apart, what fills the memory that they reach takes longer than what they do. */
function stepsOfMemory({ memories }: SimulationResult): number {
  return stepsOfPage * memories().reduce((sum, object) => sum + madePages(object), 0);
}

const maxAllocationBytes = 2 ** 30;

function placeOf({ file, start }: SourceRange): string {
  return `${file}:${start}`;
}

/** A read of what was never written does no harm unless it reaches a condition or the result: these are gaps. */
const harmlessFaults: ReadonlySet<Fault["kind"]> = new Set(["uninitialized"]);
const toleratedFaults: ReadonlySet<Fault["kind"]> = new Set(["uninitialized", "misaligned"]);

/** Why a run of the original says nothing; null where it does. */
function objectionTo(result: SimulationResult, tolerated: ReadonlySet<Fault["kind"]>): Attempt | null {
  if (result.status !== "complete") return { kind: "unusable", reason: endOf(result) };
  const fault = result.faults.find(({ kind }) => !tolerated.has(kind));
  if (fault !== undefined) {
    const kind = fault.kind === "out-of-bounds" ? "out-of-bounds" : "unusable";
    return { kind, reason: `on made-up data ${faultText(fault)}` };
  }
  const gap = gapIn(result);
  return gap === null ? null : { kind: "unusable", reason: gap };
}

/** Why a run did not come to its end. */
function endOf({ reasons, missingArguments, isOutOfSteps }: SimulationResult): string {
  const [missing] = missingArguments;
  if (missing !== undefined) return `the value of ${missing.name} is not known`;
  return isOutOfSteps ? tooManySteps : (reasons[0] ?? tooManySteps);
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
