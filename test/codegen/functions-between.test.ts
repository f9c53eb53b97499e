// Members of an aligned record in global memory with a function of mathematics between: what branches in CUDA's library is several blocks to LLVM, and
// nobody else merges there (seen in nvcc 13.0's PTX of these kernels; recorded: option_layouts).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

async function widthsOf(type: string, body: string, operation: "load" | "store"): Promise<number[]> {
  const scalar = type.slice(0, -1);
  const { analysis } = await analyse(`
__global__ void k(${scalar} *__restrict__ s, ${type} *__restrict__ o, const ${type} *__restrict__ p) {
  int i = threadIdx.x;
  ${body}
}
int main() {
  ${scalar} *s;
  ${type} *o, *p;
  cudaMalloc(&s, 8192); cudaMalloc(&o, 8192); cudaMalloc(&p, 8192);
  k<<<1, 32>>>(s, o, p);
}`);
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter((access) => access.operation === operation && !access.expression.startsWith("s["))
    .map(({ bytes }) => bytes)
    .sort((a, b) => a - b);
}

describe("loads", () => {
  it.each([
    ["float2", "s[i] = logf(p[i].x) * logf(p[i].y);", [4, 4]],
    ["float2", "float a = sinf(p[i].x); s[i] = a * p[i].y;", [4, 4]],
    ["float2", "s[i] = erff(p[i].x) - erff(p[i].y);", [4, 4]],
    ["float2", "s[i] = logf(p[i].x / o[i].x) * logf(p[i].y / o[i].y);", [4, 4, 4, 4]],
    ["float4", "s[i] = powf(p[i].x, p[i].y) * p[i].z + p[i].w;", [8, 8]],
    ["double2", "s[i] = tanh(p[i].x) + tanh(p[i].y);", [8, 8]],
    ["double2", "s[i] = log2(p[i].x) + log2(p[i].y);", [8, 8]],
  ])("%s: %s", async (type, body, widths) => {
    expect(await widthsOf(type, body, "load")).toEqual(widths);
  });

  it.each([
    ["float2", "s[i] = expf(p[i].x) * tanhf(p[i].y);", [8]],
    ["float2", "s[i] = sqrtf(p[i].x) / p[i].y;", [8]],
    ["float2", "s[i] = __logf(p[i].x) * __logf(p[i].y);", [8]],
    ["float4", "float4 v = p[i]; s[i] = logf(v.x) * sinf(v.y) + powf(v.z, v.w);", [16]],
  ])("one: %s: %s", async (type, body, widths) => {
    expect(await widthsOf(type, body, "load")).toEqual(widths);
  });
});

describe("stores", () => {
  it.each([
    ["float2", "float a = s[i]; o[i].x = cosf(a); o[i].y = sinf(a);", [4, 4]],
    ["float2", "o[i].x = s[i]; o[i].y = logf(s[i + 32]);", [4, 4]],
    ["double2", "o[i].x = s[i]; o[i].y = exp(s[i + 32]);", [8, 8]],
  ])("%s: %s", async (type, body, widths) => {
    expect(await widthsOf(type, body, "store")).toEqual(widths);
  });

  it.each([
    ["float2", "float a = s[i]; o[i] = make_float2(cosf(a), sinf(a));", [8]],
    ["float2", "float a, b; sincosf(s[i], &a, &b); o[i].x = b; o[i].y = a;", [8]],
    ["float2", "o[i].x = sqrtf(s[i]); o[i].y = expf(s[i + 32]);", [8]],
    ["float2", "o[i].x = __cosf(s[i]); o[i].y = __sinf(s[i]);", [8]],
  ])("one: %s: %s", async (type, body, widths) => {
    expect(await widthsOf(type, body, "store")).toEqual(widths);
  });
});
