// Loops of unknown trips, of which lanes make different numbers: how many copies LLVM makes of a trip hangs on its operations, those of
// functions of mathematics included (codegen/loops/function-sizes.ts). An H200 counted 10,516 sectors of a sum of logarithms where trips of the text would be 10,080.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

function kernel(term: string): string {
  return `__global__ void k(const float *a, const float *b, const float *c, const float *d, const float *e, float *out) {
  const int t = threadIdx.x;
  float sum = 0;
  for (int j = 0; j <= t; j++) {
    const float x = a[j + t] + b[j + t] + c[j + t], y = d[j + t] + e[j + t];
    sum += ${term};
  }
  out[t] = sum;
}
int main() {
  float *p, *out;
  cudaMalloc(&p, 5 << 20);
  cudaMalloc(&out, 1 << 10);
  k<<<1, 64>>>(p, p + 10000, p + 20000, p + 30000, p + 40000, out);
}
`;
}

describe("loads of lanes that make different numbers of trips are made", () => {
  // As many copies as PTX has of each: the lanes of the trips that are left over go by themselves.
  const cases: readonly [term: string, copies: number, requests: number][] = [
    ["x * y", 4, 102],
    ["sqrtf(x) * y", 4, 102],
    ["expf(x) * y", 4, 102],
    ["log1pf(expf(x - y))", 2, 98],
    ["expf(x) * expf(y) + expf(x * y)", 2, 98],
    ["powf(x, y)", 1, 96],
    ["sinf(x) * y", 1, 96],
  ];
  it.each(cases)("of %s: in rounds of %d trips", async (term, _, requests) => {
    const { analysis } = await analyse(kernel(term));
    const loads = analysis.groups
      .flatMap(({ contexts }) => contexts.map(({ access }) => access))
      .filter(({ operation }) => operation === "load");
    expect(new Set(loads.map((each) => each.requests))).toEqual(new Set([requests]));
  });
});
