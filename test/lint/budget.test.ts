// The steps of one file are shared among its launches.
import { describe, expect, it } from "vitest";
import type { LaunchProfile } from "../../server/src/evaluate/profile.ts";
import { createBudget, turnsOf } from "../../server/src/lint/budget.ts";
import { access, lanes, profile } from "../rules/profiles.ts";

describe("the order of launches", () => {
  it("takes the first launch of every kernel, then the second of those that have one", () => {
    expect(turnsOf([3, 0, 1, 2])).toEqual([0, 2, 3, 0, 3, 0]);
    expect(turnsOf([])).toEqual([]);
  });
});

describe("the budget of a file", () => {
  it("leaves to later launches what earlier ones do not need", () => {
    const budget = createBudget([1000]);
    budget.spend("k", budget.nextLimit("k"), known(10));
    const second = budget.nextLimit("k");
    for (let launch = 2; launch < 999; launch++) {
      budget.spend("k", second, known(10));
      budget.nextLimit("k");
    }
    expect(budget.nextLimit("k")).toBeGreaterThan(second * 10);
  });

  it("leaves the first launch of a kernel its part where another has a thousand launches", () => {
    const budget = createBudget([1000, 1]);
    // Half of three million, shared by two kernels; what the first leaves of it is for the second, too.
    expect(budget.nextLimit("thousand")).toBe(750_000);
    budget.spend("thousand", 750_000, known(400_000));
    expect(budget.nextLimit("one")).toBe(1_300_000);
  });

  it("never spends much more than its whole, and always leaves a launch something", () => {
    const budget = createBudget([50]);
    let spent = 0;
    for (let launch = 0; launch < 50; launch++) {
      const limit = budget.nextLimit("k");
      expect(limit).toBeGreaterThan(0);
      budget.spend("k", limit, known(limit));
      spent += limit;
    }
    expect(spent).toBeLessThan(5_000_000);
  });

  it("gives more to a launch where those before it came to nothing, and nothing where there is no more", () => {
    const kernels = Array.from({ length: 400 }, () => 1);
    const budget = createBudget(kernels);
    const needed = 200_000;
    const limits: number[] = [];
    for (let launch = 0; launch < 400; launch++) {
      const limit = budget.nextLimit("k");
      budget.spend("k", limit, limit < needed ? unknown(limit) : known(needed));
      limits.push(limit);
    }
    expect(limits.slice(0, 4)).toEqual([30_000, 60_000, 120_000, 240_000]);
    expect(limits.filter((limit) => limit >= needed).length).toBeGreaterThan(8);
    expect(limits.filter((limit) => limit > 0 && limit < needed).length).toBeLessThan(8);
    expect(limits.at(-1)).toBe(0);
    expect(budget.nextLimit("another")).toBeGreaterThan(0);
  });
});

describe("the budget of a kernel that nothing in sight launches", () => {
  it("is not spent on other shapes once one of them came to nothing, and leaves other kernels theirs", () => {
    const budget = createBudget(Array.from({ length: 400 }, () => 2));
    const limit = budget.nextLimit("assumed");
    const { launch } = unknown(limit);
    const profile = {
      ...unknown(limit),
      launch: { ...launch, origin: { kind: "assumed", path: [] } },
    } as const;
    budget.spend("assumed", limit, profile);
    expect(budget.nextLimit("another")).toBeGreaterThan(0);
    expect(budget.nextLimit("assumed")).toBe(0);
  });
});

function known(steps: number): LaunchProfile {
  return { ...profile({}, [access({ laneAddresses: lanes(() => 0), cost: 1, ideal: 1 })]).profile, steps };
}

function unknown(steps: number): LaunchProfile {
  const verdict = {
    kind: "unknown",
    reason: "the budget ended",
    dependsOnData: false,
    assumptions: [],
  } as const;
  const nothing = access({ laneAddresses: lanes(() => 0), cost: 1, ideal: 1, verdict });
  return { ...profile({}, [nothing]).profile, steps };
}
