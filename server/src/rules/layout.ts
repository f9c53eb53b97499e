// What the accesses to a shared array of two or more dimensions would cost if its rows were longer or shorter, or its columns swizzled.
import type { AccessProfile } from "../evaluate/profile.ts";
import { sharedFigure } from "../hardware/figure.ts";
import { type ArrayRow, rowOf } from "./banks.ts";

/** An array with rows of which a part is touched by nobody. */
export interface PaddedArray {
  readonly row: ArrayRow;
  /** The part of a row that is used, from its start. */
  readonly usedBytes: number;
  readonly padElements: number;
  /** Every access to the array, by the kernel under one launch. */
  readonly accesses: readonly AccessProfile[];
}

/** Narrower rows are small vectors that hold more than they need, not padded tiles. */
const leastUsedElements = 8;
/** What is longer than this share of the used part is no padding: a tile of 32 columns of which a small block uses 16. */
const mostPadShare = 1 / 4;
const mostPadElements = 32;

/** The array that `access` goes to; null where it has no padding, or where not all of what is done to it is known. */
export function paddedArrayOf(access: AccessProfile, siblings: readonly AccessProfile[]): PaddedArray | null {
  const row = rowOf(access.target?.type ?? null);
  if (row === null) return null;
  const accesses = siblings.filter((each) => isSameArray(each, access) && each.requests !== 0);
  let usedBytes = 0;
  for (const { columns, worst, operation } of accesses) {
    const isPlain = operation === "load" || operation === "store";
    if (columns === null || worst === null || !worst.isUniform || !isPlain) return null;
    usedBytes = Math.max(usedBytes, columns.most + 1);
  }
  const padElements = (row.bytes - usedBytes) / row.elementBytes;
  const usedElements = usedBytes / row.elementBytes;
  const isPadded =
    Number.isInteger(padElements) && padElements >= 1 && padElements <= usedElements * mostPadShare;
  if (!isPadded || usedElements < leastUsedElements) return null;
  return { row, usedBytes, padElements, accesses };
}

export function isSameArray({ target }: AccessProfile, other: AccessProfile): boolean {
  const range = other.target?.range ?? null;
  return range !== null && target?.range?.file === range.file && target.range.start === range.start;
}

/** What a request of each access costs, in their order. */
export type Costs = readonly number[];

export interface Layout {
  readonly padElements: number;
  readonly costs: Costs;
}

/** Every pad from none to 32 elements that keeps the widest access aligned, with what it makes of each access. */
export function layoutsOf({ row, usedBytes, accesses }: PaddedArray): Layout[] {
  const widest = Math.max(...accesses.map(({ bytes }) => bytes));
  const layouts: Layout[] = [];
  for (let padElements = 0; padElements <= mostPadElements; padElements++) {
    const rowBytes = usedBytes + padElements * row.elementBytes;
    if (rowBytes % widest !== 0) continue;
    layouts.push({ padElements, costs: accesses.map((access) => costWith(access, row.bytes, rowBytes)) });
  }
  return layouts;
}

/**
 * The elements, -32 to 32, by which to lengthen each row so that `access` becomes ideal and no other access of `siblings` to the same array
 * becomes dearer or loses its alignment: rows whose end nobody uses get shorter, others longer by as little as suffices. Null where no number
 * does, or where an access to the array is not known.
 */
export function padElementsOf(access: AccessProfile, siblings: readonly AccessProfile[]): number | null {
  const row = rowOf(access.target?.type ?? null);
  if (row === null) return null;
  const sharers = siblings.filter((each) => isSameArray(each, access));
  if (sharers.some(({ worst, requests }) => worst === null && requests !== 0)) return null;
  const widest = Math.max(...sharers.map(({ bytes }) => bytes));
  const unused = paddedArrayOf(access, siblings)?.padElements ?? 0;
  for (let elements = -unused; elements <= mostPadElements; elements++) {
    const rowBytes = row.bytes + elements * row.elementBytes;
    if (elements === 0 || rowBytes % widest !== 0) continue;
    const own = paddedFigure(access, row.bytes, rowBytes);
    if (own === null || own.cost > own.ideal) continue;
    if (sharers.every((sharer) => isNoDearer(sharer, row.bytes, rowBytes))) return elements;
  }
  return null;
}

function isNoDearer(access: AccessProfile, oldRowBytes: number, newRowBytes: number): boolean {
  if (access.worst === null) return true;
  const padded = paddedFigure(access, oldRowBytes, newRowBytes);
  return padded !== null && padded.cost <= access.worst.figure.cost;
}

/** Null for copies, atomics and matrix accesses: what they cost depends on more than the addresses of this sample. */
function paddedFigure({ worst, operation, bytes }: AccessProfile, oldRowBytes: number, newRowBytes: number) {
  if (worst === null || (operation !== "load" && operation !== "store")) return null;
  const laneAddresses = worst.laneAddresses.map((address) =>
    address === null ? null : withRows(address, oldRowBytes, newRowBytes),
  );
  return sharedFigure({ laneAddresses, bytes, operation });
}

/** Of rows without padding whose columns are swizzled by the row, or by a part of it, the best; null where rows are no power of two. */
export function swizzledCosts({ row, usedBytes, accesses }: PaddedArray): Costs | null {
  const columns = usedBytes / row.elementBytes;
  const isWhole = Number.isInteger(columns) && (columns & (columns - 1)) === 0;
  if (!isWhole || accesses.some(({ bytes }) => bytes !== row.elementBytes)) return null;
  let best: Costs | null = null;
  for (let shift = 0; shift < 4; shift++) {
    const costs = accesses.map((access) =>
      costAt(access, (address) => {
        const { index, column } = placeIn(address, row.bytes);
        const element = column / row.elementBytes;
        return index * usedBytes + (element ^ ((index >> shift) & (columns - 1))) * row.elementBytes;
      }),
    );
    if (best === null || sumOf(costs) < sumOf(best)) best = costs;
  }
  return best;
}

export function costsNow({ accesses }: PaddedArray): Costs {
  return accesses.map(({ worst }) => worst?.figure.cost ?? 0);
}

export function sumOf(costs: Costs): number {
  return costs.reduce((sum, cost) => sum + cost, 0);
}

function costWith(access: AccessProfile, oldRowBytes: number, newRowBytes: number): number {
  return costAt(access, (address) => withRows(address, oldRowBytes, newRowBytes));
}

function withRows(address: number, oldRowBytes: number, newRowBytes: number): number {
  const { index, column } = placeIn(address, oldRowBytes);
  return index * newRowBytes + column;
}

function costAt({ worst, bytes, operation }: AccessProfile, move: (address: number) => number): number {
  if (worst === null) return 0;
  const laneAddresses = worst.laneAddresses.map((address) =>
    address === null ? null : move(address + worst.movedBytes),
  );
  return sharedFigure({ laneAddresses, bytes, operation }).cost;
}

function placeIn(address: number, rowBytes: number): { readonly index: number; readonly column: number } {
  const index = Math.floor(address / rowBytes);
  return { index, column: address - index * rowBytes };
}
