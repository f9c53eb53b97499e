// From the address of an access, as a linear form over the lanes, to its figures: summed exactly over the folded dimensions, bounded where
// an unknown moves the whole warp, conditional where an unknown pitch lies between lanes.

import { evidenceFor, measuredArchitecture } from "../hardware/architecture.ts";
import { atomicKind } from "../hardware/atomic.ts";
import { globalFigure, sharedFigure } from "../hardware/figure.ts";
import { nameOf } from "./derive.ts";
import { divisorOfLanes, greatestDivisor, laneCount, laneOf, popCount, uniformOver } from "./lanes.ts";
import type { Linear, Term } from "./linear.ts";
import { variesInTerm } from "./linear.ts";
import type { Cause } from "./mask.ts";
import { pitchFigures } from "./pitch.ts";
import type { AccessOperation, Figure } from "./profile.ts";
import { type Indeterminate, SplitRequest } from "./symbol.ts";
import type { LaneOrder } from "./value.ts";

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
  readonly sureMask: number;
  readonly possibleMask: number;
  /** What lets the other possible lanes take part; null where there are none. */
  readonly cause: Cause | null;
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

/** A folded dimension of `count` values that moves the whole warp, and the other side of an async copy. */
interface Move {
  readonly dimension: Indeterminate;
  readonly coefficient: number;
  readonly partnerCoefficient: number;
  readonly count: number;
}

/** What the address's unknown part means for its cost. */
interface Parts {
  /** Folded dimensions that move the whole warp. */
  readonly moves: readonly Move[];
  /** The whole warp may lie at any multiple of this, modulo `period`; `period` where it is known. */
  readonly offsetStep: number;
  /** Unknowns whose multiple differs between lanes. */
  readonly pitches: readonly Term[];
  /** Unknowns that differ by lane but leave every lane in its bank. */
  readonly hasRows: boolean;
  /** Where the other side of an async copy may lie, if that is not known; else null. */
  readonly partnerPlaces: PartnerPlaces | null;
}

interface PartnerPlaces {
  readonly places: readonly Addresses[];
  readonly condition: string | null;
  readonly reason: string;
}

type Addresses = readonly (number | null)[];
type FigureAt = (addresses: Addresses, partnerOffset?: number) => Figure;

const wavefrontPeriod = 128;
const sectorPeriod = 32;

/** The figures of one access. Throws SplitRequest where folded dimensions must be taken apart. */
export function measure(request: CostRequest): Measurement {
  const period = request.space === "shared" ? wavefrontPeriod : sectorPeriod;
  const { operation, bytes, variant } = request;
  if (evidenceFor(request, measuredArchitecture) === "unknown")
    return { kind: "immeasurable", reason: "how often its loop runs depends on data", dependsOnData: true };
  if (request.isPredicatedBypass)
    return { kind: "immeasurable", reason: predicatedBypass, dependsOnData: false };
  const parts = classify(request, period);
  if ("reason" in parts) return { kind: "immeasurable", ...parts };
  const partnerBase =
    request.partner &&
    addressesOf(request.partner, request.possibleMask & request.partnerMask, wavefrontPeriod);
  const figureAt = (laneAddresses: Addresses, partnerOffset = 0): Figure =>
    (request.space === "shared" ? sharedFigure : globalFigure)({
      laneAddresses,
      bytes,
      operation,
      variant,
      partnerAddresses: partnerBase && shifted(partnerBase, partnerOffset),
    });
  const base = addressesOf(request.address, request.possibleMask, period);
  if (mayBeAddedUp(request, base)) return { kind: "immeasurable", reason: addedUp, dependsOnData: false };
  if (request.sureMask !== request.possibleMask) {
    const isSafe = isSafeUnderAnyMask(request, base, figureAt(base));
    if (!isSafe || parts.pitches.length > 0 || parts.hasRows)
      return request.cause?.order ? orderedFigures(request, request.cause.order) : whichLanes(request.cause);
  }
  if (parts.partnerPlaces) return partnerBounds(request, base, parts, parts.partnerPlaces, period);
  if (parts.hasRows) return rowsFigure(request, base);
  if (parts.pitches.length > 0)
    return pitchFigures(request, base, parts.pitches, placeStep(parts), period, figureAt);
  if (parts.offsetStep < period) return offsetBounds(request, base, parts, period, figureAt);
  return sumOverMoves(request, base, parts.moves, period, figureAt);
}

