// The functions of CUDA's and C's libraries that depend on their arguments alone (see ir/intrinsic.ts), on one scalar.
// Transcendental functions are JavaScript's, rounded to the result's type: their last bit may differ from the GPU's.
import type { FloatType, ScalarType } from "../ir/type.ts";
import { bfloat16, float32, float64, half, int16, int32, int64, uint16, uint32 } from "../ir/type.ts";
import { canonical, normalize } from "./arithmetic.ts";
import { reinterpret } from "./bytes.ts";
import { fusedMultiplyAdd } from "./fused.ts";
import type { Scalar } from "./scalar.ts";

/**
 * The intrinsic `name` of `values`, which have `argumentTypes`; the result has `type`. Null where warplint cannot tell: a
 * name that is not pure or not implemented (`erf`, `tgamma`…), or too few arguments.
 */
export function pureIntrinsic(
  name: string,
  type: ScalarType,
  argumentTypes: readonly ScalarType[],
  values: readonly Scalar[],
): Scalar | null {
  const [first = 0, second = 0, third = 0] = values;
  const real = reals.get(name);
  if (real !== undefined) return normalize(type, real(Number(first), Number(second)));
  const bits = bitFunctions.get(name);
  if (bits !== undefined) return normalize(type, bits(first, second, third));
  const cast = bitCasts.get(name);
  if (cast !== undefined) return normalize(type, reinterpret(first, cast.from, cast.to));
  switch (name) {
    case "min":
    case "max":
      return normalize(
        type,
        isFloat(type) ? extreme(name, Number(first), Number(second)) : pick(name, first, second),
      );
    case "abs":
      return normalize(type, first < 0 ? negated(first) : isFloat(type) ? Math.abs(Number(first)) : first);
    case "fma":
      return fusedMultiplyAdd(floatFormat(type, argumentTypes), Number(first), Number(second), Number(third));
    default:
      return null;
  }
}

const reals = new Map<string, (x: number, y: number) => number>([
  ["fabs", Math.abs],
  ["sqrt", Math.sqrt],
  ["rsqrt", (x) => 1 / Math.sqrt(x)],
  ["cbrt", Math.cbrt],
  ["exp", Math.exp],
  ["exp2", (x) => 2 ** x],
  ["exp10", (x) => 10 ** x],
  ["expm1", Math.expm1],
  ["log", Math.log],
  ["log2", Math.log2],
  ["log10", Math.log10],
  ["log1p", Math.log1p],
  ["pow", power],
  ["sin", Math.sin],
  ["cos", Math.cos],
  ["tan", Math.tan],
  ["asin", Math.asin],
  ["acos", Math.acos],
  ["atan", Math.atan],
  ["atan2", Math.atan2],
  ["sinh", Math.sinh],
  ["cosh", Math.cosh],
  ["tanh", Math.tanh],
  ["floor", Math.floor],
  ["ceil", Math.ceil],
  ["round", roundAwayFromZero],
  ["trunc", Math.trunc],
  ["rint", roundHalfEven],
  ["fmin", (x, y) => extreme("min", x, y)],
  ["fmax", (x, y) => extreme("max", x, y)],
  ["fmod", (x, y) => x % y],
  ["hypot", Math.hypot],
  ["copysign", (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x))],
  ["isnan", (x) => (Number.isNaN(x) ? 1 : 0)],
  ["isinf", (x) => (Math.abs(x) === Number.POSITIVE_INFINITY ? 1 : 0)],
  ["signbit", (x) => (x < 0 || Object.is(x, -0) ? 1 : 0)],
  ["__saturatef", (x) => (x > 0 ? Math.min(x, 1) : 0)],
  // PTX: div.approx of a divisor between 2^126 and 2^128 gives zero.
  ["__fdividef", (x, y) => (Math.abs(y) > 2 ** 126 && Math.abs(y) < 2 ** 128 ? 0 * x * Math.sign(y) : x / y)],
  ["__frcp_rn", (x) => 1 / x],
]);

