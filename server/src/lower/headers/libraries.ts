// The texts that stand for libraries' headers, read as translation units.
import { type CudaParser, readTranslationUnit } from "../../syntax/translation-unit.ts";
import type { SyntaxUnit, TranslationUnit } from "../../syntax/unit.ts";
import type { UnitText } from "../../syntax/unit-text.ts";
import type { LowerOptions } from "../program.ts";
import { complexFile, complexNames, complexText } from "./complex.ts";
import { curandFile, curandNames, curandText } from "./curand.ts";
import { functionValueFile, functionValueNames, functionValueText } from "./function-values.ts";
import { preludeFile, preludeText } from "./prelude.ts";
import { smallFloatFile, smallFloatNames, smallFloatText } from "./small-float.ts";
import { standardLibraries } from "./standard-library.ts";
import { torchFile, torchNames, torchText } from "./torch.ts";

/** Libraries that are read once some program mentions one of their names. */
const onDemand = [
  ...standardLibraries,
  { file: curandFile, names: curandNames, text: curandText },
  { file: complexFile, names: complexNames, text: complexText },
  { file: smallFloatFile, names: smallFloatNames, text: smallFloatText },
  { file: torchFile, names: torchNames, text: torchText },
  { file: functionValueFile, names: functionValueNames, text: functionValueText },
];

/** Which of the libraries that are read on demand `unit` mentions, by their files. */
export function librariesNamedIn(unit: TranslationUnit): string[] {
  const named = new Set(unit.units.flatMap(librariesNamedBy));
  return onDemand.flatMap(({ file }) => (named.has(file) ? [file] : []));
}

/** By text: an edit leaves most declarations the texts that they had. */
const mentioned = new WeakMap<UnitText, readonly string[]>();

function librariesNamedBy({ written, text }: SyntaxUnit): readonly string[] {
  const known = mentioned.get(written);
  if (known !== undefined) return known;
  const found = onDemand.flatMap(({ file, names }) => (names.test(text) ? [file] : []));
  mentioned.set(written, found);
  return found;
}

/** Reads what every program may name, and each library on demand when the first program names it. */
export function librariesOf(parser: CudaParser): LowerOptions {
  const read = (file: string, text: string) =>
    readTranslationUnit(file, text, parser, { readInclude: () => null });
  const readOnDemand = new Map<string, TranslationUnit>();
  return {
    prelude: read(preludeFile, preludeText),
    librariesOf: (unit) =>
      librariesNamedIn(unit).map((named) => {
        const known = readOnDemand.get(named);
        if (known !== undefined) return known;
        const fresh = read(named, onDemand.find(({ file }) => file === named)?.text ?? "");
        readOnDemand.set(named, fresh);
        return fresh;
      }),
  };
}
