// What one warp asks of memory with one machine instruction, and its lanes as small integers for the rules of this folder.
import type { AccessOperation } from "../evaluate/profile.ts";

export interface WarpRequest {
  /** Byte address of each of the 32 lanes, from any base that is a multiple of 128; null where the lane is inactive. */
  readonly laneAddresses: readonly (number | null)[];
  /** Bytes that one lane accesses; of a matrix load or store, the 16 bytes of a row. */
  readonly bytes: number;
  readonly operation: AccessOperation;
  /** The intrinsic's name where it matters: "atomicCAS", "atomicAdd.single" (emulated), "ldmatrix.x4", "cp.async.cg". */
  readonly variant?: string;
  /** Of an async copy, the other side: sources for the shared figure, destinations for the global one. */
  readonly partnerAddresses?: readonly (number | null)[] | null;
}

export const laneCount = 32;
export const wavefrontBytes = 128;
export const sectorBytes = 32;

const largestOffset = 2 ** 31;

/**
 * Writes each active lane's address, less a multiple of 128 that all share, to `offsets`, and returns the mask of the active
 * lanes (bit i for lane i, as a signed 32-bit number). Addresses too far apart for 32 bits get new rows of 128 bytes: which
 * lanes share a row, and the offset within it, is all that any rule asks for.
 */
export function readLanes(addresses: readonly (number | null)[], offsets: Int32Array): number {
  let mask = 0;
  let base = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    const address = addresses[lane] ?? null;
    if (address === null) continue;
    if (mask === 0) base = Math.floor(address / wavefrontBytes) * wavefrontBytes;
    const offset = address - base;
    if (offset >= largestOffset || offset < -largestOffset) return readDistantLanes(addresses, offsets);
    offsets[lane] = offset;
    mask |= 1 << lane;
  }
  return mask;
}

function readDistantLanes(addresses: readonly (number | null)[], offsets: Int32Array): number {
  const rows = new Map<number, number>();
  let mask = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    const address = addresses[lane] ?? null;
    if (address === null) continue;
    const row = Math.floor(address / wavefrontBytes);
    const known = rows.get(row) ?? rows.size;
    rows.set(row, known);
    offsets[lane] = known * wavefrontBytes + (address - row * wavefrontBytes);
    mask |= 1 << lane;
  }
  return mask;
}

/** Number of set bits. */
export function countLanes(mask: number): number {
  let rest = mask - ((mask >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Bits of `count` lanes from `start`, as a mask. */
export function laneRange(start: number, count: number): number {
  return count === laneCount ? -1 : ((1 << count) - 1) << start;
}