/** A function of one or two reals, as JavaScript computes it in doubles. */
export function realFunction(name: string): (x: number, y: number) => number {
  return reals.get(name) ?? (() => Number.NaN);
}

const bitFunctions = new Map<string, (x: Scalar, y: Scalar, z: Scalar) => Scalar>([
  ["__popc", (x) => popcount(Number(x))],
  ["__popcll", (x) => popcount(highWord(x)) + popcount(lowWord(x))],
  ["__clz", (x) => Math.clz32(Number(x))],
  ["__clzll", (x) => (highWord(x) === 0 ? 32 + Math.clz32(lowWord(x)) : Math.clz32(highWord(x)))],
  ["__ffs", (x) => firstSet(Number(x))],
  ["__ffsll", (x) => (lowWord(x) === 0 ? firstSetHigh(highWord(x)) : firstSet(lowWord(x)))],
  ["__brev", (x) => reverse(Number(x))],
  ["__brevll", (x) => join(reverse(lowWord(x)), reverse(highWord(x)))],
  ["__umulhi", (x, y) => Number((unsigned(x, 32) * unsigned(y, 32)) >> 32n)],
  ["__mulhi", (x, y) => Number((signed(x, 32) * signed(y, 32)) >> 32n)],
  ["__umul64hi", (x, y) => canonical((unsigned(x, 64) * unsigned(y, 64)) >> 64n)],
  ["__mul64hi", (x, y) => canonical((signed(x, 64) * signed(y, 64)) >> 64n)],
  ["__mul24", (x, y) => Math.imul((lowWord(x) << 8) >> 8, (lowWord(y) << 8) >> 8)],
  ["__umul24", (x, y) => Math.imul(lowWord(x) & 0xffffff, lowWord(y) & 0xffffff) >>> 0],
  ["__funnelshift_l", (low, high, count) => funnel(high, low, lowWord(count) & 31, "left")],
  ["__funnelshift_r", (low, high, count) => funnel(high, low, lowWord(count) & 31, "right")],
  ["__byte_perm", (x, y, selector) => permuteBytes(lowWord(x), lowWord(y), lowWord(selector))],
  ["__sad", (x, y, z) => Math.abs(Number(x) - Number(y)) + Number(z)],
  ["__usad", (x, y, z) => Math.abs(Number(x) - Number(y)) + Number(z)],
  ["__vabsdiffu4", (x, y) => byteDifferences(lowWord(x), lowWord(y))],
]);

/** The absolute differences of the four bytes of each word. */
function byteDifferences(x: number, y: number): number {
  const difference = (shift: number) => Math.abs(((x >>> shift) & 255) - ((y >>> shift) & 255)) << shift;
  return (difference(0) | difference(8) | difference(16) | difference(24)) >>> 0;
}

const bitCasts = new Map<string, { readonly from: ScalarType; readonly to: ScalarType }>([
  ["__float_as_int", { from: float32, to: int32 }],
  ["__int_as_float", { from: int32, to: float32 }],
  ["__float_as_uint", { from: float32, to: uint32 }],
  ["__uint_as_float", { from: uint32, to: float32 }],
  ["__double_as_longlong", { from: float64, to: int64 }],
  ["__longlong_as_double", { from: int64, to: float64 }],
  ["__half_as_short", { from: half, to: int16 }],
  ["__half_as_ushort", { from: half, to: uint16 }],
  ["__short_as_half", { from: int16, to: half }],
  ["__ushort_as_half", { from: uint16, to: half }],
  ["__bfloat16_as_short", { from: bfloat16, to: int16 }],
  ["__bfloat16_as_ushort", { from: bfloat16, to: uint16 }],
  ["__short_as_bfloat16", { from: int16, to: bfloat16 }],
  ["__ushort_as_bfloat16", { from: uint16, to: bfloat16 }],
]);

