// Memory as bytes. Every object has a segment of its own in one space of addresses, so that a pointer is a number, and one that
// leaves its object is seen. Shared memory and local memory have one segment each, filled by the block and the warp at work.
import type { MemorySpace } from "../evaluate/profile.ts";
import { laneCount } from "../semantics/lanes.ts";
import { uninitialized } from "./value.ts";

/**
 * What the host filled is kept in pages of this size, each made when it is first touched: a launch reaches little of it, and a tile's rows lie
 * far apart.
 */
export const pageBytes = 2 ** 10;

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
  /** All of them, or where there are `pages`, those that are present, in the order in which they were first touched. */
  bytes: Uint8Array;
  view: DataView;
  /** The state of each byte of `bytes`; null where all are known. */
  states: Uint8Array | null;
  /** Distance between the copies of two lanes: 0 but for local memory. */
  laneStrideBytes: number;
  readonly pages: Pages | null;
}

/** Which pages of an object are present. */
interface Pages {
  readonly fill: FillPage;
  /** For each page its place in `bytes`, counted from 1; 0 where it was never touched. It ends where no later page was touched. */
  slots: Int32Array;
  slotCount: number;
}

/** Writes the first contents of the bytes from `start` on, of which there are `bytes.length`. */
export type FillPage = (bytes: Uint8Array, start: number) => void;

/** Hands out segments; the number of objects is bounded by what a double can address. */
export class AddressSpace {
  readonly #objects: MemoryObject[] = [];

  /** Without `fill` it holds zeros, at once; else what `fill` writes, page by page. */
  add(description: {
    readonly name: string;
    readonly space: MemorySpace;
    readonly sizeBytes: number;
    readonly fill: FillPage | null;
  }): MemoryObject {
    const segment = firstFreeSegment + this.#objects.length;
    const { name, space, sizeBytes, fill } = description;
    const pages = fill === null ? null : { fill, slots: new Int32Array(0), slotCount: 0 };
    const object = makeObject(name, space, segment, sizeBytes, pages === null ? sizeBytes : 0, pages);
    this.#objects.push(object);
    return object;
  }

  at(segment: number): MemoryObject | null {
    return this.#objects[segment - firstFreeSegment] ?? null;
  }
}

/** A block's shared memory: nothing in it is initialised. */
export function sharedMemory(sizeBytes: number): MemoryObject {
  const object = makeObject("shared memory", "shared", sharedSegment, sizeBytes, sizeBytes, null);
  object.states = new Uint8Array(sizeBytes).fill(uninitialized);
  return object;
}

/** A warp's local memory: one copy for each lane. */
export function localMemory(sizeBytes: number): MemoryObject {
  const object = makeObject("local memory", "local", localSegment, sizeBytes, sizeBytes * laneCount, null);
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

/** Where the `size` bytes from `offset` on lie in `bytes`: all of them side by side. They must lie within the object. */
export function locate(object: MemoryObject, offset: number, size: number): number {
  const { pages } = object;
  if (pages === null) return offset;
  const first = Math.floor(offset / pageBytes);
  const last = Math.floor((offset + size - 1) / pageBytes);
  const within = offset - first * pageBytes;
  const slot = slotOf(object, pages, first);
  for (let page = first + 1; page <= last; page++) {
    if (slotOf(object, pages, page) !== slot + page - first)
      return joined(object, pages, first, last) + within;
  }
  return slot * pageBytes + within;
}

/** The pages that are present, in order. */
export function presentPages({ pages }: MemoryObject): number[] {
  if (pages === null) return [];
  const present: number[] = [];
  for (let page = 0; page < pages.slots.length; page++) if (pages.slots[page] !== 0) present.push(page);
  return present;
}

/** How many pages were made, those among them that were made anew to lie side by side: what an object without pages takes counts as none. */
export function madePages({ pages }: MemoryObject): number {
  return pages?.slotCount ?? 0;
}

/** The bytes of one page, made present if they were not: fewer at the end of the object. */
export function pageOf(object: MemoryObject, page: number): Uint8Array {
  const size = Math.min(pageBytes, object.sizeBytes - page * pageBytes);
  const at = locate(object, page * pageBytes, size);
  return object.bytes.subarray(at, at + size);
}

/** Everything that an object holds: of one that is paged, up to its last page that is present if `extent` is "reached". */
export function wholeContents(object: MemoryObject, extent: "all" | "reached"): Uint8Array {
  const { pages, sizeBytes } = object;
  if (pages === null) return object.bytes;
  const end = extent === "all" ? sizeBytes : ((presentPages(object).at(-1) ?? -1) + 1) * pageBytes;
  const whole = new Uint8Array(Math.min(end, sizeBytes));
  pages.fill(whole, 0);
  for (const page of presentPages(object)) whole.set(pageOf(object, page), page * pageBytes);
  return whole;
}

function makeObject(
  name: string,
  space: MemorySpace,
  segment: number,
  sizeBytes: number,
  heldBytes: number,
  pages: Pages | null,
): MemoryObject {
  const bytes = new Uint8Array(heldBytes);
  return {
    name,
    space,
    base: baseOf(segment),
    sizeBytes,
    bytes,
    view: new DataView(bytes.buffer),
    states: null,
    laneStrideBytes: 0,
    pages,
  };
}

function slotOf(object: MemoryObject, pages: Pages, page: number): number {
  const slot = pages.slots[page];
  return slot === undefined || slot === 0 ? makePage(object, pages, page) : slot - 1;
}

function makePage(object: MemoryObject, pages: Pages, page: number): number {
  if (page >= pages.slots.length) {
    const slots = new Int32Array(Math.max(page + 1, pages.slots.length * 2));
    slots.set(pages.slots);
    pages.slots = slots;
  }
  const slot = takeSlots(object, pages, 1);
  pages.slots[page] = slot + 1;
  const start = page * pageBytes;
  const size = Math.min(pageBytes, object.sizeBytes - start);
  pages.fill(object.bytes.subarray(slot * pageBytes, slot * pageBytes + size), start);
  return slot;
}

/** Slots side by side, behind those that are taken. */
function takeSlots(object: MemoryObject, pages: Pages, count: number): number {
  const slot = pages.slotCount;
  pages.slotCount += count;
  const needed = pages.slotCount * pageBytes;
  if (needed > object.bytes.length) hold(object, Math.max(needed, object.bytes.length * 2, 8 * pageBytes));
  return slot;
}

/** Brings pages that one access reaches side by side, and gives where they begin in `bytes`. */
function joined(object: MemoryObject, pages: Pages, first: number, last: number): number {
  for (let page = first; page <= last; page++) slotOf(object, pages, page);
  const slot = takeSlots(object, pages, last - first + 1);
  for (let page = first; page <= last; page++) {
    const from = ((pages.slots[page] ?? 1) - 1) * pageBytes;
    const to = (slot + page - first) * pageBytes;
    object.bytes.copyWithin(to, from, from + pageBytes);
    object.states?.copyWithin(to, from, from + pageBytes);
    pages.slots[page] = slot + page - first + 1;
  }
  return slot * pageBytes;
}

function hold(object: MemoryObject, heldBytes: number): void {
  const bytes = new Uint8Array(heldBytes);
  bytes.set(object.bytes);
  object.bytes = bytes;
  object.view = new DataView(bytes.buffer);
  if (object.states === null) return;
  const states = new Uint8Array(heldBytes);
  states.set(object.states);
  object.states = states;
}
