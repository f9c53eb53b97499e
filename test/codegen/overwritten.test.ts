// Members that are assigned anew before anybody reads them: what fed them is not loaded (seen in nvcc 13.0's PTX of these kernels).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (type: string, body: string) => `
#include <cuda_fp16.h>
__global__ void k(${type} *x, ${type} *y) {
  int i = threadIdx.x;
  ${type} v = y[i], u = x[i];
  ${body}
  y[i] = v;
}
int main() { ${type} *x, *y; cudaMalloc(&x, 1024); cudaMalloc(&y, 1024); k<<<1, 32>>>(x, y); }`;

async function loadsOf(type: string, body: string): Promise<string[]> {
  const { analysis } = await analyse(kernel(type, body));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation }) => operation === "load")
    .map(({ expression, bytes }) => `${expression} ${bytes}`)
    .sort();
}

describe("members that are overwritten", () => {
  it.each([
    ["float2", "v.x = u.x * 2.0f; v.y = u.y + v.x;"],
    ["half2", "v.x = __hmax(u.x, __float2half(0.0f)); v.y = __hmax(u.y, __float2half(0.0f));"],
  ])("%s: both before they are read", async (type, body) => {
    const bytes = type === "float2" ? 8 : 4;
    expect(await loadsOf(type, body)).toEqual([`x[i] ${bytes}`]);
  });

  it("one of them", async () => {
    expect(await loadsOf("float2", "v.x = u.x * 2.0f; v.y += u.y;")).toEqual(["x[i] 8", "y[i] 4"]);
  });

  it.each([
    ["read before", "float t = v.x + v.y; v.x = u.x * t; v.y = u.y;"],
    ["overwritten under a condition", "if (i > 3) { v.x = u.x; v.y = u.y; }"],
  ])("%s: loaded", async (_what, body) => {
    expect(await loadsOf("float2", body)).toEqual(["x[i] 8", "y[i] 8"]);
  });
});
