// Operators of host code as functions of numbers, for the types that loops compute with most; all others go the general way.
import type { BinaryOperator } from "../../../ir/expression.ts";
import type { ScalarType, Type } from "../../../ir/type.ts";
import { isScalar, uint64 } from "../../../ir/type.ts";
import { binary } from "../../../semantics/arithmetic.ts";
import { isScalarValue, type Value } from "../value.ts";
import { notKnown } from "./run.ts";

type NumberOperator = (left: number, right: number) => number;

const comparisons: Readonly<Record<string, NumberOperator>> = {
  "<": (left, right) => (left < right ? 1 : 0),
  "<=": (left, right) => (left <= right ? 1 : 0),
  ">": (left, right) => (left > right ? 1 : 0),
  ">=": (left, right) => (left >= right ? 1 : 0),
  "==": (left, right) => (left === right ? 1 : 0),
  "!=": (left, right) => (left !== right ? 1 : 0),
};

const ofInt32: Readonly<Record<string, NumberOperator>> = {
  "+": (left, right) => (left + right) | 0,
  "-": (left, right) => (left - right) | 0,
  "*": Math.imul,
  "&": (left, right) => left & right,
  "|": (left, right) => left | right,
  "^": (left, right) => left ^ right,
};

const ofDouble: Readonly<Record<string, NumberOperator>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
};

/** `left operator right`, both of `type`. */
export function operatorOf(operator: BinaryOperator, type: Type): (left: Value, right: Value) => Value {
  const scalar = isScalar(type) ? type : uint64;
  const quick = quickOperator(operator, scalar);
  return (left, right) => {
    if (quick !== null && typeof left === "number" && typeof right === "number") return quick(left, right);
    if (isScalarValue(left) && isScalarValue(right)) return binary(operator, scalar, left, right) ?? notKnown;
    return comparedPointers(operator, left, right);
  };
}

function quickOperator(operator: BinaryOperator, type: ScalarType): NumberOperator | null {
  const comparison = comparisons[operator];
  if (comparison !== undefined) return comparison;
  if (type.kind === "integer" && type.bits === 32 && type.signed) return ofInt32[operator] ?? null;
  if (type.kind === "float" && type.format === "double") return ofDouble[operator] ?? null;
  return null;
}

/** As iterators are compared. */
function comparedPointers(operator: BinaryOperator, left: Value, right: Value): Value {
  if (isScalarValue(left) || isScalarValue(right) || left.kind !== "pointer" || right.kind !== "pointer")
    return notKnown;
  if (left.object !== right.object || left.offsetBytes === null || right.offsetBytes === null)
    return notKnown;
  return comparisons[operator]?.(left.offsetBytes, right.offsetBytes) ?? notKnown;
}
