// From offsets to what people see: lines, columns, the text of a line, a path as they would type it.
import { lineStarts, type Position, positionAt, type SourceRange } from "../text/source.ts";

export interface Places {
  startOf(range: SourceRange): Position;
  endOf(range: SourceRange): Position;
  /** The text of a line (from 1), without its end; null where there is none. */
  lineText(file: string, line: number): string | null;
  /** What the range covers. */
  textOf(range: SourceRange): string;
  displayPath(file: string): string;
}

/** Places in `texts` (by file); the lines of a file are looked for once, when first asked for. */
export function createPlaces(
  texts: ReadonlyMap<string, string>,
  displayPath: (file: string) => string,
): Places {
  const starts = new Map<string, number[]>();
  const startsOf = (file: string): number[] => {
    let found = starts.get(file);
    if (found === undefined) {
      found = lineStarts(texts.get(file) ?? "");
      starts.set(file, found);
    }
    return found;
  };
  return {
    startOf: ({ file, start }) => positionAt(startsOf(file), start),
    endOf: ({ file, end }) => positionAt(startsOf(file), end),
    lineText: (file, line) => {
      const text = texts.get(file);
      const start = startsOf(file)[line - 1];
      if (text === undefined || start === undefined) return null;
      const end = startsOf(file)[line];
      return text.slice(start, end === undefined ? undefined : end - 1).replace(/\r$/, "");
    },
    textOf: ({ file, start, end }) => (texts.get(file) ?? "").slice(start, end),
    displayPath,
  };
}
