// Longer rows of an array that is reached by other names: the pitch changes in every index, and in what functions are given for it.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { arrayOf, type DeclaredArray, goesTo } from "../text/arrays.ts";
import { parametersIn, valueIn } from "../text/constants.ts";
import type { TypedFunction } from "../text/functions.ts";
import { type Factor, summandsOf } from "../text/products.ts";
import { type Reached, reachedOf } from "../text/reached.ts";
import { asFactor, lengthened } from "../text/spelling.ts";
import {
  argumentsIn,
  replaced,
  type Span,
  spelled,
  type TypedText,
  type TypedTexts,
  textAt,
} from "../text/typed-text.ts";
import { type Pitch, pitchEdits } from "./flattened-pad.ts";
import { estimateOf, keepsAlignment, paddedLayout, type ShapedAccesses, shapeOf } from "./layout.ts";
import { mostPadElements } from "./pad.ts";

/** How an array is reached by all its names; in words why that is not known. */
export function reachedArray(
  array: DeclaredArray,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Reached | string {
  const shared = launches.flatMap(({ profile }) =>
    profile.accesses.filter(({ space }) => space === "shared"),
  );
  return reachedOf(array, (name) => {
    const access = shared.find(
      ({ target }) => target?.name === name && target.range?.file === array.range.file,
    );
    const found = access === undefined ? null : arrayOf({ access }, texts);
    return found?.kind === "array" ? found.array : null;
  });
}

/** Every greater pitch that the indices of all names have in common by its value. */
export function reachedPadCandidates(
  array: DeclaredArray,
  reached: Reached,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  const { typed } = array;
  const [launched] = launches;
  if (launched === undefined) return refusal("the launch is not known");
  const rows: RowIndex[] = [];
  for (const index of reached.indices) {
    const found = rowsIn(typed, index, reached, launched);
    if (found === null) return refusal(`${array.name} is not indexed by a row times a pitch everywhere`);
    rows.push(...found);
  }
  const values = [...new Set(rows.map(({ value }) => value))].filter((value) => value > 1);
  if (values.length === 0) return refusal(`${array.name} is not indexed by a row times a pitch everywhere`);
  const candidates = values.flatMap((value) =>
    candidatesOf(reached, rows, value, { typed, launches, texts }),
  );
  return candidatesFound(candidates);
}

/** A factor that may be the length of a row, in an index or in what a function is given for it. */
interface RowIndex {
  readonly value: number;
  readonly span: Span;
  readonly kind: "factor" | "argument";
}

/** The factors of all products in an index that come to a number; null where it is no sum. */
function rowsIn(
  typed: TypedText,
  index: Span,
  reached: Reached,
  launched: LaunchedKernel,
): RowIndex[] | null {
  const summands = summandsOf(typed, index);
  if (summands === null) return null;
  return summands.flatMap(({ factors }) => {
    if (factors.length < 2) return [];
    // `w * N * N + r * N`: of several that are alike the last is the length of a row.
    const found = factors.map((factor) => valuesOf(typed, factor, reached, launched));
    const byValue = new Map(
      found.flat().map((each) => [`${each.value}:${each.kind === "argument" ? each.span.first : ""}`, each]),
    );
    return [...byValue.values()];
  });
}

function valuesOf(
  typed: TypedText,
  { span }: Factor,
  { functions }: Reached,
  launched: LaunchedKernel,
): RowIndex[] {
  const inner = textAt(typed, span.first) === "(" && typed.partners[span.first] === span.end - 1;
  const bare = inner ? { first: span.first + 1, end: span.end - 1 } : span;
  const owner = functions.find(({ body }) => body.first <= bare.first && bare.first < body.end);
  const place =
    owner === undefined || bare.end !== bare.first + 1
      ? -1
      : placeOf(typed, owner, textAt(typed, bare.first));
  if (owner === undefined || place === -1) {
    const value = valueIn(typed, bare, launched);
    return value === null ? [] : [{ value, span, kind: "factor" }];
  }
  const given = owner.calls.flatMap((call) => argumentsIn(typed, call)[place] ?? []);
  const values = given.map((argument) => valueIn(typed, argument, launched));
  const [first] = values;
  if (first !== null && first !== undefined && values.every((value) => value === first))
    return [{ value: first, span, kind: "factor" }];
  return given.flatMap((argument, at) => {
    const value = values[at] ?? null;
    return value === null ? [] : [{ value, span: argument, kind: "argument" as const }];
  });
}

function placeOf(typed: TypedText, { parameters }: TypedFunction, name: string): number {
  return parameters.findIndex(({ end }) => textAt(typed, end - 1) === name);
}

interface Scene {
  readonly typed: TypedText;
  readonly launches: readonly LaunchedKernel[];
  readonly texts: TypedTexts;
}

function candidatesOf(
  { arrays }: Reached,
  rows: readonly RowIndex[],
  value: number,
  scene: Scene,
): Candidate[] {
  const { typed, launches } = scene;
  const own = rows.filter((row) => row.value === value);
  const uses = arrays.flatMap((array) =>
    launches.flatMap(({ profile }) => usesOf(array, profile.accesses, value)),
  );
  const candidates: Candidate[] = [];
  for (let added = 1; added <= Math.min(mostPadElements, value); added++) {
    if (!keepsAlignment(uses, added)) continue;
    const estimate = estimateOf(uses, (shape) => paddedLayout(shape, [0, added]));
    if (estimate === null) continue;
    const edits = editsOf(arrays, own, added, scene);
    if (edits === null) continue;
    const [first] = own;
    const before = first === undefined ? String(value) : spelled(typed, first.span);
    candidates.push({
      kind: "pad",
      edits,
      title: {
        kind: "pad-pitch",
        array: arrays.map(({ name }) => name).join(" and "),
        pitch: { before, after: lengthened(before, added) ?? "" },
      },
      safety: "safe",
      keptArguments: launches.flatMap((launched) =>
        own.flatMap(({ span }) => parametersIn(typed, span, launched)),
      ),
      operations: 0,
      estimate,
    });
  }
  return candidates;
}

function usesOf(array: DeclaredArray, all: readonly AccessProfile[], value: number): ShapedAccesses[] {
  const accesses = all.filter((access) => goesTo(array, access) && access.requests !== 0);
  const shape = shapeOf(accesses[0]?.target?.type);
  return shape === null
    ? []
    : [{ shape: { counts: [1, value], elementBytes: shape.elementBytes }, accesses }];
}

/** Null where a size cannot be made to follow. */
function editsOf(
  arrays: readonly DeclaredArray[],
  rows: readonly RowIndex[],
  added: number,
  { typed, launches, texts }: Scene,
): TextEdit[] | null {
  const edits: TextEdit[] = [];
  const factors = rows.filter(({ kind }) => kind === "factor").map(({ span }) => factorOf(typed, span));
  for (const { kind, span } of rows) {
    if (kind !== "argument") continue;
    const text = lengthened(spelled(typed, span), added);
    if (text === null) return null;
    edits.push(replaced(typed, span, text));
  }
  const spellings = [...new Set(factors.map(({ text }) => text))];
  const [primary = String(rows[0]?.value ?? 0), ...others] = spellings;
  for (const text of others) {
    const after = lengthened(text, added);
    if (after === null) return null;
    for (const factor of factors)
      if (factor.text === text) edits.push(replaced(typed, factor.span, asFactor(after)));
  }
  for (const array of arrays) {
    const concerned = launches.filter(({ profile }) =>
      profile.accesses.some((access) => goesTo(array, access)),
    );
    const pitch: Pitch = {
      text: primary,
      factors: factors.filter((factor) => factor.text === primary),
      values: new Map(concerned.map((launched) => [launched, rows[0]?.value ?? 0])),
      parameters: [],
    };
    const made = pitchEdits(array, pitch, added, texts);
    if (made === null) return null;
    edits.push(...made.edits);
  }
  return edits;
}

function factorOf(typed: TypedText, span: Span): Factor {
  const isWrapped = textAt(typed, span.first) === "(" && typed.partners[span.first] === span.end - 1;
  return {
    span,
    text: spelled(typed, isWrapped ? { first: span.first + 1, end: span.end - 1 } : span).trim(),
  };
}
