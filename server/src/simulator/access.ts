// Loads and stores of a warp: finds the object of each lane's address, tells the observer of the request, checks it, and moves
// the bytes.
import type { AccessOperation } from "../evaluate/profile.ts";
import { stepsOfAtomic } from "../hardware/atomic.ts";
import type { AccessSite } from "../ir/expression.ts";
import type { ScalarType } from "../ir/type.ts";
import { readScalar, writeScalar } from "../semantics/bytes.ts";
import { laneCount } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import type { SourceRange } from "../text/source.ts";
import { reportFault, reportUnknownStore, stackOf, step, type Warp } from "./machine.ts";
import { localSegment, locate, type MemoryObject, segmentOf, sharedSegment } from "./memory.ts";
import {
  type BytesValue,
  emptyBytes,
  known,
  type LaneValue,
  laneValue,
  sizeOfScalar,
  uninitialized,
  unknown,
  zeroValue,
} from "./value.ts";

/** Who accesses, for the observer and for faults. */
export interface Access {
  readonly site: AccessSite | null;
  readonly range: SourceRange;
  readonly operation: AccessOperation;
  readonly intrinsic: string | null;
}

const outOfBounds = "memory outside its object";
const neverWritten = "memory that was never written";

/** One scalar of each lane of `mask`, at `addresses` plus `offsetBytes`. */
export function loadScalar(
  warp: Warp,
  mask: number,
  addresses: LaneValue,
  offsetBytes: number,
  type: ScalarType,
  access: Access,
): LaneValue {
  const size = sizeOfScalar(type);
  const active = announce(warp, mask, addresses, offsetBytes, size, access, null);
  const lanes: Scalar[] = zeroValue.lanes.slice();
  let taint = mask & addresses.taint;
  let unwritten = 0;
  let reason = addresses.reason;
  let firstOffset = 0;
  let name: string | null = null;
  const outside = forEachLane(warp, active, addresses, offsetBytes, size, access, (lane, object, at) => {
    lanes[lane] = readScalar(object.view, at, type);
    if (object.states === null) return;
    const state = stateOf(object.states, at, size);
    if (state === known) return;
    taint |= 1 << lane;
    reason = state === uninitialized ? neverWritten : "memory whose contents are not known";
    if (state !== uninitialized) return;
    if (unwritten === 0) {
      firstOffset = Number(addresses.lanes[lane]) + offsetBytes - object.base;
      name = object.name;
    }
    unwritten |= 1 << lane;
  });
  if (outside !== 0) {
    taint |= outside;
    reason = outOfBounds;
  }
  if (unwritten !== 0) {
    reportFault(warp, "uninitialized", access.range, unwritten, { offsetBytes: firstOffset, object: name });
  }
  return laneValue(lanes, taint, taint === 0 ? null : reason);
}

/** Writes one scalar for each lane of `mask`; where lanes meet, the highest wins. */
export function storeScalar(
  warp: Warp,
  mask: number,
  addresses: LaneValue,
  offsetBytes: number,
  type: ScalarType,
  value: LaneValue,
  access: Access,
): void {
  const size = sizeOfScalar(type);
  const active = announce(warp, mask, addresses, offsetBytes, size, access, null);
  forEachLane(warp, active, addresses, offsetBytes, size, access, (lane, object, at) => {
    writeScalar(object.view, at, type, value.lanes[lane] ?? 0);
    const isTainted = ((value.taint >>> lane) & 1) === 1;
    mark(object, at, size, isTainted ? unknown : known);
    if (isTainted && object.space === "global") reportUnknownStore(warp.machine, access.range, value.reason);
  });
}

