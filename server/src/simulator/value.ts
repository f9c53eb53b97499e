// What an expression gives for a warp: 32 scalars, or 32 copies of a record's bytes; each lane may be tainted, that is unknown.
import type { ScalarType, Type } from "../ir/type.ts";
import { isScalar, uint64 } from "../ir/type.ts";
import { readScalar, writeScalar } from "../semantics/bytes.ts";
import { type LaneValues, laneCount } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";

/** Scalars, pointers (as addresses) and functions (as numbers). Never changed once built. */
export interface LaneValue {
  readonly lanes: LaneValues;
  /** Lanes whose value is not known, as a mask (signed or unsigned 32 bits). */
  readonly taint: number;
  /** Why, in words, where `taint` is not 0. */
  readonly reason: string | null;
}

/** The state of a byte: `known`, never written, or written with what is not known. */
export const known = 0;
export const uninitialized = 1;
export const unknown = 2;

/** Records and arrays: lane i has the bytes from i * sizeBytes on. Never changed once it is given away. */
export interface BytesValue {
  readonly sizeBytes: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** One state a byte. */
  readonly states: Uint8Array;
  readonly reason: string | null;
}

export type Value = LaneValue | BytesValue;

export function isBytes(value: Value): value is BytesValue {
  return "bytes" in value;
}

export function laneValue(lanes: LaneValues, taint = 0, reason: string | null = null): LaneValue {
  return { lanes, taint, reason };
}

/** A copy of it is an array of small integers without holes, which V8 keeps fast. */
const zeros: readonly Scalar[] = Array.from({ length: laneCount }, () => 0);

/** The same scalar in every lane. */
export function uniform(value: Scalar): LaneValue {
  return laneValue(zeros.slice().fill(value));
}

export const zeroValue: LaneValue = uniform(0);

/** A value that no lane knows. */
export function tainted(reason: string): LaneValue {
  return laneValue(zeroValue.lanes, -1, reason);
}

export function emptyBytes(sizeBytes: number, reason: string | null = null): BytesValue {
  const bytes = new Uint8Array(sizeBytes * laneCount);
  return {
    sizeBytes,
    bytes,
    view: new DataView(bytes.buffer),
    states: new Uint8Array(sizeBytes * laneCount),
    reason,
  };
}

export function taintedBytes(sizeBytes: number, reason: string): BytesValue {
  const value = emptyBytes(sizeBytes, reason);
  value.states.fill(unknown);
  return value;
}

/** How a value of `type` lies in memory, where it is one scalar: pointers and functions are 8 bytes. Null for the others. */
export function scalarTypeOf(type: Type): ScalarType | null {
  if (isScalar(type)) return type;
  return type.kind === "pointer" || type.kind === "function" ? uint64 : null;
}

/** `whenSet` in the lanes of `mask`, else `whenClear`. */
export function selectLanes(mask: number, whenSet: LaneValue, whenClear: LaneValue): LaneValue {
  if (mask === -1) return whenSet;
  if (mask === 0) return whenClear;
  const lanes = whenClear.lanes.slice();
  for (let lane = 0; lane < laneCount; lane++) {
    if ((mask >>> lane) & 1) lanes[lane] = whenSet.lanes[lane] ?? 0;
  }
  const taint = (whenSet.taint & mask) | (whenClear.taint & ~mask);
  return laneValue(lanes, taint, taint === 0 ? null : (whenSet.reason ?? whenClear.reason));
}

export function selectBytes(mask: number, whenSet: BytesValue, whenClear: BytesValue): BytesValue {
  if (mask === -1) return whenSet;
  if (mask === 0) return whenClear;
  const result = emptyBytes(whenSet.sizeBytes, whenSet.reason ?? whenClear.reason);
  for (let lane = 0; lane < laneCount; lane++) {
    const from = (mask >>> lane) & 1 ? whenSet : whenClear;
    const start = lane * result.sizeBytes;
    result.bytes.set(from.bytes.subarray(start, start + result.sizeBytes), start);
    result.states.set(from.states.subarray(start, start + result.sizeBytes), start);
  }
  return result;
}

/** Writes `part` into the bytes of `whole` at `offsetBytes`, in every lane. */
export function placePart(whole: BytesValue, offsetBytes: number, type: Type, part: Value): void {
  if (isBytes(part)) {
    placeBytes(whole, offsetBytes, part);
    return;
  }
  const scalar = scalarTypeOf(type);
  if (scalar === null) return;
  const size = sizeOfScalar(scalar);
  for (let lane = 0; lane < laneCount; lane++) {
    const at = lane * whole.sizeBytes + offsetBytes;
    if (offsetBytes < 0 || offsetBytes + size > whole.sizeBytes) return;
    writeScalar(whole.view, at, scalar, part.lanes[lane] ?? 0);
    whole.states.fill((part.taint >>> lane) & 1 ? unknown : known, at, at + size);
  }
}

/** The scalar at `offsetBytes` of each lane's bytes; lanes with a byte that is not known are tainted. */
export function scalarPart(whole: BytesValue, offsetBytes: number, type: ScalarType): LaneValue {
  const size = sizeOfScalar(type);
  if (offsetBytes < 0 || offsetBytes + size > whole.sizeBytes) return tainted("a member outside its object");
  const lanes = zeroValue.lanes.slice();
  let taint = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    const at = lane * whole.sizeBytes + offsetBytes;
    lanes[lane] = readScalar(whole.view, at, type);
    for (let byte = at; byte < at + size; byte++) if (whole.states[byte] !== known) taint |= 1 << lane;
  }
  return laneValue(lanes, taint, taint === 0 ? null : (whole.reason ?? "a value that was never set"));
}

/** A part of each lane's bytes. */
export function bytesPart(whole: BytesValue, offsetBytes: number, sizeBytes: number): BytesValue {
  if (offsetBytes < 0 || offsetBytes + sizeBytes > whole.sizeBytes) {
    return taintedBytes(sizeBytes, "a member outside its object");
  }
  const part = emptyBytes(sizeBytes, whole.reason);
  for (let lane = 0; lane < laneCount; lane++) {
    const from = lane * whole.sizeBytes + offsetBytes;
    part.bytes.set(whole.bytes.subarray(from, from + sizeBytes), lane * sizeBytes);
    part.states.set(whole.states.subarray(from, from + sizeBytes), lane * sizeBytes);
  }
  return part;
}

export function sizeOfScalar(type: ScalarType): number {
  switch (type.kind) {
    case "boolean":
      return 1;
    case "integer":
      return type.bits / 8;
    case "float":
      return type.format === "double" ? 8 : type.format === "single" ? 4 : 2;
  }
}

function placeBytes(whole: BytesValue, offsetBytes: number, part: BytesValue): void {
  if (offsetBytes < 0 || offsetBytes + part.sizeBytes > whole.sizeBytes) return;
  for (let lane = 0; lane < laneCount; lane++) {
    const from = lane * part.sizeBytes;
    const to = lane * whole.sizeBytes + offsetBytes;
    whole.bytes.set(part.bytes.subarray(from, from + part.sizeBytes), to);
    whole.states.set(part.states.subarray(from, from + part.sizeBytes), to);
  }
}
