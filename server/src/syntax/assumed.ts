// Which declarations hang on macros of which the build leaves something open: by their own text, and by the names of others that do.
import type { MacroAssumption } from "../preprocess/assumed.ts";
import type { SourceRange } from "../text/source.ts";
import type { SyntaxUnit } from "./unit.ts";

/** `assumed` with the names of the variables, constants and types that hang on each macro. */
export function throughDeclarations(
  assumed: readonly MacroAssumption[],
  units: readonly SyntaxUnit[],
  texts: ReadonlyMap<string, string>,
): readonly MacroAssumption[] {
  if (assumed.length === 0) return assumed;
  const followed = assumed.filter(({ why }) => why !== "unknown-value");
  if (followed.length === 0) return assumed;
  const others = othersIn(units, texts);
  return assumed.map((each) => (followed.includes(each) ? grown(each, others) : each));
}

/** The declarations that are no functions, and which of them each word stands in. */
interface Others {
  readonly places: readonly { readonly unit: SyntaxUnit; readonly range: SourceRange }[];
  /** By index in `places`. */
  readonly withWord: ReadonlyMap<string, readonly number[]>;
}

/** What calls a function hangs on it through the function itself: functions are left out. */
function othersIn(units: readonly SyntaxUnit[], texts: ReadonlyMap<string, string>): Others {
  const places = units.flatMap((unit) => {
    const range = unit.extent();
    return range === null || isFunction(unit.text) ? [] : [{ unit, range }];
  });
  const withWord = new Map<string, number[]>();
  for (const [index, { range }] of places.entries())
    for (const word of wordsAt(range, texts)) {
      const known = withWord.get(word);
      if (known === undefined) withWord.set(word, [index]);
      else if (known.at(-1) !== index) known.push(index);
    }
  return { places, withWord };
}

/** With the names of what hangs on the macro, each name followed once. */
function grown(macro: MacroAssumption, { places, withWord }: Others): MacroAssumption {
  // A set goes on with what is added to it meanwhile.
  const names = new Set(macro.names);
  const reached = new Set<number>();
  const reach = (index: number) => {
    const place = places[index];
    if (place === undefined || reached.has(index)) return;
    reached.add(index);
    for (const name of declaredBy(place.unit)) names.add(name);
  };
  for (const [index, { range }] of places.entries())
    if (macro.regions.some((each) => isOpenIn(range, each))) reach(index);
  for (const name of names) for (const index of withWord.get(name) ?? []) reach(index);
  return { ...macro, names };
}

/** Whether what stands at `range` may be another where the macro is another. */
export function hangsOn(
  range: SourceRange,
  texts: ReadonlyMap<string, string>,
  { names, regions, why }: MacroAssumption,
): boolean {
  if (regions.some((each) => isOpenIn(range, each))) return true;
  // Of a value that is not known, each use is unknown by itself.
  if (why === "unknown-value") return false;
  return wordsAt(range, texts).some((word) => names.has(word));
}

function wordsAt(range: SourceRange, texts: ReadonlyMap<string, string>): readonly string[] {
  const text = texts.get(range.file)?.slice(range.start, range.end) ?? "";
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}

/** A declaration that stands whole in the only branch is there or is not: nothing else stands in its place. */
function isOpenIn(inner: SourceRange, { range, hasOthers }: MacroAssumption["regions"][number]): boolean {
  if (range.file !== inner.file || range.end <= inner.start || inner.end <= range.start) return false;
  const isWhole = range.start <= inner.start && inner.end <= range.end;
  return hasOthers || !isWhole;
}

/** What a declaration that is no function gives a meaning to: of the names in it those that stand where declared ones do. */
function declaredBy(unit: SyntaxUnit): readonly string[] {
  const isEnumeration = /^\s*(typedef\s+)?enum\b/.test(unit.text);
  const head = isEnumeration ? unit.text : withoutBodies(unit.text).replace(/=[^,;]*/g, "=");
  const found = head.match(/[A-Za-z_]\w*(?=\s*(?:[=[;{},]|:(?!:)))/g) ?? [];
  const names = unit.names();
  return found.filter((name) => names.has(name));
}

function withoutBodies(text: string): string {
  let depth = 0;
  let out = "";
  for (const character of text) {
    if (character === "}") depth--;
    if (depth === 0 || (depth === 1 && character === "{")) out += character;
    if (character === "{") depth++;
  }
  return out;
}

function isFunction(text: string): boolean {
  const brace = text.indexOf("{");
  return brace !== -1 && /\)\s*(const|noexcept)?\s*$/.test(text.slice(0, brace));
}
