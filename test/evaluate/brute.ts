// A slow model of one kernel, `shared[expression & 1023] = 0`, written for tests alone: every thread by itself, C's arithmetic on BigInts.
import type { Expression } from "../../server/src/ir/expression.ts";
import type { FunctionDefinition, FunctionId, Program } from "../../server/src/ir/function.ts";
import type { Statement } from "../../server/src/ir/statement.ts";
import { arrayOf, int32, pointerTo, sizeOf, type Type, voidType } from "../../server/src/ir/type.ts";
import type { Variable } from "../../server/src/ir/variable.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import type { SourceRange } from "../../server/src/text/source.ts";

const range: SourceRange = { file: "a.cu", start: 0, end: 1 };
const shared: Variable = {
  id: 1,
  name: "s",
  type: arrayOf(int32, 1024),
  storage: "shared",
  alignmentBytes: 16,
  range,
};

export interface Thread {
  readonly threadIdx: readonly [number, number, number];
  readonly blockIdx: readonly [number, number, number];
}

/** The kernel whose every thread stores at its value of `index`, if its `guard` holds. */
export function kernelOf(index: Expression, guard: Expression): Program {
  const place = {
    kind: "memory",
    pointer: {
      kind: "offset",
      type: pointerTo(int32),
      pointer: {
        kind: "address",
        type: pointerTo(int32),
        place: { kind: "variable", variable: shared, offsetBytes: 0, type: shared.type },
      },
      index: masked(index),
      strideBytes: 4,
    },
    offsetBytes: 0,
    type: int32,
  } as const;
  const store: Statement = {
    kind: "evaluate",
    range,
    expression: {
      kind: "assign",
      type: int32,
      place,
      value: constant(0),
      site: { range, expression: "s[...]", isVolatile: false, merged: [] },
    },
  };
  const definition: FunctionDefinition = {
    id: "k" as FunctionId,
    name: "k",
    templateArguments: [],
    templateParameterNames: [],
    kind: "kernel",
    result: voidType,
    parameters: [],
    body: [{ kind: "if", condition: guard, whenTrue: [store], whenFalse: [], range }],
    maxThreadsPerBlock: null,
    range,
    nameRange: range,
    gaps: [],
    assumptions: [],
  };
  return {
    functionOf: () => definition,
    kindOf: () => definition.kind,
    kernels: [],
    instantiateKernel: () => definition.id,
    hostEntries: [],
    hostLaunchers: [],
    unreadKernels: [],
    hasRelocatableDeviceCode: false,
    explicitInstances: () => [],
    launchSiteOf: () => null,
    globalInitializer: () => null,
  };
}

export function launchOf(grid: Launch["grid"], block: Launch["block"]): Launch {
  return {
    kernel: "k" as FunctionId,
    grid,
    block,
    sharedBytes: 0,
    arguments: [],
    count: 1,
    origin: { kind: "launch", path: [] },
    assumptions: [],
  };
}

export function constant(value: number, type: Type = int32): Expression {
  return { kind: "constant", type, value };
}

export function masked(index: Expression): Expression {
  return { kind: "binary", operator: "&", type: index.type, left: index, right: constant(1023, index.type) };
}

/** The value of an expression in one thread, as C has it on the GPU. */
export function valueIn(expression: Expression, thread: Thread): bigint {
  switch (expression.kind) {
    case "constant":
      return BigInt(expression.value);
    case "intrinsic": {
      const axis = "xyz".indexOf(expression.name.slice(-1));
      const source = expression.name.startsWith("threadIdx") ? thread.threadIdx : thread.blockIdx;
      return BigInt(source[axis] ?? 0);
    }
    case "convert":
      return wrap(expression.type, valueIn(expression.operand, thread));
    case "conditional":
      return valueIn(
        valueIn(expression.condition, thread) !== 0n ? expression.whenTrue : expression.whenFalse,
        thread,
      );
    case "binary": {
      const left = valueIn(expression.left, thread);
      const right = valueIn(expression.right, thread);
      return wrap(expression.type, apply(expression.operator, left, right));
    }
    default:
      throw new Error(`not modelled: ${expression.kind}`);
  }
}

function apply(operator: string, left: bigint, right: bigint): bigint {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "&":
      return left & right;
    case "|":
      return left | right;
    case "^":
      return left ^ right;
    case "<<":
      return left << right;
    case ">>":
      return left >> right;
    case "<":
      return left < right ? 1n : 0n;
    case "==":
      return left === right ? 1n : 0n;
    case ">=":
      return left >= right ? 1n : 0n;
    default:
      throw new Error(`not modelled: ${operator}`);
  }
}

function wrap(type: Type, value: bigint): bigint {
  if (type.kind === "boolean") return value === 0n ? 0n : 1n;
  const bits = (sizeOf(type) ?? 4) * 8;
  return type.kind === "integer" && type.signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
}

/** The threads of a launch, warp by warp; null pads the last warp of a block. */
export function* warpsOf(launch: Launch): Generator<(Thread | null)[]> {
  const [width, height, depth] = launch.block;
  const threads = width * height * depth;
  for (let z = 0; z < (launch.grid[2] ?? 1); z++)
    for (let y = 0; y < (launch.grid[1] ?? 1); y++)
      for (let x = 0; x < (launch.grid[0] ?? 1); x++)
        for (let first = 0; first < threads; first += 32)
          yield Array.from({ length: 32 }, (_, lane) => {
            const thread = first + lane;
            return thread >= threads
              ? null
              : {
                  threadIdx: [
                    thread % width,
                    Math.floor(thread / width) % height,
                    Math.floor(thread / (width * height)),
                  ],
                  blockIdx: [x, y, z],
                };
          });
}

/** The expression as C, for messages of failed tests. */
export function textOf(expression: Expression): string {
  switch (expression.kind) {
    case "constant":
      return `${expression.value}`;
    case "intrinsic":
      return expression.name;
    case "convert": {
      const { type } = expression;
      return `(${type.kind === "integer" && !type.signed ? "unsigned" : "int"})${textOf(expression.operand)}`;
    }
    case "conditional":
      return `(${textOf(expression.condition)} ? ${textOf(expression.whenTrue)} : ${textOf(expression.whenFalse)})`;
    case "binary":
      return `(${textOf(expression.left)} ${expression.operator} ${textOf(expression.right)})`;
    default:
      return expression.kind;
  }
}
