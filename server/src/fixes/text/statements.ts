// Statements as typed: where the one around a token begins and ends, and how deep it is indented.
import { type Span, type TypedText, textAt } from "./typed-text.ts";

/** A statement that stands by itself between others in braces. */
export interface TypedStatement {
  /** Its tokens, the semicolon among them. */
  readonly span: Span;
  /** The white space before it on its line. */
  readonly indent: string;
}

/**
 * The statement that holds a token: null where it is (the head of) an `if`, a loop or a `case`, the unbraced body of one, or a part of a
 * macro's definition.
 */
export function statementAround(typed: TypedText, index: number): TypedStatement | null {
  if (typed.isInDirective(index)) return null;
  const first = statementStart(typed, index);
  if (first === null || headWords.has(textAt(typed, first))) return null;
  const end = statementEnd(typed, index);
  return end === null ? null : { span: { first, end }, indent: indentOf(typed, first) };
}

const headWords = new Set(["if", "else", "for", "while", "do", "switch", "case", "default", "static"]);

/** The first token after the semicolon or brace before; null where what stands before is no statement's end. */
function statementStart(typed: TypedText, index: number): number | null {
  for (let at = index - 1; at >= 0; at--) {
    if (typed.isInDirective(at)) return isBehindStatement(typed, at) ? at + 1 : null;
    const text = textAt(typed, at);
    const partner = typed.partners[at] ?? -1;
    if (text === "}" && partner !== -1 && isBlock(typed, partner)) return at + 1;
    if (partner !== -1 && partner < at) {
      // The body of an `if`, `for` or `while` without braces begins behind the parenthesis of its head.
      if (text === ")" && ["if", "for", "while"].includes(textAt(typed, partner - 1))) return null;
      at = partner;
    } else if (text === ";") return isInParentheses(typed, at) ? null : at + 1;
    else if (text === "{" && isBlock(typed, at)) return at + 1;
    else if (text === "else" || text === "do") return null;
  }
  return null;
}

/** Before the directive that a token is of, a statement ends. */
function isBehindStatement(typed: TypedText, index: number): boolean {
  let at = index;
  while (at >= 0 && typed.isInDirective(at)) at--;
  return [";", "{", "}", ""].includes(textAt(typed, at));
}

/** Braces that hold statements, not the parts of a value. */
function isBlock(typed: TypedText, open: number): boolean {
  return [")", ";", "{", "}", "else", "do", ":", ""].includes(textAt(typed, open - 1));
}

/** The semicolon stands in the head of a loop. */
function isInParentheses(typed: TypedText, index: number): boolean {
  for (let at = index - 1; at >= 0; at--) {
    const text = textAt(typed, at);
    const partner = typed.partners[at] ?? -1;
    if (partner !== -1 && partner < at) at = partner;
    else if (text === "(") return true;
    else if (text === "{") return false;
  }
  return false;
}

function statementEnd(typed: TypedText, index: number): number | null {
  for (let at = index; at < typed.tokens.length; at++) {
    const partner = typed.partners[at] ?? -1;
    if (partner > at) at = partner;
    else if (textAt(typed, at) === ";") return at + 1;
  }
  return null;
}

function indentOf({ text, tokens }: TypedText, first: number): string {
  const start = tokens[first]?.start ?? 0;
  const line = text.lastIndexOf("\n", start - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, start))?.[0] ?? "";
}

/** Whether a comment stands among the tokens of a span, so that replacing it would lose what somebody wrote. */
export function hasComment({ text, tokens }: TypedText, { first, end }: Span): boolean {
  for (let index = first; index + 1 < end; index++) {
    const gap = text.slice(tokens[index]?.end ?? 0, tokens[index + 1]?.start ?? 0);
    if (gap.trim() !== "") return true;
  }
  return false;
}

/** A name like `base` that neither a function's head and body use nor any macro. */
export function freshNameIn(typed: TypedText, body: Span, base: string): string {
  const head = typed.partners[body.first - 2] ?? body.first;
  const isFree = (name: string) =>
    !(typed.byName.get(name) ?? []).some(
      (index) => (head <= index && index < body.end) || typed.isInDirective(index),
    );
  if (isFree(base)) return base;
  let number = 2;
  while (!isFree(`${base}${number}`)) number++;
  return `${base}${number}`;
}

/** A name like `base` that the text does not use yet. */
export function freshName({ byName }: TypedText, base: string): string {
  if (!byName.has(base)) return base;
  let number = 2;
  while (byName.has(`${base}${number}`)) number++;
  return `${base}${number}`;
}
