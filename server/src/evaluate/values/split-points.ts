// Where a folded dimension is to be split so that an operation on it becomes known.
import { allLanes, divisorOfLanes, greatestDivisor, laneCount, laneOf } from "./lanes.ts";
import { type Linear, rangeOfTerms, type Term } from "./linear.ts";
import type { Indeterminate, Split } from "./symbol.ts";

/** The split that makes `form / divisor` linear: by the residues of the first dimension that stands in the way. */
export function moduloSplit(rest: Linear, divisor: number): Split | null {
  for (const term of rest.terms) {
    const dimension = term.factors[0];
    if (term.factors.length !== 1 || dimension?.role !== "dimension") continue;
    const period = divisor / greatestDivisor(divisor, divisorOfLanes(term.coefficient, allLanes));
    if (!Number.isInteger(period) || period > dimension.most) return { dimension, at: { kind: "points" } };
    return { dimension, at: { kind: "modulo", period } };
  }
  return null;
}

/**
 * The split at which `form` crosses `limit`: as many values of one dimension as surely stay on one side, whatever the lane and the
 * other dimensions; half of the longest dimension where none does.
 */
export function thresholdSplit(form: Linear, limit: number, mask: number): Split | null {
  const candidates = form.terms.filter(
    (term) => term.factors.length === 1 && term.factors[0]?.role === "dimension",
  );
  let longest: Indeterminate | null = null;
  for (const term of candidates) {
    const dimension = term.factors[0];
    if (!dimension) continue;
    if (!longest || dimension.most > longest.most) longest = dimension;
    const others: Linear = { ...form, terms: form.terms.filter((other) => other !== term) };
    const counts = crossings(term, others, limit, mask).filter(
      (count) => count >= 1 && count <= dimension.most,
    );
    const count = counts[0];
    if (count !== undefined) return { dimension, at: { kind: "threshold", count } };
  }
  if (!longest) return productSplit(form);
  if (longest.most <= 3) return { dimension: longest, at: { kind: "points" } };
  return { dimension: longest, at: { kind: "threshold", count: (longest.most + 1) >> 1 } };
}

/** A product of dimensions is linear once the shorter of them is known. */
function productSplit(form: Linear): Split | null {
  const dimensions = form.terms
    .flatMap((term) => term.factors)
    .filter((factor) => factor.role === "dimension");
  const [first, ...others] = dimensions;
  if (!first) return null;
  const dimension = others.reduce(
    (shortest, other) => (other.most < shortest.most ? other : shortest),
    first,
  );
  return { dimension, at: { kind: "points" } };
}

/** Counts of the dimension's values below which, and from which, every lane is decided. */
function crossings(term: Term, others: Linear, limit: number, mask: number): number[] {
  let earliest = Infinity;
  let latest = -Infinity;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const coefficient = Number(laneOf(term.coefficient, lane));
    if (coefficient === 0) continue;
    const constant = Number(laneOf(others.constant, lane));
    const range = rangeOfTerms(others.terms, lane);
    const first = (limit - constant - range.least) / coefficient;
    const second = (limit - constant - range.most) / coefficient;
    earliest = Math.min(earliest, Math.ceil(first), Math.ceil(second));
    latest = Math.max(latest, Math.floor(first) + 1, Math.floor(second) + 1);
  }
  return [earliest, latest].filter(Number.isFinite);
}
