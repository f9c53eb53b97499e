// XOR of the column with bits of the row, in every access of an array: conflicts go and the array keeps its size.

import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { TextEdit } from "../fix.ts";
import type { DeclaredArray } from "../text/arrays.ts";
import type { ArrayMention } from "../text/mentions.ts";
import { asFactor, lengthened } from "../text/spelling.ts";
import { offsetsOf, spelled, textAt } from "../text/typed-text.ts";
import {
  type Estimate,
  estimateOf,
  isEndUnused,
  isTyped,
  type ShapedAccesses,
  type Swizzle,
  type SwizzledRows,
  swizzledLayout,
} from "./layout.ts";
import { whyNotReindexed, whyNotRepeated } from "./reindex.ts";

const wordBytes = 4;
const wavefrontBytes = 128;
const mostShift = 5;

/** Every swizzle that leaves vectors whole: bits of the row, shifted, over the columns of a row whose length is a power of two. */
export function swizzleCandidates(array: DeclaredArray, uses: readonly ShapedAccesses[]): Candidates {
  if (array.dimensions.length < 2) return candidatesFound([]);
  const reason = whyNotReindexed(array) ?? whyNotRepeated(array);
  if (reason !== null) return refusal(reason);
  const rows = swizzledRows(array, uses);
  if (rows === null) return refusal(whyNoPowerOfTwo(array, uses));
  const candidates = swizzlesOf(uses, rows).flatMap((swizzle) => {
    const estimate = estimateOf(uses, ({ elementBytes }) => ({
      move: swizzledLayout(rows, elementBytes, swizzle),
      keepsVectors: false,
    }));
    return estimate === null ? [] : [candidateOf(array, rows, swizzle, estimate)];
  });
  return candidatesFound(candidates);
}

/** Rows of a power of two, as they are or without the pad at their end; null where there are none, or rows of several lengths. */
function swizzledRows(array: DeclaredArray, uses: readonly ShapedAccesses[]): SwizzledRows | null {
  const [first, ...others] = uses.map(({ shape }) => shape.counts);
  const elementsBefore = first?.at(-1);
  const count = first?.at(-2);
  if (elementsBefore === undefined || count === undefined) return null;
  if (others.some((counts) => counts.at(-1) !== elementsBefore || counts.at(-2) !== count)) return null;
  for (let pad = 0; pad <= mostPadRemoved; pad++) {
    const elements = elementsBefore - pad;
    if (elements < 2 || (elements & (elements - 1)) !== 0) continue;
    const isAsItIs = pad === 0 || (shortenedRow(array, pad) !== null && isEndUnused(uses, pad));
    return isAsItIs ? { elementsBefore, elements, count } : null;
  }
  return null;
}

/** More than this at the end of a row is no pad that somebody wrote against conflicts. */
const mostPadRemoved = 8;

/** The innermost dimension without a pad that somebody wrote. */
function shortenedRow(array: DeclaredArray, pad: number): TextEdit | null {
  const { typed, dimensions } = array;
  const last = dimensions.at(-1);
  const newText = last === undefined ? null : lengthened(spelled(typed, last), -pad);
  if (last === undefined || newText === null || array.rowLengths.length > 0) return null;
  const [start, end] = offsetsOf(typed, last);
  return { file: typed.file, start, end, newText };
}

function whyNoPowerOfTwo({ name }: DeclaredArray, uses: readonly ShapedAccesses[]): string {
  const lengths = [...new Set(uses.map(({ shape }) => shape.counts.at(-1) ?? 0))];
  return lengths.length === 1
    ? `a row of ${name} is ${lengths[0]} elements, not a power of two`
    : `${name} has rows of several lengths`;
}

/** Each swizzle that does something, in the order of its operations, no two that do the same. */
function swizzlesOf(uses: readonly ShapedAccesses[], { elements, count }: SwizzledRows): Swizzle[] {
  const widest = Math.max(
    1,
    ...uses.flatMap(({ shape, accesses }) =>
      accesses
        .filter((access) => isTyped(access, shape.elementBytes))
        .map(({ bytes }) => Math.ceil(Math.max(bytes, wordBytes) / shape.elementBytes)),
    ),
  );
  const least = Math.min(...uses.map(({ shape }) => shape.elementBytes));
  const span = Math.min(elements, wavefrontBytes / least);
  const mask = (span - 1) & ~(widest - 1);
  const known = new Set<string>();
  const swizzles: Swizzle[] = [];
  for (let right = 0; right <= mostShift; right++) {
    for (let left = 0; left <= mostShift; left++) {
      const bits = Array.from({ length: count }, (_, row) => ((row >> right) << left) & mask);
      const key = bits.join(",");
      if (known.has(key) || bits.every((each) => each === 0)) continue;
      known.add(key);
      swizzles.push({ right, left, mask });
    }
  }
  return swizzles.sort((a, b) => operationsOf(a, count) - operationsOf(b, count));
}

function candidateOf(
  array: DeclaredArray,
  rows: SwizzledRows,
  swizzle: Swizzle,
  estimate: Estimate,
): Candidate {
  const pad = rows.elementsBefore - rows.elements;
  const shortened = pad === 0 ? null : shortenedRow(array, pad);
  return {
    kind: "swizzle",
    edits: [
      ...(shortened === null ? [] : [shortened]),
      ...array.mentions.flatMap((mention) => swizzleEdit(array, rows, swizzle, mention)),
    ],
    title: { kind: "swizzle", array: textAt(array.typed, array.nameToken) },
    safety: "safe",
    operations: operationsOf(swizzle, rows.count),
    estimate,
  };
}

function swizzleEdit(
  { typed }: DeclaredArray,
  { count }: SwizzledRows,
  swizzle: Swizzle,
  { subscripts, isSizeof }: ArrayMention,
): TextEdit[] {
  const column = subscripts.at(-1);
  const row = subscripts.at(-2);
  if (column === undefined || row === undefined || isSizeof) return [];
  const [start, end] = offsetsOf(typed, column);
  const isDiagonal = spelled(typed, column) === spelled(typed, row) && bitsText("r", swizzle, count) === "r";
  const newText = isDiagonal
    ? "0"
    : `${asFactor(spelled(typed, column))} ^ ${bitsText(asFactor(spelled(typed, row)), swizzle, count)}`;
  return [{ file: typed.file, start, end, newText }];
}

function bitsText(row: string, { right, left, mask }: Swizzle, rowCount: number): string {
  if (right === left && right > 0) {
    // The shifts there and back only clear the low bits.
    return `(${row} & ${mask & ~((1 << right) - 1)})`;
  }
  const shifted = [row, right > 0 ? ` >> ${right}` : "", left > 0 ? ` << ${left}` : ""].join("");
  const needed = neededMask({ right, left, mask }, rowCount);
  if (needed === null) return shifted === row ? row : `(${shifted})`;
  return shifted === row ? `(${row} & ${needed})` : `((${shifted}) & ${needed})`;
}

/** Null where the bits of every row lie within the mask anyway. */
function neededMask({ right, left, mask }: Swizzle, rowCount: number): number | null {
  for (let row = 0; row < rowCount; row++) {
    const bits = (row >> right) << left;
    if ((bits & mask) !== bits) return mask;
  }
  return null;
}

function operationsOf(swizzle: Swizzle, rowCount: number): number {
  const { right, left } = swizzle;
  if (right === left && right > 0) return 2;
  const shifts = Number(right > 0) + Number(left > 0);
  return 1 + shifts + Number(neededMask(swizzle, rowCount) !== null);
}
