// Nothing throws on any text: seeds cut off anywhere, recursion without end, packs that grow, types that need themselves.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";
import { reachable, testPrelude } from "./support.ts";

async function lowerAll(text: string): Promise<number> {
  const program = lowerProgram(await readText(text), { prelude: await testPrelude() });
  const kernels = program.kernels.map((kernel) =>
    program.instantiateKernel(
      kernel,
      kernel.templateParameters.map(({ kind }) => (kind === "type" ? "float" : "4")),
    ),
  );
  const ids = reachable(program, [...program.hostEntries, ...kernels.filter((id) => id !== null)]);
  return ids.map((id) => program.functionOf(id)).length;
}

test.each(["seed0_mat_trans", "seed2_mat_transpose", "seed3_padding"])(
  "%s cut off anywhere",
  async (name) => {
    const text = readFileSync(new URL(`../../fixtures/seeds/${name}.cu`, import.meta.url), "utf8");
    for (let end = 40; end < text.length; end += 97) {
      expect(await lowerAll(text.slice(0, end))).toBeGreaterThanOrEqual(0);
    }
  },
);

test.each([
  [
    "a recursive function",
    "__device__ int f(int n) { return n ? f(n - 1) : 0; } __global__ void k(int* p) { p[0] = f(3); }",
  ],
  [
    "endless template recursion",
    "template <int N> __device__ int f() { return f<N + 1>(); } __global__ void k(int* p) { p[0] = f<0>(); }",
  ],
  [
    "a result that needs itself",
    "template <typename T> __device__ auto f(T x) { return f(x); } __global__ void k(int* p) { p[0] = f(1); }",
  ],
  [
    "a class that contains itself",
    "struct A { A a; int x; }; __global__ void k(int* p, A a) { p[0] = a.x; }",
  ],
  ["a typedef of itself", "using T = T; constexpr int n = n + 1; __global__ void k(T* p) { p[n] = 0; }"],
  ["a base of itself", "struct A : A { int x; }; __global__ void k(int* p) { A a; p[0] = a.x; }"],
  [
    "an endless class template",
    "template <int N> struct A { A<N + 1> a; }; __global__ void k(int* p) { A<0> a; p[0] = sizeof(a); }",
  ],
  [
    "an endless constexpr",
    "constexpr int f(int n) { while (true) n++; return n; } __global__ void k(int* p) { int a[f(1)]; p[0] = a[0]; }",
  ],
  ["an enormous array", "__global__ void k(int* p) { __shared__ int a[1 << 30][1 << 30]; a[0][0] = p[0]; }"],
  ["division by zero", "__global__ void k(int* p) { int a[4 / 0]; p[1 / 0] = a[5 % 0]; }"],
  ["missing pieces", "__global__ void k(int* p) { p[] = ; for (;;) ; if () {} p->x.y = (*) 3; k<<<>>>(); }"],
  ["deep nesting", `__global__ void k(int* p) { p[0] = ${"(".repeat(3000)}1${")".repeat(3000)}; }`],
])("%s", async (_title, text) => {
  expect(await lowerAll(text)).toBeGreaterThanOrEqual(1);
});
