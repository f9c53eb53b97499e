// A few lines of source with what is meant underlined.
import type { SourceRange } from "../text/source.ts";
import type { Places } from "./places.ts";

export interface FrameLine {
  readonly number: number;
  readonly text: string;
  /** Columns (from 0) underlined; null on lines around. */
  readonly mark: { readonly start: number; readonly end: number } | null;
}

/** The lines of `range`, at most `most` of them, tabs turned into spaces so that marks stand below what they mark. */
export function frameOf(range: SourceRange, places: Places, most = 3): FrameLine[] {
  const start = places.startOf(range);
  const end = places.endOf(range);
  const lines: FrameLine[] = [];
  for (let line = start.line; line <= end.line && lines.length < most; line++) {
    const text = places.lineText(range.file, line);
    if (text === null) break;
    const from = line === start.line ? start.column - 1 : text.length - text.trimStart().length;
    const to = line === end.line ? end.column - 1 : text.trimEnd().length;
    const mark = { start: widthOf(text.slice(0, from)), end: widthOf(text.slice(0, to)) };
    lines.push({ number: line, text: withoutTabs(text), mark });
  }
  return lines;
}

/** The frame as text: line numbers, a bar, and carets below. */
export function drawFrame(lines: readonly FrameLine[]): string[] {
  const width = String(lines.at(-1)?.number ?? 0).length;
  return lines.flatMap(({ number, text, mark }) => {
    const shown = `${String(number).padStart(width)} | ${cut(text)}`.trimEnd();
    if (mark === null || mark.start >= longestLine) return [shown];
    const length = Math.max(1, Math.min(mark.end, longestLine) - mark.start);
    return [shown, `${" ".repeat(width)} | ${" ".repeat(mark.start)}${"^".repeat(length)}`];
  });
}

/** Longer lines are generated; nobody reads them on a terminal. */
const longestLine = 160;

function cut(text: string): string {
  return text.length <= longestLine ? text : `${text.slice(0, longestLine - 1)}…`;
}

const tabWidth = 4;

function withoutTabs(text: string): string {
  let out = "";
  for (const character of text)
    out += character === "\t" ? " ".repeat(tabWidth - (out.length % tabWidth)) : character;
  return out;
}

function widthOf(text: string): number {
  return withoutTabs(text).length;
}
