// A loop that asks for the thread's own index (`if (i == j) continue;`): LLVM may part it there, and makes copies of the trips of either part, so that lanes
// meet in other trips than the text says (PTX of nvcc 13.0; forms/split_at_index has what the GPU counts).
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

async function verdictOf(asked: string): Promise<string | undefined> {
  const { analysis } = await analyse(`__global__ void k(const float *p, float *out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) {
    ${asked}
    const float x = p[j * 3];
    sum += x;
  }
  out[i] = sum;
}
int main() {
  float *p, *out;
  cudaMalloc(&p, 64 * 3 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  k<<<1, 64>>>(p, out, 64);
}
`);
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .find(({ operation }) => operation === "load")?.verdict.kind;
}

it.each([
  ["if (i == j) continue;", "conditional"],
  ["if (j < i) continue;", "conditional"],
  ["if (n == j) continue;", "exact"],
])("what is loaded behind `%s` is %s", async (asked, verdict) => {
  expect(await verdictOf(asked)).toBe(verdict);
});
