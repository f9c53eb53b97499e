// What a place costs in a run: launches count as often as they are made, and what is assumed is not added up.
import { expect, it } from "vitest";
import { launchExcess, runCost } from "../../server/src/rules/cost.ts";
import { groupAccesses, type KernelProfile } from "../../server/src/rules/group.ts";
import { type AccessInput, access, lanes, profile } from "./profiles.ts";

const column = (input: Partial<AccessInput> = {}) =>
  access({ laneAddresses: lanes((lane) => lane * 128), cost: 32, ideal: 1, requests: 10, ...input });
const unknown = { kind: "unknown", reason: "data", dependsOnData: true, assumptions: [] } as const;

function costOf(...profiles: readonly KernelProfile[]) {
  return runCost(groupAccesses(profiles)[0]?.contexts ?? []);
}

it("adds up launches, each as often as the host makes it", () => {
  expect(costOf(profile({ count: 3 }, [column()]), profile({}, [column({ cost: 2 })]))).toEqual({
    unit: "wavefronts",
    cost: 3 * 320 + 20,
    ideal: 40,
    excess: 3 * 310 + 10,
    isWhole: true,
  });
});

it("is at least what is known where a launch has no figure", () => {
  expect(costOf(profile({}, [column()]), profile({}, [column({ verdict: unknown })]))).toMatchObject({
    excess: 310,
    isWhole: false,
  });
});

it("takes the least of a request where the totals are not known", () => {
  expect(costOf(profile({}, [column({ hasTotals: false })]))).toMatchObject({ excess: 310, isWhole: false });
});

it("is not known of launches that are only assumed, nor without requests", () => {
  expect(costOf(profile({ kind: "assumed" }, [column()]))).toBeNull();
  expect(launchExcess(column({ requests: null }))).toBeNull();
});
