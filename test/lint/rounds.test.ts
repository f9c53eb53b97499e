// Launches take turns; those that were cut are evaluated again with what is left over.
import { beforeAll, describe, expect, it } from "vitest";
import type { EvaluationOptions } from "../../server/src/evaluate/evaluate.ts";
import type { LaunchProfile } from "../../server/src/evaluate/profile.ts";
import { withoutFigures } from "../../server/src/evaluate/regions/unreached.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { evaluateInTurns, type Outcome, settlingMore } from "../../server/src/lint/rounds.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { runToEnd } from "../../server/src/steps.ts";
import { access, lanes, profile } from "../rules/profiles.ts";
import { testPipeline } from "../support/pipeline.ts";

const { profile: whole } = profile({}, [access({ laneAddresses: lanes(() => 0), cost: 1, ideal: 1 })]);

describe("the second round", () => {
  it("asks for twice of what did not do, and puts what comes out in its place and that of launches alike", () => {
    const asked: string[] = [];
    const [outcomes] = evaluated([fifty((index) => (index === 49 ? 48 : index))], {
      needs: (launch) => (launch === 48 ? 300_000 : 1000),
      asked,
    });
    expect(asked.filter((each) => each.startsWith("48 "))).toEqual(["48 260000", "48 520000"]);
    expect(outcomes).toHaveLength(50);
    expect(outcomes?.every(({ profile: { isCut } }) => !isCut)).toBe(true);
    for (const index of [48, 49]) expect(outcomes?.[index]?.allowed.stepLimit).toBe(520_000);
  });

  it("asks for what a sister of the same code needed, where that is more", () => {
    const asked: string[] = [];
    evaluated([fifty((index) => index)], {
      needs: (launch) => (launch === 0 ? 400_000 : launch === 18 ? 300_000 : 1000),
      asked,
    });
    const [first, second, ...others] = asked.flatMap((each) =>
      each.startsWith("18 ") ? [Number(each.slice(3))] : [],
    );
    expect(first).toBeLessThan(300_000);
    // What comes to its end takes four thirds of its steps at least; a little more is left for what the sister does not do.
    expect(second).toBeGreaterThan(Math.max(2 * (first ?? 0), (400_000 * 4) / 3));
    expect(others).toEqual([]);
  });

  it("looks coarsely from the start where a sister was known by that alone", () => {
    const asked: string[] = [];
    const [outcomes] = evaluated([fifty((index) => index)], {
      // Of the 1,500,000 that the first launch is allowed, three quarters are for a precise sweep.
      needs: (launch) => (launch === 0 ? 1_200_000 : launch === 18 ? 1_000_000 : 1000),
      asked,
    });
    const again = asked.filter((each) => each.startsWith("18 ")).at(-1);
    expect(again).toMatch(/^18 1\d0000 coarse$/);
    expect(outcomes?.[18]?.profile.isCut).toBe(false);
  });

  it("asks for what coarse sisters needed where a precise one needed more than is left", () => {
    const asked: string[] = [];
    const [outcomes] = evaluated([fifty((index) => index)], {
      // The first is known by a precise sweep, 32 by a coarse one behind a precise one that took three quarters of its 160,000.
      needs: (launch) =>
        launch === 0 ? 1_000_000 : launch === 32 ? 150_000 : launch === 18 ? 390_000 : 1000,
      asked,
    });
    const again = asked.filter((each) => each.startsWith("18 ")).at(-1);
    expect(again).toMatch(/^18 \d+ coarse$/);
    expect(outcomes?.[18]?.profile.isCut).toBe(false);
  });

  it("leaves what came out before where that settles more, and does not try it again", () => {
    const later = { ...whole, steps: 7 };
    const unknown = { ...later, accesses: later.accesses.map(withoutFigures) };
    const withoutTotals = { ...later, accesses: later.accesses.map((each) => ({ ...each, totals: null })) };
    expect(settlingMore(unknown, later)).toBe(later);
    expect(settlingMore(whole, later)).toBe(later);
    for (const lost of [unknown, withoutTotals])
      expect(settlingMore(whole, lost)).toEqual({ ...whole, steps: 7 });
  });

  it("takes a part of the budget alone, and nothing where twice as much is not left", () => {
    const asked: string[] = [];
    evaluated([fifty((index) => index)], { needs: () => 10_000_000, asked });
    const limits = asked.map((each) => Number(each.split(" ")[1]));
    expect(limits.length).toBeGreaterThan(0);
    expect(limits.reduce((sum, limit) => sum + limit, 0)).toBeLessThanOrEqual(4_000_000);
  });

  it("comes first to where most accesses are won for a step", () => {
    const asked: string[] = [];
    const cheap = { ...fifty((index) => index), id: "cheap" };
    evaluated([fifty((index) => index), cheap], {
      needs: (launch, id) => (launch === 3 ? 900_000 : id === "cheap" ? 500 : 20_000),
      asked,
    });
    const again = asked.slice(100);
    expect(again[0]).toMatch(/^3 .* cheap$/);
  });
});

