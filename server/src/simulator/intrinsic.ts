// The intrinsics of ir/intrinsic.ts for a warp.
import { copyPath } from "../hardware/async-copy.ts";
import type { Intrinsic } from "../ir/expression.ts";
import { halfFunctions } from "../ir/half-function.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import type { ScalarType, Type } from "../ir/type.ts";
import { isScalar, sizeOf, uint64 } from "../ir/type.ts";
import { pureIntrinsic } from "../semantics/intrinsic.ts";
import { intrinsicLanes, laneCount } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import { type Access, announce, loadBytes, loadScalar, storeBytes, storeScalar } from "./access.ts";
import { compileAtomic } from "./atomic.ts";
import { compileWarpExchange } from "./exchange.ts";
import { accessOf, compileValue, pieceBytesOf, type ValueCode } from "./expression.ts";
import type { Scope } from "./function.ts";
import { compileHalfFunction } from "./half.ts";
import type { Warp } from "./machine.ts";
import { compileMatrixLoad, compileMatrixStore } from "./matrix.ts";
import { segmentOf, sharedSegment } from "./memory.ts";
import { uncomputedLanes } from "./uncomputed.ts";
import {
  type BytesValue,
  emptyBytes,
  isBytes,
  type LaneValue,
  laneValue,
  scalarTypeOf,
  selectLanes,
  tainted,
  uniform,
  type Value,
  zeroValue,
} from "./value.ts";

/** The values of the lanes, or of their bytes where the intrinsic gives a record. */
export function compileIntrinsic(scope: Scope, expression: Intrinsic): ValueCode {
  const codes = expression.arguments.map((argument) => compileValue(scope, argument));
  const effect = intrinsicEffect(expression.name);
  switch (effect) {
    case "identity":
      return compileIdentity(expression.name);
    case "pure":
      return compileFunction(expression, codes);
    case "load":
      return compileLoad(scope, expression, codes);
    case "store":
      return compileStore(scope, expression, codes);
    case "atomic":
      return compileAtomic(scope, expression, codes);
    case "async-copy":
      return compileAsyncCopy(scope, expression, codes);
    case "matrix-load":
      return compileMatrixLoad(scope, expression, codes);
    case "matrix-store":
      return compileMatrixStore(scope, expression, codes);
    case "warp":
      return compileWarpExchange(scope, expression, codes);
    case "host":
    case null:
      return compileUnknown(codes, `${expression.name} is not known in device code`);
  }
}

export function compileUnknown(codes: readonly ValueCode[], reason: string): ValueCode {
  const value = tainted(reason);
  return (warp, mask) => {
    for (const code of codes) code(warp, mask);
    return value;
  };
}

/** The lanes of an argument; a record where lanes are meant is unknown. */
export function lanesOf(value: Value | undefined): LaneValue {
  if (value === undefined) return zeroValue;
  return isBytes(value) ? tainted("a class where a number is meant") : value;
}

function compileIdentity(name: string): ValueCode {
  const [register, axisName] = name.split(".");
  const axis = axisName === "x" ? 0 : axisName === "y" ? 1 : 2;
  switch (register) {
    case "threadIdx":
      return (warp) => laneValue(warp.threads[axis]);
    case "blockIdx":
      return (warp) => warp.block.indexValues[axis];
    case "blockDim":
      return (warp) => warp.machine.blockValues[axis];
    case "gridDim":
      return (warp) => warp.machine.gridValues[axis];
    case "warpSize":
      return () => thirtyTwo;
    case "laneid":
      return () => laneNumbers;
    case "warpid":
      return (warp) => uniform(warp.index);
    default:
      return () => tainted(`${name} is not known`);
  }
}

const thirtyTwo = uniform(laneCount);
const laneNumbers = laneValue(Array.from({ length: laneCount }, (_, lane) => lane));

function compileFunction(expression: Intrinsic, codes: readonly ValueCode[]): ValueCode {
  const ofHalves = halfFunctions.get(expression.name);
  return ofHalves ? compileHalfFunction(expression, ofHalves, codes) : compilePure(expression, codes);
}

function compilePure(expression: Intrinsic, codes: readonly ValueCode[]): ValueCode {
  const { name, type } = expression;
  const argumentTypes = expression.arguments.map((argument) => scalarTypeOf(argument.type) ?? uint64);
  if (name === "__isShared") return compileIsShared(codes);
  if (!isScalar(type)) return compileUnknown(codes, `${name} is not understood here`);
  const reason = `the result of ${name} is not known`;
  return (warp, mask) => {
    const operands = codes.map((code) => lanesOf(code(warp, mask)));
    const taint = operands.reduce((all, one) => all | one.taint, 0);
    const lanes = intrinsicLanes(
      name,
      type,
      argumentTypes,
      operands.map((one) => one.lanes),
      mask,
    );
    if (lanes === null) return pureByLane(warp, name, type, argumentTypes, operands, mask, reason);
    return laneValue(lanes, taint, operands.find((one) => one.reason !== null)?.reason ?? null);
  };
}

