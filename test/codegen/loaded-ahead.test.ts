// Words of one vector with branches between: forms/left_trips has what the GPU loads of them.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (body: string) => `
__global__ void k(float *o, const float *in, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  for (int i = t; i < 128; i += 32) s[i] = in[i];
  __syncthreads();
  ${body}
}
int main() { float *a, *b; cudaMalloc(&a, 65536); cudaMalloc(&b, 65536); k<<<1, 32>>>(a, b, 40); }`;

async function firstLoadOf(body: string): Promise<string | undefined> {
  const { analysis } = await analyse(kernel(body));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .find(({ expression, operation }) => operation === "load" && expression.startsWith("s["))?.verdict.kind;
}

describe("a word whose neighbours are loaded behind it", () => {
  it.each([
    [
      "behind an early return",
      "o[64 + t] = s[4 * t]; if (t + n > 60) return; o[t] = s[4 * t + 1] * in[n] + s[4 * t + 2];",
    ],
    [
      "under a branch",
      "o[64 + t] = s[4 * t]; if (t * t < n) { o[n] = expf(s[4 * t + 1]); __nanosleep(1); o[0] = s[4 * t + 2]; }",
    ],
    [
      "behind a branch, all of them at once",
      "float a = s[4 * t]; if (a > n) o[t] = s[4 * t + 1] * s[4 * t + 2] + s[4 * t + 3];",
    ],
  ])("%s is conditional", async (_what, body) => {
    expect(await firstLoadOf(body)).toBe("conditional");
  });

  it.each([
    ["behind a barrier", "o[64 + t] = s[2 * t]; if (n > 50) return; __syncthreads(); o[t] = s[2 * t + 1];"],
    ["behind a store", "float a = s[2 * t]; if (n > a) return; s[t] = a; o[t] = s[2 * t + 1];"],
    ["behind a division", "o[64 + t] = s[2 * t]; if (n > 50) return; o[n] = 1.0f / n; o[t] = s[2 * t + 1];"],
    ["in the next vector", "o[64 + t] = s[2 * t]; if (n > 50) return; o[t] = s[2 * t + 3];"],
  ])("%s is exact", async (_what, body) => {
    expect(await firstLoadOf(body)).toBe("exact");
  });
});

describe("one of two words that are a vector of their own", () => {
  const records = (body: string) => `
struct Best { float value; int index; };
__global__ void k(const Best *in, Best *out, float *f, int n) {
  __shared__ Best best[256];
  const int t = threadIdx.x;
  best[t] = in[t];
  __syncthreads();
  ${body}
}
int main() {
  Best *in, *out;
  float *f;
  cudaMalloc(&in, 4096); cudaMalloc(&out, 4096); cudaMalloc(&f, 65536);
  k<<<1, 128>>>(in, out, f, 40);
}`;

  /** The widths in bytes of the loads from shared memory, and whether they are sure. */
  async function loadsOf(body: string): Promise<string[]> {
    const { analysis } = await analyse(records(body));
    return analysis.groups
      .flatMap(({ contexts }) => contexts.map(({ access }) => access))
      .filter(({ operation, space }) => operation === "load" && space === "shared")
      .map(({ bytes, verdict }) => `${bytes}${verdict.kind === "conditional" ? " unless" : ""}`);
  }

  // SASS of nvcc 13.0.
  it.each([
    ["under a branch", "if (best[t ^ 1].value > 3) f[t] = best[t ^ 1].index;", ["8"]],
    ["of the other way", "if (best[t ^ 1].value > 3) f[t] = n; else f[t * n] = best[t ^ 1].index;", ["8"]],
    ["behind a return", "if (best[t ^ 1].value > 3) return; f[t] = best[t ^ 1].index;", ["8"]],
    ["the second first", "if (best[t ^ 1].index > 3) f[t] = best[t ^ 1].value;", ["8"]],
    ["that goes with it", "if (best[t ^ 1].value > 3) best[t] = best[t ^ 1];", ["8"]],
    [
      "in turn with another's",
      "float o = best[t ^ 1].value, m = best[t].value; if (o > m || (o == m && best[t ^ 1].index < best[t].index)) f[t] = 1;",
      ["8", "8"],
    ],
    [
      "behind a barrier",
      "if (best[t ^ 1].value > 3) { __syncwarp(); f[t] = best[t ^ 1].index; }",
      ["4", "4"],
    ],
    [
      "behind a store to shared memory",
      "if (best[t ^ 1].value > 3) { best[t].value = 3; f[t] = best[t ^ 1].index; }",
      ["4", "4"],
    ],
  ])("%s is loaded with it where nothing parts them", async (_what, body, widths) => {
    expect(await loadsOf(body)).toEqual(widths);
  });
});

it("scalars side by side in shared memory are such words, too: an H200 loads both as one vector ahead of the return", async () => {
  const { analysis } = await analyse(`
__global__ void k(double *o, int n) {
  __shared__ double cosine;
  __shared__ double sine;
  const int t = threadIdx.x;
  if (t == 0) { cosine = o[n]; sine = o[n + 1]; }
  __syncthreads();
  if (sine == 0.0) return;
  o[t] = cosine * o[t] + sine;
}
int main() { double *a; cudaMalloc(&a, 65536); k<<<1, 32>>>(a, 40); }`);
  const loads = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, space }) => operation === "load" && space === "shared");
  expect(loads.map(({ verdict }) => verdict.kind)).toEqual(["conditional", "conditional"]);
});

describe("trips that load neighbours and may end early", () => {
  const unrolled = (from: number, to: number) => `
  float sum = 0;
  #pragma unroll
  for (int i = ${from}; i < ${to} && i < n; ++i) sum += s[i + t * 4];
  o[t] = sum;`;

  it.each([
    ["three words of a vector of four, but the first", 1, 4, "conditional"],
    ["three words of a vector of four, but the last", 0, 3, "conditional"],
    ["the two in the midst of a vector", 1, 3, "exact"],
  ])("%s", async (_what, from, to, verdict) => {
    const { analysis } = await analyse(kernel(unrolled(from, to)));
    const loads = analysis.groups
      .flatMap(({ contexts }) => contexts.map(({ access }) => access))
      .filter(({ operation, space }) => operation === "load" && space === "shared");
    expect(new Set(loads.map((load) => load.verdict.kind))).toEqual(new Set([verdict]));
  });
});
