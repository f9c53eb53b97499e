// Statements as closures. Each takes the lanes that enter and gives those that go on after it; lanes that break, continue or
// return are noted in the frame. Statements that can wait at a barrier are generators, all others plain functions.
import type { Expression } from "../ir/expression.ts";
import type { Barrier, Declare, If, Loop, LoopCopies, Return, Statement, Switch } from "../ir/statement.ts";
import { sizeOf } from "../ir/type.ts";
import { laneCount } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import { type TripRun, tripRuns, tripsUntil } from "../semantics/trips.ts";
import { compileCondition, compileLanes, compileValue } from "./expression.ts";
import {
  compiledFunction,
  enter,
  initialize,
  isMeeting,
  localAddress,
  type Scope,
  suspends,
} from "./function.ts";
import { reportFault, reportGap, step, type Warp } from "./machine.ts";
import { isBytes, selectBytes, selectLanes, tainted, uninitialized, type Value } from "./value.ts";

export type Plain = (warp: Warp, mask: number) => number;
export type Meeting = "block" | "grid";
export type Suspending = (warp: Warp, mask: number) => Generator<Meeting, number, void>;
export type Code =
  | { readonly kind: "plain"; readonly run: Plain }
  | { readonly kind: "suspending"; readonly run: Suspending };

/** Runs code that may wait. */
export function* runCode(code: Code, warp: Warp, mask: number): Generator<Meeting, number, void> {
  return code.kind === "plain" ? code.run(warp, mask) : yield* code.run(warp, mask);
}

export function compileList(scope: Scope, statements: readonly Statement[]): Code {
  const codes = statements.map((statement) => compileStatement(scope, statement));
  const plains = codes.flatMap((code) => (code.kind === "plain" ? [code.run] : []));
  if (plains.length === codes.length) return plain(plainList(plains));
  return suspending(function* (warp, mask) {
    let active = mask;
    for (const code of codes) {
      if (active === 0) return 0;
      active = code.kind === "plain" ? code.run(warp, active) : yield* code.run(warp, active);
    }
    return active;
  });
}

function plainList(codes: readonly Plain[]): Plain {
  const [first] = codes;
  if (first === undefined) return (_warp, mask) => mask;
  if (codes.length === 1) return first;
  return (warp, mask) => {
    let active = mask;
    for (const code of codes) {
      if (active === 0) return 0;
      active = code(warp, active);
    }
    return active;
  };
}

function plain(run: Plain): Code {
  return { kind: "plain", run };
}

function suspending(run: Suspending): Code {
  return { kind: "suspending", run };
}

function compileStatement(scope: Scope, statement: Statement): Code {
  if ("range" in statement) scope.range = statement.range;
  switch (statement.kind) {
    case "evaluate": {
      const waiting = compileWaitingCall(scope, statement.expression, null);
      if (waiting !== null) return waiting;
      const run = compileValue(scope, statement.expression);
      return plain((warp, mask) => {
        run(warp, mask);
        return mask;
      });
    }
    case "declare":
      return compileDeclare(scope, statement);
    case "block":
      return compileList(scope, statement.body);
    case "if":
      return compileIf(scope, statement);
    case "loop":
      return compileLoop(scope, statement);
    case "switch":
      return compileSwitch(scope, statement);
    case "break":
      return plain((warp, mask) => {
        warp.frame.breakMask |= mask;
        return 0;
      });
    case "continue":
      return plain((warp, mask) => {
        warp.frame.continueMask |= mask;
        return 0;
      });
    case "return":
      return plain(compileReturn(scope, statement));
    case "barrier":
      return compileBarrier(statement);
    case "launch":
      return gap(statement, "a kernel launched from device code is not run");
    case "unknown":
      return gap(statement, statement.reason);
  }
}

function gap(statement: Extract<Statement, { kind: "launch" | "unknown" }>, reason: string): Code {
  return plain((warp, mask) => {
    reportGap(warp.machine, statement.range, reason);
    return mask;
  });
}

function compileDeclare(scope: Scope, statement: Declare): Code {
  const { variable, initializer } = statement;
  if (variable.storage !== "automatic") return plain((_warp, mask) => mask);
  if (initializer !== null) {
    const store = (warp: Warp, mask: number, value: Value) => initialize(scope, warp, mask, variable, value);
    const waiting = compileWaitingCall(scope, initializer, store);
    if (waiting !== null) return waiting;
    const run = compileValue(scope, initializer);
    return plain((warp, mask) => {
      store(warp, mask, run(warp, mask));
      return mask;
    });
  }
  const register = scope.registers.get(variable.id);
  if (register !== undefined) {
    return plain((warp, mask) => {
      const slot = warp.frame.slots[register];
      if (slot !== undefined) slot.uninitialized |= mask;
      return mask;
    });
  }
  const offset = scope.locals.get(variable.id) ?? 0;
  const sizeBytes = sizeOf(variable.type) ?? 0;
  return plain((warp, mask) => {
    forgetLocal(warp, mask, offset, sizeBytes);
    return mask;
  });
}

