// The text of one declaration, written out of its tokens, and the way back from offsets of that text to what the user typed.
import type { Token } from "../preprocess/token.ts";
import type { SourceRange } from "../text/source.ts";

export interface UnitText {
  readonly text: string;
  /** Where each token begins and ends in `text`. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** For each token, the first from it on that does not follow its predecessor in one file's own text; their number where all do. */
  readonly breaks: readonly number[];
}

/** Writes tokens as text. Between tokens that stand next to each other in a file, its white space is kept. */
export function writeTokens(tokens: readonly Token[]): UnitText {
  const starts: number[] = new Array(tokens.length);
  const ends: number[] = new Array(tokens.length);
  const writer = new TextWriter();
  let previous: Token | null = null;
  let index = 0;
  for (const token of tokens) {
    writer.write(previous, token);
    starts[index] = writer.length - token.text.length;
    ends[index] = writer.length;
    previous = token;
    index++;
  }
  return { text: `${writer.finish()}\n`, starts, ends, breaks: breaksIn(tokens) };
}

/** What stands in a file as it is to be written is copied in runs: most of a text is one. */
class TextWriter {
  /** Of all that was written, the open run included. */
  length = 0;
  private text = "";
  private source = "";
  private runStart = 0;
  private runEnd = 0;

  write(previous: Token | null, token: Token): void {
    const gap = previous === null ? "" : gapBetween(previous, token);
    const isInSource = standsInSource(token);
    if (gap === "as in the file" && isInSource && this.runEnd === previous?.end) {
      this.length += token.end - this.runEnd;
      this.runEnd = token.end;
      return;
    }
    const between = gap === "as in the file" ? token.file.text.slice(previous?.end, token.start) : gap;
    this.closeRun();
    this.text += between;
    this.length += between.length + token.text.length;
    if (!isInSource) {
      this.text += token.text;
      return;
    }
    this.source = token.file.text;
    this.runStart = token.start;
    this.runEnd = token.end;
  }

  finish(): string {
    this.closeRun();
    return this.text;
  }

  private closeRun(): void {
    this.text += this.source.slice(this.runStart, this.runEnd);
    this.runStart = 0;
    this.runEnd = 0;
  }
}

function standsInSource({ use, text, start, end, file }: Token): boolean {
  return use === null && end - start === text.length && file.text.startsWith(text, start);
}

function breaksIn(tokens: readonly Token[]): number[] {
  const breaks: number[] = new Array(tokens.length);
  let next = tokens.length;
  for (let index = tokens.length - 1; index >= 0; index--) {
    const token = tokens[index];
    const previous = tokens[index - 1];
    if (token === undefined || token.use !== null || (previous !== undefined && !follows(token, previous)))
      next = index;
    breaks[index] = next;
  }
  return breaks;
}

function follows(token: Token, previous: Token): boolean {
  return token.file === previous.file && token.start >= previous.start && token.end >= previous.end;
}

function gapBetween(left: Token, right: Token): "" | " " | "\n" | "as in the file" {
  if (right.start < left.end || left.use !== null || right.use !== null || left.file !== right.file)
    return isPair(left, right) ? "" : " ";
  if (right.start === left.end) return right.spaceBefore ? " " : "as in the file";
  const source = left.file.text;
  for (let at = left.end; at < right.start; at++) {
    if (source.charCodeAt(at) > 32) return right.startsLine ? "\n" : " ";
  }
  return "as in the file";
}

/** The grammar has the `()` of `operator()` as one token. */
function isPair(left: Token, right: Token): boolean {
  return (left.text === "(" && right.text === ")") || (left.text === "[" && right.text === "]");
}

/** The range that the user typed for `start` to `end` of a unit's text: of an expanded macro, its outermost use. */
export function rangeOfText(
  unit: UnitText,
  tokens: readonly Token[],
  start: number,
  end: number,
): SourceRange {
  const [first, last] = tokensOf(unit, start, end);
  const head = tokens[first];
  if (head === undefined) return { file: "", start: 0, end: 0 };
  const file = head.use?.file ?? head.file;
  const offset = start - (unit.starts[first] ?? 0);
  const isPart = first === last && head.use === null && offset > 0 && head.end - head.start > offset;
  if (isPart)
    return {
      file: file.path,
      start: head.start + offset,
      end: Math.min(head.end, head.start + offset + end - start),
    };
  const isRun = head.use === null && (unit.breaks[first + 1] ?? tokens.length) > last;
  if (isRun) return { file: file.path, start: head.start, end: tokens[last]?.end ?? head.end };
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (let index = first; index <= last; index++) {
    const token = tokens[index];
    const place = token?.use ?? token;
    if (place === undefined || place.file !== file) continue;
    from = Math.min(from, place.start);
    to = Math.max(to, place.end);
  }
  return { file: file.path, start: from, end: to };
}

/**
 * Like `rangeOfText`, but where the range lies wholly in one argument of a macro's use, the argument's own tokens: what a person
 * would underline, while the use is what line tables name.
 */
export function spelledRangeOfText(
  unit: UnitText,
  tokens: readonly Token[],
  start: number,
  end: number,
): SourceRange {
  const [first, last] = tokensOf(unit, start, end);
  const use = tokens[first]?.use;
  if (use === null || use === undefined) return rangeOfText(unit, tokens, start, end);
  const from = tokens[first];
  const argument = use.arguments.find((extent) => from !== undefined && isWithin(from, extent));
  if (argument === undefined) return rangeOfText(unit, tokens, start, end);
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let index = first; index <= last; index++) {
    const token = tokens[index];
    if (token === undefined) continue;
    if (token.use !== use || token.file !== use.file || !isWithin(token, argument)) {
      return rangeOfText(unit, tokens, start, end);
    }
    least = Math.min(least, token.start);
    most = Math.max(most, token.end);
  }
  return { file: use.file.path, start: least, end: most };
}

function isWithin(token: Token, extent: { readonly start: number; readonly end: number }): boolean {
  return token.start >= extent.start && token.end <= extent.end;
}

/** The first and the last token that `start` to `end` touches. */
function tokensOf(unit: UnitText, start: number, end: number): [number, number] {
  const first = Math.min(firstAtOrAbove(unit.ends, start + 1), unit.ends.length - 1);
  const last = firstAtOrAbove(unit.starts, end, first) - 1;
  return [first, Math.max(first, last)];
}

/** The first index, from `low` on, at which ascending whole numbers reach `limit`; their number where none does. */
function firstAtOrAbove(values: readonly number[], limit: number, low = 0): number {
  let from = low;
  let to = values.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((values[middle] ?? 0) >= limit) to = middle;
    else from = middle + 1;
  }
  return from;
}
