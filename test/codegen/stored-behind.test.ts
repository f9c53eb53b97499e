// A load behind a loop of what each trip stores at its end, as nvcc 13.0 has these loops (read in their SASS: `npm run sass`).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const trip = "__syncthreads(); unsigned v = s[t ^ k]; __syncthreads();";

async function loadsBehind(front: string, body: string, behind = "o[t] = s[t];"): Promise<number> {
  const { analysis } = await analyse(`
__global__ void k(const unsigned *in, unsigned *o, unsigned *g, int n) {
  __shared__ unsigned s[512];
  unsigned t = threadIdx.x;
  ${front}
  for (int k = 1; k < n; k <<= 1) { ${body} }
  ${behind}
}
int main() { unsigned *in, *o, *g; cudaMalloc(&in, 4096); cudaMalloc(&o, 4096); cudaMalloc(&g, 4096); k<<<1, 256>>>(in, o, g, 9); }`);
  const accesses = analysis.groups.flatMap(({ contexts }) => contexts.map(({ access }) => access));
  return accesses.filter(
    ({ operation, expression }) => operation === "load" && /^[sg]\[t\]$/.test(expression),
  ).length;
}

describe("a load behind a loop that ends each trip with a store there", () => {
  it.each([
    ["where the place was stored to in front", "s[t] = in[t];", `${trip} s[t] = v + 3;`, undefined, 0],
    [
      "in global memory",
      "g[t] = in[t];",
      `__syncthreads(); unsigned v = g[t ^ k]; __syncthreads(); g[t] = v + 3;`,
      "o[t] = g[t];",
      0,
    ],
    [
      "where it was loaded in front",
      "s[t ^ 1] = in[t]; __syncthreads(); unsigned w = s[t];",
      `${trip} s[t] = v + w;`,
      undefined,
      1,
    ],
    ["behind another load", "s[t] = in[t];", `${trip} s[t] = v + 3;`, "o[t] = in[t + 1] - s[t];", 0],
  ])("is none %s", async (_what, front, body, behind, count) => {
    expect(await loadsBehind(front, body, behind)).toBe(count);
  });

  it.each([
    ["a barrier stands between", "s[t] = in[t];", `${trip} s[t] = v + 3;`, "__syncthreads(); o[t] = s[t];"],
    ["a barrier ends the trip", "s[t] = in[t];", `${trip} s[t] = v + 3; __syncthreads();`, undefined],
    ["not every trip stores", "s[t] = in[t];", `${trip} if (t >= k) s[t] = v + 3;`, undefined],
    [
      "the loop may be left in the midst",
      "s[t] = in[t];",
      `${trip} if (v > 7) break; s[t] = v + 3;`,
      undefined,
    ],
  ])("is made where %s", async (_what, front, body, behind) => {
    expect(await loadsBehind(front, body, behind)).toBe(1);
  });
});
