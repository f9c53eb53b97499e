// Runs the loops of host code: as often as they say; where nobody knows how often, as many trips as stand for all that may be made.

import type { Assumption } from "../../ir/assumption.ts";
import type { FunctionDefinition, FunctionId } from "../../ir/function.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { undeclaredAmong } from "../../ir/undeclared.ts";
import { assignedIn } from "./assigned.ts";
import { type ConditionTexts, laterTripsAssumption, nextTripAssumption } from "./condition-text.ts";
import { evaluate, type HostContext } from "./evaluate.ts";
import type { Completion, Head, Target } from "./frame.ts";
import type { HostGaps } from "./gaps.ts";
import type { HostObject, Written } from "./object.ts";
import type { Recorder } from "./recorder.ts";
import {
  type CountingLoop,
  changeSince,
  countingLoop,
  openHead,
  remainingTrips,
  stopObserving,
} from "./repeat.ts";
import { isStopped, maxSteps, type RunState, stepsLeft } from "./run-state.ts";
import { isScalarValue, truthOf } from "./value.ts";
import { arrive, takeEachWay } from "./ways.ts";

/** Steps of one loop that launches nothing, as a share of those that are left: lists are filled in such, and others shall come after it. */
const idleLoopShare = 1 / 4;
/** Steps of one loop that launches kernels. */
const maxLaunchingLoopSteps = 200_000;
/** Steps of all iterations that stand for later ones, as a share of all: what comes behind the loops has launches of its own. */
const laterShare = 1 / 4;
/** Iterations from the second on after which a loop may have come back to where it was: a swap of two buffers takes two. */
const maxObservedIterations = 3;

/** What loops ask of the interpreter that runs the statements around and in them. */
export interface LoopContext extends HostContext {
  readonly state: RunState;
  readonly recorder: Recorder;
  readonly texts: ConditionTexts;
  readonly gaps: HostGaps;
  body(statements: readonly Statement[]): Completion;
  functionOf(id: FunctionId): FunctionDefinition | null;
  /** Runs a loop as compiled code: one that only fills data, where those are followed, or in which nothing is in doubt; null where it is to be run statement by statement. */
  runCompiled(loop: Loop): Completion | null;
  /** Launches that `run` meets hold under `assumption`. */
  assuming<T>(assumption: Assumption, run: () => T): T;
}

/** A loop that is being run. */
interface Run {
  readonly statement: Loop;
  readonly target: Target;
  readonly counting: CountingLoop | null;
  /** What its iterations have written so far. */
  readonly written: Written;
  readonly launchesBefore: number;
  /** What an iteration takes. */
  tripSteps: number;
}

interface Outcome {
  readonly completion: Completion;
  /** Whether it is known how often the loop ran. */
  readonly isCertain: boolean;
}

const reason = "a loop that may end early or late";

export function runLoop(context: LoopContext, statement: Loop): Completion {
  const compiled = context.runCompiled(statement);
  if (compiled !== null) return compiled;
  const { memory, state, recorder } = context;
  const target: Target = { kind: "loop", ways: [], isLeft: false, leftUnder: null, observed: null };
  const run: Run = {
    statement,
    target,
    counting: countingLoop(statement),
    written: memory.watch(),
    launchesBefore: recorder.met,
    tripSteps: 0,
  };
  state.frame?.targets.push(target);
  const outcome = iterate(context, run);
  stopObserving(memory, target);
  state.frame?.targets.pop();
  memory.unwatch(run.written);
  if (target.ways.length > 0) target.isLeft = true;
  for (const way of target.ways) memory.closeJournal(way.before);
  if (outcome.isCertain && !target.isLeft) return outcome.completion;
  forget(context, run, "numbers and pointers");
  return outcome.completion;
}

