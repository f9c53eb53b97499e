// The panel: what can be picked, and what each lane is said to do.
import { describe, expect, it } from "vitest";
import { subscriptsOf } from "../../server/src/ide/explain.ts";
import { noChoice, panelAt } from "../../server/src/ide/panel.ts";
import type { PanelChoice } from "../../server/src/render/content.ts";
import { type Analysed, analyse, offsetOf, seedText } from "./analyse.ts";

const panel = (
  { analysis, places, programOf }: Analysed,
  word: string,
  choice: Partial<PanelChoice> = {},
  index = 0,
) => panelAt(analysis, offsetOf(analysis, word, index), { ...noChoice, ...choice }, places, programOf);

const valuesOf = (state: ReturnType<typeof panel>, lane: number) =>
  Object.fromEntries((state?.lanes[lane]?.values ?? []).map(({ name, value }) => [name, value]));

describe("an access that is the same in all requests", async () => {
  const seed = await analyse(seedText("seed1_matrix_trans.cu"));

  it("shows all passes and the launches to pick from", () => {
    const state = panel(seed, "subMatrix[col][row]");
    expect(state?.headline).toBe("32 wavefronts, 1 ideal (32.0×)");
    expect(state?.kind).toBe("shared load, 4 B a lane");
    expect(state?.kernel).toBe("matrix_trans_step2<float>");
    expect(state?.map?.rows).toHaveLength(32);
    expect(state?.launches.map(({ label }) => label)).toEqual([
      "matrix_trans_step2, T=float, block (32,32), line 52",
      "matrix_trans_step2, T=double, block (32,32), line 52",
    ]);
    expect(state?.notes).toContain(
      "Nsight Compute will show on this line: L1 Wavefronts Shared 1,048,576, Ideal 32,768 (grid (32,32))",
    );
  });

  it("says what each lane computes", () => {
    const state = panel(seed, "subMatrix[col][row]", { warp: "3" });
    expect(valuesOf(state, 5)).toEqual({
      "byte offset": "652",
      bank: "3",
      "row of 128 bytes": "5",
      col: "5",
      row: "3",
    });
    expect(state?.choice.warp).toBe("3");
    expect(state?.warps).toHaveLength(32);
    expect(state?.warps[3]?.label).toBe("warp 3: 32 wavefronts, 1 ideal");
  });

  it("shows another launch when it is picked", () => {
    const launch = "matrix_trans_step2, T=double, block (32,32), line 52";
    const state = panel(seed, "subMatrix[col][row]", { launch });
    expect(state?.headline).toBe("32 wavefronts, 2 ideal (16.0×)");
    expect(state?.choice.launch).toBe(launch);
  });

  it("takes what is not there any more as not picked", () => {
    const state = panel(seed, "subMatrix[col][row]", { launch: "gone", warp: "99", operation: "x" });
    expect(state).toEqual(panel(seed, "subMatrix[col][row]"));
  });
});

describe("an access that differs from trip to trip", async () => {
  const seed = await analyse(
    [
      "__global__ void sweep(float *out) {",
      "  __shared__ float s[64 * 32];",
      "  for (int i = threadIdx.x; i < 2048; i += 64) s[i] = 0;",
      "  __syncthreads();",
      "  float sum = 0;",
      "  for (int step = 1; step <= 4; step *= 2) sum += s[(threadIdx.x & 31) * step];",
      "  out[threadIdx.x] = sum;",
      "}",
      "void run(float *out) { sweep<<<2, 64>>>(out); }",
    ].join("\n"),
  );

  it("shows the dearest trip, and any that is picked", () => {
    const dearest = panel(seed, "s[(threadIdx");
    expect(dearest?.map?.rows).toHaveLength(4);
    expect(dearest?.choice).toMatchObject({ warp: "0", trip: "2" });
    expect(dearest?.trips.map(({ label }) => label)).toEqual([
      "iteration 1 of 3: 1 wavefront, 1 ideal",
      "iteration 2 of 3: 2 wavefronts, 1 ideal",
      "iteration 3 of 3: 4 wavefronts, 1 ideal",
    ]);
    const second = panel(seed, "s[(threadIdx", { warp: "1", trip: "1" });
    expect(second?.map?.rows).toHaveLength(2);
    expect(second?.notes[0]).toBe("The map shows warp 1 of block (0,0,0): 2 wavefronts, 1 ideal.");
    expect(valuesOf(second, 3)).toMatchObject({
      "threadIdx.x": "35",
      step: "2",
      "threadIdx.x & 31": "3",
      "(threadIdx.x & 31) * step": "6",
      "byte offset": "24",
      bank: "6",
    });
  });
});

describe("an access that data decide", async () => {
  const seed = await analyse(
    "__global__ void pick(const int *at, float *out) {\n  __shared__ float s[256];\n  s[threadIdx.x] = out[threadIdx.x];\n  __syncthreads();\n  out[threadIdx.x] = s[at[threadIdx.x]];\n}\nvoid run(const int *at, float *out) { pick<<<1, 256>>>(at, out); }",
  );

  it("says why, and shows no picture", () => {
    const state = panel(seed, "s[at[");
    expect(state?.headline).toBe("Not known: s is indexed by at[threadIdx.x], a value loaded from memory.");
    expect(state?.map).toBeNull();
    expect(state?.lanes).toEqual([]);
    expect(state?.warps).toEqual([]);
  });
});

describe("subscripts", () => {
  it("are what stands in the outermost square brackets", () => {
    expect(subscriptsOf("FLOAT4(tile[tidy + 1][tidx*4])")).toEqual(["tidy + 1", "tidx*4"]);
    expect(subscriptsOf("a[b[i]]")).toEqual(["b[i]"]);
    expect(subscriptsOf("*p")).toEqual([]);
  });
});

describe("accesses that the compiler makes one", async () => {
  const seed = await analyse(
    [
      "struct Four { float x, y, z, w; };",
      "__global__ void gather(const float4 *in, float *out, int step) {",
      "  __shared__ float4 s[256];",
      "  s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];",
      "  __syncthreads();",
      "  const float *p = &s[threadIdx.x * 2 & 255].x;",
      "  out[threadIdx.x] = p[0] + p[1] + p[2] + p[3];",
      "}",
      "void run(const float4 *in, float *out) { gather<<<2, 256>>>(in, out, 1); }",
    ].join("\n"),
  );

  it("can be seen warp by warp, as the one that they are", () => {
    const merged = seed.analysis.groups.flatMap(({ contexts }) =>
      contexts.flatMap(({ access }) => (access.mergedRanges.length > 0 ? access : [])),
    );
    expect(merged.map(({ expression, bytes }) => [expression, bytes])).toEqual([
      ["s[threadIdx.x]", 16],
      ["p[0]", 16],
    ]);
    const state = panel(seed, "p[0]", { warp: "5" });
    expect(state?.kind).toBe("shared load, 16 B a lane");
    expect(state?.warps).toHaveLength(8);
    expect(state?.choice.warp).toBe("5");
    // Lane 3 of warp 5 is thread 163: 326 & 255 = 70, times 16 bytes.
    expect(valuesOf(state, 3)["byte offset"]).toBe("1,120");
  });
});
