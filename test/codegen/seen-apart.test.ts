// Vectors that are built where a scalar pointer was cast, beyond what is recorded (forms/wide_stores): seen in nvcc 13.0's PTX, and conditional where the
// order in which LLVM adds up decides.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (body: string) => `
__global__ void k(float *o, const float *in, int n, int m, long p, long q) {
  const int t = threadIdx.x, l = threadIdx.x % 8;
  ${body}
}
int main() { float *a, *b; cudaMalloc(&a, 65536); cudaMalloc(&b, 65536); k<<<1, 32>>>(a, b, 4, 2, 4, 4); }`;

const built = "make_float4(in[t], in[t + 64], in[t + 128], in[t + 192])";

async function storesOf(body: string): Promise<string[]> {
  const { analysis } = await analyse(kernel(body));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation }) => operation === "store")
    .map(({ bytes, verdict }) => `${bytes} ${verdict.kind}`);
}

const apart = ["4 exact"];

describe("a float4 that is built", () => {
  it.each([
    ["o + n + m * 8 + (t & 28)"],
    ["o + n + m * 8 + ((t << 2) & 28)"],
    ["o + n + m * 8 + l * 12"],
    ["o + p * 8 + n + m * 8"],
    ["o + (p * 6 + q * 4 + n * 4)"],
    ["o + n + p * 4 + m"],
  ])("%s: member by member", async (address) => {
    expect(await storesOf(`*reinterpret_cast<float4 *>(${address}) = ${built};`)).toEqual(apart);
  });

  it.each([
    ["o + n + m * 8 + l"],
    ["o + n + m * 8 + t % 7 * 4"],
    ["o + n + m * 8 + (m > 0 ? 8 : 4)"],
    ["o + p * 8 + l * 4"],
    ["o + p * q + l * 4"],
    ["o + n + m * 8 + l * 4 - 8"],
    ["o + n + m * 8 + (l * 12 + 4)"],
    ["o + n + m * 8 + (l * 8 | 4)"],
  ])("%s: as one", async (address) => {
    expect(await storesOf(`*reinterpret_cast<float4 *>(${address}) = ${built};`)).toEqual(["16 exact"]);
  });

  // In SASS: what LLVM leaves in members ptxas puts together, once another vector tells it how they lie.
  it.each([
    ["built", `*reinterpret_cast<float4 *>(o + n + m * 8 + l * 12) = ${built};`],
    [
      "loaded by members and built",
      `float4 &c = *reinterpret_cast<float4 *>(o + n + m * 8 + l * 12);
  float x = c.x + 1, y = c.y * 2, z = c.z - 2, w = c.w - 3;
  c = make_float4(x, y, z, w);`,
    ],
  ])("%s: as one beside a vector at a constant more", async (_what, body) => {
    const beside = `*reinterpret_cast<float4 *>(o + n + m * 8 + (l * 12 + 4)) = ${built};`;
    expect(await storesOf(`${body} ${beside}`)).toEqual(["16 exact", "16 exact"]);
  });

  it.each([
    ["two that cannot overflow", `*reinterpret_cast<float4 *>(o + l * 4 + (n & 7) * 8 + m) = ${built};`],
    ["no bits in common", `*reinterpret_cast<float4 *>(o + m * 32 + l * 4 + n) = ${built};`],
    ["a factor in common", `*reinterpret_cast<float4 *>(o + p * 8 + q * 8 + n) = ${built};`],
    ["a loop", `for (int i = 0; i < n; i++) *reinterpret_cast<float4 *>(o + n + l * 4 + i * m) = ${built};`],
  ])("%s: not known", async (_what, body) => {
    const stores = await storesOf(body);
    expect(stores).not.toEqual([]);
    for (const store of stores) expect(store).toContain("conditional");
  });

  // In PTX whole: `(2 * y + 1) * q + t`, with which two terms are left. No finding may rest on its members.
  it.each([
    ["of numbers", "o + p * q * 4 + t * 4 + q * 4"],
    ["side by side", "o + (p * n + p * 8 + q * 8)"],
    ["of a variable", "o + p * pitch + t * 4 + pitch"],
  ])("a factor in common %s: whole, if at all", async (_what, address) => {
    const body = `long pitch = q * 4; *reinterpret_cast<float4 *>(${address}) = ${built};`;
    expect(await storesOf(body)).toEqual(["16 conditional"]);
  });
});
