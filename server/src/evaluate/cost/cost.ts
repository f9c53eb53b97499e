// From the address of an access, as a linear form over the lanes, to its figures: summed exactly over the folded dimensions, bounded where
// an unknown moves the whole warp, conditional where an unknown pitch lies between lanes.
import { evidenceFor, measuredArchitecture } from "../../hardware/architecture.ts";
import { atomicKind, isOfAtomic } from "../../hardware/atomic.ts";
import { globalFigure, sharedFigure } from "../../hardware/figure.ts";
import { lanesIn } from "../../semantics/lanes.ts";
import type { Figure } from "../profile.ts";
import { greatestDivisor, laneCount, popCount } from "../values/lanes.ts";
import type { Cause } from "../values/mask.ts";
import type { Indeterminate } from "../values/symbol.ts";
import type { LaneOrder } from "../values/value.ts";
import {
  classify,
  type Move,
  type PartnerPlaces,
  type Parts,
  placeStep,
  unknownTerm,
} from "./address-parts.ts";
import type { PitchCondition } from "./conditions.ts";
import {
  type Addresses,
  addressesOf,
  type Bounded,
  BoundsOfFigures,
  BoundsOverPlaces,
  type CostRequest,
  type FigureAt,
  type Immeasurable,
  lanesOffBoundary,
  type Measured,
  type Measurement,
  periodOf,
  placePeriod,
  sectorPeriod,
  shifted,
  wavefrontPeriod,
} from "./measurement.ts";
import { pitchFigures } from "./pitch.ts";
import {
  fewSectorsFigure,
  idealMeasure,
  loneLaneFigure,
  oneSectorFigure,
  wholeSectorsFigure,
  windowFigure,
} from "./unplaced.ts";

/** The figures of one access. Throws SplitRequest where folded dimensions must be taken apart. */
export function measure(request: CostRequest): Measurement {
  const period = periodOf(request.space);
  const { operation, bytes, variant } = request;
  if (evidenceFor(request, measuredArchitecture) === "unknown")
    return { kind: "immeasurable", reason: "how often its loop runs depends on data", dependsOnData: true };
  if (request.isPredicatedBypass)
    return { kind: "immeasurable", reason: predicatedBypass, dependsOnData: false };
  const parts = classify(request, period);
  if ("reason" in parts)
    return (
      loneLaneFigure(request) ??
      windowFigure(request) ??
      fewSectorsFigure(request) ??
      wholeSectorsFigure(request) ?? { kind: "immeasurable", ...parts }
    );
  const partnerBase =
    request.partner &&
    addressesOf(request.partner, request.possibleMask & request.partnerMask, wavefrontPeriod);
  const figureAt = (laneAddresses: Addresses, partnerOffset = 0): Figure => {
    request.effort.figures++;
    return (request.space === "shared" ? sharedFigure : globalFigure)({
      laneAddresses,
      bytes,
      operation,
      variant,
      partnerAddresses: partnerBase && shifted(partnerBase, partnerOffset),
    });
  };
  const base = addressesOf(request.address, request.possibleMask, period);
  if (mayBeAddedUp(request, base)) return { kind: "immeasurable", reason: addedUp, dependsOnData: false };
  if (request.sureMask !== request.possibleMask) {
    const isSafe = isSafeUnderAnyMask(request, base, figureAt(base));
    if (!isSafe || parts.pitches.length > 0 || parts.hasRows)
      return (
        oneSectorFigure(request) ??
        loneLaneFigure(request) ??
        (request.cause?.order ? orderedFigures(request, request.cause.order) : whichLanes(request.cause))
      );
  }
  if (parts.partnerPlaces) return partnerBounds(request, base, parts, parts.partnerPlaces, period);
  if (parts.hasRows) {
    // Rows that leave every lane in its bank say nothing of lanes that an unknown moves apart besides.
    const [pitch] = parts.pitches;
    return pitch ? { kind: "immeasurable", ...unknownTerm(pitch) } : rowsFigure(request, base);
  }
  if (parts.pitches.length > 0)
    return pitchFigures(request, base, parts.pitches, placeStep(parts), period, figureAt);
  const places = placePeriod(request);
  const sides = { base, partnerBase };
  if (parts.offsetStep < period) return offsetBounds(request, sides, parts, places, figureAt);
  return sumOverMoves(request, sides, parts.moves, places, figureAt);
}

