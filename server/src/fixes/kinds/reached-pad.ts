// Longer rows of an array that is reached by other names: the pitch changes in every index, and in what functions are given for it.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { arrayOf, type DeclaredArray, goesTo } from "../text/arrays.ts";
import { callAt, functionAround } from "../text/calls.ts";
import { definitionOf, parametersIn, valueIn } from "../text/constants.ts";
import { type Factor, summandsOf } from "../text/products.ts";
import { type Reached, type ReachedFunction, reachedOf } from "../text/reached.ts";
import { asFactor, asSummand, lengthened } from "../text/spelling.ts";
import {
  argumentsIn,
  bodyAround,
  offsetsOf,
  replaced,
  type Span,
  spelled,
  type TypedText,
  type TypedTexts,
  textAt,
} from "../text/typed-text.ts";
import { type Pitch, pitchEdits } from "./flattened-pad.ts";
import {
  estimateOf,
  isCounted,
  keepsAlignment,
  paddedLayout,
  type ShapedAccesses,
  shapeOf,
} from "./layout.ts";
import { triedPads } from "./pad.ts";
import { hasEffect } from "./reindex.ts";

/** How an array is reached by all its names; in words why that is not known. */
export function reachedArray(
  array: DeclaredArray,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Reached | string {
  const shared = launches.flatMap(({ profile }) =>
    profile.accesses.filter(({ space }) => space === "shared"),
  );
  return reachedOf(array, {
    otherArray: (name) => {
      const access = shared.find(
        ({ target }) => target?.name === name && target.range?.file === array.range.file,
      );
      const found = access === undefined ? null : arrayOf({ access }, texts);
      return found?.kind === "array" ? found.array : null;
    },
    isConstant: (span) => launches.every((launched) => valueIn(array.typed, span, launched) !== null),
  });
}

/**
 * Every greater pitch that the indices of all names have in common by its value. What counts through all elements (`s[i]` in a loop that copies)
 * leaves the new ones out: `s[i + i / 32]`.
 */
export function reachedPadCandidates(
  array: DeclaredArray,
  reached: Reached,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  const { typed } = array;
  const [launched] = launches;
  if (launched === undefined) return refusal("the launch is not known");
  const lengths = reached.rowLengths.map((span) => ({ span, value: valueIn(typed, span, launched) }));
  const byIndex = [
    ...reached.indices.map((index) => ({
      index,
      rows: inUnits(rowsIn(typed, index, reached, launched) ?? [], unitOf(reached, index)),
    })),
    ...lengths.map(({ span, value }) => ({
      index: span,
      rows: value === null ? [] : [{ value, span, kind: "argument" as const, sharedBy: null, unit: 1 }],
    })),
  ];
  const declared = rowLengthsOf(reached, launched);
  const values = [
    ...new Set([...byIndex.flatMap(({ rows }) => rows.map(({ value }) => value)), ...declared]),
  ].filter((value) => value > 1);
  if (values.length === 0) return refusal(`${array.name} is nowhere indexed by a row times a pitch`);
  const scene = { typed, launches, texts };
  const open = values.filter(
    (value) =>
      lengths.every((each) => each.value === value) &&
      byIndex.every(({ rows }) => rows.every((row) => row.value !== value || row.sharedBy === null)),
  );
  const [sharing] = byIndex.flatMap(({ rows }) => rows.flatMap(({ sharedBy }) => sharedBy ?? []));
  if (open.length === 0)
    return refusal(
      sharing === undefined
        ? `fragments of ${array.name} have rows of other lengths than its indices`
        : `${sharing} gets other arrays as well as ${array.name}`,
    );
  return candidatesFound(
    open.flatMap((value) => {
      const rows = byIndex.flatMap((each) => each.rows.filter((row) => row.value === value));
      const counted = byIndex
        .filter((each) => each.rows.every((row) => row.value !== value) && reached.fromStart.has(each.index))
        .map(({ index }) => index);
      const isInShared = ({ first }: Span) =>
        reached.functions.some(({ isShared, body }) => isShared && body.first <= first && first < body.end);
      if (counted.some(isInShared)) return candidatesOf(reached, { rows, counted: [], value }, scene);
      const isSure = counted.some((index) => unitOf(reached, index) !== 1 || passesRows(index, value, scene));
      const asColumns = isSure ? [] : candidatesOf(reached, { rows, counted: [], value }, scene);
      const asCounts = counted.length === 0 ? [] : candidatesOf(reached, { rows, counted, value }, scene);
      return [...asColumns, ...asCounts];
    }),
  );
}

/** Of arrays of several dimensions, as they are declared: pointers into them may count through all rows. */
function rowLengthsOf({ arrays, units }: Reached, launched: LaunchedKernel): number[] {
  if (units.size === 0) return [];
  return arrays.flatMap(({ typed, dimensions }) => {
    const last = dimensions.length > 1 ? dimensions.at(-1) : undefined;
    return last === undefined ? [] : (valueIn(typed, last, launched) ?? []);
  });
}

function unitOf({ units }: Reached, index: Span): number {
  return units.get(index) ?? 1;
}

/** Lengths in the array's elements, of an index that counts longer ones. */
function inUnits(rows: readonly RowIndex[], unit: number): RowIndex[] {
  return rows.map((row) => ({ ...row, value: row.value * unit, unit }));
}

/** Whether the lanes of a request at an index lie further apart than a row is long: it is no column. */
function passesRows(index: Span, value: number, { typed, launches }: Scene): boolean {
  const [start] = offsetsOf(typed, index);
  return launches.some(({ profile }) =>
    profile.accesses.some(({ range, worst, target }) => {
      if (range.file !== typed.file || start < range.start || start >= range.end || worst === null)
        return false;
      const lanes = worst.laneAddresses.filter((address) => address !== null);
      const elementBytes = shapeOf(target?.type)?.elementBytes ?? 1;
      return Math.max(...lanes) - Math.min(...lanes) >= value * elementBytes;
    }),
  );
}

/** The same of an array that is reached by its own name alone, but counted through in places, or indexed in a macro. */
export function countedPadCandidates(
  array: DeclaredArray,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  const concerned = launches.filter(({ profile }) =>
    profile.accesses.some((access) => goesTo(array, access)),
  );
  const reached = reachedArray(array, concerned, texts);
  return typeof reached === "string"
    ? refusal(reached)
    : reachedPadCandidates(array, reached, concerned, texts);
}

/** A factor that may be the length of a row, in an index or in what a function is given for it. */
interface RowIndex {
  readonly value: number;
  readonly span: Span;
  readonly kind: "factor" | "argument";
  /** The function that it stands in, where others give that other arrays. */
  readonly sharedBy: string | null;
  /** Elements of the array that one of its own is. */
  readonly unit: number;
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
  const inTemplate = owner === undefined ? null : templateArgumentsFor(typed, owner, bare);
  if (inTemplate !== null)
    return inTemplate.flatMap((argument) => {
      const value = valueIn(typed, argument, launched);
      return value === null
        ? []
        : [{ value, span: argument, kind: "argument" as const, sharedBy: null, unit: 1 }];
    });
  const place =
    owner === undefined || bare.end !== bare.first + 1
      ? -1
      : placeOf(typed, owner, textAt(typed, bare.first));
  if (owner === undefined || place === -1) {
    const value = valueIn(typed, bare, launched);
    const sharedBy = owner?.isShared ? owner.name : null;
    return value === null ? [] : [{ value, span, kind: "factor", sharedBy, unit: 1 }];
  }
  const given = owner.ownCalls.flatMap((call) => argumentsIn(typed, call)[place] ?? []);
  const values = given.map((argument) => valueIn(typed, argument, launched));
  const [first] = values;
  if (!owner.isShared && first !== null && first !== undefined && values.every((value) => value === first))
    return [{ value: first, span, kind: "factor", sharedBy: null, unit: 1 }];
  return given.flatMap((argument, at) => {
    const value = values[at] ?? null;
    return value === null
      ? []
      : [{ value, span: argument, kind: "argument" as const, sharedBy: null, unit: 1 }];
  });
}

/** What the calls give for a template parameter; null where the span is none, or where some call leaves it to be deduced. */
function templateArgumentsFor(
  typed: TypedText,
  { body, name, ownCalls }: ReachedFunction,
  { first, end }: Span,
): Span[] | null {
  const parameters = functionAround(typed, body.first)?.templateParameters ?? [];
  const place = end === first + 1 ? parameters.indexOf(textAt(typed, first)) : -1;
  if (place === -1) return null;
  const given = ownCalls.flatMap((call) => {
    let at = call.first;
    while (at > 0 && textAt(typed, at) !== name) at--;
    return callAt(typed, at)?.templateArguments[place] ?? [];
  });
  return given.length === ownCalls.length ? given : null;
}

function placeOf(typed: TypedText, { parameters }: ReachedFunction, name: string): number {
  return parameters.findIndex(({ end }) => textAt(typed, end - 1) === name);
}

interface Scene {
  readonly typed: TypedText;
  readonly launches: readonly LaunchedKernel[];
  readonly texts: TypedTexts;
}

/** Where the length of a row is written, and what counts through all rows. */
interface Rows {
  readonly rows: readonly RowIndex[];
  readonly counted: readonly Span[];
  readonly value: number;
}

function candidatesOf(reached: Reached, { rows, counted, value }: Rows, scene: Scene): Candidate[] {
  const { typed, launches } = scene;
  const { arrays } = reached;
  const units = [...rows.map(({ unit }) => unit), ...counted.map((index) => unitOf(reached, index))];
  const uses = arrays.flatMap((array) =>
    launches.flatMap(({ profile }) => usesOf(array, profile.accesses, value)),
  );
  const candidates: Candidate[] = [];
  const elementBytes = Math.min(...uses.map(({ shape }) => shape.elementBytes));
  for (const added of triedPads(elementBytes)) {
    if (added > value) break;
    if (!keepsAlignment(uses, added) || units.some((unit) => added % unit !== 0)) continue;
    const estimate = estimateOf(uses, (shape) => paddedLayout(shape, [0, added]));
    if (estimate === null) continue;
    const edits = editsOf(reached, { rows, counted, value }, added, scene);
    if (edits === null) continue;
    const [first] = rows;
    const before = first?.unit === 1 ? spelled(typed, first.span) : lengthText(arrays, value);
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
        rows.flatMap(({ span }) => parametersIn(typed, span, launched)),
      ),
      operations: counted.length === 0 ? 0 : divisionOperations,
      estimate,
    });
  }
  return candidates;
}

