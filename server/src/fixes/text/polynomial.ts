// Indices as typed, multiplied out: `(y * width + x) * 3 + c` is 3·y·width + 3·x + c. Locals that are made once and
// numbers with a name are written out, but for those that are kept.
import { fileConstant } from "./constants.ts";
import { typedLocal } from "./locals.ts";
import { type Span, spelled, type TypedText, textAt } from "./typed-text.ts";

/** Coefficients by the names that are multiplied, sorted and joined by `*`; "" has the number. */
export type Polynomial = ReadonlyMap<string, number>;

/** Null where an expression is no sum of products of names and whole numbers, or too large to be one that somebody reads. */
export function polynomialOf(
  typed: TypedText,
  span: Span,
  isKept: (name: string) => boolean,
  depth = 0,
): Polynomial | null {
  if (depth > mostDepth || span.first >= span.end) return null;
  const sum = new Map<string, number>();
  for (const { sign, span: part } of partsAt(typed, span, ["+", "-"])) {
    let product: Polynomial = new Map([["", sign === "-" ? -1 : 1]]);
    for (const { sign: operator, span: factor } of partsAt(typed, part, ["*", "/", "%"])) {
      const value = operator === "*" || operator === "+" ? factorOf(typed, factor, isKept, depth) : null;
      if (value === null) return null;
      product = multiplied(product, value);
      if (product.size > mostTerms) return null;
    }
    for (const [names, coefficient] of product) sum.set(names, (sum.get(names) ?? 0) + coefficient);
  }
  for (const [names, coefficient] of sum) if (coefficient === 0) sum.delete(names);
  return sum;
}

const mostDepth = 12;
const mostTerms = 16;

function factorOf(
  typed: TypedText,
  { first, end }: Span,
  isKept: (name: string) => boolean,
  depth: number,
): Polynomial | null {
  const text = textAt(typed, first);
  if (text === "(" && typed.partners[first] === end - 1)
    return polynomialOf(typed, { first: first + 1, end: end - 1 }, isKept, depth + 1);
  if (end === first + 1 && /^\d+$/.test(text)) return new Map([["", Number(text)]]);
  if (end === first + 1 && typed.tokens[first]?.kind === "identifier") {
    const local = isKept(text) ? null : typedLocal(typed, first);
    const made = local === null ? null : polynomialOf(typed, local.initializer, isKept, depth + 1);
    return made ?? (isKept(text) ? null : constantOf(typed, text)) ?? new Map([[text, 1]]);
  }
  // `blockIdx.x`, `p.width`: what is reached by one name.
  const whole = spelled(typed, { first, end });
  return /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(whole) ? new Map([[whole, 1]]) : null;
}

/** Of a name that the file defines as a number. */
function constantOf(typed: TypedText, name: string): Polynomial | null {
  const definition = fileConstant(typed, name);
  const text = definition === null ? "" : spelled(typed, definition).trim();
  return /^\d+$/.test(text) ? new Map([["", Number(text)]]) : null;
}

function multiplied(a: Polynomial, b: Polynomial): Polynomial {
  const product = new Map<string, number>();
  for (const [left, x] of a)
    for (const [right, y] of b) {
      const names = [...left.split("*"), ...right.split("*")].filter((name) => name !== "");
      const key = names.sort().join("*");
      product.set(key, (product.get(key) ?? 0) + x * y);
    }
  return product;
}

interface Part {
  readonly sign: string;
  readonly span: Span;
}

/** What stands between operators outside of brackets; the first has a plus. */
function partsAt(typed: TypedText, { first, end }: Span, operators: readonly string[]): Part[] {
  const parts: Part[] = [];
  let sign = "+";
  let start = first;
  for (let index = first; index < end; index++) {
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (operators.includes(textAt(typed, index)) && index > start) {
      parts.push({ sign, span: { first: start, end: index } });
      sign = textAt(typed, index);
      start = index + 1;
    }
  }
  parts.push({ sign, span: { first: start, end } });
  return parts;
}

/** A sum as somebody would write it, a name that leads its products first; "0" of nothing. */
export function writtenSum(terms: Polynomial, leading: string | null = null): string {
  let text = "";
  for (const [names, coefficient] of terms) {
    const size = Math.abs(coefficient);
    const own = names === "" ? [] : names.split("*");
    const ordered = [...own.filter((name) => name === leading), ...own.filter((name) => name !== leading)];
    const factors = [...ordered, ...(size === 1 && names !== "" ? [] : [size])];
    const sign = coefficient < 0 ? "-" : "+";
    text += text === "" ? (sign === "-" ? "-" : "") : ` ${sign} `;
    text += factors.join(" * ");
  }
  return text === "" ? "0" : text;
}
