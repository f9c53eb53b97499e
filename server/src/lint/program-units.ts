// The translation units of a program as one, for whatever asks by names and places: a declaration of a header that several of them have alike
// is one.
import type { SyntaxUnit, TranslationUnit } from "../syntax/unit.ts";

/** `units` is not empty; the root's is first, and gives its name. */
export function unitOfProgram(units: readonly TranslationUnit[]): TranslationUnit {
  const [root, ...others] = units;
  if (root === undefined) throw new Error("a program of no units");
  if (others.length === 0) return root;
  const texts = new Map<string, string>();
  for (const each of [...units].reverse()) for (const [file, text] of each.texts) texts.set(file, text);
  return {
    file: root.file,
    hasRelocatableDeviceCode: units.some((unit) => unit.hasRelocatableDeviceCode),
    units: declarationsOf(units),
    includedFiles: [...new Set(units.flatMap(({ includedFiles }) => includedFiles))],
    missingIncludes: units.flatMap(({ missingIncludes }) => missingIncludes),
    conventions: units.flatMap(({ conventions }) => conventions),
    assumed: units.flatMap(({ assumed }) => assumed),
    notExpanded: units.flatMap(({ notExpanded }) => notExpanded),
    unclosed: units.flatMap(({ unclosed }) => unclosed),
    texts,
    reading: null,
  };
}

function declarationsOf(units: readonly TranslationUnit[]): readonly SyntaxUnit[] {
  const seen = new Map<string, Set<string>>();
  return units.flatMap(({ file, units: declarations }) =>
    declarations.filter((each) => {
      const place = each.extent();
      if (place === null || place.file === file) return true;
      const ofFile = seen.get(place.file) ?? new Set<string>();
      seen.set(place.file, ofFile);
      const key = `${place.start} ${each.hash()}`;
      if (ofFile.has(key)) return false;
      ofFile.add(key);
      return true;
    }),
  );
}