/** Recorded: of a word that nvcc knows to be one for all lanes, one lane does the atomic for all; of another, every lane its own. */
const addedUp = "whether the compiler adds up the lanes' atomics on one word first";

function mayBeAddedUp(request: CostRequest, base: Addresses): boolean {
  if (
    request.operation !== "atomic" ||
    request.space !== "shared" ||
    /Exch|CAS|\.(joined|apart)/.test(request.variant)
  )
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

/** Where the uncertain lanes take part in an order: the least and most over those that may. */
function orderedFigures(request: CostRequest, order: LaneOrder): Measurement {
  const bounds = new BoundsOfFigures();
  const pitches = new Set<Indeterminate>();
  const conditions: PitchCondition[] = [];
  let dataReason: string | null = null;
  let placeReason: string | null = null;
  let leastMisaligned = laneCount;
  const include = (mask: number): Immeasurable | null => {
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
    dataReason ??= figures.dataReason;
    placeReason ??= figures.placeReason;
    conditions.push(...figures.conditions);
    leastMisaligned = Math.min(leastMisaligned, figures.leastMisaligned);
    return null;
  };
  for (const mask of masksInOrder(request, order)) {
    const failed = mask === 0 ? null : include(mask);
    if (failed) return failed;
  }
  return {
    ...bounds.result(),
    lanes: popCount(request.sureMask),
    conditions,
    pitches: [...pitches],
    byPitch: null,
    leastMisaligned,
    dataReason: request.cause?.dependsOnData ? whichLanes(request.cause).reason : dataReason,
    placeReason,
  };
}

/** The masks that the uncertain lanes may make: of first or last ones those that may be extreme. */
function masksInOrder(request: CostRequest, order: LaneOrder): number[] {
  const { sureMask, possibleMask } = request;
  const open = lanesIn(possibleMask & ~sureMask);
  if (order === "one") return [sureMask, ...open.map((lane) => sureMask | (1 << lane))];
  if (order === "all but one") return [possibleMask, ...open.map((lane) => possibleMask & ~(1 << lane))];
  let mask = sureMask;
  const growing = (order === "first" ? open : open.reverse()).map((lane, index) => {
    mask |= 1 << lane;
    return isExtreme(request, popCount(mask), index + 1 === open.length) ? mask : sureMask;
  });
  return [...new Set([sureMask, ...growing])];
}

/**
 * Whether so many active lanes may be the dearest or the cheapest for their ideal. Where a lane more never costs less, that is so of the fewest
 * and the most lanes of each ideal alone.
 */
function isExtreme({ space, operation, bytes }: CostRequest, lanes: number, isLast: boolean): boolean {
  const isMonotone = space === "global" ? operation !== "async-copy" : plainBytes(operation) >= bytes;
  if (!isMonotone || isLast || lanes === 1) return true;
  const perFigure = space === "global" ? sectorPeriod : wavefrontPeriod;
  const idealOf = (count: number) => Math.ceil((count * bytes) / perFigure);
  return idealOf(lanes) !== idealOf(lanes - 1) || idealOf(lanes) !== idealOf(lanes + 1);
}

/** The widest access of shared memory of which a lane more never costs less: wider loads may merge half-warps (docs/hardware.md). */
function plainBytes(operation: CostRequest["operation"]): number {
  return operation === "load" ? 4 : operation === "store" ? 16 : 0;
}

/** An async copy whose other side may lie at any of some places: the least and most over them. */
function partnerBounds(
  request: CostRequest,
  base: Addresses,
  parts: Parts,
  { places, conditions, reason }: PartnerPlaces,
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
    request.effort.figures += places.length;
    for (const partnerAddresses of places)
      bounds.include(figure({ laneAddresses, bytes, operation, variant, partnerAddresses }), laneAddresses);
  }
  return {
    ...bounds.result(),
    lanes: popCount(request.sureMask),
    conditions,
    pitches: [],
    byPitch: null,
    leastMisaligned,
    dataReason: null,
    placeReason: null,
  };
}

