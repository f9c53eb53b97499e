// XOR of the column with bits of the row, in every access of an array: conflicts go and the array keeps its size.
import type { DeclaredArray } from "./arrays.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "./candidate.ts";
import type { TextEdit } from "./fix.ts";
import { estimatedCostOf, isTyped, type ShapedAccesses, type Swizzle, swizzledLayout } from "./layout.ts";
import type { ArrayMention } from "./mentions.ts";
import { whoMayCountOnRows, whyRowsAreFixed } from "./pad.ts";
import { asFactor } from "./spelling.ts";
import { offsetsOf, spelled, textAt } from "./typed-text.ts";

const wordBytes = 4;
const wavefrontBytes = 128;
const mostShift = 5;

/** Every swizzle that leaves vectors whole: bits of the row, shifted, over the columns of a row whose length is a power of two. */
export function swizzleCandidates(array: DeclaredArray, uses: readonly ShapedAccesses[]): Candidates {
  if (array.dimensions.length < 2) return candidatesFound([]);
  const reason = whyNotSwizzled(array, uses);
  if (reason !== null) return refusal(reason);
  const [first] = uses;
  const rows = first === undefined ? null : rowsOf(first);
  if (rows === null) return refusal(`the rows of ${array.name} are not known`);
  const candidates = swizzlesOf(uses, rows).flatMap((swizzle) => {
    const estimate = estimatedCostOf(uses, ({ elementBytes }) => ({
      move: swizzledLayout(rows.elements, rows.count, elementBytes, swizzle),
      keepsVectors: false,
    }));
    return estimate === null ? [] : [candidateOf(array, rows, swizzle, estimate)];
  });
  return candidatesFound(candidates);
}

interface Rows {
  readonly elements: number;
  readonly count: number;
}

function rowsOf({ shape: { counts } }: ShapedAccesses): Rows | null {
  const elements = counts.at(-1);
  const count = counts.at(-2);
  return elements === undefined || count === undefined ? null : { elements, count };
}

function whyNotSwizzled(array: DeclaredArray, uses: readonly ShapedAccesses[]): string | null {
  const { name, dimensions, mentions, typed } = array;
  const [rows, ...others] = uses.map(rowsOf);
  if (others.some((each) => each?.elements !== rows?.elements || each?.count !== rows?.count))
    return `${name} has rows of several lengths`;
  const elements = rows?.elements ?? 0;
  if (elements < 2 || (elements & (elements - 1)) !== 0)
    return `a row of ${name} is ${elements} elements, no power of two`;
  const reason = whyRowsAreFixed(array) ?? whoMayCountOnRows(array);
  if (reason !== null) return reason;
  for (const mention of mentions) {
    const { subscripts, isInMacro, isSizeof } = mention;
    if (isSizeof) continue;
    if (isInMacro) return `${name} is accessed in a macro`;
    if (subscripts.length !== dimensions.length)
      return `${name} is reached in another way than by all its indices`;
    if (subscripts.some((span) => hasEffect(spelled(typed, span))))
      return `an index of ${name} changes a variable`;
  }
  return null;
}

function hasEffect(text: string): boolean {
  return /\+\+|--|(?:^|[^=<>!])=(?!=)/.test(text);
}

/** Each swizzle that does something, in the order of its operations, no two that do the same. */
function swizzlesOf(uses: readonly ShapedAccesses[], { elements, count }: Rows): Swizzle[] {
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

function candidateOf(array: DeclaredArray, rows: Rows, swizzle: Swizzle, estimate: number): Candidate {
  return {
    kind: "swizzle",
    edits: array.mentions.flatMap((mention) => swizzleEdit(array, rows, swizzle, mention)),
    title: { kind: "swizzle", array: textAt(array.typed, array.nameToken) },
    safety: "safe",
    operations: operationsOf(swizzle, rows.count),
    estimate,
  };
}

function swizzleEdit(
  { typed }: DeclaredArray,
  { count }: Rows,
  swizzle: Swizzle,
  { subscripts, isSizeof }: ArrayMention,
): TextEdit[] {
  const column = subscripts.at(-1);
  const row = subscripts.at(-2);
  if (column === undefined || row === undefined || isSizeof) return [];
  const [start, end] = offsetsOf(typed, column);
  const newText = `${asFactor(spelled(typed, column))} ^ ${bitsText(asFactor(spelled(typed, row)), swizzle, count)}`;
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
