// From the address of an access, as a linear form over the lanes, to its figures: summed exactly over the folded dimensions, bounded where
// an unknown moves the whole warp, conditional where an unknown pitch lies between lanes.
import { globalFigure, sharedFigure } from "../hardware/figure.ts";
import { nameOf } from "./derive.ts";
import { divisorOfLanes, greatestDivisor, laneCount, laneOf, popCount, uniformOver } from "./lanes.ts";
import type { Linear, Term } from "./linear.ts";
import { variesInTerm } from "./linear.ts";
import { pitchFigures } from "./pitch.ts";
import type { AccessOperation, Figure } from "./profile.ts";
import { type Indeterminate, SplitRequest } from "./symbol.ts";

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
  readonly alignmentBytes: number;
  readonly sureMask: number;
  readonly possibleMask: number;
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
  readonly worstAddresses: readonly (number | null)[];
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
  readonly sampleAddresses: readonly (number | null)[];
  /** "m >= 8": holds from there on; null where for all. */
  readonly condition: string | null;
  /** The unknown pitches between lanes; empty where only an offset of the whole warp is unknown. */
  readonly pitches: readonly Indeterminate[];
  /** Least and most lanes off the boundary of the access's width. */
  readonly leastMisaligned: number;
}

export interface Immeasurable {
  readonly kind: "immeasurable";
  readonly reason: string;
  readonly dependsOnData: boolean;
}

/** What the address's unknown part means for its cost. */
interface Parts {
  /** Folded dimensions that move the whole warp. */
  readonly moves: readonly { readonly coefficient: number; readonly count: number }[];
  /** The whole warp may lie at any multiple of this, modulo `period`; `period` where it is known. */
  readonly offsetStep: number;
  /** Unknowns whose multiple differs between lanes. */
  readonly pitches: readonly Term[];
  /** Unknowns that differ by lane but leave every lane in its bank. */
  readonly hasRows: boolean;
}

const wavefrontPeriod = 128;
const sectorPeriod = 32;

/** The figures of one access. Throws SplitRequest where folded dimensions must be taken apart. */
export function measure(request: CostRequest): Measurement {
  const period = request.space === "shared" ? wavefrontPeriod : sectorPeriod;
  const parts = classify(request, period);
  if ("reason" in parts) return { kind: "immeasurable", ...parts };
  const figureAt = (addresses: readonly (number | null)[]): Figure =>
    (request.space === "shared" ? sharedFigure : globalFigure)({
      laneAddresses: addresses,
      bytes: request.bytes,
      operation: request.operation,
      variant: request.variant,
    });
  const base = addressesOf(request.address, request.possibleMask, period);
  if (request.sureMask !== request.possibleMask) {
    const isSafe = isSafeUnderAnyMask(request, base, figureAt(base));
    if (!isSafe || parts.pitches.length > 0 || parts.hasRows)
      return { kind: "immeasurable", reason: "which lanes take part is not known", dependsOnData: true };
  }
  if (parts.hasRows) return rowsFigure(request, base);
  if (parts.pitches.length > 0)
    return pitchFigures(request, base, parts.pitches, placeStep(parts), period, figureAt);
  if (parts.offsetStep < period) return offsetBounds(request, base, parts, period, figureAt);
  return sumOverMoves(request, base, parts.moves, period, figureAt);
}

function classify(request: CostRequest, period: number): Parts | { reason: string; dependsOnData: boolean } {
  const mask = request.possibleMask;
  const moves: { coefficient: number; count: number }[] = [];
  const pitches: Term[] = [];
  let offsetStep = Math.min(request.alignmentBytes, period);
  let hasRows = false;
  for (const term of request.address.terms) {
    const step = divisorOfLanes(term.coefficient, mask);
    if (step === 0) continue;
    const coefficient = uniformOver(term.coefficient, mask);
    const leavesPhase = step % period === 0;
    if (variesInTerm(term)) {
      requestSplit(term);
      if (!leavesPhase || request.space === "global") return unknownTerm(term);
      hasRows = true;
    } else if (coefficient === null) {
      requestSplit(term);
      const dimension = term.factors.find((factor) => factor.role === "dimension");
      if (dimension) throw new SplitRequest({ dimension, at: { kind: "points" } });
      pitches.push(term);
    } else if (!leavesPhase) {
      const dimension = term.factors.length === 1 ? term.factors[0] : undefined;
      if (dimension?.role === "dimension")
        moves.push({ coefficient: Number(coefficient), count: dimension.most + 1 });
      else {
        requestSplit(term);
        offsetStep = greatestDivisor(offsetStep, step);
      }
    }
  }
  return { moves, offsetStep, pitches, hasRows };
}