function forgetLocal(warp: Warp, mask: number, offset: number, sizeBytes: number): void {
  const { local } = warp;
  const start = localAddress(warp, offset) - local.base;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const at = start + lane * local.laneStrideBytes;
    local.states?.fill(uninitialized, at, at + sizeBytes);
  }
}

/** A call that waits, where `expression` is one (`flatten` left it alone); null otherwise. */
function compileWaitingCall(
  scope: Scope,
  expression: Expression,
  store: ((warp: Warp, mask: number, value: Value) => void) | null,
): Code | null {
  if (expression.kind !== "call" || !suspends(scope.machine, expression.callee)) return null;
  const codes = expression.arguments.map((argument) => compileValue(scope, argument));
  return suspending(function* (warp, mask) {
    const callee = compiledFunction(scope.machine, expression.callee);
    if (callee === null) return mask;
    const values = codes.map((code) => code(warp, mask));
    const caller = warp.frame;
    const frame = enter(warp, callee, expression);
    warp.frame = frame;
    callee.bind(warp, mask, values);
    yield* runCode(callee.body, warp, mask);
    warp.frame = caller;
    if (store !== null) store(warp, mask, frame.result ?? tainted("a function that returned nothing"));
    return mask;
  });
}

function compileIf(scope: Scope, statement: If): Code {
  const condition = compileCondition(scope, statement.condition, statement.range);
  const whenTrue = compileList(scope, statement.whenTrue);
  const whenFalse = compileList(scope, statement.whenFalse);
  if (whenTrue.kind === "plain" && whenFalse.kind === "plain") {
    const [runTrue, runFalse] = [whenTrue.run, whenFalse.run];
    return plain((warp, mask) => {
      const taken = condition(warp, mask);
      const other = mask & ~taken;
      return (taken === 0 ? 0 : runTrue(warp, taken)) | (other === 0 ? 0 : runFalse(warp, other));
    });
  }
  return suspending(function* (warp, mask) {
    const taken = condition(warp, mask);
    const other = mask & ~taken;
    let after = 0;
    if (taken !== 0) after |= yield* runCode(whenTrue, warp, taken);
    if (other !== 0) after |= yield* runCode(whenFalse, warp, other);
    return after;
  });
}

/** A loop at work: the lanes inside it and those that its condition let go. */
interface Rounds {
  readonly outerBreak: number;
  readonly outerContinue: number;
  active: number;
  left: number;
  /** Of a loop that the compiler unrolled, the trips to come; null where each trip is tested. */
  turns: TripRun[] | null;
}

function compileLoop(scope: Scope, loop: Loop): Code {
  const rounds = compileRounds(scope, loop);
  const body = compileList(scope, loop.body);
  if (body.kind === "plain") {
    const run = body.run;
    return plain((warp, mask) => {
      const state = rounds.begin(warp, mask);
      while (rounds.enter(warp, state)) {
        if (!rounds.advance(warp, state, run(warp, state.active))) break;
      }
      return rounds.end(warp, state);
    });
  }
  return suspending(function* (warp, mask) {
    const state = rounds.begin(warp, mask);
    while (rounds.enter(warp, state)) {
      if (!rounds.advance(warp, state, yield* body.run(warp, state.active))) break;
    }
    return rounds.end(warp, state);
  });
}

/** What a loop does around its body; `enter` and `advance` say whether a lane is left in it. */
function compileRounds(scope: Scope, loop: Loop) {
  const condition = loop.condition === null ? null : compileCondition(scope, loop.condition, loop.range);
  const steps = loop.step.map((expression) => compileValue(scope, expression));
  const schedule = loop.copies ? compileCopies(scope, loop.copies) : null;
  const test = (warp: Warp, state: Rounds) => {
    if (condition === null || state.active === 0) return;
    const staying = condition(warp, state.active);
    state.left |= state.active & ~staying;
    state.active = staying;
  };
  return {
    begin: (warp: Warp, mask: number): Rounds => {
      const { frame } = warp;
      const { breakMask: outerBreak, continueMask: outerContinue } = frame;
      frame.breakMask = 0;
      const turns = schedule ? schedule(warp, mask) : null;
      return { outerBreak, outerContinue, active: mask, left: turns ? mask : 0, turns };
    },
    enter: (warp: Warp, state: Rounds): boolean => {
      step(warp.machine);
      if (state.turns) state.active = nextTurn(state.turns);
      else if (loop.test === "top") test(warp, state);
      warp.frame.continueMask = 0;
      return state.active !== 0;
    },
    advance: (warp: Warp, state: Rounds, fallen: number): boolean => {
      state.active = fallen | warp.frame.continueMask;
      if (state.active !== 0) for (const one of steps) one(warp, state.active);
      if (loop.test === "bottom" && state.turns === null) test(warp, state);
      return state.active !== 0 || state.turns !== null;
    },
    end: ({ frame }: Warp, state: Rounds): number => {
      const after = state.left | frame.breakMask;
      frame.breakMask = state.outerBreak;
      frame.continueMask = state.outerContinue;
      return after;
    },
  };
}

