// Rules are asked again only about accesses of which they may say something else; what is kept is what they would say.
import { beforeAll, expect, test } from "vitest";
import { defaultConfig } from "../../server/src/config/schema.ts";
import type { Host } from "../../server/src/host/host.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { FileAnalysis } from "../../server/src/lint/analysis.ts";
import { checkAccess } from "../../server/src/lint/findings.ts";
import { type Judged, judgedGroups } from "../../server/src/lint/judged.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { testPipeline } from "../support/pipeline.ts";

const text = `__global__ void a(float* out, int n) {
  __shared__ float tile[32][33 + 31];
  tile[threadIdx.x][0] = out[threadIdx.x * n];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][1];
}
__global__ void b(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][1] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x][1];
}
int main() {
  float* p;
  cudaMalloc(&p, 1 << 20);
  a<<<4, 32>>>(p, 64);
  b<<<4, 32>>>(p);
}
`;

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await testPipeline();
});

/** The states of a file as one session sees them. */
function analysesOf(texts: readonly string[]): FileAnalysis[] {
  let current = "";
  const host: Host = {
    ...memoryHost({ "/w/a.cu": "" }, "/w"),
    readBytes: () => new TextEncoder().encode(current),
    sizeOf: () => current.length,
  };
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({ host, project, pipeline, options: { block: null } });
  return texts.map((each) => {
    current = each;
    session.update(["/w/a.cu"]);
    const analysis = session.analyse("/w/a.cu");
    if (analysis === null) throw new Error("nobody cancels");
    return analysis;
  });
}

/** What is asked about in the second state, once the first is known; what is found must be what asking about all gives. */
function askedAgain(from: string, to: string): string[] {
  const [first, second] = analysesOf([text, text.replace(from, to)]);
  if (first === undefined || second === undefined) throw new Error("two states");
  const asked: string[] = [];
  const judge = ({ groups }: FileAnalysis, before: Judged | null) =>
    judgedGroups(groups, defaultConfig, before, (group) => {
      asked.push(second.text.slice(group.range.start, group.range.end));
      return checkAccess(group, defaultConfig);
    });
  const known = judge(first, null);
  expect(known.accesses.flatMap(({ findings }) => findings).length).toBeGreaterThan(3);
  asked.length = 0;
  const kept = judge(second, known);
  const again = [...asked];
  expect(kept).toEqual(judge(second, null));
  return again;
}

test("nothing is asked where the text only moves", () => {
  expect(askedAgain("__global__ void a", "\n// first\n__global__ void a")).toEqual([]);
  expect(askedAgain("__global__ void b", "\n// second\n__global__ void b")).toEqual([]);
});

test("nothing is asked where a local comes that nothing uses", () => {
  expect(askedAgain("  tile[threadIdx.x][1] =", "  int half = 2;\n  tile[threadIdx.x][1] =")).toEqual([]);
});

test("what is typed anew is asked about, with all of its kernel", () => {
  expect(askedAgain("tile[31 - threadIdx.x][1]", "tile[1][31 - threadIdx.x]").sort()).toEqual([
    "out[threadIdx.x]",
    "out[threadIdx.x]",
    "tile[1][31 - threadIdx.x]",
    "tile[threadIdx.x][1]",
  ]);
});

test("a launch with other arguments is asked about", () => {
  expect(askedAgain("(p, 64)", "(p, 32)")).toContain("out[threadIdx.x * n]");
});

test("another configuration asks about all", () => {
  const [analysis] = analysesOf([text]);
  if (analysis === undefined) throw new Error("one state");
  const lenient = { ...defaultConfig, thresholds: { ...defaultConfig.thresholds, sharedWarning: 99 } };
  const known = judgedGroups(analysis.groups, defaultConfig, null, (group) =>
    checkAccess(group, defaultConfig),
  );
  const judged = judgedGroups(analysis.groups, lenient, known, (group) => checkAccess(group, lenient));
  const rulesOf = ({ accesses }: Judged) =>
    accesses.flatMap(({ findings }) => findings.map(({ rule }) => rule));
  expect(rulesOf(known)).toContain("shared-bank-conflict");
  expect(rulesOf(judged)).not.toContain("shared-bank-conflict");
});
