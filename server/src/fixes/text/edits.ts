// What edits do to a text and to places in it.
import type { SourceRange } from "../../text/source.ts";
import type { TextEdit } from "../fix.ts";

/** The text with all edits made: they must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, newText } of inOrder(edits)) {
    result += text.slice(at, start) + newText;
    at = end;
  }
  return result + text.slice(at);
}

/** In the order of file and place, those that say the same once; null where two overlap. What is put in front of a replaced place becomes part of it. */
export function joinedEdits(edits: readonly TextEdit[]): TextEdit[] | null {
  const joined: TextEdit[] = [];
  for (const edit of inOrder(edits)) {
    const last = joined.at(-1);
    if (last !== undefined && last.file === edit.file) {
      if (last.start === edit.start && last.end === edit.end && last.newText === edit.newText) continue;
      const isInFront = last.start === last.end && last.start === edit.start && edit.end > edit.start;
      if (isInFront) {
        joined.splice(-1, 1, { ...edit, newText: last.newText + edit.newText });
        continue;
      }
      if (edit.start < last.end || edit.start === last.start) return null;
    }
    joined.push(edit);
  }
  return joined;
}

function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  return [...edits].sort((a, b) =>
    a.file === b.file ? a.start - b.start || a.end - b.end : a.file < b.file ? -1 : 1,
  );
}

/** Where a range lies after the edits. What is replaced inside of it stretches it. */
export function movedRange({ file, start, end }: SourceRange, edits: readonly TextEdit[]): SourceRange {
  let movedStart = start;
  let movedEnd = end;
  for (const edit of edits) {
    if (edit.file !== file) continue;
    const grown = edit.newText.length - (edit.end - edit.start);
    if (edit.end <= start) movedStart += grown;
    if (edit.start < end) movedEnd += grown;
  }
  return { file, start: movedStart, end: movedEnd };
}