/** The lanes of the next trip; 0 where none is left. */
function nextTurn(turns: TripRun[]): number {
  const [first] = turns;
  if (!first) return 0;
  if (first.count === 1) turns.shift();
  else turns[0] = { mask: first.mask, count: first.count - 1 };
  return first.mask;
}

/** The order in which the lanes make the trips of an unrolled loop; null where the bounds are not known. */
function compileCopies(scope: Scope, copies: LoopCopies) {
  const left = compileLanes(scope, copies.left);
  const right = compileLanes(scope, copies.right);
  const stride = compileLanes(scope, copies.stride);
  const [reading] = copies.readings;
  return (warp: Warp, mask: number): TripRun[] | null => {
    const [from, to, by] = [left(warp, mask), right(warp, mask), stride(warp, mask)];
    if (!reading || (mask & (from.taint | to.taint | by.taint)) !== 0) return null;
    const trips: number[] = [];
    for (let lane = 0; lane < laneCount; lane++) {
      if (!((mask >>> lane) & 1)) {
        trips.push(0);
        continue;
      }
      const distance = Number(to.lanes[lane]) - Number(from.lanes[lane]);
      const count = tripsUntil(copies.operator, distance, Number(by.lanes[lane]), copies.leastTrips);
      if (count === null) return null;
      trips.push(count);
    }
    return [...tripRuns(trips, mask, reading)];
  };
}

function compileSwitch(scope: Scope, statement: Switch): Code {
  const selector = compileLanes(scope, statement.selector);
  const bodies = statement.cases.map((one) => compileList(scope, one.body));
  const values = statement.cases.map((one) => one.values);
  const enterCases = (warp: Warp, mask: number) => {
    const selected = selector(warp, mask);
    const lost = mask & selected.taint;
    if (lost !== 0) reportGap(warp.machine, statement.range, `a switch depends on ${selected.reason}`);
    return matchCases(values, selected.lanes, mask & ~lost);
  };
  const plains = bodies.flatMap((body) => (body.kind === "plain" ? [body.run] : []));
  if (plains.length === bodies.length) {
    return plain((warp, mask) => {
      const { frame } = warp;
      const outerBreak = frame.breakMask;
      const entering = enterCases(warp, mask);
      frame.breakMask = 0;
      let active = 0;
      plains.forEach((run, at) => {
        active |= entering[at] ?? 0;
        if (active !== 0) active = run(warp, active);
      });
      const after = active | frame.breakMask | (entering[plains.length] ?? 0);
      frame.breakMask = outerBreak;
      return after;
    });
  }
  return suspending(function* (warp, mask) {
    const { frame } = warp;
    const outerBreak = frame.breakMask;
    const entering = enterCases(warp, mask);
    frame.breakMask = 0;
    let active = 0;
    for (const [at, body] of bodies.entries()) {
      active |= entering[at] ?? 0;
      if (active !== 0) active = yield* runCode(body, warp, active);
    }
    const after = active | frame.breakMask | (entering[bodies.length] ?? 0);
    frame.breakMask = outerBreak;
    return after;
  });
}

/** The lanes that enter at each case, and last those that enter at none. */
function matchCases(
  cases: readonly (readonly (Scalar | null)[])[],
  selected: readonly Scalar[],
  mask: number,
): number[] {
  const entering = new Array<number>(cases.length + 1).fill(0);
  const byDefault = cases.findIndex((values) => values.includes(null));
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const matching = cases.findIndex((values) => values.includes(selected[lane] ?? 0));
    const at = matching >= 0 ? matching : byDefault >= 0 ? byDefault : cases.length;
    entering[at] = (entering[at] ?? 0) | (1 << lane);
  }
  return entering;
}

function compileReturn(scope: Scope, statement: Return): Plain {
  const value = statement.value === null ? null : compileValue(scope, statement.value);
  return (warp, mask) => {
    const { frame } = warp;
    if (value !== null) frame.result = mergeResult(mask, value(warp, mask), frame.result);
    if (frame.depth === 0) warp.alive &= ~mask;
    return 0;
  };
}

function mergeResult(mask: number, value: Value, earlier: Value | null): Value {
  if (earlier === null) return value;
  if (isBytes(value)) return isBytes(earlier) ? selectBytes(mask, value, earlier) : value;
  return isBytes(earlier) ? value : selectLanes(mask, value, earlier);
}

function compileBarrier(barrier: Barrier): Code {
  const { scope } = barrier;
  if (!isMeeting(scope)) return plain((_warp, mask) => mask);
  return suspending(function* (warp, mask) {
    if (mask !== warp.alive) reportFault(warp, "divergent-barrier", barrier.range, warp.alive & ~mask, null);
    yield scope;
    return mask;
  });
}
