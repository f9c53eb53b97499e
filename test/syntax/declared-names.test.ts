// Which names a top-level declaration may declare: each that it does, and few besides, since all that uses one of them hangs on it.
import { expect, test } from "vitest";
import { lex } from "../../server/src/preprocess/lex.ts";
import { namesDeclaredBy } from "../../server/src/syntax/declared-names.ts";

const declarations: [declaration: string, names: string[]][] = [
  ["__global__ void scale(const half *x, Params p) { float y = x[0]; }", ["__global__", "void", "scale"]],
  ["template <typename T> T largest(T a, T b);", ["T", "largest"]],
  ["typedef void (*Launcher)(const Params &, int);", ["typedef", "void", "Launcher"]],
  ["float (&row(float (&tile)[32]))[32];", ["float", "row", "tile"]],
  ["void (* const table[2])(float *) = {first, second};", ["void", "const", "table"]],
  ["enum class Layout { Row, Column };", ["enum", "class", "Layout", "Row", "Column"]],
];

test.each(declarations)("%s", (declaration, names) => {
  expect([...namesDeclaredBy(lex("a.cu", declaration).tokens)]).toEqual(names);
});
