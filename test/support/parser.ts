// The parser for tests: one for each test file, since starting WASM costs 40 ms.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type CudaParser,
  createParser,
  type ReadOptions,
  readTranslationUnit,
} from "../../server/src/syntax/translation-unit.ts";
import type { TranslationUnit } from "../../server/src/syntax/unit.ts";

export const bytesOf = (path: string) =>
  new Uint8Array(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url))));

/** The parser's own code and the grammar. */
export const parserWasm = () => ({
  runtime: bytesOf("node_modules/web-tree-sitter/web-tree-sitter.wasm"),
  grammar: bytesOf("grammars/tree-sitter-cuda.wasm"),
});

let parser: Promise<CudaParser> | null = null;

export function testParser(): Promise<CudaParser> {
  parser ??= createParser(parserWasm());
  return parser;
}

/** Reads `text` as `a.cu`; `files` are what it can include, by path. */
export async function readText(
  text: string,
  files: Readonly<Record<string, string>> = {},
  options: Partial<ReadOptions> = {},
): Promise<TranslationUnit> {
  const readInclude = (name: string) => {
    const found = files[name];
    return found === undefined ? null : { path: name, text: found };
  };
  return readTranslationUnit("a.cu", text, await testParser(), { readInclude, ...options });
}
