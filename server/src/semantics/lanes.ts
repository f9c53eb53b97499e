// The operators of arithmetic.ts on the 32 lanes of a warp: tight loops for the common types, the scalar operator for the rest.
// Lanes outside the mask hold some value of the type on the way in, and unspecified ones on the way out.
import type { BinaryOperator, UnaryOperator } from "../ir/expression.ts";
import type { FloatType, IntegerType, ScalarType } from "../ir/type.ts";
import { binary, convert, type Flavour, normalize, unary } from "./arithmetic.ts";
import { pureIntrinsic } from "./intrinsic.ts";
import type { Scalar } from "./scalar.ts";

/** One value for each of the 32 lanes, all of one type, each in canonical form. */
export type LaneValues = readonly Scalar[];

export const laneCount = 32;

/** The lanes of `mask` (bit i for lane i), in their order. */
export function lanesIn(mask: number): number[] {
  const lanes: number[] = [];
  for (let lane = 0; lane < laneCount; lane++) if ((mask >>> lane) & 1) lanes.push(lane);
  return lanes;
}

/** `left operator right` in every lane; null where a lane of `mask` (bit i for lane i) divides by zero. */
export function binaryLanes(
  operator: BinaryOperator,
  type: ScalarType,
  left: LaneValues,
  right: LaneValues,
  mask: number,
): LaneValues | null {
  switch (operator) {
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "==":
    case "!=":
      return compareLanes(operator, left, right);
    case "/":
    case "%":
      if (type.kind === "float") break;
      return divideLanes(operator, type, left, right, mask);
    default:
      if (type.kind === "integer" && type.bits === 32 && areNumbers(right)) {
        return int32Lanes(operator, type, left as readonly number[], right);
      }
      if (type.kind === "integer" && type.bits === 64) return int64Lanes(operator, type, left, right, mask);
  }
  if (type.kind === "float")
    return floatLanes(operator, type.format, left as readonly number[], right as readonly number[]);
  return generalLanes(operator, type, left, right, mask);
}

export function unaryLanes(operator: UnaryOperator, type: ScalarType, values: LaneValues): LaneValues {
  const result = emptyNumbers();
  for (let lane = 0; lane < laneCount; lane++) result[lane] = unary(operator, type, values[lane] ?? 0);
  return result;
}

export function convertLanes(
  values: LaneValues,
  from: ScalarType,
  to: ScalarType,
  flavour: Flavour = "device",
): LaneValues {
  if (from.kind === "integer" && to.kind === "integer") return convertIntegers(values, from, to);
  const result: Scalar[] = to.kind === "float" ? emptyFloats() : emptyNumbers();
  for (let lane = 0; lane < laneCount; lane++) result[lane] = convert(values[lane] ?? 0, from, to, flavour);
  return result;
}

/** A pure intrinsic in every lane of `mask`; null where it is not known in one of them. */
export function intrinsicLanes(
  name: string,
  type: ScalarType,
  argumentTypes: readonly ScalarType[],
  operands: readonly LaneValues[],
  mask: number,
): LaneValues | null {
  const result: Scalar[] = type.kind === "float" ? emptyFloats() : emptyNumbers();
  const values: Scalar[] = operands.map(() => 0);
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    for (let at = 0; at < operands.length; at++) values[at] = operands[at]?.[lane] ?? 0;
    const value = pureIntrinsic(name, type, argumentTypes, values);
    if (value === null) return null;
    result[lane] = value;
  }
  return result;
}

/** The lanes whose value is not zero, as a mask of 32 bits (unsigned). */
export function maskOf(values: LaneValues): number {
  let mask = 0;
  for (let lane = 0; lane < laneCount; lane++) if (values[lane] !== 0) mask |= 1 << lane;
  return mask >>> 0;
}

// Copies of these keep V8's array of small integers, or of doubles, which an array of holes would not be.
const numbers: readonly Scalar[] = Array.from({ length: laneCount }, () => 0);
const floats: readonly Scalar[] = Array.from({ length: laneCount }, () => 0.5);

function emptyNumbers(): Scalar[] {
  return numbers.slice();
}

function emptyFloats(): Scalar[] {
  return floats.slice();
}

function areNumbers(values: LaneValues): values is readonly number[] {
  for (let lane = 0; lane < laneCount; lane++) if (typeof values[lane] !== "number") return false;
  return true;
}

function compareLanes(
  operator: "<" | "<=" | ">" | ">=" | "==" | "!=",
  left: LaneValues,
  right: LaneValues,
): LaneValues {
  const result = emptyNumbers();
  const [a, b] = [left as readonly number[], right as readonly number[]];
  const at = (values: readonly number[], lane: number) => values[lane] as number;
  switch (operator) {
    case "<":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = at(a, lane) < at(b, lane) ? 1 : 0;
      return result;
    case "<=":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = at(a, lane) <= at(b, lane) ? 1 : 0;
      return result;
    case ">":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = at(a, lane) > at(b, lane) ? 1 : 0;
      return result;
    case ">=":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = at(a, lane) >= at(b, lane) ? 1 : 0;
      return result;
    case "==":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = a[lane] === b[lane] ? 1 : 0;
      return result;
    case "!=":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = a[lane] !== b[lane] ? 1 : 0;
      return result;
  }
}

