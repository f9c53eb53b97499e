// Which declarations an edit left broken: with syntax errors that were not there before. Those that the grammar never understood are not.
import type { SyntaxUnit, TranslationUnit } from "../syntax/unit.ts";
import type { SourceRange } from "../text/source.ts";
import { type DeclarationMemory, errorCount, keyOfStamp, type Stamp, stampOf } from "./memory.ts";

/** `earlier`: those of the state before, moved to where they stand now; null where there was none. */
export function declarationsOf(
  { units }: TranslationUnit,
  earlier: readonly DeclarationMemory[] | null,
): readonly DeclarationMemory[] {
  const stamps = units.map(stampOf);
  if (earlier === null) return units.map((unit, index) => whole(unit, stamps[index] ?? stampOf(unit)));
  const left = new Map<string | DeclarationMemory, DeclarationMemory>();
  for (const each of earlier) left.set(keyOfStamp(each.stamp) ?? each, each);
  const kept = stamps.map((stamp) => take(left, stamp));
  const allowance = once(() => sum([...left.values()].map((each) => each.errorCount())));
  const isNew = (index: number) => kept[index] === null;
  const isBroken = once(
    () => sum(units.map((unit, index) => (isNew(index) ? errorCount(unit.root()) : 0))) > allowance(),
  );
  return units.map((unit, index) => {
    const stamp = stamps[index] ?? stampOf(unit);
    const known = kept[index];
    if (known) return { stamp, errorCount: known.errorCount, isBroken: known.isBroken };
    if (!unit.root().hasError || !isBroken()) return whole(unit, stamp);
    return { stamp, errorCount: allowance, isBroken: true };
  });
}

function take(
  left: Map<string | DeclarationMemory, DeclarationMemory>,
  stamp: Stamp,
): DeclarationMemory | null {
  const key = keyOfStamp(stamp);
  const found = key === null ? undefined : left.get(key);
  if (key === null || found === undefined) return null;
  left.delete(key);
  return found;
}

function whole(unit: SyntaxUnit, stamp: Stamp): DeclarationMemory {
  return { stamp, errorCount: once(() => errorCount(unit.root())), isBroken: false };
}

/**
 * Whether what hung on `parts` and now hangs on `now` must wait until it parses again: some of it is broken, or what it hung on was where
 * something broken is.
 */
export function waitsFor(parts: readonly Stamp[], now: readonly Stamp[], broken: readonly Stamp[]): boolean {
  if (broken.length === 0) return false;
  const keys = new Set(broken.map(keyOfStamp));
  if (now.some((part) => keys.has(keyOfStamp(part)))) return true;
  const present = new Set(now.map(keyOfStamp));
  return parts.some(
    (part) => !present.has(keyOfStamp(part)) && part.place !== null && touchesAny(part.place, broken),
  );
}

/** Whether something broken stands where `range` is. */
export function touchesAny(range: SourceRange, broken: readonly Stamp[]): boolean {
  return broken.some(
    ({ place }) =>
      place !== null && place.file === range.file && place.start < range.end && range.start < place.end,
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
