// Figures of lanes whose places are not known, or of which it is not known which take part, where that makes no difference.
import { globalFigure, sharedFigure } from "../../hardware/figure.ts";
import { factorsOf } from "../values/derive.ts";
import {
  divisorOfLanes,
  floorModulo,
  greatestDivisor,
  laneCount,
  laneOf,
  popCount,
  uniformOver,
} from "../values/lanes.ts";
import { known, type Linear, rangeOf, type Term, variesInTerm } from "../values/linear.ts";
import {
  type Addresses,
  addressesOf,
  type Bounded,
  type CostRequest,
  type Measured,
  sectorPeriod,
  wavefrontPeriod,
} from "./measurement.ts";

/** One lane costs the same wherever it goes, and whichever it is. Null for more lanes, and for what has another side or takes whole rows. */
export function loneLaneFigure({
  space,
  operation,
  variant,
  bytes,
  sureMask,
  possibleMask,
  cause,
}: CostRequest): Measured | null {
  const isPlain = operation === "load" || operation === "store" || operation === "atomic";
  const isOne =
    sureMask === possibleMask ? popCount(possibleMask) === 1 : sureMask === 0 && cause?.order === "one";
  if (!isPlain || !isOne) return null;
  const lane = 31 - Math.clz32(possibleMask);
  const laneAddresses = Array.from({ length: laneCount }, (_, each) => (each === lane ? 0 : null));
  const figureOf = space === "shared" ? sharedFigure : globalFigure;
  const figure = figureOf({ laneAddresses, bytes, operation, variant, partnerAddresses: null });
  return { ...idealMeasure(1, laneAddresses), ...figure, worst: figure };
}

/** Words that data choose out of 32 that lie side by side in shared memory: no two of them share a bank. Null for all else. */
export function windowFigure({
  space,
  operation,
  bytes,
  address,
  sureMask,
  possibleMask,
}: CostRequest): Measured | null {
  const isWordwise = operation === "load" ? bytes <= 4 : operation === "store" && bytes === 4;
  if (space !== "shared" || !isWordwise) return null;
  const { least, most } = rangeOf(address, possibleMask);
  if (!(most - least + bytes <= wavefrontPeriod)) return null;
  const lanes = popCount(sureMask);
  return idealMeasure(lanes, addressesOf(address, possibleMask, wavefrontPeriod));
}

/** Lanes that stay within one sector of global memory touch that one, whichever of them take part. Null for all else. */
export function oneSectorFigure(request: CostRequest): Measured | null {
  if (mostSectors(request) !== 1) return null;
  const { address, sureMask, possibleMask } = request;
  return idealMeasure(popCount(sureMask), addressesOf(address, possibleMask, sectorPeriod));
}

/**
 * Lanes that data send to a few sectors of global memory that lie side by side, a small table: where all of these are no more than what the
 * lanes load would fill, as many are ideal as are touched, whichever those are. Null for all else.
 */
export function fewSectorsFigure(request: CostRequest): Measured | Bounded | null {
  const { bytes, sureMask, possibleMask } = request;
  const sectors = mostSectors(request);
  if (sectors === 1) return oneSectorFigure(request);
  const lanes = popCount(sureMask);
  if (sureMask !== possibleMask || !(sectors <= Math.ceil((lanes * bytes) / sectorPeriod))) return null;
  return idealBounds(request, 1, sectors);
}

/**
 * Groups of lanes that data send to a place each, such as rows that an index chooses: where what the lanes access would fill all sectors that
 * the groups touch one by one, as many are ideal as are touched, wherever they meet. Null for all else.
 */
export function wholeSectorsFigure(request: CostRequest): Bounded | null {
  const { space, operation, address, bytes, alignmentBytes, sureMask, possibleMask } = request;
  const isPlain = operation === "load" || operation === "store" || operation === "atomic";
  if (space !== "global" || !isPlain || sureMask !== possibleMask) return null;
  const groups = groupsOf(address, possibleMask);
  const sectors = (groups ?? []).map((mask) => {
    const step = stepOf(address.terms, Math.min(alignmentBytes, sectorPeriod), mask);
    return sectorsOfGroup(addressesOf(known(address.constant), mask, sectorPeriod), bytes, step);
  });
  const most = sectors.reduce((sum, count) => sum + count, 0);
  const lanes = popCount(sureMask);
  if (most === 0 || most > Math.ceil((lanes * bytes) / sectorPeriod)) return null;
  return idealBounds(request, Math.max(...sectors), most);
}

