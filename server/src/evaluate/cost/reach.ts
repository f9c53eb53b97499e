// Whether an access surely reaches beyond the array that it is made to, in something that it stands for.
import { isUniform, laneCount, laneOf } from "../values/lanes.ts";
import { type Linear, type Range, rangeOfTerms, type Term } from "../values/linear.ts";

/**
 * Whether some lane of `mask` accesses a byte outside of the array's `sizeBytes`, whatever the unknowns are. `address` counts from the array's
 * start. Folded dimensions take every one of their values, and those that stand in one term alone take them independently of each other.
 */
export function leavesArray(address: Linear, mask: number, bytes: number, sizeBytes: number): boolean {
  const { folded, open } = partsOf(address.terms);
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const constant = Number(laneOf(address.constant, lane));
    const reached = folded.length === 0 ? nowhere : rangeOfTerms(folded, lane);
    const anywhere = open.length === 0 ? nowhere : rangeOfTerms(open, lane);
    if (constant + reached.most + anywhere.least + bytes > sizeBytes) return true;
    if (constant + reached.least + anywhere.most < 0) return true;
    if (address.terms.length === 0 && isUniform(address.constant)) return false;
  }
  return false;
}

const nowhere: Range = { least: 0, most: 0 };

/** The terms of which every value occurs beside every value of the others, and the rest. */
function partsOf(terms: readonly Term[]): { folded: readonly Term[]; open: readonly Term[] } {
  if (terms.length === 0) return { folded: terms, open: terms };
  const uses = new Map<number, number>();
  for (const { factors } of terms) for (const { id } of factors) uses.set(id, (uses.get(id) ?? 0) + 1);
  const isFolded = ({ factors }: Term) =>
    factors.every(({ role, id }) => role === "dimension" && uses.get(id) === 1);
  return { folded: terms.filter(isFolded), open: terms.filter((term) => !isFolded(term)) };
}
