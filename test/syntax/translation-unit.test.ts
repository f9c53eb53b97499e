// From text to declarations: splitting, what is taken out before the parse, provenance, half-typed text, reuse.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { namedChildren, type SyntaxNode } from "../../server/src/syntax/node.ts";
import type { SyntaxUnit } from "../../server/src/syntax/unit.ts";
import { readText } from "../support/parser.ts";

const seeds = fileURLToPath(new URL("../../fixtures/seeds/", import.meta.url));
const seedFiles = readdirSync(seeds).filter((name) => name.endsWith(".cu"));
const seedText = (name: string) => readFileSync(seeds + name, "utf8");

async function onlyUnit(text: string): Promise<SyntaxUnit> {
  const { units } = await readText(text);
  expect(units.length).toBe(1);
  const [unit] = units;
  if (unit === undefined) throw new Error("no unit");
  return unit;
}

/** The first node of `type` in depth-first order. */
function find(node: SyntaxNode, type: string): SyntaxNode | null {
  if (node.type === type) return node;
  for (const child of node.children) {
    const found = find(child, type);
    if (found !== null) return found;
  }
  return null;
}

test("an assignment in front of a comma is an operand of its own, which stands where it was typed", async () => {
  const unit = await onlyUnit("void f() {\n  t = (a = b,\n       c = d, e);\n}");
  const comma = find(unit.root(), "comma_expression");
  const [first] = comma ? namedChildren(comma) : [];
  expect(first?.type).toBe("parenthesized_expression");
  expect(unit.rangeOf(first?.start ?? 0, first?.end ?? 0)).toMatchObject({ start: 18, end: 23 });
});

test.each(seedFiles)("%s parses without an error", async (name) => {
  const { units } = await readText(seedText(name));
  expect(units.length).toBeGreaterThan(3);
  expect(units.filter((unit) => unit.root().hasError).map((unit) => unit.text)).toEqual([]);
});

const parsed: [name: string, text: string][] = [
  [
    "aligned dynamic shared memory",
    "__global__ void k() { extern __shared__ __align__(16) unsigned char s[]; s[0] = 1; }",
  ],
  ["aligned struct", "struct __align__(16) V { float x, y, z, w; };"],
  ["aligned typedef", "typedef struct __align__(8) { float x, y; } V;"],
  ["alignas", "__global__ void k() { alignas(16) __shared__ float s[4]; }"],
  ["three launch bounds", "__global__ void __launch_bounds__(256, 2, 1) k(float *a) { a[0] = 1; }"],
  ["launch bounds before", "__launch_bounds__(32 * 4) __global__ void k() {}"],
  [
    "launch bounds of a template",
    "template <class M> __global__ void __launch_bounds__(decltype(size(M{}))::value) k() {}",
  ],
  ["cluster dimensions", "__global__ void __cluster_dims__(2, 1, 1) __maxnreg__(64) k() {}"],
  ["braces in a launch", "void f() { k<<<{1, 2}, {n / 32}>>>(a); }"],
  ["a templated launch", "void f() { k<float, 32><<<dim3(1, 2), 32, 0, stream>>>(a, b); }"],
  [
    "device lambdas",
    "void f() { auto g = [=] __host__ __device__(int i) { return i; }; h([=] __device__ { return 1; }); }",
  ],
  ["a comma behind an assignment", "void f() { t = (a = b, c); }"],
  ["a call behind two assignments", "void f() { t ^= (a = b ^ w[1], w[0] += f(a, b), (c = d) ? *e : -g); }"],
  [
    "commas in an argument and a condition",
    "int f() { g((a = b, c), d); return x > 2 ? (a = b, c) : (d -= e, a); }",
  ],
  [
    "parameters with defaults",
    "int f(int a = 1, int b = (c = 2, d)) { auto l = [](int a = 1, int b = 2) { return a; }; }",
  ],
  ["restrict", "__global__ void k(float *__restrict a, const float *__restrict__ b, float *restrict c) {}"],
  ["unroll after if", "void f() { if (a)\n#pragma unroll\n for (int i = 0; i < 4; i++) b[i] = 0; }"],
  ["_Pragma", 'void f() { _Pragma("unroll") for (;;) {} }'],
  ["#ifdef in a parameter list", "void f(int a,\n#ifdef X\n int b\n#else\n int c\n#endif\n) {}"],
  ["a statement macro without a semicolon", "void f() {\n  LAST_ERROR()\n  int a = 1;\n  SYNC_ALL()\n}"],
  ["a library's qualifiers", "CUTLASS_HOST_DEVICE int f(int a) { return a; }"],
  [
    "a library's qualifiers in a class",
    "struct S { CUTLASS_DEVICE S(int a) {} CUTLASS_DEVICE int get() const { return 1; } };",
  ],
  ["a library's unroll", "void f() { CUTE_UNROLL\n for (int i = 0; i < 4; i++) {} }"],
  [
    "attributes",
    "[[nodiscard]] __attribute__((always_inline)) inline int f([[maybe_unused]] int a) { return a; }",
  ],
  [
    "assembly",
    'void f() { asm volatile("{ mov.u32 %0, %%laneid; }" : "=r"(x) :: "memory"); __asm__("a" :: "r"(x)); }',
  ],
  [
    "assembly without commas between its operands",
    'void f() { asm("a" : "=r"(x) "=r"(y) : "r"(g(x, (y))) "r"(a + 1), [c] "r"(z)); h((char*)"text"); }',
  ],
  [
    "a construction of a dependent type",
    "template <class T> void f() { auto a = typename T::Fragment{}; g(typename T::Q<1>()); }",
  ],
  [
    "shared memory of a dependent type",
    "template <class T> __global__ void k() { __shared__ typename T::Storage s; }",
  ],
];

