// Other pads where a template parameter sets them (`tile[B][B + PAD]`): the constant of the launches that need it, and of no others.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { type Candidate, type Candidates, candidatesFound, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import type { DeclaredArray } from "../text/arrays.ts";
import { goesTo } from "../text/arrays.ts";
import { callAt, templateDefault } from "../text/calls.ts";
import { isLiteral, traceValue, type WrittenValue } from "../text/trace-constant.ts";
import {
  bodyAround,
  offsetsOf,
  type Span,
  type TypedText,
  type TypedTexts,
  textAt,
  tokenFrom,
} from "../text/typed-text.ts";
import {
  byShape,
  estimateOf,
  isCounted,
  isEndUnused,
  keepsAlignment,
  layoutAsItIs,
  paddedLayout,
  shapeOf,
} from "./layout.ts";
import { mostPadElements, whyRowsAreFixed } from "./pad.ts";

/** Every greater value, and every smaller one, of a parameter that is added to the innermost dimension, for the launches that share its value. */
export function padParameterCandidates(
  array: DeclaredArray,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates {
  const isOwn = array.dimensions.length >= 2 && array.rowLengths.length === 0;
  if (!isOwn || whyRowsAreFixed(array) !== null) return candidatesFound([]);
  const concerned = launches.filter(({ profile }) =>
    profile.accesses.some((access) => goesTo(array, access)),
  );
  const last = array.dimensions.at(-1);
  const names = last === undefined ? [] : summandsOf(array.typed, last);
  const candidates: Candidate[] = [];
  for (const parameter of names) {
    for (const [value, alike] of byValue(concerned, parameter)) {
      if (!isPitchAlone(array, parameter) && isLength(array, alike, value)) continue;
      const written = placesOf(array, alike, parameter, texts);
      if (written === null) return refusal(`the value of ${parameter} is not written as a number`);
      candidates.push(...otherValues(array, alike, { parameter, value, written }));
    }
  }
  return candidatesFound(candidates);
}

/** Names that are a summand of a length by themselves. */
function summandsOf(typed: TypedText, { first, end }: Span): string[] {
  const names: string[] = [];
  for (let index = first; index < end; index++) {
    const partner = typed.partners[index] ?? -1;
    if (partner > index) {
      index = partner;
      continue;
    }
    const before = index === first ? "+" : textAt(typed, index - 1);
    const after = index === end - 1 ? "+" : textAt(typed, index + 1);
    if (typed.tokens[index]?.kind === "identifier" && before === "+" && after === "+")
      names.push(textAt(typed, index));
  }
  return names;
}

/** Launches by the number that a template parameter has in them. */
function byValue(launches: readonly LaunchedKernel[], parameter: string): Map<number, LaunchedKernel[]> {
  const values = new Map<number, LaunchedKernel[]>();
  for (const launched of launches) {
    const index = launched.kernel.templateParameterNames.indexOf(parameter);
    const value = index === -1 ? Number.NaN : Number(launched.kernel.templateArguments[index]);
    if (!Number.isInteger(value)) continue;
    const known = values.get(value);
    if (known === undefined) values.set(value, [launched]);
    else known.push(launched);
  }
  return values;
}

/** The length of the array's rows is the parameter, with nothing added that were the pad, and nothing else in the kernel mentions it. */
function isPitchAlone({ typed, nameToken, dimensions }: DeclaredArray, parameter: string): boolean {
  const length = dimensions.at(-1);
  if (length === undefined || length.end - length.first !== 1) return false;
  const body = bodyAround(typed, nameToken);
  const mentions = (typed.byName.get(parameter) ?? []).filter(
    (index) => body !== null && body.first <= index && index < body.end,
  );
  return mentions.length === 1;
}

/** The parameter is the length of the rows, or most of it, and no pad. */
function isLength(array: DeclaredArray, launches: readonly LaunchedKernel[], value: number): boolean {
  const accesses = launches.flatMap(({ profile }) => profile.accesses.filter(isConcerned(array)));
  return accesses.some(({ target }) => 2 * value >= (shapeOf(target?.type)?.counts.at(-1) ?? 0));
}

/** Where the number is written for each of the launches; null where for one of them it is not, or where another value hangs on it too. */
function placesOf(
  array: DeclaredArray,
  launches: readonly LaunchedKernel[],
  parameter: string,
  texts: TypedTexts,
): WrittenValue[] | null {
  const places = new Map<string, WrittenValue>();
  for (const { kernel, launch } of launches) {
    const [site] = launch.origin.path;
    const typed = site === undefined ? null : texts(site.file);
    if (site === undefined || typed === null) return null;
    const index = kernel.templateParameterNames.indexOf(parameter);
    const span = callAt(typed, tokenFrom(typed, site.start))?.templateArguments[index];
    const written =
      span === undefined
        ? defaultOf(array, parameter)
        : traceValue(texts, launch.origin.path, { typed, span }).at(-1);
    if (written === undefined || !written.isLiteral) return null;
    places.set(`${written.typed.file}:${written.span.first}`, written);
  }
  return [...places.values()];
}

/** What the parameter is of itself, in the head of the kernel that declares the array. */
function defaultOf({ typed, nameToken }: DeclaredArray, parameter: string): WrittenValue | undefined {
  const span = templateDefault(typed, nameToken, parameter);
  return span === null ? undefined : { typed, span, isLiteral: isLiteral(typed, span) };
}

interface ParameterValue {
  readonly parameter: string;
  readonly value: number;
  readonly written: readonly WrittenValue[];
}

function otherValues(
  array: DeclaredArray,
  launches: readonly LaunchedKernel[],
  { parameter, value, written }: ParameterValue,
): Candidate[] {
  const accesses = launches.flatMap(({ profile }) => profile.accesses.filter(isConcerned(array)));
  const uses = byShape(accesses);
  const innermost = array.dimensions.length - 1;
  const now = uses === null ? null : estimateOf(uses, () => layoutAsItIs);
  if (uses === null) return [];
  const candidates: Candidate[] = [];
  for (let added = -Math.min(value, mostPadElements); added <= mostPadElements; added++) {
    if (added === 0 || !keepsAlignment(uses, added)) continue;
    if (added < 0 && !isEndUnused(uses, -added)) continue;
    const pads = array.dimensions.map((_, dimension) => (dimension === innermost ? added : 0));
    const estimate = estimateOf(uses, (shape) => paddedLayout(shape, pads));
    if (estimate === null || (now !== null && estimate.cost >= now.cost)) continue;
    const after = String(value + added);
    candidates.push({
      kind: "pad",
      edits: written.map((place) => editOf(place, after)),
      title: {
        kind: "pad-parameter",
        array: array.name,
        parameter,
        value: { before: String(value), after },
      },
      safety: "safe",
      operations: 0,
      estimate,
      parameter: { name: parameter, before: String(value), after },
    });
  }
  return candidates;
}

function isConcerned(array: DeclaredArray): (access: AccessProfile) => boolean {
  return (access) => goesTo(array, access) && isCounted(access);
}

function editOf({ typed, span }: WrittenValue, newText: string): TextEdit {
  const [start, end] = offsetsOf(typed, span);
  return { file: typed.file, start, end, newText };
}
