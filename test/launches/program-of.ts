// A program from its text, for tests.
import { readFileSync } from "node:fs";
import type { Program } from "../../server/src/ir/function.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { createParser, readTranslationUnit } from "../../server/src/syntax/translation-unit.ts";
