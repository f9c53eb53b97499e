// #if and its kin, includes, and the macros that are there from the start.
import { expect, test } from "vitest";
import { evaluateCondition } from "../../server/src/preprocess/condition.ts";
import { lex } from "../../server/src/preprocess/lex.ts";
import { preprocess } from "../../server/src/preprocess/preprocess.ts";

function read(text: string, files: Record<string, string> = {}) {
  const readInclude = (name: string) => {
    const found = files[name];
    return found === undefined ? null : { path: name, text: found };
  };
  return preprocess("a.cu", text, { readInclude });
}

const textOf = (text: string, files: Record<string, string> = {}) =>
  read(text, files)
    .tokens.map((token) => token.text)
    .join(" ");

const conditions: [string, boolean | null][] = [
  ["1", true],
  ["0", false],
  ["1 + 2 * 3 == 7", true],
  ["(1 + 2) * 3 == 9", true],
  ["-1 < 0", true],
  ["-1 < 0u", false],
  ["-1 > 0U", true],
  ["1 ? 0 : 1", false],
  ["0 ? 1 : 0 ? 1 : 2", true],
  ["!0 && ~0", true],
  ["50'000'000 == 50000000 && 0x1'F'A == 0x1fa && 'a'!=1", true],
  ["0x10 == 16 && 010 == 8 && 0b11 == 3 && 1'000 == 1000", true],
  ["'A' == 65 && '\\n' == 10", true],
  ["1 << 4 == 16", true],
  ["-8 >> 1 == -4", true],
  ["7 / 2 == 3 && -7 / 2 == -3 && -7 % 2 == -1", true],
  ["1 || 1 / 0", true],
  ["0 && 1 / 0", false],
  ["18446744073709551615u + 1 == 0", true],
  ["unknown", false],
  ["true && !false", true],
  ["__has_feature(modules)", false],
  ["1 +", null],
  ["", null],
  [`${"(".repeat(10_000)}1`, null],
];

test.each(conditions)("#if %s is %s", (text, expected) => {
  expect(evaluateCondition(lex("a.cu", text).tokens)).toBe(expected);
});

const cases: [name: string, text: string, expected: string][] = [
  ["ifdef", "#define A\n#ifdef A\n1\n#else\n2\n#endif", "1"],
  ["ifndef", "#ifndef A\n1\n#else\n2\n#endif", "1"],
  ["elif", "#define N 2\n#if N == 1\n1\n#elif N == 2\n2\n#elif N == 2\n3\n#else\n4\n#endif", "2"],
  ["elifdef", "#define B\n#ifdef A\n1\n#elifdef B\n2\n#endif", "2"],
  ["nested in text left out", "#if 0\n#if 1\n1\n#else\n2\n#endif\n#else\n3\n#endif", "3"],
  ["defined", "#define A\n#if defined(A) && !defined B\n1\n#endif", "1"],
  ["a macro of the condition", "#define AT_LEAST(n) (N >= n)\n#define N 8\n#if AT_LEAST(8)\n1\n#endif", "1"],
  ["apostrophes in text left out", "#if 0\ndon't\n#endif\n1", "1"],
  ["comments that span lines", "#define A /* one\n two */ 1\nA", "1"],
  ["unclosed #if", "#if 0\n1", ""],
  ["stray #else and #endif", "#else\n#endif\n1", "1"],
  ["nvcc", "__CUDACC__ __cplusplus __CUDACC_VER_MAJOR__", "1 201703L 13"],
  ["limits", "INT_MAX EXIT_FAILURE", "2147483647 1"],
  ["the user's definition of a limit", "#ifndef M_PI\n#define M_PI 3\n#endif\nM_PI", "3"],
  ["a declaration of a limit's name", "const float M_PI = 3; M_PI", "const float M_PI = 3 ; M_PI"],
  ["assert", "assert(a == b);", "( ( a == b ) ? ( void ) 0 : __assert_fail ( ) ) ;"],
  ["has_include", '#if __has_include(<cuda_fp16.h>) && !__has_include("x.h")\n1\n#endif', "1"],
  [
    "device code",
    "__global__ void k() {\n#ifdef __CUDA_ARCH__\n1\n#else\n2\n#endif\n}",
    "__global__ void k ( ) { 1 }",
  ],
  ["host code", "void k() {\n#ifdef __CUDA_ARCH__\n1\n#else\n2\n#endif\n}", "void k ( ) { 2 }"],
  [
    "both",
    "__host__ __device__ int k() {\n#if __CUDA_ARCH__ >= 800\n1\n#else\n2\n#endif\n}",
    "__host__ __device__ int k ( ) { 1 }",
  ],
  ["the file", "#if __CUDA_ARCH__ >= 800\n1\n#else\n2\n#endif", "1"],
  [
    "a host member",
    "struct S { void k() {\n#ifdef __CUDA_ARCH__\n1\n#endif\n} };",
    "struct S { void k ( ) { } } ;",
  ],
];

