// Which loops of constant trips nvcc unrolls: whole where they are small, else by a power of two.
import type { Expression } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { forEachExpressionOf, forEachStatement, sizeOfStatements, someExpressionOf } from "../walks/walk.ts";
import { sizeOfCall } from "./function-sizes.ts";
import type { Operations } from "./operations.ts";

export type UnrollPlan =
  | UnrolledPlan
  /** The loop stays, but is hardly larger than what LLVM is known to unroll whole. */
  | { readonly kind: "nearly-full" };

type UnrolledPlan = { readonly kind: "full"; readonly trips: number } | PartialPlan;

export interface PartialPlan {
  readonly kind: "partial";
  readonly copies: number;
  /** How often the copies are made, the last time perhaps not all; 0 where that is not known. */
  readonly rounds: number;
  /** The copy before which the last round ends, where the copies do not divide the trips; else null. */
  readonly exitBefore: number | null;
  /** Whether LLVM may make fewer copies: the trip is as large as so many may be, by all that is known. */
  readonly isAtLimit: boolean;
}

/** Expression nodes of a loop once it is unrolled: what we can afford, and what a loop is at most that LLVM takes for small. */
const maximumNodes = 12000;
const surelySmallNodes = 300;
/** LLVM's operations of a loop once it is unrolled whole, the same where constants have been folded, and of one round of copies (docs/codegen.md). */
const maximumFullOperations = 400;
const maximumFoldedOperations = 408;
const maximumRoundOperations = 180;
/**
 * The same of a loop that goes through an array of the thread's own, at an index that changes in a trip: nvcc would have such arrays in registers. By bodies, it ends
 * between 1,540 and 2,640 of our operations; with two loads, a product and a sum at 2,000.
 */
const maximumFullOperationsOfOwn = 2000;
/** From so many on LLVM has been seen to make fewer copies. */
const surelyRoundOperations = 170;
/** How many times larger a loop of few trips may be and still be unrolled, for all that its first trips fold (radar_range_doppler rangeFft). */
const uncertainGrowth = 1.5;
/** A loop of so few trips is tried out by LLVM: what its constants fold counts for it. */
const maximumTriedTrips = 10;
/** Operations of a trip that unrolling folds: the counter, its comparison, the jump, an index. */
const foldedOperations = 5;

export interface TripSize extends Operations {
  /** Whether a loop stays in it when the loops in it have been unrolled. */
  readonly holdsLoop: boolean;
  /** Whether it accesses an array of the thread's own at an index that trips change. */
  readonly goesThroughOwn: boolean;
}

/**
 * What becomes of a loop of so many trips; null where it stays as it is. Unrolling changes no
 * figure by itself: it only brings neighbours together, so that loops that access no memory and no local array stay too. `sizeOfTrip`, and `sizeOfAll` of
 * all trips one behind the other, are asked only where they matter.
 */
export function planOfUnrolling(
  loop: Loop,
  trips: number,
  statementBudget: number,
  sizeOfTrip: () => TripSize,
  sizeOfAll: () => TripSize,
): UnrollPlan | null {
  if (loop.unroll === 1 || loop.unroll === 0) return null;
  if (!touchesMemory(loop)) return null;
  if (trips <= 1) return { kind: "full", trips };
  const nodes = sizeOfStatements(loop.body, maximumNodes);
  const limit = Math.min(maximumNodes, statementBudget * 4);
  const canAfford = (copies: number): boolean => nodes * copies <= limit;
  if (loop.unroll === "full")
    return canAfford(trips) ? { kind: "full", trips } : largestDivisor(trips, canAfford);
  if (typeof loop.unroll === "number") return asAsked(trips, Math.min(loop.unroll, trips), canAfford);
  if (isSurelySmall(loop.body, trips)) return { kind: "full", trips };
  const size = sizeOfTrip();
  const plan = byLlvm(trips, size, canAfford) ?? nestThroughOwn(trips, size, sizeOfAll);
  return plan ?? (isNearlyFull(trips, size) && canAfford(trips) ? { kind: "nearly-full" } : null);
}

/** Whether LLVM surely writes out all trips of a loop that stays one here, as nothing in it accesses memory. */
export function isSurelyWrittenOut({ unroll, body }: Loop, trips: number): boolean {
  if (typeof unroll === "number") return unroll >= trips && unroll > 1;
  if (unroll !== "full") return isSurelySmall(body, trips);
  return sizeOfStatements(body, maximumNodes) * trips <= maximumNodes && isPlain(body);
}

/** A function that is written out (`expf`) counts with all that it is. */
function isSurelySmall(body: readonly Statement[], trips: number): boolean {
  let size = sizeOfStatements(body, maximumNodes);
  forEachExpressionOf(body, (expression) => {
    if (expression.kind === "intrinsic") size += Math.max(0, sizeOfCall(expression) - 1);
  });
  return size * trips <= surelySmallNodes && isPlain(body);
}

