// Longer rows of a hand-flattened array (`s[row * PITCH + column]`): the pitch in every access, and the size where it is given.

import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import type { DeclaredArray } from "../text/arrays.ts";
import { goesTo } from "../text/arrays.ts";
import { definitionOf, localAt, parametersIn, valueIn } from "../text/constants.ts";
import { launchedBytes } from "../text/launched-bytes.ts";
import { type Factor, summandsOf } from "../text/products.ts";
import { asFactor, lengthened } from "../text/spelling.ts";
import {
  bodyAround,
  replaced,
  type Span,
  spelled,
  type TypedText,
  type TypedTexts,
  textAt,
} from "../text/typed-text.ts";
import {
  type ArrayShape,
  estimateOf,
  isCounted,
  keepsAlignment,
  paddedLayout,
  type ShapedAccesses,
  shapeOf,
} from "./layout.ts";
import { triedPads, whyRowsAreFixed } from "./pad.ts";

/** The pitch as typed, everywhere that it multiplies a row, and what it comes to in each launch. */
export interface Pitch {
  readonly text: string;
  readonly factors: readonly Factor[];
  readonly values: ReadonlyMap<LaunchedKernel, number>;
  /** The kernel's parameters that decide it: where there are any, numbers that are made of it hold for the launches in sight. */
  readonly parameters: readonly string[];
  /** Other indices are divided by it: where it is defined it stays what it is. */
  readonly dividesIndices?: boolean;
  /** The same number as others write it, functions' arguments among them. */
  readonly otherTexts?: readonly string[];
}

/** Every greater pitch of an array of one dimension that all accesses index by a row times one pitch. */
export function flattenedPadCandidates(
  array: DeclaredArray,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  if (array.dimensions.length !== 1) return candidatesFound([]);
  const reason = whyRowsAreFixed(array);
  if (reason !== null) return refusal(reason);
  const concerned = launches.filter(({ profile }) =>
    profile.accesses.some((access) => goesTo(array, access)),
  );
  const pitches = pitchesOf(array, concerned);
  if (pitches === null) return refusal(`${array.name} is not indexed by a row times a pitch everywhere`);
  const candidates = pitches.flatMap((pitch) => candidatesOf(array, pitch, texts));
  return candidates.length > 0 || pitches.length > 0
    ? candidatesFound(candidates)
    : refusal(`the factor of the row in the index of ${array.name} is not known`);
}

/** Null where some access has no product in its index. */
export function pitchesOf(array: DeclaredArray, concerned: readonly LaunchedKernel[]): Pitch[] | null {
  const { typed, mentions } = array;
  const byMention: Factor[][] = [];
  for (const { subscripts, isSizeof, isInMacro } of mentions) {
    if (isSizeof) continue;
    const [index] = subscripts;
    const factors = index === undefined || isInMacro ? null : multipliedIn(array, index);
    if (factors === null || factors.length === 0) return null;
    byMention.push(factors);
  }
  const [first, ...others] = byMention;
  if (first === undefined) return null;
  const shared = [...new Set(first.map(({ text }) => text))].filter((text) =>
    others.every((factors) => factors.some((factor) => factor.text === text)),
  );
  if (shared.length === 0) return null;
  return shared.flatMap((text) => pitchOf(typed, text, byMention.flat(), concerned) ?? []);
}

/** The factors of all products in an index, and in the locals that it is made of; null where it is no sum. */
function multipliedIn(array: DeclaredArray, index: Span): Factor[] | null {
  const summands = summandsOf(array.typed, index);
  if (summands === null) return null;
  const all: Factor[] = [];
  for (const { factors } of summands) {
    const [only, ...others] = factors;
    const made = only === undefined || others.length > 0 ? null : ownLocalAt(array, only.span);
    const found = made === null ? (others.length > 0 ? factors : []) : multipliedIn(array, made);
    if (found === null) return null;
    all.push(...found);
  }
  return all;
}