/** Recorded: of a word that nvcc knows to be one for all lanes, one lane does the atomic for all; of another, every lane its own. */
const addedUp = "whether the compiler adds up the lanes' atomics on one word first";

function mayBeAddedUp(request: CostRequest, base: Addresses): boolean {
  if (request.operation !== "atomic" || request.space !== "shared" || /Exch|CAS/.test(request.variant))
    return false;
  if (atomicKind(request.variant, request.bytes) !== "native") return false;
  const active = base.filter((address) => address !== null);
  return active.length > 1 && active.every((address) => address === active[0]);
}

/** Measured: fixtures/tensor/masked.cu. */
const predicatedBypass =
  "of a 16-byte cp.async under a branch, inactive lanes are counted by whatever their registers hold";

function whichLanes(cause: Cause | null): Immeasurable {
  return {
    kind: "immeasurable",
    reason: `which lanes take part depends on ${cause?.reason ?? "data"}`,
    dependsOnData: cause?.dependsOnData ?? true,
  };
}

/** Where the first or the last of the uncertain lanes take part: the least and most over how many they may be. */
function orderedFigures(request: CostRequest, order: LaneOrder): Measurement {
  const { sureMask, possibleMask } = request;
  const bounds = new BoundsOfFigures();
  const pitches = new Set<Indeterminate>();
  const conditions = new Set<string>();
  let leastMisaligned = laneCount;
  let mask = sureMask;
  const include = (): Immeasurable | null => {
    if (mask === 0) return null;
    const figures = measure({ ...request, sureMask: mask, possibleMask: mask, cause: null });
    if (figures.kind === "immeasurable") return figures;
    if (figures.kind === "measured") {
      const { cost, ideal, weight } = figures;
      bounds.include({ cost: cost / weight, ideal: ideal / weight }, figures.worstAddresses);
      leastMisaligned = Math.min(
        leastMisaligned,
        figures.misalignedWeight === weight ? figures.misalignedLanes : 0,
      );
      return null;
    }
    bounds.include(figures.least, figures.sampleAddresses);
    bounds.include(figures.most, figures.sampleAddresses);
    for (const pitch of figures.pitches) pitches.add(pitch);
    if (figures.condition) conditions.add(figures.condition);
    leastMisaligned = Math.min(leastMisaligned, figures.leastMisaligned);
    return null;
  };
  const first = include();
  if (first) return first;
  for (let index = 0; index < laneCount; index++) {
    const lane = order === "first" ? index : laneCount - 1 - index;
    if (!(((possibleMask & ~sureMask) >>> lane) & 1)) continue;
    mask |= 1 << lane;
    const failed = include();
    if (failed) return failed;
  }
  return {
    ...bounds.result(),
    lanes: popCount(sureMask),
    condition: conditions.size > 0 ? [...conditions].join(" and ") : null,
    pitches: [...pitches],
    leastMisaligned,
  };
}

function classify(request: CostRequest, period: number): Parts | { reason: string; dependsOnData: boolean } {
  const mask = request.possibleMask;
  const moves: Move[] = [];
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
        moves.push({
          dimension,
          coefficient: Number(coefficient),
          partnerCoefficient: 0,
          count: dimension.most + 1,
        });
      else {
        requestSplit(term);
        offsetStep = greatestDivisor(offsetStep, step);
      }
    }
  }
  const partnered = request.partner ? withPartner(request.partner, mask, moves) : null;
  if (partnered && "reason" in partnered) {
    const partnerPlaces = request.partner && placesOfPartner(request.partner, request, partnered.reason);
    return partnerPlaces ? { moves, offsetStep, pitches, hasRows, partnerPlaces } : partnered;
  }
  return { moves: partnered ?? moves, offsetStep, pitches, hasRows, partnerPlaces: null };
}

