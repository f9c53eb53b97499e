// Locals that nothing names are told by their text: no kernel is lowered for them, and what they are not is analysed as ever.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { Program } from "../../server/src/ir/function.ts";
import type { FileAnalysis } from "../../server/src/lint/analysis.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createLintSession, type LintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { testPipeline } from "../support/pipeline.ts";
import { randomOf } from "./edits.ts";

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

/** Types `after` over `before`: what was lowered for it. All comes out as in a fresh analysis. */
function typed(before: string, after: string): readonly string[] {
  const { session, edit } = sessionOver(before);
  analysed(session);
  lowered.length = 0;
  edit(after);
  const kept = comparable(analysed(session));
  const asked = [...lowered];
  expect(kept).toEqual(comparable(analysed(sessionOver(after).session)));
  return asked;
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
const inserted = (before: string, added: string, into = text) => into.replace(before, `${added}${before}`);

describe("a local that nothing names", () => {
  it.each([
    ["before the first statement", "  __shared__", "  int probe = 2;\n"],
    ["half a line before another of its type", "int x =", "int i0 = 0; "],
    ["behind a statement, on its line", "\n  int x", " float sum;"],
    [
      "made of the places of threads",
      "  __syncthreads",
      "  unsigned int row = 4 * (blockIdx.y + 1) - threadIdx.y;\n",
    ],
    ["with its like", "  __syncthreads", "  float sum = -0.5f, most = 0;\n  char end = '\\n';\n"],
    ["with a comment behind it", "  __syncthreads", "  float sum = 0; // so far\n"],
    ["in what the kernel calls", "  return i * 2", "  int half = 1;\n"],
    ["in what launches it", "  k<<<", "  int turns = 0;\n"],
  ])("%s leaves the kernel as it is", (_, before, added) => {
    expect(typed(text, inserted(before, added))).toEqual([]);
  });

  it("leaves it as it is behind what did not parse, and when it is taken back", () => {
    const { session, edit } = sessionOver(text);
    const before = comparable(analysed(session));
    for (const declaration of [
      "  int probe = ;\n",
      "  int probe = 2;\n",
      "  int probe = 2;\n  float sum = 0;\n",
      "",
    ]) {
      lowered.length = 0;
      edit(inserted("  __sync", declaration));
      analysed(session);
      expect(lowered, declaration).toEqual([]);
    }
    expect(comparable(analysed(session))).toEqual(before);
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

describe("what is more than a local that nothing names", () => {
  it.each([
    ["the name of another", "  __syncthreads", "  int x = 1;\n"],
    [
      "a name that a macro uses",
      "  if (x < 8)",
      "  int x0 = 2;\n",
      text.replaceAll("PLACE [threadIdx.x]", "PLACE [x0]").replace("int x =", "int x0 = 1; int x ="),
    ],
    ["an access", "  __syncthreads", "  float first = out[64];\n"],
    ["a call", "  __syncthreads", "  int more = twice(3);\n"],
    ["shared memory", "  int x =", "  __shared__ int flag;\n"],
    ["an array", "  int x =", "  int parts[4];\n"],
    [
      "a local of the host that a launch names",
      "  float* p;",
      "  int q = 0;\n",
      text
        .replace("(p, q)", "(p, nullptr)")
        .replace(/ {2}Pair\* q;\n|.*&q.*\n/g, "")
        .replace("k<<<4, 32", "k<<<4, q + 32"),
    ],
    [
      "a step of a constant expression",
      "  return i * 2",
      "  int half = 1;\n",
      text.replace("__device__ int", "__device__ constexpr int"),
    ],
    [
      "what stands before an else",
      "  else",
      "  int probe = 2;\n",
      text.replace("  __syncthreads();", "  else\n    tile[x][2] = 0;\n  __syncthreads();"),
    ],
    [
      "what is jumped over",
      "  out[x] =",
      "  int probe = 2;\n",
      text
        .replace("  out[x] =", "  if (x == 77) goto end;\n  out[x] =")
        .replace("first;\n}", "first;\nend:;\n}"),
    ],
    [
      "a local of a lambda",
      "return 1;",
      "int probe = 2; ",
      text.replace(
        "  __syncthreads",
        "  auto one = [] { return 1; };\n  tile[x][one()] = 0;\n  __syncthreads",
      ),
    ],
    ["a member", "int second", "int third; "],
    ["what a pragma is for", "  for (int i", "  int probe = 2;\n"],
    ["a directive", "  __syncthreads", "  int probe = 2;\n#undef PLACE\n"],
    [
      "a pragma for what follows",
      "  for (int i",
      "  int probe = 2;\n#pragma unroll 4\n",
      text.replace("  #pragma unroll 2\n", ""),
    ],
  ])("%s is analysed", (_, before, added, into = text) => {
    expect(typed(into, inserted(before, added, into))).not.toEqual([]);
  });

  it("is what a macro means beside it", () => {
    const other = inserted(
      "  __syncthreads",
      "  int probe = 2;\n",
      text.replace("PLACE [threadIdx.x]", "PLACE [2]"),
    );
    expect(typed(text, other)).not.toEqual([]);
  });
  it("is a pragma that a macro gives another number beside it", () => {
    const unrolled = (times: number) => `#define TIMES ${times}\n${text.replace("unroll 2", "unroll TIMES")}`;
    expect(typed(unrolled(2), inserted("  __syncthreads", "  int probe = 2;\n", unrolled(4)))).not.toEqual(
      [],
    );
  });
});

describe("at random places", () => {
  const programs = [
    "namespaces_macros",
    "functors_lambdas",
    "template_traits",
    "tiled_clean",
    "moving_average",
  ];
  it.each(programs)("of %s everything is as a fresh analysis has it", (name) => {
    const program = readFileSync(`fixtures/programs/${name}.cu`, "utf8");
    const random = randomOf(name.length);
    const ends = [...program.matchAll(/[;{}]\n/g)].map(({ index }) => index + 2);
    const declarations = ["  int idle = 2;\n", "\n  float idle;", "int idle = threadIdx.x; int idler = -1;"];
    for (let round = 0; round < 8; round++) {
      const at = ends[random(ends.length)] ?? 0;
      const added = declarations[random(declarations.length)] ?? "";
      typed(program, program.slice(0, at) + added + program.slice(at));
    }
  });
});
