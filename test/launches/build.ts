// A tiny builder of host IR for tests that need no parser.
import type { Expression, Place } from "../../server/src/ir/expression.ts";
import type {
  FunctionDefinition,
  FunctionId,
  KernelDeclaration,
  Program,
} from "../../server/src/ir/function.ts";
import type { Statement } from "../../server/src/ir/statement.ts";
import type { RecordType, Type } from "../../server/src/ir/type.ts";
import { booleanType, float32, int32, pointerTo, uint32, voidType } from "../../server/src/ir/type.ts";
import type { Variable } from "../../server/src/ir/variable.ts";
import type { SourceRange } from "../../server/src/text/source.ts";

const dim3Type: RecordType = {
  kind: "record",
  name: "dim3",
  sizeBytes: 12,
  alignmentBytes: 4,
  fields: ["x", "y", "z"].map((name, index) => ({ name, type: uint32, offsetBytes: 4 * index })),
};

let variables = 0;
let places = 0;

export function range(): SourceRange {
  places += 10;
  return { file: "a.cu", start: places, end: places + 5 };
}

export function variable(name: string, type: Type = int32): Variable {
  return { id: ++variables, name, type, storage: "automatic", alignmentBytes: 4, range: null };
}

export function place(of: Variable): Place {
  return { kind: "variable", variable: of, offsetBytes: 0, type: of.type };
}

export function constant(value: number, type: Type = int32): Expression {
  return { kind: "constant", type, value };
}

export function read(of: Variable): Expression {
  return { kind: "load", type: of.type, place: place(of), site: null };
}

export function assign(to: Variable, value: Expression): Expression {
  return { kind: "assign", type: to.type, place: place(to), value, site: null };
}

export function binary(
  operator: "+" | "*" | "%" | "<" | "==" | ">",
  left: Expression,
  right: Expression,
): Expression {
  const isComparison = operator === "<" || operator === "==" || operator === ">";
  return { kind: "binary", operator, type: isComparison ? booleanType : left.type, left, right };
}

export function unknown(
  reason: string,
  type: Type = int32,
  operands: readonly Expression[] = [],
): Expression {
  return { kind: "unknown", type, reason, operands };
}

export function addressOf(of: Variable): Expression {
  return { kind: "address", type: pointerTo(of.type), place: place(of) };
}

export function intrinsic(name: string, ...values: Expression[]): Expression {
  return { kind: "intrinsic", name, type: int32, arguments: values, site: null, range: range() };
}

export function call(callee: string, ...values: Expression[]): Expression {
  return { kind: "call", type: int32, callee: callee as FunctionId, arguments: values, range: range() };
}

export function run(expression: Expression): Statement {
  return { kind: "evaluate", expression, range: range() };
}

export function declare(of: Variable, initializer: Expression | null = null): Statement {
  return { kind: "declare", variable: of, initializer, range: range() };
}

export function when(condition: Expression, whenTrue: Statement[], whenFalse: Statement[] = []): Statement {
  return { kind: "if", condition, whenTrue, whenFalse, range: range() };
}

/** `for (i = 0; i < limit; i++) body` */
export function count(i: Variable, limit: Expression, body: Statement[]): Statement {
  const step = [assign(i, binary("+", read(i), constant(1)))];
  const loop: Statement = {
    kind: "loop",
    condition: binary("<", read(i), limit),
    step,
    body,
    test: "top",
    unroll: null,
    range: range(),
  };
  return { kind: "block", body: [declare(i, constant(0)), loop] };
}

export function give(value: Expression | null): Statement {
  return { kind: "return", value, range: range() };
}

export function dim3(...extents: Expression[]): Expression {
  const all = [...extents, constant(1), constant(1)].slice(0, 3);
  return {
    kind: "aggregate",
    type: dim3Type,
    parts: all.map((value, index) => ({ offsetBytes: 4 * index, value })),
  };
}

export function launch(
  kernel: string,
  grid: Expression,
  block: Expression,
  ...values: Expression[]
): Statement {
  return {
    kind: "launch",
    kernel: kernel as FunctionId,
    grid,
    block,
    sharedBytes: null,
    arguments: values,
    range: range(),
  };
}

export function define(
  kind: "kernel" | "host" | "device",
  id: string,
  parameters: Variable[],
  body: Statement[],
): FunctionDefinition {
  const place = range();
  return {
    id: id as FunctionId,
    name: id,
    templateArguments: [],
    templateParameterNames: [],
    kind,
    result: voidType,
    parameters,
    body,
    maxThreadsPerBlock: null,
    range: place,
    nameRange: place,
    gaps: [],
    assumptions: [],
  };
}

export function program(entries: string[], definitions: FunctionDefinition[]): Program {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  const kernels = definitions.filter((each) => each.kind === "kernel");
  return {
    functionOf: (id) => byId.get(id) ?? null,
    kindOf: (id) => byId.get(id)?.kind ?? null,
    kernels: kernels.map(
      (each): KernelDeclaration => ({
        name: each.name,
        qualifiedName: each.name,
        templateParameters: [],
        range: each.range,
        nameRange: each.nameRange,
        annotations: [],
      }),
    ),
    instantiateKernel: (kernel, values) => (values.length === 0 ? (kernel.name as FunctionId) : null),
    hostEntries: entries as FunctionId[],
    hostLaunchers: [],
    unreadKernels: [],
    hasRelocatableDeviceCode: false,
    explicitInstances: () => [],
    launchSiteOf: () => null,
    globalInitializer: () => null,
  };
}

export const floatPointer = pointerTo(float32);
