// The operators and conversions of C++ on one scalar, as nvcc's device code gives them. Signed overflow wraps around, as the
// machine's instructions do; where host code differs (conversions of floats out of range), a flavour says which is meant.
import type { BinaryOperator, ComparisonOperator, UnaryOperator } from "../ir/expression.ts";
import type { FloatType, IntegerType, ScalarType } from "../ir/type.ts";
import { int32 as wordSigned, uint32 as wordUnsigned } from "../ir/type.ts";
import { roundTo } from "./rounding.ts";
import type { Scalar } from "./scalar.ts";

/** Whose machine code is meant where the two differ: the GPU's, or that of x86-64. */
export type Flavour = "device" | "host";

/**
 * `left operator right`, both of `type` (the count of a shift may be any integer). Comparisons give 0 or 1. Null where C++
 * and the machine leave it undefined: division by zero, integer operators on floats. A shift count past the width shifts
 * everything out, as PTX has it (`shl`, `shr` clamp the count, read as unsigned 32 bits).
 */
export function binary(
  operator: BinaryOperator,
  type: ScalarType,
  left: Scalar,
  right: Scalar,
): Scalar | null {
  if (isComparison(operator)) return compare(operator, left, right) ? 1 : 0;
  if (type.kind === "float") return binaryFloat(operator, type, Number(left), Number(right));
  if (operator === "<<" || operator === ">>") return shift(operator, type, left, right);
  if (type.kind === "integer" && typeof left === "number" && typeof right === "number") {
    if (type.bits === 32) return type.signed ? int32(operator, left, right) : uint32(operator, left, right);
    return binaryNumbers(operator, type, left, right);
  }
  return binaryWide(operator, type, left, right);
}

/** `negate` and `complement` in `type`; `not` gives 0 or 1. */
export function unary(operator: UnaryOperator, type: ScalarType, value: Scalar): Scalar {
  switch (operator) {
    case "not":
      // A NaN is true, so its negation is false.
      return value === 0 ? 1 : 0;
    case "negate":
      if (type.kind === "float") return -Number(value);
      return normalize(type, typeof value === "number" ? 0 - value : -value);
    case "complement":
      return normalize(type, typeof value === "number" ? -1 - value : ~value);
  }
}

/** `value` brought into the range of `type`: integers wrap around, floats round, booleans become 0 or 1. */
export function normalize(type: ScalarType, value: Scalar): Scalar {
  switch (type.kind) {
    case "boolean":
      return value === 0 ? 0 : 1;
    case "float":
      return typeof value === "bigint" ? roundInteger(type.format, value) : roundTo(type.format, value);
    case "integer":
      return typeof value === "number" ? wrapNumber(type, value) : wrapWide(type, value);
  }
}

/**
 * `value` of type `from` as type `to`. A float becomes an integer by truncation; out of range the GPU saturates and takes
 * NaN as zero (see `truncateOnDevice`), x86-64 gives what `cvttsd2si` leaves.
 */
export function convert(
  value: Scalar,
  from: ScalarType,
  to: ScalarType,
  flavour: Flavour = "device",
): Scalar {
  if (to.kind === "integer" && from.kind === "float") {
    return flavour === "device"
      ? truncateOnDevice(Number(value), from, to)
      : truncateOnHost(Number(value), to);
  }
  return normalize(to, value);
}

/** The one form of an integer: a number where a double holds it for certain, else a BigInt. */
export function canonical(value: bigint): Scalar {
  return value >= -safeLimit && value <= safeLimit ? Number(value) : value;
}

/** The least value of an integer type. */
export function leastOf(type: IntegerType): Scalar {
  return type.signed ? canonical(-(1n << BigInt(type.bits - 1))) : 0;
}

/** The greatest value of an integer type. */
export function greatestOf(type: IntegerType): Scalar {
  return canonical((1n << BigInt(type.signed ? type.bits - 1 : type.bits)) - 1n);
}

const safeLimit = BigInt(Number.MAX_SAFE_INTEGER);

function isComparison(operator: BinaryOperator): operator is ComparisonOperator {
  switch (operator) {
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "==":
    case "!=":
      return true;
    default:
      return false;
  }
}

/** What C's comparison gives; with what is not a number only `!=` holds. */
export function compare(operator: ComparisonOperator, left: Scalar, right: Scalar): boolean {
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    case "==":
      return left === right;
    case "!=":
      return left !== right;
  }
}

