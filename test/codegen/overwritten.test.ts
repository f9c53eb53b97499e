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

// An H200 counted no access of the lines that are not loaded here.
describe("sums that are read by their own trips alone", () => {
  it.each([
    [
      "behind their last use",
      "for (int k = 0; k < n; k++) s += a[i]; v = s; for (int k = 0; k < n; k++) s += b[i];",
    ],
    [
      "before they are set anew",
      "for (int k = 0; k < n; k++) { s += b[i]; if (i < 16) s *= b[i + k]; s = a[i]; } v = s;",
    ],
    [
      "in trips within trips",
      "for (int k = 0; k < n; k++) { s += a[i]; v = s; for (int j = 0; j < k; j++) s -= b[i + j]; s = 0; }",
    ],
  ])("%s: not loaded", async (_what, body) => {
    expect(await loadsOfSums(body)).toEqual(["a[i]"]);
  });

  it.each([
    [
      "behind the loop",
      "for (int k = 0; k < n; k++) s += a[i]; for (int k = 0; k < n; k++) s += b[i]; v = s;",
      "b[i]",
    ],
    ["in the next trip", "for (int k = 0; k < n; k++) { v += s; s = a[i]; s += b[i]; }", "b[i]"],
    [
      "where a trip is left",
      "for (int k = 0; k < n; k++) { s += b[i + k]; if (s > 5) break; s = a[i]; } v = s;",
      "b[i + k]",
    ],
  ])("%s: loaded", async (_what, body, read) => {
    expect(await loadsOfSums(body)).toEqual(["a[i]", read]);
  });
});

async function loadsOfSums(body: string): Promise<string[]> {
  const { analysis } = await analyse(`
__global__ void k(const float *a, const float *b, float *out, int n) {
  int i = threadIdx.x;
  float s = 0, v = 0;
  ${body}
  out[i] = v;
}
int main() { float *p; cudaMalloc(&p, 4096); k<<<1, 32>>>(p, p + 256, p + 512, 9); }`);
  const loads = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation }) => operation === "load")
    .map(({ expression }) => expression);
  return [...new Set(loads)].sort();
}
