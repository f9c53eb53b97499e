// What nvcc may make of loads of successive trips: it keeps in registers what the trip before has loaded or stored (`row[x] += row[x - 1]`),
// and loads neighbours as one vector (`tile[j].x`, `tile[j].y`, `tile[j].z`). Where it does hangs on how LLVM and ptxas unroll the loop.
import type { CompilerDoubt } from "../../ir/assumption.ts";
import type { Expression, Load } from "../../ir/expression.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import type { Extent } from "../addresses/alias.ts";
import { bytesBetween } from "../addresses/alias.ts";
import { type Linear, type LinearTable, sameLinear } from "../addresses/linear.ts";
import { nextTripOf } from "../addresses/next-trip.ts";
import { endsInOneBlock, namesAny } from "../join/loads.ts";
import type { CountedFrom, KnownRounds } from "../linearise/context.ts";
import { type AccessFacts, passOn } from "../walks/facts.ts";
import {
  likeSite,
  mapLists,
  mapStatements,
  withExpression,
  withoutDoubt,
  withPlace,
  withStored,
} from "../walks/rebuild.ts";
import { assignedVariables, forEachExpressionOf, someStatement } from "../walks/walk.ts";
import { mayBeCopied } from "./copies.ts";
import { effectsOf } from "./effects.ts";
import { handedOnBy, isSameWhenHandedOn } from "./handed-on.ts";
import { isLeftByPtxas } from "./rounds.ts";
import { overwrites, type Touch, touchesOf } from "./touches.ts";

export interface TripFacts extends AccessFacts {
  readonly linears: LinearTable;
  readonly countedFrom: CountedFrom;
  readonly knownRounds: KnownRounds;
}

/** The statements, in which such loads say so. */
export function noteAcrossTrips(list: readonly Statement[], facts: TripFacts): readonly Statement[] {
  return mapStatements(list, (statement) => {
    if (statement.kind !== "loop") return mapLists(statement, (inner) => noteAcrossTrips(inner, facts));
    const isInnermost = !holdsLoop(statement);
    const notes = isInnermost ? notesOf(statement, facts) : notesOfOuter(statement, facts);
    const noted = notes.size === 0 ? statement : mapLists(statement, (body) => withNotes(body, notes, facts));
    return isInnermost ? noted : mapLists(noted, (inner) => noteAcrossTrips(inner, facts));
  });
}

function holdsLoop({ body }: Loop): boolean {
  return someStatement(body, ({ kind }) => kind === "loop");
}

/** Null takes the doubt away that a load has of other loops. */
type Notes = ReadonlyMap<Expression, CompilerDoubt | null>;

function notesOf(loop: Loop, facts: TripFacts): Notes {
  const effects = effectsOf(loop, facts.addresses);
  if (!effects || effects.exchanges || effects.hasBarrier)
    return isPartedByBarrier(loop) ? notesOfOwn(loop, facts) : new Map();
  const touches = touchesOf(loop.body, facts.addresses);
  const notes = notesOfInvariant(loop, touches, facts);
  const loads = touches.flatMap((touch, index): LoadInTrip[] => {
    const next = touch.node.kind === "load" ? nextTripOf(touch.address, loop.range, facts.linears) : null;
    return next ? [{ ...touch, index, next }] : [];
  });
  for (const load of heldByHand(loop, touches, facts)) notes.set(load, "keeps-in-register");
  if (loads.length === 0) return notes;
  const certain = touchesOf(
    loop.body.filter(({ kind }) => kind === "evaluate"),
    facts.addresses,
  );
  const isHeld = (load: LoadInTrip): boolean => {
    const source = certain.find(
      ({ address, bytes }) => bytes === load.bytes && sameLinear(address, load.next),
    );
    if (!source || touches.slice(0, load.index).some((one) => overwrites(one, load))) return false;
    const behind = touches.slice(touches.findIndex(({ node }) => node === source.node) + 1);
    return !behind.some((one) => overwrites(one, source));
  };
  const isAlone = isLeftAlone(loop, facts);
  for (const load of loads) {
    if (isHeld(load)) notes.set(load.node, "keeps-in-register");
    else if (isAlone && isPerhapsVector(load.node)) notes.set(load.node, null);
    else if (!isAlone && meetsNeighbour(load, loads)) notes.set(load.node, "loads-vectors");
  }
  return notes;
}

