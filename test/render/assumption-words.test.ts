// What was taken for granted, as people read it, and which of it stands with a figure wherever the figure does.
import { describe, expect, it } from "vitest";
import { type Assumption, distinctAssumptions } from "../../server/src/ir/assumption.ts";
import { assumptionText, narrowsFigures } from "../../server/src/render/assumption-words.ts";

const worded: readonly (readonly [Assumption, string])[] = [
  [{ kind: "convention", name: "WARP_SIZE", value: "32" }, "WARP_SIZE = 32 (defined nowhere)"],
  [{ kind: "block", block: [32, 8, 1] }, "block (32,8) assumed"],
  [{ kind: "template-argument", name: "T", value: "float" }, "T = float assumed"],
  [{ kind: "world", world: "no-arguments" }, "argc = 1"],
  [{ kind: "hidden-caller", callee: null }, "the function that launches it is called from elsewhere"],
  [{ kind: "hidden-caller", callee: "operator()" }, "a lambda is called by code that is not in sight"],
  [{ kind: "hidden-caller", callee: "run" }, "run is called by code that is not in sight"],
  [{ kind: "host-condition", condition: "n > 4", ways: "both" }, "host condition `n > 4` taken both ways"],
  [{ kind: "host-condition", condition: "mode", ways: "every" }, "host condition `mode` taken every way"],
  [{ kind: "host-loop-entered", condition: "i < n" }, "host condition `i < n` true at least once"],
  [{ kind: "first-iteration", condition: "s > 0" }, "only the first iteration of the loop `s > 0` is known"],
  [{ kind: "later-iterations", condition: "s > 0" }, "later iterations of the loop `s > 0` as one"],
  [{ kind: "global-pointer", pointer: "p->next" }, "p->next points to global memory"],
  [
    { kind: "part-of-launch", evaluatedWarps: 4, warps: 64, trips: "all" },
    "4 of 64 warps were evaluated within the budget",
  ],
  [
    { kind: "part-of-launch", evaluatedWarps: 4, warps: 64, trips: "first" },
    "4 of 64 warps were evaluated within the budget, later iterations of long loops counted as one",
  ],
  [
    { kind: "part-of-launch", evaluatedWarps: 64, warps: 64, trips: "first" },
    "all 64 warps were evaluated within the budget, later iterations of long loops counted as one",
  ],
];

describe("what was taken for granted", () => {
  it.each(worded)("%o is told as %s", (assumption, text) => {
    expect(assumptionText(assumption)).toBe(text);
  });

  it("stands with a figure where that may not be the program's", () => {
    const narrowing = worded.filter(([assumption]) => narrowsFigures(assumption));
    expect([...new Set(narrowing.map(([{ kind }]) => kind))]).toEqual([
      "convention",
      "first-iteration",
      "part-of-launch",
    ]);
  });

  it("is kept once, in the order of the first", () => {
    const [convention, block] = worded.map(([assumption]) => assumption);
    if (convention === undefined || block === undefined) throw new Error("nothing to compare");
    expect(distinctAssumptions([block, convention, { ...block }, convention])).toEqual([block, convention]);
  });
});
