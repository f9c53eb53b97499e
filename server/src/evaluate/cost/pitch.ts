// Accesses whose lanes lie an unknown pitch apart: what their figures are for every residue of the pitch, once it is large enough that
// lanes of different rows are apart, and from which pitch on that holds.

import type { Figure } from "../profile.ts";
import { divisorOfLanes, greatestDivisor, laneOf, popCount } from "../values/lanes.ts";
import type { Term } from "../values/linear.ts";
import { keyOf, rangeOfFactors } from "../values/linear.ts";
import { joinedPitches, type Pitch } from "./joined-pitches.ts";
import type { Bounded, CostRequest, Immeasurable } from "./measurement.ts";
import { BoundsOverPlaces, lanesOffBoundary, placePeriod, shifted } from "./measurement.ts";
import { stepsByPitch, type WavefrontsAtPitch } from "./pitch-steps.ts";

type Addresses = readonly (number | null)[];

/** Where a warp may begin. */
interface Offsets {
  readonly step: number;
  readonly end: number;
}

const farApart = 2 ** 24;
const longestSearch = 96;

/** What lanes cost that lie a pitch apart, whatever the pitch is called. */
interface PitchFigures {
  readonly bounds: ReturnType<BoundsOverPlaces["result"]>;
  readonly leastMisaligned: number;
  /** The pitch from which on it holds; null where none was found within reach. */
  readonly holdsFrom: number | null;
  readonly steps: ReturnType<typeof stepsByPitch>;
  /** Whether they cost the least at usual pitches: in global memory where all rows begin on sectors, and never where it is one of few numbers. */
  readonly isLeastUsual: boolean;
}

/** What was searched for before in this launch, by everything that it hangs on: the copies of an unrolled loop ask for the same. */
export type KnownPitches = Map<string, PitchFigures>;

/** Bounds over all pitches that are large enough, and the condition that says how large. */
export function pitchFigures(
  request: CostRequest,
  base: Addresses,
  terms: readonly Term[],
  offsetStep: number,
  period: number,
  figureAt: (addresses: Addresses) => Figure,
): Bounded | Immeasurable {
  const joined = joinedPitches(terms, request.possibleMask);
  const [pitch] = joined;
  if (!pitch || joined.length > 2) return unclear(terms);
  if (joined.some(isOfChoice))
    return { kind: "immeasurable", reason: reasonOf(joined), dependsOnData: false };
  const pitches = joined.map(({ term }) => term);
  const key = keyOfShape(request, base, pitches, offsetStep);
  const figures =
    request.knownPitches.get(key) ?? searchPitches(request, base, pitches, offsetStep, period, figureAt);
  request.knownPitches.set(key, figures);
  const { bounds, leastMisaligned, holdsFrom, steps } = figures;
  const { name } = pitch;
  const surely = joined.length > 1 ? 1 : Math.max(1, rangeOfFactors(pitch.term).least);
  const holdsForAll = holdsFrom !== null && holdsFrom <= surely;
  return {
    ...bounds,
    lanes: popCount(request.sureMask),
    conditions: holdsForAll ? [] : [{ pitch: name, least: holdsFrom }],
    pitches: joined.flatMap(({ factors }) => factors),
    byPitch: steps && { pitch: name, ...steps },
    leastMisaligned,
    dataReason: null,
    placeReason: figures.isLeastUsual ? null : reasonOf(joined),
  };
}

/** Whether it is one thing or another, of which one may be much: then no size makes it large for sure. */
function isOfChoice({ factors, term }: Pitch): boolean {
  return fewValuesOf(term) === null && factors.some(({ least, most }) => most - least === 1);
}

function reasonOf(pitches: readonly Pitch[]): string {
  return [...new Set(pitches.flatMap(({ factors }) => factors.map(({ reason }) => reason)))].join(", ");
}

function keyOfShape(
  { space, operation, variant, bytes, partner }: CostRequest,
  base: Addresses,
  pitches: readonly Term[],
  offsetStep: number,
): string {
  const shapes = pitches.map((term) => {
    const { least, most } = rangeOfFactors(term);
    return `${term.coefficient};${least};${most}`;
  });
  const otherSide = partner === null ? "" : keyOf(partner);
  return [space, operation, variant, bytes, base, offsetStep, ...shapes, otherSide].join(";");
}