/** Splits where that alone makes the term known. */
function requestSplit(term: Term): void {
  const isSettled = term.factors.every((factor) => factor.role === "dimension" || factor.split);
  if (!isSettled) return;
  for (const factor of term.factors) if (factor.split) throw new SplitRequest(factor.split);
  const dimension = term.factors[0];
  if (dimension && term.factors.length > 1) throw new SplitRequest({ dimension, at: { kind: "points" } });
}

function unknownTerm(term: Term): { reason: string; dependsOnData: boolean } {
  const unknown = term.factors.find((factor) => factor.varies) ?? term.factors[0];
  return { reason: unknown ? unknown.reason : nameOf(term.factors), dependsOnData: unknown?.role === "data" };
}

/** The known part of each lane's address, moved down by a multiple of `period` so that the least is small. */
export function addressesOf(address: Linear, mask: number, period: number): (number | null)[] {
  const addresses: (number | null)[] = [];
  let least = Infinity;
  for (let lane = 0; lane < laneCount; lane++) {
    const value = (mask >>> lane) & 1 ? Number(laneOf(address.constant, lane)) : null;
    addresses.push(value);
    if (value !== null && value < least) least = value;
  }
  const base = Math.floor(least / period) * period;
  return base === 0 || !Number.isFinite(base)
    ? addresses
    : addresses.map((value) => (value === null ? null : value - base));
}

/** A known pattern, summed over the positions that the folded dimensions give the warp. */
function sumOverMoves(
  request: CostRequest,
  base: readonly (number | null)[],
  moves: Parts["moves"],
  period: number,
  figureAt: (addresses: readonly (number | null)[]) => Figure,
): Measured {
  let cost = 0;
  let ideal = 0;
  let weight = 0;
  let worst: Figure | null = null;
  let worstAddresses = base;
  let isUniform = true;
  let misalignedLanes = 0;
  let misalignedWeight = 0;
  for (const [residue, times] of residuesOf(moves, period)) {
    const addresses = residue === 0 ? base : shifted(base, residue);
    const figure = figureAt(addresses);
    cost += figure.cost * times;
    ideal += figure.ideal * times;
    weight += times;
    if (worst && (worst.cost !== figure.cost || worst.ideal !== figure.ideal)) isUniform = false;
    if (!worst || figure.cost * worst.ideal > worst.cost * figure.ideal) {
      worst = figure;
      worstAddresses = addresses;
    }
    const off = lanesOffBoundary(addresses, request.bytes);
    misalignedLanes = Math.max(misalignedLanes, off);
    if (off > 0) misalignedWeight += times;
  }
  return {
    kind: "measured",
    cost,
    ideal,
    weight,
    lanes: popCount(request.sureMask),
    worst: worst ?? { cost: 0, ideal: 0 },
    worstAddresses,
    isUniform,
    misalignedLanes,
    misalignedWeight,
  };
}

/** How often the warp lies at each residue modulo `period`, over all values of the dimensions. */
function residuesOf(moves: Parts["moves"], period: number): Map<number, number> {
  let residues = new Map([[0, 1]]);
  for (const { coefficient, count } of moves) {
    const step = ((coefficient % period) + period) % period;
    const cycle = period / greatestDivisor(step, period);
    const next = new Map<number, number>();
    for (let index = 0; index < Math.min(cycle, count); index++) {
      const times = Math.floor((count - 1 - index) / cycle) + 1;
      for (const [residue, before] of residues) {
        const moved = (residue + index * step) % period;
        next.set(moved, (next.get(moved) ?? 0) + before * times);
      }
    }
    residues = next;
  }
  return residues;
}