test.each(parsed)("%s parses", async (_, text) => {
  const { units } = await readText(text);
  expect(units.map((unit) => unit.root().hasError)).toEqual(units.map(() => false));
  expect(units.length).toBeGreaterThan(0);
});

const attributes: [text: string, before: string, name: string, values: string[]][] = [
  ["__global__ void __launch_bounds__(THREADS, 2) k() {}", "k", "__launch_bounds__", ["THREADS", "2"]],
  ["struct __align__(16) V { int a; };", "V", "__align__", ["16"]],
  ["struct __builtin_align__(16) V { int a; };", "V", "__align__", ["16"]],
  ["struct alignas(sizeof(float) * 4) V { int a; };", "V", "__align__", ["sizeof(float) * 4"]],
  ["struct V { int a; } __attribute__((aligned(8)));", ";", "__align__", ["8"]],
  ["void f() {\n#pragma unroll 4\nfor (;;) {} }", "for", "#pragma unroll", ["4"]],
  ["#define N 2\nvoid f() {\n#pragma unroll (N * 2)\nfor (;;) {} }", "for", "#pragma unroll", ["( 2 * 2 )"]],
  ["void f() {\n#pragma unroll\nwhile (a) {} }", "while", "#pragma unroll", []],
  ["#define UNROLL #pragma unroll\nvoid f() {\n UNROLL 4\n for (;;) {} }", "for", "#pragma unroll", ["4"]],
  ["#define ONCE #pragma unroll 1\nvoid f() {\n ONCE\n for (;;) {} }", "for", "#pragma unroll", ["1"]],
  [
    "#define F for\n#define UNROLL #pragma unroll\nvoid f() {\n UNROLL\n F (;;) {} }",
    "for",
    "#pragma unroll",
    [],
  ],
  ["void f() {\n#pragma nounroll\nfor (;;) {} }", "for", "#pragma nounroll", []],
  ["auto f = [=] __device__ (int i) { return i; };", "(int", "__device__", []],
];

