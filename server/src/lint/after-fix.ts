// What an access costs once a fix is made: for whoever shows before and after.
import type { Fix } from "../fixes/fix.ts";
import type { AccessContext, AccessGroup } from "../rules/finding.ts";
import { groupAccesses } from "../rules/group.ts";
import { applyEdits, type TextEdit } from "../text/edit.ts";
import type { SourceRange } from "../text/source.ts";
import type { FixMaterial } from "./fixes.ts";

/**
 * The contexts of the fix's access in the text after it, in the order in which they stood before it; null where the access is not there any
 * more, as one that became part of a vector.
 */
export function* contextsAfter(
  fix: Fix,
  texts: ReadonlyMap<string, string>,
  material: FixMaterial,
): Generator<void, readonly AccessContext[] | null> {
  const edited = applyEdits(texts, fix.edits);
  if (edited === null) return null;
  const analyses = yield* material.tried(edited);
  const place = placeAfter(fix.target, fix.edits);
  const group = groupAccesses(analyses.flatMap(({ profiles }) => profiles)).find((each) => isAt(each, place));
  return group?.contexts ?? null;
}

function isAt({ range }: AccessGroup, { file, start }: SourceRange): boolean {
  return range.file === file && range.start === start;
}

/** Where `range` stands after the edits; one that was edited itself keeps its start. */
export function placeAfter(range: SourceRange, edits: readonly TextEdit[]): SourceRange {
  const lengthened = (isBefore: (edit: TextEdit) => boolean) =>
    edits
      .filter((edit) => edit.file === range.file && isBefore(edit))
      .reduce((sum, { start, end, newText }) => sum + newText.length - (end - start), 0);
  const start = range.start + lengthened((edit) => edit.end <= range.start && edit.start < range.start);
  const end = range.end + lengthened((edit) => edit.end <= range.end);
  return { file: range.file, start, end };
}
