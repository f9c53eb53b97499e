// What the functions of ir/half-function.ts give: rounded once, to the nearest and then to even, as CUDA says of each and as an H200 does for all
// that was recorded (test/semantics/half.jsonl), h2exp and its like among them.
import type { HalfComparison, HalfFunction, HalfOperation, HalfVariant } from "../ir/half-function.ts";
import type { FloatType } from "../ir/type.ts";
import { compare } from "./arithmetic.ts";
import { fusedMultiplyAdd } from "./fused.ts";
import { extreme, realFunction } from "./intrinsic.ts";
import { roundTo } from "./rounding.ts";

type Format = FloatType["format"];

/** The numbers that a value is made of: one, or the two of a pair. */
export type Components = readonly number[];

/** The components of the result, those that are computed rounded to `format`; those that are picked are for the caller to round. */
export function halfFunction(
  made: HalfFunction,
  format: Format,
  operands: readonly Components[],
): Components {
  switch (made.kind) {
    case "each":
      return eachComponent(operands, (...values) =>
        varied(made.variant, applied(made.operation, format, values), values),
      );
    case "compare": {
      const truths = eachComponent(operands, (left, right) =>
        compares(made.operator, left, right, made.ofNaN) ? 1 : 0,
      );
      return made.gives === "each" ? truths : [truths.every((truth) => truth === 1) ? 1 : 0];
    }
    case "pick":
      return made.picks.map(({ operand, component }) => operands[operand]?.[component] ?? Number.NaN);
  }
}

function eachComponent(
  operands: readonly Components[],
  apply: (first: number, second: number, third: number) => number,
): Components {
  const count = Math.max(0, ...operands.map(({ length }) => length));
  const at = (operand: number, component: number) =>
    operands[operand]?.[component] ?? operands[operand]?.[0] ?? 0;
  return Array.from({ length: count }, (_, index) => apply(at(0, index), at(1, index), at(2, index)));
}

function applied(operation: HalfOperation, format: Format, values: Components): number {
  const [x = 0, y = 0, z = 0] = values;
  switch (operation) {
    case "add":
      return roundTo(format, x + y);
    case "sub":
      return roundTo(format, x - y);
    case "mul":
      return roundTo(format, x * y);
    case "div":
      return roundTo(format, x / y);
    case "fma":
      return fusedMultiplyAdd(format, x, y, z);
    case "max":
    case "min":
      return extreme(operation, x, y);
    case "neg":
      return -x;
    case "abs":
      return Math.abs(x);
    case "isnan":
      return Number.isNaN(x) ? 1 : 0;
    case "isinf":
      return Math.abs(x) === Number.POSITIVE_INFINITY ? Math.sign(x) : 0;
    case "rcp":
      return roundTo(format, 1 / x);
    default:
      return roundTo(format, realFunction(operation)(x, 0));
  }
}

function varied(variant: HalfVariant | null, value: number, operands: Components): number {
  switch (variant) {
    case null:
      return value;
    case "sat":
      return value > 0 ? Math.min(value, 1) : 0;
    case "relu":
      return Math.max(value, 0);
    case "nan":
      return operands.slice(0, 2).some(Number.isNaN) ? Number.NaN : value;
  }
}

function compares(operator: HalfComparison, left: number, right: number, ofNaN: boolean): boolean {
  if (Number.isNaN(left) || Number.isNaN(right)) return ofNaN;
  return compare(operator, left, right);
}
