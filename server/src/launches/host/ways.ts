// Ways through host code from a condition that is not known: each is run from the same state, and what they did is merged where they meet
// again. A way that leaves early waits where it leads.
import type { Completion, Frame, Way } from "./frame.ts";
import { chosenUnder, contentsUnder } from "./limits.ts";
import type { Journal } from "./object.ts";
import { type RunState, stepsLeft } from "./run-state.ts";
import type { Value } from "./value.ts";
import { candidatesOf, mergeValues, numbersOf, unknownValue } from "./value.ts";

/** Ways out of one function that are kept apart, before all that is written from there on is forgotten. */
const maxEarlyReturns = 12;
/**
 * Conditions that are taken both ways, and what each counts as in steps: state is kept and merged. What is written while ways wait to be
 * merged is kept once for each of them, and merged again for each.
 */
const maxWays = 20_000;
const stepsPerWay = 40;
/** Cells of memory that are kept and merged in the time of a step. */
const cellsPerStep = 4;

/** Which of several ends is followed: the one that stays longest. */
const completions: readonly Completion[] = ["next", "continue", "break", "return"];

/** Takes all `sides` from the state at hand. Those that end alike are merged; others wait where they lead. */
export function takeEachWay(state: RunState, sides: readonly (() => Completion)[]): Completion {
  state.steps += stepsPerWay + state.memory.openJournals ** 2 / 10;
  if (++state.ways > maxWays) {
    state.steps += stepsLeft(state) + 1;
    return "exit";
  }
  const journal = state.memory.openJournal();
  const resultBefore = state.frame?.result ?? 0;
  const outcomes: Way[] = [];
  for (const side of sides) {
    if (state.frame !== null) state.frame.result = resultBefore;
    const bindingsBefore = state.bindings;
    const limitsBefore = state.limits;
    const completion = side();
    const { limits } = state;
    state.bindings = bindingsBefore;
    state.limits = limitsBefore;
    state.isExiting = false;
    const value = state.frame?.result ?? 0;
    const after = state.memory.contentsOf(journal);
    state.memory.restore(journal);
    state.steps += stepsToKeep(after);
    outcomes.push({ completion, value, after, before: journal, limits });
  }
  const followed = completions.find((each) => outcomes.some((way) => way.completion === each)) ?? "exit";
  const alike = outcomes.filter((way) => way.completion === followed);
  follow(state, alike, journal, resultBefore);
  const others = outcomes.filter((way) => way.completion !== followed);
  const [only] = alike;
  const isLeft = others.every(({ completion: each }) => each === "return" || each === "exit");
  if (only !== undefined && alike.length === 1 && followed === "next" && isLeft) state.limits = only.limits;
  const ended = park(state, others);
  if (!others.some((way) => way.completion !== "exit" && isParked(state, way)))
    state.memory.closeJournal(journal);
  if (followed === "exit") state.isExiting = true;
  return ended ?? followed;
}

function follow(state: RunState, alike: readonly Way[], journal: Journal, resultBefore: Value): void {
  const [first, ...rest] = alike.length > 1 ? alike.map(withChoices) : alike;
  if (first === undefined) return;
  state.memory.restore(first.after);
  let { value } = first;
  for (const way of rest) {
    state.memory.mergeWith(way.after, new Map(journal), "a condition that is not known");
    value = mergeValues(value, way.value, "a condition that is not known");
  }
  if (state.frame !== null) state.frame.result = first.completion === "return" ? value : resultBefore;
}

/** The way with what held on it noted at the functions that it leaves in memory, and at its result. */
function withChoices(way: Way): Way {
  if (way.limits.size === 0) return way;
  const after = new Map(way.after);
  for (const [object, contents] of way.before) {
    const there = way.after.get(object) ?? contents;
    const chosen = contentsUnder(there, way.limits);
    if (chosen !== there) after.set(object, chosen);
  }
  return { ...way, after, value: chosenUnder(way.value, way.limits) };
}

/** Puts ways that leave where they will be merged. Gives "return" where nothing is left to find out here. */
function park(state: RunState, ways: readonly Way[]): Completion | null {
  for (const way of ways) {
    if (way.completion === "return") {
      if (parkReturn(state, way)) return "return";
    } else if (way.completion !== "exit") {
      parkLeave(state, way);
    }
  }
  return null;
}

function parkReturn(state: RunState, way: Way): boolean {
  const { frame } = state;
  if (frame === null || frame.caller === null) return false;
  // Which function or size it gives is what launches hang on.
  const isChoice = candidatesOf(way.value).length > 0 || numbersOf(way.value).length > 0;
  if (!state.slice.hasEffects(frame.definition.id) && !isChoice) {
    frame.result = unknownValue(`the result of ${frame.definition.name}`);
    return true;
  }
  if (frame.earlyReturns.length < maxEarlyReturns) frame.earlyReturns.push(way);
  else frame.overflow ??= state.memory.watch();
  return false;
}

function parkLeave(state: RunState, way: Way): void {
  const target = state.frame?.targets.findLast((each) => each.kind === "loop" || way.completion === "break");
  if (target === undefined) return;
  if (target.kind === "loop" && way.completion === "break") target.isLeft = true;
  else target.ways.push(way);
}

function isParked(state: RunState, way: Way): boolean {
  const inReturns = state.frame?.earlyReturns.includes(way) ?? false;
  return inReturns || (state.frame?.targets.some((target) => target.ways.includes(way)) ?? false);
}

/** Merges a way that left early into the state at hand. */
export function arrive(state: RunState, way: Way, reason: string): void {
  state.memory.closeJournal(way.before);
  state.steps += stepsToKeep(way.after) + stepsToKeep(way.before);
  state.memory.mergeWith(way.after, way.before, reason);
}

/** Merges the ways that returned early from the function that `frame` ran, and their results. */
export function mergeReturns(state: RunState, frame: Frame): void {
  for (const way of frame.earlyReturns.reverse()) {
    const value = chosenUnder(way.value, way.limits);
    frame.result = mergeValues(frame.result, value, `the result of ${frame.definition.name}`);
    arrive(state, way, `what ${frame.definition.name} did`);
  }
  if (frame.overflow !== null) {
    state.memory.unwatch(frame.overflow);
    frame.result = unknownValue(`the result of ${frame.definition.name}`);
    for (const object of frame.overflow.keys())
      state.memory.forget(object, `what ${frame.definition.name} did`);
  }
}

/** What it takes to keep what the objects of a way hold, and to merge it with other ways. */
function stepsToKeep(after: Journal): number {
  let cells = 0;
  for (const contents of after.values()) cells += 1 + contents.cells.size;
  return Math.ceil(cells / cellsPerStep);
}
