// What a cost is asked of and what it comes to: requests, exact and bounded measurements, and lists of lane addresses.

import type { AccessOperation, Figure, FiguresByPitch } from "../profile.ts";
import { laneCount, laneOf } from "../values/lanes.ts";
import type { Linear } from "../values/linear.ts";
import type { Cause } from "../values/mask.ts";
import type { Indeterminate } from "../values/symbol.ts";
import type { PitchCondition } from "./conditions.ts";
import type { KnownPitches } from "./pitch.ts";

export interface CostRequest {
  readonly space: "shared" | "global";
  readonly operation: AccessOperation;
  /** The hardware's name of the operation where it matters: "atomic-cas", "ldmatrix.x4". */
  readonly variant: string;
  readonly bytes: number;
  /** Byte address from a base of at least `alignmentBytes`. */
  readonly address: Linear;
  /** Of an async copy, the address on the other side. */
  readonly partner: Linear | null;
  readonly partnerMask: number;
  /** A 16-byte cp.async past L1 under a branch that leaves out lanes of the warp. */
  readonly isPredicatedBypass: boolean;
  readonly alignmentBytes: number;
  /** How much lies behind that base, where that is known. */
  readonly extentBytes: number | null;
  readonly sureMask: number;
  readonly possibleMask: number;
  /** What lets the other possible lanes take part; null where there are none. */
  readonly cause: Cause | null;
  /** How much work it was; `measure` adds to it. */
  readonly effort: Effort;
  /** `measure` adds what it searches for. */
  readonly knownPitches: KnownPitches;
}

export interface Effort {
  /** Figures that were worked out. */
  figures: number;
}

export type Measurement = Measured | Bounded | Immeasurable;

/** Exact: sums over the values of the dimensions in the address, `weight` of them. */
export interface Measured {
  readonly kind: "measured";
  readonly cost: number;
  readonly ideal: number;
  readonly weight: number;
  readonly lanes: number;
  readonly worst: Figure;
  readonly worstAddresses: Addresses;
  /** Of an async copy, where the lanes of that request are on the other side; null where there is none, or it is not known. */
  readonly worstPartners: Addresses | null;
  readonly isUniform: boolean;
  readonly misalignedLanes: number;
  readonly misalignedWeight: number;
}

/** Between two figures a request. */
export interface Bounded {
  readonly kind: "bounded";
  readonly least: Figure;
  readonly most: Figure;
  readonly lanes: number;
  readonly sampleAddresses: Addresses;
  /** From which pitches on it holds; empty where for all. */
  readonly conditions: readonly PitchCondition[];
  /** The unknown pitches between lanes; empty where only an offset of the whole warp is unknown. */
  readonly pitches: readonly Indeterminate[];
  /** How the figure hangs on the pitch; null where it does not, or not by the powers of two that divide it alone. */
  readonly byPitch: FiguresByPitch | null;
  /** Least and most lanes off the boundary of the access's width. */
  readonly leastMisaligned: number;
  /** What data decide where in the range the figure is; null where it is no matter of data. */
  readonly dataReason: string | null;
  /** What decides how much more than the least it is, where the least is not what it usually costs: of rows that begin on a sector; else null. */
  readonly placeReason: string | null;
}

export interface Immeasurable {
  readonly kind: "immeasurable";
  readonly reason: string;
  readonly dependsOnData: boolean;
}

export type Addresses = readonly (number | null)[];
export type FigureAt = (addresses: Addresses, partnerOffset?: number) => Figure;

export const wavefrontPeriod = 128;
export const sectorPeriod = 32;

/**
 * Moving every lane by this many bytes changes no figure. In shared memory it turns the banks in a circle: which lanes meet stays as it was as
 * long as all stay where they were within their unit of access (docs/hardware.md). Both sides of a copy matter to each other: the whole period.
 */
