// Trips that data choose for the whole warp: where all of them cost alike, in proportion, the ratio is known whichever are made; where they do
// not, nobody knows what they come to (an H200 counted 104 / 76 sectors of a row mask whose trips are 1.2 on average).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

async function verdictOf(index: string, condition: string, blocks = 4): Promise<string> {
  const { analysis } = await analyse(`
__global__ void k(const float *p, const int *flags, float *out) {
  int t = threadIdx.x;
  float sum = 0;
  for (int row = 0; row < 12; row++)
    if (${condition}) sum += p[${index}];
  out[t] = sum;
}
int main() {
  float *p;
  int *flags;
  cudaMalloc(&p, 1 << 16);
  cudaMalloc(&flags, 1 << 10);
  k<<<${blocks}, 32>>>(p, flags, p + 8192);
}`);
  const accesses = analysis.groups.flatMap(({ contexts }) => contexts.map(({ access }) => access));
  const verdicts = accesses
    .filter(({ expression }) => expression === `p[${index}]`)
    .map(({ verdict }) => verdict.kind);
  return verdicts.join(" ");
}

describe("loads of trips that data choose are", () => {
  it.each([
    ["row * 32 + t", "flags[row]", "exact"],
    ["row * 33 + t", "flags[row]", "unknown"],
    ["row * 33 + t", "row & 1", "exact"],
  ])("of %s if %s: %s", async (index, condition, verdict) => {
    expect(await verdictOf(index, condition)).toBe(verdict);
  });

  it("exact where there are so many that chance leaves them what all cost", async () => {
    expect(await verdictOf("row * 33 + t", "flags[row + blockIdx.x]", 200)).toBe("exact");
  });
});
