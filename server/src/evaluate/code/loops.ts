// Loops: trip by trip where the trips are few, folded where every trip is alike up to a step, and one symbolic trip where their number
// is not known.

import type { Loop } from "../../ir/statement.ts";
import type { TripRun } from "../../semantics/trips.ts";
import type { Steps } from "../../steps.ts";
import { type Frame, type Machine, newLoopFrame, relevanceIn, unknownOfType } from "../machine.ts";
import { type Progression, splitProgression } from "../regions/region.ts";
import { add, known, type Linear, scale, symbolic } from "../values/linear.ts";
import { mapCopy } from "../values/map-copy.ts";
import {
  branch,
  decisionOf,
  emptyMask,
  isSure,
  type Mask,
  passedBy,
  restrict,
  severalOf,
  unite,
} from "../values/mask.ts";
import { openLanes, undecided } from "../values/predicates.ts";
import { type Indeterminate, SplitRequest } from "../values/symbol.ts";
import type { Predicate, Value } from "../values/value.ts";
import { counterText } from "./counter.ts";
import { evaluate, evaluateCondition, interiorWarps, perform, withAssumption } from "./expressions.ts";
import { behindTrips, type Carried, carriedBetween, lostOf, withTrip } from "./inductions.ts";
import { expectedIn, slotsDeclaredIn, slotsRemadeBy, slotsWithoutValue } from "./loop-slots.ts";
import { runsOfCopies } from "./runs.ts";
import { execute, mergeExits, noteParted } from "./statements.ts";

/** Trips that are run one by one before folding is tried; most loops of kernels that are unrolled have fewer. */
const tripsBeforeFolding = 6;
/** As many where an earlier run of the loop was folded at once: the first trip may be unlike the others. */
const tripsOnceFolded = 1;
/** A loop of no more trips is soon run one by one, though it may be folded. */
const mostTripsOfShort = 16;
const leastFoldedTrips = 8;
/** How often it is tried in one run of a loop: the first trips of some are unlike the others. */
const mostAttempts = 8;
const mostTrips = 2 ** 31;
/** Trips that are run one by one where they cannot be folded; those after them are taken together, their number unknown. */
const mostSingleTrips = 2048;
/** Steps after which a loop that may have ended is taken so without more trips: loops within loops would take a power of them. */
const stepsBeforeTaking = 2000;

/** Executes a loop; the lanes that go on after it. */
export function* executeLoop(machine: Machine, frame: Frame, loop: Loop, mask: Mask): Steps<Mask> {
  const outer = machine.assumptions;
  const runs = loop.copies ? runsOfCopies(machine, frame, loop.copies, mask) : "unclear";
  if (runs !== "alike" && runs !== "unclear") {
    yield* executeRuns(machine, frame, loop, mask, runs);
    machine.assumptions = outer;
    return mask;
  }
  const loopFrame = newLoopFrame("loop");
  frame.loops.push(loopFrame);
  const returnedBefore = frame.returned;
  let live = mask;
  let left = emptyMask;
  const patience = patienceWith(machine, loop);
  let attempts = 0;
  const start = machine.steps;
  if (frame.definition.lanesWaitAt?.has(loop) && !isSingle(mask.active)) noteParted(machine, frame, loop);
  for (let trip = 0; ; trip++) {
    if (trip > 0 || loop.test === "top") {
      const predicate = conditionOf(machine, frame, loop, live);
      if (predicate && openLanes(predicate, live.active) !== 0) {
        const later = { goesOn: predicate, most: Infinity };
        left = unite(left, yield* unknownTrips(machine, frame, loop, mask, live, later));
        break;
      }
      if (predicate) {
        left = unite(left, restrict(live, predicate.no));
        live = restrict(live, predicate.yes);
      }
    }
    if (live.active === 0) break;
    if (live.active !== mask.active && runs === "unclear") noteParted(machine, frame, loop);
    if (takesLoopsAsOne(machine) && loop.condition && trip === 0) {
      const later = yield* laterTrips(machine, frame, loop, live);
      if (later !== "none") {
        left = unite(left, yield* unknownTrips(machine, frame, loop, mask, live, later));
        break;
      }
    }
    if (trip >= patience && attempts < mostAttempts) {
      const folding = yield* foldTrips(machine, frame, loop, live, mostTrips);
      if (folding.kind === "folded") {
        machine.patience.set(loop, attempts === 0 ? tripsOnceFolded : trip);
        attempts = mostAttempts;
        continue;
      }
      attempts = folding.kind === "few" ? mostAttempts : attempts + 1;
      if (attempts === mostAttempts) machine.patience.set(loop, nextPatience(trip, folding));
    }
    const exits = loopFrame.brokenSlots.length;
    const { returned } = frame;
    live = yield* runTrip(machine, frame, loop, live);
    if (live.active === 0) break;
    const mayHaveReturned = frame.returned !== returned && !isSure(live);
    const mayHaveEnded = loopFrame.brokenSlots.length > exits || mayHaveReturned;
    const steps = machine.steps - start;
    const isTooLong = trip >= mostSingleTrips || steps > machine.stepsOfLoop;
    const isTried = trip >= tripsBeforeFolding || steps > stepsBeforeTaking;
    if ((mayHaveEnded && !loop.condition && isTried) || isTooLong) {
      const later = yield* laterTrips(machine, frame, loop, live);
      if (later === "none") continue;
      left = unite(left, yield* unknownTrips(machine, frame, loop, mask, live, later));
      break;
    }
  }
  frame.loops.pop();
  mergeExits(machine, loopFrame.brokenSlots);
  // Every lane that entered comes out again unless it returned.
  return frame.returned === returnedBefore ? mask : unite(left, loopFrame.broken);
}

