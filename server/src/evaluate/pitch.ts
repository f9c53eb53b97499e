// Accesses whose lanes lie an unknown pitch apart: what their figures are for every residue of the pitch, once it is large enough that
// lanes of different rows are apart, and from which pitch on that holds.

import { divisorOfLanes, greatestDivisor, laneCount, laneOf, popCount } from "./lanes.ts";
import type { Term } from "./linear.ts";
import { rangeOfFactors } from "./linear.ts";
import type { Bounded, CostRequest, Immeasurable } from "./measurement.ts";
import { BoundsOfFigures, lanesOffBoundary, shifted } from "./measurement.ts";
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
  const bounds = new BoundsOfFigures();
  let leastMisaligned = laneCount;
  const include = (addresses: Addresses) => {
    for (let offset = 0; offset < period; offset += offsetStep) {
      const placed = shifted(addresses, offset);
      bounds.include(figureAt(placed), placed);
      leastMisaligned = Math.min(leastMisaligned, lanesOffBoundary(placed, request.bytes));
    }
  };
  const range = rangeOfFactors(pitch);
  if (!other && range.most - range.least < longestSearch) {
    for (let value = range.least; value <= range.most; value++) include(apart(base, pitch, value));
    return finish(request, bounds, pitches, null, leastMisaligned);
  }
  // The two pitches are far from each other's multiples, so that rows of different pitches are apart too.
  for (const first of firstResidues)
    for (const second of secondResidues) {
      const placed = apart(base, pitch, farApart + first);
      include(other ? apart(placed, other, farApart * 1024 + second) : placed);
    }
  const least = bounds.result().least;
  const from = other ? null : smallestPitch(base, pitch, offsetStep, period, least, figureAt);
  const name = pitch.factors.map((factor) => factor.name).join("*");
  const condition = from === null ? `${name} large` : from <= 1 ? null : `${name} >= ${from}`;
  return finish(request, bounds, pitches, condition, leastMisaligned);
}

function finish(
  request: CostRequest,
  bounds: BoundsOfFigures,
  pitches: readonly Term[],
  condition: string | null,
  leastMisaligned: number,
): Bounded {
  return {
    ...bounds.result(),
    lanes: popCount(request.sureMask),
    condition,
    pitches: pitches.flatMap((term) => term.factors),
    leastMisaligned,
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

/** The least pitch from which on no request is cheaper than `least`; null where none was found within reach. */
function smallestPitch(
  base: Addresses,
  pitch: Term,
  offsetStep: number,
  period: number,
  least: Figure,
  figureAt: (addresses: Addresses) => Figure,
): number | null {
  let from = longestSearch;
  for (let value = longestSearch; value >= 1; value--) {
    const addresses = apart(base, pitch, value);
    for (let offset = 0; offset < period; offset += offsetStep)
      if (figureAt(shifted(addresses, offset)).cost < least.cost) return from === longestSearch ? null : from;
    from = value;
  }
  return from;
}
