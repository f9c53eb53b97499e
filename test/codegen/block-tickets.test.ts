// Blocks that draw their index from a counter, or whether they are the last. Of two such programs (a scan whose blocks wait for the one before, a radix sort's) an H200 counted
// what blocks in the order of their index access.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (draw: string, index: string, block = "256") => `
__global__ void scale(const float *in, float *out, unsigned *counter, int n) {
  __shared__ unsigned drawn;
  const int t = threadIdx.x;
  ${draw}
  __syncthreads();
  unsigned i = ${index} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
int main() {
  float *in, *out;
  unsigned *counter;
  cudaMalloc(&in, 4000);
  cudaMalloc(&out, 4000);
  cudaMalloc(&counter, 4);
  cudaMemset(counter, 0, 4);
  scale<<<4, dim3(${block})>>>(in, out, counter, 1000);
}
`;

/** The sectors of the last load in the launch; null where they are not known. */
async function sectorsOf(text: string): Promise<number | null | undefined> {
  const { analysis } = await analyse(text);
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ space, operation }) => space === "global" && operation === "load")
    .map(({ totals }) => totals?.cost ?? null)
    .at(-1);
}

const draw = "if (threadIdx.x == 0) drawn = atomicAdd(counter, 1);";

describe("a block's ticket", () => {
  it.each([
    ["drawn by thread 0", draw, "drawn"],
    ["by way of variables", "if (t == 0) { unsigned mine = atomicAdd(counter, 1u); drawn = mine; }", "drawn"],
    [
      "in two dimensions",
      "if (threadIdx.x == 0 && threadIdx.y == 0) drawn = atomicAdd(counter, 1);",
      "drawn",
    ],
  ])("%s is its index", async (_what, text, index) => {
    expect(await sectorsOf(kernel(text, index))).toBe(125);
  });

  it.each([
    ["of every thread", "drawn = atomicAdd(counter, 1);", "drawn", "256"],
    ["of several rows", draw, "drawn", "32, 2"],
    ["in tens", "if (t == 0) drawn = atomicAdd(counter, 10);", "drawn", "256"],
    ["behind an early end", `if (in[0] > 0) return; ${draw}`, "drawn", "256"],
    [
      "under another condition",
      "if (in[t] > 0) { if (threadIdx.x == 0) drawn = atomicAdd(counter, 1); }",
      "drawn",
      "256",
    ],
    ["beside the index of the block", draw, "(drawn + blockIdx.x) / 2", "256"],
    ["behind a size made of itself", `n = n / 2; if (n > 3) { ${draw} }`, "drawn", "256"],
    ["in a loop", `for (int k = 0; k < n; k += 300) { ${draw} }`, "drawn", "256"],
  ])("%s is not known", async (_what, text, index, block) => {
    expect(await sectorsOf(kernel(text, index, block))).toBeNull();
  });
});

const lastOf = (flag: string, work: string) => `
__global__ void sums(const float *in, float *out, unsigned *counter, int n) {
  __shared__ bool isLast;
  out[blockIdx.x * blockDim.x + threadIdx.x] = 0;
  if (gridDim.x > 1 && n > 0) {
    if (threadIdx.y * blockDim.x + threadIdx.x == 0) ${flag}
    __syncthreads();
    if (isLast) ${work}
  }
}
int main() {
  float *in, *out;
  unsigned *counter;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  cudaMalloc(&counter, 4);
  cudaMemset(counter, 0, 4);
  sums<<<4, 256>>>(in, out, counter, 1000);
}
`;

const drawsLast = "isLast = atomicAdd(counter, 1) == gridDim.x - 1;";

describe("the block that draws the last ticket", () => {
  it.each([
    ["by a sum", drawsLast],
    ["by atomicInc", "{ unsigned mine = atomicInc(counter, gridDim.x); isLast = mine + 1 == gridDim.x; }"],
  ])("is one: %s", async (_what, flag) => {
    expect(await sectorsOf(lastOf(flag, "out[0] += in[threadIdx.x];"))).toBe(8);
  });

  it("is any, where what it does hangs on its index", async () => {
    expect(await sectorsOf(lastOf(drawsLast, "out[0] += in[blockIdx.x * threadIdx.x];"))).toBeNull();
  });

  it("is not known where each block has a counter of its own", async () => {
    const own = "isLast = atomicAdd(counter + blockIdx.x, 1) == gridDim.x - 1;";
    expect(await sectorsOf(lastOf(own, "out[0] += in[threadIdx.x];"))).toBeNull();
  });
});
