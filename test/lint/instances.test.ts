// Of a template's many instances a repository looks at those that tell something new.
import { describe, expect, it } from "vitest";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { FunctionId } from "../../server/src/ir/function.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import { stepLimitsOf } from "../../server/src/lint/budget.ts";
import { ToldInstances } from "../../server/src/lint/instances.ts";
import { evaluateInTurns, type Outcome } from "../../server/src/lint/rounds.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { runToEnd } from "../../server/src/steps.ts";
import { access, lanes, profile } from "../rules/profiles.ts";
import { testPipeline } from "../support/pipeline.ts";

const { profile: whole } = profile({}, [access({ laneAddresses: lanes(() => 0), cost: 1, ideal: 1 })]);

const instance = (index: number) => `k<${index}>` as FunctionId;

/** Sixteen launches of as many instances, which come in the order 0, 8, 4, 12, 2, … */
const sixteen = Array.from(
  { length: 16 },
  (_, index): Launch => ({ ...whole.launch, kernel: instance(index) }),
);

describe("in a repository", () => {
  it("no instance is looked at behind two in succession that cost nothing more", () => {
    expect(evaluatedOf(sixteen, () => 1)).toEqual(["k<0>", "k<8>", "k<4>"]);
  });

  it.each([
    [8, 2],
    [2, 8],
  ])("one that costs other than those before it is worth two others", (own, others) => {
    expect(evaluatedOf(sixteen, (kernel) => (kernel === "k<4>" ? own : others))).toEqual([
      "k<0>",
      "k<8>",
      "k<4>",
      "k<12>",
      "k<2>",
    ]);
  });

  it("of large instances no other is looked at behind one that costs nothing more", () => {
    expect(evaluatedOf(sixteen, () => 1, "repository", 24)).toEqual(["k<0>", "k<8>"]);
  });

  it("what other programs launched counts", () => {
    const told = new ToldInstances();
    expect(evaluatedOf(sixteen, () => 1, "repository", 1, told)).toHaveLength(3);
    expect(told.news).toBe(1);
    const others = sixteen.map((launch, index) => ({ ...launch, kernel: instance(index + 100) }));
    expect(evaluatedOf(others, () => 1, "repository", 1, told)).toEqual([]);
    // The same instance may be launched with other sizes there.
    expect(evaluatedOf(sixteen, () => 1, "repository", 1, told)).toEqual(["k<0>", "k<8>", "k<4>"]);
  });

  it("other launches of an instance that was seen are looked at", () => {
    const again = sixteen.map((launch, index) =>
      index >= 8 ? { ...launch, kernel: instance(0), count: 2 } : launch,
    );
    expect(evaluatedOf(again, () => 1).filter((kernel) => kernel === "k<0>")).toHaveLength(9);
  });

  it("all are looked at that were made up", () => {
    const assumed = sixteen.map((launch): Launch => ({ ...launch, origin: { kind: "assumed", path: [] } }));
    expect(evaluatedOf(assumed, () => 1)).toHaveLength(16);
  });
});

it("a file by itself has all of its instances looked at", () => {
  expect(evaluatedOf(sixteen, () => 1, "file")).toHaveLength(16);
});

it("a note tells how many were looked at", async () => {
  const text = `template <int N> __global__ void k(float* x) { x[threadIdx.x * 2] = N; }
int main() {
  float* p;
  cudaMalloc(&p, 1 << 20);
  ${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `k<${n}><<<1, 32>>>(p);`).join("\n  ")}
}
`;
  const host = memoryHost({ "/w/a.cu": text }, "/w");
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const pipeline = await testPipeline();
  const notesOf = (extent: "file" | "repository") =>
    createLintSession({ host, project, pipeline, options: { block: null, extent } }).analyse("/w/a.cu")
      ?.report.notes;
  expect(notesOf("file")).toEqual([]);
  expect(notesOf("repository")).toEqual([
    "kernel k (line 1): of its 8 instances 3 were analysed, spread over all: the last of them told nothing new",
  ]);
});

/** The kernels of the launches that are evaluated, in their turn, where an access costs so many times its ideal. */
function evaluatedOf(
  launches: readonly Launch[],
  costOf: (kernel: string) => number,
  extent: "file" | "repository" = "repository",
  accesses = 1,
  told = new ToldInstances(),
): readonly string[] {
  const evaluated: string[] = [];
  const alike = launches.map((_, index) => index);
  const [outcomes] = runToEnd(
    evaluateInTurns<{ id: string; launches: readonly Launch[]; alike: readonly number[] }, Outcome>(
      [{ id: "kernel", launches, alike }],
      {
        *evaluate(_, launch, allowed) {
          yield;
          evaluated.push(launch.kernel);
          const cost = costOf(launch.kernel);
          const each = access({ laneAddresses: lanes(() => 0), cost, ideal: 1 });
          const { profile: found } = profile(
            {},
            Array.from({ length: accesses }, () => each),
          );
          return { profile: { ...found, launch }, allowed };
        },
        unevaluated: (sister, launch) => ({ ...sister, profile: { ...sister.profile, launch } }),
        withProfile: (outcome, profile) => ({ ...outcome, profile }),
        alike: (same, launch) => ({ ...same, profile: { ...same.profile, launch } }),
      },
      stepLimitsOf(extent),
      () => told.of("kernel"),
    ),
  );
  expect(outcomes?.map(({ profile }) => profile.launch.kernel).sort()).toEqual([...evaluated].sort());
  return evaluated;
}
