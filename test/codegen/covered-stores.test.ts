// Stores that a later one covers: what LLVM drops past, and what it takes for a branch and keeps the first store in front of (SASS of nvcc 13.0).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (between: string) => `
__device__ __forceinline__ float largest(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, offset));
  return v;
}
__global__ void k(const float *__restrict__ x, float *y, int n) {
  __shared__ float row[32];
  const int t = threadIdx.x;
  float v = x[t];
  row[t] = v;
  ${between}
  row[t] = v;
  __syncthreads();
  y[t] = row[t ^ 1];
}
int main() { float *x, *y; cudaMalloc(&x, 256); cudaMalloc(&y, 256); k<<<1, 32>>>(x, y, 7); }`;

async function storesOf(between: string): Promise<number> {
  const { analysis } = await analyse(kernel(between));
  const accesses = analysis.groups.flatMap(({ contexts }) => contexts.map(({ access }) => access));
  return accesses.filter(({ operation, space }) => operation === "store" && space === "shared").length;
}

describe("a store to shared memory that the next one covers", () => {
  it.each([
    "v += __shfl_down_sync(0xffffffffu, v, 1);",
    "v += __popc(__ballot_sync(0xffffffffu, v > 0.5f));",
    "v = expf(v - largest(v));",
    "#pragma unroll\n  for (int i = 0; i < 4; i++) v = expf(v) + i;",
    "for (int i = 0; i < 8; i++) v = v * v + 1;",
    "v = v > 0 ? v : 0.1f * v;",
    "v = tanhf(v) / (1 + logf(v));",
    "v = powf(v, 1.7f);",
  ])("is gone past %s", async (between) => {
    expect(await storesOf(between)).toBe(1);
  });

  it.each([
    "for (int i = 0; i < n; i++) v += __shfl_xor_sync(0xffffffffu, v, i);",
    "#pragma unroll 1\n  for (int i = 0; i < 100; i++) v = v * v + 1;",
    "for (int i = 0; i < 4; i++) if (v > i) v = expf(v) + i;",
    "v = v > 0 ? v : expf(v) - 1;",
    "v = sinf(v);",
    "v = atan2f(v, x[t + 1]);",
    "v = powf(v, x[t + 1]);",
    "__syncwarp();",
  ])("stays in front of %s", async (between) => {
    expect(await storesOf(between)).toBe(2);
  });
});
