// Longer rows of an array of several dimensions: the declaration alone changes.

import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { TextEdit } from "../fix.ts";
import { type DeclaredArray, dimensionText } from "../text/arrays.ts";
import { asFactor, lengthened } from "../text/spelling.ts";
import { offsetsOf, replaced, type Span, spelled, textAt } from "../text/typed-text.ts";
import {
  type ArrayShape,
  estimateOf,
  isEndUnused,
  keepsAlignment,
  paddedLayout,
  type ShapedAccesses,
} from "./layout.ts";

export const mostPadElements = 32;
const wordBytes = 4;

/** Every number of elements up to 32, then of whole words up to 32 of them: a row of narrow elements goes round the banks in more steps. */
export function triedPads(elementBytes: number): number[] {
  const ofWord = Math.max(1, wordBytes / elementBytes);
  return [
    ...upTo(mostPadElements),
    ...upTo(mostPadElements)
      .map((words) => words * ofWord)
      .filter((elements) => elements > mostPadElements && Number.isInteger(elements)),
  ];
}
/** Of a dimension that is not the innermost: its steps are whole rows. */
const mostOuterPad = 4;

/** Every pad of one dimension beyond the first that keeps each access aligned. */
export function padCandidates(array: DeclaredArray, uses: readonly ShapedAccesses[]): Candidates {
  if (array.dimensions.length < 2) return candidatesFound([]);
  const reason = whyRowsAreFixed(array);
  if (reason !== null) return refusal(reason);
  const elementBytes = Math.min(...uses.map(({ shape }) => shape.elementBytes));
  return candidatesFound([
    ...padsOf(array.dimensions.length, elementBytes).flatMap((pads) => padCandidate(array, uses, pads) ?? []),
    ...oddPitchCandidate(array, uses),
  ]);
}

/**
 * Elements more of each dimension, outermost first: of one of them, or of a row and the dimension above, which a warp may go along both. A shorter
 * row is worth trying where its end is a pad that somebody wrote.
 */
function padsOf(rank: number, elementBytes: number): number[][] {
  const only = (dimension: number, added: number) =>
    Array.from({ length: rank }, (_, each) => (each === dimension ? added : 0));
  const rows = [...triedPads(elementBytes), ...upTo(mostPadElements).map((added) => -added)].map((added) =>
    only(rank - 1, added),
  );
  const outer = Array.from({ length: Math.max(0, rank - 2) }, (_, index) => rank - 2 - index).flatMap(
    (dimension) => upTo(mostOuterPad).map((added) => only(dimension, added)),
  );
  const both =
    rank < 3
      ? []
      : upTo(mostOuterPad).flatMap((above) =>
          upTo(mostOuterPad).map((added) => [...only(rank - 2, above).slice(0, -1), added]),
        );
  return [...rows, ...outer, ...both];
}

function upTo(most: number): number[] {
  return Array.from({ length: most }, (_, index) => index + 1);
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
  pads: readonly number[],
): Candidate | null {
  const added = pads.at(-1) ?? 0;
  const last = array.dimensions.at(-1);
  if (last === undefined || (added < 0 && /^\d+$/.test(dimensionText(array, last).trim()))) return null;
  const texts = array.dimensions.map((span, dimension) => {
    const before = dimensionText(array, span);
    const more = pads[dimension] ?? 0;
    return more === 0 ? before : lengthened(before, more);
  });
  const dimensions = texts.flatMap((text) => text ?? []);
  if (dimensions.length < texts.length) return null;
  if (added !== 0 && !keepsAlignment(uses, added)) return null;
  if (added < 0 && !isEndUnused(uses, -added)) return null;
  // Of a parameter that stands for the array only the innermost length is known.
  if (
    pads.some((each, dimension) => each !== 0 && dimension < pads.length - 1) &&
    array.rowLengths.length > 0
  )
    return null;
  const estimate = estimateOf(uses, (shape) => paddedLayout(shape, pads));
  if (estimate === null) return null;
  const edits = [
    ...array.dimensions.flatMap((span, dimension) =>
      pads[dimension] ? [lengthEdit(array, span, pads[dimension] ?? 0)] : [],
    ),
    ...(added === 0 ? [] : array.rowLengths.map((span) => lengthEdit(array, span, added))),
  ];
  if (edits.some((edit) => edit === null)) return null;
  return {
    kind: "pad",
    edits: edits.flatMap((edit) => edit ?? []),
    title: { kind: "pad", array: textAt(array.typed, array.nameToken), dimensions },
    safety: "safe",
    operations: 0,
    addedElements: pads.reduce((sum, each) => sum + each),
    estimate,
  };
}

/** Rows of an odd number of elements in every instantiation, where some have that and others have not: `N | 1`. A pad that is written already has its own number. */
function oddPitchCandidate(array: DeclaredArray, uses: readonly ShapedAccesses[]): Candidate[] {
  const last = array.dimensions.at(-1);
  const addedTo = ({ counts }: ArrayShape) => ((counts.at(-1) ?? 1) + 1) % 2;
  const isMixed = new Set(uses.map(({ shape }) => addedTo(shape))).size > 1;
  if (last === undefined || dimensionText(array, last).includes("+")) return [];
  if (!isMixed || !uses.every((each) => keepsAlignment([each], addedTo(each.shape)))) return [];
  const estimate = estimateOf(uses, (shape) =>
    paddedLayout(
      shape,
      shape.counts.map((_, dimension) => (dimension === shape.counts.length - 1 ? addedTo(shape) : 0)),
    ),
  );
  if (estimate === null) return [];
  const odd = (span: Span) => `${asFactor(spelled(array.typed, span))} | 1`;
  return [
    {
      kind: "pad",
      edits: [last, ...array.rowLengths].map((span) => replaced(array.typed, span, odd(span))),
      title: {
        kind: "pad",
        array: textAt(array.typed, array.nameToken),
        dimensions: [...array.dimensions.slice(0, -1).map((span) => dimensionText(array, span)), odd(last)],
      },
      safety: "safe",
      operations: 0,
      addedElements: 1,
      estimate,
    },
  ];
}

function lengthEdit({ typed }: DeclaredArray, span: Span, added: number): TextEdit | null {
  const newText = lengthened(spelled(typed, span), added);
  if (newText === null) return null;
  const [start, end] = offsetsOf(typed, span);
  return { file: typed.file, start, end, newText };
}
