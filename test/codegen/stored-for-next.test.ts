// A load that begins a trip where the trip before has ended with a store is made once, in front of the loop: as nvcc 13.0 has these loops in its PTX
// (eighteen of them; on an H200 a scan of 1,024 threads in ten trips loads 32 times, once a warp).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (body: string, head: string) => `
__global__ void k(float *g, float *h, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = g[t];
  __syncthreads();
  ${head} {
    ${body}
  }
  __syncthreads();
  h[t] = s[n];
}
int main() { float *g; cudaMalloc(&g, 65536); k<<<1, 256, 1024>>>(g, g + 4096, 3); }`;

const doubling = "for (unsigned d = 1; d < blockDim.x; d *= 2)";
const scanned = "if (t >= d) x += s[t - d];";
const trips = 8;
const warps = 8;

async function requestsOf(body: string, head = doubling, read = "s[t]"): Promise<readonly (number | null)[]> {
  const { analysis } = await analyse(kernel(body, head));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, expression }) => operation === "load" && expression === read)
    .map(({ requests }) => requests ?? null);
}

describe("a load that begins a trip where the one before has stored", () => {
  it.each([
    `float x = s[t]; __syncthreads(); ${scanned} __syncthreads(); s[t] = x;`,
    `float x = s[t]; __syncwarp(); ${scanned} __syncwarp(); s[t] = x;`,
    `float x = s[t]; __syncthreads(); ${scanned} __syncthreads(); s[t] = x; h[t + d] = x;`,
    `h[d] = 2; float x = s[t]; __syncthreads(); ${scanned} __syncthreads(); s[t] = x;`,
  ])("is made once: %s", async (body) => {
    expect(await requestsOf(body)).toEqual([warps]);
  });

  it.each([
    `__syncthreads(); float x = s[t]; __syncthreads(); ${scanned} __syncthreads(); s[t] = x;`,
    `float x = s[t]; __syncthreads(); ${scanned} __syncthreads(); s[t] = x; __syncthreads();`,
    `float x = s[t]; __syncthreads(); ${scanned} __syncthreads(); if (t >= d) s[t] = x;`,
    `float y = 0; if (t >= d) y = s[t - d]; float x = s[t]; __syncthreads(); s[t] = x + y;`,
    `float x = s[t]; __syncthreads(); ${scanned} __syncthreads(); s[t] = x; s[n + d] = 0;`,
  ])("is made in each trip: %s", async (body) => {
    expect(await requestsOf(body)).toEqual([warps * trips]);
  });

  it("is made once in global memory, too", async () => {
    const body = "float x = g[t]; __syncthreads(); if (t >= d) x += g[t - d]; __syncthreads(); g[t] = x;";
    const [inFront, inLoop] = await requestsOf(body, doubling, "g[t]");
    expect([inFront, inLoop]).toEqual([warps, warps]);
  });

  it("is made by those alone that make a trip", async () => {
    const body = "float x = s[t]; __syncthreads(); s[t] = x + 1;";
    expect(await requestsOf(body, "for (int d = t / 32; d < n; d++)")).toEqual([3]);
  });
});