/** Between so many sectors, all of which are ideal. */
function idealBounds(request: CostRequest, least: number, most: number): Bounded {
  const { address, sureMask, possibleMask } = request;
  return {
    kind: "bounded",
    least: { cost: least, ideal: least },
    most: { cost: most, ideal: most },
    lanes: popCount(sureMask),
    sampleAddresses: addressesOf(address, possibleMask, sectorPeriod),
    conditions: [],
    pitches: [],
    byPitch: null,
    leastMisaligned: 0,
    dataReason: null,
    placeReason: null,
  };
}

/** The lanes that each unknown moves as one, as masks; null where it is not known which do. */
function groupsOf({ terms }: Linear, mask: number): readonly number[] | null {
  const groups = new Map<string, number>();
  for (const { factors } of terms)
    if (factors.some(({ varies, alike }) => varies && alike === null)) return null;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const key = terms
      .map(({ coefficient, factors }) =>
        [coefficient, ...factors.map(({ alike }) => alike ?? 0)]
          .map((lanes) => laneOf(lanes, lane))
          .join("*"),
      )
      .join("+");
    groups.set(key, (groups.get(key) ?? 0) | (1 << lane));
  }
  return [...groups.values()];
}

/** The most sectors that lanes touch which an unknown multiple of `step` moves together. */
function sectorsOfGroup(addresses: Addresses, bytes: number, step: number): number {
  let most = 0;
  for (let offset = 0; offset < sectorPeriod; offset += step) {
    const touched = new Set<number>();
    for (const address of addresses) {
      if (address === null) continue;
      const first = address + offset;
      for (let at = Math.floor(first / sectorPeriod); at * sectorPeriod < first + bytes; at++)
        touched.add(at);
    }
    most = Math.max(most, touched.size);
  }
  return most;
}

/** Sectors that the lanes may touch in all, wherever unknowns that they share move them as a whole; infinite where that is not known. */
function mostSectors({
  space,
  operation,
  bytes,
  address,
  alignmentBytes,
  extentBytes,
  possibleMask,
}: CostRequest): number {
  if (space !== "global" || operation === "async-copy") return Infinity;
  const isShared = (term: Term) =>
    !variesInTerm(term) && uniformOver(term.coefficient, possibleMask) !== null;
  const shared = address.terms.filter(isShared);
  const own = { ...address, terms: address.terms.filter((term) => !isShared(term)) };
  const step = stepOf(shared, Math.min(alignmentBytes, sectorPeriod), possibleMask);
  const { least, most } = rangeOf(own, possibleMask);
  const inWindow = Math.min(
    sectorsOver(most - least + bytes, floorModulo(least, step), step),
    extentBytes === null ? Infinity : sectorsOver(extentBytes, 0, Math.min(alignmentBytes, sectorPeriod)),
  );
  const places = placesOf(own, possibleMask);
  if (places >= inWindow) return inWindow;
  const ownStep = stepOf(own.terms, step, possibleMask);
  return Math.min(inWindow, places * sectorsOver(bytes, floorModulo(least, ownStep), ownStep));
}

/** The greatest divisor of `bytes` by multiples of which the terms move. */
function stepOf(terms: readonly Term[], bytes: number, mask: number): number {
  return terms.reduce(
    (common, { coefficient }) => greatestDivisor(common, divisorOfLanes(coefficient, mask)),
    bytes,
  );
}

/** Sectors that so many bytes may touch which begin `first` bytes behind any multiple of `step`. */
function sectorsOver(bytes: number, first: number, step: number): number {
  return Math.floor((sectorPeriod - step + first + bytes - 1) / sectorPeriod) + 1;
}

/** How many different values a form takes in all lanes together; infinite where they are not told apart by its unknowns alone. */
function placesOf({ constant, terms }: Linear, mask: number): number {
  const isAlike = [constant, ...terms.map(({ coefficient }) => coefficient)].every(
    (lanes) => uniformOver(lanes, mask) !== null,
  );
  if (!isAlike) return Infinity;
  return factorsOf([{ kind: "linear", constant, terms }]).reduce(
    (product, { least, most }) => product * (most - least + 1),
    1,
  );
}

/** One request of one wavefront, or one sector. */
export function idealMeasure(lanes: number, worstAddresses: Addresses): Measured {
  const figure = { cost: 1, ideal: 1 };
  return {
    kind: "measured",
    ...figure,
    weight: 1,
    lanes,
    worst: figure,
    worstAddresses,
    worstPartners: null,
    isUniform: true,
    misalignedLanes: 0,
    misalignedWeight: 0,
  };
}
