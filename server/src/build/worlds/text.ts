// Text that knows where each piece of it was typed, through every expansion of variables. What is not known in it is one character of
// a private area, so that all work on strings leaves it whole.
import type { Origin } from "../flags.ts";

/** A stretch of one origin, up to `end`. */
interface Run {
  readonly end: number;
  readonly origin: Origin;
}

export interface Text {
  readonly string: string;
  /** In order of their ends; the last one ends with the string. */
  readonly runs: readonly Run[];
}

export const emptyText: Text = { string: "", runs: [] };

/** Text of more characters than this is cut: nobody writes it, but a variable that doubles itself does. */
const longestText = 1_000_000;

export function textOf(string: string, origin: Origin): Text {
  return string === "" ? emptyText : { string, runs: [{ end: string.length, origin }] };
}

export function slice(text: Text, from: number, to: number = text.string.length): Text {
  const start = Math.max(0, from);
  const end = Math.min(to, text.string.length);
  if (start >= end) return emptyText;
  if (start === 0 && end === text.string.length) return text;
  const runs: Run[] = [];
  for (const run of text.runs) {
    if (run.end <= start) continue;
    runs.push({ end: Math.min(run.end, end) - start, origin: run.origin });
    if (run.end >= end) break;
  }
  return { string: text.string.slice(start, end), runs };
}

export function concat(...texts: readonly Text[]): Text {
  const builder = new TextBuilder();
  for (const text of texts) builder.append(text);
  return builder.build();
}

/** `texts` with `separator` between them, which belongs to the text after it. */
export function join(texts: readonly Text[], separator: string): Text {
  const builder = new TextBuilder();
  texts.forEach((text, index) => {
    if (index > 0) builder.append(textOf(separator, originAt(text, 0) ?? nowhere));
    builder.append(text);
  });
  return builder.build();
}

/** Where the character at `index` was typed; null outside of the text. */
export function originAt(text: Text, index: number): Origin | null {
  for (const run of text.runs) if (index < run.end) return run.origin;
  return text.runs.at(-1)?.origin ?? null;
}

/** Where the text begins. */
export function startOf(text: Text): Origin {
  return text.runs[0]?.origin ?? nowhere;
}

/**
 * The place that a user would edit to change a word put together of several: where its last piece was typed. `-DN=$(N)` is changed at
 * `N = 4`, `-I$(ROOT)/include` where that stands.
 */
export function originOfWord(word: Text): Origin | null {
  return word.runs.at(-1)?.origin ?? null;
}

/** Pieces between white space. */
export function wordsOf(text: Text): Text[] {
  const words: Text[] = [];
  for (const match of text.string.matchAll(/\S+/g))
    words.push(slice(text, match.index, match.index + match[0].length));
  return words;
}

export function trim(text: Text): Text {
  const start = text.string.search(/\S/);
  if (start === -1) return emptyText;
  return slice(text, start, text.string.trimEnd().length);
}

/** Text in front of which white space is dropped. */
export function trimStart(text: Text): Text {
  const start = text.string.search(/\S/);
  return start === -1 ? emptyText : slice(text, start);
}

/** Each match of `pattern`, which is global, by what `replacement` gives for it. */
export function replaceAll(text: Text, pattern: RegExp, replacement: (match: RegExpExecArray) => Text): Text {
  const builder = new TextBuilder();
  let from = 0;
  for (const match of text.string.matchAll(pattern)) {
    builder.append(slice(text, from, match.index));
    builder.append(replacement(match));
    from = match.index + match[0].length;
  }
  if (from === 0) return text;
  builder.append(slice(text, from));
  return builder.build();
}

/** Lines without their ends. */
export function linesOf(text: Text): Text[] {
  const lines: Text[] = [];
  let from = 0;
  for (let at = text.string.indexOf("\n"); at !== -1; at = text.string.indexOf("\n", from)) {
    lines.push(slice(text, from, text.string[at - 1] === "\r" && at > from ? at - 1 : at));
    from = at + 1;
  }
  if (from < text.string.length) lines.push(slice(text, from));
  return lines;
}

/** The lines of a file, each with its own origin. */
export function linesOfFile(file: string, content: string): Text[] {
  const plain = content.replace(/^\uFEFF/, "").replace(privateCharacters, "\uFFFD");
  const lines = plain
    .split("\n")
    .map((line, index) => textOf(line.replace(/\r$/, ""), { file, line: index + 1 }));
  return plain.endsWith("\n") ? lines.slice(0, -1) : lines;
}

const privateCharacters = /[\uE000-\uF8FF]/g;
const firstPrivate = 0xe000;
const lastPrivate = 0xf8ff;
const nowhere: Origin = { file: "", line: 1 };

/** Puts text together piece by piece. */
export class TextBuilder {
  private strings: string[] = [];
  private runs: Run[] = [];
  private length = 0;

  append(text: Text): void {
    if (text.string === "" || this.length + text.string.length > longestText) return;
    this.strings.push(text.string);
    for (const run of text.runs) {
      const end = this.length + run.end;
      const last = this.runs.at(-1);
      if (last !== undefined && isSameOrigin(last.origin, run.origin))
        this.runs[this.runs.length - 1] = { end, origin: last.origin };
      else this.runs.push({ end, origin: run.origin });
    }
    this.length += text.string.length;
  }

  build(): Text {
    return { string: this.strings.join(""), runs: this.runs };
  }
}

function isSameOrigin(a: Origin, b: Origin): boolean {
  return a === b || (a.line === b.line && a.file === b.file);
}

/** What is not known, and why. */
export interface Unknown {
  /** As written: "$(shell nvcc --version)". */
  readonly what: string;
  readonly reason: string;
  readonly origin: Origin;
}

/** The characters that stand for what is not known. What is written alike is one unknown: both are the same, whatever it is. */
export class Unknowns {
  private readonly known: Unknown[] = [];
  private readonly byText = new Map<string, number>();

  /** The character for `what`. */
  textOf(what: string, reason: string, origin: Origin): Text {
    const key = `${what}\n${reason}`;
    let index = this.byText.get(key);
    if (index === undefined) {
      index = Math.min(this.known.length, lastPrivate - firstPrivate);
      this.known[index] = { what, reason, origin };
      this.byText.set(key, index);
    }
    return textOf(String.fromCharCode(firstPrivate + index), origin);
  }

  of(character: string): Unknown | null {
    return this.known[character.charCodeAt(0) - firstPrivate] ?? null;
  }

  /** Those that `string` holds, each once. */
  in(string: string): Unknown[] {
    const found = new Set<Unknown>();
    for (const [character] of string.matchAll(privateCharacters)) {
      const unknown = this.of(character);
      if (unknown !== null) found.add(unknown);
    }
    return [...found];
  }

  /** `string` with what is not known as it was written. */
  written(string: string): string {
    return string.replace(privateCharacters, (character) => this.of(character)?.what ?? "?");
  }
}

export function hasUnknown(string: string): boolean {
  return /[\uE000-\uF8FF]/.test(string);
}
