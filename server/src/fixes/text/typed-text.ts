// A file's text as the user typed it, cut into tokens with their brackets matched: edits are found in it, not in what macros made of it.
import { lex } from "../../preprocess/lex.ts";
import type { Token } from "../../preprocess/token.ts";
import { entryOf } from "../../table.ts";
import type { TextEdit } from "../../text/edit.ts";

export interface TypedText {
  readonly file: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  /** For the index of a bracket, that of its partner; -1 for all other tokens and for brackets without one. */
  readonly partners: Int32Array;
  /** Indices of the tokens that spell an identifier. */
  readonly byName: ReadonlyMap<string, readonly number[]>;
  /** Whether a token is part of a directive (a macro's definition). */
  readonly isInDirective: (index: number) => boolean;
}

/** Texts by file, each cut into tokens when first asked for. Null for a file that was not read. */
export type TypedTexts = (file: string) => TypedText | null;

export function typedTexts(texts: ReadonlyMap<string, string>): TypedTexts {
  const known = new Map<string, TypedText>();
  return (file) => {
    const found = known.get(file);
    if (found !== undefined) return found;
    const text = texts.get(file);
    if (text === undefined) return null;
    const typed = typedText(file, text);
    known.set(file, typed);
    return typed;
  };
}

export function typedText(file: string, text: string): TypedText {
  const { tokens, directives } = lex(file, text);
  const byName = new Map<string, number[]>();
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "identifier") continue;
    const known = byName.get(token.text);
    if (known === undefined) byName.set(token.text, [index]);
    else known.push(index);
  }
  const ends = directives.map((start) => endOfDirective(tokens, start));
  const isInDirective = (index: number) =>
    directives.some((start, at) => start <= index && index < (ends[at] ?? 0));
  return { file, text, tokens, partners: partnersOf(tokens), byName, isInDirective };
}

function endOfDirective(tokens: readonly Token[], start: number): number {
  for (let index = start + 1; index < tokens.length; index++) if (tokens[index]?.startsLine) return index;
  return tokens.length;
}

const closerOf: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

function partnersOf(tokens: readonly Token[]): Int32Array {
  const partners = new Int32Array(tokens.length).fill(-1);
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== "punctuator") continue;
    if (entryOf(closerOf, text) !== undefined) open.push(index);
    if (text !== ")" && text !== "]" && text !== "}") continue;
    const opener = matchingOpener(tokens, open, text);
    if (opener === null) continue;
    partners[opener] = index;
    partners[index] = opener;
  }
  return partners;
}

/** An opener of another kind in between has no partner: text that is being typed. */
function matchingOpener(tokens: readonly Token[], open: number[], closer: string): number | null {
  const at = open.findLastIndex((index) => closerOf[tokens[index]?.text ?? ""] === closer);
  if (at === -1) return null;
  const opener = open[at] ?? null;
  open.length = at;
  return opener;
}

/** Index of the first token that starts at or after `offset`. */
export function tokenFrom({ tokens }: TypedText, offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function textAt({ tokens }: TypedText, index: number): string {
  return tokens[index]?.text ?? "";
}

/** Tokens `first` up to, not including, `end`. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/** What was typed from the first to the last token of a span. */
export function spelled(typed: TypedText, span: Span): string {
  return typed.text.slice(...offsetsOf(typed, span));
}

/** Offsets from the first token's start to the last one's end; of an empty span, where it would stand. */
export function offsetsOf({ tokens }: TypedText, { first, end }: Span): [number, number] {
  const start = tokens[first]?.start ?? 0;
  return first === end ? [start, start] : [start, tokens[end - 1]?.end ?? start];
}

/** The edit that puts something in the place of a span. */
export function replaced(typed: TypedText, span: Span, newText: string): TextEdit {
  const [start, end] = offsetsOf(typed, span);
  return { file: typed.file, start, end, newText };
}

/** What stands in each pair of brackets behind a name; ends at one that is not closed. */
export function subscriptsAfter(typed: TypedText, nameToken: number): Span[] {
  const subscripts: Span[] = [];
  let index = nameToken + 1;
  while (textAt(typed, index) === "[") {
    const closer = typed.partners[index] ?? -1;
    if (closer === -1) break;
    subscripts.push({ first: index + 1, end: closer });
    index = closer + 1;
  }
  return subscripts;
}

/** The parts of a span between commas that stand in no bracket of its own. */
export function argumentsIn(typed: TypedText, span: Span): Span[] {
  const parts: Span[] = [];
  let first = span.first;
  for (let index = span.first; index < span.end; index++) {
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (textAt(typed, index) === ",") {
      parts.push({ first, end: index });
      first = index + 1;
    }
  }
  if (first < span.end) parts.push({ first, end: span.end });
  return parts;
}

/** The innermost braces around a token, as the span between them; null at the top of a file. */
export function blockAround(typed: TypedText, index: number): Span | null {
  for (let at = index - 1; at >= 0; at--) {
    const partner = typed.partners[at] ?? -1;
    if (partner !== -1 && partner < at) at = partner;
    else if (textAt(typed, at) === "{" && partner > index) return { first: at + 1, end: partner };
  }
  return null;
}

/** The outermost braces around a token, but for those of namespaces and classes: a function's body. */
export function bodyAround(typed: TypedText, index: number): Span | null {
  let body: Span | null = null;
  for (let block = blockAround(typed, index); block !== null; block = blockAround(typed, block.first - 1)) {
    if (textAt(typed, block.first - 2) === ")") body = block;
  }
  return body;
}
