// Memory as bytes. Every object has a segment of its own in one space of addresses, so that a pointer is a number, and one that
// leaves its object is seen. Shared memory and local memory have one segment each, filled by the block and the warp at work.
import type { MemorySpace } from "../evaluate/profile.ts";
import { laneCount } from "../semantics/lanes.ts";
import { uninitialized } from "./value.ts";

/** Pages of this size are filled with their first contents when they are first touched: a tile's rows lie far apart. */
const pageBytes = 2 ** 12;

/** Far enough apart that no 32-bit index of 16-byte elements reaches another object. */
const segmentBytes = 2 ** 36;

export const sharedSegment = 1;
export const localSegment = 2;
const firstFreeSegment = 3;

/** Objects lie in the middle of their segments: a negative index stays in sight too. */
export function baseOf(segment: number): number {
  return segment * segmentBytes + segmentBytes / 2;
}

export function segmentOf(address: number): number {
  return Math.floor(address / segmentBytes);
}

export interface MemoryObject {
  readonly name: string;
  readonly space: MemorySpace;
  readonly base: number;
  /** Bytes that may be accessed (of local memory, by one lane). */
  sizeBytes: number;
  bytes: Uint8Array;
  view: DataView;
  /** The state of each byte; null where all are known. */
  states: Uint8Array | null;
  /** Distance between the copies of two lanes: 0 but for local memory. */
  laneStrideBytes: number;
  /** Which pages have their first contents; null where all have. */
  readonly filled: Uint8Array | null;
  readonly fill: FillPage | null;
  /** How far an object of unknown size may grow; `sizeBytes` where the size is known. */
  readonly limitBytes: number;
}

/** Writes the first contents of the bytes from `start` on, of which there are `bytes.length`. */
export type FillPage = (bytes: Uint8Array, start: number) => void;

/** Hands out segments; the number of objects is bounded by what a double can address. */
export class AddressSpace {
  readonly #objects: MemoryObject[] = [];

  /** An object of known size, or one that grows up to `limitBytes` where `sizeBytes` is null. */
  add(description: {
    readonly name: string;
    readonly space: MemorySpace;
    readonly sizeBytes: number | null;
    readonly limitBytes: number;
    readonly fill: FillPage | null;
  }): MemoryObject {
    const segment = firstFreeSegment + this.#objects.length;
    const sizeBytes = description.sizeBytes ?? description.limitBytes;
    const heldBytes = description.sizeBytes ?? Math.min(pageBytes, description.limitBytes);
    const object = makeObject(description.name, description.space, segment, heldBytes, {
      sizeBytes,
      fill: description.fill,
      limitBytes: description.limitBytes,
    });
    this.#objects.push(object);
    return object;
  }

  at(segment: number): MemoryObject | null {
    return this.#objects[segment - firstFreeSegment] ?? null;
  }
}

/** A block's shared memory: nothing in it is initialised. */
export function sharedMemory(sizeBytes: number): MemoryObject {
  const object = makeObject("shared memory", "shared", sharedSegment, sizeBytes, {
    sizeBytes,
    fill: null,
    limitBytes: sizeBytes,
  });
  object.states = new Uint8Array(sizeBytes).fill(uninitialized);
  return object;
}

/** A warp's local memory: one copy for each lane. */
export function localMemory(sizeBytes: number): MemoryObject {
  const object = makeObject("local memory", "local", localSegment, sizeBytes * laneCount, {
    sizeBytes,
    fill: null,
    limitBytes: sizeBytes,
  });
  object.states = new Uint8Array(sizeBytes * laneCount).fill(uninitialized);
  object.laneStrideBytes = sizeBytes;
  return object;
}

/** Gives every lane `sizeBytes` of local memory, keeping what it holds. */
export function growLocal(object: MemoryObject, sizeBytes: number): void {
  const grown = localMemory(sizeBytes);
  for (let lane = 0; lane < laneCount; lane++) {
    const from = lane * object.laneStrideBytes;
    grown.bytes.set(object.bytes.subarray(from, from + object.sizeBytes), lane * sizeBytes);
    if (object.states !== null) {
      grown.states?.set(object.states.subarray(from, from + object.sizeBytes), lane * sizeBytes);
    }
  }
  object.bytes = grown.bytes;
  object.view = grown.view;
  object.states = grown.states;
  object.sizeBytes = sizeBytes;
  object.laneStrideBytes = sizeBytes;
}

/** Makes the bytes from `start` to `end` present, with their first contents. */
export function touch(object: MemoryObject, start: number, end: number): void {
  if (end > object.bytes.length) grow(object, end);
  if (object.filled === null || object.fill === null) return;
  for (let page = Math.floor(start / pageBytes); page * pageBytes < end; page++) {
    if (object.filled[page] === 1) continue;
    object.filled[page] = 1;
    const from = page * pageBytes;
    object.fill(object.bytes.subarray(from, Math.min(from + pageBytes, object.bytes.length)), from);
  }
}

/** Bounds in bytes of the pages that are present, in order; of all bytes where the object is not filled page by page. */
export function presentBytes(object: MemoryObject): (readonly [number, number])[] {
  const { bytes, filled } = object;
  if (filled === null) return [[0, bytes.length]];
  const present: (readonly [number, number])[] = [];
  for (let page = 0; page * pageBytes < bytes.length; page++) {
    const start = page * pageBytes;
    if (filled[page] === 1) present.push([start, Math.min(start + pageBytes, bytes.length)]);
  }
  return present;
}

function makeObject(
  name: string,
  space: MemorySpace,
  segment: number,
  heldBytes: number,
  rest: { readonly sizeBytes: number; readonly fill: FillPage | null; readonly limitBytes: number },
): MemoryObject {
  const bytes = new Uint8Array(heldBytes);
  return {
    name,
    space,
    base: baseOf(segment),
    sizeBytes: rest.sizeBytes,
    bytes,
    view: new DataView(bytes.buffer),
    states: null,
    laneStrideBytes: 0,
    filled: rest.fill === null ? null : new Uint8Array(Math.ceil(rest.sizeBytes / pageBytes)),
    fill: rest.fill,
    limitBytes: rest.limitBytes,
  };
}

/** Doubles what is held, page by page, up to the limit. */
function grow(object: MemoryObject, needed: number): void {
  const wanted = Math.min(object.limitBytes, Math.max(needed, object.bytes.length * 2));
  const held = Math.min(object.limitBytes, Math.ceil(wanted / pageBytes) * pageBytes);
  const bytes = new Uint8Array(held);
  bytes.set(object.bytes);
  object.bytes = bytes;
  object.view = new DataView(bytes.buffer);
  if (object.states === null) return;
  const states = new Uint8Array(held);
  states.set(object.states);
  object.states = states;
}