function divideLanes(
  operator: "/" | "%",
  type: ScalarType,
  left: LaneValues,
  right: LaneValues,
  mask: number,
): LaneValues | null {
  for (let lane = 0; lane < laneCount; lane++) if (right[lane] === 0 && (mask >>> lane) & 1) return null;
  if (type.kind !== "integer" || type.bits !== 32) return generalLanes(operator, type, left, right, mask);
  const result = emptyNumbers();
  for (let lane = 0; lane < laneCount; lane++) {
    const [dividend, divisor] = [left[lane] as number, right[lane] as number];
    if (divisor === 0) continue;
    const value = operator === "/" ? dividend / divisor : dividend % divisor;
    result[lane] = type.signed ? value | 0 : value >>> 0;
  }
  return result;
}

function int32Lanes(
  operator: Exclude<BinaryOperator, "/" | "%" | "<" | "<=" | ">" | ">=" | "==" | "!=">,
  { signed }: IntegerType,
  left: readonly number[],
  right: readonly number[],
): LaneValues {
  const result = emptyNumbers() as number[];
  const at = (values: readonly number[], lane: number) => values[lane] as number;
  switch (operator) {
    case "+":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = (at(left, lane) + at(right, lane)) | 0;
      break;
    case "-":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = (at(left, lane) - at(right, lane)) | 0;
      break;
    case "*":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = Math.imul(at(left, lane), at(right, lane));
      break;
    case "&":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = at(left, lane) & at(right, lane);
      break;
    case "|":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = at(left, lane) | at(right, lane);
      break;
    case "^":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = at(left, lane) ^ at(right, lane);
      break;
    case "<<":
      for (let lane = 0; lane < laneCount; lane++) {
        const count = at(right, lane);
        result[lane] = count >= 0 && count < 32 ? at(left, lane) << count : 0;
      }
      break;
    case ">>":
      for (let lane = 0; lane < laneCount; lane++) {
        const count = at(right, lane);
        const isPast = !(count >= 0 && count < 32);
        if (signed) result[lane] = at(left, lane) >> (isPast ? 31 : count);
        else result[lane] = isPast ? 0 : at(left, lane) >>> count;
      }
      break;
  }
  if (!signed) for (let lane = 0; lane < laneCount; lane++) result[lane] = at(result, lane) >>> 0;
  return result;
}

/** 64-bit addition, subtraction and multiplication stay with doubles as long as they are exact. */
function int64Lanes(
  operator: BinaryOperator,
  type: IntegerType,
  left: LaneValues,
  right: LaneValues,
  mask: number,
): LaneValues | null {
  if (operator !== "+" && operator !== "-" && operator !== "*") {
    return generalLanes(operator, type, left, right, mask);
  }
  const least = type.signed ? Number.MIN_SAFE_INTEGER : 0;
  const result = emptyNumbers();
  for (let lane = 0; lane < laneCount; lane++) {
    const [a, b] = [left[lane] ?? 0, right[lane] ?? 0];
    if (typeof a === "number" && typeof b === "number") {
      const value = operator === "+" ? a + b : operator === "-" ? a - b : a * b;
      if (value >= least && value <= Number.MAX_SAFE_INTEGER) {
        result[lane] = value + 0;
        continue;
      }
    }
    result[lane] = binary(operator, type, a, b) ?? 0;
  }
  return result;
}

function floatLanes(
  operator: BinaryOperator,
  format: FloatType["format"],
  left: readonly number[],
  right: readonly number[],
): LaneValues | null {
  const result = emptyFloats() as number[];
  const at = (values: readonly number[], lane: number) => values[lane] as number;
  switch (operator) {
    case "+":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = at(left, lane) + at(right, lane);
      break;
    case "-":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = at(left, lane) - at(right, lane);
      break;
    case "*":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = at(left, lane) * at(right, lane);
      break;
    case "/":
      for (let lane = 0; lane < laneCount; lane++) result[lane] = at(left, lane) / at(right, lane);
      break;
    default:
      return null;
  }
  return roundLanes(format, result);
}

function roundLanes(format: FloatType["format"], values: number[]): LaneValues {
  if (format === "double") return values;
  if (format === "single") {
    for (let lane = 0; lane < laneCount; lane++) values[lane] = Math.fround(values[lane] as number);
    return values;
  }
  const type: FloatType = { kind: "float", format };
  return values.map((value) => normalize(type, value));
}

function generalLanes(
  operator: BinaryOperator,
  type: ScalarType,
  left: LaneValues,
  right: LaneValues,
  mask: number,
): LaneValues | null {
  const result = emptyNumbers();
  for (let lane = 0; lane < laneCount; lane++) {
    const value = binary(operator, type, left[lane] ?? 0, right[lane] ?? 0);
    if (value !== null) result[lane] = value;
    else if ((mask >>> lane) & 1) return null;
  }
  return result;
}

function convertIntegers(values: LaneValues, from: IntegerType, to: IntegerType): LaneValues {
  const isWider = to.bits > from.bits && (to.signed || !from.signed);
  if (isWider || (to.bits === from.bits && to.signed === from.signed)) return values;
  const result = emptyNumbers();
  for (let lane = 0; lane < laneCount; lane++) {
    const value = values[lane] ?? 0;
    if (to.bits === 32 && typeof value === "number") result[lane] = to.signed ? value | 0 : value >>> 0;
    else result[lane] = normalize(to, value);
  }
  return result;
}
