// Plain loads and stores of shared memory: how the lanes of a warp form groups, and how lanes of a group meet in banks.
import { laneCount, laneRange, wavefrontBytes } from "./request.ts";

/**
 * The unit of conflict is what one lane accesses, but at least a 4-byte word; `banks` of them make the 128 bytes of a wavefront,
 * and as many lanes are served together: 32 words, 16 of 8 bytes (a half-warp), 8 of 16 bytes (a quarter-warp).
 */
export function banksOf(bytes: number): number {
  return bytes <= 4 ? laneCount : wavefrontBytes / bytes;
}

/** log2 of the unit's bytes. */
export function unitShift(bytes: number): number {
  return bytes <= 4 ? 2 : bytes === 8 ? 3 : 4;
}

const distinctInBank = new Int32Array(laneCount);
const unitsInBank = new Int32Array(laneCount * laneCount);

/**
 * The most distinct units that the lanes of `mask` touch in any of `banks` banks: the wavefronts of lanes that are served
 * together. Lanes in the same unit never conflict. 0 where no lane is active.
 */
function conflictDegree(offsets: Int32Array, mask: number, shift: number, banks: number): number {
  distinctInBank.fill(0, 0, banks);
  let degree = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const unit = (offsets[31 - Math.clz32(rest & -rest)] as number) >> shift;
    const bank = unit & (banks - 1);
    const start = bank * laneCount;
    const count = distinctInBank[bank] as number;
    let index = 0;
    while (index < count && unitsInBank[start + index] !== unit) index++;
    if (index < count) continue;
    unitsInBank[start + count] = unit;
    distinctInBank[bank] = count + 1;
    if (count >= degree) degree = count + 1;
  }
  return degree;
}

/**
 * The groups of lanes that are judged alone and whose wavefronts add up, as masks, written to `groups`; returns their number.
 * Stores: one group for up to 4 bytes, the half-warps for 8, the quarter-warps for 16. Loads: halves merge to a warp, or
 * quarters to a half, where the lanes pair up and the merged group is free of conflict; lanes that all load the same 16 bytes are
 * served sixteen at a time, wherever they stand (measured on sm_90; docs/hardware.md).
 */
export function groupsOf(
  offsets: Int32Array,
  mask: number,
  bytes: number,
  kind: "load" | "store",
  groups: Int32Array,
): number {
  const banks = banksOf(bytes);
  const shift = unitShift(bytes);
  if (kind === "load" && bytes === 16 && isOneUnit(offsets, mask, shift)) return writeSixteens(mask, groups);
  let count = 0;
  const span = kind === "load" && banks < laneCount ? banks * 2 : banks;
  for (let start = 0; start < laneCount; start += span) {
    const lanes = mask & laneRange(start, span);
    if (lanes === 0) continue;
    if (span > banks && !isMerged(offsets, mask, start, span, shift, banks)) {
      for (let group = start; group < start + span; group += banks) {
        const part = mask & laneRange(group, banks);
        if (part !== 0) groups[count++] = part;
      }
    } else groups[count++] = lanes;
  }
  return count;
}

function isOneUnit(offsets: Int32Array, mask: number, shift: number): boolean {
  if (mask === 0) return false;
  const unit = (offsets[31 - Math.clz32(mask & -mask)] as number) >> shift;
  for (let rest = mask; rest !== 0; rest &= rest - 1)
    if ((offsets[31 - Math.clz32(rest & -rest)] as number) >> shift !== unit) return false;
  return true;
}

/** The first sixteen lanes of `mask`, and the others. */
function writeSixteens(mask: number, groups: Int32Array): number {
  let others = mask;
  for (let lanes = 0; lanes < 16; lanes++) others &= others - 1;
  groups[0] = mask & ~others;
  groups[1] = others;
  return others === 0 ? 1 : 2;
}

/** Whether `span` lanes of a load from `start`, two groups of a store, are served as one group. */
function isMerged(
  offsets: Int32Array,
  mask: number,
  start: number,
  span: number,
  shift: number,
  banks: number,
): boolean {
  const range = laneRange(start, span);
  const lanes = mask & range;
  if (!mayPair(offsets, mask, start, span, range, shift)) return false;
  return conflictDegree(offsets, lanes, shift, banks) <= 1;
}

/**
 * Whether the lanes pair up, lane i with i^1, or all with i^2. The lower half of a 16-byte load is judged otherwise than the
 * upper one, and than both halves of an 8-byte load: where lane 31 is inactive it needs no pairs, where lane 31 is
 * active no pair may have but one active lane. Strange, but so the Source page counts, on all 1,389 16-byte loads that were measured.
 */
function mayPair(
  offsets: Int32Array,
  mask: number,
  start: number,
  span: number,
  range: number,
  shift: number,
): boolean {
  const lanes = mask & range;
  const isLower = span < laneCount && start === 0;
  if (isLower && mask >= 0) return true;
  return pairDistances.some(
    (distance) => isPaired(offsets, lanes, distance, shift) && !(isLower && hasHalfPair(lanes, distance)),
  );
}

const pairDistances = [1, 2] as const;

const lowerOfPairs = [0, 0x55555555, 0x33333333] as const;

/** Whether each two active lanes i and i + distance of a pair are in the same unit. */
function isPaired(offsets: Int32Array, mask: number, distance: 1 | 2, shift: number): boolean {
  const whole = mask & (mask >>> distance) & lowerOfPairs[distance];
  for (let rest = whole; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    if ((offsets[lane] as number) >> shift !== (offsets[lane + distance] as number) >> shift) return false;
  }
  return true;
}

/** Whether of some two lanes i and i + distance that make a pair but one is active. */
function hasHalfPair(mask: number, distance: 1 | 2): boolean {
  return ((mask ^ (mask >>> distance)) & lowerOfPairs[distance]) !== 0;
}

const scratchGroups = new Int32Array(4);

/** Wavefronts of a plain load or store of 1, 2, 4, 8 or 16 bytes a lane. */
export function plainWavefronts(
  offsets: Int32Array,
  mask: number,
  bytes: number,
  kind: "load" | "store",
): number {
  const banks = banksOf(bytes);
  const shift = unitShift(bytes);
  if (banks === laneCount) return conflictDegree(offsets, mask, shift, banks);
  const count = groupsOf(offsets, mask, bytes, kind, scratchGroups);
  let wavefronts = 0;
  for (let group = 0; group < count; group++)
    wavefronts += conflictDegree(offsets, scratchGroups[group] as number, shift, banks);
  return wavefronts;
}

/** Wavefronts of ldmatrix and stmatrix: `matrices` groups of 8 lanes, each the address of a row of 16 bytes. */
export function matrixWavefronts(offsets: Int32Array, mask: number, matrices: number): number {
  let wavefronts = 0;
  for (let matrix = 0; matrix < matrices; matrix++)
    wavefronts += conflictDegree(offsets, mask & laneRange(matrix * 8, 8), 4, 8);
  return wavefronts;
}
