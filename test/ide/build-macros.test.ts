// The macros of the build that a figure hangs on, as a hover names them.
import { expect, it } from "vitest";
import type { MacroFlag } from "../../server/src/build/flags.ts";
import { buildMacroLines } from "../../server/src/ide/build-macros.ts";
import { createPlaces } from "../../server/src/render/places.ts";

const define = (name: string, value: string | null, more: Partial<MacroFlag> = {}): MacroFlag => ({
  kind: "define",
  name,
  value,
  doubt: null,
  origin: { file: "/w/CMakeLists.txt", line: 14 },
  ...more,
});

const header = "#define TILE (BLOCK_M * \\\n  2)\nconstexpr int rows = ROWS + 1;\n#define OTHER UNUSED\n";
const source = "__global__ void k() { int a = TILE; int b = rows; }\n";
const texts = new Map([
  ["/w/h.cuh", header],
  ["/w/a.cu", source],
]);
const kernel = { file: "/w/a.cu", start: 0, end: source.length };

function lines(macros: readonly MacroFlag[]): string[] {
  const places = createPlaces(texts, (path) => path.replace("/w/", ""));
  return buildMacroLines([kernel], texts, macros, places).flatMap((block) =>
    block.kind === "line" ? [block.spans.map((span) => ("text" in span ? span.text : "")).join("")] : [],
  );
}

it("names those that it reaches through macros and constants, with where they are written", () => {
  const macros = [define("BLOCK_M", "64"), define("ROWS", "8"), define("UNUSED", "1"), define("k", "")];
  expect(lines(macros)).toEqual([
    "BLOCK_M = 64, CMakeLists.txt:14",
    "ROWS = 8, CMakeLists.txt:14",
    "k, CMakeLists.txt:14",
  ]);
});

it("says what is not certain, and nothing of what the compiler defines by itself", () => {
  const macros = [
    define("BLOCK_M", null, { doubt: "VERSION is not known" }),
    define("ROWS", "8", { origin: { file: "<command line>", line: 1 } }),
    define("k", "1", { impliedBy: "-O" }),
  ];
  expect(lines(macros)).toEqual([
    "BLOCK_M is not known, CMakeLists.txt:14 (VERSION is not known)",
    "ROWS = 8, command line",
  ]);
});