test.each(attributes)("%j keeps an attribute", async (text, before, name, values) => {
  const unit = await onlyUnit(text);
  const [attribute] = unit.attributes;
  expect(unit.attributes.length).toBe(1);
  expect(attribute?.name).toBe(name);
  expect(attribute?.arguments.map((value) => value.replace(/\s/g, ""))).toEqual(
    values.map((v) => v.replace(/\s/g, "")),
  );
  expect(unit.text.slice(attribute?.offset).startsWith(before)).toBe(true);
});

const splits: [name: string, text: string, expected: string[]][] = [
  [
    "kernels behind what their templates require",
    "template <class T>\n  requires(!A<T> && sizeof(T) < 8)\n__global__ void k(T* p) {}\ntemplate <class T> requires B<T> || requires(T t) { t + 1; }\n__global__ void l() {}",
    [
      "template <class T> requires(!A<T> && sizeof(T) < 8) __global__ void k(T* p) {}",
      "template <class T> requires B<T> || requires(T t) { t + 1; } __global__ void l() {}",
    ],
  ],
  [
    "functions and variables",
    "int a; void f() { if (x) { } } int b[2] = {1, 2}; int c{3};",
    ["int a;", "void f() { if (x) { } }", "int b[2] = {1, 2};", "int c{3};"],
  ],
  [
    "namespaces",
    'namespace a::b { int x; namespace { int y; } } extern "C" { int z; } int w;',
    ["a::b int x;", "a::b:: int y;", "int z;", "int w;"],
  ],
  ["inline namespaces", "namespace a { inline namespace v1 { int x; } }", ["a int x;"]],
  [
    "records",
    "struct A { int x; }; class B : public A { } b; enum class C : int { x = 1 }; typedef struct { int y; } D;",
    [
      "struct A { int x; };",
      "class B : public A { } b;",
      "enum class C : int { x = 1 };",
      "typedef struct { int y; } D;",
    ],
  ],
  [
    "templates",
    "template <class T, int N = (3 > 2)> struct S { T x; }; template <typename T = int> T f(T a) { return a; } int x;",
    [
      "template <class T, int N = (3 > 2)> struct S { T x; };",
      "template <typename T = int> T f(T a) { return a; }",
      "int x;",
    ],
  ],
  [
    "functions that return records",
    "struct V f() { return {}; } int x;",
    ["struct V f() { return {}; }", "int x;"],
  ],
  ["constructors", "S::S(int x) : a{x}, b(x) { } int x;", ["S::S(int x) : a{x}, b(x) { }", "int x;"]],
  [
    "operators",
    "bool operator==(A a, A b) { return true; } A &A::operator=(A a) { } int x;",
    ["bool operator==(A a, A b) { return true; }", "A &A::operator=(A a) { }", "int x;"],
  ],
  ["lambdas", "auto f = [](int a) { return a; }; int x;", ["auto f = [](int a) { return a; };", "int x;"]],
  ["braces in arguments", "Size s ({1, 2}, {3}); int x;", ["Size s ({1, 2}, {3});", "int x;"]],
  [
    "instantiations",
    "template class S<float>; extern template void f<int>(); template void f<int>(int);",
    ["template class S<float>;", "template void f<int>(int);"],
  ],
  [
    "a function with a default argument",
    "void f(int a, bool b = true) { if (b) { } } namespace n { struct S { int x; }; }",
    ["void f(int a, bool b = true) { if (b) { } }", "n struct S { int x; };"],
  ],
  ["stray braces", "} int x; } int y;", ["int x;", "int y;"]],
  [
    "an unclosed kernel",
    "__global__ void a() { if (x) {\n__global__ void b() { }\nint c;",
    ["__global__ void a() { if (x) {", "__global__ void b() { }", "int c;"],
  ],
  [
    "an unclosed kernel in a namespace",
    "namespace n {\n__global__ void a() { x = y[\ntemplate <int N>\n__global__ void b() { }\n}\nint c;",
    ["n __global__ void a() { x = y[", "n template <int N> __global__ void b() { }", "int c;"],
  ],
  [
    "an unclosed function",
    "void a() { if (x) {\nint b() { }\nint c;",
    ["void a() { if (x) {", "int b() { }", "int c;"],
  ],
  [
    "an unclosed head",
    "__global__ void a(float *x,\n__global__ void b() { }",
    ["__global__ void a(float *x,", "__global__ void b() { }"],
  ],
  [
    "what a kernel was pasted with",
    "Hi, why is it slow?\n\ntemplate <int N>\n__global__ void b() { }",
    ["Hi, why is it slow?", "template <int N> __global__ void b() { }"],
  ],
];