/** An addition, and a division by a constant. */
const divisionOperations = 2;

function usesOf(array: DeclaredArray, all: readonly AccessProfile[], value: number): ShapedAccesses[] {
  const accesses = all.filter((access) => goesTo(array, access) && isCounted(access));
  const shape = shapeOf(accesses[0]?.target?.type);
  return shape === null
    ? []
    : [{ shape: { counts: [1, value], elementBytes: shape.elementBytes }, accesses }];
}

/** The length of a row as it is declared, where it is. */
function lengthText(arrays: readonly DeclaredArray[], value: number): string {
  const [array] = arrays;
  const last = array !== undefined && array.dimensions.length > 1 ? array.dimensions.at(-1) : undefined;
  return array === undefined || last === undefined ? String(value) : spelled(array.typed, last);
}

/** Whether the first array is declared in the body, so that its length can be written there as it is. */
function isBeside([array]: readonly DeclaredArray[], body: Span | null): boolean {
  return array !== undefined && bodyAround(array.typed, array.nameToken)?.first === body?.first;
}

/** Null where a size cannot be made to follow. */
function editsOf(
  reached: Reached,
  { rows, counted, value }: Rows,
  added: number,
  { typed, launches, texts }: Scene,
): TextEdit[] | null {
  const edits: TextEdit[] = [];
  const { arrays } = reached;
  for (const index of counted) {
    const text = countedText(reached, index, { rows, counted, value }, added, { typed, launches, texts });
    if (text === null) return null;
    edits.push(replaced(typed, index, text));
  }
  for (const { kind, span, unit } of rows) {
    if (kind !== "factor" || unit === 1) continue;
    const text = lengthened(factorOf(typed, span).text, added / unit);
    if (text === null) return null;
    edits.push(replaced(typed, span, asFactor(text)));
  }
  const factors = rows
    .filter(({ kind, unit }) => kind === "factor" && unit === 1)
    .map(({ span }) => factorOf(typed, span));
  for (const { kind, span } of rows) {
    if (kind !== "argument") continue;
    const text = lengthened(spelled(typed, span), added);
    if (text === null) return null;
    edits.push(replaced(typed, span, text));
  }
  const spellings = [...new Set(factors.map(({ text }) => text))];
  const [primary = lengthText(arrays, value), ...others] = spellings;
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
      values: new Map(concerned.map((launched) => [launched, value])),
      parameters: [],
      dividesIndices: counted.length > 0,
      otherTexts: [...new Set([...others, ...rows.map(({ span }) => factorOf(typed, span).text)])],
    };
    const made = pitchEdits(array, pitch, added, texts);
    if (made === null) return null;
    edits.push(...made.edits);
  }
  return edits;
}

