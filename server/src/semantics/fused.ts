// Fused multiply-add with its single rounding.
import type { FloatType } from "../ir/type.ts";
import { roundTo } from "./rounding.ts";

/** `left * right + addend`, all of `format`, rounded once. */
export function fusedMultiplyAdd(
  format: FloatType["format"],
  left: number,
  right: number,
  addend: number,
): number {
  const product = left * right;
  const isSpecial =
    !Number.isFinite(left) ||
    !Number.isFinite(right) ||
    !Number.isFinite(addend) ||
    left === 0 ||
    right === 0;
  if (isSpecial) return roundTo(format, product + addend);
  if (format === "double") return exactMultiplyAdd(left, right, addend);
  // The product of two narrower numbers is exact in double, so that only the sum need be kept from rounding twice.
  const sum = product + addend;
  return roundTo(format, roundToOdd(sum, residue(product, addend, sum)));
}

/** What the sum of two doubles lost (Knuth's two-sum). */
function residue(left: number, right: number, sum: number): number {
  const part = sum - left;
  return left - (sum - part) + (right - part);
}

const scratch = new DataView(new ArrayBuffer(8));

/** Of the two doubles around `sum + lost` that with an odd last bit: rounding it again to fewer bits is exact. */
function roundToOdd(sum: number, lost: number): number {
  if (lost === 0) return sum;
  scratch.setFloat64(0, sum);
  const bits = scratch.getBigInt64(0);
  if (bits & 1n) return sum;
  scratch.setBigInt64(0, lost > 0 === sum > 0 ? bits + 1n : bits - 1n);
  return scratch.getFloat64(0);
}

function exactMultiplyAdd(left: number, right: number, addend: number): number {
  const [a, b, c] = [decompose(left), decompose(right), decompose(addend)];
  const productExponent = a.exponent + b.exponent;
  const exponent = Math.min(productExponent, c.exponent);
  const total =
    ((a.significand * b.significand) << BigInt(productExponent - exponent)) +
    (c.significand << BigInt(c.exponent - exponent));
  return compose(total, exponent);
}

/** `value` as an integer times a power of two. */
function decompose(value: number): { readonly significand: bigint; readonly exponent: number } {
  scratch.setFloat64(0, value);
  const bits = scratch.getBigUint64(0);
  const biased = Number((bits >> 52n) & 2047n);
  const fraction = bits & ((1n << 52n) - 1n);
  const magnitude = biased === 0 ? fraction : fraction | (1n << 52n);
  return { significand: value < 0 ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 1075 };
}

/** The double nearest to `integer` times 2^`exponent`, ties to even. */
function compose(integer: bigint, exponent: number): number {
  const magnitude = integer < 0n ? -integer : integer;
  const bitCount = magnitude.toString(2).length;
  const dropped = Math.max(exponent + bitCount - 53, -1074) - exponent;
  const rounded =
    dropped <= 0
      ? Number(magnitude) * 2 ** exponent
      : Number(shiftRounded(magnitude, dropped)) * 2 ** (exponent + dropped);
  return integer < 0n ? -rounded : rounded;
}

function shiftRounded(magnitude: bigint, count: number): bigint {
  const floor = magnitude >> BigInt(count);
  const rest = magnitude - (floor << BigInt(count));
  const half = 1n << BigInt(count - 1);
  const isUp = rest > half || (rest === half && (floor & 1n) === 1n);
  return isUp ? floor + 1n : floor;
}