test.each(cases)("%s", (_, text, expected) => {
  expect(textOf(text)).toBe(expected);
});

const included: [name: string, text: string, files: Record<string, string>, expected: string][] = [
  ["quoted", '#include "b.h"\nN', { "b.h": "#define N 4" }, "4"],
  ["angled", "#include <dir/b-1.h>\nN", { "dir/b-1.h": "#define N 4" }, "4"],
  ["named by a macro", '#define H "b.h"\n#include H\nN', { "b.h": "#define N 4" }, "4"],
  ["once", '#include "b.h"\n#include "b.h"', { "b.h": "#pragma once\n1" }, "1"],
  ["guarded", '#include "b.h"\n#include "b.h"', { "b.h": "#ifndef B\n#define B\n1\n#endif" }, "1"],
  [
    "twice on purpose",
    '#define X 1\n#include "b.h"\n#undef X\n#define X 2\n#include "b.h"',
    { "b.h": "X" },
    "1 2",
  ],
];

test.each(included)("include %s", (_, text, files, expected) => {
  expect(textOf(text, files)).toBe(expected);
});

test("include cycles end", () => {
  const start = performance.now();
  const files = { "b.h": '#include "c.h"\n#include "c.h"\n1', "c.h": '#include "b.h"\n#include "b.h"\n2' };
  expect(textOf('#include "b.h"\nend', files).endsWith("end")).toBe(true);
  expect(performance.now() - start).toBeLessThan(2000);
});

test("missing includes are named, system headers are not", () => {
  const { missingIncludes } = read(
    '#include "gone.h"\n#include <cuda_runtime.h>\n#include <cstdio>\n#include <cuComplex.h>\n#include <math_functions.h>\n#include <mine/x.hpp>',
  );
  expect(missingIncludes.map(({ name }) => name)).toEqual(["gone.h", "mine/x.hpp"]);
});

test("an include that is deeper than compilers go is named", () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`h${index}.h`, `#include "h${index + 1}.h"`]),
  );
  const { missingIncludes, includedFiles } = read('#include "h0.h"', files);
  expect(missingIncludes).toMatchObject([{ name: "h200.h", reason: "budget" }]);
  expect(includedFiles).toHaveLength(200);
});

const conventions: [text: string, expected: string, names: string[]][] = [
  ["FLOAT4(a[i])", "( reinterpret_cast < float4 * > ( & ( a [ i ] ) ) [ 0 ] )", ["FLOAT4"]],
  ["x = CEIL_DIV(n, 32);", "x = ( ( ( n ) + ( 32 ) - 1 ) / ( 32 ) ) ;", ["CEIL_DIV"]],
  ["CUDA_CHECK(cudaFree(p));", "( cudaFree ( p ) ) ;", ["CUDA_CHECK"]],
  ["#define FLOAT4(x) x\nFLOAT4(a)", "a", []],
  [
    "int ceil_div(int a, int b) { return a; } int x = ceil_div(1, 2);",
    "int ceil_div ( int a , int b ) { return a ; } int x = ceil_div ( 1 , 2 ) ;",
    [],
  ],
  [
    "auto cdiv = [](int a) { return a; }; cdiv(1);",
    "auto cdiv = [ ] ( int a ) { return a ; } ; cdiv ( 1 ) ;",
    [],
  ],
  [
    "AT_DISPATCH_SWITCH(t, NAME, AT_DISPATCH_CASE(at::kHalf, f))",
    "[ & ] { switch ( t ) { case at :: kHalf : { using scalar_t = c10 :: impl :: ScalarTypeToCPPTypeT < at :: kHalf > ; return f ( ) ; } } } ( )",
    [],
  ],
];

test.each(conventions)("%s by convention", (text, expected, names) => {
  const result = read(text);
  expect(result.tokens.map((token) => token.text).join(" ")).toBe(expected);
  expect(result.conventions.map(({ name }) => name)).toEqual(names);
});

test("what a convention stands for is told with its parameters", () => {
  expect(read("x = CEIL_DIV(n, 32); CUDA_CHECK(y);").conventions).toEqual([
    { name: "CEIL_DIV", written: "CEIL_DIV(a, b)", value: "(((a) + (b) - 1) / (b))" },
    { name: "CUDA_CHECK", written: "CUDA_CHECK(call)", value: "(call)" },
  ]);
});
