// The state before an edit, as the state after it sees it: moved to where things stand now, with what broke since.
import { type FileSettings, isSameFor } from "../project/project.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import { declarationsOf } from "./broken.ts";
import { type Dependencies, dependenciesOf, headOf, noDependencies, type Part } from "./dependencies.ts";
import { type DeclarationMemory, moveMemory, type Stamp, stampOf, type UnitMemory } from "./memory.ts";
import { changesBetween, type TextChanges } from "./move.ts";
import { unharmedUnits } from "./unharmed.ts";

/** A unit with what was known of it before. */
export interface UnitState {
  readonly unit: TranslationUnit;
  readonly settings: FileSettings;
  readonly dependencies: Dependencies;
  readonly declarations: readonly DeclarationMemory[];
  /** Declarations with syntax errors that they had not before, and what something takes that is not closed. */
  readonly broken: readonly Stamp[];
  /** What was known before, as it was and moved to where things stand now; null where nothing was, or settings have changed since. */
  readonly before: UnitMemory | null;
  readonly moved: UnitMemory | null;
  readonly changes: TextChanges;
}

/**
 * What becomes of declarations that an edit broke. "awaited": they are taken for half typed, and what was known of them before stands.
 * "as they are": nobody is about to mend them, and they are read as in a file that was opened so.
 */
export type BrokenCode = "awaited" | "as they are";

/** What is asked of a text: of one that is edited it is kept what hangs on what; of one that stays as it is nothing is. */
export interface StateOptions {
  readonly brokenCode: BrokenCode;
  readonly edits: "awaited" | "none";
}

/** `earlier`: of the state before; null where there was none. */
export function stateOfUnit(
  unit: TranslationUnit,
  settings: FileSettings,
  earlier: UnitMemory | null,
  { brokenCode, edits }: StateOptions,
): UnitState {
  if (edits === "none") return stateAsItIs(unit, settings, earlier);
  const isSame = earlier !== null && isSameFor(earlier.unit.texts.keys(), earlier.settings, settings);
  const before = isSame ? earlier : null;
  const changes = before === null ? new Map() : changesBetween(before.unit.texts, unit.texts);
  const unharmed = before === null ? [] : unharmedUnits(before.unit.units, unit.units, changes);
  const moved = before === null ? null : moveMemory(before, changes, unharmed);
  const isAwaited = brokenCode === "awaited";
  const declarations = declarationsOf(unit, isAwaited ? (moved?.declarations ?? null) : null);
  return {
    unit,
    settings,
    dependencies: dependenciesOf(unit, earlier?.names ?? null),
    declarations,
    broken: [
      ...declarations.flatMap(({ stamp, isBroken }) => (isBroken ? [stamp] : [])),
      ...(isAwaited ? unit.unclosed : []).map((place) => ({ hash: "unclosed", place, isIntact: true })),
    ],
    before,
    moved,
    changes,
  };
}

/** The same program again, with others that speak for its kernels: of other texts nothing holds. */
function stateAsItIs(unit: TranslationUnit, settings: FileSettings, earlier: UnitMemory | null): UnitState {
  const isSame =
    earlier !== null &&
    isSameFor(earlier.unit.texts.keys(), earlier.settings, settings) &&
    areSameTexts(earlier.unit, unit);
  const before = isSame ? earlier : null;
  return {
    unit,
    settings,
    dependencies: noDependencies,
    declarations: [],
    broken: [],
    before,
    moved: before,
    changes: new Map(),
  };
}

function areSameTexts(a: TranslationUnit, b: TranslationUnit): boolean {
  return (
    a.units.length === b.units.length &&
    a.texts.size === b.texts.size &&
    [...a.texts].every(([path, text]) => b.texts.get(path) === text)
  );
}

/** What the launches hang on. */
export function hostStamps({ dependencies }: UnitState): readonly Stamp[] {
  return dependencies.host.map(stampOfPart);
}

/** A head counts wherever it stands. */
export function stampOfPart({ unit, extent }: Part): Stamp {
  return extent === "head" ? { hash: headOf(unit), place: null, isIntact: true } : stampOf(unit);
}
