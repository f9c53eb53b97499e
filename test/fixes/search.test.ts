// What the search offers for a kernel: the changed lines as they read afterwards, and what a request of the finding's access costs.
import { describe, expect, it } from "vitest";
import type { Fix, FixKind } from "../../server/src/fixes/fix.ts";
import { fixTools } from "../../server/src/lint/fix-tools.ts";
import { applyToText } from "../../server/src/text/edit.ts";
import { analyse, seedText } from "../ide/analyse.ts";
import { cases, refusals } from "./cases.ts";
import { changedLines, type Fixing, fixesOf } from "./fixing.ts";

const lineOf = (text: string, offset: number) => text.slice(0, offset).split("\n").length;

const described = ({ text, fixes }: Fixing) =>
  fixes.map((fix) => ({
    line: lineOf(text, fix.target.start),
    kind: fix.kind,
    safety: fix.safety,
    ...(fix.gain.perRequest === null ? {} : fix.gain.perRequest),
    lines: changedLines(text, fix),
  }));

const fixAt = ({ text, fixes }: Fixing, line: number, kind: FixKind): Fix | undefined =>
  fixes.find((fix) => lineOf(text, fix.target.start) === line && fix.kind === kind);

describe("fixes of small programs", () => {
  it.each(cases)("$name", async ({ text, expects }) => {
    const found = described(await fixesOf(text));
    for (const each of expects) expect(found).toContainEqual(each);
  });
});

describe("why there is none", () => {
  it.each(refusals)("$name", async ({ text, reason }) => {
    const { fixes, refusals: found } = await fixesOf(text);
    expect(fixes).toEqual([]);
    expect(found.map((each) => each.reason)).toContain(reason);
  });
});

describe("fixes of the seeds", () => {
  it("pads the square tile of seed 1 for both types", async () => {
    const found = await fixesOf(seedText("seed1_matrix_trans.cu"));
    const fix = fixAt(found, 26, "pad");
    expect(fix?.title).toEqual({
      kind: "pad",
      array: "subMatrix",
      dimensions: ["blockSizeX", "blockSizeY + 1"],
    });
    expect(fix?.gain.perRequest).toEqual({ before: 32, after: 1 });
    expect(fix?.price).toEqual({ sharedBytes: 128, blocksPerSm: null, operations: 0 });
    // Loads: 1,024 blocks of 32 warps, 32 wavefronts each, for float and double; stores: 1 and 2. After: 1 + 1 and 2 + 2.
    expect(fix?.gain.totals).toEqual({ before: 32768 * (32 + 32 + 1 + 2), after: 32768 * (1 + 2 + 1 + 2) });
  });

  it("mends the launch of seed 3 with PAD 0 and leaves those with 1 and 2 alone", async () => {
    const text = seedText("seed3_padding.cu");
    const found = await fixesOf(text);
    const fix = fixAt(found, 59, "pad");
    expect(fix?.edits.map(({ start, end }) => text.slice(start, end))).toEqual(["0"]);
    expect(fix && applyToText(text, fix.edits)).toContain("v2_time<32, 32, 1>(M, N, 10, 10);\n    v2_output");
    expect(fix?.gain.perRequest).toEqual({ before: 32, after: 1 });
    // The pad of two elements that does too little is another finding; one element does as much as three, for less memory.
    const ineffective = found.fixes.find(({ rule }) => rule === "ineffective-padding");
    expect(ineffective?.title).toMatchObject({ parameter: "PAD", value: { before: "2", after: "1" } });
  });

  it("swizzles the 16 x 16 tile of seed 2, which no pad makes ideal on both sides", async () => {
    const found = await fixesOf(seedText("seed2_mat_transpose.cu"));
    const best = found.fixes.find(({ target }) => lineOf(found.text, target.start) === 44);
    expect(best?.kind).toBe("swizzle");
    expect(best && changedLines(found.text, best)).toEqual([
      "sdata[ty][tx ^ ty] = idata[y * N + x];",
      "odata[y * M + x] = sdata[tx][ty ^ tx];",
    ]);
    expect(best?.gain.perRequest?.after).toBe(1);
  });

  it("keeps the float4 store of seed 0's wide tile aligned", async () => {
    const found = await fixesOf(seedText("seed0_mat_trans.cu"));
    expect(fixAt(found, 54, "swizzle")?.gain.perRequest).toEqual({ before: 8, after: 1 });
    expect(fixAt(found, 54, "pad")?.title).toMatchObject({ dimensions: ["WARP_SIZE", "WARP_SIZE*4+4"] });
  });

  it("suggests block (8,32) at the line of the launch of seed 3 that has (32,8)", async () => {
    const found = await fixesOf(seedText("seed3_naive.cu"));
    const fix = found.fixes.find(({ kind }) => kind === "launch-shape");
    expect(fix?.safety).toBe("suggestion");
    expect(fix?.title).toEqual({ kind: "launch-shape", block: [8, 32] });
    expect(fix?.gain.perRequest).toEqual({ before: 32, after: 8 });
    expect(fix?.edits.map(({ start }) => lineOf(found.text, start))).toEqual([108, 108]);
  });

  it("realigns the misaligned store of seed 0, and says what that costs the loads", async () => {
    const found = await fixesOf(seedText("seed0_mat_trans.cu"), { defines: { AS_WRITTEN: "1" } });
    const realigned = fixAt(found, 83, "realign");
    expect(realigned?.title).toMatchObject({ dimensions: ["WARP_SIZE", "WARP_SIZE*4+4"] });
    expect(realigned?.safety).toBe("suggestion");
    expect(realigned?.dearer.map(({ perRequest }) => perRequest)).toEqual([{ before: 1, after: 4 }]);
    expect(fixAt(found, 83, "scalarize")).toBeDefined();
    expect(found.refusals.map(({ reason }) => reason)).toContain("the intended index is not known");
  });
});