/**
 * Loads at a variable that the trip before has set to another one, at which it has loaded or stored itself: `row[previous]` behind
 * `previous = current;` (cases across_trips_by_hand).
 */
function heldByHand(loop: Loop, touches: readonly Touch[], facts: TripFacts): readonly Expression[] {
  const assigned = assignedVariables(loop.body, loop.step);
  return handedOnBy(loop).flatMap((handed) => {
    const sources = touchesOf(
      handed.during.filter(({ kind }) => kind === "evaluate"),
      facts.addresses,
    );
    const others = new Set([...assigned].filter((id) => id !== handed.to));
    return touches.flatMap((load, index) => {
      const pointer = pointerOf(load.node);
      if (load.node.kind !== "load" || !pointer || namesAny(pointer, others)) return [];
      const source = sources.find(({ node, bytes }) => {
        const other = pointerOf(node);
        return bytes === load.bytes && other !== null && isSameWhenHandedOn(pointer, other, handed);
      });
      if (!source || touches.slice(0, index).some((one) => overwrites(one, load))) return [];
      const behind = touches.slice(touches.findIndex(({ node }) => node === source.node) + 1);
      return behind.some((one) => overwrites(one, source)) ? [] : [load.node];
    });
  });
}

function pointerOf(node: Expression): Expression | null {
  const isAccess = node.kind === "load" || node.kind === "assign";
  return isAccess && node.place.kind === "memory" ? node.place.pointer : null;
}

/** Of a loop around others whose rounds are made one by one: its own neighbours stay apart. */
function notesOfOuter(loop: Loop, facts: TripFacts): Notes {
  const notes = notesOfOwn(loop, facts);
  return notes.size > 0 && (isPartedByBarrier(loop) || isLeftAlone(loop, facts)) ? notes : new Map();
}

/** Of a loop whose trips stay apart: what is in doubt of its own neighbours is so no more. */
function notesOfOwn(loop: Loop, facts: TripFacts): Notes {
  const notes = new Map<Expression, null>();
  forEachExpressionOf(loop.body, (node) => {
    const isOwn = facts.addresses.get(node)?.trip?.loop === loop.range;
    if (isOwn && isPerhapsVector(node)) notes.set(node, null);
  });
  return notes;
}

/** Whether each trip ends behind a barrier that all of it come to: no load moves across it to its neighbour in the trip before. */
function isPartedByBarrier({ body }: Loop): boolean {
  return (
    body.some(({ kind }) => kind === "barrier") && !someStatement(body, ({ kind }) => kind === "continue")
  );
}

/** Whether neither LLVM nor ptxas brings more trips together than stand in a round already. */
function isLeftAlone(loop: Loop, { addresses, knownRounds }: TripFacts): boolean {
  if (loop.unroll === 1) return true;
  if ((knownRounds.get(loop.range) ?? null) === null) return false;
  return typeof loop.unroll === "number" || isLeftByPtxas(loop, addresses, knownRounds);
}

/**
 * Loads that every trip makes from one place, which one branch of the trip may change: in the copies of a trip LLVM loads again at the end of
 * the way that does (cases across_trips/changedInOneBranch, changedBehindContinue; not: changedInTwoBranches, changedUnrolledByOne).
 */
