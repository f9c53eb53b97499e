// A program from its text, for tests.
import type { Program } from "../../server/src/ir/function.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readTranslationUnit } from "../../server/src/syntax/translation-unit.ts";
import { testParser } from "../support/parser.ts";

/** Preprocesses, parses and lowers `text` as the file `name`, which includes nothing. */
export async function programOf(name: string, text: string): Promise<Program> {
  return lowerProgram(readTranslationUnit(name, text, await testParser(), { readInclude: () => null }));
}
