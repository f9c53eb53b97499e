// Names that stand for an expression of their arguments: function-like macros, functions and lambdas that do nothing but return one.
import { functionNamed } from "./functions.ts";
import { substituted } from "./locals.ts";
import { asFactor } from "./spelling.ts";
import { argumentsIn, type Span, spelled, type TypedText, textAt } from "./typed-text.ts";

interface NamedExpression {
  readonly parameters: readonly string[];
  readonly expression: Span;
}

export interface Expansion {
  readonly text: string;
  /** The token behind the call. */
  readonly end: number;
}

/** What the call at a token stands for; null where it stands for nothing that is one expression. */
export function expansionAt(typed: TypedText, name: number, body: Span): Expansion | null {
  const closer = typed.partners[name + 1] ?? -1;
  if (typed.tokens[name]?.kind !== "identifier" || closer < name) return null;
  if ([".", "->", "::"].includes(textAt(typed, name - 1))) return null;
  const found = expressionNamed(typed, textAt(typed, name), body);
  const given = argumentsIn(typed, { first: name + 2, end: closer });
  if (found === null || given.length !== found.parameters.length) return null;
  const text = substituted(typed, found.expression, (index) => {
    const at = found.parameters.indexOf(textAt(typed, index));
    const isMember = [".", "->", "::"].includes(textAt(typed, index - 1));
    const own = given[at];
    if (own === undefined || isMember) return null;
    const isAlone = textAt(typed, index - 1) === "(" && textAt(typed, index + 1) === ")";
    return { text: isAlone ? spelled(typed, own) : asFactor(spelled(typed, own)), end: index + 1 };
  });
  return { text: withoutParentheses(text.replaceAll(/\\\n\s*/g, "")), end: closer + 1 };
}

function expressionNamed(typed: TypedText, name: string, body: Span): NamedExpression | null {
  return macroNamed(typed, name) ?? lambdaNamed(typed, name, body) ?? returnedBy(typed, name);
}

function macroNamed(typed: TypedText, name: string): NamedExpression | null {
  const [only, ...others] = (typed.byName.get(name) ?? []).filter(
    (index) => textAt(typed, index - 1) === "define" && typed.isInDirective(index),
  );
  const open = only === undefined ? -1 : only + 1;
  const closer = typed.partners[open] ?? -1;
  if (only === undefined || others.length > 0 || textAt(typed, open) !== "(" || closer < open) return null;
  if (typed.tokens[open]?.spaceBefore) return null;
  let end = closer + 1;
  while (end < typed.tokens.length && typed.isInDirective(end) && !typed.tokens[end]?.startsLine) end++;
  const expression = { first: closer + 1, end };
  return isExpression(typed, expression)
    ? { parameters: parametersOf(typed, argumentsIn(typed, { first: open + 1, end: closer })), expression }
    : null;
}

/** `auto at = [=](int i) { return s * n + i; };` */
function lambdaNamed(typed: TypedText, name: string, body: Span): NamedExpression | null {
  const [only, ...others] = (typed.byName.get(name) ?? []).filter(
    (index) => body.first <= index && index < body.end && textAt(typed, index - 1) === "auto",
  );
  const capture = only === undefined ? -1 : only + 2;
  const open = (typed.partners[capture] ?? -2) + 1;
  const closer = typed.partners[open] ?? -1;
  if (others.length > 0 || textAt(typed, capture) !== "[" || textAt(typed, open) !== "(") return null;
  const brace = closer + 1;
  if (textAt(typed, brace) !== "{") return null;
  const expression = returned(typed, { first: brace + 1, end: typed.partners[brace] ?? -1 });
  return expression === null
    ? null
    : { parameters: parametersOf(typed, argumentsIn(typed, { first: open + 1, end: closer })), expression };
}

function returnedBy(typed: TypedText, name: string): NamedExpression | null {
  const found = functionNamed(typed, name);
  const expression = found === null ? null : returned(typed, found.body);
  return found === null || expression === null
    ? null
    : { parameters: parametersOf(typed, found.parameters), expression };
}

/** Of `return expression;` alone. */
function returned(typed: TypedText, { first, end }: Span): Span | null {
  const expression = { first: first + 1, end: end - 1 };
  const isReturn = textAt(typed, first) === "return" && textAt(typed, end - 1) === ";";
  return isReturn && isExpression(typed, expression) ? expression : null;
}

/** One that its arguments may be written into several times. */
function isExpression(typed: TypedText, { first, end }: Span): boolean {
  if (first >= end) return false;
  for (let index = first; index < end; index++)
    if (/^(?:;|\{|\}|#|##|\+\+|--|(?:[-+*/%&|^]|<<|>>)?=)$/.test(textAt(typed, index))) return false;
  return true;
}

/** The last name of each: the `i` of `const int i`. */
function parametersOf(typed: TypedText, spans: readonly Span[]): string[] {
  return spans.map(({ end }) => textAt(typed, end - 1));
}

function withoutParentheses(text: string): string {
  const trimmed = text.trim();
  const inner = trimmed.slice(1, -1);
  let depth = 0;
  for (const character of inner) {
    depth += character === "(" ? 1 : character === ")" ? -1 : 0;
    if (depth < 0) return trimmed;
  }
  return trimmed.startsWith("(") && trimmed.endsWith(")") && depth === 0 ? inner.trim() : trimmed;
}
