// What a kernel loads of numbers that the host wrote as another type: figures as of the numbers that their bytes make.
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

/** Of `o[index]` in a kernel of one warp whose `p` are the bytes that the host wrote: bytes 0 and 1 of each word are `i & 7` and `i >> 3`, the others 0. */
async function sectorsOf(view: string, index: string): Promise<number | string | undefined> {
  const { analysis } = await analyse(`#include <vector>
__global__ void k(const ${view} *p, int *o) { int i = threadIdx.x; o[${index}] = 1; }
int main() {
  std::vector<unsigned char> h(128);
  for (int i = 0; i < 32; i++) { h[4 * i] = i & 7; h[4 * i + 1] = i >> 3; }
  unsigned char *d; int *o; cudaMalloc(&d, 128); cudaMalloc(&o, 1 << 20);
  cudaMemcpy(d, h.data(), 128, cudaMemcpyHostToDevice);
  k<<<1, 32>>>((const ${view} *)d, o);
}`);
  const accesses = analysis.report.launches.flatMap(({ profile }) => profile.accesses);
  const store = accesses.find(({ expression }) => expression === `o[${index}]`);
  return store?.verdict.kind === "exact" ? store.totals?.cost : store?.verdict.kind;
}

it.each([
  // 0..7, 256..263, 512..519, 768..775: four whole sectors.
  ["words", "unsigned", "p[i]", 4],
  ["halves of each word", "unsigned short", "p[2 * i]", 4],
  ["two words at a time", "uint2", "p[i / 2].x", 4],
  // 0..7 shifted to the top: 32 places 2^24 apart would be 32 sectors; by the second byte alone there are 4.
  ["a byte of each word", "unsigned", "(p[i] >> 8) * 8", 4],
  // Bytes 2 of a word are 0: from byte 1 on the word is i >> 3.
  ["words off their boundary", "unsigned char", "*(const unsigned short *)(p + 4 * i + 1) * 8", 4],
])("%s", async (_, view, index, sectors) => {
  expect(await sectorsOf(view, index)).toBe(sectors);
});