/** Whether every loop is one trip that stands for all: where loops within loops would take a power of them. */
function takesLoopsAsOne({ stepsOfLoop }: Machine): boolean {
  return stepsOfLoop === 0;
}

function isSingle(lanes: number): boolean {
  return (lanes & (lanes - 1)) === 0;
}

function conditionOf(machine: Machine, frame: Frame, loop: Loop, live: Mask): Predicate | null {
  return loop.condition ? evaluateCondition(machine, frame, loop.condition, live) : null;
}

/** That a loop goes on, where whether it does is decided within its body, or is not worth working out. */
function mayGoOn({ uncertain, cause }: Mask): Predicate {
  return undecided({
    split: null,
    lean: null,
    comparisons: null,
    partsAtEdge: false,
    isUniform: uncertain === 0,
    order: null,
    reason: cause?.reason ?? "the number of trips",
    dependsOnData: cause?.dependsOnData ?? true,
    sizes: [],
  });
}

/** Of the trips that all lanes make: as many more that some of them make alone are too few to change a figure. */
const shareOfPartialTrips = 0.02;

/** Trips that are not made one by one. */
interface LaterTrips {
  /** Which lanes make them. */
  readonly goesOn: Predicate;
  /** The number of the last that is made, counted from 0, as far as it is known. */
  readonly most: number;
}

/** All lanes make the later trips together, unless some make noticeably more of them than others; none where the last has been made. */
function* laterTrips(machine: Machine, frame: Frame, loop: Loop, live: Mask): Steps<LaterTrips | "none"> {
  const together = { goesOn: mayGoOn(live), most: Infinity };
  const carried = loop.condition ? yield* carriedBy(machine, frame, loop, live) : null;
  if (!carried) return together;
  const start = machine.slots;
  const goesOnAt = (trip: Linear) =>
    conditionWith(machine, frame, loop, live, withTrip(start, carried, trip));
  const hasEndedAt = (trip: number) => {
    const predicate = goesOnAt(known(trip));
    return predicate !== null && (live.active & ~predicate.no) === 0;
  };
  if (hasEndedAt(0)) return "none";
  const alike = tripsThatHold(machine, frame, loop, live, carried, start);
  const ends = alike === 0 ? [] : [alike, Math.ceil(alike * (1 + shareOfPartialTrips))];
  const end = ends.find(hasEndedAt);
  if (end !== undefined) return { ...together, most: end - 1 };
  const goesOn = goesOnAt(symbolic(newTrip(machine, frame, loop, Infinity)));
  const isTogether = goesOn === null || goesOn.doubt === null || goesOn.doubt.isUniform;
  return isTogether ? together : { goesOn, most: Infinity };
}