/** The bytes of a record in each lane of `mask`, in machine accesses of `pieceBytes`. */
export function loadBytes(
  warp: Warp,
  mask: number,
  addresses: LaneValue,
  offsetBytes: number,
  sizeBytes: number,
  pieceBytes: number,
  access: Access,
): BytesValue {
  const active = announcePieces(warp, mask, addresses, offsetBytes, sizeBytes, pieceBytes, access);
  const result = emptyBytes(sizeBytes, addresses.reason ?? neverWritten);
  const outside = forEachLane(warp, active, addresses, offsetBytes, sizeBytes, access, (lane, object, at) => {
    const to = lane * sizeBytes;
    result.bytes.set(object.bytes.subarray(at, at + sizeBytes), to);
    if (object.states !== null) result.states.set(object.states.subarray(at, at + sizeBytes), to);
  });
  const unread = mask & (outside | ~active);
  for (let lane = 0; lane < laneCount; lane++)
    if ((unread >>> lane) & 1) result.states.fill(unknown, lane * sizeBytes, (lane + 1) * sizeBytes);
  return result;
}

export function storeBytes(
  warp: Warp,
  mask: number,
  addresses: LaneValue,
  offsetBytes: number,
  value: BytesValue,
  pieceBytes: number,
  access: Access,
): void {
  const size = value.sizeBytes;
  const active = announcePieces(warp, mask, addresses, offsetBytes, size, pieceBytes, access);
  forEachLane(warp, active, addresses, offsetBytes, size, access, (lane, object, at) => {
    const from = lane * size;
    const states = value.states.subarray(from, from + size);
    object.bytes.set(value.bytes.subarray(from, from + size), at);
    const isTainted = states.some((state) => state !== known);
    if (isTainted && object.space === "global") reportUnknownStore(warp.machine, access.range, value.reason);
    if (object.states === null && isTainted) object.states = new Uint8Array(object.bytes.length);
    object.states?.set(states, at);
  });
}

/**
 * Tells of one machine access and checks its alignment; gives the lanes of `mask` whose address is known. Lanes that reach
 * different memories make a request for each.
 */
export function announce(
  warp: Warp,
  mask: number,
  addresses: LaneValue,
  offsetBytes: number,
  bytes: number,
  access: Access,
  paired: readonly (number | null)[] | null,
): number {
  const active = mask & ~addresses.taint;
  if (access.site === null) return active;
  step(warp.machine);
  if (active !== mask) announceUnknown(warp, mask & addresses.taint, addresses.reason, access);
  let rest = active;
  while (rest !== 0) {
    const first = 31 - Math.clz32(rest & -rest);
    const object = objectAt(warp, Number(addresses.lanes[first]) + offsetBytes);
    const group = object === null ? 1 << first : sameSpace(warp, rest, addresses, offsetBytes, object);
    rest &= ~group;
    if (object !== null) announceGroup(warp, group, addresses, offsetBytes, bytes, object, access, paired);
  }
  return active;
}

function announceUnknown(warp: Warp, mask: number, reason: string | null, access: Access): void {
  if (access.site === null) return;
  warp.machine.onUnknown?.({
    site: access.site,
    stack: stackOf(warp.frame.stack, access.site),
    operation: access.operation,
    mask: mask >>> 0,
    reason: reason ?? "an address that is not known",
  });
}

/** The lanes of `mask` whose object is in the memory of `object`. */
function sameSpace(
  warp: Warp,
  mask: number,
  addresses: LaneValue,
  offsetBytes: number,
  object: MemoryObject,
): number {
  let group = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const other = objectAt(warp, Number(addresses.lanes[lane]) + offsetBytes);
    if (other?.space === object.space) group |= 1 << lane;
  }
  return group;
}

