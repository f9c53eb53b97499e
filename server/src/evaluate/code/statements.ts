// Executes IR statements over the lanes of a warp.

import type { AccessSite } from "../../ir/expression.ts";
import type { Declare, If, Loop, Return, Statement, Switch } from "../../ir/statement.ts";
import type { Steps } from "../../steps.ts";
import {
  blendValues,
  type Choice,
  dependsOnMemory,
  type Exit,
  eitherOf,
  type Frame,
  isPauseDue,
  type Machine,
  newLoopFrame,
  relevanceIn,
  sameValue,
  slotOf,
  spend,
} from "../machine.ts";
import { withinOrBeyond } from "../values/beyond.ts";
import { toLinear } from "../values/conversions.ts";
import { allLanes } from "../values/lanes.ts";
import { known, type Linear } from "../values/linear.ts";
import { branch, emptyMask, isSure, type Mask, meet, restrict, unite } from "../values/mask.ts";
import { and, choiceOf, compareLinear, not, openLanes, or } from "../values/predicates.ts";
import { SplitRequest } from "../values/symbol.ts";
import { type Doubt, decided, type Predicate, type Value } from "../values/value.ts";
import { evaluate, evaluateCondition, interiorWarps, perform, withAssumption } from "./expressions.ts";
import { executeLoop } from "./loops.ts";

/**
 * Executes statements in order; the lanes that reach their end. In steps: whoever takes them may stop for a while between two.
 */
export function* execute(
  machine: Machine,
  frame: Frame,
  statements: readonly Statement[],
  mask: Mask,
): Steps<Mask> {
  let live = mask;
  for (const statement of statements) {
    if (live.active === 0) return live;
    if (!relevanceIn(machine, frame).hasWork(statement) || isIdle(machine, frame, statement)) continue;
    spend(machine, 1);
    if (isPauseDue(machine)) yield;
    live = isControl(statement)
      ? yield* executeControl(machine, frame, statement, live)
      : executePlain(machine, frame, statement, live);
  }
  return live;
}

/** Whether only what variables hold is asked for, and the statement leaves nothing in them. */
function isIdle(machine: Machine, frame: Frame, statement: Statement): boolean {
  if (machine.rehearsals === 0) return false;
  const { escaped, leavesTraces, writesThroughPointers } = relevanceIn(machine, frame);
  if (leavesTraces(statement)) return false;
  return !writesThroughPointers(statement) || (escaped.size === 0 && !frame.reachesVariables);
}

/** Statements that hold others. */
type Control = Extract<Statement, { kind: "block" | "if" | "loop" | "switch" }>;

function isControl(statement: Statement): statement is Control {
  const { kind } = statement;
  return kind === "if" || kind === "loop" || kind === "block" || kind === "switch";
}

function executeControl(machine: Machine, frame: Frame, statement: Control, mask: Mask): Steps<Mask> {
  switch (statement.kind) {
    case "block":
      return execute(machine, frame, statement.body, mask);
    case "if":
      return executeIf(machine, frame, statement, mask);
    case "loop":
      return executeLoop(machine, frame, statement, mask);
    case "switch":
      return executeSwitch(machine, frame, statement, mask);
  }
}

function executePlain(
  machine: Machine,
  frame: Frame,
  statement: Exclude<Statement, Control>,
  mask: Mask,
): Mask {
  switch (statement.kind) {
    case "evaluate":
      perform(machine, frame, statement.expression, mask);
      return mask;
    case "declare":
      declare(machine, frame, statement, mask);
      return mask;
    case "break":
      return leave(machine, frame, mask, "broken");
    case "continue":
      return leave(machine, frame, mask, "continued");
    case "return":
      return executeReturn(machine, frame, statement, mask);
    case "barrier":
      return mask;
    case "launch":
      machine.gaps.add("a launch from device code is not followed");
      return mask;
    case "unknown":
      machine.gaps.add(statement.reason);
      return mask;
  }
}

