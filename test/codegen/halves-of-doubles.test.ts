// Doubles and 64-bit integers of which 32 bits are read by their address or as a member of a union (widths seen in nvcc 13.0's SASS of these
// kernels: `npm run sass`).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (type: string, body: string) => `
union Bits { double d; struct { int low, high; } words; };
__global__ void k(${type} *a, int *c, int n) {
  int i = threadIdx.x;
  ${body}
}
int main() { ${type} *a; int *c; cudaMalloc(&a, 4096); cudaMalloc(&c, 4096); k<<<1, 32>>>(a, c, 9); }`;

async function loadsOf(type: string, body: string): Promise<string[]> {
  const { analysis } = await analyse(kernel(type, body));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation }) => operation === "load")
    .map(({ expression, bytes }) => `${expression} ${bytes}`);
}

describe("one half of 64 bits", () => {
  it.each([
    ["the low one", "double", "double v = a[i]; c[i] = *(int *)&v;"],
    ["the high one", "double", "double v = a[i]; c[i] = ((int *)&v)[1];"],
    ["twice", "double", "double v = a[i]; c[i] = *(int *)&v * 3 + (*(int *)&v >> 4);"],
    ["by a reference", "double", "double v = a[i]; int &w = reinterpret_cast<int *>(&v)[1]; c[i] = w & 255;"],
    ["of a union", "double", "Bits u; u.d = a[i]; c[i] = u.words.high >> 20;"],
    ["by CUDA's function", "double", "double v = a[i]; c[i] = __double2hiint(v) >> 20;"],
    ["by CUDA's other function", "double", "c[i] = __double2loint(a[i]);"],
    ["of the bits as an integer", "double", "c[i] = (int)__double_as_longlong(a[i]);"],
    ["as a float", "double", "double v = a[i]; c[i] = ((float *)&v)[1] * 2;"],
    ["of an integer", "long long", "long long v = a[i]; c[i] = ((int *)&v)[0];"],
  ])("%s is loaded alone", async (_what, type, body) => {
    expect(await loadsOf(type, body)).toEqual(["a[i] 4"]);
  });

  it.each([
    ["both halves", "double v = a[i]; c[i] = ((int *)&v)[0] + ((int *)&v)[1];"],
    [
      "one of them under a branch",
      "double v = a[i]; int w = *(int *)&v; if (i < n) w += ((int *)&v)[1]; c[i] = w;",
    ],
    ["the number as well", "double v = a[i]; c[i] = *(int *)&v; a[i + 32] = v;"],
    ["the number with another half", "double v = a[i]; c[i] = *(int *)&v; ((int *)&v)[0] = 0; a[i] = v;"],
    ["what is computed of it", "double v = a[i] * 2; c[i] = *(int *)&v;"],
  ])("%s: all of it is", async (_what, body) => {
    expect(await loadsOf("double", body)).toEqual(["a[i] 8"]);
  });
});