export function placePeriod({ space, operation, bytes }: CostRequest): number {
  if (space === "global") return sectorPeriod;
  if (operation === "async-copy" || !plainWidths.has(bytes)) return wavefrontPeriod;
  return operation === "matrix-load" || operation === "matrix-store"
    ? matrixRowBytes
    : Math.max(wordBytes, bytes);
}

const plainWidths = new Set([1, 2, 4, 8, 16]);
const wordBytes = 4;
const matrixRowBytes = 16;

/** The known part of each lane's address, moved down by a multiple of `period` so that the least is small. */
export function addressesOf(address: Linear, mask: number, period: number): (number | null)[] {
  const addresses = new Array<number | null>(laneCount).fill(null);
  const base = movedBytesOf(address, mask, period);
  for (let lane = 0; lane < laneCount; lane++)
    if ((mask >>> lane) & 1) addresses[lane] = Number(laneOf(address.constant, lane)) - base;
  return addresses;
}

/** By how much `addressesOf` moves them down. */
export function movedBytesOf(address: Linear, mask: number, period: number): number {
  let least = Infinity;
  for (let lane = 0; lane < laneCount; lane++)
    if ((mask >>> lane) & 1) {
      const value = Number(laneOf(address.constant, lane));
      if (value < least) least = value;
    }
  return Number.isFinite(least) ? Math.floor(least / period) * period : 0;
}

/** Moving all addresses by this changes no figure. */
export function periodOf(space: "shared" | "global"): number {
  return space === "shared" ? wavefrontPeriod : sectorPeriod;
}

/** Gathers figures and keeps the extremes by excess factor. */
export class BoundsOfFigures {
  private least: Figure | null = null;
  private most: Figure | null = null;
  private sample: Addresses = [];

  include(figure: Figure, addresses: Addresses): void {
    if (!this.least || isCheaper(figure, this.least)) {
      this.least = figure;
      this.sample = addresses;
    }
    if (!this.most || isCheaper(this.most, figure)) this.most = figure;
  }

  result(): { kind: "bounded"; least: Figure; most: Figure; sampleAddresses: Addresses } {
    const none = { cost: 0, ideal: 0 };
    return {
      kind: "bounded",
      least: this.least ?? none,
      most: this.most ?? none,
      sampleAddresses: this.sample,
    };
  }
}

/**
 * The extremes over the places that a warp may be at. A kernel that runs accesses no word off its boundary: where some place has every lane
 * on it, the others are left out.
 */
export class BoundsOverPlaces {
  private readonly aligned = new BoundsOfFigures();
  private readonly all = new BoundsOfFigures();
  private leastOff = laneCount;
  private readonly bytes: number;
  constructor(bytes: number) {
    this.bytes = bytes;
  }

  include(addresses: Addresses, figureAt: FigureAt): void {
    const off = lanesOffBoundary(addresses, this.bytes);
    if (off > 0 && this.leastOff === 0) return;
    const figure = figureAt(addresses);
    this.leastOff = Math.min(this.leastOff, off);
    (off === 0 ? this.aligned : this.all).include(figure, addresses);
  }

  /** Fewest lanes off the boundary at any place. */
  get leastMisaligned(): number {
    return this.leastOff;
  }

  result(): ReturnType<BoundsOfFigures["result"]> {
    return (this.leastOff === 0 ? this.aligned : this.all).result();
  }
}

/** Whether `a` costs less of what is ideal; of what costs as much of it, whether it is less. */
export function isCheaper(a: Figure, b: Figure): boolean {
  return a.cost * b.ideal < b.cost * a.ideal || (a.cost * b.ideal === b.cost * a.ideal && a.cost < b.cost);
}

export function lanesOffBoundary(addresses: Addresses, bytes: number): number {
  let lanes = 0;
  for (const address of addresses) if (address !== null && address % bytes !== 0) lanes++;
  return lanes;
}

export function shifted(addresses: Addresses, offset: number): (number | null)[] {
  return addresses.map((address) => (address === null ? null : address + offset));
}
