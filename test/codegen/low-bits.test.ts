// Indices of which a mask keeps the low bits, as nvcc 13.0 makes it of these kernels (read in their SASS: `npm run sass`): what the mask takes away
// tells no two of them apart.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

/** How many loads of the table are left of `out[i] = table[first] + table[second]`. */
async function loadCount(first: string, second: string): Promise<number> {
  const { analysis } = await analyse(`
__global__ void k(const int *__restrict__ table, int *__restrict__ out, int rows) {
  int i = blockIdx.x * 256 + threadIdx.x;
  unsigned u = i;
  out[i] = table[${first}] + table[${second}];
}
int main() { int *a; cudaMalloc(&a, 4096); k<<<2, 64>>>(a, a, 3); }`);
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation }) => operation === "load").length;
}

describe("two loads at masked indices", () => {
  it.each([
    ["i & 127", "(i + 128) & 127"],
    ["(i + 2) & 127", "(i + 130) & 127"],
    ["i & 127", "(i + 128 * rows) & 127"],
    ["u % 128", "(u + 256) % 128"],
  ])("are one: %s, %s", async (first, second) => {
    expect(await loadCount(first, second)).toBe(1);
  });

  it.each([
    ["i & 127", "(i + 64) & 127"],
    ["i & 127", "(i + 64 * rows) & 127"],
    ["i & 126", "(i + 128) & 127"],
    ["i % 128", "(i + 128) % 128"],
  ])("are two: %s, %s", async (first, second) => {
    expect(await loadCount(first, second)).toBe(2);
  });
});