/** Whether the loop goes on with these variables, which stay as they are; null where that hangs on what is to be split first. */
function conditionWith(
  machine: Machine,
  frame: Frame,
  loop: Loop,
  live: Mask,
  slots: Map<number, Value>,
): Predicate | null {
  const before = machine.slots;
  machine.slots = slots;
  machine.rehearsals++;
  try {
    return conditionOf(machine, frame, loop, live);
  } catch (error) {
    if (!(error instanceof SplitRequest)) throw error;
    return null;
  } finally {
    machine.rehearsals--;
    machine.slots = before;
  }
}

/** Body and step, once; the lanes that reach the next test. */
function* runTrip(machine: Machine, frame: Frame, loop: Loop, live: Mask): Steps<Mask> {
  const loopFrame = frame.loops[frame.loops.length - 1];
  if (!loopFrame) return emptyMask;
  loopFrame.continued = emptyMask;
  loopFrame.continuedSlots.length = 0;
  const { returned } = frame;
  const { broken } = loopFrame;
  const after = yield* execute(machine, frame, loop.body, live);
  mergeExits(machine, loopFrame.continuedSlots);
  // Every lane that begins a trip comes to its end, by `continue` or without, unless it left the loop.
  const hasLeft = frame.returned !== returned || loopFrame.broken !== broken;
  const next = hasLeft ? unite(after, loopFrame.continued) : live;
  loopFrame.continued = emptyMask;
  if (next.active !== 0) for (const step of loop.step) perform(machine, frame, step, next);
  return next;
}

/** One trip for its effect on variables alone. */
function* rehearse(machine: Machine, frame: Frame, loop: Loop, live: Mask): Steps<void> {
  const { returned, returnedSlots } = frame;
  frame.returnedSlots = [];
  const loops = frame.loops.map((each) => ({ ...each, brokenSlots: [], continuedSlots: [] }));
  const saved = frame.loops.splice(0, frame.loops.length, ...loops);
  const { assumptions } = machine;
  machine.rehearsals++;
  if (loop.condition) evaluate(machine, frame, loop.condition, live);
  yield* runTrip(machine, frame, loop, live);
  machine.rehearsals--;
  machine.assumptions = assumptions;
  frame.returned = returned;
  frame.returnedSlots = returnedSlots;
  frame.loops.splice(0, frame.loops.length, ...saved);
}

/** What trips change, found by rehearsing until nothing new shows; null where it does not settle. */
function* carriedBy(machine: Machine, frame: Frame, loop: Loop, live: Mask): Steps<Carried | null> {
  const start = mapCopy(machine.slots);
  const born = {
    inner: slotsDeclaredIn(frame, loop.body),
    ...slotsRemadeBy(machine, frame, loop),
    unwritten: slotsWithoutValue(machine),
  };
  const rehearsal = function* (from: Map<number, Value>): Steps<Map<number, Value>> {
    machine.slots = from;
    yield* rehearse(machine, frame, loop, live);
    return machine.slots;
  };
  const last = frame.changedBy.get(loop);
  if (takesLoopsAsOne(machine) && machine.rehearsals > 0 && last) return lostOf(machine, start, last);
  const expected = expectedIn(machine, frame, loop);
  const carried = yield* carriedBetween(machine, start, born, rehearsal, expected);
  if (carried) frame.changedBy.set(loop, carried);
  machine.slots = start;
  return carried;
}

/** A loop that the compiler unrolled: its lanes make the trips of each run together. */
function* executeRuns(
  machine: Machine,
  frame: Frame,
  loop: Loop,
  mask: Mask,
  runs: readonly TripRun[],
): Steps<void> {
  frame.loops.push(newLoopFrame("loop"));
  for (const run of runs) {
    const live = restrict(mask, run.mask);
    let hasTried = false;
    for (let trip = 0; trip < run.count; trip++) {
      if (trip >= tripsBeforeFolding && !hasTried) {
        hasTried = true;
        const folding = yield* foldTrips(machine, frame, loop, live, run.count - trip);
        if (folding.kind === "folded") trip += folding.count;
      }
      if (trip < run.count) yield* runTrip(machine, frame, loop, live);
    }
  }
  frame.loops.pop();
}

