// Accesses whose lanes lie an unknown pitch apart: what their figures are for every residue of the pitch, once it is large enough that
// lanes of different rows are apart, and from which pitch on that holds.

import type { PitchCondition } from "./conditions.ts";
import { divisorOfLanes, greatestDivisor, laneOf, popCount } from "./lanes.ts";
import type { Term } from "./linear.ts";
import { rangeOfFactors } from "./linear.ts";
import type { Bounded, CostRequest, Immeasurable } from "./measurement.ts";
import { BoundsOverPlaces, lanesOffBoundary, placePeriod, shifted } from "./measurement.ts";
import type { Figure } from "./profile.ts";

type Addresses = readonly (number | null)[];

const farApart = 2 ** 24;
const longestSearch = 96;

/** Bounds over all pitches that are large enough, and the condition that says how large. */
export function pitchFigures(
  request: CostRequest,
  base: Addresses,
  pitches: readonly Term[],
  offsetStep: number,
  period: number,
  figureAt: (addresses: Addresses) => Figure,
): Bounded | Immeasurable {
  const [pitch, other] = pitches;
  if (!pitch || pitches.length > 2) return unclear(pitches);
  const firstResidues = residuesOf(pitch, request.possibleMask, period);
  const secondResidues = other ? residuesOf(other, request.possibleMask, period) : [0];
  const bounds = new BoundsOverPlaces(request.bytes);
  const places = placePeriod(request);
  const include = (addresses: Addresses) => {
    for (let offset = 0; offset < places; offset += offsetStep)
      bounds.include(shifted(addresses, offset), figureAt);
  };
  const range = rangeOfFactors(pitch);
  if (!other && range.most - range.least < longestSearch) {
    for (let value = range.least; value <= range.most; value++) include(apart(base, pitch, value));
    return finish(request, bounds, pitches, []);
  }
  // The two pitches are far from each other's multiples, so that rows of different pitches are apart too.
  for (const first of firstResidues)
    for (const second of secondResidues) {
      const placed = apart(base, pitch, farApart + first);
      include(other ? apart(placed, other, farApart * 1024 + second) : placed);
    }
  const least = bounds.result().least;
  const isOn = (addresses: Addresses) =>
    bounds.leastMisaligned > 0 || lanesOffBoundary(addresses, request.bytes) === 0;
  const alignedFigureAt = (addresses: Addresses) => (isOn(addresses) ? figureAt(addresses) : null);
  const from = other
    ? null
    : smallestPitch(base, pitch, { step: offsetStep, end: places }, least, alignedFigureAt);
  const name = pitch.factors.map((factor) => factor.name).join("*");
  const holdsForAll = from !== null && from <= 1;
  return finish(request, bounds, pitches, holdsForAll ? [] : [{ pitch: name, least: from }]);
}

function finish(
  request: CostRequest,
  bounds: BoundsOverPlaces,
  pitches: readonly Term[],
  conditions: readonly PitchCondition[],
): Bounded {
  return {
    ...bounds.result(),
    lanes: popCount(request.sureMask),
    conditions,
    pitches: pitches.flatMap((term) => term.factors),
    leastMisaligned: bounds.leastMisaligned,
    dataReason: null,
  };
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
  places: { readonly step: number; readonly end: number },
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
