// What a session keeps between edits is what a fresh analysis gives; what does not parse keeps what was known of it.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { Host } from "../../server/src/host/host.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { Program } from "../../server/src/ir/function.ts";
import type { FileAnalysis } from "../../server/src/lint/analysis.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createLintSession, type LintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { testPipeline } from "../support/pipeline.ts";
import { editedAtRandom, type Random, randomOf } from "./edits.ts";
import { meantEdits } from "./meant-edits.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const file = "/w/a.cu";

let pipeline: Pipeline;
const evaluated: string[] = [];
/** The programs whose host code was run. */
const hosts: Program[] = [];

beforeAll(async () => {
  const real = await testPipeline();
  pipeline = {
    ...real,
    findLaunches: (program, texts, mayAssume) => {
      hosts.push(program);
      return real.findLaunches(program, texts, mayAssume);
    },
    evaluatorOf: (program) => {
      const evaluate = real.evaluatorOf(program);
      return (launch, allowed) => {
        evaluated.push(launch.kernel.replace(/[<(].*/, ""));
        return evaluate(launch, allowed);
      };
    },
  };
});

/** A session over files that the test edits. */
function sessionOver(files: Record<string, string>): {
  session: LintSession;
  edit(path: string, text: string): void;
  /** Has all that stands around the document read again. */
  renew(): void;
} {
  const now = () => memoryHost(files, "/w");
  const host: Host = {
    currentDirectory: "/w",
    openText: (path) => (path === file ? (files[path] ?? null) : null),
    kindOf: (path) => now().kindOf(path),
    sizeOf: (path) => now().sizeOf(path),
    readBytes: (path) => now().readBytes(path),
    realPath: (path) => now().realPath(path),
    list: (directory) => now().list(directory),
  };
  const projectNow = () => createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({ host, project: projectNow(), pipeline, options: { block: null } });
  const edit = (path: string, text: string) => {
    files[path] = text;
    session.update([path]);
  };
  return { session, edit, renew: () => session.renew(projectNow()) };
}

function analysed(session: LintSession, path = file): FileAnalysis {
  const analysis = session.analyse(path);
  if (analysis === null) throw new Error("nobody cancels");
  return analysis;
}

/** All that people can see, and where; numbers that only tell objects apart are left out. */
function visible({ report, kernels, groups, notes }: FileAnalysis): unknown {
  return JSON.parse(
    JSON.stringify({ report, kernels, groups: groups.length, notes }, (key, value: unknown) => {
      if (key === "id" || key === "steps" || key === "layout") return undefined;
      if (value instanceof Map) return [...value];
      return typeof value === "bigint" ? `${value}` : value;
    }),
  );
}

describe("after random edits everything is as a fresh analysis has it", () => {
  const programs = [
    "fixtures/seeds/seed0_mat_trans.cu",
    "fixtures/seeds/seed2_mat_transpose.cu",
    "fixtures/programs/template_traits.cu",
    "fixtures/programs/functors_lambdas.cu",
    "fixtures/programs/namespaces_macros.cu",
  ];
  it.each(programs)("%s", (path) => {
    const random: Random = randomOf(path.length);
    let text = readFileSync(pathOf(path), "utf8");
    const { session, edit } = sessionOver({ [file]: text });
    analysed(session);
    let compared = 0;
    for (let round = 0; round < 12; round++) {
      const before = text;
      text = editedAtRandom(text, random);
      edit(file, text);
      const kept = analysed(session);
      if (kept.kernels.some(({ isStale }) => isStale)) {
        // What does not parse keeps what was known, which a fresh analysis cannot know; when it is mended they agree again.
        text = before;
        edit(file, text);
        analysed(session);
        continue;
      }
      compared++;
      const fresh = analysed(sessionOver({ [file]: text }).session);
      expect(visible(kept), `round ${round}`).toEqual(visible(fresh));
    }
    expect(compared).toBeGreaterThan(3);
  });
});

describe("after an edit that means something everything is as a fresh analysis has it", () => {
  const programs = [
    "fixtures/programs/tiled_clean.cu",
    "fixtures/programs/moving_average.cu",
    "fixtures/programs/template_traits.cu",
    "fixtures/programs/functors_lambdas.cu",
    "fixtures/programs/namespaces_macros.cu",
  ];
  it.each(meantEdits)("$name", ({ name, of }) => {
    const random: Random = randomOf(name.length);
    let compared = 0;
    for (const path of programs) {
      const text = readFileSync(pathOf(path), "utf8");
      const edited = of(text, random);
      if (edited === text) continue;
      const { session, edit } = sessionOver({ [file]: text });
      const before = visible(analysed(session));
      edit(file, edited);
      const kept = analysed(session);
      // What does not parse keeps what was known, which a fresh analysis cannot know.
      if (kept.kernels.every(({ isStale }) => !isStale)) {
        compared++;
        expect(visible(kept), path).toEqual(visible(analysed(sessionOver({ [file]: edited }).session)));
      }
      edit(file, text);
      expect(visible(analysed(session)), `${path}, taken back`).toEqual(before);
    }
    expect(compared).toBeGreaterThan(0);
  });
});

const twoKernels = `__device__ int twice(int i) { return i * 2; }
__global__ void a(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = out[threadIdx.x];
  __syncthreads();
  out[twice(threadIdx.x)] = tile[31 - threadIdx.x][0];
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
  a<<<4, 32>>>(p);
  b<<<4, 32>>>(p);
}
`;

/** The lines with conflicts. */
const conflicts = ({ report, text }: FileAnalysis) =>
  report.findings
    .filter(({ rule }) => rule === "shared-bank-conflict")
    .map(({ range }) =>
      text.slice(text.lastIndexOf("\n", range.start) + 1, text.indexOf("\n", range.end)).trim(),
    );

const stale = ({ kernels }: FileAnalysis) => kernels.flatMap(({ name, isStale }) => (isStale ? [name] : []));

describe("an edit", () => {
  const edited = (from: string, to: string, text = twoKernels) => {
    const { session, edit } = sessionOver({ [file]: text });
    analysed(session);
    evaluated.length = 0;
    hosts.length = 0;
    edit(file, text.replace(from, to));
    return { analysis: analysed(session), evaluated: [...evaluated], hosts: hosts.length };
  };

  it("of a kernel evaluates that kernel alone", () => {
    expect(edited("tile[threadIdx.x][1]", "tile[1][threadIdx.x]").evaluated).toEqual(["b"]);
  });
  it("of a comment between kernels evaluates nothing, and moves what is known", () => {
    const { analysis, evaluated: again } = edited("__global__ void b", "// the other\n__global__ void b");
    expect(again).toEqual([]);
    expect(conflicts(analysis)).toHaveLength(4);
    expect(conflicts(analysis).at(-1)).toBe("out[threadIdx.x] = tile[31 - threadIdx.x][1];");
  });
  it("of white space or a comment in a kernel evaluates nothing", () => {
    expect(edited("tile[threadIdx.x][1] =", "/* column */ tile[threadIdx.x][1]  =").evaluated).toEqual([]);
  });
  it("that adds a local that nothing uses evaluates nothing, and moves what is known", () => {
    const { analysis, evaluated: again } = edited(
      "  tile[threadIdx.x][1] =",
      "  int half = blockDim.x / 2;\n  int quarter = half / 2;\n  tile[threadIdx.x][1] =",
    );
    expect(again).toEqual([]);
    expect(conflicts(analysis)).toHaveLength(4);
    expect(conflicts(analysis)[2]).toBe("tile[threadIdx.x][1] = out[threadIdx.x];");
  });
  it("that adds such a local before a lambda evaluates nothing", () => {
    const text = twoKernels.replace(
      "  tile[threadIdx.x][1] =",
      "  auto put = [&](int i, float f) { tile[i][2] = f; };\n  put(threadIdx.x, out[0]);\n  tile[threadIdx.x][1] =",
    );
    const { analysis, evaluated: again } = edited("  auto put", "  int half = 2;\n  auto put", text);
    expect(again).toEqual([]);
    expect(conflicts(analysis)).toHaveLength(5);
  });
  it("of white space or a comment in the host does not run it again, and moves what its launches are named by", () => {
    const pathsOf = ({ report, text }: FileAnalysis) =>
      report.launches.flatMap(({ launches }) =>
        launches.flatMap(({ origin }) => origin.path.map(({ start, end }) => text.slice(start, end))),
      );
    const before = pathsOf(edited("a<<<", "a<<<").analysis);
    const after = edited("32>>>(p);\n  b", "32>>>( /* all */ p);\n  b");
    expect(after.hosts).toBe(0);
    expect(pathsOf(after.analysis)).toEqual(
      before.map((text, index) => text.replace("(p)", index === 0 ? "( /* all */ p)" : "(p)")),
    );
    expect(before).toHaveLength(2);
  });
  it("of one kernel leaves another, of many launches that differ, its figures", () => {
    const text = readFileSync(pathOf("fixtures/programs/sorts_and_scans.cu"), "utf8");
    const { session, edit } = sessionOver({ [file]: text });
    analysed(session);
    const edited = text.replace(/__global__[^;{]*\{/, "$& float f = 0; f *= f;");
    edit(file, edited);
    const kept = visible(analysed(session));
    expect(kept).toEqual(visible(analysed(sessionOver({ [file]: edited }).session)));
  });
  it("that makes a kernel write what another is led by takes that kernel's figures", () => {
    const text = `
__global__ void take(const int *list, const float *in, float *out) { out[threadIdx.x] = in[list[threadIdx.x]]; }
__global__ void look(int *list, int *out) { out[threadIdx.x] = list[threadIdx.x]; }
int main() {
  int h[32]; for (int i = 0; i < 32; i++) h[i] = 2 * i;
  int *list, *o; float *in, *out;
  cudaMalloc(&list, sizeof(h)); cudaMalloc(&o, sizeof(h)); cudaMalloc(&in, 256); cudaMalloc(&out, 128);
  cudaMemcpy(list, h, sizeof(h), cudaMemcpyHostToDevice);
  look<<<1, 32>>>(list, o);
  take<<<1, 32>>>(list, in, out);
}
`;
    const { session, edit } = sessionOver({ [file]: text });
    const figureOf = () =>
      analysed(session).report.launches.flatMap(({ kernel, profile }) =>
        kernel.name === "take" ? profile.accesses.flatMap(({ totals }) => totals?.cost ?? "unknown") : [],
      );
    expect(figureOf()).toContain(8);
    edit(file, text.replace("= list[threadIdx.x]; }", "= list[threadIdx.x]++; }"));
    expect(figureOf()).toContain("unknown");
    edit(file, text);
    expect(figureOf()).toContain(8);
  });
  it("of a kernel template does not run a host that fills memory, where the kernel reads it as before", () => {
    const text = `template <int N> __global__ void take(int* out, const int* list) {
  out[list[threadIdx.x] * N] = 1;
}
int main() {
  int host[32], *list, *out;
  for (int i = 0; i < 32; i++) host[i] = 2 * i;
  cudaMalloc(&list, sizeof(host));
  cudaMalloc(&out, 4096);
  cudaMemcpy(list, host, sizeof(host), cudaMemcpyHostToDevice);
  take<4><<<1, 32>>>(out, list);
  return 0;
}
`;
    const { session, edit } = sessionOver({ [file]: text });
    analysed(session);
    hosts.length = 0;
    const next = text.replace("* N] = 1", "* N + 1] = 1");
    edit(file, next);
    const seen = visible(analysed(session));
    expect(hosts).toEqual([]);
    expect(seen).toEqual(visible(analysed(sessionOver({ [file]: next }).session)));
  });
  it("that turns white space into code runs the host", () => {
    expect(edited("b<<<4, 32>>>(p);", "b<<<4, 32>>>(p); int i = 0;").hosts).toBe(1);
  });
  it("that adds a local that reads memory evaluates the kernel", () => {
    expect(
      edited("  tile[threadIdx.x][1] =", "  volatile float f = out[0];\n  tile[threadIdx.x][1] =").evaluated,
    ).toEqual(["b"]);
  });
  it("of a device function evaluates the kernels that call it", () => {
    expect(edited("i * 2", "i * 4").evaluated).toEqual(["a"]);
  });
  it("of one launch evaluates the kernel launched", () => {
    expect(edited("b<<<4, 32>>>", "b<<<4, 64>>>").evaluated).toEqual(["b"]);
  });
  it("of the host that changes no launch evaluates nothing", () => {
    expect(edited("int main() {\n", "int main() {\n  int unused = 3;\n").evaluated).toEqual([]);
  });
});

describe("what is typed back", () => {
  const text = `#define AT [threadIdx.x][1]\n${twoKernels.replace("tile[threadIdx.x][1] =", "tile AT =")}`;
  const other = text.replace("tile AT =", "tile[1][threadIdx.x] =");
  /** What the last of `states` has evaluated, and whether all is as a fresh analysis has it. */
  const typed = (...states: readonly string[]) => {
    const { session, edit } = sessionOver({ [file]: text });
    analysed(session);
    for (const state of states) {
      evaluated.length = 0;
      edit(file, state);
      analysed(session);
    }
    const again = [...evaluated];
    const last = states.at(-1) ?? text;
    expect(visible(analysed(session))).toEqual(visible(analysed(sessionOver({ [file]: last }).session)));
    return again;
  };

  it("is known, wherever it stands by then", () => {
    expect(typed(other)).toEqual(["b"]);
    expect(typed(other, text)).toEqual([]);
    expect(typed(other, other.replace("__global__ void a", "// above\n\n__global__ void a"))).toEqual([]);
    expect(typed(other, text.replace("__global__ void a", "// above\n\n__global__ void a"))).toEqual([]);
  });
  it("is known behind what does not parse", () => {
    expect(typed(other, other.replace("tile[1][threadIdx.x] =", "tile[1 ="), text)).toEqual([]);
  });
  it("is known again and again, of two texts", () => {
    expect(typed(other, text, other, text, other)).toEqual([]);
    expect(typed(other, text.replace("tile AT =", "tile[2][threadIdx.x] ="), text)).toEqual(["b"]);
  });
  it("is evaluated where a macro in it, or what it calls, means something else now", () => {
    expect(typed(other, text.replace("[threadIdx.x][1]", "[2][threadIdx.x]"))).toEqual(["b"]);
    const calling = (factor: number) => text.replace("i * 2", `i * ${factor}`);
    expect(typed(text.replace("twice(threadIdx.x)", "threadIdx.x"), calling(4))).toEqual(["a"]);
  });
});

describe("a kernel that does not parse any more", () => {
  const broken = (from: string, to: string) => {
    const { session, edit } = sessionOver({ [file]: twoKernels });
    const before = analysed(session);
    const text = twoKernels.replace(from, to);
    edit(file, text);
    return { session, edit, before, text, analysis: analysed(session) };
  };

  it("keeps its findings, moved, but those of the edited line; the others are not touched", () => {
    const { analysis, before } = broken(
      "  tile[threadIdx.x][1] =",
      "  int half = (;\n  tile[threadIdx.x][1] =",
    );
    expect(stale(analysis)).toEqual(["b"]);
    expect(conflicts(analysis)).toEqual(conflicts(before));
    const edited = broken("tile[threadIdx.x][1] = out", "tile[threadIdx.x][1 = out").analysis;
    expect(stale(edited)).toEqual(["b"]);
    expect(conflicts(edited)).toEqual(
      conflicts(before).filter((line) => !line.startsWith("tile[threadIdx.x][1]")),
    );
  });
  it("is analysed again once it parses", () => {
    const { session, edit, text } = broken(
      "  tile[threadIdx.x][1] =",
      "  int half = (;\n  tile[threadIdx.x][1] =",
    );
    edit(
      file,
      text.replace("int half = (;", "int half = 2;").replace("tile[threadIdx.x][1]", "tile[0][threadIdx.x]"),
    );
    const mended = analysed(session);
    expect(stale(mended)).toEqual([]);
    expect(conflicts(mended)).toHaveLength(3);
  });
  it("keeps its launches where the host code is what does not parse", () => {
    const { analysis, before } = broken("b<<<4, 32>>>(p);", "b<<<4, 32>>>(p;");
    expect(analysis.kernels.map(({ launches }) => launches[0]?.profile.launch.block)).toEqual(
      before.kernels.map(({ launches }) => launches[0]?.profile.launch.block),
    );
    expect(stale(analysis)).toEqual(["a", "b"]);
  });
  it.each([
    ["a comment", "/* half typed\n__global__ void b"],
    ["an #if", "#if 0\n__global__ void b"],
  ])("stays, with the host behind it, where %s that is not closed takes it", (_, head) => {
    const { session, edit, analysis, before } = broken("__global__ void b", head);
    expect(stale(analysis)).toEqual(["a", "b"]);
    expect(conflicts(analysis)).toEqual(conflicts(before));
    edit(file, twoKernels);
    expect(stale(analysed(session))).toEqual([]);
  });
  it("is seen as in a fresh start once nobody is about to mend it", () => {
    const { session, text, analysis } = broken(
      "  tile[threadIdx.x][1] =",
      "  int half = (;\n  tile[threadIdx.x][1] =",
    );
    const fresh = analysed(sessionOver({ [file]: text }).session);
    expect(conflicts(fresh)).not.toEqual([]);
    expect(session.leaveBroken(file)).toBe(true);
    const left = analysed(session);
    expect(left.report.findings).toEqual(fresh.report.findings);
    expect([stale(analysis), stale(left)]).toEqual([["b"], []]);
    expect(session.leaveBroken(file)).toBe(false);
  });
  it("is seen as in a fresh start where the host is what does not parse, and others take a part of the budget", () => {
    const guarded = `__global__ void guarded(const float *in, float *out, int width, int height, float sharpness) {
  int x0 = blockIdx.x * 32 - 3, y0 = blockIdx.y * 8 - 3;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 38 * 140; k += 256) {
    int r = k / 38, c = k - r * 38;
    int y = min(max(y0 + r, 0), height - 1), x = min(max(x0 + c, 0), width - 1);
    out[y * width + x] = in[y * width + x] * sharpness;
  }
  for (int i = blockIdx.x * 256 + threadIdx.x; i < out[0]; i += 256) out[i] = in[i];
}
`;
    const main = (call: string) => `int main() { float *p; cudaMalloc(&p, 1 << 20); ${call} }\n`;
    const call = "guarded<<<dim3(5, 7), dim3(32, 8)>>>(p, p, 160, 56, 2.0f)";
    const others = Array.from(
      { length: 30 },
      (_, index) =>
        `__global__ void copy${index}(float *p) { p[threadIdx.x] = p[threadIdx.x + ${index}]; }\n`,
    );
    const { session, edit } = sessionOver({ [file]: guarded + main(`${call};`) });
    analysed(session);
    const text = guarded + main(`${call}; int half = (;`) + others.join("");
    edit(file, text);
    const accesses = (analysis: FileAnalysis) =>
      analysis.kernels.find(({ name }) => name === "guarded")?.launches[0]?.profile.accesses.length;
    expect(accesses(analysed(session))).toBe(5);
    session.leaveBroken(file);
    expect(analysed(session).report.findings).toEqual(
      analysed(sessionOver({ [file]: text }).session).report.findings,
    );
  });
  it("is seen as in a fresh start where it was away, and the host does not parse when it comes back", () => {
    const kernel =
      "__global__ void k(float *p, int n) { p[(blockIdx.x * blockDim.x + threadIdx.x) * n] = 1; }\n";
    const main = (statement: string) =>
      `int main() { float *p; cudaMalloc(&p, 1 << 20); k<<<8, 96>>>(p, 4); ${statement} }\n`;
    const { session, edit } = sessionOver({ [file]: kernel + main("") });
    analysed(session);
    edit(file, main("int half = (;"));
    analysed(session);
    const text = kernel + main("int half = (;");
    edit(file, text);
    expect(stale(analysed(session))).toEqual(["k"]);
    expect(session.leaveBroken(file)).toBe(true);
    const fresh = analysed(sessionOver({ [file]: text }).session);
    expect(analysed(session).report.findings).toEqual(fresh.report.findings);
  });
  it("is gone where a comment that is closed takes it", () => {
    const start = twoKernels.indexOf("__global__ void b");
    const end = twoKernels.indexOf("int main");
    const { session, edit } = sessionOver({ [file]: twoKernels });
    analysed(session);
    edit(file, `${twoKernels.slice(0, start)}/*${twoKernels.slice(start, end)}*/${twoKernels.slice(end)}`);
    expect(analysed(session).kernels.map(({ name }) => name)).toEqual(["a"]);
  });
  it("is analysed as it is where it never parsed", () => {
    const { session } = sessionOver({
      [file]: twoKernels.replace("tile[threadIdx.x][1] =", "tile[threadIdx.x][1 ="),
    });
    expect(stale(analysed(session))).toEqual([]);
  });
});

describe("what stands around a document, read again", () => {
  const half = twoKernels.replace("  tile[threadIdx.x][1] =", "  int half = (;\n  tile[threadIdx.x][1] =");

  it("evaluates nothing where it is as it was, and what does not parse keeps its findings", () => {
    const { session, edit, renew } = sessionOver({ [file]: twoKernels });
    const before = conflicts(analysed(session));
    edit(file, half);
    analysed(session);
    evaluated.length = 0;
    renew();
    const analysis = analysed(session);
    expect(evaluated).toEqual([]);
    expect(stale(analysis)).toEqual(["b"]);
    expect(conflicts(analysis)).toEqual(before);
  });

  it.each<[string, Record<string, string>]>([
    ["a macro", { "/w/warplint.json": '{ "defines": { "float": "double" } }' }],
    ["a launch", { "/w/warplint.json": '{ "launches": { "b": { "block": 16 } } }' }],
    ["a severity", { "/w/warplint.json": '{ "rules": { "shared-bank-conflict": "off" } }' }],
    ["an include", { "/w/later.h": "#define LATER [threadIdx.x]\n" }],
    ["an ignored header", { "/w/.gitignore": "third/\n" }],
  ])("is as a fresh analysis has it where it says otherwise: %s", (_, said) => {
    const head = '#include "later.h"\n#include "third/k.cuh"\n#ifndef LATER\n#define LATER [0]\n#endif\n';
    const text = head + twoKernels.replace("tile[threadIdx.x][1] =", "tile[threadIdx.x]LATER =");
    const third = twoKernels.slice(0, twoKernels.indexOf("int main")).replaceAll(/\b([ab])\(/g, "third_$1(");
    const files: Record<string, string> = { [file]: text, "/w/third/k.cuh": third };
    const everywhere = { ...files, ...said };
    const seen = (session: LintSession) => [visible(analysed(session)), session.reports([file])];
    const { session, renew } = sessionOver(files);
    const before = seen(session);
    for (const [path, content] of Object.entries(said)) files[path] = content;
    renew();
    const renewed = seen(session);
    expect(renewed).toEqual(seen(sessionOver(everywhere).session));
    expect(renewed).not.toEqual(before);
    for (const path of Object.keys(said)) delete files[path];
    renew();
    expect(seen(session)).toEqual(before);
  });
});

describe("every prefix of a kernel, typed where it stands", () => {
  const kernels = [
    ["seed0_mat_trans.cu", 0],
    ["seed2_mat_transpose.cu", 0],
    ["seed3_padding.cu", 0],
    ["seed4_transpose.cu", 1],
  ] as const;
  it.each(kernels)("%s, kernel %i", { timeout: 120_000 }, (name, index) => {
    const whole = readFileSync(pathOf(`fixtures/seeds/${name}`), "utf8");
    const heads = [...whole.matchAll(/^(template.*\n)?__global__/gm)].map((match) => match.index);
    const start = heads[index] ?? 0;
    const end = whole.indexOf("\n}", start) + 2;
    const { session, edit } = sessionOver({ [file]: whole });
    const before = conflicts(analysed(session));
    for (let length = 0; start + length <= end; length++) {
      const text = whole.slice(0, start + length) + whole.slice(end);
      edit(file, text);
      const { failures, report, groups, kernels: known } = analysed(session);
      expect(failures).toEqual([]);
      const ranges = [...report.findings, ...groups, ...known].map(({ range }) => range);
      expect(ranges.filter((range) => range.start > range.end || range.end > text.length)).toEqual([]);
    }
    expect(conflicts(analysed(session))).toEqual(before);
    expect(stale(analysed(session))).toEqual([]);
  });
});

describe("a header", () => {
  const files = () => ({
    [file]: '#include "k.cuh"\nint main() { float* p; cudaMalloc(&p, 4096); k<<<1, 32>>>(p); }\n',
    "/w/k.cuh":
      "__global__ void k(float* p) {\n  __shared__ float t[32][32];\n  t[threadIdx.x][0] = p[threadIdx.x];\n  __syncthreads();\n  p[threadIdx.x] = t[0][31 - threadIdx.x];\n}\n",
  });
  it("is seen through the sources that include it, whoever asked for them", () => {
    const { session } = sessionOver(files());
    const through = analysed(session, "/w/k.cuh");
    expect(through.kernels[0]?.launches.map(({ profile }) => profile.launch.origin.kind)).toEqual(["launch"]);
    expect(session.rootsOf("/w/k.cuh")).toEqual([file]);
  });
  it("that is edited changes what is known of the sources", () => {
    const { session, edit } = sessionOver(files());
    session.include(file);
    const before = analysed(session, "/w/k.cuh");
    edit("/w/k.cuh", before.text.replace("[threadIdx.x][0]", "[0][threadIdx.x]"));
    expect(conflicts(before)).toHaveLength(1);
    expect(conflicts(analysed(session, "/w/k.cuh"))).toHaveLength(0);
  });
});

it("analysis that is cancelled goes on when it is asked for again", () => {
  const { session } = sessionOver({ [file]: twoKernels });
  let left = 3;
  expect(session.analyse(file, { isCancelled: () => left-- <= 0 })).toBeNull();
  expect(analysed(session).kernels).toHaveLength(2);
});

it("can be left between the runs of host functions, and between the passes that generate a kernel's code", () => {
  const stepsOf = (text: string): number => {
    let steps = 0;
    const { session } = sessionOver({ [file]: text });
    session.include(file, {
      isCancelled: () => {
        steps++;
        return false;
      },
    });
    return steps;
  };
  const kernel = "__global__ void k(float* p) { p[threadIdx.x] = 1; }\n";
  const launcher = (name: string) => `void ${name}(float* p) { k<<<1, 32>>>(p); }\n`;
  const one = stepsOf(`${kernel}${launcher("a")}`);
  // The launches are equal, and evaluated once: what is more are the runs.
  expect(stepsOf(`${kernel}${launcher("a")}${launcher("b")}${launcher("c")}`)).toBe(one + 2);
  // Two kernels of one launch each: a second generation, and a second evaluation of few steps.
  const other = kernel.replace(" k(", " l(");
  const passes = 6;
  expect(
    stepsOf(`${kernel}${other}${launcher("a")}${launcher("b").replace("k<<<", "l<<<")}`),
  ).toBeGreaterThan(one + 1 + passes);
});
