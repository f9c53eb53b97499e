// What the searches of a run may take together is counted in steps, and what they lack it for says so.
import { describe, expect, it } from "vitest";
import { FixTime } from "../../server/src/cli/fix.ts";
import { SearchAllowance } from "../../server/src/cli/search-allowance.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { testPipeline } from "../support/pipeline.ts";

const kernel = (name: string) => `__global__ void ${name}(float *out, const float *in) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
`;
const source = (...names: string[]) =>
  `${names.map(kernel).join("")}void run(float *out, const float *in) {
${names.map((name) => `  ${name}<<<1, dim3(32, 32)>>>(out, in);\n`).join("")}}
`;

/** By file, how many fixes were found, and why others were not. */
async function searched(files: Readonly<Record<string, string>>, allowance: SearchAllowance) {
  const host = memoryHost({ ...files }, "/w");
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({
    host,
    project,
    pipeline: await testPipeline(),
    options: { block: null },
  });
  const time = new FixTime({ worked: () => 0 }, allowance);
  const found = Object.keys(files).map((path) => {
    const report = session.analyse(path)?.report;
    if (report === undefined) throw new Error("nobody cancels");
    const result = time.search(session, report)?.found;
    return {
      fixed: new Set(result?.fixes.map(({ target }) => target.start)).size,
      reasons: result?.refusals.map(({ reason }) => reason),
    };
  });
  return { found, wasCut: time.wasCut };
}

/** What the search in one such kernel takes. */
async function stepsOf(name: string): Promise<number> {
  let taken = 0;
  const allowance = new SearchAllowance(Number.POSITIVE_INFINITY);
  const of = allowance.of.bind(allowance);
  allowance.of = (file) => {
    const steps = of(file);
    return {
      left: steps.left,
      whyOver: "",
      spend: (more) => {
        taken += more;
      },
    };
  };
  await searched({ "/w/a.cu": source(name) }, allowance);
  return taken;
}

const overInRun =
  "searches in other files have used up what a run may take for fixes: check this file alone, or with --fix";
const overInFile = "searches in this file's other kernels have used up what a file may take for fixes";

describe("the allowance of a run's searches", () => {
  it("is each file's own where there is enough for all", async () => {
    const files = { "/w/a.cu": source("one"), "/w/b.cu": source("two") };
    const steps = await stepsOf("one");
    const { found, wasCut } = await searched(files, new SearchAllowance(20 * steps, 2 * steps));
    expect(found).toEqual([
      { fixed: 1, reasons: [] },
      { fixed: 1, reasons: [] },
    ]);
    expect(wasCut).toBe(false);
  });

  it("says of a file behind its end that it would have its own alone, and that another run may say more", async () => {
    const files = { "/w/a.cu": source("one"), "/w/b.cu": source("two") };
    const steps = await stepsOf("one");
    const { found, wasCut } = await searched(files, new SearchAllowance(steps + 1, 2 * steps));
    expect(found).toEqual([
      { fixed: 1, reasons: [] },
      { fixed: 0, reasons: [overInRun] },
    ]);
    expect(wasCut).toBe(true);
  });

  it("is bounded for a file with many kernels, which is so whenever it is checked", async () => {
    const steps = await stepsOf("one");
    const allowance = new SearchAllowance(Number.POSITIVE_INFINITY, 1.5 * steps);
    const { found, wasCut } = await searched({ "/w/a.cu": source("one", "two", "three") }, allowance);
    expect(found).toEqual([{ fixed: 1, reasons: [overInFile, overInFile] }]);
    expect(wasCut).toBe(false);
  });
});