function compileIsShared(codes: readonly ValueCode[]): ValueCode {
  return (warp, mask) => {
    const pointer = lanesOf(codes[0]?.(warp, mask));
    const lanes = pointer.lanes.map((address) => (segmentOf(Number(address)) === sharedSegment ? 1 : 0));
    return laneValue(lanes, pointer.taint, pointer.reason);
  };
}

function pureByLane(
  warp: Warp,
  name: string,
  type: ScalarType,
  argumentTypes: readonly ScalarType[],
  operands: readonly LaneValue[],
  mask: number,
  reason: string,
): LaneValue {
  const lanes: Scalar[] = zeroValue.lanes.slice();
  const taint = operands.reduce((all, one) => all | one.taint, 0);
  let uncomputed = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const value = pureIntrinsic(
      name,
      type,
      argumentTypes,
      operands.map((one) => one.lanes[lane] ?? 0),
    );
    if (value === null) uncomputed |= 1 << lane;
    else lanes[lane] = value;
  }
  const computed = laneValue(lanes, taint, reason);
  if (uncomputed === 0) return computed;
  return selectLanes(uncomputed, uncomputedLanes(warp, uncomputed, reason, type, operands), computed);
}

function compileLoad(scope: Scope, expression: Intrinsic, codes: readonly ValueCode[]): ValueCode {
  const access = accessOf(scope, expression.site, "load");
  const [address] = codes;
  return (warp, mask) => loadTyped(warp, mask, lanesOf(address?.(warp, mask)), expression.type, access);
}

function loadTyped(warp: Warp, mask: number, address: LaneValue, type: Type, access: Access): Value {
  const scalar = scalarTypeOf(type);
  if (scalar !== null) return loadScalar(warp, mask, address, 0, scalar, access);
  const size = sizeOf(type);
  if (size === null) return tainted("a type without a size");
  return loadBytes(warp, mask, address, 0, size, pieceBytesOf(type), access);
}

function compileStore(scope: Scope, expression: Intrinsic, codes: readonly ValueCode[]): ValueCode {
  const access = accessOf(scope, expression.site, "store");
  const [address, stored] = codes;
  const type = expression.arguments[1]?.type;
  const scalar = type === undefined ? null : scalarTypeOf(type);
  return (warp, mask) => {
    const to = lanesOf(address?.(warp, mask));
    const value = stored?.(warp, mask) ?? zeroValue;
    if (isBytes(value)) {
      if (type !== undefined) storeBytes(warp, mask, to, 0, value, pieceBytesOf(type), access);
    } else if (scalar !== null) storeScalar(warp, mask, to, 0, scalar, value, access);
    return zeroValue;
  };
}

/** Copies at once: who reads before the wait that the program owes reads the new bytes. */
function compileAsyncCopy(scope: Scope, expression: Intrinsic, codes: readonly ValueCode[]): ValueCode {
  const access: Access = {
    ...accessOf(scope, expression.site, "async-copy"),
    intrinsic: expression.name,
  };
  const silent: Access = { ...access, site: null };
  const [to, from, count, copied] = codes;
  return (warp, mask) => {
    const destination = lanesOf(to?.(warp, mask));
    const source = lanesOf(from?.(warp, mask));
    const size = Number(lanesOf(count?.(warp, mask)).lanes[0]);
    if (size !== 4 && size !== 8 && size !== 16) return tainted("an async copy of a size that is not known");
    const copiedBytes = copied ? lanesOf(copied(warp, mask)) : uniform(size);
    const reading = mask & lanesWhere((lane) => Number(copiedBytes.lanes[lane]) !== 0);
    const isCached = copyPath(expression.name, size) === "cached";
    announce(warp, mask, destination, 0, size, access, relative(source, isCached ? reading : mask));
    announce(warp, reading, source, 0, size, access, relative(destination, mask));
    const known = mask & ~destination.taint & ~source.taint & ~copiedBytes.taint;
    for (const copied of new Set(copiedBytes.lanes)) {
      const lanes = known & lanesWhere((lane) => copiedBytes.lanes[lane] === copied);
      if (lanes === 0) continue;
      const filled = emptyBytes(size);
      placeStart(filled, loadBytes(warp, lanes, source, 0, Math.min(Number(copied), size), 1, silent));
      storeBytes(warp, lanes, destination, 0, filled, size, silent);
    }
    return zeroValue;
  };
}

/** What an async copy does not copy becomes zero. */
function placeStart(whole: BytesValue, part: BytesValue): void {
  for (let lane = 0; lane < laneCount; lane++) {
    const [from, to] = [lane * part.sizeBytes, lane * whole.sizeBytes];
    whole.bytes.set(part.bytes.subarray(from, from + part.sizeBytes), to);
    whole.states.set(part.states.subarray(from, from + part.sizeBytes), to);
  }
}

function lanesWhere(holds: (lane: number) => boolean): number {
  let lanes = 0;
  for (let lane = 0; lane < laneCount; lane++) if (holds(lane)) lanes |= 1 << lane;
  return lanes;
}

/** Addresses of the other side, from the aligned base of a segment: all that its lines and banks depend on. Null outside of `mask`. */
function relative(value: LaneValue, mask: number): readonly (number | null)[] {
  return value.lanes.map((address, lane) => ((mask >>> lane) & 1 ? Number(address) % 2 ** 35 : null));
}
