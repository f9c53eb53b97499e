// Lines of a text, and where a line of its own may be put in.
import type { OffsetRange, TextEdit } from "./types.ts";

export interface TextLine {
  readonly start: number;
  /** Behind the last character, before the end of line. */
  readonly end: number;
  readonly indentation: string;
}

/** The line that holds `offset`. */
export function lineAround(text: string, offset: number): TextLine {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const newline = text.indexOf("\n", offset);
  const end =
    newline === -1 ? text.length : newline > start && text[newline - 1] === "\r" ? newline - 1 : newline;
  return { start, end, indentation: /^[ \t]*/.exec(text.slice(start, end))?.[0] ?? "" };
}

/** The line before `line`; null for the first. */
export function lineBefore(text: string, { start }: TextLine): TextLine | null {
  return start === 0 ? null : lineAround(text, start - 1);
}

/** How the text ends its lines. */
function lineEnd(text: string): "\n" | "\r\n" {
  return /\r\n/.test(text.slice(0, text.indexOf("\n") + 1)) ? "\r\n" : "\n";
}

/** Puts `content` on a line of its own above the one that holds `offset`, indented as that; null where a comment would not be one there. */
export function lineAbove(file: string, text: string, offset: number, content: string): TextEdit | null {
  const line = lineAround(text, offset);
  if (!isWholeLine(text, line)) return null;
  return {
    file,
    start: line.start,
    end: line.start,
    newText: `${line.indentation}${content}${lineEnd(text)}`,
  };
}

/** Takes a comment away, and its line where it stands alone. */
export function withoutComment(file: string, text: string, range: OffsetRange): TextEdit {
  const line = lineAround(text, range.start);
  const before = text.slice(line.start, range.start);
  const isAlone = before.trim() === "" && text.slice(range.end, line.end).trim() === "";
  if (!isAlone) return { file, start: line.start + before.trimEnd().length, end: range.end, newText: "" };
  const end = Math.min(text.length, line.end + lineEnd(text).length);
  return { file, start: line.start, end, newText: "" };
}

/** Whether a comment may stand above the line: it is no part of a macro of several lines, of a comment or of a raw string. */
function isWholeLine(text: string, line: TextLine): boolean {
  const before = lineBefore(text, line);
  if (text.slice(line.start, line.end).trimEnd().endsWith("\\")) return false;
  if (before !== null && text.slice(before.start, before.end).trimEnd().endsWith("\\")) return false;
  return !isInside(text, line.start);
}

/** Whether `offset` lies within a comment or a literal. */
function isInside(text: string, offset: number): boolean {
  spanPattern.lastIndex = 0;
  for (let match = spanPattern.exec(text); match !== null; match = spanPattern.exec(text)) {
    if (match.index >= offset) return false;
    if (match.index + match[0].length > offset) return true;
  }
  return false;
}

/** Comments, raw strings, strings and characters, as they may follow each other. */
const spanPattern =
  /\/\/(?:[^\n\\]|\\[\s\S])*|\/\*[\s\S]*?(?:\*\/|$)|R"([^()\\\s]{0,16})\([\s\S]*?\)\1"|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S]){0,8}'/g;