function declare(machine: Machine, frame: Frame, { variable, initializer }: Declare, mask: Mask): void {
  if (variable.storage !== "automatic") return;
  if (!relevanceIn(machine, frame).isRelevant(variable)) {
    if (initializer) perform(machine, frame, initializer, mask);
    return;
  }
  const slot = slotOf(machine, frame, variable);
  // The variable is born here: what an earlier trip or call left in its slot is gone.
  machine.slots.delete(slot);
  if (initializer) machine.slots.set(slot, evaluate(machine, frame, initializer, mask));
}

function executeIf(machine: Machine, frame: Frame, statement: If, mask: Mask): Steps<Mask> {
  const predicate = evaluateCondition(machine, frame, statement.condition, mask);
  const copies = frame.definition.predicatedCopies?.get(statement);
  if (copies && machine.rehearsals === 0) {
    const { whenTrue, whenFalse } = branch(mask, predicate);
    noteSkipped(machine, copies, [whenTrue, whenFalse], mask);
  }
  if (mayPart(predicate, mask)) noteParted(machine, frame, statement);
  return choose(
    machine,
    frame,
    predicate,
    mask,
    (side) => execute(machine, frame, statement.whenTrue, side),
    (side) => execute(machine, frame, statement.whenFalse, side),
  );
}

/** Whether some lanes may go one way and others the other. */
function mayPart(predicate: Predicate, { active }: Mask): boolean {
  const isOpen = openLanes(predicate, active) !== 0;
  if (isOpen) return predicate.doubt !== null && predicate.doubt.split === null && !predicate.doubt.isUniform;
  return (predicate.yes & active) !== 0 && (predicate.no & active) !== 0;
}

/** Notes the accesses of a loop in which lanes part at a loop's test or at a branch. */
export function noteParted(machine: Machine, frame: Frame, at: Loop | If): void {
  const { lanesPartAt, lanesWaitAt } = frame.definition;
  for (const site of lanesPartAt?.get(at) ?? []) machine.doubted.set(site, "lanes-meet-in-other-trips");
  for (const site of lanesWaitAt?.get(at) ?? []) machine.doubted.set(site, "lanes-part-at-atomic");
}

/** Notes the copies on the sides that the warp goes past whole, or may go past; `taken` are the lanes of each. */
function noteSkipped(
  machine: Machine,
  copies: readonly (readonly AccessSite[])[],
  taken: readonly Mask[],
  mask: Mask,
): void {
  copies.forEach((sites, index) => {
    const side = taken[index] ?? emptyMask;
    const isTaken = side.active !== 0 && (side.isCertain || !mask.isCertain);
    if (!isTaken) for (const site of sites) machine.doubted.set(site, "skipping-warps-count");
  });
}

/** Runs the sides of a branch, each in its lanes, and brings lanes and variables together again. */
function* choose(
  machine: Machine,
  frame: Frame,
  predicate: Predicate,
  mask: Mask,
  whenTrue: (side: Mask) => Steps<Mask>,
  whenFalse: (side: Mask) => Steps<Mask>,
): Steps<Mask> {
  const open = openLanes(predicate, mask.active);
  const doubt = open === 0 ? null : predicate.doubt;
  const sides = branch(mask, predicate);
  if (doubt?.lean && !sides.isTogether)
    return doubt.lean.holds
      ? yield* chooseInterior(machine, frame, predicate, mask, whenTrue, whenFalse)
      : yield* chooseInterior(machine, frame, predicate, mask, whenFalse, whenTrue);
  const before = sides.open === 0 ? null : copyOfSlots(machine);
  const afterTrue = sides.whenTrue.active === 0 ? emptyMask : yield* whenTrue(sides.whenTrue);
  const slotsTrue = machine.slots;
  if (before) machine.slots = before;
  const afterFalse = sides.whenFalse.active === 0 ? emptyMask : yield* whenFalse(sides.whenFalse);
  if (before) mergeSlots(machine, slotsTrue, afterTrue.active, afterFalse.active, choiceOf(predicate));
  return meet(mask, sides, afterTrue, afterFalse);
}

