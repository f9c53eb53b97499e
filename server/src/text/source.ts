// Places in what the user typed. Offsets count UTF-16 code units from 0; lines and columns shown to people count from 1.

/** A half-open range of offsets in one file, as the user typed it. */
export interface SourceRange {
  /** Path as the host names the file. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** A place as people and JSON name it: 1-based line, 1-based column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * A stack of places, innermost first, from the first that the user typed: what warplint's own text of a library does belongs to the call of
 * the library.
 */
export function typedStack(stack: readonly SourceRange[]): readonly SourceRange[] {
  const first = stack.findIndex(isTyped);
  return first > 0 ? stack.slice(first) : stack;
}

/** Whether the user typed what stands there: the files of warplint's own text of libraries are named in angle brackets. */
export function isTyped({ file }: SourceRange): boolean {
  return !file.startsWith("<");
}

/** Offsets at which each line of `text` starts; the first is 0. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The 1-based line and column of `offset`, given the starts of the lines. */
export function positionAt(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
