// Ways of a branch that each store a pair of halves to one place: one word, of both ways or behind them. Widths as in the SASS of nvcc 13.0 -O3.
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (body: string) => `#include <cuda_fp16.h>
__global__ void k(const half2* in, half2* out, int n, bool add) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  ${body}
}
int main() {
  half2 *in, *out;
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&out, 1 << 20);
  k<<<8, 256>>>(in, out, 2048, true);
}
`;

it.each([
  [
    "a residual",
    "half2 v = __hmul2(in[i], in[i + n]); if (add) out[i] = __hadd2(v, out[i]); else out[i] = v;",
  ],
  [
    "a residual in trips that may return",
    `#pragma unroll
  for (int j = 0; j < 2; j++) {
    int at = i + j * 2048;
    if (at >= n) return;
    half2 v = __hmul2(in[at], in[at + n]);
    if (add) out[at] = __hadd2(v, out[at]);
    else out[at] = __floats2half2_rn(__low2float(v), 0.0f);
  }`,
  ],
  [
    "lanes of a loop",
    "for (; i < n; i += 64) { half2 v = __hmul2(in[i], in[i + n]); if (i % 3) out[i] = __hadd2(v, out[i]); else out[i] = v; }",
  ],
  ["zeros", "if (i < n) out[i] = in[i]; else out[i] = __float2half2_rn(0.0f);"],
])("pairs of halves stored by ways: %s", async (_, body) => {
  const { analysis } = await analyse(kernel(body));
  const stores = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation }) => operation === "store");
  expect([...new Set(stores.map(({ bytes }) => bytes))]).toEqual([4]);
});
