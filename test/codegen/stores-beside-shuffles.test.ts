// What is loaded before a shuffle is loaded again behind it where something is stored in that space, before the shuffle or behind it: LLVM takes
// the shuffle for a change of all memory, and ptxas the store. As nvcc 13.0 -O3 has these kernels in its SASS; of rows that are centred in place
// an H200 counted all loads but the first twice.
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const textOf = (
  parameters: string,
  body: string,
) => `#define SUM(s) for (int o = 16; o > 0; o /= 2) s += __shfl_xor_sync(~0u, s, o);
__global__ void k(${parameters}) {
  __shared__ float m[128], n[128];
  int t = threadIdx.x;
  float a = p[t], b = p[t + 32], s = a + b;
  ${body}
}
int main() {
  float *p, *q;
  cudaMalloc(&p, 4096);
  cudaMalloc(&q, 4096);
  k<<<1, 32>>>(p, q);
}
`;

/** How many loads from a space the kernel makes. */
async function loadsOf(space: string, body: string, parameters = "float* p, float* q"): Promise<number> {
  const { analysis } = await analyse(textOf(parameters, body));
  const accesses = analysis.groups.flatMap(({ contexts }) => contexts.map(({ access }) => access));
  return accesses
    .filter((access) => access.space === space && access.operation === "load")
    .reduce((sum, { requests }) => sum + (requests ?? Number.NaN), 0);
}

it.each([
  ["a shuffle", "SUM(s) p[t + 96] = p[t] + s * p[t + 32];", 2],
  ["a store elsewhere in the array", "p[t + 64] = s; p[t + 96] = p[t] + s * p[t + 32];", 2],
  ["a shuffle and a store", "SUM(s) p[t + 64] = s; p[t + 96] = p[t] + s * p[t + 32];", 4],
  ["a store and a shuffle", "p[t + 64] = s; SUM(s) p[t + 96] = p[t] + s * p[t + 32];", 4],
  ["a shuffle and an atomic", "SUM(s) atomicAdd(&p[t + 64], s); p[t + 96] = p[t] + s * p[t + 32];", 4],
  [
    "a vote and a store",
    "unsigned v = __ballot_sync(~0u, s > b); p[t + 64] = s; p[t + 96] = p[t] + v * p[t + 32];",
    4,
  ],
  ["a shuffle and a store in shared memory", "SUM(s) m[t] = s; p[t + 96] = p[t] + m[t] * p[t + 32];", 2],
  ["a shuffle, itself and a store", "SUM(s) b += p[t]; p[t + 64] = s; p[t + 96] = p[t] + b;", 2],
])("behind %s global memory is loaded as often as by nvcc", async (_, body, loads) => {
  expect(await loadsOf("global", body)).toBe(loads);
});

it("of a restricted pointer nothing is loaded again", async () => {
  const body = "SUM(s) q[t + 64] = s; p[t + 96] = p[t] + s * p[t + 32];";
  expect(await loadsOf("global", body, "float* __restrict__ p, float* __restrict__ q")).toBe(2);
});

it("a store in another shared array is one in shared memory", async () => {
  const body = `m[t] = a; __syncthreads(); s = m[t ^ 1]; SUM(s) n[t] = s; q[t] = m[t ^ 1] + s + n[t ^ 3];`;
  expect(await loadsOf("shared", body)).toBe(3);
});
