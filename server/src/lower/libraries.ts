// The texts that stand for libraries' headers, read as translation units.
import { type CudaParser, readTranslationUnit } from "../syntax/translation-unit.ts";
import { containerFile, containerText } from "./container-text.ts";
import { preludeFile, preludeText } from "./prelude.ts";
import type { LowerOptions } from "./program.ts";

/** Reads what every program may name, and, once some program names a container, the containers. */
export function librariesOf(parser: CudaParser): LowerOptions {
  const read = (file: string, text: string) =>
    readTranslationUnit(file, text, parser, { readInclude: () => null });
  let containers: ReturnType<typeof read> | null = null;
  return {
    prelude: read(preludeFile, preludeText),
    containers: () => {
      containers ??= read(containerFile, containerText);
      return containers;
    },
  };
}