describe("an edit elsewhere", () => {
  let pipeline: Pipeline;
  const evaluatedKernels: string[] = [];
  beforeAll(async () => {
    const real = await testPipeline();
    pipeline = {
      ...real,
      evaluatorOf: (program) => {
        const evaluate = real.evaluatorOf(program);
        return function* (launch, allowed) {
          evaluatedKernels.push(launch.kernel.replace(/\(.*/, ""));
          const found = yield* evaluate(launch, allowed);
          return launch.grid[0] === 5 && allowed.stepLimit < 400_000 ? cut(found, allowed) : found;
        };
      },
    };
  });

  it("evaluates none of the launches again that were cut, in neither round", () => {
    const text = `__global__ void many(float* x) { x[threadIdx.x] = 0; }
__global__ void other(float* x) { x[threadIdx.x * 2] = 0; }
int main() {
  float* p;
  cudaMalloc(&p, 1 << 20);
  for (int i = 1; i <= 60; i++) many<<<i, 32>>>(p);
  other<<<1, 32>>>(p);
}
`;
    let current = text;
    const host = {
      ...memoryHost({ "/w/a.cu": text }, "/w"),
      readBytes: () => new TextEncoder().encode(current),
    };
    const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
    const session = createLintSession({ host, project, pipeline, options: { block: null } });
    const isKnown = () =>
      session
        .analyse("/w/a.cu")
        ?.groups.every(({ contexts }) =>
          contexts.every(({ access: { verdict } }) => verdict.kind !== "unknown"),
        );
    expect(isKnown()).toBe(true);
    expect(evaluatedKernels.filter((name) => name === "many")).toHaveLength(61);
    evaluatedKernels.length = 0;
    current = text.replace("* 2]", "* 4]");
    session.update(["/w/a.cu"]);
    expect(isKnown()).toBe(true);
    expect(evaluatedKernels).toEqual(["other"]);
  });
});

/** Fifty launches of a kernel, which come in the order 0, 32, 16, 48, …, the sixteenth of them 18; `first` says of each which is the first like it. */
function fifty(first: (index: number) => number) {
  const launches = Array.from({ length: 50 }, (_, index): Launch => ({ ...whole.launch, count: index }));
  return { id: "kernel", launches, alike: launches.map((_, index) => first(index)) };
}

interface Trial {
  /** Steps that a launch needs to be known; launches are told apart by their count. */
  needs(launch: number, id: string): number;
  readonly asked: string[];
}

function evaluated(kernels: readonly ReturnType<typeof fifty>[], { needs, asked }: Trial): Outcome[][] {
  return runToEnd(
    evaluateInTurns<ReturnType<typeof fifty>, Outcome>(kernels, {
      *evaluate({ id }, launch, allowed) {
        yield;
        const isCoarse = allowed.sweeps === "coarse";
        asked.push(
          `${launch.count} ${allowed.stepLimit}${isCoarse ? " coarse" : ""}${id === "kernel" ? "" : ` ${id}`}`,
        );
        const steps = needs(launch.count, id) / (isCoarse ? 8 : 1);
        const found = { ...whole, launch, steps: Math.min(steps, allowed.stepLimit) };
        return { profile: steps > allowed.stepLimit ? cut(found, allowed) : found, allowed };
      },
      unevaluated: (sister, launch) => ({ ...sister, profile: { ...sister.profile, launch } }),
      withProfile: (outcome, profile) => ({ ...outcome, profile }),
      alike: (same, launch) => ({ ...same, profile: { ...same.profile, launch } }),
    }),
  );
}

function cut(found: LaunchProfile, { stepLimit }: EvaluationOptions): LaunchProfile {
  return {
    ...found,
    accesses: found.accesses.map((access) => withoutFigures(access)),
    steps: stepLimit,
    isCut: true,
  };
}
