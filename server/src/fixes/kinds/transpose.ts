// The last two dimensions of an array in each other's place, where it is declared and in every access: lanes that went down its columns go along its
// rows.
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { TextEdit } from "../fix.ts";
import { type DeclaredArray, dimensionText } from "../text/arrays.ts";
import { lengthened } from "../text/spelling.ts";
import { offsetsOf, type Span, spelled, textAt } from "../text/typed-text.ts";
import { estimateOf, isEndUnused, isTyped, type ShapedAccesses, transposedLayout } from "./layout.ts";
import { whyNotReindexed, whyNotRepeated } from "./reindex.ts";

/** One candidate, for an array of two dimensions or more that is accessed element by element. A pad at the end of its rows goes. */
export function transposeCandidates(array: DeclaredArray, uses: readonly ShapedAccesses[]): Candidates {
  const { typed, dimensions, rowLengths, nameToken } = array;
  const [rows, columns] = dimensions.slice(-2);
  if (rows === undefined || columns === undefined || rowLengths.length > 0) return candidatesFound([]);
  const reason = whyNotReindexed(array) ?? whyNotRepeated(array);
  if (reason !== null) return refusal(reason);
  // `sizeof(tile[0])` is the length of a row.
  if (array.mentions.some(({ isSizeof, subscripts }) => isSizeof && subscripts.length > 0))
    return refusal(`the size of a row of ${array.name} is taken`);
  const areElements = uses.every(({ shape, accesses }) =>
    accesses.every((access) => access.bytes <= shape.elementBytes || !isTyped(access, shape.elementBytes)),
  );
  if (!areElements) return candidatesFound([]);
  const { pad, length } = withoutPad(dimensionText(array, columns), uses);
  const estimate = estimateOf(uses, (shape) => ({ move: transposedLayout(shape, pad), keepsVectors: false }));
  if (estimate === null) return candidatesFound([]);
  const outer = dimensions.slice(0, -2).map((span) => dimensionText(array, span));
  const candidate: Candidate = {
    kind: "transpose",
    edits: [
      edit(array, rows, length),
      edit(array, columns, dimensionText(array, rows)),
      ...array.mentions.flatMap(({ subscripts, isSizeof }): TextEdit[] => {
        const [row, column] = subscripts.slice(-2);
        if (isSizeof || row === undefined || column === undefined) return [];
        const [before, after] = [spelled(typed, row), spelled(typed, column)];
        return before === after ? [] : [edit(array, row, after), edit(array, column, before)];
      }),
    ],
    title: {
      kind: "transpose",
      array: textAt(typed, nameToken),
      dimensions: [...outer, length, dimensionText(array, rows)],
    },
    safety: "safe",
    operations: 0,
    addedElements: -pad,
    estimate,
  };
  return candidatesFound([candidate]);
}

/** The length of a row without what somebody added against conflicts, which no access touches. */
function withoutPad(
  text: string,
  uses: readonly ShapedAccesses[],
): { readonly pad: number; readonly length: string } {
  for (let pad = mostPadRemoved; pad > 0; pad--) {
    const length = /\+\s*\d+\s*$/.test(text) ? lengthened(text, -pad) : null;
    if (length !== null && isEndUnused(uses, pad)) return { pad, length };
  }
  return { pad: 0, length: text };
}

/** More than this is no pad. */
const mostPadRemoved = 8;

function edit({ typed }: DeclaredArray, span: Span, newText: string): TextEdit {
  const [start, end] = offsetsOf(typed, span);
  return { file: typed.file, start, end, newText };
}