function notesOfInvariant(
  loop: Loop,
  touches: readonly Touch[],
  facts: TripFacts,
): Map<Expression, CompilerDoubt | null> {
  const notes = new Map<Expression, CompilerDoubt | null>();
  if (!mayBeCopied(loop, facts.countedFrom)) return notes;
  const assigned = assignedVariables(loop.body, loop.step);
  const trip = withoutJump(loop.body);
  const everyTrip = new Set(trip.flatMap((statement) => loadsAt(statement)));
  for (const load of touches) {
    if (load.node.kind !== "load" || !everyTrip.has(load.node) || namesAny(load.node, assigned)) continue;
    const changing = trip.filter((statement) =>
      touchesOf([statement], facts.addresses).some((one) => overwrites(one, load)),
    );
    const [branch] = changing;
    if (changing.length === 1 && branch?.kind === "if" && isChangedInOneWay(branch, load, facts))
      notes.set(load.node, "keeps-in-register");
  }
  return notes;
}

/** The trip with what stands behind `if (c) continue;`, or `if (c) { …; continue; }`, in the other way of that branch. */
function withoutJump(trip: readonly Statement[]): readonly Statement[] {
  const at = trip.findIndex((statement) => {
    return (
      statement.kind === "if" &&
      statement.whenFalse.length === 0 &&
      statement.whenTrue.at(-1)?.kind === "continue"
    );
  });
  const branch = trip[at];
  if (branch?.kind !== "if") return trip;
  const whenTrue = branch.whenTrue.slice(0, -1);
  return [...trip.slice(0, at), { ...branch, whenTrue, whenFalse: trip.slice(at + 1) }];
}

function loadsAt(statement: Statement): readonly Expression[] {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return [];
  return [statement.expression.value];
}

function isChangedInOneWay({ whenTrue, whenFalse }: If, load: Extent, facts: TripFacts): boolean {
  const [inTrue, inFalse] = [whenTrue, whenFalse].map((way) =>
    touchesOf(way, facts.addresses).some((one) => overwrites(one, load)),
  );
  return inTrue !== inFalse && endsInOneBlock(inTrue ? whenTrue : whenFalse);
}

/** A load that counts with the loop. */
interface LoadInTrip extends Touch {
  /** Among all touches of the trip. */
  readonly index: number;
  /** Where the next trip loads from. */
  readonly next: Linear;
}

function isPerhapsVector(node: Expression): boolean {
  return node.kind === "load" && node.site?.uncertain === "loads-vectors";
}

/** Whether loads of shared memory at the same terms have neighbours among those of the next trip, in a vector that starts where the first trip does. */
function meetsNeighbour(load: LoadInTrip, loads: readonly LoadInTrip[]): boolean {
  const { address, bytes } = load;
  if (address.space !== "shared" || bytes < 2 || bytes > 8) return false;
  const group = loads.filter((one) => one.bytes === bytes && bytesBetween(one.address, address) !== null);
  const isAligned = group.some(({ address: { trip } }) => {
    if (trip === null) return false;
    // Of whole rounds the copies are vectors already: ptxas may make longer ones of several rounds.
    const vectorBytes = trip.copies?.lastRound === "whole" ? Math.abs(trip.strideBytes) : bytes;
    return trip.startAlignment >= vectorBytes * 2;
  });
  const isBeside = (one: LoadInTrip, other: LoadInTrip) =>
    one.next.terms === other.address.terms && Math.abs(one.next.constant - other.address.constant) === bytes;
  return isAligned && group.some((one) => group.some((other) => one !== other && isBeside(one, other)));
}

function withNotes(list: readonly Statement[], notes: Notes, facts: TripFacts): readonly Statement[] {
  return mapStatements(list, (statement) => {
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign")
      return mapLists(statement, (inner) => withNotes(inner, notes, facts));
    const { expression } = statement;
    const { value } = expression;
    const uncertain = notes.get(value);
    if (value.kind !== "load" || uncertain === undefined) return statement;
    return withExpression(
      statement,
      withStored(expression, expression.place, noted(value, uncertain, facts)),
    );
  });
}

function noted(load: Load, uncertain: CompilerDoubt | null, facts: TripFacts): Load {
  if (!load.site || load.site.isVolatile) return load;
  const site = uncertain === null ? withoutDoubt(load.site) : likeSite(load.site, { uncertain });
  const result = withPlace(load, load.place, site);
  passOn(load, result, facts);
  return result;
}
