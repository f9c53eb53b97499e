// What is typed back is known by its text: nothing is lowered for it, and the host is not run again.
import { beforeAll, describe, expect, it } from "vitest";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { Program } from "../../server/src/ir/function.ts";
import type { FileAnalysis } from "../../server/src/lint/analysis.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createLintSession, type LintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { testPipeline } from "../support/pipeline.ts";

const file = "/w/a.cu";
let pipeline: Pipeline;
/** The functions that somebody asked to be lowered. */
const lowered: string[] = [];

beforeAll(async () => {
  const real = await testPipeline();
  pipeline = { ...real, lower: (unit) => watched(real.lower(unit)) };
});

function watched(program: Program): Program {
  const functionOf: Program["functionOf"] = (id) => {
    lowered.push(id.replace(/[<(].*/, ""));
    return program.functionOf(id);
  };
  return Object.create(program, { functionOf: { value: functionOf } });
}

function sessionOver(text: string): { session: LintSession; edit(text: string): void } {
  const files: Record<string, string> = { [file]: text };
  const host = { ...memoryHost({}, "/w"), ...readerOf(files) };
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({ host, project, pipeline, options: { block: null } });
  return {
    session,
    edit: (now) => {
      files[file] = now;
      session.update([file]);
    },
  };
}

function readerOf(files: Readonly<Record<string, string>>) {
  return {
    kindOf: (path: string) => memoryHost(files, "/w").kindOf(path),
    sizeOf: (path: string) => memoryHost(files, "/w").sizeOf(path),
    readBytes: (path: string) => memoryHost(files, "/w").readBytes(path),
  };
}

function analysed(session: LintSession): FileAnalysis {
  const analysis = session.analyse(file);
  if (analysis === null) throw new Error("nobody cancels");
  return analysis;
}

/** Findings with their figures, and where they stand. */
function visible({ report, kernels, groups }: FileAnalysis): unknown {
  return {
    findings: report.findings,
    stale: kernels.filter(({ isStale }) => isStale).length,
    accesses: groups.map(({ range, contexts }) => [
      range,
      contexts.map(({ access }) => [access.range, access.stack, access.target?.range, access.totals]),
    ]),
  };
}

function comparable(analysis: FileAnalysis): unknown {
  return JSON.parse(
    JSON.stringify(visible(analysis), (key, value: unknown) => {
      // They tell objects apart.
      if (key === "id" || key === "steps" || key === "layout") return undefined;
      if (value instanceof Map) return [...value];
      return typeof value === "bigint" ? `${value}` : value;
    }),
  );
}

const text = `#define PLACE [threadIdx.x][0]
struct Pair { int first; int second; };
__device__ int twice(int i) {
  return i * 2;
}
__global__ void k(float* out, Pair* pairs) {
  __shared__ float tile[32][32];
  int x = threadIdx.x;
  #pragma unroll 2
  for (int i = 0; i < 4; i++)
    tile[x][i] = out[x + i];
  if (x < 8)
    tile PLACE = out[twice(x)];
  __syncthreads();
  out[x] = tile[31 - x][1] + pairs[x].first;
}
int main() {
  float* p;
  Pair* q;
  cudaMalloc(&p, 1 << 20);
  cudaMalloc(&q, 1 << 20);
  k<<<4, 32>>>(p, q);
}
`;
const inserted = (before: string, added: string) => text.replace(before, `${added}${before}`);

describe("a kernel", () => {
  it("whose text is taken back is not lowered again", () => {
    const { session, edit } = sessionOver(text);
    const before = comparable(analysed(session));
    edit(inserted("  __sync", "  float first = out[64];\n"));
    analysed(session);
    lowered.length = 0;
    edit(text);
    expect(comparable(analysed(session))).toEqual(before);
    expect(lowered).toEqual([]);
  });
});

describe("host code", () => {
  const unfinished = text.replace("  k<<<4, 32>>>(p, q);", "  k<<<4, 32>>>(p, ;");
  const other = text.replace("k<<<4, 32>>>", "k<<<4, 64>>>");
  const above = inserted("__global__", "// above\n\n");
  /** What is lowered for the last of `states`. */
  const typedOn = (...states: readonly string[]) => {
    const { session, edit } = sessionOver(text);
    analysed(session);
    for (const state of states) {
      lowered.length = 0;
      edit(state);
      analysed(session);
    }
    const asked = [...lowered];
    const last = states.at(-1) ?? text;
    expect(comparable(analysed(session))).toEqual(comparable(analysed(sessionOver(last).session)));
    return asked;
  };

  it("that is taken back is not run again, wherever it stands by then", () => {
    expect(typedOn(unfinished, text)).toEqual([]);
    expect(typedOn(unfinished, above)).toEqual([]);
    expect(typedOn(text.replace("  k<<<4, 32>>>(p, q);\n", ";("), text)).toEqual([]);
  });
  it("is run for another launch, and where a kernel's head is another", () => {
    expect(typedOn(unfinished, other)).toContain("main");
    expect(typedOn(other, text)).toContain("main");
    expect(typedOn(unfinished, text.replace("k(float* out", "k(const float* out"))).toContain("main");
  });
});
