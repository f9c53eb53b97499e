// C's unary and binary operators on values over the lanes.
import type { ArithmeticOperator, Binary, ComparisonOperator } from "../../ir/expression.ts";
import type { ScalarType, Type } from "../../ir/type.ts";
import { binary as scalarBinary, unary as scalarUnary } from "../../semantics/arithmetic.ts";
import { type Machine, unknownOfType } from "../machine.ts";
import { floatAt, joined, lanesWhere, perFloat, toLinear, toPointer, toPredicate } from "./conversions.ts";
import { fit, integerBinary } from "./integers.ts";
import { allLanes, laneCount, mapLanes } from "./lanes.ts";
import { add, isKnown, known, type Linear, negate, subtract } from "./linear.ts";
import type { Mask } from "./mask.ts";
import { and, compareLinear, not, or, truthOf, undecided } from "./predicates.ts";
import { decided, floats, isSameObject, type Predicate, type Value, variesByLane } from "./value.ts";

export function binary(machine: Machine, expression: Binary, left: Value, right: Value, mask: Mask): Value {
  const { operator } = expression;
  const type = expression.left.type;
  if (isComparison(operator)) return compared(machine, operator, type, left, right, mask);
  if (type.kind === "float") return floatBinary(operator, type, left, right);
  if (type.kind !== "integer" && type.kind !== "boolean")
    return unknownOfType(machine, expression.type, "arithmetic on what is no number", {
      varies: true,
      dependsOnData: false,
    });
  const address = addressBinary(machine, operator, type, left, right, mask);
  if (address) return address;
  if (left.kind === "predicate" && right.kind === "predicate" && (operator === "&" || operator === "|"))
    return operator === "&" ? and(left, right) : or(left, right);
  const result = integerBinary(
    machine.symbols,
    operator,
    type,
    toLinear(machine, left, mask),
    toLinear(machine, right, mask),
    mask.active,
  );
  return expression.type.kind === "boolean" ? truthOf(result, mask.active) : result;
}

/** Arithmetic on an address in an integer that leaves it an address of the same object; null where it is a plain number after. */
function addressBinary(
  machine: Machine,
  operator: Binary["operator"],
  type: Type,
  left: Value,
  right: Value,
  mask: Mask,
): Value | null {
  if (left.kind !== "pointer" && right.kind !== "pointer") return null;
  if (left.kind === "pointer" && right.kind === "pointer")
    return operator === "-" && isSameObject(left.object, right.object)
      ? subtract(left.offset, right.offset)
      : null;
  const pointer = left.kind === "pointer" ? left : right;
  const other = left.kind === "pointer" ? right : left;
  if (pointer.kind !== "pointer" || other.kind === "pointer" || pointer.object.space === "null") return null;
  if (type.kind !== "integer") return null;
  const distance = signedDistance(type, toLinear(machine, other, mask));
  if (operator === "+") return { ...pointer, offset: add(pointer.offset, distance) };
  if (operator === "-" && pointer === left) return { ...pointer, offset: subtract(pointer.offset, distance) };
  if (operator !== "^" || !isKnown(distance)) return null;
  const { alignmentBytes } = pointer.object;
  const isWithin = lanesOf(distance).every((lane) => Number(lane) >= 0 && Number(lane) < alignmentBytes);
  if (!isWithin) return null;
  const offset = integerBinary(machine.symbols, "^", type, pointer.offset, distance, mask.active);
  return { ...pointer, offset };
}

/** What an unsigned type wraps to reach lower addresses is a negative distance. */
function signedDistance(type: Type, distance: Linear): Linear {
  if (type.kind !== "integer" || type.signed || !isKnown(distance)) return distance;
  const limit = 2 ** (type.bits - 1);
  if (lanesOf(distance).every((lane) => lane < limit)) return distance;
  return known(
    mapLanes(distance.constant, (lane) =>
      lane < limit ? lane : Number(BigInt(lane) - 2n ** BigInt(type.bits)),
    ),
  );
}

function lanesOf({ constant }: Linear): readonly (number | bigint)[] {
  return typeof constant === "object" ? constant : [constant];
}

function compared(
  machine: Machine,
  operator: ComparisonOperator,
  type: Type,
  left: Value,
  right: Value,
  mask: Mask,
): Predicate {
  if (type.kind !== "integer" && (left.kind === "pointer" || right.kind === "pointer"))
    return comparedPointers(machine, operator, left, right, mask);
  if (type.kind !== "float") {
    if (left.kind === "unknown" || right.kind === "unknown") return toPredicate(joined(left, right), mask);
    return compareLinear(
      operator,
      toLinear(machine, left, mask),
      toLinear(machine, right, mask),
      mask.active,
    );
  }
  if (left.kind === "floats" && right.kind === "floats")
    return decided(
      lanesWhere(
        (lane) => scalarBinary(operator, type, floatAt(left.lanes, lane), floatAt(right.lanes, lane)) === 1,
      ),
    );
  return toPredicate(joined(left, right), mask);
}

function comparedPointers(
  machine: Machine,
  operator: ComparisonOperator,
  left: Value,
  right: Value,
  mask: Mask,
): Predicate {
  const first = toPointer(machine, left);
  const second = toPointer(machine, right);
  if (isSameObject(first.object, second.object))
    return compareLinear(operator, first.offset, second.offset, mask.active);
  const isNull = first.object.space === "null" || second.object.space === "null";
  if (operator === "==" && isNull) return decided(0);
  if (operator === "!=" && isNull) return decided(allLanes);
  return undecided({
    split: null,
    lean: null,
    comparisons: null,
    partsAtEdge: false,
    isUniform: !variesByLane(left) && !variesByLane(right),
    order: null,
    reason: `${first.object.name}, ${second.object.name}`,
    dependsOnData: false,
    sizes: [],
  });
}

function floatBinary(operator: ArithmeticOperator, type: ScalarType, left: Value, right: Value): Value {
  if (left.kind !== "floats" || right.kind !== "floats") return joined(left, right);
  const apply = (a: number, b: number) => Number(scalarBinary(operator, type, a, b) ?? Number.NaN);
  if (typeof left.lanes === "number" && typeof right.lanes === "number")
    return floats(apply(left.lanes, right.lanes));
  return floats(
    Array.from({ length: laneCount }, (_, lane) =>
      apply(floatAt(left.lanes, lane), floatAt(right.lanes, lane)),
    ),
  );
}

export function negated(
  machine: Machine,
  operator: "negate" | "complement" | "not",
  type: Type,
  value: Value,
  mask: Mask,
): Value {
  if (operator === "not") return not(toPredicate(value, mask));
  if (value.kind === "floats" && type.kind === "float")
    return floats(perFloat(value.lanes, (lane) => Number(scalarUnary("negate", type, lane))));
  if (type.kind !== "integer") return value.kind === "unknown" ? value : joined(value);
  const form = toLinear(machine, value, mask);
  if (isKnown(form)) return known(mapLanes(form.constant, (lane) => scalarUnary(operator, type, lane)));
  const opposite = operator === "negate" ? negate(form) : subtract(negate(form), known(1));
  return fit(machine.symbols, type, opposite, mask.active);
}

function isComparison(operator: Binary["operator"]): operator is ComparisonOperator {
  return (
    operator === "<" ||
    operator === "<=" ||
    operator === ">" ||
    operator === ">=" ||
    operator === "==" ||
    operator === "!="
  );
}
