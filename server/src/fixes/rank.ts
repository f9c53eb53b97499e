// Which of the improvements is best: the greatest gain over all accesses and launches, then the lowest price.

import type { Improvement } from "./check/try.ts";
import type { Fix, FixKind } from "./fix.ts";

/** Best first. Safe ones before suggestions. */
export function ranked(improvements: readonly Improvement[]): Improvement[] {
  return [...improvements].sort(
    (a, b) =>
      riskOf(a) - riskOf(b) ||
      realignment(a, b) ||
      costAfter(a) - costAfter(b) ||
      lostBlocks(a) - lostBlocks(b) ||
      priceOf(a) - priceOf(b) ||
      knobOf(a) - knobOf(b) ||
      order.indexOf(a.candidate.kind) - order.indexOf(b.candidate.kind),
  );
}

/** Of two ways to bring rows onto the boundary: the one that costs the fewest other accesses something, then the smallest. */
function realignment(a: Improvement, b: Improvement): number {
  if (a.candidate.kind !== "realign" || b.candidate.kind !== "realign") return 0;
  return a.comparison.dearer.length - b.comparison.dearer.length || sharedBytes(a) - sharedBytes(b);
}

const order: readonly FixKind[] = [
  "realign",
  "pad",
  "transpose",
  "swizzle",
  "spread",
  "vectorize",
  "align",
  "scalarize",
  "swap-axes",
  "stripe",
  "launch-shape",
  "stage-tile",
];

/** Who pays for it elsewhere, or by what the data are, should choose it. */
export function safetyOf({ candidate, comparison: { dearer, open } }: Improvement): Fix["safety"] {
  return dearer.length > 0 || open !== null ? "suggestion" : candidate.safety;
}

function riskOf(improvement: Improvement): number {
  return safetyOf(improvement) === "safe" ? 0 : 1;
}

/** What is dearer elsewhere counts too: a fix of a misaligned access may cost others something. */
function costAfter({ comparison }: Improvement): number {
  return comparison.totals.after;
}

function lostBlocks({ prices }: Improvement): number {
  const lost = [...prices.values()].map(({ blocksPerSm: blocks }) =>
    blocks === null ? 0 : blocks.before - blocks.after,
  );
  return Math.max(0, ...lost);
}

/** An operation in every access is taken for as dear as this much shared memory: a few words a row are cheaper than a swizzle, half a tile is not. */
const bytesPerOperation = 1024;

function priceOf(improvement: Improvement): number {
  return improvement.candidate.operations * bytesPerOperation + sharedBytes(improvement);
}

/** Of two ways to the same rows: the parameter that sets their length, where the kernel has one, then the length itself. */
function knobOf({ candidate }: Improvement): number {
  return candidate.parameter === undefined ? 1 : 0;
}

/** Of the launch that needs the most more. */
function sharedBytes({ prices }: Improvement): number {
  return Math.max(...[...prices.values()].map((price) => price.sharedBytes));
}
