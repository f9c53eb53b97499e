// Tiles that are filled with zeros past the edge: one store behind the branch for all lanes where its place does not change from trip to trip,
// and so is computed in front of the loop (seen in nvcc 13.0's PTX of these kernels; so the H200 executed it in sixteen of sixteen loops of
// recorded programs, at the loop's line).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

/** Of ten chunks of 128 elements the last has 56: its second warp is cut in two. */
const kernel = (place: string, before = "") => `
__global__ void fill(const float *in, float *out, int n) {
  __shared__ float chunk[2][128];
  float sum = 0;
  for (int base = 0, trip = 0; base < n; base += blockDim.x, trip++) {
    int i = base + threadIdx.x;
    ${before}
    if (i < n)
      ${place} = in[i];
    else
      ${place} = 0;
    __syncthreads();
    sum += chunk[trip % 2][127 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
int main() {
  float *a;
  cudaMalloc(&a, 8192);
  fill<<<1, 128>>>(a, a, 1208);
}`;

async function storesOf(text: string): Promise<{ requests: number | null; merged: number }[]> {
  const { analysis } = await analyse(text);
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, space }) => operation === "store" && space === "shared")
    .map(({ requests, mergedRanges }) => ({ requests, merged: mergedRanges.length }));
}

describe("a store that both ways of a branch in a loop end with", () => {
  it("is one where no trip changes its place, and may count for the other way, the condition, what follows and the loop", async () => {
    expect(await storesOf(kernel("chunk[0][threadIdx.x]"))).toEqual([{ requests: 40, merged: 4 }]);
  });

  it("stays two where trips change it: 38 warps store an element, three a zero", async () => {
    expect(await storesOf(kernel("chunk[trip % 2][threadIdx.x]"))).toEqual([
      { requests: 38, merged: 0 },
      { requests: 3, merged: 0 },
    ]);
  });
});

/** 300 of 500 elements are there; the tenth warp is cut in two. */
const filling = (loop: string) => `
__global__ void fill(const float *in, float *out, int n, int size) {
  __shared__ float chunk[512];
  ${loop}
  __syncthreads();
  out[threadIdx.x] = chunk[511 - threadIdx.x];
}
int main() {
  float *a;
  cudaMalloc(&a, 8192);
  fill<<<1, 128>>>(a, a, 300, 500);
}`;

describe("a store of a place that moves with the trip, which both ways of a branch end with (PTX of these kernels)", () => {
  const steps = "for (int i = threadIdx.x; i < size; i += blockDim.x)";

  it("is one where only the step of the loop follows", async () => {
    const loop = `${steps} if (i < n) chunk[i] = in[i]; else chunk[i] = 0;`;
    expect(await storesOf(filling(loop))).toEqual([{ requests: 16, merged: 4 }]);
  });

  it("stays two if the first way stores zero then", async () => {
    const loop = `${steps} if (i >= n) chunk[i] = 0; else chunk[i] = in[i];`;
    expect(await storesOf(filling(loop))).toEqual([
      { requests: 10, merged: 0 },
      { requests: 7, merged: 0 },
    ]);
  });

  it("stays two where the last way stores zero and more of the trip follows", async () => {
    const loop =
      "int i = threadIdx.x; while (i < size) { if (i < n) chunk[i] = in[i]; else chunk[i] = 0; i += blockDim.x; }";
    expect(await storesOf(filling(loop))).toEqual([
      { requests: 10, merged: 0 },
      { requests: 7, merged: 0 },
    ]);
  });
});
