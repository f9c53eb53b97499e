// What LLVM's vectorizer makes of members that are loaded one by one, as nvcc 13.0 has it (read in the PTX and SASS of these kernels: `npm run sass`).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (body: string) => `
struct __align__(4) Rgba { unsigned char r, g, b, a; };
__global__ void k(const float4 *p, const uchar4 *q, const ushort4 *h, const Rgba *c, float *o, float4 *v) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  __shared__ float4 s[64];
  __shared__ uchar4 b[64];
  ${body}
}
int main() {
  float4 *p, *v; uchar4 *q; ushort4 *h; Rgba *c; float *o;
  cudaMalloc(&p, 65536); cudaMalloc(&q, 65536); cudaMalloc(&h, 65536); cudaMalloc(&c, 65536); cudaMalloc(&o, 65536); cudaMalloc(&v, 65536);
  k<<<dim3(2, 2), dim3(32, 2)>>>(p, q, h, c, o, v);
}`;

/** The bytes of each access of the kind, sorted. */
async function widthsOf(body: string, ofOperation: "load" | "store" = "load"): Promise<number[]> {
  const { analysis } = await analyse(kernel(body));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation }) => operation === ofOperation)
    .map(({ bytes }) => bytes)
    .sort((one, other) => other - one);
}

describe("members of vectors of two indices", () => {
  const overlap = (i: string, j: string) =>
    `o[i] = (fminf(${i}.z, ${j}.z) - fmaxf(${i}.x, ${j}.x)) * (fminf(${i}.w, ${j}.w) - fmaxf(${i}.y, ${j}.y));`;

  it.each([
    ["z and x in turns: each y is loaded by itself", overlap("p[i]", "p[j]"), [16, 16, 4, 4]],
    ["of bytes", overlap("q[i]", "q[j]"), [4, 4, 1, 1]],
    ["z, another index, x, y", "o[i] = p[j].z / p[i].x / p[j].x / p[j].y;", [4, 4, 4, 4]],
    ["z, x, another index, y, w", "o[i] = p[j].z / p[j].x / p[i].x / p[j].y / p[j].w;", [16, 4, 4]],
    [
      "a whole vector between",
      "float a = p[j].z; float4 w = p[i]; o[i] = a / w.x / w.y / w.z / w.w / p[j].x / p[j].y;",
      [16, 4, 4, 4],
    ],
  ])("%s", async (_what, body, widths) => {
    expect(await widthsOf(body)).toEqual(widths);
  });

  it.each([
    ["from the first on", "o[i] = p[j].x / p[i].x / p[j].z / p[j].y;", [16, 4]],
    ["the other index in front", "o[i] = p[i].x / p[j].z / p[j].x / p[j].y;", [16, 4]],
    ["of another array", "o[i] = p[j].z / v[i].x / p[j].x / p[j].y;", [16, 4]],
    ["one after the other", "o[i] = p[i].z / p[i].x / p[i].y * (p[j].z / p[j].x / p[j].y);", [16, 16]],
  ])("as one where the order is another: %s", async (_what, body, widths) => {
    expect(await widthsOf(body)).toEqual(widths);
  });
});

describe("members on both sides of a store", () => {
  it.each([
    ["z, then x and y", "float a = p[i].z; o[i] = a; o[i + 64] = p[i].x / p[i].y;", [8, 4]],
    [
      "x, then all but y first",
      "float a = p[i].x; o[i] = a; o[i + 64] = p[i].y / p[i].z / p[i].w / p[i].x;",
      [8, 4, 4, 4],
    ],
    ["y, then the others", "float a = p[i].y; o[i] = a; o[i + 64] = p[i].x / p[i].z / p[i].w;", [8, 4, 4]],
    ["w, then the others", "float a = p[i].w; o[i] = a; o[i + 64] = p[i].x / p[i].y / p[i].z;", [16, 4]],
    [
      "z and another index, then x, y and w",
      "float a = p[j].z / p[i].x; o[i] = a; o[i + 64] = p[j].x / p[j].y / p[j].w;",
      [4, 4, 4, 4, 4],
    ],
  ])("%s", async (_what, body, widths) => {
    expect(await widthsOf(body)).toEqual(widths);
  });
});

describe("members between which lanes exchange values", () => {
  const shuffled = (member: string) => `__shfl_xor_sync(~0u, ${member}, 1)`;

  it.each([
    ["shuffles", ["x", "y", "z", "w"].map((one) => `a += ${shuffled(`p[i].${one}`)};`).join(" ")],
    ["votes", ["x", "y", "z", "w"].map((one) => `a += __ballot_sync(~0u, p[i].${one} > 1);`).join(" ")],
    [
      "the mask of active lanes",
      "a += p[i].x; a += __activemask(); a += p[i].y; a += __activemask(); a += p[i].z; a += __activemask(); a += p[i].w;",
    ],
  ])("are loaded one by one from global memory: %s", async (_what, sum) => {
    expect(await widthsOf(`float a = 0; ${sum} o[i] = a;`)).toEqual([4, 4, 4, 4]);
  });

  it("are one load in front of them all", async () => {
    expect(
      await widthsOf(`float a = p[i].x + p[i].y + p[i].z + p[i].w; o[i] = a + ${shuffled("a")};`),
    ).toEqual([16]);
  });

  it("are stored one by one to global memory", async () => {
    const stores = ["x", "y", "z", "w"].map((one) => `v[i].${one} = ${shuffled("a")};`).join(" ");
    expect(await widthsOf(`float a = o[i]; ${stores}`, "store")).toEqual([4, 4, 4, 4]);
  });

  it("are one load of words of shared memory, which ptxas merges, and four of bytes", async () => {
    const sum = (array: string) =>
      ["x", "y", "z", "w"].map((one) => `a += ${shuffled(`${array}[t ^ 1].${one}`)};`).join(" ");
    expect(
      await widthsOf(`s[t] = make_float4(0, t, t, 1); __syncthreads(); float a = 0; ${sum("s")} o[i] = a;`),
    ).toEqual([16]);
    expect(
      await widthsOf(`b[t] = make_uchar4(0, t, t, 1); __syncthreads(); int a = 0; ${sum("b")} o[i] = a;`),
    ).toEqual([1, 1, 1, 1]);
  });
});

describe("bytes and shorts of a vector, loaded one by one from global memory", () => {
  it.each([
    ["q", "x y", [2]],
    ["q", "z w", [2]],
    ["q", "y z", [1, 1]],
    ["q", "y w", [1, 1]],
    ["q", "x z", [4]],
    ["q", "x w", [4]],
    ["q", "x y z", [4]],
    ["q", "y z w", [2, 1]],
    ["h", "x y", [4]],
    ["h", "y z", [2, 2]],
    ["h", "x w", [8]],
    ["h", "y z w", [4, 2]],
    ["c", "r g", [2]],
    ["c", "r g b", [4]],
    ["c", "g b", [1, 1]],
  ])("%s: %s", async (array, members, widths) => {
    const sum = members
      .split(" ")
      .map((one) => `${array}[i].${one}`)
      .join(" + ");
    expect(await widthsOf(`o[i] = ${sum};`)).toEqual(widths);
  });

  it("are words of a vector that is copied first", async () => {
    expect(await widthsOf("uchar4 a = q[i]; o[i] = a.x + a.y;")).toEqual([4]);
  });
});
