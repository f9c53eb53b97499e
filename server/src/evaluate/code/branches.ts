// The ways of a branch: run each in its lanes, and bring lanes and variables together again.

import type { Steps } from "../../steps.ts";
import {
  blendValues,
  type Choice,
  dependsOnMemory,
  eitherOf,
  type Frame,
  type Machine,
  sameValue,
  spend,
} from "../machine.ts";
import { withinOrBeyond } from "../values/beyond.ts";
import { allLanes } from "../values/lanes.ts";
import { mapCopy } from "../values/map-copy.ts";
import { branch, emptyMask, type Mask, meet, passedBy, restrict, unite } from "../values/mask.ts";
import { choiceOf, openLanes, passedTogether } from "../values/predicates.ts";
import type { Doubt, Predicate, Value } from "../values/value.ts";
import { interiorWarps, withAssumption } from "./expressions.ts";

/** Runs one way of a branch in its lanes, and gives those that reach its end. */
type Way = (side: Mask) => Steps<Mask>;

/** A branch that the lanes of `mask` come to. */
export interface Fork {
  readonly predicate: Predicate;
  readonly mask: Mask;
  readonly whenTrue: Way;
  readonly whenFalse: Way;
}

/** Runs the ways of a branch, each in its lanes, and brings lanes and variables together again. */
export function* choose(machine: Machine, frame: Frame, fork: Fork): Steps<Mask> {
  const { predicate, mask, whenTrue, whenFalse } = fork;
  const open = openLanes(predicate, mask.active);
  const doubt = open === 0 ? null : predicate.doubt;
  const sides = branch(mask, predicate);
  if (doubt?.lean && !sides.isTogether) {
    const [interior, edge] = doubt.lean.holds ? [whenTrue, whenFalse] : [whenFalse, whenTrue];
    return yield* chooseInterior(machine, frame, { predicate, mask, interior, edge });
  }
  const together = passedTogether(predicate, mask.active);
  return together === null
    ? yield* chooseEither(machine, fork)
    : yield* chooseTogether(machine, { ...fork, predicate: together });
}

/** Lanes are taken to pass a test together (interior warps). That outlives the branch where lanes may have left in it, or changed variables. */
function* chooseTogether(machine: Machine, fork: Fork): Steps<Mask> {
  const { mask } = fork;
  const outer = machine.assumptions;
  const before = copyOfSlots(machine);
  machine.assumptions = withAssumption(outer, interiorWarps);
  const after = yield* chooseEither(machine, fork);
  const isUndone =
    after.active === mask.active &&
    (after.mayPassBy === null) === (mask.mayPassBy === null) &&
    [...before].every(([slot, value]) => machine.slots.get(slot) === value);
  if (isUndone) machine.assumptions = outer;
  return after;
}

/** Runs both sides, where some lanes may go either way in all of them. */
function* chooseEither(machine: Machine, { predicate, mask, whenTrue, whenFalse }: Fork): Steps<Mask> {
  const sides = branch(mask, predicate);
  const before = sides.open === 0 ? null : copyOfSlots(machine);
  const afterTrue = sides.whenTrue.active === 0 ? emptyMask : yield* whenTrue(sides.whenTrue);
  const slotsTrue = machine.slots;
  if (before) machine.slots = before;
  const afterFalse = sides.whenFalse.active === 0 ? emptyMask : yield* whenFalse(sides.whenFalse);
  if (before) mergeSlots(machine, slotsTrue, afterTrue.active, afterFalse.active, choiceOf(predicate));
  return meet(mask, sides, afterTrue, afterFalse);
}

/** A branch of which one way is taken to be that of all warps but those at an edge. */
interface Guard {
  readonly predicate: Predicate;
  readonly mask: Mask;
  readonly interior: Way;
  readonly edge: Way;
}

/**
 * A guard against an unknown size is taken as passed by all open lanes (interior warps). The other side is still visited,
 * for warps at the edge come there: all open lanes where they agree, or where warps lie beyond the size as a whole, else nobody knows which.
 */
