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
  // What calls a function hangs on it through the function itself.
  const others = units.flatMap((unit) => {
    const range = unit.extent();
    return range === null || isFunction(unit.text) ? [] : [{ unit, range }];
  });
  return assumed.map((each) => {
    if (each.why === "unknown-value") return each;
    const names = new Set(each.names);
    const grown = { ...each, names };
    for (let count = -1; count !== names.size; ) {
      count = names.size;
      for (const { unit, range } of others)
        if (hangsOn(range, texts, grown)) for (const name of declaredBy(unit)) names.add(name);
    }
    return grown;
  });
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
  const text = texts.get(range.file)?.slice(range.start, range.end) ?? "";
  return text.match(/[A-Za-z_]\w*/g)?.some((word) => names.has(word)) ?? false;
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