/** What the local that a span names is made of, where it serves the indices of this array alone. */
function ownLocalAt({ typed, mentions }: DeclaredArray, span: Span): Span | null {
  const made = localAt(typed, span);
  const scope = bodyAround(typed, span.first);
  if (made === null || scope === null) return null;
  const indices = mentions.flatMap(({ subscripts }) => subscripts);
  const uses = (typed.byName.get(textAt(typed, span.first)) ?? []).filter(
    (index) => scope.first <= index && index < scope.end && textAt(typed, index + 1) !== "=",
  );
  const isOwn = uses.every((use) => indices.some(({ first, end }) => first <= use && use < end));
  return isOwn ? made : null;
}

function pitchOf(
  typed: TypedText,
  text: string,
  all: readonly Factor[],
  concerned: readonly LaunchedKernel[],
): Pitch | null {
  const factors = all.filter((factor) => factor.text === text);
  const [first] = factors;
  if (first === undefined) return null;
  const values = new Map<LaunchedKernel, number>();
  for (const launched of concerned) {
    const value = valueIn(typed, first.span, launched);
    if (value === null || value < 2) return null;
    values.set(launched, value);
  }
  return {
    text,
    factors,
    values,
    parameters: concerned.flatMap((each) => parametersIn(typed, first.span, each)),
  };
}

function candidatesOf(array: DeclaredArray, pitch: Pitch, texts: TypedTexts): Candidate[] {
  const uses = [...pitch.values].flatMap(([launched, value]) => usesOf(array, launched, value));
  const candidates: Candidate[] = [];
  const elementBytes = Math.min(...uses.map(({ shape }) => shape.elementBytes));
  for (const added of triedPads(elementBytes)) {
    if (!keepsAlignment(uses, added)) continue;
    const relayoutOf = (shape: ArrayShape) => paddedLayout(shape, [0, added]);
    const estimate = estimateOf(uses, relayoutOf);
    const edits = estimate === null ? null : pitchEdits(array, pitch, added, texts);
    if (edits === null) continue;
    candidates.push({
      kind: "pad",
      edits: edits.edits,
      title: { kind: "pad-pitch", array: array.name, pitch: edits.pitch },
      safety: pitch.parameters.length === 0 ? "safe" : "suggestion",
      keptArguments: pitch.parameters,
      operations: 0,
      estimate,
    });
  }
  return candidates;
}

/** The accesses of one launch, as if the array had rows of the pitch. */
function usesOf(array: DeclaredArray, { profile }: LaunchedKernel, pitch: number): ShapedAccesses[] {
  const accesses = profile.accesses.filter((access) => goesTo(array, access) && isCounted(access));
  const shape = shapeOf(accesses[0]?.target?.type);
  return shape === null
    ? []
    : [{ shape: { counts: [1, pitch], elementBytes: shape.elementBytes }, accesses }];
}

export interface PitchEdits {
  readonly edits: readonly TextEdit[];
  readonly pitch: { readonly before: string; readonly after: string };
}

/** Null where the size cannot be made to follow. */
export function pitchEdits(
  array: DeclaredArray,
  pitch: Pitch,
  added: number,
  texts: TypedTexts,
): PitchEdits | null {
  const after = lengthened(pitch.text, added);
  if (after === null) return null;
  const shown = { before: pitch.text, after };
  const definition = pitch.dividesIndices ? null : ownDefinition(array, pitch);
  if (definition !== null) {
    const edit = definitionEdit(array.typed, definition, added);
    return edit === null ? null : { edits: [edit], pitch: shown };
  }
  const size =
    array.storage === "static" ? sizeEdits(array, pitch, added) : launchEdits(array, pitch, added, texts);
  if (size === null) return null;
  const uses = pitch.factors.map(({ span }) => replaced(array.typed, span, asFactor(after)));
  return { edits: [...uses, ...size], pitch: shown };
}

/**
 * The definition of a pitch that nothing but this array uses: in its indices, and in its declared size. Null where others share it, or where
 * the size does not mention it.
 */
