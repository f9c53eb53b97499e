// Executes IR statements over the lanes of a warp.

import type { AccessSite } from "../../ir/expression.ts";
import type { Declare, If, Loop, Return, Statement, Switch } from "../../ir/statement.ts";
import type { Steps } from "../../steps.ts";
import {
  blendValues,
  type Choice,
  type Exit,
  eitherOf,
  type Frame,
  isPauseDue,
  type Machine,
  newLoopFrame,
  relevanceIn,
  slotOf,
  spend,
} from "../machine.ts";
import { toLinear } from "../values/conversions.ts";
import { allLanes } from "../values/lanes.ts";
import { known, type Linear } from "../values/linear.ts";
import { branch, emptyMask, isSure, type Mask, restrict, unite } from "../values/mask.ts";
import { and, compareLinear, not, openLanes, or } from "../values/predicates.ts";
import { SplitRequest } from "../values/symbol.ts";
import { decided, type Predicate } from "../values/value.ts";
import { choose, copyOfSlots } from "./branches.ts";
import { evaluate, evaluateCondition, perform } from "./expressions.ts";
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
  return choose(machine, frame, {
    predicate,
    mask,
    whenTrue: (side) => execute(machine, frame, statement.whenTrue, side),
    whenFalse: (side) => execute(machine, frame, statement.whenFalse, side),
  });
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
    const isTaken = side.active !== 0 && (side.mayPassBy === null || mask.mayPassBy !== null);
    if (!isTaken) for (const site of sites) machine.doubted.set(site, "skipping-warps-count");
  });
}

/** What decides between values of lanes that may or may not have come by. */
function choiceOfMask({ uncertain, cause }: Mask, reason: string): Choice {
  return { reason, varies: uncertain !== 0, dependsOnData: cause?.dependsOnData ?? true, split: null };
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
  return yield* choose(machine, frame, {
    predicate,
    mask,
    whenTrue: fallThrough,
    whenFalse: (side) => dispatch(machine, frame, statement, predicates, index + 1, side),
  });
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
        choice: choiceOfMask(
          mask,
          loop.kind === "switch"
            ? "a value that depends on the case taken"
            : "a value that depends on when the loop ended",
        ),
      });
    return emptyMask;
  }
  return emptyMask;
}

/** Variables after lanes left early, which of them not being known: as they were then, or as they are now. */
export function mergeExits(machine: Machine, exits: readonly Exit[]): void {
  // Not `for … of`, which makes a pair of each: there are many exits with many variables.
  for (const { slots, choice } of exits)
    slots.forEach((then, slot) => {
      const now = machine.slots.get(slot);
      if (now !== undefined && now !== then)
        machine.slots.set(slot, eitherOf(machine, then, now, null, choice));
    });
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
