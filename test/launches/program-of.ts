// A program from its text, for tests.
import type { Program } from "../../server/src/ir/function.ts";
import { librariesOf } from "../../server/src/lower/headers/libraries.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readTranslationUnit } from "../../server/src/syntax/translation-unit.ts";
import { testParser } from "../support/parser.ts";

/** Preprocesses, parses and lowers `text` as the file `name`, which includes nothing. */
export async function programOf(name: string, text: string): Promise<Program> {
  const parser = await testParser();
  const unit = readTranslationUnit(name, text, parser, { readInclude: () => null });
  return lowerProgram(unit, librariesOf(parser));
}