function binaryFloat(operator: BinaryOperator, type: FloatType, left: number, right: number): Scalar | null {
  // One operation in double and one rounding equals the operation in the narrower format: double has more than twice its
  // precision plus two bits.
  switch (operator) {
    case "+":
      return roundTo(type.format, left + right);
    case "-":
      return roundTo(type.format, left - right);
    case "*":
      return roundTo(type.format, left * right);
    case "/":
      return roundTo(type.format, left / right);
    default:
      return null;
  }
}

function int32(operator: BinaryOperator, left: number, right: number): Scalar | null {
  switch (operator) {
    case "+":
      return (left + right) | 0;
    case "-":
      return (left - right) | 0;
    case "*":
      return Math.imul(left, right);
    case "/":
      return right === 0 ? null : (left / right) | 0;
    case "%":
      return right === 0 ? null : (left % right) | 0;
    case "&":
      return left & right;
    case "|":
      return left | right;
    case "^":
      return left ^ right;
    default:
      return null;
  }
}

function uint32(operator: BinaryOperator, left: number, right: number): Scalar | null {
  switch (operator) {
    case "+":
      return (left + right) >>> 0;
    case "-":
      return (left - right) >>> 0;
    case "*":
      return Math.imul(left, right) >>> 0;
    case "/":
      return right === 0 ? null : (left / right) >>> 0;
    case "%":
      return right === 0 ? null : left % right;
    case "&":
      return (left & right) >>> 0;
    case "|":
      return (left | right) >>> 0;
    case "^":
      return (left ^ right) >>> 0;
    default:
      return null;
  }
}

/** The operators but shifts on 8, 16 and 64 bits where both operands are numbers. */
function binaryNumbers(
  operator: BinaryOperator,
  type: IntegerType,
  left: number,
  right: number,
): Scalar | null {
  switch (operator) {
    case "+":
    case "-":
    case "*": {
      const result = operator === "+" ? left + right : operator === "-" ? left - right : left * right;
      return Number.isSafeInteger(result)
        ? wrapNumber(type, result)
        : binaryWide(operator, type, left, right);
    }
    case "/":
      // The rest is exact, and so is the division of what it leaves.
      return right === 0 ? null : wrapNumber(type, (left - (left % right)) / right);
    case "%":
      return right === 0 ? null : wrapNumber(type, left % right);
    case "&":
    case "|":
    case "^":
      return bitwiseNumbers(operator, type, left, right);
    default:
      return null;
  }
}

function bitwiseNumbers(operator: "&" | "|" | "^", type: IntegerType, left: number, right: number): Scalar {
  const low = bitwise32(operator, left | 0, right | 0);
  if ((left | 0) === left && (right | 0) === right) return wrapNumber(type, low);
  const high = bitwise32(operator, Math.floor(left / 2 ** 32) | 0, Math.floor(right / 2 ** 32) | 0);
  const result = high * 2 ** 32 + (low >>> 0);
  if (Number.isSafeInteger(result)) return wrapNumber(type, result);
  return wrapWide(type, (BigInt(high) << 32n) + BigInt(low >>> 0));
}

function bitwise32(operator: "&" | "|" | "^", left: number, right: number): number {
  return operator === "&" ? left & right : operator === "|" ? left | right : left ^ right;
}

/** The operators but shifts by BigInt, which is right for every operand. */
function binaryWide(
  operator: BinaryOperator,
  type: ScalarType,
  leftScalar: Scalar,
  rightScalar: Scalar,
): Scalar | null {
  const left = BigInt(leftScalar);
  const right = BigInt(rightScalar);
  switch (operator) {
    case "+":
      return normalize(type, canonical(left + right));
    case "-":
      return normalize(type, canonical(left - right));
    case "*":
      return normalize(type, canonical(left * right));
    case "/":
      return right === 0n ? null : normalize(type, canonical(left / right));
    case "%":
      return right === 0n ? null : normalize(type, canonical(left % right));
    case "&":
      return normalize(type, canonical(left & right));
    case "|":
      return normalize(type, canonical(left | right));
    case "^":
      return normalize(type, canonical(left ^ right));
    default:
      return null;
  }
}