/** The moves with what they do to the other side of an async copy, which must be known but for them. */
function withPartner(
  partner: Linear,
  mask: number,
  moves: readonly Move[],
): Move[] | { reason: string; dependsOnData: boolean } {
  const all = new Map(moves.map((move) => [move.dimension.id, move]));
  for (const term of partner.terms) {
    const step = divisorOfLanes(term.coefficient, mask);
    if (step === 0) continue;
    const coefficient = uniformOver(term.coefficient, mask);
    requestSplit(term);
    if (coefficient !== null && step % wavefrontPeriod === 0 && !variesInTerm(term)) continue;
    const dimension = term.factors.find((factor) => factor.role === "dimension");
    if (coefficient === null && dimension) throw new SplitRequest({ dimension, at: { kind: "points" } });
    // Rows of the source that an unknown pitch keeps apart start at unknown places of their 128-byte lines.
    if (coefficient === null || !dimension || term.factors.length > 1) return unknownTerm(term);
    const known = all.get(dimension.id);
    const partnerCoefficient = Number(coefficient);
    all.set(dimension.id, {
      ...(known ?? { dimension, coefficient: 0, count: dimension.most + 1 }),
      partnerCoefficient,
    });
  }
  return [...all.values()];
}

const mostPartnerPlaces = 1024;

/**
 * All places modulo 128 bytes that the other side of an async copy may have where unknowns move it as a whole, and one unknown pitch
 * keeps its rows apart; only those where every lane is aligned, as the copy demands. Null where more is unknown.
 */
function placesOfPartner(partner: Linear, request: CostRequest, reason: string): PartnerPlaces | null {
  const mask = request.possibleMask;
  let offsetStep = wavefrontPeriod;
  let pitch: Term | null = null;
  for (const term of partner.terms) {
    const step = divisorOfLanes(term.coefficient, mask);
    if (step === 0) continue;
    if (variesInTerm(term)) return null;
    if (uniformOver(term.coefficient, mask) !== null) offsetStep = greatestDivisor(offsetStep, step);
    else if (pitch) return null;
    else pitch = term;
  }
  const rows = pitch?.coefficient ?? 0;
  const residues = wavefrontPeriod / greatestDivisor(divisorOfLanes(rows, mask), wavefrontPeriod);
  if (residues * (wavefrontPeriod / offsetStep) > mostPartnerPlaces) return null;
  const base = addressesOf(partner, mask, wavefrontPeriod);
  const places: Addresses[] = [];
  for (let residue = 0; residue < (pitch ? residues : 1); residue++)
    for (let offset = 0; offset < wavefrontPeriod; offset += offsetStep) {
      const place = base.map((address, lane) =>
        address === null ? null : address + offset + Number(laneOf(rows, lane)) * (rowsApart + residue),
      );
      if (lanesOffBoundary(place, request.bytes) === 0) places.push(place);
    }
  if (places.length === 0) return null;
  return { places, condition: pitch ? `${nameOf(pitch.factors)} large` : null, reason };
}

/** A pitch that keeps rows in different lines, and adds nothing to their phase. */
const rowsApart = 2 ** 20;

