// Launches that the budget of the file left nothing for, or too little: what all evaluated launches of their kernel agree on is said of them.
import { describe, expect, it } from "vitest";
import type { AccessProfile, LaunchProfile } from "../../server/src/evaluate/profile.ts";
import { unevenReason } from "../../server/src/evaluate/regions/coverage.ts";
import { withoutFigures } from "../../server/src/evaluate/regions/unreached.ts";
import { spread, standingForAmong } from "../../server/src/lint/sisters.ts";
import { access, lanes, profile } from "../rules/profiles.ts";

const { profile: whole } = profile({}, [
  access({ laneAddresses: lanes((lane) => 4 * lane), cost: 1, ideal: 1 }),
]);
const unevaluated: LaunchProfile = {
  ...whole,
  accesses: whole.accesses.map(withoutFigures),
  steps: 0,
  isCut: true,
};

/** Launches that were evaluated, each as `change` makes it. */
function sisters(
  count: number,
  change: (access: AccessProfile, index: number) => AccessProfile,
): LaunchProfile[] {
  return Array.from({ length: count }, (_, index) => ({
    ...whole,
    steps: 100,
    accesses: whole.accesses.map((each) => change(each, index)),
  }));
}

const asTheyAre = (each: AccessProfile): AccessProfile => each;
const verdictsAmong = (others: readonly LaunchProfile[]) =>
  standingForAmong([...others, unevaluated])(unevaluated).accesses.map(({ verdict }) => verdict);

describe("a launch that was not evaluated", () => {
  it("is taken to access what four others do, without totals", () => {
    const { accesses } = standingForAmong([...sisters(4, asTheyAre), unevaluated, unevaluated])(unevaluated);
    expect(accesses).toEqual([
      {
        ...whole.accesses[0],
        requests: null,
        laneCount: null,
        totals: null,
        uncounted: { reason: "the budget of the evaluation ended before this launch", dependsOnData: false },
        verdict: {
          kind: "conditional",
          condition: null,
          assumptions: [{ kind: "part-of-launches", evaluated: 4, launches: 6 }],
          dependsOnSizeOnly: true,
          byPitch: null,
        },
      },
    ]);
  });

  it("is not known where too few were evaluated", () => {
    expect(verdictsAmong(sisters(3, asTheyAre))).toMatchObject([{ kind: "unknown" }]);
  });

  it("is not known where one of them costs something else, or hangs on data", () => {
    const dearer = sisters(8, (each, index) =>
      index < 7
        ? each
        : { ...each, perRequest: { least: { cost: 2, ideal: 1 }, most: { cost: 2, ideal: 1 } } },
    );
    expect(verdictsAmong(dearer)).toMatchObject([{ kind: "unknown" }]);
    const byData = sisters(8, (each, index) =>
      index < 7
        ? each
        : { ...each, verdict: { kind: "unknown", reason: "data[i]", dependsOnData: true, assumptions: [] } },
    );
    expect(verdictsAmong(byData)).toMatchObject([{ kind: "unknown" }]);
  });

  it("is taken to be as those that came to their end, whatever the others lacked", () => {
    const cut = sisters(6, (each, index) => (index < 4 ? each : withoutFigures(each)));
    expect(verdictsAmong(cut)).toMatchObject([{ kind: "conditional" }]);
  });

  it("names of launches that were cut themselves the one of which the least was seen", () => {
    const seen = (evaluatedWarps: number) =>
      ({ kind: "part-of-launch", evaluatedWarps, warps: 100, trips: "all" }) as const;
    const cut = sisters(5, (each, index) => ({
      ...each,
      verdict: {
        kind: "conditional",
        condition: null,
        assumptions: [seen(90 - index)],
        dependsOnSizeOnly: true,
        byPitch: null,
      },
    }));
    const all = { kind: "part-of-launches", evaluated: 5, launches: 6 };
    expect(verdictsAmong(cut)).toMatchObject([{ assumptions: [seen(86), all] }]);
  });

  it("has no sisters of other blocks", () => {
    const others = sisters(4, asTheyAre).map((each) => ({
      ...each,
      launch: { ...each.launch, block: [64, 1, 1] as const },
    }));
    expect(verdictsAmong(others)).toMatchObject([{ kind: "unknown" }]);
  });
});

describe("a launch that was cut", () => {
  const [first] = whole.accesses;
  const [unreached] = unevaluated.accesses;
  if (first === undefined || unreached === undefined) throw new Error("there is no access");
  const elsewhere = { ...first, stack: [{ file: "b.cu", start: 0, end: 1 }] };

  it("keeps what was found out about it, and is taken to do the rest as four others do", () => {
    const cut = { ...whole, steps: 50, isCut: true, accesses: [elsewhere, unreached] };
    const others = sisters(4, asTheyAre);
    const { accesses } = standingForAmong([cut, ...others])(cut);
    expect(accesses[0]).toBe(elsewhere);
    // Of the five, itself among them, only four came to the access.
    expect(accesses[1]?.verdict).toMatchObject({
      kind: "conditional",
      assumptions: [{ kind: "part-of-launches", evaluated: 4, launches: 5 }],
    });
  });

  it("keeps what is unknown of the warps that were evaluated", () => {
    const uneven = { ...unreached, verdict: { ...unreached.verdict, reason: unevenReason } };
    const cut = { ...whole, steps: 50, isCut: true, accesses: [uneven] };
    expect(standingForAmong([cut, ...sisters(4, asTheyAre)])(cut)).toBe(cut);
  });
});

describe("the order in which launches have their turn", () => {
  it("spreads the first few over all", () => {
    expect(spread([0, 1, 2, 3, 4, 5, 6])).toEqual([0, 4, 2, 6, 1, 5, 3]);
    expect(spread([])).toEqual([]);
    expect(spread(["only"])).toEqual(["only"]);
  });
});
