// The search and the check that warplint itself uses.
import { checkPair, defaultCheckLimits } from "../fixes/check/check.ts";
import { defaultFixBudget } from "../fixes/fix.ts";
import { searchFixes } from "../fixes/search.ts";
import type { FixTools } from "./fixes.ts";

export const fixTools: FixTools = {
  search: searchFixes,
  check: (pair, maxSteps) => checkPair(pair, { maxSteps: Math.min(maxSteps, defaultCheckLimits.maxSteps) }),
  budget: defaultFixBudget,
};
