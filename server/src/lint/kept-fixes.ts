// Fixes that were found in an earlier state of a text, brought to where things stand now.
import type { Fix, FixRefusal, FixSearchResult } from "../fixes/fix.ts";
import type { SourceRange } from "../text/source.ts";
import type { KernelFixSearch } from "./fixes.ts";
import { changesBetween, isIntact, moveRange, type TextChanges } from "./move.ts";

/** What a search found, and the texts in which its places count. */
export interface FoundFixes {
  readonly key: string;
  readonly found: FixSearchResult;
  readonly texts: ReadonlyMap<string, string>;
}

/** What `search` would find in `texts`, where an earlier one found it already; null where it has to look for itself. */
export function keptFixes(
  earlier: FoundFixes | undefined,
  search: KernelFixSearch,
  texts: ReadonlyMap<string, string>,
): FixSearchResult | null {
  if (earlier === undefined || earlier.key !== search.key) return null;
  const changes = changesBetween(earlier.texts, texts);
  if (changes.size === 0) return earlier.found;
  const { fixes, refusals } = earlier.found;
  // A place that was edited after all, as white space may be, is looked at again.
  if (
    ![...fixes.flatMap(placesOf), ...refusals.map(({ target }) => target)].every((place) =>
      isWhole(place, changes),
    )
  )
    return null;
  return {
    fixes: fixes.map((fix) => movedFix(fix, changes)),
    refusals: refusals.map((refusal) => movedRefusal(refusal, changes)),
  };
}

function placesOf({ target, edits, dearer }: Fix): SourceRange[] {
  return [target, ...edits, ...dearer.map(({ range }) => range)];
}

/** An insertion has no text of its own: it must not touch what was edited. */
function isWhole(place: SourceRange, changes: TextChanges): boolean {
  const change = changes.get(place.file);
  if (change === undefined) return true;
  return isIntact(place, changes) && (place.start < place.end || place.start !== change.start);
}

function movedFix(fix: Fix, changes: TextChanges): Fix {
  return {
    ...fix,
    target: moveRange(fix.target, changes),
    edits: fix.edits.map((edit) => ({ ...edit, ...moveRange(edit, changes) })),
    dearer: fix.dearer.map((each) => ({ ...each, range: moveRange(each.range, changes) })),
  };
}

function movedRefusal(refusal: FixRefusal, changes: TextChanges): FixRefusal {
  return { ...refusal, target: moveRange(refusal.target, changes) };
}