function announceGroup(
  warp: Warp,
  mask: number,
  addresses: LaneValue,
  offsetBytes: number,
  bytes: number,
  object: MemoryObject,
  access: Access,
  paired: readonly (number | null)[] | null,
): void {
  if (access.site === null) return;
  const laneAddresses: number[] = new Array<number>(laneCount).fill(0);
  const base = isOneObject(warp, mask, addresses, offsetBytes, object) ? object.base : 0;
  let misaligned = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const address = Number(addresses.lanes[lane]) + offsetBytes - base;
    laneAddresses[lane] = address;
    if (address % bytes !== 0) misaligned |= 1 << lane;
  }
  if (misaligned !== 0) {
    const first = laneAddresses[31 - Math.clz32(misaligned & -misaligned)] ?? 0;
    reportFault(warp, "misaligned", access.range, misaligned, { offsetBytes: first, object: object.name });
  }
  const wideBytes = access.site.wideBytes ?? bytes;
  // What a scalar is accessed with beside itself is aligned, wherever the scalar lies in it.
  const starts = wideBytes === bytes ? laneAddresses : laneAddresses.map((at) => at - (at % wideBytes));
  const steps =
    access.operation === "atomic"
      ? stepsOfAtomic(object.space, access.intrinsic ?? "", bytes)
      : [access.operation];
  for (const operation of steps)
    warp.machine.onRequest?.(
      {
        site: access.site,
        stack: stackOf(warp.frame.stack, access.site),
        space: object.space,
        operation,
        intrinsic: access.intrinsic,
        bytes: wideBytes,
        laneAddresses: starts,
        pairedAddresses: paired,
        mask: mask >>> 0,
        warp: warp.index,
        block: warp.block.index,
      },
      warp.frame,
    );
}

function isOneObject(
  warp: Warp,
  mask: number,
  addresses: LaneValue,
  offsetBytes: number,
  object: MemoryObject,
): boolean {
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    if (objectAt(warp, Number(addresses.lanes[lane]) + offsetBytes) !== object) return false;
  }
  return true;
}

function announcePieces(
  warp: Warp,
  mask: number,
  addresses: LaneValue,
  offsetBytes: number,
  sizeBytes: number,
  pieceBytes: number,
  access: Access,
): number {
  if (access.site === null) return mask & ~addresses.taint;
  for (let at = 0; at + pieceBytes <= sizeBytes; at += pieceBytes) {
    announce(warp, mask, addresses, offsetBytes + at, pieceBytes, access, null);
  }
  return mask & ~addresses.taint;
}

/**
 * Calls `use` for each active lane with the object that its address lies in and where its bytes lie there. Lanes whose bytes are not all inside an
 * object are reported, and are what is returned.
 */
function forEachLane(
  warp: Warp,
  active: number,
  addresses: LaneValue,
  offsetBytes: number,
  sizeBytes: number,
  access: Access,
  use: (lane: number, object: MemoryObject, at: number) => void,
): number {
  let outside = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((active >>> lane) & 1)) continue;
    const address = Number(addresses.lanes[lane]) + offsetBytes;
    const object = objectAt(warp, address);
    const at = object === null ? -1 : place(object, address - object.base, lane, sizeBytes);
    if (object !== null && at >= 0) use(lane, object, at);
    else {
      reportOutside(warp, lane, address, object, access);
      outside |= 1 << lane;
    }
  }
  return outside;
}

/** The object whose segment an address lies in; null for a null pointer and the like. */
function objectAt(warp: Warp, address: number): MemoryObject | null {
  const segment = segmentOf(address);
  if (segment === sharedSegment) return warp.block.shared;
  if (segment === localSegment) return warp.local;
  return warp.machine.space.at(segment);
}

/** Where `size` bytes at `offset` of the object lie in its bytes, or -1 where they are not all inside it. */
function place(object: MemoryObject, offset: number, lane: number, size: number): number {
  if (offset < 0 || offset + size > object.sizeBytes || !Number.isInteger(offset)) return -1;
  return locate(object, offset + lane * object.laneStrideBytes, size);
}

function stateOf(states: Uint8Array, at: number, size: number): number {
  for (let byte = at; byte < at + size; byte++) {
    const state = states[byte] ?? known;
    if (state !== known) return state;
  }
  return known;
}

function mark(object: MemoryObject, at: number, size: number, state: number): void {
  if (object.states === null) {
    if (state === known) return;
    object.states = new Uint8Array(object.bytes.length);
  }
  object.states.fill(state, at, at + size);
}

function reportOutside(
  warp: Warp,
  lane: number,
  address: number,
  object: MemoryObject | null,
  access: Access,
): void {
  reportFault(warp, "out-of-bounds", access.range, 1 << lane, {
    offsetBytes: object === null ? address : address - object.base,
    object: object?.name ?? null,
  });
}
