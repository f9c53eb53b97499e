// Where a folded dimension is to be split so that an operation on it becomes known.
import { allLanes, divisorOfLanes, greatestDivisor, laneCount, laneOf } from "./lanes.ts";
import { type Linear, rangeOfTerms, type Term } from "./linear.ts";
import type { Indeterminate, Split } from "./symbol.ts";

/**
 * The split of the first dimension in the way that makes `form / divisor` linear: by residues, or where the quotient changes, whichever gives
 * fewer parts. A thousand blocks go through few rows of a thousand.
 */
export function quotientSplit(rest: Linear, divisor: number, mask: number): Split | null {
  for (const term of rest.terms) {
    const dimension = term.factors[0];
    if (term.factors.length !== 1 || dimension?.role !== "dimension") continue;
    const period = divisor / greatestDivisor(divisor, divisorOfLanes(term.coefficient, allLanes));
    const isByPoints = !Number.isInteger(period) || period > dimension.most;
    const others: Linear = { ...rest, terms: rest.terms.filter((other) => other !== term) };
    const mostParts = isByPoints ? dimension.most + 1 : period;
    const starts = startsOfQuotients(term, others, divisor, { mask, last: dimension.most, mostParts });
    if (starts) return { dimension, at: { kind: "starts", starts } };
    return { dimension, at: isByPoints ? { kind: "points" } : { kind: "modulo", period } };
  }
  return null;
}

interface QuotientLimits {
  readonly mask: number;
  /** The last value of the dimension, from 0. */
  readonly last: number;
  readonly mostParts: number;
}

/** Budget: so many parts are not evaluated in the steps that a launch has. A grid may have 2^31 blocks, each with a quotient of its own. */
const mostQuotients = 2 ** 16;

/** The values of the dimension at which the quotient changes in some lane, at either end of what the others come to; null where there is none, or too many. */
function startsOfQuotients(
  term: Term,
  others: Linear,
  divisor: number,
  { mask, last, mostParts }: QuotientLimits,
): number[] | null {
  const starts = new Set<number>();
  for (let lane = 0; lane < laneCount; lane++) {
    const coefficient = Number(laneOf(term.coefficient, lane));
    if (!((mask >>> lane) & 1) || coefficient === 0) continue;
    const range = rangeOfTerms(others.terms, lane);
    for (const end of new Set([range.least, range.most])) {
      const base = Number(laneOf(others.constant, lane)) + end;
      const values = [base, base + coefficient * last];
      // Beyond that a number plus one is itself.
      if (!values.every(Number.isSafeInteger)) return null;
      const quotients = values.map((value) => Math.floor(value / divisor));
      const [least, most] = [Math.min(...quotients), Math.max(...quotients)];
      if (!(most - least < Math.min(mostParts, mostQuotients))) return null;
      for (let quotient = least + 1; quotient <= most; quotient++) {
        const at = (quotient * divisor - base) / coefficient;
        const start = coefficient > 0 ? Math.ceil(at) : Math.floor(at) + 1;
        if (start >= 1 && start <= last) starts.add(start);
      }
      if (starts.size + 1 >= mostParts) return null;
    }
  }
  return starts.size === 0 ? null : [...starts].sort((a, b) => a - b);
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
