// A function as closures: which variables are registers, which lie in local memory, and its body. Calls of it.
import type { Call, CallIndirect, Expression } from "../ir/expression.ts";
import type { FunctionDefinition, FunctionId } from "../ir/function.ts";
import type { Statement } from "../ir/statement.ts";
import type { Type } from "../ir/type.ts";
import { alignmentOf, sameType, sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { LaneValues } from "../semantics/lanes.ts";
import type { SourceRange } from "../text/source.ts";
import { storeBytes, storeScalar } from "./access.ts";
import { flatten } from "./flatten.ts";
import { type Frame, type Machine, type Slot, Stop, stackBelow, step, type Warp } from "./machine.ts";
import { baseOf, growLocal, localSegment } from "./memory.ts";
import { type Code, compileList } from "./statement.ts";
import { isBytes, scalarTypeOf, uniform, type Value, zeroValue } from "./value.ts";
import { visitStatements } from "./walk.ts";

export interface CompiledFunction {
  readonly definition: FunctionDefinition;
  readonly registerCount: number;
  /** Register slots by variable. */
  readonly registers: ReadonlyMap<number, number>;
  readonly localBytes: number;
  readonly body: Code;
  readonly bind: (warp: Warp, mask: number, values: readonly Value[]) => void;
}

/** What the compiler of a function's expressions must know. */
export interface Scope {
  readonly machine: Machine;
  /** Register slots and offsets in the frame, by variable. */
  readonly registers: ReadonlyMap<number, number>;
  readonly locals: ReadonlyMap<number, number>;
  /** The statement at work, for faults of what has no range of its own. */
  range: SourceRange;
}

const deepestCall = 64;

/** The function in compiled form, or null where the program has no body for it. */
export function compiledFunction(machine: Machine, id: FunctionId): CompiledFunction | null {
  const ready = machine.functions.get(id);
  if (ready !== undefined) return ready;
  const definition = machine.program.functionOf(id);
  const compiled = definition === null ? null : compileFunction(machine, definition);
  machine.functions.set(id, compiled);
  return compiled;
}

/** Whether the function waits at barriers of its block or grid, itself or in what it calls. */
export function suspends(machine: Machine, id: FunctionId): boolean {
  let answer = machine.suspending.get(id);
  if (answer === undefined) {
    answer = reachesMeeting(machine, id, new Set());
    machine.suspending.set(id, answer);
  }
  return answer;
}

function reachesMeeting(machine: Machine, id: FunctionId, visited: Set<FunctionId>): boolean {
  if (visited.has(id)) return false;
  visited.add(id);
  let found = false;
  visitStatements(machine.program.functionOf(id)?.body ?? [], {
    statement: (statement) => {
      if (statement.kind === "barrier" && isMeeting(statement.scope)) found = true;
    },
    expression: (expression) => {
      if (expression.kind !== "call" || found) return;
      found =
        machine.suspending.get(expression.callee) ?? reachesMeeting(machine, expression.callee, visited);
    },
  });
  return found;
}

export function isMeeting(scope: "block" | "warp" | "grid" | "fence"): scope is "block" | "grid" {
  return scope === "block" || scope === "grid";
}

/** A new frame for a call of `callee` from `call`. */
export function enter(warp: Warp, callee: CompiledFunction, call: Call | CallIndirect): Frame {
  const { machine, frame } = warp;
  step(machine);
  if (frame.depth >= deepestCall) throw new Stop(`calls are nested deeper than ${deepestCall}`);
  return newFrame(warp, callee, {
    localBase: frame.localEnd,
    depth: frame.depth + 1,
    stack: stackBelow(frame.stack, call, call.range),
  });
}

export function newFrame(
  warp: Warp,
  callee: CompiledFunction,
  at: Pick<Frame, "localBase" | "depth" | "stack">,
): Frame {
  const localEnd = at.localBase + callee.localBytes;
  if (localEnd > warp.local.sizeBytes) {
    if (localEnd > warp.machine.maxLocalBytes) throw new Stop("local memory is exhausted");
    growLocal(warp.local, Math.min(warp.machine.maxLocalBytes, localEnd * 2));
  }
  const slots: Slot[] = [];
  for (let at = 0; at < callee.registerCount; at++) slots.push({ value: zeroValue, uninitialized: -1 });
  const { localBase, depth, stack } = at;
  const { registers } = callee;
  return { registers, slots, localBase, localEnd, depth, stack, result: null, breakMask: 0, continueMask: 0 };
}

/** What a variable of the function at work holds in each lane; null where it is in memory, or not known in a lane of `mask`. */
export function registerOf({ registers, slots }: Frame, variableId: number, mask: number): LaneValues | null {
  const register = registers.get(variableId);
  const slot = register === undefined ? undefined : slots[register];
  if (slot === undefined || ((slot.uninitialized | slot.value.taint) & mask) !== 0) return null;
  return slot.value.lanes;
}

/** The address of a local variable at `offsetBytes` of the frame at work. */
export function localAddress(warp: Warp, offsetBytes: number): number {
  return baseOf(localSegment) + warp.frame.localBase + offsetBytes;
}

function compileFunction(machine: Machine, definition: FunctionDefinition): CompiledFunction {
  const isSuspending = suspends(machine, definition.id);
  const body = isSuspending
    ? flatten(definition.body, (call) => suspends(machine, call.callee))
    : definition.body;
  const { registers, locals, localBytes } = placeVariables(definition, body);
  const scope: Scope = { machine, registers, locals, range: definition.range };
  return {
    definition,
    registerCount: registers.size,
    registers,
    localBytes,
    body: compileList(scope, body),
    bind: (warp, mask, values) => {
      definition.parameters.forEach((parameter, at) => {
        const value = values[at];
        if (value !== undefined) initialize(scope, warp, mask, parameter, value);
      });
    },
  };
}

/** Gives a local variable its first value in the lanes of `mask`. */
export function initialize(scope: Scope, warp: Warp, mask: number, variable: Variable, value: Value): void {
  const register = scope.registers.get(variable.id);
  if (register !== undefined) {
    const slot = warp.frame.slots[register];
    if (slot === undefined || isBytes(value)) return;
    // Lanes outside the mask are not running, but may hold an earlier call's value of a loop: those are dead.
    slot.value = value;
    slot.uninitialized = ~mask;
    return;
  }
  const offset = scope.locals.get(variable.id);
  if (offset === undefined) return;
  const address = uniform(localAddress(warp, offset));
  const access = { site: null, range: scope.range, operation: "store", intrinsic: null } as const;
  if (isBytes(value)) storeBytes(warp, mask, address, 0, value, 1, access);
  else {
    const scalar = scalarTypeOf(variable.type);
    if (scalar !== null) storeScalar(warp, mask, address, 0, scalar, value, access);
  }
}

/** Scalars that are only ever read and written whole are registers; the other locals lie in the frame. */
function placeVariables(
  definition: FunctionDefinition,
  body: readonly Statement[],
): {
  readonly registers: ReadonlyMap<number, number>;
  readonly locals: ReadonlyMap<number, number>;
  readonly localBytes: number;
} {
  const variables = new Map<number, Variable>();
  const inMemory = new Set<number>();
  const note = (variable: Variable) => {
    if (variable.storage !== "automatic") return;
    variables.set(variable.id, variable);
    if (scalarTypeOf(variable.type) === null) inMemory.add(variable.id);
  };
  definition.parameters.forEach(note);
  visitStatements(body, {
    statement: (statement) => {
      if (statement.kind === "declare") note(statement.variable);
    },
    place: (place, use) => {
      if (place.kind !== "variable") return;
      note(place.variable);
      const isWhole = place.offsetBytes === 0 && sameType(place.type, place.variable.type);
      if (use === "address" || !isWhole) inMemory.add(place.variable.id);
    },
  });
  const registers = new Map<number, number>();
  const locals = new Map<number, number>();
  let localBytes = 0;
  for (const variable of variables.values()) {
    if (!inMemory.has(variable.id)) registers.set(variable.id, registers.size);
    else {
      locals.set(variable.id, localBytes);
      localBytes = alignUp(localBytes + frameBytes(variable.type), 16);
    }
  }
  return { registers, locals, localBytes };
}

function frameBytes(type: Type): number {
  return sizeOf(type) ?? alignmentOf(type) ?? 0;
}

export function alignUp(value: number, alignment: number): number {
  return Math.ceil(value / alignment) * alignment;
}

/** Whether values of the type are bytes, not lanes. */
export function isAggregate(expression: Expression): boolean {
  return expression.type.kind === "record" || expression.type.kind === "array";
}
