// Builds IR by hand, so that the simulator is tested without a parser.
import type { AccessSite, BinaryOperator, Expression, Place } from "../../server/src/ir/expression.ts";
import type { FunctionDefinition, FunctionId, Program } from "../../server/src/ir/function.ts";
import type { Statement } from "../../server/src/ir/statement.ts";
import type { PointerType, Type } from "../../server/src/ir/type.ts";
import {
  alignmentOf,
  booleanType,
  float32,
  int32,
  pointerTo,
  sizeOf,
  voidType,
} from "../../server/src/ir/type.ts";
import type { Storage, Variable } from "../../server/src/ir/variable.ts";
import type { HostValue, Launch } from "../../server/src/launches/launch.ts";
import type { SourceRange } from "../../server/src/text/source.ts";

export function range(line: number): SourceRange {
  return { file: "a.cu", start: line, end: line + 1 };
}

let variableCount = 0;

export function variable(name: string, type: Type, storage: Storage = "automatic"): Variable {
  return {
    id: variableCount++,
    name,
    type,
    storage,
    alignmentBytes: alignmentOf(type) ?? 1,
    range: null,
  };
}

export function site(line: number): AccessSite {
  return { range: range(line), expression: `line ${line}`, isVolatile: false, merged: [] };
}

export function constant(value: number, type: Type = int32): Expression {
  return { kind: "constant", type, value };
}

export function use(one: Variable): Expression {
  return { kind: "load", type: one.type, place: whole(one), site: null };
}

export function whole(one: Variable): Place {
  return { kind: "variable", variable: one, offsetBytes: 0, type: one.type };
}

export function set(one: Variable, value: Expression): Expression {
  return { kind: "assign", type: one.type, place: whole(one), value, site: null };
}

export function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  const isComparison = ["<", "<=", ">", ">=", "==", "!="].includes(operator);
  return { kind: "binary", operator, type: isComparison ? booleanType : left.type, left, right };
}

/** threadIdx.x and its like, as int. */
export function identity(name: string): Expression {
  return intrinsic(name, int32, []);
}

export function intrinsic(
  name: string,
  type: Type,
  argumentList: readonly Expression[],
  at: AccessSite | null = null,
): Expression {
  return { kind: "intrinsic", name, type, arguments: argumentList, site: at, range: range(0) };
}

/** `&array[index]` of a variable that is an array. */
export function elementOf(array: Variable, index: Expression): Expression {
  const element = array.type.kind === "array" ? array.type.element : array.type;
  const type = pointerTo(element);
  return {
    kind: "offset",
    type,
    pointer: { kind: "address", type, place: whole(array) },
    index,
    strideBytes: sizeOf(element) ?? 1,
  };
}

export function offset(pointer: Expression, index: Expression): Expression {
  const type = pointer.type as PointerType;
  return { kind: "offset", type, pointer, index, strideBytes: sizeOf(type.target) ?? 1 };
}

export function load(pointer: Expression, line: number): Expression {
  const { target } = pointer.type as PointerType;
  return { kind: "load", type: target, place: memory(pointer), site: site(line) };
}

export function store(pointer: Expression, value: Expression, line: number): Expression {
  const { target } = pointer.type as PointerType;
  return { kind: "assign", type: target, place: memory(pointer), value, site: site(line) };
}

function memory(pointer: Expression): Place {
  return { kind: "memory", pointer, offsetBytes: 0, type: (pointer.type as PointerType).target };
}

export function evaluate(expression: Expression, line = 0): Statement {
  return { kind: "evaluate", expression, range: range(line) };
}

export function declare(one: Variable, initializer: Expression | null = null): Statement {
  return { kind: "declare", variable: one, initializer, range: range(0) };
}

export function when(
  condition: Expression,
  whenTrue: readonly Statement[],
  whenFalse: readonly Statement[] = [],
): Statement {
  return { kind: "if", condition, whenTrue, whenFalse, range: range(0) };
}

export function loop(
  condition: Expression,
  step: readonly Expression[],
  body: readonly Statement[],
): Statement {
  return { kind: "loop", condition, step, body, test: "top", unroll: null, range: range(0) };
}

export const barrier: Statement = { kind: "barrier", scope: "block", range: range(900) };

export function giveBack(value: Expression | null): Statement {
  return { kind: "return", value, range: range(0) };
}

export function define(
  name: string,
  parameters: readonly Variable[],
  body: readonly Statement[],
  result: Type = voidType,
): FunctionDefinition {
  return {
    id: name as FunctionId,
    name,
    templateArguments: [],
    templateParameterNames: [],
    kind: "kernel",
    result,
    parameters,
    body,
    maxThreadsPerBlock: null,
    range: range(0),
    nameRange: range(0),
    gaps: [],
    assumptions: [],
  };
}

export function call(
  callee: FunctionDefinition,
  argumentList: readonly Expression[],
  line: number,
): Expression {
  return {
    kind: "call",
    type: callee.result,
    callee: callee.id,
    arguments: argumentList,
    range: range(line),
  };
}

export function programOf(functions: readonly FunctionDefinition[]): Program {
  const byId = new Map(functions.map((one) => [one.id, one]));
  return {
    functionOf: (id) => byId.get(id) ?? null,
    kindOf: (id) => byId.get(id)?.kind ?? null,
    kernels: [],
    instantiateKernel: () => null,
    hostEntries: [],
    hostLaunchers: [],
    unreadKernels: [],
    hasRelocatableDeviceCode: false,
    explicitInstances: () => [],
    launchSiteOf: () => null,
    globalInitializer: () => null,
  };
}

export function launchOf(
  kernel: FunctionDefinition,
  dimensions: { grid?: readonly [number, number, number]; block: readonly [number, number, number] },
  values: readonly HostValue[],
  sharedBytes = 0,
): Launch {
  return {
    kernel: kernel.id,
    grid: dimensions.grid ?? [1, 1, 1],
    block: dimensions.block,
    sharedBytes,
    arguments: values,
    count: 1,
    origin: { kind: "launch", path: [] },
    assumptions: [],
  };
}

export function buffer(id: number, sizeBytes: number | null): HostValue {
  return {
    kind: "pointer",
    allocation: { id, name: `buffer ${id}`, sizeBytes, alignmentBytes: 256 },
    offsetBytes: 0,
  };
}

export const floatPointer = pointerTo(float32);
