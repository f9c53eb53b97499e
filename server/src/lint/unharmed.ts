// Which declarations an edit reached into without touching their code: nothing but white space and comments came or went.
import type { SyntaxUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";
import { isIntact, moveRange, type TextChanges } from "./move.ts";

/** Those of `earlier` with all their tokens in `later`, each where `changes` move it. */
export function unharmedUnits(
  earlier: readonly SyntaxUnit[],
  later: readonly SyntaxUnit[],
  changes: TextChanges,
): readonly SyntaxUnit[] {
  return earlier.filter((unit) => {
    const extent = unit.extent();
    if (extent === null || isIntact(extent, changes)) return false;
    const moved = moveRange(extent, changes);
    const now = later.find((each) => isSame(each.extent(), moved));
    return now !== undefined && now.hash() === unit.hash() && movedAlong(unit, now, changes);
  });
}

function movedAlong(earlier: SyntaxUnit, later: SyntaxUnit, changes: TextChanges): boolean {
  return earlier.written.starts.every((start, token) => {
    const from = earlier.rangeOf(start, earlier.written.ends[token] ?? start);
    const to = later.written.starts[token] ?? 0;
    return isSame(later.rangeOf(to, later.written.ends[token] ?? to), moveRange(from, changes));
  });
}

function isSame(a: SourceRange | null, b: SourceRange): boolean {
  return a !== null && a.start === b.start && a.end === b.end && a.file === b.file;
}
