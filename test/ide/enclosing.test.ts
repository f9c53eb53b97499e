// The function around a place, by its text alone.
import { describe, expect, it } from "vitest";
import { enclosingFunction } from "../../server/src/ide/enclosing.ts";

const at = (text: string) => enclosingFunction(text.replace("@", ""), text.indexOf("@"));

describe("the function around a place", () => {
  it.each([
    ["int main() { @ }", "main"],
    ["void a() {}\nvoid b(int x) { if (x) { @ } }", "b"],
    ["namespace n { struct S { void run(int n) const { @ } }; }", "run"],
    ["template <typename T, int N>\nstatic inline void go(T (&a)[N]) {\n  for (;;) { @ }\n}", "go"],
    ["S::S(int x) : a(x), b{x} { @ }", null],
    ["__global__ void __launch_bounds__(256) k(float *x) { @ }", "k"],
    ['const char *s = "{"; // {\n/* { */ void f() { @ }', "f"],
    ["#define X { \\\n {\nvoid g() { @ }", "g"],
    ["int table[] = { @ };", null],
    ["auto run = [](int n) { @ };", null],
    ["void f() { auto g = [&](int n) { @ }; }", "f"],
    ["void f() {} @", null],
    ["auto f(int n) -> int { @ }", "f"],
    [
      "void error(int n) {\n#ifdef A\n  if (n) {\n#else\n  if (n > 1) {\n#endif\n  }\n}\n// go\nint main() {\n  @\n}",
      "main",
    ],
  ])("%s", (text, name) => {
    expect(at(text)).toBe(name);
  });
});
