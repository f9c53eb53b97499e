// cp.async: a copy from global to shared memory, whose cost depends on the addresses of both sides. Measured on sm_90.
import { banksOf, unitShift } from "./conflicts.ts";
import { laneCount, laneRange } from "./request.ts";

/** `.ca` goes through the L1 cache; `.cg`, of 16 bytes, goes past it. */
export type CopyPath = "cached" | "bypass";

/** Copies of 16 bytes are .cg unless the variant says .ca: so compile __pipeline_memcpy_async and cuda::memcpy_async. */
export function copyPath(variant: string, bytes: number): CopyPath {
  return bytes === 16 && !/\.ca\b/.test(variant) ? "bypass" : "cached";
}

/**
 * Wavefronts of a copy through L1: for each group of lanes, the most lanes that any one lane of it meets, itself among them, in
 * its bank of the source line or in its bank of shared memory. Equal addresses meet too, on either side.
 */
export function cachedCopyWavefronts(
  destinations: Int32Array,
  sources: Int32Array,
  mask: number,
  bytes: number,
): number {
  const banks = banksOf(bytes);
  const shift = unitShift(bytes);
  let wavefronts = 0;
  for (let start = 0; start < laneCount; start += banks)
    wavefronts += mostMeetings(destinations, sources, mask & laneRange(start, banks), shift, banks);
  return wavefronts;
}

const lanesToBank = new Int32Array(laneCount);
const lanesFromBank = new Int32Array(laneCount);

function mostMeetings(
  destinations: Int32Array,
  sources: Int32Array,
  mask: number,
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
    lanesFromBank[from] = (lanesFromBank[from] as number) | (1 << lane);
  }
  let most = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const to = lanesToBank[((destinations[lane] as number) >> shift) & (banks - 1)] as number;
    const from = lanesFromBank[((sources[lane] as number) >> shift) & (banks - 1)] as number;
    most = Math.max(most, countBits(to | from));
  }
  return most;
}

function countBits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

export interface BypassCopy {
  readonly wavefronts: number;
  readonly sectors: number;
  /** The lanes of each wavefront. */
  readonly passes: readonly number[];
}

/**
 * A copy past L1 moves sectors of 32 bytes, and only as they lie. Of lanes with the same destination the first counts. Two
 * lanes share a sector where both sides are the two halves of one sector, in order or crossed. A wavefront takes sectors of one 128-byte
 * line of the source to one 128-byte row of shared memory that have the same halves, cross alike, and all or none change between even
 * and odd sectors; a 16-byte chunk of the source goes once a wavefront, to the last lane that wants it first.
 */
export function bypassCopy(destinations: Int32Array, sources: Int32Array, mask: number): BypassCopy {
  const sectors = new Map<string, Sector>();
  const anySource = new Set<string>();
  const taken = new Map<string, number>();
  for (let rest = lanesThatCount(destinations, mask); rest !== 0; ) {
    const lane = 31 - Math.clz32(rest);
    rest &= ~(1 << lane);
    const to = (destinations[lane] as number) >> 4;
    const from = (sources[lane] as number) >> 4;
    const isCrossed = (to ^ from) & 1;
    const chunk = `${to >> 3} ${from} ${isCrossed}`;
    const rank = taken.get(chunk) ?? 0;
    taken.set(chunk, rank + 1);
    anySource.add(`${to >> 1} ${from >> 1} ${isCrossed}`);
    const key = `${to >> 1} ${from >> 1} ${isCrossed} ${rank}`;
    const sector = sectors.get(key) ?? {
      wavefront: `${to >> 3} ${from >> 3} ${isCrossed} ${rank} ${((to ^ from) >> 1) & 1}`,
      halves: 0,
      lanes: 0,
    };
    sector.halves |= 1 << (to & 1);
    sector.lanes |= 1 << lane;
    sectors.set(key, sector);
  }
  const passes = new Map<string, number>();
  for (const { wavefront, halves, lanes } of sectors.values()) {
    const key = `${wavefront} ${halves}`;
    passes.set(key, (passes.get(key) ?? 0) | lanes);
  }
  return { wavefronts: passes.size, sectors: anySource.size, passes: [...passes.values()] };
}

interface Sector {
  readonly wavefront: string;
  halves: number;
  lanes: number;
}

/** The lanes that are the first to write their 16 bytes. */
function lanesThatCount(destinations: Int32Array, mask: number): number {
  const seen = new Set<number>();
  let first = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const chunk = (destinations[lane] as number) >> 4;
    if (!seen.has(chunk)) first |= 1 << lane;
    seen.add(chunk);
  }
  return first;
}
