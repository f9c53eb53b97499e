// cp.async: a copy from global to shared memory, whose cost depends on the addresses of both sides. Measured on sm_90.
import { banksOf, unitShift } from "./conflicts.ts";
import { countLanes, laneCount, laneRange } from "./request.ts";

/** `.ca` goes through the L1 cache; `.cg`, of 16 bytes, goes past it. */
export type CopyPath = "cached" | "bypass";

/** Copies of 16 bytes are .cg unless the variant says .ca: so compile __pipeline_memcpy_async and cuda::memcpy_async. */
export function copyPath(variant: string, bytes: number): CopyPath {
  return bytes === 16 && !/\.ca\b/.test(variant) ? "bypass" : "cached";
}

/**
 * Wavefronts of a copy through L1: for each group of lanes, the most lanes that any one lane of it meets, itself among them, in
 * its bank of the source line or in its bank of shared memory. Equal addresses meet too, on either side. Lanes that only write zeros
 * (the operand src-size is 0) meet nobody at the source.
 */
export function cachedCopyWavefronts(
  destinations: Int32Array,
  sources: Int32Array,
  masks: { readonly writing: number; readonly reading: number },
  bytes: number,
): number {
  const banks = banksOf(bytes);
  const shift = unitShift(bytes);
  let wavefronts = 0;
  for (let start = 0; start < laneCount; start += banks)
    wavefronts += mostMeetings(
      destinations,
      sources,
      masks.writing & laneRange(start, banks),
      masks.reading,
      shift,
      banks,
    );
  return wavefronts;
}

const lanesToBank = new Int32Array(laneCount);
const lanesFromBank = new Int32Array(laneCount);

function mostMeetings(
  destinations: Int32Array,
  sources: Int32Array,
  mask: number,
  reading: number,
  shift: number,
  banks: number,
): number {
  lanesToBank.fill(0, 0, banks);
  lanesFromBank.fill(0, 0, banks);
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const to = ((destinations[lane] as number) >> shift) & (banks - 1);
    const from = ((sources[lane] as number) >> shift) & (banks - 1);
    lanesToBank[to] = (lanesToBank[to] as number) | (1 << lane);
    if ((reading >>> lane) & 1) lanesFromBank[from] = (lanesFromBank[from] as number) | (1 << lane);
  }
  let most = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const to = lanesToBank[((destinations[lane] as number) >> shift) & (banks - 1)] as number;
    const bank = ((sources[lane] as number) >> shift) & (banks - 1);
    const from = (reading >>> lane) & 1 ? (lanesFromBank[bank] as number) : 0;
    most = Math.max(most, countLanes(to | from));
  }
  return most;
}

export interface BypassCopy {
  readonly wavefronts: number;
  readonly sectors: number;
  /** The lanes that count, as a mask: of those with the same destination the first. */
  readonly lanes: number;
}

/** What moves as one: lanes of one destination sector and one source sector. Indices are those of `pieces`. */
const pieceTo = new Int32Array(laneCount);
const pieceFrom = new Int32Array(laneCount);
/** Bit 0: whether the halves cross; above it, the rank. */
const pieceTag = new Int32Array(laneCount);
const pieceHalves = new Int32Array(laneCount);
const pieceLanes = new Int32Array(laneCount);

/**
 * A copy past L1 moves sectors of 32 bytes, and only as they lie. Of lanes with the same destination the first counts. Two
 * lanes share a sector where both sides are the two halves of one sector, in order or crossed. A wavefront takes sectors of one
 * 128-byte line of the source to one 128-byte row of shared memory that have the same halves, cross alike, and all or none of which
 * change between even and odd sectors; a 16-byte chunk of the source goes once a wavefront, to the last lane first.
 */
export function bypassCopy(destinations: Int32Array, sources: Int32Array, mask: number): BypassCopy {
  const lanes = lanesThatCount(destinations, mask);
  const pieces = findPieces(destinations, sources, lanes);
  let wavefronts = 0;
  let sectors = 0;
  for (let piece = 0; piece < pieces; piece++) {
    if (wavefrontOf(piece) === piece) wavefronts++;
    if (sectorOf(piece) === piece) sectors++;
  }
  return { wavefronts, sectors, lanes };
}

/** The lanes of each wavefront of a copy past L1, as masks. */
export function bypassPasses(destinations: Int32Array, sources: Int32Array, mask: number): number[] {
  const pieces = findPieces(destinations, sources, lanesThatCount(destinations, mask));
  const passes = new Map<number, number>();
  for (let piece = 0; piece < pieces; piece++) {
    const first = wavefrontOf(piece);
    passes.set(first, (passes.get(first) ?? 0) | (pieceLanes[piece] as number));
  }
  return [...passes.values()];
}

