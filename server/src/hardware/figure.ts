// What one request of a warp costs: wavefronts of shared memory and sectors of global memory, with Nsight Compute's ideals.
// The rules are those of its Source page, measured on sm_90 (docs/hardware.md, fixtures/hardware/patterns.jsonl).
import type { Figure } from "../evaluate/profile.ts";
import { bypassCopy, cachedCopyWavefronts, copyPath } from "./async-copy.ts";
import { type AtomicKind, atomicKind, atomicWavefronts, emulatedAtomic, isLoadOfLoop } from "./atomic.ts";
import { matrixWavefronts, plainWavefronts } from "./conflicts.ts";
import {
  countLanes,
  laneCount,
  laneRange,
  readLanes,
  sectorBytes,
  type WarpRequest,
  wavefrontBytes,
} from "./request.ts";

export type { WarpRequest } from "./request.ts";

const offsets = new Int32Array(laneCount);
const partners = new Int32Array(laneCount);

/**
 * Wavefronts of a shared request, and ideal: active lanes × bytes / 128, rounded up, but never more than the cost. Adding a multiple of
 * 128 bytes to all addresses changes nothing. Of an emulated atomic (`stepsOfAtomic`), the sum over the trips of its loop: of the load where
 * the operation is a load with the atomic's name, else of the swap. Of an async copy without
 * `partnerAddresses`, what the destinations alone cost: the least that it can be.
 *
 * `bytes` other than 1, 2, 4, 8 and 16 are taken as several accesses of the widest of these that divides it; lanes off the
 * boundary of the width, where the kernel would fault, as rounded down to it.
 */
export function sharedFigure(request: WarpRequest): Figure {
  const mask = readLanes(request.laneAddresses, offsets);
  if (mask === 0) return nothing;
  const bytes = widthOf(request.bytes);
  return bytes === request.bytes ? oneShared(request, mask, bytes) : manyShared(request, mask, bytes);
}

const nothing: Figure = { cost: 0, ideal: 0 };

/** The widest access that divides `bytes`. */
function widthOf(bytes: number): number {
  return bytes % 16 === 0 ? 16 : bytes % 8 === 0 ? 8 : bytes % 4 === 0 ? 4 : bytes % 2 === 0 ? 2 : 1;
}

function oneShared(request: WarpRequest, mask: number, bytes: number): Figure {
  switch (request.operation) {
    case "load":
      if (isLoadOfLoop(request)) return loopFigure(mask, bytes, "load");
      return figure(plainWavefronts(offsets, mask, bytes, "load"), mask, bytes, wavefrontBytes);
    case "store":
      return figure(plainWavefronts(offsets, mask, bytes, "store"), mask, bytes, wavefrontBytes);
    case "atomic":
      return atomicFigure(mask, bytes, atomicKind(request.variant ?? "", bytes));
    case "matrix-load":
    case "matrix-store":
      return matrixFigure(mask, matricesOf(request.variant ?? ""));
    case "async-copy":
      return copyFigure(request, mask, bytes);
  }
}

function figure(cost: number, mask: number, bytes: number, wholeBytes: number): Figure {
  return { cost, ideal: Math.min(cost, Math.ceil((countLanes(mask) * bytes) / wholeBytes)) };
}

/** A value that no one instruction moves: its parts one after the other. */
function manyShared(request: WarpRequest, mask: number, bytes: number): Figure {
  let cost = 0;
  let ideal = 0;
  for (let part = 0; part < request.bytes; part += bytes) {
    const { cost: partCost, ideal: partIdeal } = oneShared(request, mask, bytes);
    cost += partCost;
    ideal += partIdeal;
    for (let lane = 0; lane < laneCount; lane++) offsets[lane] = (offsets[lane] as number) + bytes;
  }
  return { cost, ideal };
}

const wholeWarp = -1;

function atomicFigure(mask: number, bytes: number, kind: AtomicKind): Figure {
  if (kind === "emulated") return loopFigure(mask, bytes, "swap");
  if (kind === "counting")
    return figure(plainWavefronts(offsets, mask, bytes, "load"), mask, bytes, wavefrontBytes);
  if (kind === "joined" || (kind === "joined-if-full" && mask === wholeWarp)) return { cost: 1, ideal: 1 };
  const once = figure(atomicWavefronts(offsets, mask, bytes), mask, bytes, wavefrontBytes);
  return kind !== "compare-and-swap" ? once : { cost: once.cost * 2, ideal: once.ideal * 2 };
}

