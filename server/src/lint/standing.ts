// The declarations that a kernel hangs on as they stood once, told apart from where they stand: what is typed back is known again.
import type { SyntaxUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";
import { addedIdleLocals, additionAround, type DeclarationText } from "./idle-locals.ts";
import type { Stamp } from "./memory.ts";
import type { PlaceOf } from "./move-profile.ts";

export interface Standing {
  /** What holds for the translation unit as a whole. */
  readonly world: string;
  /** As they were stamped. */
  readonly parts: readonly Stamp[];
  readonly texts: ReadonlyMap<string, string>;
  /** The declarations of the first of `parts`, after preprocessing. */
  readonly declarations: readonly DeclarationText[];
}

/** From where a declaration stood to where it stands now. */
interface Shift {
  readonly from: SourceRange;
  readonly to: SourceRange;
  /** What it holds now and did not before; null where it is what it was. */
  readonly added: { readonly start: number; readonly length: number } | null;
}

/**
 * From places in the declarations of `earlier` to those in `later`; null where a declaration is not what it was, letter by letter. Locals
 * that nothing names may have come to them. `units`: those of `later.declarations`.
 */
export function shiftBetween(
  earlier: Standing,
  later: Standing,
  units: readonly SyntaxUnit[],
): PlaceOf | null {
  if (earlier.world !== later.world || earlier.parts.length !== later.parts.length) return null;
  const shifts: Shift[] = [];
  for (const [index, part] of earlier.parts.entries()) {
    const now = later.parts[index];
    if (isWithoutPlace(part) && now !== undefined && isWithoutPlace(now) && part.hash === now.hash) continue;
    if (!part.place || !now?.place) return null;
    const from = part.place;
    const to = now.place;
    const before = textAt(from, earlier);
    const after = textAt(to, later);
    if (part.hash === now.hash && before === after) {
      shifts.push({ from, to, added: null });
      continue;
    }
    const declaration = earlier.declarations[index];
    const unit = units[index];
    if (before === null || after === null || declaration === undefined || unit === undefined) return null;
    const added = addedTo({ typed: before, declaration }, { typed: after, unit, start: to.start });
    if (added === null) return null;
    shifts.push({ from, to, added });
  }
  return (range) => {
    const shift = shifts.find(({ from }) => isWithin(range, from));
    return shift === undefined ? null : shifted(range, shift);
  };
}

/** The head of a kernel, of which only the words count. */
function isWithoutPlace({ place, isIntact }: Stamp): boolean {
  return place === null && isIntact;
}

function shifted({ start, end }: SourceRange, { from, to, added }: Shift): SourceRange {
  const by = to.start - from.start;
  if (added === null) return { file: to.file, start: start + by, end: end + by };
  const { length } = added;
  return {
    file: to.file,
    start: start + by + (start + by >= added.start ? length : 0),
    end: end + by + (end + by > added.start ? length : 0),
  };
}

function addedTo(
  before: { readonly typed: string; readonly declaration: DeclarationText },
  now: { readonly typed: string; readonly unit: SyntaxUnit; readonly start: number },
): Shift["added"] {
  const locals = addedIdleLocals(before.declaration, now.unit);
  if (locals === null) return null;
  const { start, end } = now.unit.rangeOf(locals.start, locals.end);
  const stretch = { start: start - now.start, end: end - now.start };
  const addition = additionAround(before.typed, now.typed, stretch);
  // A directive, though it leaves no token behind, may mean something to what follows.
  if (addition === null || addition.around.includes("#")) return null;
  return { start: now.start + addition.start, length: addition.length };
}

function textAt({ file, start, end }: SourceRange, { texts }: Standing): string | null {
  return texts.get(file)?.slice(start, end) ?? null;
}

function isWithin({ file, start, end }: SourceRange, around: SourceRange): boolean {
  return file === around.file && start >= around.start && end <= around.end;
}
