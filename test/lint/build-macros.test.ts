// Figures that hang on macros of which the build leaves something open: conditional, with the macro named, and never a warning but for what holds in a preset.
import { describe, expect, it } from "vitest";
import { type CompileFlags, type MacroFlag, noFlags } from "../../server/src/build/flags.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createProject, type Project } from "../../server/src/project/project.ts";
import { assumptionText } from "../../server/src/render/assumption-words.ts";
import { testPipeline } from "../support/pipeline.ts";

const origin = { file: "/w/CMakeLists.txt", line: 14 };
const define = (name: string, value: string | null, doubt: string | null): MacroFlag => ({
  kind: "define",
  name,
  value,
  doubt,
  origin,
});

/** Of each access its verdict with what it assumes of the build, and the findings. */
async function verdicts(text: string, flags: Partial<CompileFlags>) {
  const host = memoryHost({ "/w/a.cu": text }, "/w");
  const plain = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const project: Project = {
    ...plain,
    contextsOf: (file) => {
      const result = plain.contextsOf(file);
      if (result.kind === "errors") return result;
      const settings = result.settings.map((each) => ({ ...each, flags: { ...noFlags, ...flags } }));
      return { ...result, settings };
    },
  };
  const session = createLintSession({
    host,
    project,
    pipeline: await testPipeline(),
    options: { block: null },
  });
  const analysis = session.analyse("/w/a.cu");
  if (analysis === null) throw new Error("nobody cancels");
  const reasons = analysis.kernels.flatMap(({ gaps }) => gaps);
  const said = analysis.groups.flatMap(({ contexts }) =>
    contexts.map(({ access: { verdict } }) => {
      const open =
        verdict.kind === "exact" ? [] : verdict.assumptions.filter(({ kind }) => kind === "build-macro");
      return [verdict.kind, ...open.map(assumptionText)].join(": ");
    }),
  );
  return { said: [...new Set(said)], findings: analysis.report.findings.length, reasons };
}

const kernel = (row: string, before = "") => `${before}
__global__ void k(float *out) {
  __shared__ float tile[32][${row}];
  tile[threadIdx.y][threadIdx.x] = out[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
int main() {
  float *out;
  cudaMalloc(&out, 4096);
  k<<<1, dim3(32, 32)>>>(out);
}
`;

const perhaps = { macros: [define("ROW", "32", "WIDE is not known")] };
const ofRow = "conditional: ROW = 32 (CMakeLists.txt:14, not certain: WIDE is not known)";

describe("a macro that is certain", () => {
  it("leaves figures exact, and warns", async () => {
    expect(await verdicts(kernel("ROW"), { macros: [define("ROW", "32", null)] })).toMatchObject({
      said: ["exact"],
      findings: 1,
    });
  });
});

describe("a macro that the build sets perhaps", () => {
  it.each([
    ["in the kernel", kernel("ROW")],
    ["through another macro", kernel("R", "#define R (ROW)")],
    ["through a constant", kernel("row", "constexpr int row = ROW;")],
    [
      "through an alias",
      kernel("32", "using Line = float[ROW];").replace("float tile[32][32]", "Line tile[32]"),
    ],
    [
      "by an #ifdef in the kernel",
      kernel("32").replace("  __sync", "#ifdef ROW\n  out[0] = 0;\n#endif\n  __sync"),
    ],
    ["in the host code", kernel("32").replace("dim3(32, 32)", "dim3(32, ROW)")],
  ])("makes figures conditional that hang on it %s", async (_, text) => {
    expect(await verdicts(text, perhaps)).toMatchObject({ said: [ofRow], findings: 0 });
  });

  it("leaves others exact", async () => {
    expect(await verdicts(kernel("32", "constexpr int row = ROW;"), perhaps)).toMatchObject({
      said: ["exact"],
      findings: 1,
    });
  });

  it("leaves a kernel exact that is there or is not", async () => {
    const text = kernel("32");
    const end = text.indexOf("int main");
    const guarded = `#ifdef ROW\n${text.slice(0, end)}#endif\n${text.slice(end)}`;
    expect(await verdicts(guarded, perhaps)).toMatchObject({ said: ["exact"], findings: 1 });
  });
});

describe("a macro that one preset sets so and another does not", () => {
  it("makes figures conditional that hang on it, and warns with the name of the preset", async () => {
    const macros = [{ ...define("ROW", "32", "the preset debug has 33"), preset: "release" }];
    expect(await verdicts(kernel("ROW"), { macros })).toMatchObject({
      said: ["conditional: ROW = 32 of the preset release, where the preset debug has 33"],
      findings: 1,
    });
  });
});

describe("a default of a build that could not be read to its end", () => {
  const text = kernel("ROW", "#ifndef ROW\n#define ROW 32\n#endif");
  it("makes figures conditional that hang on it", async () => {
    const unresolved = [{ what: "include(cmake/extra.cmake)", reason: "there is no such file", origin }];
    expect(await verdicts(text, { unresolved })).toMatchObject({
      said: ["conditional: ROW = 32 (default in a.cu:2; the build could not be read to its end)"],
      findings: 0,
    });
    expect(await verdicts(text, {})).toMatchObject({ said: ["exact"], findings: 1 });
  });
});

describe("a macro that the build sets to what is not known", () => {
  it("is never a certain figure", async () => {
    const macros = [define("ROW", null, "WIDE is not known")];
    const used = await verdicts(kernel("ROW"), { macros });
    expect(used.findings).toBe(0);
    expect(used.reasons).toContain("ROW is set by CMakeLists.txt:14 to a value that is not known");
    const asked = kernel("32").replace(
      "tile[threadIdx.x]",
      "tile[\n#if ROW > 4\nthreadIdx.x\n#else\nthreadIdx.y\n#endif\n]",
    );
    expect(await verdicts(asked, { macros })).toMatchObject({
      said: ["conditional: ROW is set by CMakeLists.txt:14 to a value that is not known"],
      findings: 0,
    });
  });
});
