// What Nsight Compute's Source page will show for a line: the sums over all accesses of the line to one space.

import type { Figure } from "../evaluate/profile.ts";
import type { Places } from "../render/places.ts";
import type { RatedContext } from "./contexts.ts";

/**
 * Totals of the line that the access of `context` is charged to, under its launch; null unless the grid is known and every access of the
 * line is exact.
 */
export function lineTotals({ access, siblings }: RatedContext, places: Places): Figure | null {
  const { line } = places.startOf(access.range);
  let cost = 0;
  let ideal = 0;
  for (const sibling of siblings) {
    if (sibling.range.file !== access.range.file || sibling.space !== access.space) continue;
    if (places.startOf(sibling.range).line !== line) continue;
    if (sibling.verdict.kind !== "exact" || sibling.totals === null) return null;
    cost += sibling.totals.cost;
    ideal += sibling.totals.ideal;
  }
  return { cost, ideal };
}
