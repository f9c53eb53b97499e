// The wavefronts of one shared request, one by one, as the bank map draws them.

import { bypassPasses, bypassSectors, copyPath } from "./async-copy.ts";
import { atomicKind, isLoadOfLoop, winnersOf } from "./atomic.ts";
import { banksOf, groupsOf, unitShift } from "./conflicts.ts";
import { matricesOf } from "./figure.ts";
import { laneCount, laneRange, readLanes, type WarpRequest } from "./request.ts";

/** One row of the bank map. */
export interface Pass {
  /** The lanes served, ascending. */
  readonly lanes: readonly number[];
  /** The 4-byte words moved, in the order of their banks. */
  readonly cells: readonly PassCell[];
}

export interface PassCell {
  readonly bank: number;
  /** Address divided by 4, from the base that the request's addresses have. */
  readonly word: number;
  /** The lanes that this word serves: more than one where it is broadcast. */
  readonly lanes: readonly number[];
}

const offsets = new Int32Array(laneCount);
const sources = new Int32Array(laneCount);

/**
 * Which lanes, words and banks each wavefront serves: as many passes as `sharedFigure` counts wavefronts, but of an emulated
 * atomic one for each trip of its loop. Null where only the number is known: copies through L1, copies whose sources are not
 * given, and widths that no one instruction moves. The order within a bank, first lane first, is a way of drawing: what the hardware
 * does first was not measured.
 */
export function sharedPasses(request: WarpRequest): readonly Pass[] | null {
  const mask = readLanes(request.laneAddresses, offsets);
  if (mask === 0) return [];
  const masks = passMasks(request, mask);
  return masks?.map((lanes) => describePass(request, lanes)) ?? null;
}

/**
 * The lanes of each sector that a copy past L1 takes from global memory, as masks in the order of the lanes: a sector that goes to two places
 * counts twice. Null for all other requests, where a sector is one however many lanes want of it, and where the destinations are not given.
 */
export function copiedSectors(request: WarpRequest): readonly number[] | null {
  const { operation, variant = "", bytes, laneAddresses, partnerAddresses } = request;
  if (operation !== "async-copy" || !partnerAddresses || copyPath(variant, bytes) === "cached") return null;
  const mask = readLanes(laneAddresses, sources) & readLanes(partnerAddresses, offsets);
  return inLaneOrder(bypassSectors(offsets, sources, mask));
}

function inLaneOrder(masks: readonly number[]): number[] {
  return [...masks].sort((a, b) => firstLane(a) - firstLane(b));
}

function firstLane(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

function passMasks(request: WarpRequest, mask: number): number[] | null {
  const { bytes, operation } = request;
  const variant = request.variant ?? "";
  if (![1, 2, 4, 8, 16].includes(bytes)) return null;
  if (operation === "atomic") return atomicPasses(mask, bytes, variant);
  if (isLoadOfLoop(request)) return tripsOfLoop(mask, bytes).flatMap((lanes) => loadPasses(lanes, bytes));
  if (operation === "async-copy") {
    if (!request.partnerAddresses || copyPath(variant, bytes) === "cached") return null;
    readLanes(request.partnerAddresses, sources);
    return inLaneOrder(bypassPasses(offsets, sources, mask));
  }
  const groups =
    operation === "load" || operation === "store"
      ? plainGroups(mask, bytes, operation)
      : matrixGroups(mask, matricesOf(variant));
  const isMatrix = operation === "matrix-load" || operation === "matrix-store";
  return groups.flatMap((group) => splitByBank(group, isMatrix ? 16 : bytes, "broadcast"));
}

function plainGroups(mask: number, bytes: number, kind: "load" | "store"): number[] {
  const groups = new Int32Array(4);
  if (bytes <= 4) return [mask];
  const count = groupsOf(offsets, mask, bytes, kind, groups);
  return [...groups.subarray(0, count)];
}

function matrixGroups(mask: number, matrices: number): number[] {
  return Array.from({ length: matrices }, (_, matrix) => mask & laneRange(matrix * 8, 8)).filter(
    (group) => group !== 0,
  );
}

function loadPasses(mask: number, bytes: number): number[] {
  return plainGroups(mask, bytes, "load").flatMap((group) => splitByBank(group, bytes, "broadcast"));
}

/** A native atomic serves one lane a bank; a compare-and-swap takes each pass twice; of a loop, the passes of its swaps. */
function atomicPasses(mask: number, bytes: number, variant: string): number[] | null {
  const kind = atomicKind(variant, bytes);
  if (kind === "emulated") return loopPasses(mask, bytes);
  if (kind === "counting") return loadPasses(mask, bytes);
  if (kind === "joined" || (kind === "joined-if-full" && mask === laneRange(0, laneCount)))
    return [mask & -mask];
  const banks = banksOf(bytes);
  const passes: number[] = [];
  for (let start = 0; start < laneCount; start += banks)
    passes.push(...splitByBank(mask & laneRange(start, banks), bytes, "serialize"));
  return kind !== "compare-and-swap" ? passes : passes.flatMap((lanes) => [lanes, lanes]);
}

/** The lanes that are left at each trip of the loop. */
function tripsOfLoop(mask: number, bytes: number): number[] {
  const trips: number[] = [];
  for (let rest = mask; rest !== 0; rest &= ~winnersOf(offsets, rest, banksOf(bytes), unitShift(bytes)))
    trips.push(rest);
  return trips;
}

/** Those that win their swap there. */
function loopPasses(mask: number, bytes: number): number[] {
  return tripsOfLoop(mask, bytes).map((lanes, trip, trips) => lanes & ~(trips[trip + 1] ?? 0));
}

/** Splits lanes so that no two of a pass meet in a bank; with "broadcast", lanes in the same unit go together. */
function splitByBank(mask: number, bytes: number, sameUnit: "broadcast" | "serialize"): number[] {
  const banks = banksOf(bytes);
  const shift = unitShift(bytes);
  const passes: { lanes: number; units: Map<number, number> }[] = [];
  for (let lane = 0; lane < laneCount; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    const unit = (offsets[lane] as number) >> shift;
    const bank = unit & (banks - 1);
    const isFree = (pass: { units: Map<number, number> }) => {
      const held = pass.units.get(bank);
      return held === undefined || (sameUnit === "broadcast" && held === unit);
    };
    let pass = passes.find(isFree);
    if (!pass) {
      pass = { lanes: 0, units: new Map() };
      passes.push(pass);
    }
    pass.units.set(bank, unit);
    pass.lanes |= 1 << lane;
  }
  return passes.map((pass) => pass.lanes);
}

function describePass(request: WarpRequest, mask: number): Pass {
  const isMatrix = request.operation === "matrix-load" || request.operation === "matrix-store";
  const words = Math.max(1, (isMatrix ? 16 : request.bytes) / 4);
  const lanes: number[] = [];
  const cells = new Map<number, { bank: number; word: number; lanes: number[] }>();
  for (let lane = 0; lane < laneCount; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    lanes.push(lane);
    const address = request.laneAddresses[lane] ?? 0;
    const first = Math.floor(address / (words * 4)) * words;
    for (let word = first; word < first + words; word++) {
      const bank = ((word % 32) + 32) % 32;
      const cell = cells.get(word) ?? { bank, word, lanes: [] };
      cell.lanes.push(lane);
      cells.set(word, cell);
    }
  }
  return { lanes, cells: [...cells.values()].sort((a, b) => a.bank - b.bank || a.word - b.word) };
}
