// The search and the check that warplint itself uses.
import { defaultFixBudget } from "../fixes/fix.ts";
import { searchFixes } from "../fixes/search.ts";
import type { FixTools } from "./fixes.ts";

export const fixTools: FixTools = {
  search: searchFixes,
  // biome-ignore lint/correctness/useYield: the simulator takes steps, this has none to take.
  check: function* () {
    return { kind: "not-checked", reason: "the check is not there yet" };
  },
  budget: defaultFixBudget,
};
