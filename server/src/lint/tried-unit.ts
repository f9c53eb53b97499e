// A translation unit as it would be read if some files had other texts than those on disk.
import type { FileSettings } from "../project/project.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import type { Pipeline } from "./pipeline.ts";
import { readOptionsOf } from "./read-options.ts";

/** The same unit where it reads none of them. */
export function triedUnit(
  unit: TranslationUnit,
  texts: ReadonlyMap<string, string>,
  settings: FileSettings,
  pipeline: Pipeline,
): TranslationUnit {
  if (![...texts.keys()].some((file) => unit.texts.has(file))) return unit;
  return pipeline.read(unit.file, texts.get(unit.file) ?? unit.texts.get(unit.file) ?? "", {
    ...readOptionsOf(withTexts(settings, texts)),
    previous: unit,
  });
}

/** `settings` where some files have other texts than those on disk. */
function withTexts(settings: FileSettings, texts: ReadonlyMap<string, string>): FileSettings {
  return {
    ...settings,
    readInclude: (name, fromFile, kind) => {
      const found = settings.readInclude(name, fromFile, kind);
      if (found === null) return null;
      return { path: found.path, text: texts.get(found.path) ?? found.text };
    },
  };
}