/** An index that counts through all elements, with those left out that rows have more; null where it would take a division by what is not constant. */
function countedText(
  reached: Reached,
  index: Span,
  { rows, value }: Rows,
  added: number,
  { typed, launches }: Scene,
): string | null {
  const text = spelled(typed, index);
  if (hasEffect(text) || typed.isInDirective(index.first)) return null;
  const unit = unitOf(reached, index);
  if (/^\d+$/.test(text))
    return String(Number(text) + (Math.floor((Number(text) * unit) / value) * added) / unit);
  const body = bodyAround(typed, index.first);
  const known = rows.find(({ kind, span, unit: rowUnit }) => {
    const isHere = body !== null && body.first <= span.first && span.first < body.end;
    return (
      kind === "factor" && rowUnit === unit && (isHere || definitionOf(typed, spelled(typed, span)) !== null)
    );
  });
  const isVariable = rows.some(({ span }) =>
    launches.some((launched) => parametersIn(typed, span, launched).length > 0),
  );
  if (isVariable) return null;
  const declared = lengthText(reached.arrays, value);
  const isNamed = !/^\d+$/.test(declared.trim());
  const isKnown = isNamed && (definitionOf(typed, declared) !== null || isBeside(reached.arrays, body));
  const written = isKnown && unit !== 1 ? `(${asFactor(declared)} / ${unit})` : String(value / unit);
  const length = known === undefined ? written : asFactor(factorOf(typed, known.span).text);
  return `${asSummand(text)} + ${asFactor(text)} / ${length}${added === unit ? "" : ` * ${added / unit}`}`;
}

function factorOf(typed: TypedText, span: Span): Factor {
  const isWrapped = textAt(typed, span.first) === "(" && typed.partners[span.first] === span.end - 1;
  return {
    span,
    text: spelled(typed, isWrapped ? { first: span.first + 1, end: span.end - 1 } : span).trim(),
  };
}