/** An async copy whose other side may lie at any of some places: the least and most over them. */
function partnerBounds(
  request: CostRequest,
  base: Addresses,
  parts: Parts,
  { places, condition, reason }: PartnerPlaces,
  period: number,
): Measurement {
  if (parts.hasRows || parts.pitches.length > 0)
    return { kind: "immeasurable", reason, dependsOnData: false };
  const figure = request.space === "shared" ? sharedFigure : globalFigure;
  const bounds = new BoundsOfFigures();
  const step = placeStep(parts);
  const { operation, bytes, variant } = request;
  let leastMisaligned = laneCount;
  for (let offset = 0; offset < period; offset += step) {
    const laneAddresses = shifted(base, offset);
    leastMisaligned = Math.min(leastMisaligned, lanesOffBoundary(laneAddresses, bytes));
    for (const partnerAddresses of places)
      bounds.include(figure({ laneAddresses, bytes, operation, variant, partnerAddresses }), laneAddresses);
  }
  return {
    ...bounds.result(),
    lanes: popCount(request.sureMask),
    condition,
    pitches: [],
    leastMisaligned,
  };
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
  base: Addresses,
  moves: readonly Move[],
  period: number,
  figureAt: FigureAt,
): Measured {
  let cost = 0;
  let ideal = 0;
  let weight = 0;
  let worst: Figure | null = null;
  let worstAddresses = base;
  let isUniform = true;
  let misalignedLanes = 0;
  let misalignedWeight = 0;
  for (const { residue, partnerResidue, times } of placementsOf(moves, period)) {
    const addresses = residue === 0 ? base : shifted(base, residue);
    const figure = figureAt(addresses, partnerResidue);
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

interface Placement {
  readonly residue: number;
  readonly partnerResidue: number;
  times: number;
}

/** How often the warp, and the other side of its copy, lie at each residue, over all values of the dimensions. */
function placementsOf(moves: readonly Move[], period: number): Placement[] {
  let placements: Placement[] = [{ residue: 0, partnerResidue: 0, times: 1 }];
  for (const move of moves) {
    const step = ((move.coefficient % period) + period) % period;
    const partnerStep = ((move.partnerCoefficient % wavefrontPeriod) + wavefrontPeriod) % wavefrontPeriod;
    const cycle = leastMultiple(
      period / greatestDivisor(step, period),
      wavefrontPeriod / greatestDivisor(partnerStep, wavefrontPeriod),
    );
    const next = new Map<number, Placement>();
    for (let index = 0; index < Math.min(cycle, move.count); index++) {
      const times = Math.floor((move.count - 1 - index) / cycle) + 1;
      for (const before of placements) {
        const residue = (before.residue + index * step) % period;
        const partnerResidue = (before.partnerResidue + index * partnerStep) % wavefrontPeriod;
        const key = residue * wavefrontPeriod + partnerResidue;
        const placement = next.get(key) ?? { residue, partnerResidue, times: 0 };
        placement.times += before.times * times;
        next.set(key, placement);
      }
    }
    placements = [...next.values()];
  }
  return placements;
}

function leastMultiple(a: number, b: number): number {
  return (a / greatestDivisor(a, b)) * b;
}

/** A known pattern at an unknown place: the least and most over the places that it may have. */
function offsetBounds(
  request: CostRequest,
  base: Addresses,
  parts: Parts,
  period: number,
  figureAt: FigureAt,
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
      parts.moves.map((move) => ({ ...move, coefficient: 0, partnerCoefficient: 0 })),
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

function isCheaper(a: Figure, b: Figure): boolean {
  return a.cost * b.ideal < b.cost * a.ideal || (a.cost * b.ideal === b.cost * a.ideal && a.cost < b.cost);
}

/** Lanes in known banks but unknown rows: exact where no two lanes share a bank, whatever the rows (DESIGN §6). */
function rowsFigure(request: CostRequest, base: Addresses): Measured | Immeasurable {
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
function isSafeUnderAnyMask(request: CostRequest, base: Addresses, figure: Figure): boolean {
  const distinct = new Set(base.filter((address) => address !== null));
  if (distinct.size <= 1) return request.operation !== "atomic";
  return request.space === "shared" && request.bytes <= 4 && figure.cost === 1;
}

export function lanesOffBoundary(addresses: Addresses, bytes: number): number {
  let lanes = 0;
  for (const address of addresses) if (address !== null && address % bytes !== 0) lanes++;
  return lanes;
}

export function shifted(addresses: Addresses, offset: number): (number | null)[] {
  return addresses.map((address) => (address === null ? null : address + offset));
}