function searchPitches(
  request: CostRequest,
  base: Addresses,
  [pitch, other]: readonly Term[],
  offsetStep: number,
  period: number,
  figureAt: (addresses: Addresses) => Figure,
): PitchFigures {
  const bounds = new BoundsOverPlaces(request.bytes);
  const places = placePeriod(request);
  const include = (addresses: Addresses) => {
    for (let offset = 0; offset < places; offset += offsetStep)
      bounds.include(shifted(addresses, offset), figureAt);
  };
  const found = (holdsFrom: number | null, steps: PitchFigures["steps"] = null): PitchFigures => ({
    bounds: bounds.result(),
    leastMisaligned: bounds.leastMisaligned,
    holdsFrom,
    steps,
    isLeastUsual: costsLeastUsually(),
  });
  const costsLeastUsually = () => {
    if ((pitch && fewValuesOf(pitch)) || (other && fewValuesOf(other))) return false;
    if (request.space !== "global") return true;
    const placed = pitch ? apart(base, pitch, farApart) : base;
    const onSector = figureAt(other ? apart(placed, other, farApart * 1024) : placed);
    const { least } = bounds.result();
    return onSector.cost * least.ideal <= least.cost * onSector.ideal;
  };
  if (!pitch) return found(null);
  const valuesOf = (term: Term, far: number) =>
    fewValuesOf(term) ?? residuesOf(term, request.possibleMask, period).map((residue) => far + residue);
  // Two pitches are far from each other's multiples, so that rows of different pitches are apart too.
  for (const first of valuesOf(pitch, farApart))
    for (const second of other ? valuesOf(other, farApart * 1024) : [0]) {
      const placed = apart(base, pitch, first);
      include(other ? apart(placed, other, second) : placed);
    }
  if (fewValuesOf(pitch) && (!other || fewValuesOf(other))) return found(1);
  if (other) return found(null);
  const isOn = (addresses: Addresses) =>
    bounds.leastMisaligned > 0 || lanesOffBoundary(addresses, request.bytes) === 0;
  const alignedFigureAt = (addresses: Addresses) => (isOn(addresses) ? figureAt(addresses) : null);
  const { least } = bounds.result();
  const offsets = { step: offsetStep, end: places };
  const holdsFrom = smallestPitch(base, pitch, offsets, least, alignedFigureAt);
  if (request.space !== "shared") return found(holdsFrom);
  const residues = residuesOf(pitch, request.possibleMask, period).length;
  const wavefrontsAt = (value: number) => wavefrontsOver(apart(base, pitch, value), offsets, alignedFigureAt);
  return found(holdsFrom, stepsByPitch(wavefrontsAt, { residues, farApart, reach: longestSearch }));
}

/** All that a pitch may be, as of a choice between numbers; null of one that may be much. */
function fewValuesOf(pitch: Term): readonly number[] | null {
  const { least, most } = rangeOfFactors(pitch);
  return most - least < longestSearch
    ? Array.from({ length: most - least + 1 }, (_, index) => least + index)
    : null;
}

/** What the lanes cost wherever they begin. */
function wavefrontsOver(
  addresses: Addresses,
  offsets: Offsets,
  figureAt: (addresses: Addresses) => Figure | null,
): WavefrontsAtPitch {
  let wavefronts: number | null = null;
  for (let offset = 0; offset < offsets.end; offset += offsets.step) {
    const cost = figureAt(shifted(addresses, offset))?.cost ?? null;
    if (cost === null) continue;
    if (wavefronts !== null && wavefronts !== cost) return "differs";
    wavefronts = cost;
  }
  return wavefronts;
}

function unclear(pitches: readonly Term[]): Immeasurable {
  const names = pitches.flatMap((term) => term.factors.map((factor) => factor.name));
  return {
    kind: "immeasurable",
    reason: `lanes are apart by several unknown pitches: ${[...new Set(names)].join(", ")}`,
    dependsOnData: false,
  };
}

/** The residues of a pitch that can make a difference to the phase of some lane. */
function residuesOf(pitch: Term, mask: number, period: number): number[] {
  const step = greatestDivisor(divisorOfLanes(pitch.coefficient, mask), period);
  return Array.from({ length: period / step }, (_, residue) => residue);
}

/** The addresses with the pitch at one value. */
function apart(base: Addresses, pitch: Term, value: number): Addresses {
  return base.map((address, lane) =>
    address === null ? null : address + Number(laneOf(pitch.coefficient, lane)) * value,
  );
}

/** The least pitch from which on no request is cheaper than `least`; null where none was found within reach. `figureAt` is null off the boundary. */
function smallestPitch(
  base: Addresses,
  pitch: Term,
  places: Offsets,
  least: Figure,
  figureAt: (addresses: Addresses) => Figure | null,
): number | null {
  let from = longestSearch;
  for (let value = longestSearch; value >= 1; value--) {
    const addresses = apart(base, pitch, value);
    let isPossible = false;
    for (let offset = 0; offset < places.end; offset += places.step) {
      const figure = figureAt(shifted(addresses, offset));
      if (figure && figure.cost < least.cost) return from === longestSearch ? null : from;
      isPossible ||= figure !== null;
    }
    if (isPossible) from = value;
  }
  return from;
}