function* chooseInterior(machine: Machine, frame: Frame, guard: Guard): Steps<Mask> {
  const { predicate, mask, interior, edge } = guard;
  const outer = machine.assumptions;
  const open = openLanes(predicate, mask.active);
  const { doubt } = predicate;
  const lanes = open | (doubt?.lean?.holds ? predicate.yes : predicate.no);
  const sides = branch(mask, predicate);
  const edgeSide = doubt?.lean?.holds ? sides.whenFalse : sides.whenTrue;
  const isWholeBeyond = doubt?.partsAtEdge === true && doubt.lean?.others === "any share";
  const mayPassBy = passedBy(mask, predicate);
  const edgeMask: Mask =
    doubt?.isUniform || isWholeBeyond
      ? { ...restrict(mask, open), mayPassBy }
      : { ...edgeSide, active: open, uncertain: open, mayPassBy };
  const before = new Set(machine.slots.keys());
  if (isWholeBeyond && !doubt.isUniform) machine.assumptions = withAssumption(outer, interiorWarps);
  const { after: afterEdge, slots: beyond } = yield* visitEdge(machine, frame, edgeMask, edge);
  machine.assumptions = withAssumption(outer, interiorWarps);
  const afterInterior = yield* interior({ ...restrict(mask, lanes), mayPassBy });
  const others = restrict(mask, ~lanes);
  const afterOthers = others.active === 0 ? emptyMask : yield* edge(others);
  // What only the edge gave a value, as loads that the compiler moved in front of a loop, nobody else reads.
  for (const [slot, value] of beyond) if (!machine.slots.has(slot)) machine.slots.set(slot, value);
  if (afterInterior.active === 0 && afterOthers.active === 0) {
    machine.assumptions = outer;
    return afterEdge;
  }
  // The assumption outlives the branch only where lanes may have left in it, as in an early return, or come out of it with other values.
  const mayLeave = afterEdge.active !== edgeMask.active;
  const isWhole = open === mask.active && afterInterior.active === lanes && !mayLeave;
  const differing = [...before].flatMap((slot) => differingIn(slot, machine.slots, beyond));
  const isEither = isWhole && doubt !== null && goOnAsEither(machine, doubt, differing);
  if (isEither || (!mayLeave && differing.length === 0)) machine.assumptions = outer;
  return { ...unite(afterInterior, afterOthers), mayPassBy: mayLeave ? mayPassBy : mask.mayPassBy };
}

/** What a variable holds in warps within a size and in those beyond it. */
interface Differing {
  readonly slot: number;
  readonly within: Value;
  readonly beyond: Value;
}

/** None where the two are the same, and where data decide what a warp within holds: of that nothing is taken for granted. */
function differingIn(
  slot: number,
  slotsWithin: ReadonlyMap<number, Value>,
  slotsBeyond: ReadonlyMap<number, Value>,
): Differing[] {
  const within = slotsWithin.get(slot);
  const beyond = slotsBeyond.get(slot);
  if (!within || !beyond || within === beyond || dependsOnMemory(within)) return [];
  return sameValue(within, beyond) ? [] : [{ slot, within, beyond }];
}

/** Variables hold what warps within the size left in them, or what those beyond it did. False, and nothing is done, where the latter are too few. */
function goOnAsEither(machine: Machine, doubt: Doubt, differing: readonly Differing[]): boolean {
  const merged = doubt.lean?.others === "any share" ? withinOrBeyond(machine, doubt, differing) : null;
  merged?.forEach((value, index) => {
    const slot = differing[index]?.slot;
    if (slot !== undefined) machine.slots.set(slot, value);
  });
  return merged !== null;
}

/** Copies take time where a kernel has thousands of variables: that counts too. */
export function copyOfSlots(machine: Machine): Map<number, Value> {
  spend(machine, machine.slots.size >> 3);
  return mapCopy(machine.slots);
}

/**
 * Runs what warps at the edge do, for its accesses alone: variables and exits stay as they were. Gives the lanes that reach its end, and what
 * variables hold there.
 */
function* visitEdge(
  machine: Machine,
  frame: Frame,
  mask: Mask,
  edge: Way,
): Steps<{ readonly after: Mask; readonly slots: ReadonlyMap<number, Value> }> {
  const before = copyOfSlots(machine);
  const { returned, returnedSlots } = frame;
  frame.returnedSlots = [];
  const loops = frame.loops.map((loop) => ({ ...loop }));
  const after = yield* edge(mask);
  const { slots } = machine;
  machine.slots = before;
  frame.returned = returned;
  frame.returnedSlots = returnedSlots;
  frame.loops.splice(0, frame.loops.length, ...loops);
  return { after, slots };
}

/** After both sides ran from the same start: each lane has what its own side left, and either where both may have run. */
function mergeSlots(
  machine: Machine,
  slotsTrue: ReadonlyMap<number, Value>,
  lanesTrue: number,
  lanesFalse: number,
  choice: Choice,
): void {
  const both = lanesTrue & lanesFalse;
  const returnSlots = new Set(machine.frames.map((frame) => frame.returnSlot));
  const merged = machine.slots;
  slotsTrue.forEach((first, slot) => {
    const second = merged.get(slot);
    if (second === undefined) merged.set(slot, first);
    else if (second !== first) {
      const lanes = returnSlots.has(slot) ? allLanes : both;
      merged.set(slot, mergeValues(machine, first, second, lanesTrue, lanes, choice));
    }
  });
}

function mergeValues(
  machine: Machine,
  first: Value,
  second: Value,
  lanesTrue: number,
  both: number,
  choice: Choice,
): Value {
  if (both === 0) {
    const blended = blendValues(lanesTrue, first, second);
    if (blended) return blended;
  }
  return eitherOf(machine, first, second, null, choice);
}