function iterate(context: LoopContext, run: Run): Outcome {
  const { statement, target } = run;
  const { state, memory } = context;
  const firstStep = state.steps - state.laterSteps;
  const maxIdleLoopSteps = stepsLeft(state) * idleLoopShare;
  for (let iteration = 0; ; iteration++) {
    if (run.counting !== null && iteration > 0 && iteration <= maxObservedIterations)
      foldRepeats(context, run, run.counting, iteration);
    else stopObserving(memory, target);
    if (iteration > 0 || statement.test === "top") {
      const truth = goesOn(context, statement);
      if (isStopped(state)) return { completion: "exit", isCertain: true };
      if (truth === false) return { completion: "next", isCertain: true };
      if (truth === null) return { completion: unknownTrips(context, run, iteration), isCertain: false };
    }
    const { leftUnder } = target;
    const completion =
      leftUnder === null
        ? onceThrough(context, run)
        : context.assuming(leftUnder, () => onceThrough(context, run));
    if (completion === "break") return { completion: "next", isCertain: true };
    if (completion !== "next") return { completion, isCertain: true };
    const isEndless = target.isLeft && statement.condition === null;
    if (isEndless) return { completion: unknownTrips(context, run, iteration + 1), isCertain: false };
    const steps = isIdle(context, run) ? maxIdleLoopSteps : maxLaunchingLoopSteps;
    if (state.steps - state.laterSteps - firstStep <= steps) continue;
    const isOpen = !isIdle(context, run) && goesOn(context, statement) === null;
    if (isOpen) return { completion: unknownTrips(context, run, iteration + 1), isCertain: false };
    if (!isIdle(context, run))
      context.gaps.add(
        `a loop that launches kernels was followed for ${iteration + 1} iterations only`,
        statement.range,
      );
    return { completion: "next", isCertain: false };
  }
}

function goesOn(context: LoopContext, { condition }: Loop): boolean | null {
  return condition === null ? true : truthOf(evaluate(context, condition));
}

/** Whether the loop has launched nothing so far. */
function isIdle({ recorder }: LoopContext, { launchesBefore }: Run): boolean {
  return recorder.met === launchesBefore;
}

/** One iteration, with what ways that `continue` it have done. */
function onceThrough(context: LoopContext, { statement, target }: Run): Completion {
  const { state } = context;
  const end = context.body(statement.body);
  const isEnd = end !== "next" && end !== "continue";
  const completion = isEnd && target.ways.length > 0 ? continuedOr(context, target, end) : end;
  if (completion !== "next" && completion !== "continue") return completion;
  for (const way of target.ways.reverse()) arrive(state, way, "an iteration that may end early");
  target.ways = [];
  for (const step of statement.step) if (state.slice.needsStep(step)) evaluate(context, step);
  return isStopped(state) ? "exit" : "next";
}

/** Where an iteration ends the loop on one way, and goes on to the next on others, as `goto` makes them that tries again. */
function continuedOr({ state, memory }: LoopContext, target: Target, end: Completion): Completion {
  const [first, ...others] = target.ways;
  target.ways = others;
  target.isLeft = true;
  return takeEachWay(state, [
    () => {
      if (first === undefined) return end;
      memory.restore(first.before);
      memory.restore(first.after);
      memory.closeJournal(first.before);
      return "next";
    },
    () => end,
  ]);
}

/**
 * The trips of a loop that may end before each of them, from `iteration` on: the next from what is known by then, and behind it trips
 * of which no number is known but what no trip changes, until they leave everything as one before them did. They stand for all others.
 */
function unknownTrips(context: LoopContext, run: Run, iteration: number): Completion {
  const { state, recorder, texts } = context;
  const { statement, target } = run;
  if (iteration > 0 && isIdle(context, run)) return "next";
  const counts = recorder.isCounting;
  recorder.isCounting &&= iteration === 0;
  state.unknownLoops++;
  const undeclared = statement.condition === null ? null : undeclaredAmong(statement.condition);
  const eachWay = () =>
    takeEachWay(state, [
      () => {
        const next = context.assuming(nextTripAssumption(texts, statement, iteration, target.leftUnder), () =>
          knownTrips(context, run),
        );
        if (next === "next" && !isIdle(context, run))
          context.assuming(laterTripsAssumption(texts, statement, target.leftUnder), () =>
            laterTrips(context, run),
          );
        return next === "break" ? "next" : next;
      },
      () => "next",
    ]);
  const completion =
    undeclared === null ? eachWay() : context.assuming({ kind: "undeclared", name: undeclared }, eachWay);
  recorder.isCounting = counts;
  state.unknownLoops--;
  return completion;
}

/**
 * The next trip from what is known, and where it did no more than write what later ones write too, one behind it. Gives "break" where no
 * later one does anything else.
 */
function knownTrips(context: LoopContext, run: Run): Completion {
  const { state, memory, recorder } = context;
  const first = openHead(memory);
  const heads = [first];
  const firstStep = state.steps;
  let completion = trip(context, run);
  run.tripSteps = state.steps - firstStep;
  recorder.isCounting = false;
  const isFirstWrite = () => changeSince(first, counterOf(context, run)) === "first writes";
  if (completion === "next" && !isIdle(context, run) && isFirstWrite()) {
    heads.push(openHead(memory));
    completion = laterTrip(context, run);
  }
  if (completion === "next" && cameBack(context, run, heads)) completion = "break";
  closeHeads(context, heads);
  return completion;
}

