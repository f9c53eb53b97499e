// Edits of texts, in offsets of what the user typed.

/** Replaces what stands between two offsets of a file; an insertion where they are equal. */
export interface TextEdit {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** The texts of the files that `edits` change, changed; null where two edits overlap or one lies outside of its text. */
export function applyEdits(
  texts: ReadonlyMap<string, string>,
  edits: readonly TextEdit[],
): ReadonlyMap<string, string> | null {
  const edited = new Map<string, string>();
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const text = texts.get(file);
    if (text === undefined) return null;
    const after = applyToText(
      text,
      edits.filter((edit) => edit.file === file),
    );
    if (after === null) return null;
    edited.set(file, after);
  }
  return edited;
}

/** `text` with `edits` of one file made; null where two overlap or one lies outside of it. */
export function applyToText(text: string, edits: readonly TextEdit[]): string | null {
  let after = "";
  let at = 0;
  for (const { start, end, newText } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at || end < start || end > text.length) return null;
    after += text.slice(at, start) + newText;
    at = end;
  }
  return after + text.slice(at);
}

/** Whether two edits change the same place, so that only one of them can be made. */
export function overlap(a: TextEdit, b: TextEdit): boolean {
  if (a.file !== b.file) return false;
  if (a.start === a.end && b.start === b.end) return a.start === b.start;
  return a.start < b.end && b.start < a.end;
}