/** One instruction of the loop of an emulated atomic, summed over its trips. */
function loopFigure(mask: number, bytes: number, step: "load" | "swap"): Figure {
  const loop = emulatedAtomic(offsets, mask, bytes);
  return step === "load"
    ? { cost: loop.loadWavefronts, ideal: loop.loadIdeal }
    : { cost: loop.swapWavefronts, ideal: loop.swapIdeal };
}

/** 1, 2 or 4, of "ldmatrix.x4.trans" and its like; 4 where the name does not say. */
export function matricesOf(variant: string): 1 | 2 | 4 {
  const count = /x([124])\b/.exec(variant)?.[1];
  return count === "1" ? 1 : count === "2" ? 2 : 4;
}

function matrixFigure(mask: number, matrices: 1 | 2 | 4): Figure {
  const lanes = mask & laneRange(0, matrices * 8);
  return figure(matrixWavefronts(offsets, lanes, matrices), lanes, 16, wavefrontBytes);
}

function copyFigure(request: WarpRequest, mask: number, bytes: number): Figure {
  const sources = request.partnerAddresses;
  if (!sources) return figure(plainWavefronts(offsets, mask, bytes, "store"), mask, bytes, wavefrontBytes);
  const reading = readLanes(sources, partners);
  if (copyPath(request.variant ?? "", bytes) === "bypass") {
    const { wavefronts, lanes } = bypassCopy(offsets, partners, mask);
    return figure(wavefronts, lanes, bytes, wavefrontBytes);
  }
  return figure(
    cachedCopyWavefronts(offsets, partners, { writing: mask, reading }, bytes),
    mask,
    bytes,
    wavefrontBytes,
  );
}

const sectorsSeen = new Int32Array(laneCount * 2);

/**
 * Sectors of a global request: the distinct 32-byte sectors that active lanes touch, whatever the operation; and ideal: active
 * lanes × bytes / 32, rounded up, but never more than the cost. A copy past L1 (cp.async.cg) counts a sector again where it
 * does not go to one sector of shared memory whole (`partnerAddresses` are its destinations).
 */
export function globalFigure(request: WarpRequest): Figure {
  const mask = readLanes(request.laneAddresses, offsets);
  if (mask === 0) return nothing;
  const { operation, bytes, partnerAddresses } = request;
  if (operation === "async-copy" && partnerAddresses && copyPath(request.variant ?? "", bytes) === "bypass") {
    readLanes(partnerAddresses, partners);
    const { sectors, lanes } = bypassCopy(partners, offsets, mask);
    return figure(sectors, lanes, bytes, sectorBytes);
  }
  const sectors = bytes <= sectorBytes ? fewSectors(mask, bytes) : manySectors(mask, bytes);
  return figure(sectors, mask, bytes, sectorBytes);
}

/** Lanes of at most a sector's width touch one or two. */
function fewSectors(mask: number, bytes: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const offset = offsets[31 - Math.clz32(rest & -rest)] as number;
    const last = (offset + bytes - 1) >> 5;
    for (let sector = offset >> 5; sector <= last; sector++) {
      // Neighbouring lanes mostly touch the sector seen last.
      let index = count - 1;
      while (index >= 0 && sectorsSeen[index] !== sector) index--;
      if (index < 0) sectorsSeen[count++] = sector;
    }
  }
  return count;
}

function manySectors(mask: number, bytes: number): number {
  const sectors = new Set<number>();
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const offset = offsets[31 - Math.clz32(rest & -rest)] as number;
    for (let sector = offset >> 5; sector <= (offset + bytes - 1) >> 5; sector++) sectors.add(sector);
  }
  return sectors.size;
}

/** The lanes whose address is not a multiple of `bytes`, where the hardware has such an access: the kernel faults there. */
export function misalignedLanes(request: WarpRequest): number[] {
  const bytes = widthOf(request.bytes);
  const lanes: number[] = [];
  request.laneAddresses.forEach((address, lane) => {
    if (address !== null && address % bytes !== 0) lanes.push(lane);
  });
  return lanes;
}
