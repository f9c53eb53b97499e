// The search and the check that warplint itself uses.
import { checkPair } from "../fixes/check.ts";
import { defaultFixBudget } from "../fixes/fix.ts";
import { searchFixes } from "../fixes/search.ts";
import type { FixTools } from "./fixes.ts";

export const fixTools: FixTools = {
  search: searchFixes,
  check: checkPair,
  budget: defaultFixBudget,
};
