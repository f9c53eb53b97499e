// Longer rows of an array of several dimensions: the declaration alone changes.
import { type DeclaredArray, dimensionText } from "./arrays.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "./candidate.ts";
import { estimatedCostOf, keepsAlignment, paddedLayout, type ShapedAccesses } from "./layout.ts";
import { lengthened } from "./spelling.ts";
import { offsetsOf, textAt } from "./typed-text.ts";

export const mostPadElements = 32;
/** Of a dimension that is not the innermost: its steps are whole rows. */
const mostOuterPad = 4;

/** Every pad of one dimension beyond the first that keeps each access aligned. */
export function padCandidates(array: DeclaredArray, uses: readonly ShapedAccesses[]): Candidates {
  if (array.dimensions.length < 2) return candidatesFound([]);
  const reason = whyRowsAreFixed(array);
  if (reason !== null) return refusal(reason);
  const candidates: Candidate[] = [];
  for (let dimension = array.dimensions.length - 1; dimension > 0; dimension--) {
    const isInnermost = dimension === array.dimensions.length - 1;
    const most = isInnermost ? mostPadElements : mostOuterPad;
    for (let added = isInnermost ? -mostPadElements : 1; added <= most; added++) {
      const candidate = added === 0 ? null : padCandidate(array, uses, dimension, added);
      if (candidate !== null) candidates.push(candidate);
    }
  }
  return candidatesFound(candidates);
}

/** Why somebody may count on the length of a row, in words; null where nobody does. */
export function whyRowsAreFixed({ name, dimensions, mentions }: DeclaredArray): string | null {
  for (const { subscripts, passedTo, isSizeof } of mentions) {
    if (isSizeof || subscripts.length === dimensions.length) continue;
    if (subscripts.length > 0 && subscripts.length === dimensions.length - 1) continue;
    if (passedTo !== null) return `${name} is passed whole to ${passedTo}, which may count on its row length`;
    return `the address of ${name} is taken: what is reached through it may count on the row length`;
  }
  return null;
}

function padCandidate(
  array: DeclaredArray,
  uses: readonly ShapedAccesses[],
  dimension: number,
  added: number,
): Candidate | null {
  const span = array.dimensions[dimension];
  if (span === undefined) return null;
  const before = dimensionText(array, span);
  // A shorter row is worth trying only where its end is a pad that somebody wrote.
  if (added < 0 && /^\d+$/.test(before.trim())) return null;
  const newText = lengthened(before, added);
  if (newText === null) return null;
  const isInnermost = dimension === array.dimensions.length - 1;
  if (isInnermost && !keepsAlignment(uses, added)) return null;
  const pads = array.dimensions.map((_, each) => (each === dimension ? added : 0));
  const estimate = estimatedCostOf(uses, (shape) => paddedLayout(shape, pads));
  if (estimate === null) return null;
  const [start, end] = offsetsOf(array.typed, span);
  const dimensions = array.dimensions.map((each, index) =>
    index === dimension ? newText : dimensionText(array, each),
  );
  return {
    kind: "pad",
    edits: [{ file: array.typed.file, start, end, newText }],
    title: { kind: "pad", array: textAt(array.typed, array.nameToken), dimensions },
    safety: "safe",
    operations: 0,
    estimate,
  };
}