/** `few`: the trips that are left are alike, and soon done one by one. */
type Folding = { readonly kind: "folded" | "few"; readonly count: number } | { readonly kind: "unlike" };

const unlike: Folding = { kind: "unlike" };

/** Trips of a loop that are run one by one before folding is tried. A rehearsed trip is cheap, and trying takes as long as some of them. */
function patienceWith({ patience, rehearsals }: Machine, loop: Loop): number {
  const learnt = patience.get(loop) ?? tripsBeforeFolding;
  return rehearsals === 0 ? learnt : Math.max(learnt, mostTripsOfShort);
}

/** What the next run of a loop has for patience once folding was in vain. Where all it lacked was trips, the next run may have more. */
function nextPatience(trip: number, folding: Folding): number {
  return folding.kind === "few" ? Math.min(2 * (trip + folding.count), mostTripsOfShort) : 2 * trip;
}

/**
 * Runs the trips that are alike as one, their number being a dimension, as far as the condition surely holds.
 */
function* foldTrips(machine: Machine, frame: Frame, loop: Loop, live: Mask, most: number): Steps<Folding> {
  if (!loop.condition) return unlike;
  const carried = yield* carriedBy(machine, frame, loop, live);
  if (!carried?.isFoldable) return unlike;
  const start = machine.slots;
  const alike = Math.min(most, tripsThatHold(machine, frame, loop, live, carried, start));
  // What the last trip makes is there after the loop: it is run by itself.
  const count = carried.isRemade ? alike - 1 : alike;
  if (count < leastFoldedTrips) return count > 0 ? { kind: "few", count } : unlike;
  const logLength = machine.log.length;
  const isAlike = yield* runProgression(machine, frame, loop, live, carried, start, {
    start: 0,
    step: 1,
    count,
  });
  if (!isAlike) {
    machine.log.length = logLength;
    machine.slots = start;
    return unlike;
  }
  machine.slots = withTrip(start, carried, known(count));
  return { kind: "folded", count };
}

/** How many trips from here on surely pass the test in all live lanes. */
function tripsThatHold(
  machine: Machine,
  frame: Frame,
  loop: Loop,
  live: Mask,
  carried: Carried,
  start: Map<number, Value>,
): number {
  if (!loop.condition) return 0;
  let count = mostTrips;
  machine.rehearsals++;
  for (let attempt = 0; attempt < 4; attempt++) {
    const trip = machine.symbols.create({
      name: "trip",
      role: "dimension",
      varies: false,
      least: 0,
      most: count - 1,
    });
    machine.slots = withTrip(start, carried, symbolic(trip));
    try {
      const predicate = evaluateCondition(machine, frame, loop.condition, live);
      if ((predicate.yes & live.active) !== live.active) count = 0;
      break;
    } catch (error) {
      if (!(error instanceof SplitRequest)) throw error;
      const { dimension, at } = error.split;
      if (dimension !== trip || at.kind !== "threshold") {
        count = 0;
        break;
      }
      count = at.count;
    }
  }
  machine.rehearsals--;
  machine.slots = start;
  return count === mostTrips ? 0 : count;
}

/** Runs the trips of a progression as one, split where they differ. False where control leaves the loop within them. */
function* runProgression(
  machine: Machine,
  frame: Frame,
  loop: Loop,
  live: Mask,
  carried: Carried,
  start: Map<number, Value>,
  progression: Progression,
): Steps<boolean> {
  const isSingle = progression.count === 1;
  const trip = isSingle
    ? null
    : machine.symbols.create({
        name: "trip",
        role: "dimension",
        varies: false,
        least: 0,
        most: progression.count - 1,
      });
  const index = trip
    ? add(known(progression.start), scale(symbolic(trip), progression.step))
    : known(progression.start);
  const logLength = machine.log.length;
  const { multiplicity, assumptions, rehearsals } = machine;
  const frames = machine.frames.length;
  const loops = [...frame.loops];
  machine.slots = withTrip(start, carried, index);
  machine.multiplicity *= progression.count;
  try {
    if (loop.condition) evaluate(machine, frame, loop.condition, live);
    const after = yield* runTrip(machine, frame, loop, live);
    machine.multiplicity = multiplicity;
    return after.active === live.active && after.uncertain === live.uncertain;
  } catch (error) {
    if (!(error instanceof SplitRequest) || error.split.dimension !== trip || !trip) throw error;
    machine.log.length = logLength;
    machine.multiplicity = multiplicity;
    machine.assumptions = assumptions;
    // It may be asked for in the midst of a rehearsal.
    machine.rehearsals = rehearsals;
    machine.frames.length = frames;
    frame.loops.splice(0, frame.loops.length, ...loops);
    for (const part of splitProgression(progression, error.split.at))
      if (!(yield* runProgression(machine, frame, loop, live, carried, start, part))) return false;
    return true;
  }
}

