// An access of which some warps lead to memory that nobody knows: what the others cost is no total.
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (chosen: string) => `
__global__ void k(const float *p, float *o) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = p[t];
  __syncthreads();
  const float *q = p + t;
  if (${chosen}) q = s;
  o[t] = *q;
}
int main() { float *p; cudaMalloc(&p, 4096); k<<<4, 64>>>(p, p); }`;

it.each([
  ["in one block by lanes", "blockIdx.x == 1 && t % 3 == 0", { totals: null, sectors: 4, requests: null }],
  [
    "in no block",
    "gridDim.x == 1 && t % 3 == 0",
    { totals: { cost: 32, ideal: 32 }, sectors: 4, requests: 8 },
  ],
])("a pointer that may lead to shared memory %s", async (_, chosen, expected) => {
  const { analysis } = await analyse(kernel(chosen));
  const [load] = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ expression, space }) => expression === "*q" && space === "global");
  const { totals = null, perRequest = null, requests = null } = load ?? {};
  expect({ totals, sectors: perRequest?.most.cost, requests }).toEqual(expected);
});
