// The steps of one file are shared among its launches.
import { describe, expect, it } from "vitest";
import type { EvaluationOptions } from "../../server/src/evaluate/evaluate.ts";
import type { LaunchProfile } from "../../server/src/evaluate/profile.ts";
import type { FunctionId } from "../../server/src/ir/function.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import { createBudget, stepLimitsOf, turnsOf } from "../../server/src/lint/budget.ts";
import { access, lanes, profile } from "../rules/profiles.ts";

describe("the order of launches", () => {
  it("takes the first launch of every kernel, then the second of those that have one", () => {
    expect(turnsOf([3, 0, 1, 2])).toEqual([0, 2, 3, 0, 3, 0]);
    expect(turnsOf([])).toEqual([]);
  });
});

describe("the budget of a file", () => {
  it("leaves to later launches what earlier ones do not need", () => {
    const budget = createBudget(new Map([["k", 1000]]));
    budget.spend("k", budget.next("k", launched), known(10));
    const second = budget.next("k", launched);
    for (let launch = 2; launch < 999; launch++) {
      budget.spend("k", second, known(10));
      budget.next("k", launched);
    }
    expect(budget.next("k", launched).stepLimit).toBeGreaterThan(second.stepLimit * 10);
  });

  it("leaves the first launch of a kernel its part where another has a thousand launches", () => {
    const budget = createBudget(
      new Map([
        ["thousand", 1000],
        ["one", 1],
      ]),
    );
    // Half of three million, shared by two kernels; what the first leaves of it is for the second, too.
    const first = budget.next("thousand", launched);
    expect(first).toEqual(precisely(750_000));
    budget.spend("thousand", first, known(400_000));
    expect(budget.next("one", launched)).toEqual(precisely(1_300_000));
  });

  it("never spends much more than its whole, and always leaves a launch something", () => {
    const budget = createBudget(new Map([["k", 50]]));
    let spent = 0;
    for (let launch = 0; launch < 50; launch++) {
      const allowed = budget.next("k", launched);
      expect(allowed.stepLimit).toBeGreaterThan(0);
      budget.spend("k", allowed, known(allowed.stepLimit));
      spent += allowed.stepLimit;
    }
    expect(spent).toBeLessThan(5_000_000);
  });

  it("counts the code of each instance by its accesses where there is a repository to lint", () => {
    const take = (extent: "file" | "repository") => {
      const budget = createBudget(new Map([["k", 100]]), stepLimitsOf(extent));
      let evaluated = 0;
      for (let index = 0; index < 100; index++) {
        const instance = { ...launched, kernel: `k<${index}>` as FunctionId };
        const allowed = budget.next("k", instance);
        if (allowed.stepLimit > 0) evaluated++;
        const profile = known(10);
        const accesses = Array.from({ length: 100 }, () => profile.accesses).flat();
        budget.spend("k", allowed, { ...profile, accesses, launch: instance });
      }
      return evaluated;
    };
    expect(take("file")).toBe(100);
    // A hundred accesses of 1,000 steps each, of two million.
    expect(take("repository")).toBe(20);
  });

  it("gives more to a launch where those before it came to nothing, and nothing where there is no more", () => {
    const budget = createBudget(new Map([["k", 400]]));
    const needed = 200_000;
    const limits: number[] = [];
    for (let launch = 0; launch < 400; launch++) {
      const allowed = budget.next("k", launched);
      const { stepLimit } = allowed;
      budget.spend("k", allowed, stepLimit < needed ? unknown(stepLimit) : known(needed));
      limits.push(stepLimit);
    }
    expect(limits[0]).toBe(1_500_000);
    expect(limits.filter((limit) => limit >= needed).length).toBeGreaterThan(8);
    expect(limits.filter((limit) => limit > 0 && limit < needed).length).toBeLessThan(8);
    expect(limits.at(-1)).toBe(0);
  });

  it("doubles what came to nothing while many kernels wait", () => {
    const kernels = Array.from({ length: 400 }, (_, index) => [`${index}`, 1] as const);
    const budget = createBudget(new Map(kernels));
    const limits = [1, 2, 3, 4].map(() => {
      const allowed = budget.next("0", launched);
      budget.spend("0", allowed, unknown(allowed.stepLimit));
      return allowed.stepLimit;
    });
    expect(limits).toEqual([30_000, 60_000, 120_000, 240_000]);
    expect(budget.next("another", launched).stepLimit).toBeGreaterThan(0);
  });
});

describe("the budget of a kernel that nothing in sight launches", () => {
  it("is not spent on other shapes once one of them came to nothing, and leaves other kernels theirs", () => {
    const kernels = Array.from({ length: 400 }, (_, index) => [`${index}`, 2] as const);
    const budget = createBudget(new Map(kernels));
    const allowed = budget.next("0", assumed(32));
    budget.spend("0", allowed, { ...unknown(allowed.stepLimit), launch: assumed(32) });
    expect(budget.next("1", assumed(32)).stepLimit).toBeGreaterThan(0);
    expect(budget.next("0", assumed(64)).stepLimit).toBe(0);
  });

  it("leaves every shape its part, coarse where twice the threads would take more than that", () => {
    const budget = createBudget(new Map([["k", 6]]));
    const first = budget.next("k", assumed(32));
    expect(first).toEqual(precisely(1_000_000));
    budget.spend("k", first, { ...known(600_000), launch: assumed(32) });
    // A fifth of what is left.
    const second = budget.next("k", assumed(64));
    expect(second).toEqual({ stepLimit: 480_000, sweeps: "coarse" });
    budget.spend("k", second, { ...known(200_000), launch: assumed(64) });
    // What the coarse shape took says nothing of a precise one.
    expect(budget.next("k", assumed(128))).toEqual({ stepLimit: 550_000, sweeps: "coarse" });
    expect(budget.next("k", assumed(32)).sweeps).toBe("all");
  });

  it("is as that of others where launches are in sight", () => {
    const budget = createBudget(new Map([["k", 6]]));
    const first = budget.next("k", launched);
    budget.spend("k", first, known(1_400_000));
    expect(budget.next("k", launched)).toEqual(precisely(1_200_000));
  });
});

const precisely = (stepLimit: number): EvaluationOptions => ({ stepLimit, sweeps: "all" });

const { launch: launched } = known(0);

function assumed(threads: number): Launch {
  return { ...launched, block: [threads, 1, 1], origin: { kind: "assumed", path: [] } };
}

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
