// Operations that are functions of their operands and that nobody computes here (matrix products, arithmetic on two halves): where two runs
// are to be compared, a made-up number that is the same for the same operands serves as well as the true one.
import type { Type } from "../ir/type.ts";
import { sizeOf } from "../ir/type.ts";
import { writeScalar } from "../semantics/bytes.ts";
import { laneCount } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import { hash, leavesOf, randomScalar } from "./contents.ts";
import type { Warp } from "./machine.ts";
import {
  type BytesValue,
  emptyBytes,
  isBytes,
  known,
  type LaneValue,
  laneValue,
  scalarTypeOf,
  tainted,
  taintedBytes,
  unknown,
  type Value,
  zeroValue,
} from "./value.ts";

/** What `name` gives for operands in the lanes of `mask`; unknown, for the reason `name`, unless made-up numbers are wanted. */
export function uncomputedLanes(
  warp: Warp,
  mask: number,
  name: string,
  type: Type,
  operands: readonly Value[],
): LaneValue {
  const scalar = type.kind === "pointer" || type.kind === "function" ? null : scalarTypeOf(type);
  if (warp.machine.uncomputed === "unknown" || scalar === null) return tainted(name);
  const lanes: Scalar[] = zeroValue.lanes.slice();
  let taint = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const bits = hashOfOperands(name, operands, lane);
    if (bits === null) taint |= 1 << lane;
    else lanes[lane] = randomScalar(bits, scalar);
  }
  return laneValue(lanes, taint, taint === 0 ? null : reasonOf(operands, name));
}

/** As `uncomputedLanes`, for results that are records. */
export function uncomputedBytes(
  warp: Warp,
  mask: number,
  name: string,
  type: Type,
  operands: readonly Value[],
): BytesValue {
  const sizeBytes = sizeOf(type) ?? 0;
  if (warp.machine.uncomputed === "unknown") return taintedBytes(sizeBytes, name);
  const leaves = leavesOf(type, 0);
  const result = emptyBytes(sizeBytes, reasonOf(operands, name));
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const start = lane * sizeBytes;
    const bits = hashOfOperands(name, operands, lane);
    if (bits === null) result.states.fill(unknown, start, start + sizeBytes);
    else {
      for (const leaf of leaves) {
        const value = randomScalar(hash(bits, leaf.offsetBytes), leaf.type);
        writeScalar(result.view, start + leaf.offsetBytes, leaf.type, value);
      }
    }
  }
  return result;
}

/** Null where an operand is not known. */
function hashOfOperands(name: string, operands: readonly Value[], lane: number): number | null {
  let bits = 0;
  for (let at = 0; at < name.length; at++) bits = hash(bits, name.charCodeAt(at));
  for (const operand of operands) {
    const mixed = isBytes(operand) ? hashOfBytes(bits, operand, lane) : hashOfLane(bits, operand, lane);
    if (mixed === null) return null;
    bits = mixed;
  }
  return bits;
}

function hashOfBytes(bits: number, { bytes, states, sizeBytes }: BytesValue, lane: number): number | null {
  let mixed = bits;
  for (let at = lane * sizeBytes; at < (lane + 1) * sizeBytes; at++) {
    if (states[at] !== known) return null;
    mixed = hash(mixed, bytes[at] ?? 0);
  }
  return mixed;
}

const scratch = new DataView(new ArrayBuffer(8));

function hashOfLane(bits: number, { lanes, taint }: LaneValue, lane: number): number | null {
  if ((taint >>> lane) & 1) return null;
  const value = lanes[lane] ?? 0;
  if (typeof value === "bigint") scratch.setBigUint64(0, BigInt.asUintN(64, value));
  else scratch.setFloat64(0, value);
  return hash(hash(bits, scratch.getUint32(0)), scratch.getUint32(4));
}

function reasonOf(operands: readonly Value[], name: string): string {
  return operands.find(({ reason }) => reason !== null)?.reason ?? name;
}