test.each(splits)("splits %s", async (_, text, expected) => {
  const { units } = await readText(text);
  const shown = units.map(({ namespaces, text }) => {
    const prefix = namespaces.length > 0 ? `${namespaces.join("::")} ` : "";
    return prefix + text.trim().replace(/\s+/g, " ");
  });
  expect(shown).toEqual(expected);
});

const ranges: [name: string, text: string, of: string, range: string, spelled: string][] = [
  ["plain text", "int a = b /* c */ + 1;", "b + 1", "b /* c */ + 1", "b /* c */ + 1"],
  ["a body", "#define N 32\nint a[N];", "32", "N", "N"],
  [
    "an argument",
    "#define F(x) (&(x)[0])\nint a = F(tile[ty][tx]);",
    "tile [ ty ] [ tx ]",
    "F(tile[ty][tx])",
    "tile[ty][tx]",
  ],
  [
    "more than an argument",
    "#define F(x) (&(x)[0])\nint a = F(tile[ty]);",
    "& ( tile [ ty ] )",
    "F(tile[ty])",
    "F(tile[ty])",
  ],
  ["two arguments", "#define ADD(x, y) x + y\nint a = ADD(b, c);", "b + c", "ADD(b, c)", "ADD(b, c)"],
  [
    "an argument of an argument",
    "#define A(x) (x)\n#define B(x) [x]\nint a = A(B(idx));",
    "idx",
    "A(B(idx))",
    "idx",
  ],
  ["a use and its neighbours", "#define N 32\nint a[N + 1];", "a[ 32 + 1 ]", "a[N + 1]", "a[N + 1]"],
];

test.each(ranges)("the range of %s", async (_, text, of, range, spelled) => {
  const unit = (await readText(text)).units.at(-1);
  if (unit === undefined) throw new Error("no unit");
  const pattern = of
    .split(/\s+/)
    .map((part) => part.replace(/[^\w]/g, "\\$&"))
    .join("\\s*");
  const match = new RegExp(pattern).exec(unit.text);
  expect(match, unit.text).not.toBeNull();
  const start = match?.index ?? 0;
  const end = start + (match?.[0].length ?? 0);
  const typed = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  expect(typed(unit.rangeOf(start, end))).toBe(range);
  expect(typed(unit.spelledRangeOf(start, end))).toBe(spelled);
});

test("declarations of an included file have their own places", async () => {
  const header = "// first\n__device__ int f() { return 1; }";
  const { units, texts, includedFiles } = await readText('#include "b.cuh"\nint x;', { "b.cuh": header });
  expect(includedFiles).toEqual(["b.cuh"]);
  expect(texts.get("b.cuh")).toBe(header);
  const range = units[0]?.rangeOf(0, units[0].text.length - 1);
  expect(range?.file).toBe("b.cuh");
  expect(header.slice(range?.start, range?.end)).toBe("__device__ int f() { return 1; }");
});

test("annotations belong to the declaration they stand in or before", async () => {
  const { units } = await readText(
    "int a;\n// warplint: launch(block=256)\n__global__ void k() {\n // warplint: assume(n > 3)\n}\nint b;\n#if 0\n// warplint: no\n#endif\nint c;",
  );
  expect(units.map((unit) => unit.annotations.map(({ text }) => text))).toEqual([
    [],
    ["launch(block=256)", "assume(n > 3)"],
    [],
    [],
  ]);
});