describe("a search whose steps are few", () => {
  const attention = `
__global__ void attend(float *out, const float *in, int d, int rows) {
  extern __shared__ float s[];
  const int t = threadIdx.x;
  float *q = s;
  float *k = &s[rows * d];
  float *p = &s[rows * d * 2];
  for (int x = 0; x < d; x++) {
    q[t * d + x] = in[x * rows + t];
    k[t * d + x] = in[x * rows + t] * 2.0f;
  }
  __syncthreads();
  for (int y = 0; y < rows; y++) {
    float sum = 0.0f;
    for (int x = 0; x < d; x++) sum += q[t * d + x] * k[y * d + x];
    p[t * rows + y] = sum;
  }
  for (int y = 0; y < rows; y++) out[y * rows + t] = p[t * rows + y];
}
int main() {
  float *a, *b; cudaMalloc(&a, 32 * 32 * 4); cudaMalloc(&b, 64 * 32 * 4);
  attend<<<1, 32, (2 * 64 * 32 + 32 * 32) * sizeof(float)>>>(a, b, 64, 32);
}`;

  it("pads the rows of all arrays that a kernel carves out of one in one edit", async () => {
    const found = await fixesOf(attention, { budget: { ...fixTools.budget, steps: 400_000 } });
    const [fix] = found.fixes;
    expect(fix?.title).toEqual({ kind: "pad-pitches", arrays: ["q", "k", "p"] });
    expect(fix && changedLines(attention, fix)).toEqual([
      "float *k = &s[rows * d + 32];",
      "float *p = &s[rows * d * 2 + 64];",
      "q[t * (d + 1) + x] = in[x * rows + t];",
      "k[t * (d + 1) + x] = in[x * rows + t] * 2.0f;",
      "for (int x = 0; x < d; x++) sum += q[t * (d + 1) + x] * k[y * (d + 1) + x];",
      "p[t * (rows + 1) + y] = sum;",
      "for (int y = 0; y < rows; y++) out[y * rows + t] = p[t * (rows + 1) + y];",
      "attend<<<1, 32, (2 * 64 * 32 + 32 * 32) * sizeof(float) + 384>>>(a, b, 64, 32);",
    ]);
    expect(found.refusals.filter(({ rule }) => rule === "shared-bank-conflict")).toEqual([]);
  });

  it("tries wider blocks alone where neighbouring threads take neighbouring elements", async () => {
    const blur = `
__global__ void blur(unsigned char *out, const unsigned char *in, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  out[y * w + x] = (in[(y - 1) * w + x] + in[(y + 1) * w + x] + in[y * w + x - 1] + in[y * w + x + 1]) / 4;
}
int main() {
  unsigned char *a, *b; int w = 1000, h = 500;
  cudaMalloc(&a, w * h); cudaMalloc(&b, w * h);
  dim3 block(16, 16);
  dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
  blur<<<grid, block>>>(a, b, w, h);
}`;
    const { fixes, analysisCount } = await fixesOf(blur);
    expect(new Set(fixes.map(({ title }) => JSON.stringify(title)))).toEqual(
      new Set([JSON.stringify({ kind: "launch-shape", block: [32, 8] })]),
    );
    expect(fixes.length).toBe(5);
    // At the block's definition, and at the launch.
    expect(analysisCount).toBeLessThanOrEqual(2);
  });
});

describe("what holds of every fix", () => {
  it.each(cases)(
    "$name: the edited text gives the figures that were promised, and has nothing left to do",
    async ({ text }) => {
      const found = await fixesOf(text);
      for (const fix of found.fixes) {
        const edited = applyToText(text, fix.edits) ?? "";
        const { analysis } = await analyse(edited);
        expect(analysis.failures).toEqual([]);
        const again = await fixesOf(edited);
        const same = again.fixes.filter(({ kind, rule, title }) => {
          const isSame = JSON.stringify(title) === JSON.stringify(fix.title);
          return kind === fix.kind && rule === fix.rule && isSame;
        });
        expect(same).toEqual([]);
        if (fix.gain.perRequest === null) continue;
        const figures = analysis.groups.flatMap(({ contexts }) =>
          contexts.map(({ access: { totals, requests, perRequest } }) =>
            // Without a launch the grid is not known: each request counts by itself.
            totals === null || requests === null ? perRequest?.most.cost : totals.cost / requests,
          ),
        );
        expect(figures).toContain(fix.gain.perRequest.after);
      }
    },
  );
});
