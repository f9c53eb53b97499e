// Rounding of doubles to the narrower floating-point formats, and their bit patterns.
import type { FloatType } from "../ir/type.ts";

type Format = FloatType["format"];

/** `value` rounded to the nearest number of `format`, ties to even, as every IEEE conversion does. */
export function roundTo(format: Format, value: number): number {
  switch (format) {
    case "double":
      return value;
    case "single":
      return Math.fround(value);
    case "half":
      return roundSignificand(value, 11, -24, 65504);
    case "bfloat16":
      return roundSignificand(value, 8, -133, largestBfloat16);
  }
}

/** The 16 bits of a number that is exactly a half. */
export function bitsOfHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7fff;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude === Number.POSITIVE_INFINITY) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | (magnitude * 2 ** 24);
  const exponent = exponentOf(magnitude);
  return sign | ((exponent + 15) << 10) | (magnitude / 2 ** (exponent - 10) - 1024);
}

/** The number that the 16 bits of a half stand for. */
export function halfOfBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

const scratch = new DataView(new ArrayBuffer(8));

/** The 16 bits of a number that is exactly a bfloat16. */
export function bitsOfBfloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7fff;
  scratch.setFloat32(0, value);
  return scratch.getUint16(0);
}

/** The number that the 16 bits of a bfloat16 stand for. */
export function bfloat16OfBits(bits: number): number {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}

const largestBfloat16 = 255 * 2 ** 120;

/** Rounds to `precisionBits` significant bits, not finer than 2^`leastExponent`; beyond `largest` the result is infinite. */
function roundSignificand(
  value: number,
  precisionBits: number,
  leastExponent: number,
  largest: number,
): number {
  const magnitude = Math.abs(value);
  if (!(magnitude > 0) || magnitude === Number.POSITIVE_INFINITY) return value;
  const unit = 2 ** Math.max(exponentOf(magnitude) - precisionBits + 1, leastExponent);
  const rounded = roundHalfEven(magnitude / unit) * unit;
  const result = rounded > largest ? Number.POSITIVE_INFINITY : rounded;
  return value < 0 ? -result : result;
}

/** Floor of the binary logarithm of a positive finite double. */
function exponentOf(magnitude: number): number {
  scratch.setFloat64(0, magnitude);
  const exponent = (scratch.getUint16(0) >> 4) & 2047;
  return exponent === 0 ? -1074 : exponent - 1023;
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}