/** A known pattern at an unknown place: the least and most over the places that it may have. */
function offsetBounds(
  request: CostRequest,
  base: readonly (number | null)[],
  parts: Parts,
  period: number,
  figureAt: (addresses: readonly (number | null)[]) => Figure,
): Bounded | Measured {
  const step = placeStep(parts);
  const bounds = new BoundsOfFigures();
  let leastMisaligned = laneCount;
  for (let offset = 0; offset < period; offset += step) {
    const addresses = shifted(base, offset);
    bounds.include(figureAt(addresses), addresses);
    leastMisaligned = Math.min(leastMisaligned, lanesOffBoundary(addresses, request.bytes));
  }
  const { least, most } = bounds.result();
  // Where the place makes no difference, it is exact, and the folded dimensions need not be summed over.
  if (least.cost === most.cost && least.ideal === most.ideal && leastMisaligned === 0)
    return sumOverMoves(
      request,
      base,
      parts.moves.map((move) => ({ ...move, coefficient: 0 })),
      period,
      figureAt,
    );
  return {
    ...bounds.result(),
    lanes: popCount(request.sureMask),
    condition: null,
    pitches: [],
    leastMisaligned,
  };
}

/** The whole warp may lie at any multiple of this: by an unknown offset, or by a folded dimension. */
function placeStep(parts: Parts): number {
  return parts.moves.reduce(
    (common, move) => greatestDivisor(common, Math.abs(move.coefficient)),
    parts.offsetStep,
  );
}

/** Gathers figures and keeps the extremes by excess factor. */
export class BoundsOfFigures {
  private least: Figure | null = null;
  private most: Figure | null = null;
  private sample: readonly (number | null)[] = [];

  include(figure: Figure, addresses: readonly (number | null)[]): void {
    if (!this.least || isCheaper(figure, this.least)) {
      this.least = figure;
      this.sample = addresses;
    }
    if (!this.most || isCheaper(this.most, figure)) this.most = figure;
  }

  result(): { kind: "bounded"; least: Figure; most: Figure; sampleAddresses: readonly (number | null)[] } {
    const none = { cost: 0, ideal: 0 };
    return {
      kind: "bounded",
      least: this.least ?? none,
      most: this.most ?? none,
      sampleAddresses: this.sample,
    };
  }
}

function isCheaper(a: Figure, b: Figure): boolean {
  return a.cost * b.ideal < b.cost * a.ideal || (a.cost * b.ideal === b.cost * a.ideal && a.cost < b.cost);
}

/** Lanes in known banks but unknown rows: exact where no two lanes share a bank, whatever the rows (DESIGN §6). */
function rowsFigure(request: CostRequest, base: readonly (number | null)[]): Measured | Immeasurable {
  const banks = new Set<number>();
  let lanes = 0;
  for (const address of base) {
    if (address === null) continue;
    lanes++;
    banks.add((address >> 2) % laneCount);
  }
  if (request.bytes > 4 || banks.size < lanes)
    return {
      kind: "immeasurable",
      reason: "rows are chosen by data, and lanes share banks",
      dependsOnData: true,
    };
  const figure = { cost: 1, ideal: 1 };
  return {
    kind: "measured",
    ...figure,
    weight: 1,
    lanes,
    worst: figure,
    worstAddresses: base,
    isUniform: true,
    misalignedLanes: lanesOffBoundary(base, request.bytes),
    misalignedWeight: 0,
  };
}

/** Whether the figure is ideal whichever of the possible lanes take part. */
function isSafeUnderAnyMask(request: CostRequest, base: readonly (number | null)[], figure: Figure): boolean {
  const distinct = new Set(base.filter((address) => address !== null));
  if (distinct.size <= 1) return request.operation !== "atomic";
  return request.space === "shared" && request.bytes <= 4 && figure.cost === 1;
}

export function lanesOffBoundary(addresses: readonly (number | null)[], bytes: number): number {
  let lanes = 0;
  for (const address of addresses) if (address !== null && address % bytes !== 0) lanes++;
  return lanes;
}

export function shifted(addresses: readonly (number | null)[], offset: number): (number | null)[] {
  return addresses.map((address) => (address === null ? null : address + offset));
}
