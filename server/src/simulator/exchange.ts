// Shuffles, votes, matches and reductions among the active lanes of a warp.
import type { BinaryOperator, Intrinsic } from "../ir/expression.ts";
import type { ScalarType } from "../ir/type.ts";
import { int32, uint64 } from "../ir/type.ts";
import { binary, convert } from "../semantics/arithmetic.ts";
import { laneCount, maskOf } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import { storeScalar } from "./access.ts";
import { accessOf, lanesOfMask, type ValueCode } from "./expression.ts";
import type { Scope } from "./function.ts";
import { compileUnknown, lanesOf } from "./intrinsic.ts";
import { type LaneValue, laneValue, scalarTypeOf, tainted, uniform, zeroValue } from "./value.ts";

export function compileWarpExchange(
  scope: Scope,
  expression: Intrinsic,
  allCodes: readonly ValueCode[],
): ValueCode {
  const { name } = expression;
  if (name === "__activemask") return (_warp, mask) => uniform(mask >>> 0);
  const isSync = name.endsWith("_sync");
  const codes = isSync ? allCodes.slice(1) : allCodes;
  const plainName = isSync ? name.slice(0, -"_sync".length) : name;
  const type = scalarTypeOf(expression.type) ?? uint64;
  if (plainName.startsWith("__shfl")) return compileShuffle(plainName, codes);
  if (plainName.startsWith("__reduce")) return compileReduction(plainName, type, codes);
  switch (plainName) {
    case "__ballot":
      return voting(codes, (votes) => uniform(votes >>> 0));
    case "__any":
      return voting(codes, (votes) => uniform(votes === 0 ? 0 : 1));
    case "__all":
      return voting(codes, (votes, mask) => uniform(votes === mask ? 1 : 0));
    case "__match_any":
      return (warp, mask) => matchAny(mask, lanesOf(codes[0]?.(warp, mask)));
    case "__match_all":
      return compileMatchAll(scope, expression, codes);
    default:
      return compileUnknown(allCodes, `${name} is not run`);
  }
}

/** A vote is known only where every active lane's is. */
function voting(codes: readonly ValueCode[], count: (votes: number, mask: number) => LaneValue): ValueCode {
  return (warp, mask) => {
    const predicate = lanesOf(codes[0]?.(warp, mask));
    if (predicate.taint & mask) return tainted(predicate.reason ?? "a vote that is not known");
    return count(maskOf(predicate.lanes) & mask, mask);
  };
}

function compileShuffle(name: string, codes: readonly ValueCode[]): ValueCode {
  const [valueCode, otherCode, widthCode] = codes;
  return (warp, mask) => {
    const value = lanesOf(valueCode?.(warp, mask));
    const other = lanesOf(otherCode?.(warp, mask));
    const width = widthCode === undefined ? uniform(laneCount) : lanesOf(widthCode(warp, mask));
    const lanes: Scalar[] = zeroValue.lanes.slice();
    let taint = other.taint | width.taint;
    for (let lane = 0; lane < laneCount; lane++) {
      if (!((mask >>> lane) & 1)) continue;
      const amount = Number(convert(other.lanes[lane] ?? 0, int32, int32));
      const source = sourceLane(name, lane, amount, Number(width.lanes[lane] ?? laneCount));
      const isKnown = ((mask & ~value.taint) >>> source) & 1;
      if (!isKnown) taint |= 1 << lane;
      lanes[lane] = value.lanes[source] ?? 0;
    }
    const reason =
      taint === 0 ? null : (value.reason ?? other.reason ?? "a shuffle from a lane that is not active");
    return laneValue(lanes, taint, reason);
  };
}

/** As PTX's `shfl` chooses it: the own lane where the other one lies outside the segment of `width` lanes. */
function sourceLane(name: string, lane: number, amount: number, width: number): number {
  const start = lane & ~(width - 1);
  const last = start | (width - 1);
  switch (name) {
    case "__shfl_up":
      return lane - amount >= start ? lane - amount : lane;
    case "__shfl_down":
      return lane + amount <= last ? lane + amount : lane;
    case "__shfl_xor": {
      const source = (lane ^ amount) & (laneCount - 1);
      return source <= last ? source : lane;
    }
    default:
      return start | (amount & (width - 1));
  }
}

const reductions = new Map<string, BinaryOperator>([
  ["__reduce_add", "+"],
  ["__reduce_and", "&"],
  ["__reduce_or", "|"],
  ["__reduce_xor", "^"],
  ["__reduce_min", "<"],
  ["__reduce_max", ">"],
]);

function compileReduction(name: string, type: ScalarType, codes: readonly ValueCode[]): ValueCode {
  const operator = reductions.get(name);
  if (operator === undefined) return compileUnknown(codes, `${name} is not run`);
  return (warp, mask) => {
    const value = lanesOf(codes[0]?.(warp, mask));
    if (value.taint & mask) return tainted(value.reason ?? "a reduction of what is not known");
    let result: Scalar | null = null;
    for (let lane = 0; lane < laneCount; lane++) {
      if (!((mask >>> lane) & 1)) continue;
      const one = value.lanes[lane] ?? 0;
      result = result === null ? one : combine(operator, type, result, one);
    }
    return uniform(result ?? 0);
  };
}

/** A comparison keeps the operand that it holds for. */
function combine(operator: BinaryOperator, type: ScalarType, left: Scalar, right: Scalar): Scalar {
  const value = binary(operator, type, left, right) ?? 0;
  if (operator !== "<" && operator !== ">") return value;
  return value === 1 ? left : right;
}

function matchAny(mask: number, value: LaneValue): LaneValue {
  if (value.taint & mask) return tainted(value.reason ?? "a match of what is not known");
  const lanes: Scalar[] = zeroValue.lanes.slice();
  for (let lane = 0; lane < laneCount; lane++) {
    if ((mask >>> lane) & 1) lanes[lane] = lanesWith(mask, value, value.lanes[lane] ?? 0) >>> 0;
  }
  return laneValue(lanes);
}

function lanesWith(mask: number, value: LaneValue, scalar: Scalar): number {
  let same = 0;
  for (let lane = 0; lane < laneCount; lane++) if (value.lanes[lane] === scalar) same |= 1 << lane;
  return same & mask;
}

/** `__match_all_sync(mask, value, &predicate)`: the active lanes where all agree, else 0, and whether they do. */
function compileMatchAll(scope: Scope, expression: Intrinsic, codes: readonly ValueCode[]): ValueCode {
  const [valueCode, pointerCode] = codes;
  const access = accessOf(scope, expression.site, "store");
  return (warp, mask) => {
    const value = lanesOf(valueCode?.(warp, mask));
    const pointer = lanesOf(pointerCode?.(warp, mask));
    if (value.taint & mask) return tainted(value.reason ?? "a match of what is not known");
    const first = value.lanes[31 - Math.clz32(mask & -mask)] ?? 0;
    const isSame = lanesWith(mask, value, first) === mask;
    const predicate = laneValue(lanesOfMask(isSame ? mask : 0));
    if (pointerCode !== undefined) storeScalar(warp, mask, pointer, 0, int32, predicate, access);
    return uniform(isSame ? mask >>> 0 : 0);
  };
}
