// The second phase: what a search is given, that an edited text is evaluated only where it changed, and the rounds of `--fix`.
import { beforeAll, describe, expect, it } from "vitest";
import { bestOf, type Fix, type FixContext, type WantedFixes } from "../../server/src/fixes/fix.ts";
import { overTime } from "../../server/src/fixes/work.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import { overlayHost } from "../../server/src/host/overlay.ts";
import { type FixedFiles, fixFiles } from "../../server/src/lint/fix-files.ts";
import { type FixTools, fixSearchesOf } from "../../server/src/lint/fixes.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { patienceOf, searchToEnd } from "../../server/src/lint/search.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { fixTitle } from "../../server/src/render/fix-title.ts";
import { createPlaces } from "../../server/src/render/places.ts";
import { padTools } from "../support/pad-search.ts";
import { testPipeline } from "../support/pipeline.ts";

const evaluated: string[] = [];
let pipeline: Pipeline;

beforeAll(async () => {
  const real = await testPipeline();
  pipeline = {
    ...real,
    evaluatorOf: (program) => {
      const evaluate = real.evaluatorOf(program);
      return (launch, allowed) => {
        evaluated.push(launch.kernel.replace(/[<(].*/, ""));
        return evaluate(launch, allowed);
      };
    },
  };
});

const kernel = (name: string, array: string) => `__global__ void ${name}(float *out, const float *in) {
  __shared__ float ${array}[32][32];
  ${array}[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = ${array}[threadIdx.x][threadIdx.y];
}
`;
const launches = (...names: string[]) =>
  `void run(float *out, const float *in) {\n${names.map((name) => `  ${name}<<<1, dim3(32, 32)>>>(out, in);\n`).join("")}}\n`;
const two = kernel("first", "tile") + kernel("second", "pile") + launches("first", "second");

function sessionOver(files: Readonly<Record<string, string>>) {
  let overlaid: ReadonlyMap<string, string> = new Map();
  const host = overlayHost(memoryHost({ ...files }, "/w"), (path) => overlaid.get(path) ?? null, "/w");
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({ host, project, pipeline, options: { block: null } });
  const overlay = (texts: ReadonlyMap<string, string>) => {
    overlaid = new Map(texts);
  };
  return { session, overlay };
}

const patient = { isOver: () => false };

function searchesOf(files: Readonly<Record<string, string>>, file: string, tools: FixTools = padTools()) {
  const { session } = sessionOver(files);
  for (const path of Object.keys(files)) if (path.endsWith(".cu")) session.include(path);
  const analysis = session.analyse(file);
  if (analysis === null) throw new Error("nobody cancels");
  return { analysis, searches: fixSearchesOf(analysis, session.fixMaterial(file), tools) };
}

function fixed(
  files: Readonly<Record<string, string>>,
  { tools = padTools(), wanted = "safe" as WantedFixes } = {},
): FixedFiles {
  const { session, overlay } = sessionOver(files);
  const paths = Object.keys(files);
  for (const path of paths) session.include(path);
  return fixFiles(paths, { session, tools, wanted, overlay, newPatience: () => patient });
}

describe("a search", () => {
  it("is made for each kernel with findings, in the order of the text", () => {
    const { searches } = searchesOf(
      { "/w/a.cu": two + kernel("third", "tile").replace("[32];", "[33];") },
      "/w/a.cu",
    );
    expect(searches.map((search) => search.kernel)).toEqual(["first", "second"]);
  });

  it("evaluates of an edited text what changed, and no more", () => {
    const { searches, analysis } = searchesOf({ "/w/a.cu": two }, "/w/a.cu");
    evaluated.length = 0;
    const [search] = searches;
    if (search === undefined) throw new Error("no search");
    const { found, failure } = searchToEnd(search, "/w/a.cu", patient);
    expect(failure).toBeNull();
    expect(evaluated).toEqual(["first"]);
    const places = createPlaces(analysis.texts, (path) => path);
    expect(found.fixes.map((fix) => fixTitle(fix, places))).toEqual([
      "Pad tile to [32][32 + 1]: 32 → 1 wavefronts, +128 B (output checked)",
    ]);
    // Both kernels store 32 requests of one wavefront; a column costs 32 of each of its 32 requests.
    expect(found.fixes[0]?.gain.totals).toEqual({ before: 2 * (32 + 1024), after: 32 + 32 + 32 + 1024 });
  });

  it("sees a header that was edited through the source that includes it", () => {
    const files = {
      "/w/a.cu": `#include "k.cuh"\n${launches("first")}`,
      "/w/k.cuh": kernel("first", "tile"),
    };
    const { searches } = searchesOf(files, "/w/k.cuh");
    const found = searches.map((search) => searchToEnd(search, "/w/k.cuh", patient).found);
    expect(found.flatMap(({ fixes }) => fixes.map(({ gain }) => gain.totals))).toEqual([
      { before: 32 + 1024, after: 64 },
    ]);
  });

  it("says that an edit breaks the syntax, for what was known before is no answer", () => {
    let gaps: readonly string[] | undefined;
    const tools: FixTools = {
      ...padTools(),
      search: function* ({ analyse, texts }: FixContext) {
        const at = (texts.get("/w/a.cu") ?? "").indexOf("[32][32]");
        const broken = yield* analyse([{ file: "/w/a.cu", start: at, end: at + 4, newText: "[[" }]);
        gaps = broken?.gaps;
        return { fixes: [], refusals: [] };
      },
    };
    const { searches } = searchesOf({ "/w/a.cu": two }, "/w/a.cu", tools);
    for (const search of searches.slice(0, 1)) searchToEnd(search, "/w/a.cu", patient);
    expect(gaps).toContain("first does not parse any more");
  });

  it("ends when patience does, and says so of every finding", () => {
    const { searches } = searchesOf({ "/w/a.cu": two }, "/w/a.cu", padTools(1000));
    const outcomes = searches.map((search) => searchToEnd(search, "/w/a.cu", { isOver: () => true }).found);
    expect(outcomes.flatMap(({ refusals }) => refusals.map(({ reason }) => reason))).toEqual([
      overTime,
      overTime,
    ]);
  });

  it("ends before the step that would pass 2 seconds, if it took as long as the longest before it", () => {
    let now = 0;
    const stepMilliseconds = [10, 300, 20];
    const took: number[] = [];
    const tools: FixTools = {
      ...padTools(),
      *search() {
        for (let step = 0; step < 1000; step++) {
          now += stepMilliseconds[step % 3] ?? 0;
          took.push(now);
          yield;
        }
        return { fixes: [], refusals: [] };
      },
    };
    const [search] = searchesOf({ "/w/a.cu": two }, "/w/a.cu", tools).searches;
    if (search === undefined) throw new Error("a search");
    const { found } = searchToEnd(
      search,
      "/w/a.cu",
      patienceOf(2000, () => now),
    );
    expect(found.refusals.map(({ reason }) => reason)).toEqual([overTime]);
    // Five rounds of 330 ms and two steps; one more might take 300.
    expect(took.at(-1)).toBe(5 * 330 + 10 + 300);
  });

  it("keeps what it had found when patience ends", () => {
    const whole = padTools();
    const tools: FixTools = {
      ...whole,
      *search(context) {
        context.onReady(yield* whole.search(context));
        for (;;) yield;
      },
    };
    const [search] = searchesOf({ "/w/a.cu": two }, "/w/a.cu", tools).searches;
    if (search === undefined) throw new Error("a search");
    let steps = 0;
    const { found } = searchToEnd(search, "/w/a.cu", { isOver: () => ++steps > 1000 });
    expect(found.fixes.map(({ title }) => title)).toMatchObject([{ kind: "pad", array: "tile" }]);
  });

  it("that throws is a failure of the file, and no fix", () => {
    const tools: FixTools = {
      ...padTools(),
      search: () => {
        throw new Error("out of luck");
      },
    };
    const { searches } = searchesOf({ "/w/a.cu": two }, "/w/a.cu", tools);
    const outcomes = searches.map((search) => searchToEnd(search, "/w/a.cu", patient));
    expect(outcomes.map(({ failure }) => failure?.message)).toEqual([
      expect.stringContaining("out of luck"),
      expect.stringContaining("out of luck"),
    ]);
    expect(outcomes.flatMap(({ found }) => found.fixes)).toEqual([]);
  });

  const keysOf = (text: string) => searchesOf({ "/w/a.cu": text }, "/w/a.cu").searches.map(({ key }) => key);

  it("has the key that it had where nothing that it hangs on changed", () => {
    expect(keysOf(`// a note\n${two.replace("pile[threadIdx.x]", "pile[threadIdx.x + 0]")}`)[0]).toBe(
      keysOf(two)[0],
    );
  });

  it.each([
    ["its own text", two.replace("tile[threadIdx.x]", "tile[threadIdx.x + 0]")],
    ["what launches it", two.replace("<<<1,", "<<<2,")],
  ])("has another key where %s changed", (_what, text) => {
    expect(keysOf(text)[0]).not.toBe(keysOf(two)[0]);
  });
});

describe("fixing files", () => {
  it("makes the fix of every kernel, and the second time nothing", () => {
    const { texts, before, made } = fixed({ "/w/a.cu": two });
    const text = texts.get("/w/a.cu") ?? "";
    expect(text).toBe(two.replaceAll("[32][32]", "[32][32 + 1]"));
    expect(before.get("/w/a.cu")).toBe(two);
    expect(made).toHaveLength(2);
    expect(fixed({ "/w/a.cu": text })).toMatchObject({ made: [], texts: new Map() });
  });

  it("of two in one place makes one, and looks again for the other", () => {
    const header = `__device__ float column(float (*tile)[32]) { return tile[threadIdx.x][threadIdx.y]; }\n`;
    const shared = kernel("first", "tile").replace("tile[threadIdx.x][threadIdx.y]", "column(tile)");
    const text = header + shared + launches("first");
    const once = (fix: Fix): Fix => ({
      ...fix,
      edits: [{ ...(fix.edits[0] as Fix["edits"][number]), newText: " " }],
    });
    let rounds = 0;
    const tools: FixTools = {
      ...padTools(),
      search: function* (context) {
        rounds++;
        const { fixes, refusals } = yield* padTools().search(context);
        return { fixes: rounds < 3 ? fixes.map(once) : [], refusals };
      },
    };
    expect(fixed({ "/w/a.cu": text }, { tools }).made).toHaveLength(2);
    expect(rounds).toBe(3);
  });

  it("leaves suggestions to those who want them", () => {
    const tools: FixTools = {
      ...padTools(),
      search: function* (context) {
        const { fixes, refusals } = yield* padTools().search(context);
        return { fixes: fixes.map((fix) => ({ ...fix, safety: "suggestion" })), refusals };
      },
    };
    expect(fixed({ "/w/a.cu": two }, { tools }).made).toHaveLength(0);
    expect(fixed({ "/w/a.cu": two }, { tools, wanted: "all" }).made).toHaveLength(2);
  });

  it("keeps why the rest has no fix", () => {
    const text = kernel("first", "other") + launches("first");
    const { found } = fixed({ "/w/a.cu": text });
    expect(found.get("/w/a.cu")?.refusals.map(({ reason }) => reason)).toEqual(["nobody pads that"]);
  });

  it("prefers what is safe, then what saves most, then what comes first", () => {
    const { searches } = searchesOf({ "/w/a.cu": two }, "/w/a.cu");
    const [fix] = searches.flatMap((search) => searchToEnd(search, "/w/a.cu", patient).found.fixes);
    if (fix === undefined) throw new Error("no fix");
    const saving = (after: number, safety: Fix["safety"]): Fix => ({
      ...fix,
      safety,
      gain: { ...fix.gain, totals: { before: 100, after } },
    });
    const [little, much, unsafe] = [saving(50, "safe"), saving(10, "safe"), saving(1, "suggestion")];
    expect(bestOf([little, unsafe, much], "all")).toBe(much);
    expect(bestOf([unsafe], "all")).toBe(unsafe);
    expect(bestOf([unsafe], "safe")).toBeNull();
    expect(bestOf([little, saving(50, "safe")], "safe")).toBe(little);
  });
});
