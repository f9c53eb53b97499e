// Straight-line code with more accesses than most has: what merges in its first lines merges in its last.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

async function widthsOf(text: string): Promise<Record<string, number>> {
  const { analysis } = await analyse(text);
  const widths: Record<string, number> = {};
  for (const { access } of analysis.groups.flatMap(({ contexts }) => contexts)) {
    const kind = `${access.space} ${access.operation} ${access.bytes}`;
    widths[kind] = (widths[kind] ?? 0) + 1;
  }
  return widths;
}

describe("a long block", () => {
  it("loads each of three hundred vectors as one", async () => {
    // Each member is copied by itself, as where a record is filled from vectors (fixtures/programs/lattice_dslash).
    const widths = await widthsOf(`
__global__ void k(const float4* in, float* out, int stride) {
  float sum = 0.0f;
#pragma unroll
  for (int d = 0; d < 25; d++) {
    float words[48];
#pragma unroll
    for (int i = 0; i < 12; i++) {
      float4 v = in[threadIdx.x + (12 * d + i) * stride];
      words[4 * i] = v.x; words[4 * i + 1] = v.y; words[4 * i + 2] = v.z; words[4 * i + 3] = v.w;
    }
#pragma unroll
    for (int i = 0; i < 24; i++) sum += words[i] * words[47 - i];
  }
  out[threadIdx.x] = sum;
}
int main() { float4* in; float* out; cudaMalloc(&in, 1 << 20); cudaMalloc(&out, 128); k<<<1, 32>>>(in, out, 32); }`);
    expect(widths).toEqual({ "global load 16": 300, "global store 4": 1 });
  });
});

describe("a row that many columns are multiplied with", () => {
  it("is loaded once (recorded: fixtures/programs/flash_row_quads)", async () => {
    const widths = await widthsOf(`
__global__ void k(float4* out, int n) {
  __shared__ float4 rows[32][17], columns[32][17];
  rows[threadIdx.x][n & 15] = columns[n & 15][threadIdx.x & 15] = out[threadIdx.x];
  __syncthreads();
  float sum[8];
#pragma unroll
  for (int j = 0; j < 8; j++) {
    sum[j] = 0.0f;
#pragma unroll
    for (int x = 0; x < 16; x++) {
      float4 a = rows[threadIdx.x][x], b = columns[(threadIdx.x + j) & 31][x];
      sum[j] += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
  }
  for (int j = 0; j < 8; j++) out[threadIdx.x + 32 * j].x = sum[j];
}
int main() { float4* out; cudaMalloc(&out, 1 << 20); k<<<1, 32>>>(out, 3); }`);
    expect(widths["shared load 16"]).toBe(16 + 8 * 16);
  });
});

describe("a division between two stores", () => {
  const between = (divisor: string) => `
__global__ void k(const float* in, float* out) {
  __shared__ float2 s[64];
  float x = in[threadIdx.x];
#pragma unroll
  for (int half = 4; half > 2; half >>= 1) {
    s[2 * threadIdx.x] = make_float2(x, x + 1.0f);
    s[2 * threadIdx.x + 1] = make_float2(x * x, x / ${divisor});
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x].x;
  }
}
int main() { float* in; float* out; cudaMalloc(&in, 128); cudaMalloc(&out, 128); k<<<1, 32>>>(in, out); }`;

  it("parts nothing where the counter of an unrolled loop makes it one by a power of two", async () => {
    expect(await widthsOf(between("half"))).toMatchObject({ "shared store 16": 1 });
  });

  it("parts them where it takes a branch", async () => {
    expect(await widthsOf(between("(half + 1)"))).toMatchObject({ "shared store 8": 2 });
  });
});

describe("a sum that is added to itself", () => {
  it("does not grow with each time: hashes of 64 bits that place a vector", async () => {
    const { analysis } = await analyse(`
__global__ void k(float* out, const float* in, unsigned n) {
  unsigned long long h = threadIdx.x;
  ${"h = h + n * 4; h += h << 5;\n  ".repeat(40)}
  *reinterpret_cast<float4*>(out + (h & 1023) * 4 + h) = make_float4(in[0], in[1] + 1.0f, in[2], in[3]);
}
int main() { float *out, *in; cudaMalloc(&out, 1 << 20); cudaMalloc(&in, 128); k<<<1, 32>>>(out, in, 3); }`);
    const stores = analysis.groups
      .flatMap(({ contexts }) => contexts)
      .filter(({ access }) => access.operation === "store");
    // How LLVM adds up so many terms is not known.
    expect(stores.map(({ access }) => access.verdict.kind)).not.toContain("exact");
    expect(stores).not.toEqual([]);
  });
});
