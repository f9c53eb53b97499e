// Small constructors of IR for tests, and a listing of the accesses of a function.
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import type { AccessSite, Expression, Load } from "../../server/src/ir/expression.ts";
import type { FunctionDefinition, FunctionId, Program } from "../../server/src/ir/function.ts";
import type { Statement } from "../../server/src/ir/statement.ts";
import {
  alignmentOf,
  arrayOf,
  booleanType,
  float32,
  int32,
  pointerTo,
  type RecordType,
  sizeOf,
  type Type,
  voidType,
} from "../../server/src/ir/type.ts";
import type { Storage, Variable } from "../../server/src/ir/variable.ts";

let nextId = 1;
const range = { file: "test.cu", start: 0, end: 0 };

export const float4: RecordType = {
  kind: "record",
  name: "float4",
  sizeBytes: 16,
  alignmentBytes: 16,
  fields: ["x", "y", "z", "w"].map((name, index) => ({ name, type: float32, offsetBytes: 4 * index })),
};

export function variable(name: string, type: Type, storage: Storage = "automatic"): Variable {
  return { id: nextId++, name, type, storage, alignmentBytes: alignmentOf(type) ?? 1, range };
}

export function pointer(name: string, target: Type = float32, more: Partial<Variable> = {}): Variable {
  return { ...variable(name, pointerTo(target)), ...more };
}

export function shared(name: string, count: number, element: Type = float32): Variable {
  return variable(name, arrayOf(element, count), "shared");
}

export const int = (value: number): Expression => ({ kind: "constant", type: int32, value });
export const tid: Expression = {
  kind: "intrinsic",
  name: "threadIdx.x",
  type: int32,
  arguments: [],
  site: null,
  range,
};

export function read(of: Variable, offsetBytes = 0, type: Type = of.type): Load {
  return { kind: "load", type, place: { kind: "variable", variable: of, offsetBytes, type }, site: null };
}

export function binary(
  operator: "+" | "-" | "*" | "<" | "&" | "/",
  left: Expression,
  right: Expression,
): Expression {
  const type = operator === "<" ? booleanType : left.type;
  return { kind: "binary", operator, type, left, right };
}

export const add = (left: Expression, right: Expression) => binary("+", left, right);
export const times = (left: Expression, factor: number) => binary("*", left, int(factor));

/** The site of an access at `line`: its offset stands for the line. */
export function at(line: number, more: Partial<AccessSite> = {}): AccessSite {
  return {
    range: { file: "test.cu", start: line, end: line },
    expression: `access${line}`,
    isVolatile: false,
    merged: [],
    ...more,
  };
}

function elementPlace(base: Variable, index: Expression) {
  const element =
    base.type.kind === "array"
      ? base.type.element
      : base.type.kind === "pointer"
        ? base.type.target
        : voidType;
  const start: Expression =
    base.type.kind === "pointer"
      ? read(base)
      : {
          kind: "address",
          type: pointerTo(element),
          place: { kind: "variable", variable: base, offsetBytes: 0, type: element },
        };
  const target: Expression = {
    kind: "offset",
    type: pointerTo(element),
    pointer: start,
    index,
    strideBytes: sizeOf(element) ?? 0,
  };
  return { kind: "memory", pointer: target, offsetBytes: 0, type: element } as const;
}

export function element(
  base: Variable,
  index: Expression,
  line: number,
  more: Partial<AccessSite> = {},
): Load {
  const place = elementPlace(base, index);
  return { kind: "load", type: place.type, place, site: at(line, more) };
}

/** `base[index].member` for a member of 4 bytes. */
export function member(base: Variable, index: Expression, offsetBytes: number, line: number): Load {
  const place = { ...elementPlace(base, index), offsetBytes, type: float32 };
  return { kind: "load", type: float32, place, site: at(line) };
}

export function store(base: Variable, index: Expression, value: Expression, line: number): Statement {
  const place = elementPlace(base, index);
  return evaluate({ kind: "assign", type: place.type, place, value, site: at(line) });
}

export function storeMember(
  base: Variable,
  index: Expression,
  offsetBytes: number,
  value: Expression,
  line: number,
): Statement {
  const place = { ...elementPlace(base, index), offsetBytes, type: float32 };
  return evaluate({ kind: "assign", type: float32, place, value, site: at(line) });
}

export function evaluate(expression: Expression): Statement {
  return { kind: "evaluate", expression, range };
}

export function assign(to: Variable, value: Expression): Expression {
  const place = { kind: "variable", variable: to, offsetBytes: 0, type: to.type } as const;
  return { kind: "assign", type: to.type, place, value, site: null };
}

export function declare(of: Variable, initializer: Expression | null = null): Statement {
  return { kind: "declare", variable: of, initializer, range };
}

export const barrier: Statement = { kind: "barrier", scope: "block", range };

export function when(
  condition: Expression,
  whenTrue: readonly Statement[],
  whenFalse: readonly Statement[] = [],
): Statement {
  return { kind: "if", condition, whenTrue, whenFalse, range };
}

/** `for (int k = 0; k < limit; k++) body` */
export function loop(counter: Variable, limit: Expression, body: readonly Statement[]): readonly Statement[] {
  return [
    declare(counter, int(0)),
    {
      kind: "loop",
      condition: binary("<", read(counter), limit),
      step: [assign(counter, add(read(counter), int(1)))],
      body,
      test: "top",
      unroll: null,
      range,
    },
  ];
}

export function kernel(
  parameters: readonly Variable[],
  body: readonly Statement[],
  name = "kernel",
): FunctionDefinition {
  return {
    id: name as FunctionId,
    name,
    templateArguments: [],
    templateParameterNames: [],
    kind: name === "kernel" ? "kernel" : "device",
    result: voidType,
    parameters,
    body,
    maxThreadsPerBlock: null,
    range,
    nameRange: range,
    gaps: [],
    assumptions: [],
  };
}

export function generated(...functions: readonly FunctionDefinition[]): FunctionDefinition {
  const program: Program = {
    functionOf: (id) => functions.find((one) => one.id === id) ?? null,
    kindOf: (id) => functions.find((one) => one.id === id)?.kind ?? null,
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
  const result = generateCode(program).functionOf("kernel" as FunctionId);
  if (!result) throw new Error("no kernel");
  return result;
}

/** The accesses of generated code in their order: `line load|store bits`. */
export function accessesOf(definition: FunctionDefinition): readonly string[] {
  const found: string[] = [];
  forEachExpressionOf(definition.body, (node) => {
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory" || !node.site)
      return;
    const bits = (sizeOf(node.place.type) ?? 0) * 8;
    found.push(`${node.site.range.start} ${node.kind === "load" ? "load" : "store"} ${bits}`);
  });
  return found;
}