function isFloat(type: ScalarType): type is FloatType {
  return type.kind === "float";
}

function floatFormat(type: ScalarType, argumentTypes: readonly ScalarType[]): FloatType["format"] {
  if (isFloat(type)) return type.format;
  const argument = argumentTypes.find(isFloat);
  return argument === undefined ? "double" : argument.format;
}

function negated(value: Scalar): Scalar {
  return typeof value === "bigint" ? canonical(-value) : -value;
}

function pick(which: "min" | "max", left: Scalar, right: Scalar): Scalar {
  return (which === "min") === left < right ? left : right;
}

/** As C has it, the other one where one is not a number. */
export function extreme(which: "min" | "max", left: number, right: number): number {
  if (Number.isNaN(left)) return right;
  if (Number.isNaN(right)) return left;
  return which === "min" ? Math.min(left, right) : Math.max(left, right);
}

/** C's pow: 1 to any power and -1 to an infinite one are 1, where JavaScript says NaN. */
function power(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY)) return 1;
  return base ** exponent;
}

function roundAwayFromZero(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (Number.isNaN(rest) || rest === 0) return value;
  const isUp = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0);
  const result = isUp ? floor + 1 : floor;
  return result === 0 && value < 0 ? -0 : result;
}

function lowWord(value: Scalar): number {
  return typeof value === "number" ? value >>> 0 : Number(BigInt.asUintN(32, value));
}

function highWord(value: Scalar): number {
  return typeof value === "number"
    ? Math.floor(value / 2 ** 32) >>> 0
    : Number(BigInt.asUintN(32, value >> 32n));
}

function join(high: number, low: number): Scalar {
  return canonical((BigInt(high) << 32n) | BigInt(low));
}

function unsigned(value: Scalar, bits: number): bigint {
  return BigInt.asUintN(bits, BigInt(value));
}

function signed(value: Scalar, bits: number): bigint {
  return BigInt.asIntN(bits, BigInt(value));
}

function popcount(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  rest = (rest + (rest >>> 4)) & 0x0f0f0f0f;
  return Math.imul(rest, 0x01010101) >>> 24;
}

/** One more than the place of the lowest bit set, 0 where none is. */
function firstSet(word: number): number {
  return 32 - Math.clz32(word & -word);
}

function firstSetHigh(word: number): number {
  return word === 0 ? 0 : 32 + firstSet(word);
}

function reverse(word: number): number {
  let rest = ((word >>> 1) & 0x55555555) | ((word & 0x55555555) << 1);
  rest = ((rest >>> 2) & 0x33333333) | ((rest & 0x33333333) << 2);
  rest = ((rest >>> 4) & 0x0f0f0f0f) | ((rest & 0x0f0f0f0f) << 4);
  rest = ((rest >>> 8) & 0x00ff00ff) | ((rest & 0x00ff00ff) << 8);
  return ((rest >>> 16) | (rest << 16)) >>> 0;
}

function funnel(high: Scalar, low: Scalar, count: number, direction: "left" | "right"): number {
  if (count === 0) return direction === "left" ? lowWord(high) : lowWord(low);
  return direction === "left"
    ? ((lowWord(high) << count) | (lowWord(low) >>> (32 - count))) >>> 0
    : ((lowWord(low) >>> count) | (lowWord(high) << (32 - count))) >>> 0;
}

/** Each nibble of the selector picks one of the eight bytes of `y:x`; its fourth bit is ignored, as `__byte_perm` says. */
function permuteBytes(x: number, y: number, selector: number): number {
  let result = 0;
  for (let byte = 0; byte < 4; byte++) {
    const picked = (selector >>> (byte * 4)) & 7;
    const source = picked < 4 ? x >>> (picked * 8) : y >>> ((picked - 4) * 8);
    result |= (source & 0xff) << (byte * 8);
  }
  return result >>> 0;
}
