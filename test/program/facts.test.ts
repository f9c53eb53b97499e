// What a text says of names, without preprocessing or parsing it.
import { describe, expect, it } from "vitest";
import { factsOf, hashOfName, holds } from "../../server/src/program/facts.ts";

/** Of `words`, those that a list of the facts holds. */
function among(list: "defined" | "own" | "mentioned", text: string, words: string): string {
  const facts = factsOf(text);
  return words
    .split(" ")
    .filter((word) => holds(facts[list], hashOfName(word)))
    .join(" ");
}

describe("names that others may link to", () => {
  const cases: readonly (readonly [text: string, words: string, defined: string])[] = [
    ["int f(int a) { return g(a); }", "f g a int", "f"],
    ["int f(int a);", "f", ""],
    ["static int f(int a) { return 1; } int g() { return 2; }", "f g", "g"],
    ["namespace a { namespace { void f() {} } void g() {} }", "f g a", "g"],
    ['extern "C" { void f() {} } extern "C" void g() {}', "f g", "f g"],
    ["int Table::rows() const { return 1; } Table::Table() : a(1) {}", "rows Table", "rows Table"],
    ["class A { void f() {} void g(); int a = h(); };", "A f g h", ""],
    ["__global__ void __launch_bounds__(256) k(float* p) { }", "k __launch_bounds__", "k"],
    ["int table[4] = { 1, 2 }; int later() { return 1; }", "table later", "table later"],
    ["extern int n; int m; const dim3 block{32, 8};", "n m block", "m block"],
    ["template <class T, int N = (1 > 0)> void f(T* p) { } template void f<int>(int*);", "f T", "f"],
    ["bool operator<(const A& a, const A& b) { return true; } void f() {}", "f A", "f"],
    ["R n::A::operator()(int a) { return a; } B &B ::operator<<(int) { }", "A B R n a", "A B"],
    ["auto x = [](int a) { return f(a); }; void g() {}", "x g f", "x g"],
    ["#if A\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n}\nvoid g() {}", "f g", "f g"],
    ['// void f() {}\n/* void g() {} */ const char* s = "void h() {}"; void i() {}', "f g h i", "i"],
    ['const char* s = R"x(void f() { )" )x"; void g() {}', "f g", "g"],
    ["#define F(x) void x() {} \\\n void y() {}\nvoid g() {}", "F y g", "g"],
    // Too much is fine: S might be a variable.
    ["typedef struct { int a; } S; using T = int; enum E { A, B }; void g() {}", "S T E A g", "S g"],
    ["struct S { int a; } s; void g() {}", "S g", "g"],
  ];
  it.each(cases)("%s", (text, words, defined) => {
    expect(among("defined", text, words)).toBe(defined);
  });
});

describe("names that are used", () => {
  const cases: readonly (readonly [text: string, words: string, mentioned: string])[] = [
    ["void f(); void g() { f(); h(); }", "f g h", "f h"],
    ["void f() {} void g() { f(); }", "f", ""],
    ["int x = f(1);", "x f", "f"],
    ["A::A() : base(f()) {}", "base f A", "base f"],
    ["class A { void g(); int h() { return f(); } };", "f g h", "f"],
    ["#define RUN(x) f(x)", "RUN f", "f"],
    ["REGISTER(f, g);", "f g", "f g"],
    ["TEST(Suite, Name) { f(); }", "f", "f"],
    ["void g() { /* f(); */ }", "f", ""],
  ];
  it.each(cases)("%s", (text, words, mentioned) => {
    expect(among("mentioned", text, words)).toBe(mentioned);
  });
});

it("main, launches and kernels are seen, and not those of comments and strings", () => {
  const marks = (text: string) => {
    const { isRoot, hasLaunch, hasKernel } = factsOf(text);
    return [isRoot, hasLaunch, hasKernel];
  };
  expect(marks("int main(int argc, char** argv) { k<<<1, 2>>>(); }")).toEqual([true, true, false]);
  expect(marks("void f() { k << <1, 2>> >(); }")).toEqual([false, true, false]);
  expect(marks("void f() { cudaLaunchKernelEx(&c, k); }")).toEqual([false, true, false]);
  expect(marks("__global__ void k();")).toEqual([false, false, true]);
  expect(marks("class A { int main() { return 1; } }; // k<<<1, 2>>>\n")).toEqual([false, false, false]);
  expect(marks("#define LAUNCH(k) k<<<1, 2>>>()\n")).toEqual([false, true, false]);
  expect(marks('int x = 1 << 3; const char* s = "<<<";')).toEqual([false, false, false]);
});

it("includes are as written", () => {
  const text = '#include "a/b.h"\n  #  include <c.cuh> // why\n#include MACRO\n// #include "d.h"\n';
  expect(factsOf(text).includes).toEqual(["a/b.h", "c.cuh"]);
});

it("no text is too strange", () => {
  for (const text of [
    "}}}",
    "((((",
    "#if\n#else\n#else\n#endif\n#endif",
    '"',
    "/*",
    'R"(',
    "#",
    "a<b<c",
    "\\",
  ])
    expect(factsOf(text).isRoot).toBe(false);
});
