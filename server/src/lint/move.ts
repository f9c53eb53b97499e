// Where places of an earlier text stand in a later one. The texts of a file differ in one stretch, however many edits made it.
import type { SourceRange } from "../text/source.ts";
import { type ChangedStretch, changedStretch } from "../text/stretch.ts";

export interface TextChange extends ChangedStretch {
  /** The stretch with the rest of the lines that it changes, in the earlier text; null where it only adds lines. */
  readonly lines: { readonly start: number; readonly end: number } | null;
}

/** By file; of files that are the same there is none. */
export type TextChanges = ReadonlyMap<string, TextChange>;

/** What changed in the files that both hold. */
export function changesBetween(
  earlier: ReadonlyMap<string, string>,
  later: ReadonlyMap<string, string>,
): TextChanges {
  const changes = new Map<string, TextChange>();
  for (const [file, text] of later) {
    const before = earlier.get(file);
    if (before !== undefined && before !== text) changes.set(file, changeBetween(before, text));
  }
  return changes;
}

/** The shortest stretch outside of which `before` and `after` are equal, from the start of a line where that can be. */
export function changeBetween(before: string, after: string): TextChange {
  const stretch = changedStretch(before, after);
  const shift = slideToLine(before, after, stretch);
  const from = stretch.start - shift;
  const oldEnd = stretch.oldEnd - shift;
  const newEnd = stretch.newEnd - shift;
  return {
    start: from,
    oldEnd,
    newEnd,
    lines: changedLines(before, from, oldEnd, after.slice(from, newEnd)),
  };
}

/**
 * What is only added or only taken away may be said to stand anywhere that reads the same: by how much it must be drawn back to begin a
 * line; 0 where it cannot. Whole lines that come or go then leave the next alone.
 */
function slideToLine(before: string, after: string, { start, oldEnd, newEnd }: ChangedStretch): number {
  if (start !== oldEnd && start !== newEnd) return 0;
  const lineStart = before.lastIndexOf("\n", start - 1) + 1;
  const longer = start === oldEnd ? after : before;
  const end = start === oldEnd ? newEnd : oldEnd;
  const lead = before.slice(lineStart, start);
  return longer.slice(end - lead.length, end) === lead ? lead.length : 0;
}

function changedLines(before: string, start: number, end: number, inserted: string): TextChange["lines"] {
  const lineStart = before.lastIndexOf("\n", start - 1) + 1;
  const nextBreak = before.indexOf("\n", end);
  const lineEnd = nextBreak === -1 ? before.length : nextBreak;
  const isWhole = (text: string) => text === "" || text.endsWith("\n");
  if (start === lineStart && isWhole(before.slice(start, end)) && isWhole(inserted))
    return start === end ? null : { start, end: end - 1 };
  if (start === end && end === lineEnd && /^\r?\n/.test(inserted)) return null;
  return { start: lineStart, end: lineEnd };
}

/** Where `range` stands after the change; what lay inside of the changed stretch is drawn to its ends. */
export function moveRange(range: SourceRange, changes: TextChanges): SourceRange {
  const change = changes.get(range.file);
  if (change === undefined || range.end <= change.start) return range;
  const shift = change.newEnd - change.oldEnd;
  const start = range.start >= change.oldEnd ? range.start + shift : Math.min(range.start, change.start);
  const end = range.end >= change.oldEnd ? range.end + shift : change.newEnd;
  return { file: range.file, start, end };
}

/** Whether the text at `range` is what it was. */
export function isIntact(range: SourceRange, changes: TextChanges): boolean {
  const change = changes.get(range.file);
  return change === undefined || range.end <= change.start || range.start >= change.oldEnd;
}

/** Whether a line on which `range` stands was edited. */
export function isLineEdited(range: SourceRange, changes: TextChanges): boolean {
  const change = changes.get(range.file);
  if (change === undefined) return false;
  if (!isIntact(range, changes)) return true;
  const { lines } = change;
  return lines !== null && range.start <= lines.end && range.end > lines.start;
}

/** `list` with each element moved: the very same list where none moves. */
export function moveAll<T>(list: readonly T[], move: (each: T) => T): readonly T[] {
  let moved: T[] | null = null;
  for (const [index, each] of list.entries()) {
    const after = move(each);
    if (moved === null && after !== each) moved = list.slice(0, index);
    moved?.push(after);
  }
  return moved ?? list;
}
