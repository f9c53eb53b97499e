// A variable that a loop doubles or halves is no counter: LLVM keeps no register that counts with it, and what a trip adds to it differs from trip to trip. The
// SASS of nvcc 13.0 -O3 has 64 bits for both elements of the butterfly, and 32 for each half of the element that a counter of the loop leads to.
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (loop: string) => `
struct Pair { float re, im; };
__global__ void k(Pair *data) {
  __shared__ Pair s[1024];
  const int t = threadIdx.x;
  s[t] = data[t];
  s[t + 512] = data[t + 512];
  __syncthreads();
#pragma unroll 1
  ${loop} {
    Pair a = s[t];
    Pair b = s[t + len];
    __syncthreads();
    s[t].re = a.re + b.re;
    s[t].im = a.im - b.im;
    __syncthreads();
  }
  data[t] = s[t];
}
int main() {
  Pair *data;
  cudaMalloc(&data, 8192);
  k<<<1, 512>>>(data);
}`;

async function bitsOf(loop: string): Promise<readonly number[]> {
  const { analysis } = await analyse(kernel(loop));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, expression }) => operation === "load" && expression === "s[t + len]")
    .map(({ bytes }) => 8 * (bytes ?? 0));
}

it.each([
  ["doubled", "for (int len = 1; len < 512; len <<= 1)"],
  ["multiplied", "for (int len = 1; len < 512; len *= 2)"],
  ["halved", "for (int len = 256; len > 0; len >>= 1)"],
])("leaves an element whole where the step is %s", async (_, loop) => {
  expect(await bitsOf(loop)).toEqual([64]);
});

it("parts an element where the step counts", async () => {
  expect(await bitsOf("for (int len = 1; len < 512; len++)")).toEqual([32, 32]);
});