/** Where lanes are, and, of an async copy, where they are on its other side. */
interface Sides {
  readonly base: Addresses;
  readonly partnerBase: Addresses | null;
}

/** A known pattern, summed over the positions that the folded dimensions give the warp. */
function sumOverMoves(
  request: CostRequest,
  { base, partnerBase }: Sides,
  moves: readonly Move[],
  places: number,
  figureAt: FigureAt,
): Measured {
  let cost = 0;
  let ideal = 0;
  let weight = 0;
  let worst: Figure | null = null;
  let worstAddresses = base;
  let worstPartners = partnerBase;
  let isUniform = true;
  let misalignedLanes = 0;
  let misalignedWeight = 0;
  for (const { residue, partnerResidue, times } of placementsOf(moves, places)) {
    const addresses = residue === 0 ? base : shifted(base, residue);
    const figure = figureAt(addresses, partnerResidue);
    cost += figure.cost * times;
    ideal += figure.ideal * times;
    weight += times;
    if (worst && (worst.cost !== figure.cost || worst.ideal !== figure.ideal)) isUniform = false;
    if (!worst || figure.cost * worst.ideal > worst.cost * figure.ideal) {
      worst = figure;
      worstAddresses = addresses;
      worstPartners = partnerBase && shifted(partnerBase, partnerResidue);
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
    worstPartners,
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
  sides: Sides,
  parts: Parts,
  places: number,
  figureAt: FigureAt,
): Bounded | Measured {
  const step = placeStep(parts);
  const bounds = new BoundsOverPlaces(request.bytes);
  for (let offset = 0; offset < places; offset += step) bounds.include(shifted(sides.base, offset), figureAt);
  const { leastMisaligned } = bounds;
  const { least, most } = bounds.result();
  // Where the place makes no difference, it is exact, and the folded dimensions need not be summed over.
  if (least.cost === most.cost && least.ideal === most.ideal && leastMisaligned === 0)
    return sumOverMoves(
      request,
      sides,
      parts.moves.map((move) => ({ ...move, coefficient: 0, partnerCoefficient: 0 })),
      places,
      figureAt,
    );
  return {
    ...bounds.result(),
    lanes: popCount(request.sureMask),
    conditions: [],
    pitches: [],
    byPitch: null,
    leastMisaligned,
    dataReason: parts.offsetData,
    placeReason: isLeastOnSector(least, { request, sides, parts, places, figureAt })
      ? null
      : parts.offsetReason,
  };
}

interface Placed {
  readonly request: CostRequest;
  readonly sides: Sides;
  readonly parts: Parts;
  readonly places: number;
  readonly figureAt: FigureAt;
}

/** Whether requests to global memory cost the least on the average where what is not known moves them by whole sectors, as rows of usual lengths do. */
function isLeastOnSector(least: Figure, { request, sides, parts, places, figureAt }: Placed): boolean {
  if (request.space !== "global") return true;
  const { cost, ideal } = sumOverMoves(request, sides, parts.moves, places, figureAt);
  return cost * least.ideal <= least.cost * ideal;
}

/** Lanes in known banks but unknown rows: exact where no two lanes share a bank, whatever the rows. */
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
  return { ...idealMeasure(lanes, base), misalignedLanes: lanesOffBoundary(base, request.bytes) };
}

/** Whether the figure is ideal whichever of the possible lanes take part. */
function isSafeUnderAnyMask(request: CostRequest, base: Addresses, figure: Figure): boolean {
  const distinct = new Set(base.filter((address) => address !== null));
  if (distinct.size <= 1) return !isOfAtomic(request) || request.variant.endsWith(".joined");
  return request.space === "shared" && request.bytes <= 4 && figure.cost === 1;
}