/** A nest through an array of the thread's own, whose inner loops are counted by the outer one: `for (k …) for (i = k + 1; …) a[i] -= a[k]` (test/codegen/nests.test.ts). */
function nestThroughOwn(
  trips: number,
  { holdsLoop, goesThroughOwn }: TripSize,
  sizeOfAll: () => TripSize,
): UnrolledPlan | null {
  if (!holdsLoop || !goesThroughOwn) return null;
  const all = sizeOfAll();
  return !all.holdsLoop && all.operations <= maximumFullOperationsOfOwn ? { kind: "full", trips } : null;
}

function isNearlyFull(trips: number, { operations }: TripSize): boolean {
  return trips <= maximumTriedTrips && trips * operations <= maximumFullOperations * uncertainGrowth;
}

function asAsked(trips: number, copies: number, canAfford: (copies: number) => boolean): UnrolledPlan | null {
  if (!canAfford(copies)) return largestDivisor(trips, (fewer) => fewer <= copies && canAfford(fewer));
  return copies === trips ? { kind: "full", trips } : partial(trips, copies);
}

/** What LLVM makes of a loop without pragma. */
function byLlvm(trips: number, size: TripSize, canAfford: (copies: number) => boolean): UnrollPlan | null {
  const { operations } = size;

  const isTried = trips <= maximumTriedTrips && operations > 2 * foldedOperations;
  const boost = isTried ? operations / (operations - foldedOperations) : 1;
  const maximum =
    size.goesThroughOwn && !size.holdsLoop ? maximumFullOperationsOfOwn : maximumFullOperations * boost;
  if (trips * operations <= maximum)
    return canAfford(trips) ? { kind: "full", trips } : largestDivisor(trips, canAfford);
  if (size.holdsLoop) return null;
  const sizeOfRound = (copies: number): number => copies * (operations - 1);
  const fits = (copies: number): boolean =>
    sizeOfRound(copies) <= maximumRoundOperations && canAfford(copies);
  const plan = largestDivisor(trips, fits);
  if (!plan) {
    const copies = trips % 2 === 0 ? undefined : [4, 2].find((count) => count < trips && fits(count));
    return copies === undefined ? null : partial(trips, copies);
  }
  // What is left of the loop is then unrolled whole if it is small enough: 24 trips of 18 operations by eight, and then by three.
  const rounds = plan.kind === "partial" ? plan.rounds : 1;
  const isFull = rounds <= maximumTriedTrips && isSmallOnceFolded(trips, size) && canAfford(trips);
  if (isFull) return leansOnFolding(trips, size) ? { kind: "nearly-full" } : { kind: "full", trips };
  if (plan.kind === "full") return plan;
  return { ...plan, isAtLimit: sizeOfRound(plan.copies) > surelyRoundOperations };
}

/** LLVM allows for more where more of the operations are constants once the loop is unrolled: as many times as it gets smaller. */
function isSmallOnceFolded(trips: number, { operations, ofCounters }: TripSize): boolean {
  const unrolled = operations - ofCounters;
  return trips * unrolled * (unrolled / operations) <= maximumFoldedOperations;
}

/**
 * Of a loop that is small once folded: whether it is so by much that hangs on the counter alone. What of that is an index beside another
 * (`row[i - 1]`) LLVM folds as it makes the copies, and sees nothing get smaller later: it may leave the loop (fixtures/fixes/block_scratch).
 */
function leansOnFolding(trips: number, { operations, ofCounters }: TripSize): boolean {
  return ofCounters > 2 && trips * (operations - ofCounters) > maximumFoldedOperations;
}

function largestDivisor(trips: number, fits: (copies: number) => boolean): UnrolledPlan | null {
  const copies = [32, 16, 8, 4, 2].find((count) => count < trips && trips % count === 0 && fits(count));
  return copies === undefined ? null : partial(trips, copies);
}

function partial(trips: number, copies: number): UnrolledPlan {
  const left = trips % copies;
  return {
    kind: "partial",
    copies,
    rounds: Math.ceil(trips / copies),
    exitBefore: left === 0 ? null : left,
    isAtLimit: false,
  };
}

/** Whether the statements are all there is: no loop, no call. */
function isPlain(body: readonly Statement[]): boolean {
  let isPlainSoFar = true;
  forEachStatement(body, (statement) => {
    if (statement.kind === "loop") isPlainSoFar = false;
  });
  forEachExpressionOf(body, (expression) => {
    if (expression.kind === "call" || expression.kind === "call-indirect") isPlainSoFar = false;
  });
  return isPlainSoFar;
}

function touchesMemory(loop: Loop): boolean {
  return someExpressionOf([loop], mayTouchMemory);
}

function mayTouchMemory(expression: Expression): boolean {
  if (expression.kind === "load" || expression.kind === "assign") return expression.place.kind === "memory";
  if (expression.kind === "intrinsic")
    return expression.site !== null && intrinsicEffect(expression.name) !== "pure";
  return expression.kind === "call";
}