test("offsets of nodes are those of the unit's text", async () => {
  const unit = await onlyUnit("__global__ void k(float *a) { a[threadIdx.x] = 'é' + 1; }");
  const node = find(unit.root(), "subscript_expression");
  expect(unit.text.slice(node?.start, node?.end)).toBe("a[threadIdx.x]");
  const assignment = find(unit.root(), "assignment_expression");
  expect(unit.text.slice(assignment?.start, assignment?.end)).toBe("a[threadIdx.x] = 'é' + 1");
});

test("an error stays in its declaration", async () => {
  const { units } = await readText("void a() { int = ; }\nvoid b() { x = 1; }");
  expect(units.map((unit) => unit.root().hasError)).toEqual([true, false]);
});

test("what has not changed keeps text and tree, with new places", async () => {
  const before = await readText("int a;\n__global__ void k(int *p) { p[0] = 1; }\n");
  const tree = before.units[1]?.root();
  const text = "int aa;\n/* new */ __global__ void k(int *p) { p[0]  =  1; }\n";
  const after = await readText(text, {}, { previous: before });
  expect(after.units[1]?.root()).toBe(tree);
  expect(after.units[0]?.hash()).not.toBe(before.units[0]?.hash());
  const unit = after.units[1];
  const node = unit === undefined ? null : find(unit.root(), "assignment_expression");
  const range = unit?.rangeOf(node?.start ?? 0, node?.end ?? 0);
  expect(text.slice(range?.start, range?.end)).toBe("p[0]  =  1");
});

test("every prefix of a kernel reads without a throw, and kernels before the last stay whole", async () => {
  const text = seedText("seed3_naive.cu");
  const whole = await readText(text);
  const firstKernel = whole.units.findIndex((unit) => unit.text.includes("__global__"));
  const firstEnd = whole.units[firstKernel]?.rangeOf(0, whole.units[firstKernel].text.length).end ?? 0;
  for (let length = 0; length < text.length; length += 7) {
    const { units } = await readText(text.slice(0, length), {}, { previous: whole });
    for (const unit of units) unit.root();
    if (length > firstEnd) expect(units[firstKernel]?.hash()).toBe(whole.units[firstKernel]?.hash());
  }
});

test.each(seedFiles)("%s with a piece missing reads without a throw", async (name) => {
  const text = seedText(name);
  for (let at = 0; at < text.length; at += 211) {
    const { units } = await readText(text.slice(0, at) + text.slice(at + 97));
    for (const unit of units) unit.root();
  }
});

const hostile: [name: string, text: string][] = [
  ["nothing", ""],
  ["no text", "\u0000\u0001\uffff\ud800"],
  ["deep parentheses", `int a = ${"(".repeat(20_000)}`],
  ["deep braces", `void f() ${"{".repeat(20_000)}`],
  ["deep closed parentheses", `int a = ${"(".repeat(5000)}1${")".repeat(5000)};`],
  ["deep templates", `A${"<A".repeat(5000)}${">".repeat(5000)} a;`],
  ["launches", "k<<<".repeat(5000)],
  ["unclosed qualifiers", "__launch_bounds__(".repeat(5000)],
  ["brackets", "[".repeat(100_000)],
  ["unclosed functions", "void f() {\n".repeat(30_000)],
  ["kernels", "__global__ ".repeat(20_000)],
  ["templates", "template <\n".repeat(5000)],
  ["an unclosed string", `"${"a".repeat(1000)}\nint x;`],
  ["an unclosed comment", "/* int x;"],
  ["a raw string", 'auto a = R"x(" ) )y" }{ )x"; int x;'],
];

test.each(hostile)("%s ends in bounded time", async (_, text) => {
  const start = processorMilliseconds();
  const { units } = await readText(text);
  for (const unit of units) {
    unit.root();
    unit.rangeOf(0, unit.text.length);
    unit.rangeOf(unit.text.length, unit.text.length);
  }
  expect(processorMilliseconds() - start).toBeLessThan(10_000);
});

/** What this process has computed: the machine may be busy with other work. */
function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