/**
 * Pointers that trips exchange are kept as long as two trips bring them back: buffers that change places are still themselves. Not so in
 * loops within such loops, whose trips would be run over and over.
 */
function laterTrips(context: LoopContext, run: Run): void {
  if (context.state.unknownLoops === 1 && exchangingTrips(context, run)) return;
  forget(context, run, "numbers and pointers");
  laterTrip(context, run);
}

/** Whether two trips of which no number is known stand for all later ones, with the pointers that there are. */
function exchangingTrips(context: LoopContext, run: Run): boolean {
  forget(context, run, "numbers");
  const heads: Head[] = [];
  let isDone = false;
  while (!isDone && heads.length < 2) {
    heads.push(openHead(context.memory));
    isDone = laterTrip(context, run) !== "next" || cameBack(context, run, heads);
  }
  closeHeads(context, heads);
  return isDone;
}

/** One that stands for later ones, unless that would take too long. */
function laterTrip(context: LoopContext, run: Run): Completion {
  const { state, gaps } = context;
  const { steps, laterSteps } = state;
  if (laterSteps + run.tripSteps > maxSteps * laterShare) {
    const reason = "of a loop that launches kernels the first iterations were followed, the later ones not";
    gaps.add(reason, run.statement.range);
    return "break";
  }
  const completion = trip(context, run);
  // With those of loops within.
  state.laterSteps = laterSteps + state.steps - steps;
  return completion;
}

/** One iteration, and the question whether there is another. */
function trip(context: LoopContext, run: Run): Completion {
  const completion = onceThrough(context, run);
  if (completion !== "next") return completion;
  const truth = goesOn(context, run.statement);
  if (isStopped(context.state)) return "exit";
  return truth === false ? "break" : "next";
}

/** Whether all is as it was at one of `heads`. */
function cameBack(context: LoopContext, run: Run, heads: readonly Head[]): boolean {
  return heads.some((head) => changeSince(head, counterOf(context, run)) === "none");
}

/** The counter of a loop that only counts, which changes and means nothing to the body. */
function counterOf(context: LoopContext, { counting }: Run): HostObject | null {
  return counting === null ? null : context.objectOf(counting.variable);
}

function closeHeads({ memory }: LoopContext, heads: readonly Head[]): void {
  for (const { journal } of heads) memory.closeJournal(journal);
}

/** Forgets what trips have written, or may write where a condition keeps this one from it. */
function forget(
  context: LoopContext,
  { statement, written }: Run,
  what: "numbers" | "numbers and pointers",
): void {
  const { memory } = context;
  const assigned = assignedIn(statement, (id) => context.functionOf(id));
  const objects = new Set(written.keys());
  for (const { variable } of assigned) objects.add(context.objectOf(variable));
  const pointers = what === "numbers" ? [...objects].map((object) => pointersIn(object)) : [];
  memory.forgetWritten(written, reason);
  for (const { variable, offsetBytes, type } of assigned)
    memory.forgetPlace(context.objectOf(variable), offsetBytes, type, reason);
  for (const { object, cells } of pointers)
    for (const [at, { type, value }] of cells) memory.write(object, at, type, value);
}

function pointersIn(object: HostObject) {
  const cells = [...object.cells].filter(
    ([, { value }]) => !isScalarValue(value) && value.kind === "pointer",
  );
  return { object, cells };
}

/**
 * Looks at a loop that only counts, between two iterations: where one or two of them left everything as it was, all others do the same,
 * and what they launch is counted at once.
 */
function foldRepeats(context: LoopContext, { target }: Run, loop: CountingLoop, iteration: number): void {
  const { memory, recorder } = context;
  const { observed } = target;
  if (observed === null) {
    target.observed = { iteration, ...openHead(memory), mark: recorder.mark() };
    return;
  }
  const counter = context.objectOf(loop.variable);
  const period = iteration - observed.iteration;
  const isQuiet = !target.isLeft && target.ways.length === 0;
  if (!isQuiet || observed.mark === null || changeSince(observed, counter) !== "none") return;
  const value = memory.read(counter, 0, loop.type);
  const trips = remainingTrips(loop, value, evaluate(context, loop.bound));
  const times = trips === null ? 0 : Math.floor(trips / period);
  if (times === 0 || !isScalarValue(value)) return;
  recorder.repeat(observed.mark, times);
  memory.write(counter, 0, loop.type, Number(value) + times * period * loop.stride);
}
