// The steps of one file are shared among its launches.
import { describe, expect, it } from "vitest";
import { createBudget } from "../../server/src/lint/budget.ts";

describe("the budget of a file", () => {
  it("leaves to later launches what earlier ones do not need", () => {
    const budget = createBudget(1000);
    const first = budget.nextLimit();
    for (let launch = 1; launch < 999; launch++) {
      budget.spend(10);
      budget.nextLimit();
    }
    expect(budget.nextLimit()).toBeGreaterThan(first * 10);
  });

  it("never spends much more than its whole, and always leaves a launch something", () => {
    const budget = createBudget(50);
    let spent = 0;
    for (let launch = 0; launch < 50; launch++) {
      const limit = budget.nextLimit();
      expect(limit).toBeGreaterThan(0);
      budget.spend(limit);
      spent += limit;
    }
    expect(spent).toBeLessThan(5_000_000);
  });
});
