// A loop that goes through an array of the thread's own is unrolled whole where another of its size is not, so that what it loads is there eight
// times, or its neighbours one vector: as nvcc 13.0 -O3 has these loops in its PTX (880 of them: docs/codegen.md).
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (own: string, use: string) => `
__global__ void k(float *o, const int *d, int n, int m) {
  __shared__ float a[1024], b[2048];
  int t = threadIdx.x;
  ${own}
  for (int i = 0; i < 32; i++) a[i * 32 + t] = o[i * 32 + t];
  for (int i = 0; i < 64; i++) b[i * 32 + t] = o[i * 64 + t];
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    float sum = 0;
    for (int p = 0; p < 16; p++) sum += a[p * 32 + t] * b[p * 64 + t % 8 * 8 + j];
    ${use}
  }
  for (int j = 0; j < 8; j++) o[j * 32 + t] = c[j];
}
int main() { float *o; int *d; cudaMalloc(&o, 65536); cudaMalloc(&d, 65536); k<<<1, 32>>>(o, d, 100, 3); }`;

/** Bytes of the loads from b, the neighbours of eight trips, and how many there are. */
async function loadsOfB(own: string, use: string): Promise<ReadonlySet<string>> {
  const { analysis } = await analyse(kernel(own, use));
  const loads = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, expression }) => operation === "load" && expression.startsWith("b["));
  expect(loads.length).toBeGreaterThan(0);
  return new Set(loads.map(({ bytes, requests }) => `${bytes} bytes, ${requests} times`));
}

const own = "float c[8] = {};";

it.each([
  [own, "c[j] += sum;"],
  [own, "c[(j + m) & 7] += sum;"],
  [own, "int q = j * 3 & 7; c[q] += sum;"],
  [own, "int q = d[j * 9 + t] & 7; o[j * 64 + t] += sum * c[q];"],
  ["float c[8] = {}; int q = 0;", "c[q] += sum; q = (q + 3) & 7;"],
])("%s %s: all trips stand one behind another", async (declared, use) => {
  expect(await loadsOfB(declared, use)).toEqual(new Set(["16 bytes, 1 times"]));
});

it.each([
  [own, "o[j * 64 + t] += sum * c[3];"],
  ["float c[8] = {}, *r = c;", "*r++ += sum;"],
])("%s %s: they stay a loop", async (declared, use) => {
  expect(await loadsOfB(declared, use)).toEqual(new Set(["4 bytes, 8 times"]));
});