/**
 * A guard against an unknown size is taken as passed by all open lanes (interior warps). The other side is still visited,
 * for warps at the edge come there, but which of their lanes is not known.
 */
function* chooseInterior(
  machine: Machine,
  frame: Frame,
  predicate: Predicate,
  mask: Mask,
  interior: (side: Mask) => Steps<Mask>,
  edge: (side: Mask) => Steps<Mask>,
): Steps<Mask> {
  const outer = machine.assumptions;
  const open = openLanes(predicate, mask.active);
  const { doubt } = predicate;
  const lanes = open | (doubt?.lean?.holds ? predicate.yes : predicate.no);
  const sides = branch(mask, predicate);
  const edgeCause = doubt?.lean?.holds ? sides.whenFalse.cause : sides.whenTrue.cause;
  const edgeMask: Mask = { active: open, uncertain: open, isCertain: false, cause: edgeCause };
  const before = new Set(machine.slots.keys());
  const { after: afterEdge, slots: beyond } = yield* visitEdge(machine, frame, edgeMask, edge);
  machine.assumptions = withAssumption(outer, interiorWarps);
  const afterInterior = yield* interior({ ...restrict(mask, lanes), isCertain: false });
  const others = restrict(mask, ~lanes);
  const afterOthers = others.active === 0 ? emptyMask : yield* edge(others);
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
  return { ...unite(afterInterior, afterOthers), isCertain: mask.isCertain && !mayLeave };
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
function copyOfSlots(machine: Machine): Map<number, Value> {
  spend(machine, machine.slots.size >> 3);
  return new Map(machine.slots);
}

/**
 * Runs what warps at the edge do, for its accesses alone: variables and exits stay as they were. Gives the lanes that reach its end, and what
 * variables hold there.
 */
function* visitEdge(
  machine: Machine,
  frame: Frame,
  mask: Mask,
  edge: (side: Mask) => Steps<Mask>,
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
  for (const [slot, first] of slotsTrue) {
    const second = merged.get(slot);
    if (second === undefined) merged.set(slot, first);
    else if (second !== first) {
      const lanes = returnSlots.has(slot) ? allLanes : both;
      merged.set(slot, mergeValues(machine, first, second, lanesTrue, lanes, choice));
    }
  }
}

/** What decides between values of lanes that may or may not have come by. */
function choiceOfMask({ uncertain, cause }: Mask, reason: string): Choice {
  return { reason, varies: uncertain !== 0, dependsOnData: cause?.dependsOnData ?? true, split: null };
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

/** Dispatches to the case that matches; control falls through until a break. */
function* executeSwitch(machine: Machine, frame: Frame, statement: Switch, mask: Mask): Steps<Mask> {
  const selector = toLinear(machine, evaluate(machine, frame, statement.selector, mask), mask);
  const predicates = casePredicates(statement, selector, mask);
  const copies = frame.definition.predicatedCopies?.get(statement);
  if (copies && machine.rehearsals === 0) {
    const entering = predicates.map((predicate) => branch(mask, predicate).whenTrue);
    noteSkipped(machine, copies, entering, mask);
  }
  const switchFrame = newLoopFrame("switch");
  frame.loops.push(switchFrame);
  const returned = frame.returned;
  const isSettled = predicates.every((predicate) => openLanes(predicate, mask.active) === 0);
  const after = isSettled
    ? yield* executeCases(machine, frame, statement, predicates, mask)
    : yield* dispatch(machine, frame, statement, predicates, 0, mask);
  frame.loops.pop();
  mergeExits(machine, switchFrame.brokenSlots);
  return frame.returned === returned && !hasContinued(frame) ? mask : unite(after, switchFrame.broken);
}

/** For each case, in order, the lanes that enter there: those of `default` are the ones that no other case takes. */
function casePredicates(statement: Switch, selector: Linear, mask: Mask): Predicate[] {
  let others: Predicate = decided(allLanes);
  const own = statement.cases.map((each) => {
    let matches: Predicate = decided(0);
    for (const value of each.values)
      if (value !== null) matches = or(matches, compareLinear("==", selector, known(value), mask.active));
    settle(matches, mask);
    others = and(others, not(matches));
    return matches;
  });
  return statement.cases.map((each, index) => {
    const matches = own[index] ?? decided(0);
    return each.values.includes(null) ? or(matches, others) : matches;
  });
}

/** Every lane's case is known: those that fall through go on together with those that enter at the next case. */
function* executeCases(
  machine: Machine,
  frame: Frame,
  statement: Switch,
  predicates: readonly Predicate[],
  mask: Mask,
): Steps<Mask> {
  let live = emptyMask;
  let passing = mask;
  for (const [index, each] of statement.cases.entries()) {
    const entering = predicates[index]?.yes ?? 0;
    live = unite(live, restrict(passing, entering));
    passing = restrict(passing, ~entering);
    if (live.active !== 0) live = yield* execute(machine, frame, each.body, live);
  }
  return unite(live, passing);
}

/** Some lane's case is not known: each case in turn as a branch, with what it falls into. */
function* dispatch(
  machine: Machine,
  frame: Frame,
  statement: Switch,
  predicates: readonly Predicate[],
  index: number,
  mask: Mask,
): Steps<Mask> {
  const predicate = predicates[index];
  if (!predicate) return mask;
  const fallThrough = function* (side: Mask): Steps<Mask> {
    let live = side;
    for (let at = index; at < statement.cases.length && live.active !== 0; at++)
      live = yield* execute(machine, frame, statement.cases[at]?.body ?? [], live);
    return live;
  };
  return yield* choose(machine, frame, predicate, mask, fallThrough, (side) =>
    dispatch(machine, frame, statement, predicates, index + 1, side),
  );
}

function hasContinued(frame: Frame): boolean {
  return frame.loops.some((loop) => loop.continued.active !== 0);
}

function settle(predicate: Predicate, mask: Mask): void {
  const split = predicate.doubt?.split;
  if (split && openLanes(predicate, mask.active) !== 0) throw new SplitRequest(split);
}

/** break and continue. */
function leave(machine: Machine, frame: Frame, mask: Mask, how: "broken" | "continued"): Mask {
  for (let index = frame.loops.length - 1; index >= 0; index--) {
    const loop = frame.loops[index];
    if (!loop || (how === "continued" && loop.kind === "switch")) continue;
    loop[how] = unite(loop[how], mask);
    if (!isSure(mask))
      loop[how === "broken" ? "brokenSlots" : "continuedSlots"].push({
        slots: copyOfSlots(machine),
        choice: choiceOfMask(mask, "a value that depends on when the loop ended"),
      });
    return emptyMask;
  }
  return emptyMask;
}

/** Variables after lanes left early, which of them not being known: as they were then, or as they are now. */
export function mergeExits(machine: Machine, exits: readonly Exit[]): void {
  for (const { slots, choice } of exits)
    for (const [slot, then] of slots) {
      const now = machine.slots.get(slot);
      if (now !== undefined && now !== then)
        machine.slots.set(slot, eitherOf(machine, then, now, null, choice));
    }
}

function executeReturn(machine: Machine, frame: Frame, statement: Return, mask: Mask): Mask {
  if (statement.value) {
    const value = evaluate(machine, frame, statement.value, mask);
    const old = machine.slots.get(frame.returnSlot);
    const isContested = (frame.returned.active & mask.active) !== 0;
    const blended = old === undefined ? value : isContested ? null : blendValues(mask.active, value, old);
    machine.slots.set(
      frame.returnSlot,
      blended ??
        eitherOf(
          machine,
          value,
          old ?? value,
          null,
          choiceOfMask(frame.returned, `which return of ${frame.definition.name} is taken`),
        ),
    );
  }
  frame.returned = unite(frame.returned, mask);
  if (frame.reachesVariables && !isSure(mask))
    frame.returnedSlots.push({
      slots: copyOfSlots(machine),
      choice: choiceOfMask(mask, `which return of ${frame.definition.name} is taken`),
    });
  return emptyMask;
}
