// The declarations that something hangs on as they stood once, told apart from where they stand: what is typed back is known again.
import type { SourceRange } from "../text/source.ts";
import type { Stamp } from "./memory.ts";
import type { PlaceOf } from "./move-profile.ts";

export interface Standing {
  /** What holds for the translation unit as a whole. */
  readonly world: string;
  /** As they were stamped. */
  readonly parts: readonly Stamp[];
  readonly texts: ReadonlyMap<string, string>;
}

/** From places in the declarations of `earlier` to those in `later`; null where a declaration is not what it was, letter by letter. */
export function shiftBetween(earlier: Standing, later: Standing): PlaceOf | null {
  return shiftBeside(earlier, later, null);
}

/** As `shiftBetween`, but for the declaration at index `own`, of which no place is known. */
export function shiftBeside(earlier: Standing, later: Standing, own: number | null): PlaceOf | null {
  if (earlier.world !== later.world || earlier.parts.length !== later.parts.length) return null;
  const shifts: { readonly from: SourceRange; readonly to: SourceRange }[] = [];
  for (const [index, part] of earlier.parts.entries()) {
    if (index === own) continue;
    const now = later.parts[index];
    if (now === undefined || part.hash !== now.hash) return null;
    if (isWithoutPlace(part) && isWithoutPlace(now)) continue;
    if (!part.place || !now.place || textAt(part.place, earlier) !== textAt(now.place, later)) return null;
    shifts.push({ from: part.place, to: now.place });
  }
  return (range) => {
    const shift = shifts.find(({ from }) => isWithin(range, from));
    if (shift === undefined) return null;
    const { from, to } = shift;
    return {
      file: to.file,
      start: range.start - from.start + to.start,
      end: range.end - from.start + to.start,
    };
  };
}

/** The index of the declaration in which `range` stands; null where there is none. */
export function partAround(range: SourceRange, { parts }: Standing): number | null {
  const index = parts.findIndex(({ place }) => place !== null && isWithin(range, place));
  return index === -1 ? null : index;
}

/** The head of a declaration, of which only the words count. */
function isWithoutPlace({ place, isIntact }: Stamp): boolean {
  return place === null && isIntact;
}

export function textAt({ file, start, end }: SourceRange, { texts }: Standing): string | null {
  return texts.get(file)?.slice(start, end) ?? null;
}

function isWithin({ file, start, end }: SourceRange, around: SourceRange): boolean {
  return file === around.file && start >= around.start && end <= around.end;
}
