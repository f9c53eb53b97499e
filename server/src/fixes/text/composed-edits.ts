// Edits of a text, and edits of what came of it, as edits of the text that there was at first.
import type { TextEdit } from "../../text/edit.ts";
import { applyEdits } from "./edits.ts";

/** What one or several edits come to. */
export interface ComposedEdit {
  readonly edit: TextEdit;
  /** Only the first edits speak of it. */
  readonly isOfFirst: boolean;
}

interface Placed {
  readonly edit: TextEdit;
  /** In the text between. */
  readonly start: number;
  readonly end: number;
  readonly isOfFirst: boolean;
}

/** Of edits of one file, `text` before them all. */
export function composedEdits(
  text: string,
  first: readonly TextEdit[],
  second: readonly TextEdit[],
): ComposedEdit[] {
  const between = applyEdits(text, first);
  const placed = [...placedFirst(first), ...second.map(placedSecond)].sort(
    (a, b) => a.start - b.start || a.end - b.end,
  );
  const groups: Placed[][] = [];
  let end = -1;
  for (const each of placed) {
    const group = groups.at(-1);
    if (group !== undefined && each.start <= end && !(each.isOfFirst && group.every(isOfFirst))) {
      group.push(each);
      end = Math.max(end, each.end);
    } else {
      groups.push([each]);
      end = each.end;
    }
  }
  return groups.map((group) => joinedGroup(group, placed, between));
}

function isOfFirst(each: Placed): boolean {
  return each.isOfFirst;
}

function placedFirst(edits: readonly TextEdit[]): Placed[] {
  let grown = 0;
  return [...edits]
    .sort((a, b) => a.start - b.start)
    .map((edit) => {
      const start = edit.start + grown;
      grown += edit.newText.length - (edit.end - edit.start);
      return { edit, start, end: start + edit.newText.length, isOfFirst: true };
    });
}

function placedSecond(edit: TextEdit): Placed {
  return { edit, start: edit.start, end: edit.end, isOfFirst: false };
}

function joinedGroup(group: readonly Placed[], all: readonly Placed[], between: string): ComposedEdit {
  const [only, ...others] = group;
  if (only !== undefined && others.length === 0 && only.isOfFirst)
    return { edit: only.edit, isOfFirst: true };
  const start = Math.min(...group.map((each) => each.start));
  const end = Math.max(...group.map((each) => each.end));
  const own = group.flatMap(({ edit, isOfFirst }) =>
    isOfFirst ? [] : [{ ...edit, start: edit.start - start, end: edit.end - start }],
  );
  const before = (offset: number, edge: "start" | "end") =>
    all.reduce((sum, each) => {
      const isBefore =
        each.isOfFirst && (group.includes(each) ? edge === "end" : each.end <= start && each.start < end);
      return isBefore ? sum - (each.edit.newText.length - (each.edit.end - each.edit.start)) : sum;
    }, offset);
  return {
    edit: {
      file: only?.edit.file ?? "",
      start: before(start, "start"),
      end: before(end, "end"),
      newText: applyEdits(between.slice(start, end), own),
    },
    isOfFirst: false,
  };
}