function shift(operator: "<<" | ">>", type: ScalarType, left: Scalar, right: Scalar): Scalar {
  const bits = type.kind === "integer" ? type.bits : 32;
  const count = shiftCount(right, bits);
  if (operator === ">>") {
    if (typeof left === "number") return Math.floor(left / 2 ** count);
    return canonical(left >> BigInt(count));
  }
  if (count >= bits) return 0;
  if (bits === 32 && typeof left === "number")
    return type.kind === "integer" && !type.signed ? (left << count) >>> 0 : left << count;
  const product = typeof left === "number" ? left * 2 ** count : Number.NaN;
  if (Number.isSafeInteger(product)) return normalize(type, product);
  return normalize(type, canonical(BigInt(left) << BigInt(count)));
}

/** The count of a shift, clamped to the width: as unsigned, a negative one is past every width. */
function shiftCount(count: Scalar, bits: number): number {
  return count >= 0 && count < bits ? Number(count) : bits;
}

function wrapNumber(type: IntegerType, value: number): Scalar {
  switch (type.bits) {
    case 32:
      return type.signed ? value | 0 : value >>> 0;
    case 64:
      // The sum takes the sign off a negative zero.
      return type.signed || value >= 0 ? value + 0 : wrapWide(type, BigInt(value));
    case 16:
      return type.signed ? (value << 16) >> 16 : value & 0xffff;
    case 8:
      return type.signed ? (value << 24) >> 24 : value & 0xff;
  }
}

function wrapWide(type: IntegerType, value: bigint): Scalar {
  return canonical(type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value));
}

/** Rounds an integer beyond 2^53 once, not first to double and then to `format`. */
function roundInteger(format: FloatType["format"], value: bigint): number {
  if (format === "double") return Number(value);
  const magnitude = value < 0n ? -value : value;
  // What is shifted out is kept as one sticky bit, far below the last bit of every narrower format.
  const top = Number((magnitude >> 11n) | (magnitude & 2047n ? 1n : 0n));
  const rounded = roundTo(format, top * 2 ** 11);
  return value < 0n ? -rounded : rounded;
}

/**
 * What sm_90 was measured to give (test/semantics/device.jsonl). It saturates to 32 or 64 bits; from single and double, 8
 * and 16 bits are the low ones of that; from half and bfloat16, CUDA's headers saturate to the type itself. NaN is zero, but
 * the highest bit alone in 64 bits and where a double becomes 32 bits.
 */
function truncateOnDevice(value: number, from: FloatType, to: IntegerType): Scalar {
  if (Number.isNaN(value)) {
    const hasIndefinite = to.bits === 64 || (to.bits === 32 && from.format === "double");
    return hasIndefinite ? normalize(to, canonical(1n << BigInt(to.bits - 1))) : 0;
  }
  const isPartOfWord = to.bits < 32 && (from.format === "single" || from.format === "double");
  if (!isPartOfWord) return saturate(value, to);
  return normalize(to, saturate(value, to.signed ? wordSigned : wordUnsigned));
}

function saturate(value: number, to: IntegerType): Scalar {
  const truncated = Math.trunc(value) + 0;
  if (truncated <= Number(leastOf(to))) return leastOf(to);
  if (truncated >= Number(greatestOf(to))) return greatestOf(to);
  return integerOf(truncated);
}

function truncateOnHost(value: number, to: IntegerType): Scalar {
  if (to.bits === 64 && !to.signed && value >= 2 ** 63) {
    const rest = hostTruncate64(value - 2 ** 63);
    return normalize(to, canonical(BigInt(rest) + (1n << 63n)));
  }
  if (to.bits === 64 || (to.bits === 32 && !to.signed)) return normalize(to, hostTruncate64(value));
  const truncated = Math.trunc(value);
  return normalize(to, truncated >= -(2 ** 31) && truncated < 2 ** 31 ? truncated + 0 : -(2 ** 31));
}

/** `cvttsd2si` to 64 bits: the least integer stands for whatever does not fit. */
function hostTruncate64(value: number): Scalar {
  const truncated = Math.trunc(value);
  return truncated >= -(2 ** 63) && truncated < 2 ** 63 ? integerOf(truncated) : -(1n << 63n);
}

/** The canonical form of an integral double. */
function integerOf(value: number): Scalar {
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value);
}
