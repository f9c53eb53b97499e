// Sums of products as typed: `(ty * 4 + i) * PITCH + tx` has the summands `(ty * 4 + i) * PITCH` and `tx`.
import { type Span, spelled, type TypedText, textAt } from "./typed-text.ts";

/** A factor of a summand, by its text without outer parentheses. */
export interface Factor {
  readonly span: Span;
  readonly text: string;
}

export interface Summand {
  /** One where it is no product. */
  readonly factors: readonly Factor[];
}

/** The summands of an expression, parentheses around whole summands opened; null where other operators join them. */
export function summandsOf(typed: TypedText, span: Span): Summand[] | null {
  const parts = splitAt(typed, span, ["+", "-"]);
  if (parts === null) return null;
  const summands: Summand[] = [];
  for (const part of parts) {
    const inner = opened(typed, part);
    // What other operators join in parentheses is one thing.
    const nested = inner === null ? null : summandsOf(typed, inner);
    if (nested === null) summands.push({ factors: factorsOf(typed, part) });
    else summands.push(...nested);
  }
  return summands;
}

/** Operators that bind less than a sum: an index joined by them is no row times a pitch plus a column. */
const looser = new Set([
  "|",
  "^",
  "&",
  "<<",
  ">>",
  "?",
  ":",
  "==",
  "<",
  ">",
  "&&",
  "||",
  "=",
  ",",
  "+=",
  "++",
  "--",
]);

function splitAt(typed: TypedText, { first, end }: Span, operators: readonly string[]): Span[] | null {
  const parts: Span[] = [];
  let start = first;
  for (let index = first; index < end; index++) {
    const text = textAt(typed, index);
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (looser.has(text)) return null;
    else if (operators.includes(text) && index > start) {
      parts.push({ first: start, end: index });
      start = index + 1;
    }
  }
  parts.push({ first: start, end });
  return parts;
}

/** The inside of a span that is one pair of parentheses; null for all else. */
function opened(typed: TypedText, { first, end }: Span): Span | null {
  const isWrapped = textAt(typed, first) === "(" && typed.partners[first] === end - 1;
  return isWrapped ? { first: first + 1, end: end - 1 } : null;
}

/** What is multiplied: `a / b * c` has the factors `a / b` and `c`, `a * b / c` is one. */
function factorsOf(typed: TypedText, span: Span): Factor[] {
  const factors: Span[] = [];
  let end = span.end;
  for (let index = span.end - 1; index > span.first; index--) {
    const partner = typed.partners[index] ?? -1;
    if (partner !== -1 && partner < index) index = partner;
    else if (["/", "%"].includes(textAt(typed, index))) break;
    else if (textAt(typed, index) === "*") {
      factors.unshift({ first: index + 1, end });
      end = index;
    }
  }
  factors.unshift({ first: span.first, end });
  return factors.map((part) => ({
    span: part,
    text: spelled(typed, opened(typed, part) ?? part).trim(),
  }));
}