function ownDefinition(array: DeclaredArray, { text, factors }: Pitch): Span | null {
  const { typed, dimensions, storage } = array;
  const definition = definitionOf(typed, text);
  const size = dimensions.at(-1);
  if (definition === null || size === undefined || storage !== "static") return null;
  const mentions = (typed.byName.get(text) ?? []).filter(
    (index) => index < definition.first - 2 || index >= definition.first,
  );
  const inSize = mentions.filter((index) => size.first <= index && index < size.end);
  const isOwn = mentions.every(
    (index) => inSize.includes(index) || factors.some(({ span }) => span.first <= index && index < span.end),
  );
  return isOwn && inSize.length === 1 ? definition : null;
}

function definitionEdit(typed: TypedText, definition: Span, added: number): TextEdit | null {
  const before = spelled(typed, definition);
  const after = lengthened(before, added);
  if (after === null) return null;
  const isMacro = typed.isInDirective(definition.first);
  return replaced(typed, definition, isMacro && !/^\d+$/.test(after) ? asFactor(after) : after);
}

/** The declared size with longer rows. */
function sizeEdits(array: DeclaredArray, pitch: Pitch, added: number): TextEdit[] | null {
  const { typed, dimensions } = array;
  const size = dimensions.at(-1);
  if (size === undefined) return null;
  const factor = [pitch.text, ...(pitch.otherTexts ?? [])].flatMap(
    (text) => lastFactor(typed, size, text) ?? [],
  )[0];
  if (factor !== undefined) {
    const after = lengthened(factor.text, added);
    const isAll = factor.span.first === size.first && factor.span.end === size.end;
    return after === null ? null : [replaced(typed, factor.span, isAll ? after : asFactor(after))];
  }
  const rows = new Set<number>();
  for (const [launched, value] of pitch.values) {
    const count = valueIn(typed, size, launched);
    if (count === null) return null;
    rows.add(Math.ceil(count / value));
  }
  const [only, ...others] = rows;
  if (only === undefined || others.length > 0) return null;
  const after = lengthened(spelled(typed, size), only * added);
  return after === null ? null : [replaced(typed, size, after)];
}

/** The last factor of a product that reads as the pitch: in `T * T` the second is the length of a row. */
function lastFactor(typed: TypedText, span: Span, text: string): Factor | null {
  const [only, ...others] = summandsOf(typed, span) ?? [];
  if (only === undefined || others.length > 0) return null;
  return only.factors.findLast((factor) => factor.text === text) ?? null;
}

/** The dynamic shared memory of every launch, with longer rows. */
function launchEdits(
  array: DeclaredArray,
  pitch: Pitch,
  added: number,
  texts: TypedTexts,
): TextEdit[] | null {
  const edits = new Map<string, TextEdit>();
  for (const [launched, value] of pitch.values) {
    const bytes = launchedBytes(launched, texts);
    const { sharedBytes } = launched.launch;
    const elementBytes = usesOf(array, launched, value)[0]?.shape.elementBytes;
    if (bytes === null || sharedBytes === null || elementBytes === undefined) return null;
    const rows = Math.ceil(sharedBytes / (value * elementBytes));
    const extraBytes = rows * added * elementBytes;
    for (const span of bytes.spans) {
      const edit = launchEdit(bytes.typed, span, [pitch.text, ...(pitch.otherTexts ?? []), String(value)], {
        added,
        extraBytes,
      });
      if (edit === null) return null;
      const key = `${edit.file}:${edit.start}`;
      // One launch statement that serves several sizes cannot be given one number.
      if ((edits.get(key)?.newText ?? edit.newText) !== edit.newText) return null;
      edits.set(key, edit);
    }
  }
  return [...edits.values()];
}

function launchEdit(
  typed: TypedText,
  span: Span,
  pitchTexts: readonly string[],
  { added, extraBytes }: { readonly added: number; readonly extraBytes: number },
): TextEdit | null {
  const factor = pitchTexts.flatMap((text) => lastFactor(typed, span, text) ?? [])[0] ?? null;
  const after = factor === null ? null : lengthened(factor.text, added);
  if (factor !== null && after !== null) return replaced(typed, factor.span, asFactor(after));
  const sum = lengthened(spelled(typed, span), extraBytes);
  return sum === null ? null : replaced(typed, span, sum);
}
