// Conditions that an early return or a branch around has decided are not asked again: those that only look alike are.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

async function storedSectors(body: string): Promise<unknown> {
  const { analysis } = await analyse(`
__device__ void bump(int *p) { *p += 64; }
__global__ void k(float *o, int n) {
  int c = threadIdx.x;
  ${body}
}
int main() { float *o; cudaMalloc(&o, 4096); k<<<1, 128>>>(o, 100); }`);
  const accesses = analysis.groups.flatMap(({ contexts }) => contexts.map(({ access }) => access));
  return accesses.map(({ totals }) => totals?.cost);
}

describe("a condition that is asked again", () => {
  it.each([
    ["holds behind an early return", "if (c >= n) return; if (c < n) o[c] = 1;", 13],
    ["does not hold behind an early return", "if (c < n) return; if (c < n) o[c] = 1;", undefined],
    ["is another one of what was moved on", "if (c >= n) return; bump(&c); if (c < n) o[c] = 1;", 5],
    [
      "is another one of unsigned numbers",
      "int d = threadIdx.x - 5; if (d < n) { if ((unsigned)d < (unsigned)n) o[d] = 1; }",
      16,
    ],
    [
      "is another one of unsigned characters",
      "int t = c + 250; if ((int)(signed char)t < 3) { if ((int)(unsigned char)t < 3) o[c] = 1; }",
      2,
    ],
  ])("%s", async (_, body, sectors) => {
    expect(await storedSectors(body)).toEqual(sectors === undefined ? [] : [sectors]);
  });
});
