// Pairs of kernels, as an edit would leave them: which the check passes, and what it says of the others.
import { describe, expect, it } from "vitest";
import { checkPair, defaultCheckLimits } from "../../server/src/fixes/check/check.ts";
import type { CheckPair, CheckResult } from "../../server/src/fixes/fix.ts";
import type { Program } from "../../server/src/ir/function.ts";
import { findLaunches } from "../../server/src/launches/host/find.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import { kernelLaunches } from "../../server/src/launches/launches.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";

async function subjectOf(text: string): Promise<{ program: Program; launch: Launch }> {
  const program = lowerProgram(await readText(text));
  const [kernel] = program.kernels;
  if (kernel === undefined) throw new Error("no kernel");
  const { launches } = findLaunches(program, { texts: new Map([["a.cu", text]]) });
  const [launch] = kernelLaunches(program, kernel, launches, { configured: {} }).launches;
  if (launch === undefined) throw new Error("no launch");
  return { program, launch };
}

function drain(steps: Generator<void, CheckResult>): CheckResult {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

async function check(before: string, after: string, rest: Partial<CheckPair> = {}): Promise<CheckResult> {
  const [original, patched] = [await subjectOf(before), await subjectOf(after)];
  return drain(
    checkPair({ original, patched, originalMisaligns: false, mustRun: [], keptArguments: [], ...rest }),
  );
}

/** Applies replacements, each of which must change the text. */
function edited(text: string, ...replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((result, [from, to]) => {
    expect(result).toContain(from);
    return result.replaceAll(from, to);
  }, text);
}

const transpose = `
__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
int main() {
  float *in, *out; int n = 1000;
  cudaMalloc(&in, n * n * 4); cudaMalloc(&out, n * n * 4);
  transpose<<<dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 32)>>>(out, in, n);
}`;

const copy = `
__global__ void copy(float *out, const float *in, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int k = 0; k < 4; k++) if (i + k < n) out[i + k] = in[i + k] * 2.0f;
}
int main() { float *a, *b; cudaMalloc(&a, 40000); cudaMalloc(&b, 40000); copy<<<10, 256>>>(a, b, 10000); }`;

const grouped = edited(copy, [
  "for (int k = 0; k < 4; k++) if (i + k < n) out[i + k] = in[i + k] * 2.0f;",
  `if (i < n) {
    float4 v = *reinterpret_cast<const float4 *>(in + i);
    v.x *= 2.0f; v.y *= 2.0f; v.z *= 2.0f; v.w *= 2.0f;
    *reinterpret_cast<float4 *>(out + i) = v;
  }`,
]);

describe("a pair is checked", () => {
  it("where a pad leaves every byte as it was", async () => {
    expect(await check(transpose, edited(transpose, ["tile[32][32]", "tile[32][33]"]))).toMatchObject({
      kind: "checked",
      inputSets: 3,
    });
  });

  it("where every access is swizzled alike", async () => {
    const after = edited(
      transpose,
      ["tile[threadIdx.y][threadIdx.x]", "tile[threadIdx.y][threadIdx.x ^ threadIdx.y]"],
      ["tile[threadIdx.x][threadIdx.y]", "tile[threadIdx.x][threadIdx.y ^ threadIdx.x]"],
    );
    expect(await check(transpose, after)).toMatchObject({ kind: "checked" });
  });

  it("where another block shape covers the same elements", async () => {
    const before = `
__global__ void scale(float *out, const float *in, int width, int height) {
  int x = blockIdx.y * blockDim.y + threadIdx.y, y = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < width && y < height) out[y * width + x] = in[y * width + x] * 3.0f;
}
int main() {
  float *a, *b; cudaMalloc(&a, 1000 * 700 * 4); cudaMalloc(&b, 1000 * 700 * 4);
  dim3 block(32, 8), grid((700 + block.x - 1) / block.x, (1000 + block.y - 1) / block.y);
  scale<<<grid, block>>>(a, b, 1000, 700);
}`;
    expect(await check(before, edited(before, ["block(32, 8)", "block(8, 32)"]))).toMatchObject({
      kind: "checked",
    });
  });

  it.each([
    ["that nobody computes", "float", "1.0f", "2.0f", "normcdff(x + y)"],
    ["on pairs of halves", "half2", "__float2half2_rn(2.0f)", "__float2half2_rn(3.0f)", "__hfma2(x, y, x)"],
  ])("where operations %s get the same operands", async (_what, type, operand, other, result) => {
    const before = `
#include <cuda_fp16.h>
__device__ ${type} made(${type} x, ${type} y) { return ${result}; }
__global__ void rows(${type} *out, const ${type} *in) {
  __shared__ ${type} tile[32][32];
  tile[threadIdx.y][threadIdx.x] = made(in[threadIdx.y * 32 + threadIdx.x], ${operand});
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
int main() { ${type} *a, *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); rows<<<1, dim3(32, 32)>>>(a, b); }`;
    expect(await check(before, edited(before, ["[32][32]", "[32][33]"]))).toMatchObject({ kind: "checked" });
    expect(await check(before, edited(before, [operand, other]))).toMatchObject({ kind: "differs" });
  });

  it("where indices must lie in a small table", async () => {
    const before = `
__global__ void gather(float *out, const float *table, const int *index) {
  __shared__ float s[256];
  s[threadIdx.x] = table[index[threadIdx.x]];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
int main() {
  float *out, *table; int *index;
  cudaMalloc(&out, 1024); cudaMalloc(&table, 24); cudaMalloc(&index, 1024);
  gather<<<1, 256>>>(out, table, index);
}`;
    expect(await check(before, edited(before, ["s[256]", "s[260]"]))).toMatchObject({ kind: "checked" });
  });

  it("where nobody launches it: sizes are made up", async () => {
    const alone = transpose.slice(0, transpose.indexOf("int main"));
    expect(await check(alone, edited(alone, ["tile[32][32]", "tile[32][33]"]))).toMatchObject({
      kind: "checked",
    });
  });

  it("where it runs for long: with shorter sizes", async () => {
    const before = `
__global__ void gram(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  float sum = 0.0f;
  for (int k = 0; k < n; k += 32) {
    tile[threadIdx.y][threadIdx.x] = in[(blockIdx.x * 32 + threadIdx.y) * n + k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 32; i++) sum += tile[threadIdx.x][i] * tile[threadIdx.y][i];
    __syncthreads();
  }
  out[(blockIdx.y * 32 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x] = sum;
}
int main() {
  float *a, *b; cudaMalloc(&a, 4096 * 4096 * 4); cudaMalloc(&b, 4096 * 4096 * 4);
  gram<<<dim3(128, 128), dim3(32, 32)>>>(a, b, 4096);
}`;
    expect(await check(before, edited(before, ["tile[32][32]", "tile[32][33]"]))).toMatchObject({
      kind: "checked",
    });
    const wrong = edited(before, ["tile[threadIdx.y][i]", "tile[threadIdx.y][i ^ 1]"]);
    expect(await check(before, wrong)).toMatchObject({ kind: "differs" });
  });

  it("where it runs for long over tiles of a block: with fewer of them, and what lengths the edit counts on as they are", async () => {
    const before = `
__global__ void scores(float *out, const float *in, int n, int d, int tiles, int rows) {
  extern __shared__ float s[];
  float *q = s, *p = s + 32 * d;
  const int t = threadIdx.x;
  for (int j = 0; j < tiles; j++)
    for (int i = 0; i < tiles; i++) {
      for (int x = 0; x < d; x++) q[t * d + x] = in[(i * 32 + t) * d + x];
      for (int y = 0; y < rows; y++) {
        float sum = 0.0f;
        for (int x = 0; x < d; x++) sum += q[t * d + x] * in[(j * rows + y) * d + x];
        p[t * rows + y] = sum;
      }
      for (int x = 0; x < d; x++) {
        float sum = 0.0f;
        for (int y = 0; y < rows; y++) sum += p[t * rows + y] * in[(j * rows + y) * d + x];
        out[(i * 32 + t) * d + x] += sum;
      }
    }
}
int main() {
  float *a, *b; cudaMalloc(&a, 224 * 32 * 4); cudaMalloc(&b, 224 * 32 * 4);
  scores<<<1, 32, (32 * 32 + 32 * 8) * 4 + 256>>>(a, b, 224, 32, 7, 8);
}`;
    const after = edited(before, ["q[t * d", "q[t * (d + 1)"], ["s + 32 * d", "s + 32 * d + 32"]);
    const keptArguments = ["d", "rows"];
    expect(await check(before, after, { keptArguments })).toMatchObject({ kind: "checked" });
    // One row too few: the last row of the queries lies in the scores.
    const wrong = edited(after, ["32 * d + 32", "32 * d + 16"]);
    expect(await check(before, wrong, { keptArguments })).toMatchObject({ kind: "differs" });
  });

  it("where the original stores off its alignment and the patched kernel does not", async () => {
    const before = `
__global__ void lines(float4 *out, const float *in) {
  __shared__ float tile[32][33];
  for (int k = 0; k < 4; k++) tile[threadIdx.y][threadIdx.x * 4 + k] = in[threadIdx.y * 32 + threadIdx.x * 4 + k];
  __syncthreads();
  out[threadIdx.y * 8 + threadIdx.x] = *(float4 *)&tile[threadIdx.y][threadIdx.x * 4];
}
int main() { float *a; float4 *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); lines<<<1, dim3(8, 32)>>>(b, a); }`;
    const after = edited(before, ["[32][33]", "[32][36]"]);
    expect(await check(before, after, { originalMisaligns: true })).toMatchObject({ kind: "checked" });
    const refused = await check(before, after);
    expect(refused.kind).toBe("not-checked");
    expect("reason" in refused && refused.reason).toMatch(/which is not aligned$/);
    // The other way round, the patch is at fault.
    expect(await check(after, before, { originalMisaligns: true })).toMatchObject({ kind: "faults" });
  });
});

describe("a pair is refused", () => {
  it("where one access was forgotten", async () => {
    const after = edited(transpose, [
      "tile[threadIdx.y][threadIdx.x]",
      "tile[threadIdx.y][threadIdx.x ^ threadIdx.y]",
    ]);
    const result = await check(transpose, after);
    expect(result.kind).toBe("differs");
    expect("reason" in result && result.reason).toMatch(/^with it, /);
  });

  it("where a row is copied whole, so that a pad moves what lies behind it", async () => {
    const before = edited(transpose, [
      "tile[threadIdx.x][threadIdx.y]",
      "(&tile[0][0])[threadIdx.x * 32 + threadIdx.y]",
    ]);
    expect(await check(before, edited(before, ["tile[32][32]", "tile[32][33]"]))).toMatchObject({
      kind: "differs",
      reason: "with it, what it stores depends on memory that was never written",
    });
  });

  it("where vectors need sizes that only this launch has", async () => {
    expect(await check(copy, grouped)).toMatchObject({ kind: "differs" });
    // With a row length of 97 the second row is not aligned.
    const rows = edited(
      copy,
      ["in[i + k] *", "in[blockIdx.y * n + i + k] *"],
      ["<<<10, 256>>>", "<<<dim3(1, 3), 25>>>"],
      ["10000)", "100)"],
    );
    const groupedRows = edited(
      grouped,
      ["(in + i)", "(in + blockIdx.y * n + i)"],
      ["<<<10, 256>>>", "<<<dim3(1, 3), 25>>>"],
      ["10000)", "100)"],
    );
    expect(await check(rows, groupedRows)).toMatchObject({ kind: "faults" });
  });

  it("where nothing of it runs", async () => {
    const text = edited(
      transpose,
      ["int n = 1000", "int n = 1000, none = 0"],
      ["(out, in, n)", "(out, in, none)"],
    );
    const original = await subjectOf(text);
    const range = original.program.functionOf(original.launch.kernel)?.range;
    if (range === undefined) throw new Error("no range");
    expect(await check(text, text, { mustRun: [range] })).toMatchObject({
      kind: "not-checked",
      reason: "an access that it changes does not run on any input tried",
    });
  });

  it.each([
    [
      "reads shared memory that nobody wrote",
      "tile[threadIdx.y][threadIdx.x] = in",
      "if (threadIdx.x > 3) tile[threadIdx.y][threadIdx.x] = in",
      /^what it stores depends on memory that was never written$/,
    ],
    [
      "reaches outside of its memory",
      "cudaMalloc(&in, n * n * 4)",
      "cudaMalloc(&in, n * 4)",
      /^on made-up data thread \(\d+,\d+,0\) of block \(\d+,\d+,0\) reaches outside of memory: byte \d+ of in$/,
    ],
    [
      "holds a barrier that some threads miss",
      "__syncthreads();",
      "if (threadIdx.x < 16) __syncthreads();",
      /^on made-up data thread \(16,0,0\) of block \(0,0,0\) does not reach a barrier that others wait at$/,
    ],
    [
      "never ends",
      "__syncthreads();",
      "while (n > 0) x = y; __syncthreads();",
      /^running it takes more steps than a check may spend$/,
    ],
  ])("where the original %s", async (_, from, to, reason) => {
    const before = edited(transpose, [from, to]);
    const result = await check(before, edited(before, ["tile[32][32]", "tile[32][33]"]));
    expect(result.kind).toBe("not-checked");
    expect("reason" in result && result.reason).toMatch(reason);
  });

  it("where the original has a race, whatever the edit does to it", async () => {
    const racy = edited(
      transpose,
      [
        "__syncthreads();",
        "__syncthreads(); tile[threadIdx.x][threadIdx.y] += tile[threadIdx.y][(threadIdx.x + 1) % 32];",
      ],
      ["int n = 1000", "int n = 1024"],
    );
    expect(await check(racy, edited(racy, ["tile[32][32]", "tile[32][33]"]))).toMatchObject({
      kind: "not-checked",
      reason: "what it computes depends on which warp runs first",
    });
  });

  it("where a sum is the same but for rounding: its terms are added in another order", async () => {
    const before = `
__global__ void sums(float *out, const float *in) {
  __shared__ float s[32][32];
  for (int k = 0; k < 32; k++) s[k][threadIdx.x] = in[k * 32 + threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 32; k++) sum += s[threadIdx.x][k];
  out[threadIdx.x] = sum;
}
int main() { float *a, *b; cudaMalloc(&a, 128); cudaMalloc(&b, 4096); sums<<<1, 32>>>(a, b); }`;
    const after = edited(before, ["s[threadIdx.x][k]", "s[threadIdx.x][k ^ threadIdx.x]"]);
    expect(await check(before, after)).toMatchObject({ kind: "differs" });
  });
});

it("can be left at any time, and spends no more steps than it may", async () => {
  const [original, patched] = [await subjectOf(transpose), await subjectOf(transpose)];
  const pair = { original, patched, originalMisaligns: false, mustRun: [], keptArguments: [] };
  const steps = checkPair(pair, defaultCheckLimits);
  let count = 0;
  while (steps.next().done !== true) count++;
  expect(count).toBeGreaterThan(100);
  expect(drain(checkPair(pair, { maxSteps: 100 }))).toMatchObject({
    kind: "not-checked",
    reason: "running it takes more steps than a check may spend",
  });
});
