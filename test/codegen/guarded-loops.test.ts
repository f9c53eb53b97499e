// What a loop alone uses: under the loop's condition, but in front of it where the value adds to a product (seen in nvcc 13.0's PTX of these
// kernels), or takes a branch to compute and LLVM makes copies of the trips (fixtures/forms/guarded_copies).
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (value: string, loop: string) => `
__global__ void k(float *o, int n, int k) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  float v = ${value};
  for (${loop}) o[i] *= v;
}
int main() { float *o; cudaMalloc(&o, 4096); k<<<1, 256>>>(o, 100, 3); }`;

const byThread = "int i = t; i < n; i += blockDim.x";
const allWarps = 8;
/** Those of the first 100 threads. */
const warpsWithTrips = 4;

it("a variable that has held another value takes the load with it", async () => {
  const { analysis } = await analyse(kernel("0; o[k] = v; v = s[k]", byThread));
  const [load] = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, space }) => operation === "load" && space === "shared");
  expect(load?.requests).toBe(warpsWithTrips);
});

it.each([
  ["s[k]", byThread, warpsWithTrips],
  ["1.0f / s[k]", byThread, warpsWithTrips],
  ["s[t] + s[t + 1]", byThread, warpsWithTrips],
  ["s[k] * s[k + 1] + s[k + 2]", byThread, allWarps],
  ["s[k]", "int i = t; i < n; i += 256", warpsWithTrips],
  ["s[t] + s[t + 1]", "int i = t; i < n; i += 256", warpsWithTrips],
  ["1.0f / s[k]", "int i = t; i < n; i += 256", allWarps],
])("%s for (%s): loaded by %d warps", async (value, loop, warps) => {
  const { analysis } = await analyse(kernel(value, loop));
  const loads = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, space }) => operation === "load" && space === "shared");
  expect(loads.length).toBeGreaterThan(0);
  expect(new Set(loads.map(({ requests }) => requests))).toEqual(new Set([warps]));
});

it("what leaves a loop that surely makes a trip stands in front of it, however many loads that is", async () => {
  const { analysis } = await analyse(`
__global__ void k(float *o) {
  __shared__ float s[8][32], w[32][32];
  int t = threadIdx.x;
  for (int r = 0; r < 32; r++) w[r][t] = r;
  for (int r = 0; r < 8; r++) s[r][t] = t;
  __syncthreads();
  for (int j = 0; j < 4; j++) {
    float sum = 0;
    for (int p = 0; p < 32; p++) sum += s[t / 4][p] * w[p][t % 4 * 8 + j];
    o[t * 4 + j] += sum;
  }
}
int main() { float *o; cudaMalloc(&o, 4096); k<<<1, 32>>>(o); }`);
  const rows = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, expression }) => operation === "load" && expression.startsWith("s["));
  expect(rows.map(({ bytes, requests }) => [bytes, requests])).toEqual(Array(8).fill([16, 1]));
});