/** The number of a trip of which only that is known that it is one, and no later one than `most`. */
function newTrip(machine: Machine, frame: Frame, loop: Loop, most: number): Indeterminate {
  const reason = counterText(loop, relevanceIn(machine, frame).writtenBy(loop));
  return machine.symbols.create({ name: "trip", role: "trip", varies: false, least: 0, most, reason });
}

/** A loop whose condition is not known: one trip stands for all, its number being a symbol. The lanes that leave by the condition. */
function* unknownTrips(
  machine: Machine,
  frame: Frame,
  loop: Loop,
  entered: Mask,
  live: Mask,
  { goesOn: predicate, most }: LaterTrips,
): Steps<Mask> {
  const open = openLanes(predicate, live.active);
  const isTogether = open === live.active && (predicate.doubt?.isUniform ?? false);
  const lanes = live.active & ~predicate.no;
  const outer = machine.assumptions;
  const isInterior = !isTogether && predicate.doubt?.lean?.holds === true;
  if (isInterior) machine.assumptions = withAssumption(outer, interiorWarps);
  const cause = isTogether || isInterior ? live.cause : branch(live, predicate).whenTrue.cause;
  const inside: Mask = {
    active: lanes,
    uncertain: isTogether || isInterior ? live.uncertain & lanes : (live.uncertain | open) & lanes,
    mayPassBy: passedBy(live, predicate),
    decision: decisionOf(live, predicate),
    // Where each trip loses a lane, it is not one that all of them lose.
    cause: cause === entered.cause ? cause : severalOf(cause),
  };
  const carried = yield* carriedBy(machine, frame, loop, inside);
  const start = machine.slots;
  if (carried) machine.slots = withTrip(start, carried, symbolic(newTrip(machine, frame, loop, most)));
  if (machine.rehearsals === 0) {
    const test = (lanes: Mask) => loop.condition && evaluate(machine, frame, loop.condition, lanes);
    test(inside);
    const next = yield* runTrip(machine, frame, loop, inside);
    // Of the trips behind the first nobody knows which lanes are left, where some may have gone by themselves.
    const mayPart =
      next.active !== 0 && (next.active !== inside.active || next.uncertain !== inside.uncertain);
    if (mayPart) {
      const later = { ...next, mayPassBy: inside.mayPassBy, cause: severalOf(next.cause) };
      test(later);
      yield* runTrip(machine, frame, loop, later);
    }
  }
  const total = symbolic(
    machine.symbols.create({
      name: predicate.doubt?.reason ?? "the number of trips",
      role: predicate.doubt?.dependsOnData ? "data" : "derived",
      varies: !isTogether,
      least: 0,
      most: Infinity,
    }),
  );
  machine.slots = carried ? behindTrips(start, carried, total) : forgotten(machine, frame, start);
  machine.assumptions = outer;
  return live;
}

/** Where it did not settle what trips change, nothing is known of any variable. */
function forgotten(machine: Machine, frame: Frame, start: Map<number, Value>): Map<number, Value> {
  machine.gaps.add(`a loop of ${frame.definition.name} changes more than can be followed`);
  const slots = new Map<number, Value>();
  for (const [slot, value] of start)
    slots.set(
      slot,
      value.kind === "linear"
        ? unknownOfType(machine, { kind: "integer", bits: 32, signed: true }, "a loop", {
            varies: true,
            dependsOnData: false,
          })
        : value,
    );
  return slots;
}
