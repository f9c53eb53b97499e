// How many trips a round of a loop has whose trips nobody knows: LLVM makes four copies of a trip up to a size, two up to another (PTX of nvcc 13.0;
// an H200 counted 208,590 sectors of three floats a particle where rounds of four trips would be 142,994). And which loops it parts where their
// counter meets the thread's own index: none with a branch behind it.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

async function sectorsOf(trip: string, behind = ""): Promise<number | undefined> {
  const { analysis } = await analyse(`__global__ void k(const float *p, float *out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  int count = 0;
  for (int j = 0; j < n; ++j) {
    if (i == j) continue;
    const float x = p[j * 3];
    ${trip}
    ++count;
  }
  ${behind}
  out[i] = sum + count;
}
int main() {
  float *p, *out;
  cudaMalloc(&p, 64 * 3 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  k<<<1, 64>>>(p, out, 64);
}
`);
  const load = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .find(({ operation }) => operation === "load");
  return load?.totals?.cost;
}

const divisions = (count: number) => "sum = x / (sum + 1); ".repeat(count);

describe("a round of a loop that is parted at the thread's own index", () => {
  it("has four trips where they are short, two where divisions make them long", async () => {
    // Of four trips: lanes of a round that ends at the end of the loop are four at one place.
    expect(await sectorsOf(divisions(7))).toBe(await sectorsOf(divisions(1)));
    expect(await sectorsOf(divisions(9))).toBeGreaterThan((await sectorsOf(divisions(1))) ?? 0);
  });
});

describe("a loop that asks for the thread's own index", () => {
  it("stays one with a branch behind it, of the text or of CUDA's library", async () => {
    const parted = await sectorsOf("sum += x;");
    const whole = await sectorsOf("sum += x;", "if (count > 0) sum = sqrtf(sum) / count;");
    expect(whole).toBeLessThan(parted ?? 0);
    for (const behind of ["sum = logf(sum);", "__syncthreads(); if (count == 0) return;"])
      expect(await sectorsOf("sum += x;", behind)).toBe(whole);
    for (const behind of [
      "if (count > 3) sum = 1;",
      "sum = expf(sum);",
      "for (int q = 0; q < count; q++) sum += q;",
    ])
      expect(await sectorsOf("sum += x;", behind)).toBe(parted);
  });
});
