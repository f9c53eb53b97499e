// Longer rows of an array of several dimensions: the declaration alone changes.

import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { TextEdit } from "../fix.ts";
import { type DeclaredArray, dimensionText } from "../text/arrays.ts";
import { lengthened } from "../text/spelling.ts";
import { offsetsOf, type Span, spelled, textAt } from "../text/typed-text.ts";
import { estimateOf, isEndUnused, keepsAlignment, paddedLayout, type ShapedAccesses } from "./layout.ts";

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
    const sizes = Array.from({ length: most }, (_, index) => index + 1);
    // A shorter row is worth trying where its end is a pad that somebody wrote.
    for (const added of isInnermost ? [...sizes, ...sizes.map((size) => -size)] : sizes) {
      const candidate = padCandidate(array, uses, dimension, added);
      if (candidate !== null) candidates.push(candidate);
    }
  }
  return candidatesFound(candidates);
}

/** Why somebody may count on the length of a row, in words; null where nobody does. */
export function whyRowsAreFixed({ name, dimensions, mentions }: DeclaredArray): string | null {
  for (const { subscripts, passedTo, isSizeof, address } of mentions) {
    if (address === "kept")
      return `the address of ${name} is kept in a variable: what is reached through it may count on the row length`;
    if (isSizeof || subscripts.length === dimensions.length) continue;
    if (subscripts.length > 0 && subscripts.length === dimensions.length - 1) continue;
    if (passedTo !== null) return `${name} is passed whole to ${passedTo}, which may count on its row length`;
    return `the address of ${name} is taken: what is reached through it may count on the row length`;
  }
  return null;
}

/** Who may count on the length of a row although a check must show it, in words; null where nobody is in sight. */
export function whoMayCountOnRows({ name, mentions }: DeclaredArray): string | null {
  const passed = mentions.find(({ address, passedTo }) => address === "passed" && !isAccess(passedTo ?? ""));
  return passed === undefined
    ? null
    : `the address of ${name} is passed to ${passed.passedTo}, which may count on its row length`;
}

/** Functions that access what they get the address of, and no more. */
function isAccess(name: string): boolean {
  return /^(?:atomic\w*|__\w+|\w*memcpy\w*|\w*matrix\w*|\w*cp_async\w*|\w*cvta\w*)$/i.test(name);
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
  if (added < 0 && /^\d+$/.test(before.trim())) return null;
  const newText = lengthened(before, added);
  if (newText === null) return null;
  const isInnermost = dimension === array.dimensions.length - 1;
  if (isInnermost && !keepsAlignment(uses, added)) return null;
  if (added < 0 && !isEndUnused(uses, -added)) return null;
  const pads = array.dimensions.map((_, each) => (each === dimension ? added : 0));
  const estimate = estimateOf(uses, (shape) => paddedLayout(shape, pads));
  if (estimate === null) return null;
  const follow = dimension === array.dimensions.length - 1 ? array.rowLengths : [];
  if (!isInnermost && array.rowLengths.length > 0) return null;
  const edits = [span, ...follow].map((each) => lengthEdit(array, each, added));
  if (edits.some((edit) => edit === null)) return null;
  const dimensions = array.dimensions.map((each, index) =>
    index === dimension ? newText : dimensionText(array, each),
  );
  return {
    kind: "pad",
    edits: edits.flatMap((edit) => edit ?? []),
    title: { kind: "pad", array: textAt(array.typed, array.nameToken), dimensions },
    safety: "safe",
    operations: 0,
    addedElements: added,
    estimate,
  };
}

function lengthEdit({ typed }: DeclaredArray, span: Span, added: number): TextEdit | null {
  const newText = lengthened(spelled(typed, span), added);
  if (newText === null) return null;
  const [start, end] = offsetsOf(typed, span);
  return { file: typed.file, start, end, newText };
}
