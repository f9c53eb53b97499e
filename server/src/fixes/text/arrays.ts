// The declaration that an access goes to, and every place of the text that mentions the array: whether its layout can be changed hangs on them.
import type { Type } from "../../ir/type.ts";
import type { AccessContext } from "../../rules/finding.ts";
import type { SourceRange } from "../../text/source.ts";
import { arrayParameter } from "./array-parameters.ts";
import { fragmentLengthAt } from "./fragments.ts";
import { type ArrayMention, mentionsOf } from "./mentions.ts";
import {
  blockAround,
  type Span,
  spelled,
  type TypedText,
  type TypedTexts,
  textAt,
  tokenFrom,
} from "./typed-text.ts";

/** An array as it was declared. */
export interface DeclaredArray {
  readonly name: string;
  /** Where it was declared, as profiles name it: the key of its accesses. */
  readonly range: SourceRange;
  readonly typed: TypedText;
  /** The name's token, and what stands between each pair of brackets behind it, outermost dimension first. */
  readonly nameToken: number;
  readonly dimensions: readonly Span[];
  readonly storage: "static" | "dynamic";
  /** Everywhere else that the text mentions it: in its scope, in macros, in functions that it is handed to as an array. */
  readonly mentions: readonly ArrayMention[];
  /** Innermost lengths of the parameters of those functions, which are those of the array, and what functions for fragments are given for them. */
  readonly rowLengths: readonly Span[];
}

/** The array, or why its declaration cannot be edited, in words. */
export type ArrayLookup =
  | { readonly kind: "array"; readonly array: DeclaredArray }
  | { readonly kind: "refused"; readonly reason: string };

/** Finds the declaration of the array that an access goes to. */
export function arrayOf({ access }: Pick<AccessContext, "access">, texts: TypedTexts): ArrayLookup {
  const { target } = access;
  if (target?.range == null || target.name === "") return refused("the array is not known");
  const { name, range } = target;
  const typed = texts(range.file);
  if (typed === null) return refused(`${name} is declared in a text that was not read`);
  const nameToken = nameTokenIn(typed, range, name);
  if (nameToken === null) return refused(`${name} is not declared under this name in the text`);
  if (typed.isInDirective(nameToken)) return refused(`${name} is declared by a macro`);
  const dimensions = dimensionsAfter(typed, nameToken);
  if (dimensions.length === 0) return refused(whyNoDimensions(name, target.type));
  const scope = blockAround(typed, nameToken) ?? { first: 0, end: typed.tokens.length };
  const own = mentionsOf(typed, { name, nameToken, scope });
  const parameters = own.map((mention) => arrayParameter(typed, mention, own));
  return {
    kind: "array",
    array: {
      name,
      range,
      typed,
      nameToken,
      dimensions,
      storage: isExtern(typed, nameToken) ? "dynamic" : "static",
      mentions: distinct(own.flatMap((mention, index) => parameters[index]?.mentions ?? [mention])),
      rowLengths: distinctSpans([
        ...parameters.flatMap((parameter) => parameter?.rowLength ?? []),
        ...own.flatMap((mention) => fragmentLengthAt(typed, mention.nameToken) ?? []),
      ]),
    },
  };
}

/** A function that is called twice has its mentions once. */
function distinct(mentions: readonly ArrayMention[]): ArrayMention[] {
  return [...new Map(mentions.map((mention) => [mention.nameToken, mention])).values()];
}

function distinctSpans(spans: readonly Span[]): Span[] {
  return [...new Map(spans.map((span) => [span.first, span])).values()];
}

function whyNoDimensions(name: string, type: Type | null): string {
  switch (type?.kind) {
    case "array":
      return `the lengths of ${name} are not written where it is declared, but by a macro or a type`;
    case "record":
      return `${name} is a struct or union, whose members are left as they are`;
    default:
      return `${name} is a pointer: its layout is decided elsewhere`;
  }
}

function refused(reason: string): ArrayLookup {
  return { kind: "refused", reason };
}

function nameTokenIn(typed: TypedText, range: SourceRange, name: string): number | null {
  for (let index = tokenFrom(typed, range.start); index < typed.tokens.length; index++) {
    const token = typed.tokens[index];
    if (token === undefined || token.start >= range.end) return null;
    if (token.text === name) return index;
  }
  return null;
}

function dimensionsAfter(typed: TypedText, nameToken: number): Span[] {
  const dimensions: Span[] = [];
  let index = nameToken + 1;
  while (textAt(typed, index) === "[") {
    const closer = typed.partners[index] ?? -1;
    if (closer === -1) return [];
    dimensions.push({ first: index + 1, end: closer });
    index = closer + 1;
  }
  return dimensions;
}

/** `extern __shared__` somewhere before the name in its statement. */
function isExtern(typed: TypedText, nameToken: number): boolean {
  for (let index = nameToken - 1; index >= 0; index--) {
    const text = textAt(typed, index);
    if (text === ";" || text === "{" || text === "}") return false;
    if (text === "extern") return true;
  }
  return false;
}

/** The text of a dimension as typed. */
export function dimensionText({ typed }: DeclaredArray, dimension: Span): string {
  return spelled(typed, dimension);
}

/** The same of pointers in one record, which are told apart by their names: `s.pos`, `s.vel`. */
export function goesToPointer(
  { name, range }: Pick<DeclaredArray, "name" | "range">,
  access: Pick<AccessContext["access"], "target">,
): boolean {
  return goesTo({ range }, access) && (!name.includes(".") || access.target?.name === name);
}

/** Whether an access goes to the array. */
export function goesTo(
  { range }: Pick<DeclaredArray, "range">,
  { target }: Pick<AccessContext["access"], "target">,
): boolean {
  return target?.range?.file === range.file && target.range.start === range.start;
}
