// Atomics on shared memory: those that the hardware has, and those that the compiler emulates by a loop.
import { banksOf, plainWavefronts, unitShift } from "./conflicts.ts";
import { countLanes, laneCount, laneRange, type WarpRequest, wavefrontBytes } from "./request.ts";

/** `counting`: one instruction that counts the lanes of each word. `joined`: one lane does it for all, `joined-if-full` only in a full warp. `native`: one instruction. `compare-and-swap`: one instruction of two steps. `emulated`: a loop of a load and a swap. */
export type AtomicKind =
  | "counting"
  | "joined"
  | "joined-if-full"
  | "native"
  | "compare-and-swap"
  | "emulated";

/**
 * How sm_90 does the atomic of this name and width on shared memory. 32-bit integers are native, and exchange and
 * compare-and-swap of 64 bits; numbers with a fraction and other 64-bit atomics are loops (recorded: ATOMS.CAST.SPIN).
 */
export function atomicKind(variant: string, bytes: number): AtomicKind {
  if (variant.endsWith(".increment")) return "counting";
  if (variant.endsWith(".joined")) return "joined";
  if (variant.endsWith(".joinedIfFull")) return "joined-if-full";
  if (/cas/i.test(variant)) return "compare-and-swap";
  if (/exch/i.test(variant)) return "native";
  const hasFraction = /single|double|half|bfloat|float|emulated/.test(variant);
  return hasFraction || bytes === 8 ? "emulated" : "native";
}

/**
 * The machine instructions of an atomic, as Nsight Compute counts them: on shared memory the loop of an emulated one is a load and
 * a swap, each with a row of its own.
 */
export function stepsOfAtomic(space: string, variant: string, bytes: number): readonly ("load" | "atomic")[] {
  return space === "shared" && atomicKind(variant, bytes) === "emulated" ? loopSteps : singleStep;
}

const singleStep = ["atomic"] as const;
const loopSteps = ["load", "atomic"] as const;

/** Whether a request belongs to an atomic: the load of its loop carries the atomic's name. */
export function isOfAtomic({ operation, variant }: Pick<WarpRequest, "operation" | "variant">): boolean {
  return operation === "atomic" || (operation === "load" && variant?.startsWith("atomic") === true);
}

/** Whether a request is the load of an emulated atomic's loop. */
export function isLoadOfLoop(request: Pick<WarpRequest, "operation" | "variant" | "bytes">): boolean {
  const { operation, variant, bytes } = request;
  return operation === "load" && isOfAtomic(request) && atomicKind(variant ?? "", bytes) === "emulated";
}

const lanesInBank = new Int32Array(laneCount);

/**
 * Wavefronts of a native atomic: the most lanes in any bank, the same word or not; 8 bytes go by half-warps. A
 * compare-and-swap takes twice that.
 */
export function atomicWavefronts(offsets: Int32Array, mask: number, bytes: number): number {
  const banks = banksOf(bytes);
  const shift = unitShift(bytes);
  let wavefronts = 0;
  for (let start = 0; start < laneCount; start += banks) {
    lanesInBank.fill(0);
    let most = 0;
    for (let rest = mask & laneRange(start, banks); rest !== 0; rest &= rest - 1) {
      const bank = ((offsets[31 - Math.clz32(rest & -rest)] as number) >> shift) & (banks - 1);
      const lanes = (lanesInBank[bank] as number) + 1;
      lanesInBank[bank] = lanes;
      if (lanes > most) most = lanes;
    }
    wavefronts += most;
  }
  return wavefronts;
}

export interface EmulatedAtomic {
  /** How often the loop runs: each of its two instructions is executed so often. */
  readonly executions: number;
  readonly loadWavefronts: number;
  readonly loadIdeal: number;
  readonly swapWavefronts: number;
  readonly swapIdeal: number;
}

/**
 * The loop of an emulated atomic that changes the value each time. A trip loads the words of the remaining lanes, then swaps: in each
 * bank the lowest remaining lane wins, for 8 bytes in each half-warp, but the upper half loses a word that the lower
 * half just won. The swap takes two wavefronts for each group with a remaining lane.
 */
export function emulatedAtomic(offsets: Int32Array, mask: number, bytes: number): EmulatedAtomic {
  const banks = banksOf(bytes);
  let executions = 0;
  let loadWavefronts = 0;
  let loadIdeal = 0;
  let swapWavefronts = 0;
  let swapIdeal = 0;
  for (let rest = mask; rest !== 0; ) {
    const ideal = Math.ceil((countLanes(rest) * bytes) / wavefrontBytes);
    const load = plainWavefronts(offsets, rest, bytes, "load");
    executions++;
    loadWavefronts += load;
    loadIdeal += Math.min(load, ideal);
    swapIdeal += 2 * ideal;
    for (let start = 0; start < laneCount; start += banks)
      if ((rest & laneRange(start, banks)) !== 0) swapWavefronts += 2;
    rest &= ~winnersOf(offsets, rest, banks, unitShift(bytes));
  }
  return {
    executions,
    loadWavefronts,
    loadIdeal,
    swapWavefronts,
    swapIdeal: Math.min(swapIdeal, swapWavefronts),
  };
}

const wonUnit = new Int32Array(laneCount);

/** The lanes whose swap succeeds in this trip, as a mask. */
export function winnersOf(offsets: Int32Array, mask: number, banks: number, shift: number): number {
  let won = 0;
  let winners = 0;
  for (let start = 0; start < laneCount; start += banks) {
    let tried = 0;
    const before = won;
    for (let rest = mask & laneRange(start, banks); rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const unit = (offsets[lane] as number) >> shift;
      const bit = 1 << (unit & (banks - 1));
      if ((tried & bit) !== 0) continue;
      tried |= bit;
      if ((before & bit) !== 0 && wonUnit[unit & (banks - 1)] === unit) continue;
      won |= bit;
      wonUnit[unit & (banks - 1)] = unit;
      winners |= 1 << lane;
    }
  }
  return winners;
}
