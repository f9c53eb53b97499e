// What measuring leaves out: places and numbers of lanes that cannot be the dearest or the cheapest.
import fc from "fast-check";
import { expect, it } from "vitest";
import { measure } from "../../server/src/evaluate/cost/cost.ts";
import {
  type CostRequest,
  placePeriod,
  wavefrontPeriod,
} from "../../server/src/evaluate/cost/measurement.ts";
import type { Figure } from "../../server/src/evaluate/profile.ts";
import { laneCount, popCount } from "../../server/src/evaluate/values/lanes.ts";
import { known } from "../../server/src/evaluate/values/linear.ts";
import type { LaneOrder } from "../../server/src/evaluate/values/value.ts";
import { globalFigure, sharedFigure } from "../../server/src/hardware/figure.ts";

const kinds = fc.oneof(
  fc.record({
    space: fc.constantFrom("shared" as const, "global" as const),
    operation: fc.constantFrom("load" as const, "store" as const),
    variant: fc.constant(""),
    bytes: fc.constantFrom(1, 2, 4, 8, 16),
  }),
  fc.record({
    space: fc.constant("shared" as const),
    operation: fc.constant("atomic" as const),
    variant: fc.constantFrom("atomicMax", "atomicCAS", "atomicAdd f32"),
    bytes: fc.constantFrom(4, 8),
  }),
  fc.record({
    space: fc.constant("shared" as const),
    operation: fc.constant("matrix-load" as const),
    variant: fc.constantFrom("ldmatrix.x1", "ldmatrix.x4"),
    bytes: fc.constant(16),
  }),
);
const indices = fc.array(fc.nat(70), { minLength: laneCount, maxLength: laneCount });

it("moving a warp by its place period changes no figure", () => {
  fc.assert(
    fc.property(kinds, indices, fc.nat(wavefrontPeriod), (kind, lanes, times) => {
      const addresses = lanes.map((index) => index * kind.bytes);
      const distance = times * placePeriod(requestOf(kind, addresses));
      expect(
        figureOf(
          kind,
          addresses.map((address) => address + distance),
        ),
      ).toEqual(figureOf(kind, addresses));
    }),
    { numRuns: 2000 },
  );
});

it("the extremes over the first or last lanes are those over every number of them", () => {
  fc.assert(
    fc.property(
      kinds,
      indices,
      fc.integer(),
      fc.constantFrom("first" as const, "last" as const),
      (kind, lanes, sure, order) => {
        fc.pre(kind.operation === "load" || kind.operation === "store");
        const addresses = lanes.map((index) => index * kind.bytes);
        const request = requestOf(kind, addresses);
        const cause = { order, reason: "n", dependsOnData: false };
        const measured = measure({ ...request, sureMask: sure, cause });
        fc.pre(measured.kind === "bounded");
        if (measured.kind !== "bounded") return;
        const factors = masksOf(sure, order).map((mask) =>
          factorOf(
            figureOf(
              kind,
              addresses.map((address, lane) => ((mask >>> lane) & 1 ? address : null)),
            ),
          ),
        );
        expect(factorOf(measured.least)).toBeCloseTo(Math.min(...factors), 9);
        expect(factorOf(measured.most)).toBeCloseTo(Math.max(...factors), 9);
      },
    ),
    { numRuns: 2000 },
  );
});

type Kind = Pick<CostRequest, "space" | "operation" | "variant" | "bytes">;

function requestOf(kind: Kind, addresses: readonly number[]): CostRequest {
  return {
    ...kind,
    address: known(addresses),
    partner: null,
    partnerMask: -1,
    isPredicatedBypass: false,
    alignmentBytes: 256,
    extentBytes: null,
    sureMask: -1,
    possibleMask: -1,
    cause: null,
    effort: { figures: 0 },
    knownPitches: new Map(),
  };
}

function figureOf(kind: Kind, laneAddresses: readonly (number | null)[]): Figure {
  return (kind.space === "shared" ? sharedFigure : globalFigure)({ ...kind, laneAddresses });
}

function factorOf({ cost, ideal }: Figure): number {
  return cost / ideal;
}

/** The sure lanes, and with them one, two, … of the others in order. */
function masksOf(sure: number, order: LaneOrder): number[] {
  const masks = popCount(sure) === 0 ? [] : [sure];
  let mask = sure;
  for (let index = 0; index < laneCount; index++) {
    const lane = order === "first" ? index : laneCount - 1 - index;
    if ((mask >>> lane) & 1) continue;
    mask |= 1 << lane;
    masks.push(mask);
  }
  return masks;
}
