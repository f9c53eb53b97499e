// One integer or float for each of the 32 lanes of a warp: a bare scalar where all lanes agree, else 32 of them. No types and
// no wrap-around here: these are mathematical integers (or the floats as they are).
import type { Scalar } from "../../semantics/scalar.ts";

export type Lanes = Scalar | readonly Scalar[];

export const laneCount = 32;
export const allLanes = -1;

/** The value of one lane. */
export function laneOf(lanes: Lanes, lane: number): Scalar {
  return typeof lanes === "object" ? (lanes[lane] ?? 0) : lanes;
}

export function isUniform(lanes: Lanes): lanes is Scalar {
  return typeof lanes !== "object";
}

/** Applies `operation` lane by lane; stays a bare scalar where both operands are. */
function zipLanes(a: Lanes, b: Lanes, operation: (a: Scalar, b: Scalar) => Scalar): Lanes {
  if (typeof a !== "object" && typeof b !== "object") return operation(a, b);
  const result = newLanes();
  for (let lane = 0; lane < laneCount; lane++) result[lane] = operation(laneOf(a, lane), laneOf(b, lane));
  return foldLanes(result);
}

export function mapLanes(a: Lanes, operation: (a: Scalar) => Scalar): Lanes {
  if (typeof a !== "object") return operation(a);
  const result = newLanes();
  for (let lane = 0; lane < laneCount; lane++) result[lane] = operation(a[lane] ?? 0);
  return foldLanes(result);
}

/** What differs from `a` by multiples of 2^64 alone, nearest to 0: what sums of 64 bits come to. */
export function nearestOf64Bits(a: Lanes): Lanes {
  return isSafe(a)
    ? a
    : mapLanes(a, (value) => (typeof value === "number" ? value : narrow(BigInt.asIntN(64, value))));
}

/** Whether doubles hold the values of all lanes. */
export function isSafe(a: Lanes): boolean {
  if (typeof a !== "object") return typeof a === "number";
  for (let lane = 0; lane < laneCount; lane++) if (typeof a[lane] === "bigint") return false;
  return true;
}

/** The 32 values as a bare scalar where all are equal. */
export function foldLanes(values: readonly Scalar[]): Lanes {
  const first = values[0] ?? 0;
  for (let lane = 1; lane < laneCount; lane++) if (values[lane] !== first) return values;
  return first;
}

/** Of the length that it will have: one that grows is copied on the way. */
function newLanes(): Scalar[] {
  return new Array<Scalar>(laneCount);
}

function lanesFrom(valueAt: (lane: number) => Scalar): Lanes {
  const values = newLanes();
  for (let lane = 0; lane < laneCount; lane++) values[lane] = valueAt(lane);
  return foldLanes(values);
}

/** `a` in the lanes of `mask`, `b` in the others. */
export function blendLanes(mask: number, a: Lanes, b: Lanes): Lanes {
  if (a === b || mask === allLanes) return a;
  if (mask === 0) return b;
  return lanesFrom((lane) => laneOf((mask >>> lane) & 1 ? a : b, lane));
}

export function sameLanes(a: Lanes, b: Lanes): boolean {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  if (a !== b) for (let lane = 0; lane < laneCount; lane++) if (a[lane] !== b[lane]) return false;
  return true;
}

export function addLanes(a: Lanes, b: Lanes): Lanes {
  if (a === 0) return b;
  if (b === 0) return a;
  if (typeof a !== "object" && typeof b !== "object") return addScalars(a, b);
  // Most are small numbers, which are added here without a call.
  const result = newLanes();
  let isUniform = true;
  for (let lane = 0; lane < laneCount; lane++) {
    const left = laneOf(a, lane);
    const right = laneOf(b, lane);
    const sum = typeof left === "number" && typeof right === "number" ? left + right : Infinity;
    const exact = Number.isSafeInteger(sum) ? sum : addScalars(left, right);
    result[lane] = exact;
    if (exact !== result[0]) isUniform = false;
  }
  return isUniform ? (result[0] ?? 0) : result;
}

export function subtractLanes(a: Lanes, b: Lanes): Lanes {
  return b === 0 ? a : zipLanes(a, b, subtractScalars);
}

export function multiplyLanes(a: Lanes, b: Lanes): Lanes {
  if (a === 1) return b;
  if (b === 1) return a;
  return zipLanes(a, b, multiplyScalars);
}

/** The greatest common divisor of the magnitudes over the lanes of `mask`; 0 where all are 0. */
export function divisorOfLanes(lanes: Lanes, mask: number): number {
  if (typeof lanes !== "object") return typeof lanes === "bigint" ? lowBit(lanes) : Math.abs(lanes);
  let divisor = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const value = lanes[lane] ?? 0;
    divisor = greatestDivisor(divisor, typeof value === "bigint" ? lowBit(value) : Math.abs(value));
  }
  return divisor;
}

export function greatestDivisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

/** Whether every lane of `mask` is a multiple of `divisor`. */
export function isMultiple(lanes: Lanes, divisor: number, mask: number): boolean {
  if (typeof lanes === "number") return lanes % divisor === 0;
  for (let lane = 0; lane < laneCount; lane++)
    if ((mask >>> lane) & 1 && floorModulo(laneOf(lanes, lane), divisor) !== 0) return false;
  return true;
}

/** Whether the lanes of `mask` all hold one value; that of the first is returned, else null. */
export function uniformOver(lanes: Lanes, mask: number): Scalar | null {
  if (typeof lanes !== "object") return lanes;
  let found: Scalar | null = null;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const value = lanes[lane] ?? 0;
    if (found === null) found = value;
    else if (found !== value) return null;
  }
  return found ?? 0;
}

function addScalars(a: Scalar, b: Scalar): Scalar {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return narrow(BigInt(a) + BigInt(b));
}

export function subtractScalars(a: Scalar, b: Scalar): Scalar {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return narrow(BigInt(a) - BigInt(b));
}

function multiplyScalars(a: Scalar, b: Scalar): Scalar {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product === 0 ? 0 : product;
  }
  return narrow(BigInt(a) * BigInt(b));
}

/** Division rounded towards minus infinity; the divisor is positive. */
export function floorDivide(a: Scalar, divisor: number): Scalar {
  if (typeof a === "number") return Math.floor(a / divisor);
  const remainder = floorModulo(a, divisor);
  return narrow((a - BigInt(remainder)) / BigInt(divisor));
}

/** The remainder of `floorDivide`, never negative. */
export function floorModulo(a: Scalar, divisor: number): number {
  if (typeof a === "number") {
    const remainder = a % divisor;
    return remainder < 0 ? remainder + divisor : remainder === 0 ? 0 : remainder;
  }
  const wide = BigInt(divisor);
  return Number(((a % wide) + wide) % wide);
}

export function popCount(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

function narrow(value: bigint): Scalar {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The lowest set bit of a wide integer, a power of two that surely divides it (capped, which only loses precision). */
function lowBit(value: bigint): number {
  return Number(BigInt.asUintN(32, value & -value)) || 2 ** 32;
}
