// What is lowered for an edit: nothing for what is typed back, which is known by its text; else what changed, and not what hangs on other
// texts alone.
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
  pipeline = { ...real, lower: (units) => watched(real.lower(units)) };
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

/** What is lowered for the last of `states`, which ends with what a fresh analysis gives. */
function loweredFor(first: string, ...states: readonly string[]): readonly string[] {
  const { session, edit } = sessionOver(first);
  analysed(session);
  for (const state of states) {
    lowered.length = 0;
    edit(state);
    analysed(session);
  }
  const asked = [...lowered];
  expect(comparable(analysed(session))).toEqual(
    comparable(analysed(sessionOver(states.at(-1) ?? first).session)),
  );
  return asked;
}

describe("host code", () => {
  const unfinished = text.replace("  k<<<4, 32>>>(p, q);", "  k<<<4, 32>>>(p, ;");
  const other = text.replace("k<<<4, 32>>>", "k<<<4, 64>>>");
  const above = inserted("__global__", "// above\n\n");
  const typedOn = (...states: readonly string[]) => loweredFor(text, ...states);

  it("that is taken back is not run again, wherever it stands by then", () => {
    expect(typedOn(unfinished, text)).toEqual([]);
    expect(typedOn(unfinished, above)).toEqual([]);
    expect(typedOn(text.replace("  k<<<4, 32>>>(p, q);\n", ";("), text)).toEqual([]);
    expect(typedOn(other, text)).not.toContain("main");
    expect(typedOn(other, above, other)).not.toContain("main");
  });
  it("is run for another launch, and where a kernel's head is another", () => {
    expect(typedOn(unfinished, other)).toContain("main");
    expect(typedOn(other, text.replace("k<<<4, 32>>>", "k<<<8, 32>>>"))).toContain("main");
    expect(typedOn(unfinished, text.replace("k(float* out", "k(const float* out"))).toContain("main");
  });
});

describe("a kernel whose own text changes and does the same", () => {
  const unused = "  int probe = 2;\n";

  it("is lowered without what it calls", () => {
    expect(loweredFor(text, inserted("  int x = ", unused))).toEqual(["k"]);
    const withLambda = text.replace(
      "int x = threadIdx.x;",
      "auto at = [](int i) { return i; };\n  int x = at(threadIdx.x);",
    );
    expect(loweredFor(withLambda, withLambda.replace("  auto at", `${unused}  auto at`))).not.toContain(
      "twice",
    );
  });
  it("is lowered with what it calls where that may be something else now", () => {
    const edited = inserted("  int x = ", unused);
    expect(loweredFor(text, edited.replace("i * 2", "i * 4"))).toContain("twice");
    const passed = text.replace("twice(int i)", "twice(int i, int j = 1)");
    expect(loweredFor(passed, passed.replace("twice(x)", "twice(x, 2)"))).toContain("twice");
    const local = text
      .replace("int x =", "struct Local { int get(int i) { return i; } } local;\n  int x =")
      .replace("twice(x)", "local.get(x)");
    expect(loweredFor(local, local.replace("return i; } }", "return i * 3; } }"))).toContain("Local::get");
  });
});

describe("a kernel of a class with numbers", () => {
  const classes = `
template <int M, int N> struct Shape { static const int m = M; static const int n = N; };
template <typename S, typename T> struct Tile {
  static void run(T* p);
};
template <typename Op> __global__ void k(float* out) {
  __shared__ float tile[Op::m][Op::n];
  tile[threadIdx.x][0] = out[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x][1];
}
namespace shapes { template <typename S> struct Wide { static const int m = S::m; static const int n = 2 * S::n; }; }
template <typename S, typename T> void Tile<S, T>::run(T* p) {
  k<shapes::Wide<S>><<<4, S::m>>>(p);
}
int main() {
  float* p;
  cudaMalloc(&p, 1 << 20);
  Tile<Shape<32, 16>, float>::run(p);
}
`;

  it("is made again from their text: the host is not run", () => {
    const edited = classes.replace("  tile[threadIdx.x][0] =", "  int probe = 2;\n$&");
    const asked = loweredFor(classes, edited);
    expect(asked).toContain("k");
    expect(asked).not.toContain("main");
  });
});

describe("a kernel that has a name of a function that launches", () => {
  const both = `
__global__ void a(float* out) {
  int launch = threadIdx.x;
  out[launch * 2] = 0;
}
__global__ void b(float* out) {
  out[threadIdx.x * 4] = 0;
}
void launch(float* p) {
  a<<<1, 32>>>(p);
  b<<<1, 32>>>(p);
}
int main() {
  float* p;
  cudaMalloc(&p, 1 << 20);
  launch(p);
}
`;

  it("hangs on its head alone: what it launches is nothing to the kernel", () => {
    expect(loweredFor(both, both.replace("  out[threadIdx.x * 4]", "  int probe = 2;\n$&"))).toEqual(["b"]);
  });
  it("hangs on its classes, which may be the kernel's", () => {
    const local = both
      .replace(
        "__global__ void b(float* out) {",
        "template <typename F> __global__ void b(float* out) {\n  F::set(out);",
      )
      .replace(
        "  b<<<",
        "  struct F { static __device__ void set(float* p) { p[threadIdx.x] = 1; } };\n  b<F><<<",
      );
    expect(loweredFor(local, local.replace("p[threadIdx.x] = 1", "p[threadIdx.x * 8] = 1"))).toContain(
      "F::set",
    );
  });
});
