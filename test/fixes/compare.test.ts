// What an edit did to each launch: launches before and after are brought together.
import { expect, it } from "vitest";
import { compareKernels } from "../../server/src/fixes/check/compare.ts";
import type { AnalysedKernels, LaunchedKernel } from "../../server/src/fixes/fix.ts";

const nothing = { before: () => false, after: () => false };

/** As many launches of one statement in a loop, each with its trip as an argument. Counts how often one is looked at. */
function launchesOf(numbers: readonly number[]): AnalysedKernels & { looks(): number } {
  let looks = 0;
  const kernel = { name: "step", templateArguments: [], templateParameterNames: [] };
  const launches = numbers.map((value) => ({
    get kernel() {
      looks++;
      return kernel;
    },
    launch: {
      block: [32, 1, 1],
      grid: [1, 1, 1],
      arguments: [{ kind: "scalar", value }],
      origin: { kind: "launch", path: [{ file: "/a.cu", start: 10, end: 20 }] },
    },
    count: 1,
    profile: { accesses: [] },
  })) as unknown as LaunchedKernel[];
  return { launches, gaps: [], looks: () => looks };
}

const pairsOf = (before: AnalysedKernels, after: AnalysedKernels) =>
  compareKernels(before, after, [], nothing, {})?.pairs.map((pair) =>
    [pair.before, pair.after].map(({ launch }) => {
      const [argument] = launch.arguments;
      return argument?.kind === "scalar" ? argument.value : null;
    }),
  );

it("launches meet those that pass the same, wherever they stand now", () => {
  expect(pairsOf(launchesOf([1, 2, 3]), launchesOf([3, 1, 2]))).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
});

it("a thousand launches of a loop are looked at a few times each", () => {
  const numbers = Array.from({ length: 1000 }, (_, trip) => trip);
  const [before, after] = [launchesOf(numbers), launchesOf(numbers)];
  expect(pairsOf(before, after)).toHaveLength(1000);
  expect(before.looks() + after.looks()).toBeLessThan(20_000);
});

/** A launch of one load in shared memory, of so many requests in so many accesses. */
function loadsOf(bytes: number, requests: number, wavefronts: number): AnalysedKernels {
  const range = { file: "/a.cu", start: 50, end: 60 };
  const access = {
    range,
    stack: [range],
    mergedRanges: [],
    expression: "s[j]",
    space: "shared",
    operation: "load",
    bytes,
    requests,
    totals: { cost: wavefronts, ideal: requests },
    perRequest: null,
    verdict: { kind: "exact" },
    misaligned: null,
    target: null,
  };
  const { launches } = launchesOf([1]);
  const [launch] = launches;
  return {
    launches: [
      { ...launch, kernel: launch?.kernel, profile: { accesses: [access] } },
    ] as unknown as LaunchedKernel[],
    gaps: [],
  };
}

it.each([
  // A vector of four words that comes apart: four requests of one wavefront in place of one of two.
  { what: "apart", after: loadsOf(4, 400, 400), perRequest: { before: 2, after: 4 } },
  { what: "as it was", after: loadsOf(16, 100, 300), perRequest: { before: 2, after: 3 } },
])("a load that is dearer $what says what it costs now in requests as they were", ({ after, perRequest }) => {
  const comparison = compareKernels(loadsOf(16, 100, 200), after, [], nothing, {});
  expect(comparison?.dearer.map((each) => each.perRequest)).toEqual([perRequest]);
});