/** The lanes of each sector that a copy past L1 moves, as masks. */
export function bypassSectors(destinations: Int32Array, sources: Int32Array, mask: number): number[] {
  const pieces = findPieces(destinations, sources, lanesThatCount(destinations, mask));
  const sectors = new Map<number, number>();
  for (let piece = 0; piece < pieces; piece++) {
    const first = sectorOf(piece);
    sectors.set(first, (sectors.get(first) ?? 0) | (pieceLanes[piece] as number));
  }
  return [...sectors.values()];
}

/** The first piece that goes in the same wavefront. */
function wavefrontOf(piece: number): number {
  const to = pieceTo[piece] as number;
  const from = pieceFrom[piece] as number;
  for (let other = 0; other < piece; other++)
    if (
      pieceTag[other] === pieceTag[piece] &&
      pieceHalves[other] === pieceHalves[piece] &&
      (pieceTo[other] as number) >> 2 === to >> 2 &&
      (pieceFrom[other] as number) >> 2 === from >> 2 &&
      (((pieceTo[other] as number) ^ (pieceFrom[other] as number) ^ to ^ from) & 1) === 0
    )
      return other;
  return piece;
}

/** The first piece of the same sectors, whatever its rank. */
function sectorOf(piece: number): number {
  for (let other = 0; other < piece; other++)
    if (
      pieceTo[other] === pieceTo[piece] &&
      pieceFrom[other] === pieceFrom[piece] &&
      (((pieceTag[other] as number) ^ (pieceTag[piece] as number)) & 1) === 0
    )
      return other;
  return piece;
}

const rankOfLane = new Int32Array(laneCount);

/** Fills the pieces from the lanes of `mask`, last lane first; returns their number. */
function findPieces(destinations: Int32Array, sources: Int32Array, mask: number): number {
  let pieces = 0;
  for (let rest = mask; rest !== 0; ) {
    const lane = 31 - Math.clz32(rest);
    rest &= ~(1 << lane);
    const to = (destinations[lane] as number) >> 4;
    const from = (sources[lane] as number) >> 4;
    const tag = ((to ^ from) & 1) | (rankOf(lane, destinations, sources, mask) << 1);
    let piece = 0;
    while (
      piece < pieces &&
      (pieceTo[piece] !== to >> 1 || pieceFrom[piece] !== from >> 1 || pieceTag[piece] !== tag)
    )
      piece++;
    if (piece === pieces) {
      pieceTo[piece] = to >> 1;
      pieceFrom[piece] = from >> 1;
      pieceTag[piece] = tag;
      pieceHalves[piece] = 0;
      pieceLanes[piece] = 0;
      pieces++;
    }
    pieceHalves[piece] = (pieceHalves[piece] as number) | (1 << (to & 1));
    pieceLanes[piece] = (pieceLanes[piece] as number) | (1 << lane);
  }
  return pieces;
}

/** How many later lanes take the same chunk of the source to the same row, crossing alike: one more than the next of them. */
function rankOf(lane: number, destinations: Int32Array, sources: Int32Array, mask: number): number {
  const to = (destinations[lane] as number) >> 4;
  const from = (sources[lane] as number) >> 4;
  rankOfLane[lane] = 0;
  for (let other = lane + 1; other < laneCount; other++) {
    if (((mask >>> other) & 1) === 0 || (sources[other] as number) >> 4 !== from) continue;
    const otherTo = (destinations[other] as number) >> 4;
    if (otherTo >> 3 !== to >> 3 || ((otherTo ^ to) & 1) !== 0) continue;
    rankOfLane[lane] = (rankOfLane[other] as number) + 1;
    break;
  }
  return rankOfLane[lane] as number;
}

/** The lanes that are the first to write their 16 bytes. */
function lanesThatCount(destinations: Int32Array, mask: number): number {
  let first = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    if (!isWritten(destinations, first, (destinations[lane] as number) >> 4)) first |= 1 << lane;
  }
  return first;
}

function isWritten(destinations: Int32Array, mask: number, chunk: number): boolean {
  for (let rest = mask; rest !== 0; rest &= rest - 1)
    if ((destinations[31 - Math.clz32(rest & -rest)] as number) >> 4 === chunk) return true;
  return false;
}
