// An element left free behind every 128 bytes of an array of one dimension, in all its indices (`s[i + (i >> 5)]`): what lanes reach in steps of
// a power of two lies in other banks then, as in the trees of scans and reductions.

import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import type { DeclaredArray } from "../text/arrays.ts";
import { goesTo } from "../text/arrays.ts";
import { launchedBytes } from "../text/launched-bytes.ts";
import { type Reached, whyIndicesAreShared } from "../text/reached.ts";
import { asFactor, asSummand } from "../text/spelling.ts";
import { replaced, type Span, spelled, type TypedText, type TypedTexts } from "../text/typed-text.ts";
import { indexHelper } from "./index-helper.ts";
import { estimateOf, isTyped, type ShapedAccesses, spreadLayout } from "./layout.ts";
import { hasEffect, whyNotReindexed } from "./reindex.ts";

export const wavefrontBytes = 128;
const wordBytes = 4;
/** A shift and an addition. */
const operations = 2;

/** The spread of an array of whole words that is accessed element by element. */
export function spreadCandidates(
  array: DeclaredArray,
  uses: readonly ShapedAccesses[],
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  if (array.dimensions.length !== 1) return candidatesFound([]);
  const reason = whyNotReindexed(array);
  if (reason !== null) return refusal(reason);
  const elementBytes = elementBytesOf(uses);
  if (elementBytes === null) return refusal(`${array.name} is not accessed element by element`);
  const indices = array.mentions.flatMap(({ subscripts: [index], isSizeof }) =>
    index === undefined || isSizeof ? [] : [index],
  );
  const given = { arrays: [array], indices, launches, texts };
  return candidatesFound(
    periodsOf(elementBytes).flatMap((period) => spreadCandidate(given, uses, elementBytes, period)),
  );
}

/** An element behind every 128 bytes, or more of them: the last resort of steps that such a few do not part. */
function periodsOf(elementBytes: number): number[] {
  const period = wavefrontBytes / elementBytes;
  return [period, period / 2, period / 4].filter((each) => each >= leastPeriod);
}

const leastPeriod = 4;

interface SpreadArrays {
  readonly arrays: readonly DeclaredArray[];
  readonly indices: readonly Span[];
  readonly launches: readonly LaunchedKernel[];
  readonly texts: TypedTexts;
}

function spreadCandidate(
  { arrays, indices, launches, texts }: SpreadArrays,
  uses: readonly ShapedAccesses[],
  elementBytes: number,
  period: number,
): Candidate[] {
  const sizes = arrays.map((each) => {
    const concerned = launches.filter(({ profile }) =>
      profile.accesses.some((access) => goesTo(each, access)),
    );
    return each.storage === "static" ? sizeEdits(each, period) : launchEdits(concerned, period, texts);
  });
  const move = spreadLayout(elementBytes, period);
  const own = indexEdits(arrays, indices, period);
  const estimate = estimateOf(uses, () => ({ move, keepsVectors: false }));
  const [array] = arrays;
  if (array === undefined || estimate === null || own === null || sizes.includes(null)) return [];
  return [
    {
      kind: "spread",
      edits: [...own, ...sizes.flatMap((each) => each ?? [])],
      title: { kind: "spread", array: arrays.map(({ name }) => name).join(" and "), period },
      safety: "safe",
      operations,
      addedElements: wavefrontBytes / elementBytes / period,
      estimate,
    },
  ];
}

/** The same of an array that is reached by other names, and of all that share these names with it. */
export function reachedSpreadCandidates(
  reached: Reached,
  uses: readonly ShapedAccesses[],
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  const { arrays, indices } = reached;
  const shared = whyIndicesAreShared(reached);
  if (shared !== null) return refusal(shared);
  const [array] = arrays;
  const elementBytes = elementBytesOf(uses);
  if (
    array === undefined ||
    elementBytes === null ||
    arrays.some(({ dimensions }) => dimensions.length !== 1)
  )
    return candidatesFound([]);
  const given = { arrays, indices, launches, texts };
  return candidatesFound(
    periodsOf(elementBytes).flatMap((period) => spreadCandidate(given, uses, elementBytes, period)),
  );
}

/** Null where an element is no whole word, or several are accessed at once by what the text says. */
export function elementBytesOf(uses: readonly ShapedAccesses[]): number | null {
  const [first] = uses;
  if (first === undefined) return null;
  const { elementBytes } = first.shape;
  const isWhole = wavefrontBytes % elementBytes === 0 && elementBytes >= wordBytes;
  const areElements = uses.every(
    ({ shape, accesses }) =>
      shape.elementBytes === elementBytes &&
      accesses.every((access) => access.bytes <= elementBytes || !isTyped(access, elementBytes)),
  );
  return isWhole && areElements ? elementBytes : null;
}

/** Formulas in the brackets, or calls of a function that is made beside the array where some index does something; null where there can be none. */
function indexEdits(
  arrays: readonly DeclaredArray[],
  indices: readonly Span[],
  period: number,
): TextEdit[] | null {
  const [array] = arrays;
  if (array === undefined) return null;
  const { typed } = array;
  if (!indices.some((index) => hasEffect(spelled(typed, index))))
    return indices.flatMap((index) => indexEdit(typed, index, period));
  const helper = indexHelper({
    typed,
    nameTokens: arrays.map(({ nameToken }) => nameToken),
    indices,
    name: "spread",
    formula: `i + (i >> ${Math.log2(period)})`,
  });
  if (helper === null) return null;
  const calls = indices.flatMap((index) => {
    const before = spelled(typed, index);
    const after = isNumber(before) ? grown(before, period) : `${helper.name}(${before})`;
    return after === before ? [] : [replaced(typed, index, after)];
  });
  return [helper.edit, ...calls];
}

function indexEdit(typed: TypedText, index: Span, period: number): TextEdit[] {
  const text = spelled(typed, index);
  const after = isNumber(text)
    ? grown(text, period)
    : `${asSummand(text)} + (${asFactor(text)} >> ${Math.log2(period)})`;
  return after === text ? [] : [replaced(typed, index, after)];
}

function sizeEdits({ typed, dimensions }: DeclaredArray, period: number): TextEdit[] {
  return dimensions.map((size) => replaced(typed, size, grown(spelled(typed, size), period)));
}

/** Null where some launch does not say how many bytes it gives. */
function launchEdits(
  concerned: readonly LaunchedKernel[],
  period: number,
  texts: TypedTexts,
): TextEdit[] | null {
  const edits = new Map<string, TextEdit>();
  for (const launched of concerned) {
    const bytes = launchedBytes(launched, texts);
    if (bytes === null) return null;
    const { typed, spans } = bytes;
    for (const span of spans) {
      const edit = replaced(typed, span, grown(spelled(typed, span), period));
      edits.set(`${edit.file}:${edit.start}`, edit);
    }
  }
  return [...edits.values()];
}

/** A length, or an index, with what is left free before it. */
function grown(text: string, period: number): string {
  if (isNumber(text)) return String(Number(text) + Math.floor(Number(text) / period));
  return `${asSummand(text)} + ${asFactor(text)} / ${period}`;
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}
