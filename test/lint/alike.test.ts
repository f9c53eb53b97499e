// Launches that access memory alike are told by their arguments, before any is evaluated.
import { describe, expect, it, vi } from "vitest";
import type { Program } from "../../server/src/ir/function.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { firstAlike } from "../../server/src/lint/alike.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { testPrelude } from "../lower/support.ts";
import { readText } from "../support/parser.ts";

describe("launches that differ in an argument alone", () => {
  it("are alike where it is stored, and added to what is stored", async () => {
    expect(await kindsOf("x[threadIdx.x] = t * x[threadIdx.x] + (t > 3 ? 1.f : t);")).toBe(1);
    expect(await kindsOf("float y = t; y = y * 2; x[threadIdx.x] = twice(y);")).toBe(1);
  });

  it("are not where an address, a branch or a number of trips comes from it", async () => {
    expect(await kindsOf("x[(int)t + threadIdx.x] = 0;")).toBe(12);
    expect(await kindsOf("if (t > 3) x[threadIdx.x] = 0;")).toBe(12);
    expect(await kindsOf("for (float y = 0; y < t; y++) x[threadIdx.x] += y;")).toBe(12);
    expect(await kindsOf("x[threadIdx.x] = t > 3 ? x[threadIdx.x + 32] : 0;")).toBe(12);
    // Through a function, and through a pointer to a variable.
    expect(await kindsOf("int at = (int)twice(t); x[at] = 0;")).toBe(12);
    expect(await kindsOf("float held[2]; held[threadIdx.x & 1] = t; x[(int)held[0]] = 0;")).toBe(12);
    // Through shared memory, whose words a lane finds as it left them.
    const shared = "__shared__ int s[32]; s[threadIdx.x] = t * threadIdx.x;";
    expect(await kindsOf(`${shared} x[s[threadIdx.x]] = 0;`)).toBe(12);
    expect(await kindsOf(`${shared} x[threadIdx.x] = s[threadIdx.x];`)).toBe(1);
  });
});

describe("launches of many instances of a template", () => {
  it("are told apart without a look at what each does", async () => {
    const program =
      await programOf(`template <int N> __global__ void k(float *x, int n) { x[threadIdx.x * N + n] = 0; }
      template <int N> void run(float *x) { k<N><<<1, 32>>>(x, 3); if constexpr (N > 0) run<N - 1>(x); }
      int main() { float *x; cudaMalloc(&x, 4096); run<11>(x); }`);
    const launches = launchesOf(program).kernels.flatMap((kernel) => kernel.launches);
    const functionOf = vi.spyOn(program, "functionOf");
    expect(firstAlike(program, launches)).toEqual(launches.map((_, index) => index));
    expect(launches).toHaveLength(12);
    expect(functionOf).not.toHaveBeenCalled();
  });
});

async function programOf(text: string): Promise<Program> {
  return lowerProgram(await readText(text), { prelude: await testPrelude() });
}

/** Kinds among twelve launches with t from 0 to 11. */
async function kindsOf(body: string): Promise<number> {
  const program = await programOf(`__device__ float twice(float y) { return y + y; }
    __global__ void k(float *x, float t) { ${body} }
    int main() { float *x; cudaMalloc(&x, 4096); for (int i = 0; i < 12; i++) k<<<1, 32>>>(x, i); }`);
  const launches: readonly Launch[] = launchesOf(program).kernels[0]?.launches ?? [];
  expect(launches).toHaveLength(12);
  return new Set(firstAlike(program, launches)).size;
}
