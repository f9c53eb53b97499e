// A search counts what it takes, so that no kernel is searched for longer than 2 seconds, on whichever machine.
import { describe, expect, it } from "vitest";
import { checkPair, defaultCheckLimits } from "../../server/src/fixes/check/check.ts";
import { defaultFixBudget } from "../../server/src/fixes/fix.ts";
import { overTime } from "../../server/src/fixes/work.ts";
import { fixesOf } from "./fixing.ts";

const main = (kernel: string) => `
int main() {
  float *out, *in; cudaMalloc(&out, 1 << 24); cudaMalloc(&in, 1 << 24);
  ${kernel}<<<64, dim3(32, 16)>>>(out, in);
}`;

/** Columns of `count` tiles, with so many trips of arithmetic before them. */
const columns = (count: number, trips: number) => {
  const names = Array.from({ length: count }, (_, index) => `tile${index}`);
  return `
__global__ void columns(float *out, const float *in) {
  __shared__ float ${names.map((name) => `${name}[16][32]`).join(", ")};
  int x = threadIdx.x, y = threadIdx.y;
  float v = in[blockIdx.x * 512 + y * 32 + x];
  for (int i = 0; i < ${trips}; i++) v = v * 1.5f + i;
${names.map((name) => `  ${name}[y][x] = v;`).join("\n")}
  __syncthreads();
  out[blockIdx.x * 512 + y * 32 + x] = ${names.map((name) => `${name}[x / 2][y]`).join(" + ")};
}
${main("columns")}`;
};

/** What the checks of a search took, each as it was allowed. */
async function stepsOfChecks(text: string, budget = defaultFixBudget) {
  const taken: number[] = [];
  const found = await fixesOf(text, {
    budget,
    *check(pair, maxSteps) {
      const limits = { maxSteps: Math.min(maxSteps, defaultCheckLimits.maxSteps) };
      const result = yield* checkPair(pair, limits);
      taken.push(result.steps);
      return result;
    },
  });
  return { ...found, taken, steps: taken.reduce((sum, each) => sum + each, 0) };
}

describe("the work of a search", () => {
  it("ends with a check that would take 20 seconds", async () => {
    const { fixes, refusals, steps } = await stepsOfChecks(columns(1, 100_000));
    expect(fixes).toEqual([]);
    expect(refusals.map(({ reason }) => reason)).toContain(
      "running it takes more steps than a check may spend",
    );
    expect(steps).toBeGreaterThan(100_000);
    expect(steps).toBeLessThanOrEqual(defaultCheckLimits.maxSteps);
  });

  it("is that of all arrays of a kernel together, and says of the others that they were not tried", async () => {
    const { fixes, refusals, taken, steps } = await stepsOfChecks(columns(4, 60), {
      ...defaultFixBudget,
      steps: 50_000,
    });
    expect(fixes.length).toBeGreaterThan(0);
    // A pad and a swizzle of each.
    expect(taken.length).toBeLessThan(2 * 4);
    expect(refusals.map(({ reason }) => reason)).toContain(overTime);
    expect(steps).toBeLessThanOrEqual(50_000);
  });

  it("counts what is read again with an edit, whatever little of it runs", async () => {
    const text = columns(1, 1);
    const budget = { ...defaultFixBudget, steps: 40_000 };
    const short = await fixesOf(text, { budget });
    const long = await fixesOf(`${text}\n// ${"-".repeat(100_000)}\n`, { budget });
    expect(short.analysisCount).toBeGreaterThan(0);
    expect(long.analysisCount).toBe(0);
    expect(new Set(long.refusals.map(({ reason }) => reason))).toEqual(new Set([overTime]));
  });

  it("counts the memory that is filled and compared, where threads reach far apart", async () => {
    const near = await stepsOfChecks(columns(1, 1));
    // Each thread's element in a page of its own, before and after, on each set of inputs.
    const far = await stepsOfChecks(
      columns(1, 1).replace("in[blockIdx.x * 512 +", "in[threadIdx.x * 1024 +"),
    );
    expect(near.fixes.length).toBe(far.fixes.length);
    expect(far.steps).toBeGreaterThan(near.steps + 32 * 2 * 2);
  });

  it("analyses no more texts than it has steps for", async () => {
    const { fixes, refusals, analysisCount } = await fixesOf(columns(4, 10), {
      budget: { ...defaultFixBudget, steps: 100 },
    });
    expect(fixes).toEqual([]);
    expect(new Set(refusals.map(({ reason }) => reason))).toEqual(new Set([overTime]));
    expect(analysisCount).toBe(0);
  });
});
