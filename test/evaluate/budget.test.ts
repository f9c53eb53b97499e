// What is said of a launch that is too large for the budget: what was seen stands for all of it only where that is sure.
import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../server/src/evaluate/cost/recorder.ts";
import {
  type EvaluationOptions,
  evaluateLaunch,
  evaluatorOf,
  isPreciseWithin,
} from "../../server/src/evaluate/evaluate.ts";
import type { AccessProfile, LaunchProfile } from "../../server/src/evaluate/profile.ts";
import { type Coverage, standingOf } from "../../server/src/evaluate/regions/coverage.ts";
import { createRegionQueue } from "../../server/src/evaluate/regions/queue.ts";
import type { Program } from "../../server/src/ir/function.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { testPrelude } from "../lower/support.ts";
import { readText } from "../support/parser.ts";

/** What is assumed where the budget ended. */
function shortfall(evaluatedWarps: number, warps: number): Coverage["shortfall"] {
  return { kind: "part-of-launch", evaluatedWarps, warps, trips: "all" };
}

describe("a launch that the budget does not cover", () => {
  it("is looked at in places that are spread over it", () => {
    const range = (start: number, count: number) => ({ start, count });
    const queue = createRegionQueue([range(0, 4096)], ({ count }) => count);
    const seen: number[] = [];
    for (let region = queue.next(); region && seen.length < 16; region = queue.next()) {
      const { start, count } = region;
      if (count === 1) seen.push(start);
      else queue.divide([range(start, count / 2), range(start + count / 2, count / 2)]);
    }
    const eighths = new Set(seen.map((start) => Math.floor(start / 512)));
    expect(eighths.size).toBe(8);
  });

  it("comes to every region once", () => {
    const range = (start: number, count: number) => ({ start, count });
    const queue = createRegionQueue([range(0, 64), range(64, 36)], ({ count }) => count);
    const seen: number[] = [];
    for (let region = queue.next(); region; region = queue.next()) {
      const { start, count } = region;
      if (count === 1) seen.push(start);
      else queue.divide([range(start, 1), range(start + 1, count - 1)]);
    }
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(queue.isEmpty()).toBe(true);
  });

  it("has a figure where that is the same in all warps, or hardly scatters", () => {
    const part: Coverage = { isGridKnown: true, shortfall: shortfall(1, 10), share: 0.1 };
    const alike = (count: number) => Array.from({ length: count }, (_, index) => entry(index, 8, 4));
    expect(standingOf(alike(4), part)).toBe("for all");
    // Where the addresses of others start nobody knows from fewer.
    expect(standingOf(alike(1), part)).toBe("for whole warps");
    // Not where data decide how often each is made either: of a start that is told, others start elsewhere.
    const uncounted = alike(1).map((each) => ({ ...each, uncounted: { reason: "n", dependsOnData: true } }));
    expect(standingOf(uncounted, part)).toBe("for whole warps");
    expect(standingOf([entry(0, 8, 4), entry(1, 4, 4)], part)).toBe("for none");
    expect(standingOf([entry(0, 8, 4), entry(1, 4, 4)], { ...part, shortfall: null })).toBe("for all");
    // What is left can move the factor from 2 by no more than a hundredth of its range.
    const almost = { ...part, share: 0.99 };
    expect(standingOf([entry(0, 800, 400), entry(1, 4, 4)], almost)).toBe("for all");
    const many = Array.from({ length: 400 }, (_, index) => entry(index, index % 2 === 0 ? 100 : 104, 100));
    expect(standingOf(many, part)).toBe("for all");
    const scattered = Array.from({ length: 20 }, (_, index) => entry(index, 100 + 100 * (index % 2), 100));
    expect(standingOf(scattered, part)).toBe("for none");
  });

  it("lies between the same bounds where it does so in all warps that were seen", () => {
    const part: Coverage = { isGridKnown: false, shortfall: shortfall(6, 32), share: 6 / 32 };
    expect(standingOf([bounded(0, 4, 5), bounded(1, 4, 5)], part)).toBe("for all");
    expect(standingOf([bounded(0, 4, 5), bounded(1, 4, 8)], part)).toBe("for none");
    expect(standingOf([bounded(0, 4, 5), entry(1, 4, 4)], part)).toBe("for none");
  });

  it("says nothing of partial warps that were seen here and there", () => {
    const part: Coverage = { isGridKnown: true, shortfall: shortfall(1, 100), share: 0.01 };
    const partial = [0, 1].map((region) => entry(region, 3, 3, 24));
    expect(standingOf(partial, part)).toBe("for none");
    // But one word costs the same, whichever lanes take part.
    expect(
      standingOf(
        partial.map((each) => ({ ...each, lanesAtOne: 0xffffff })),
        part,
      ),
    ).toBe("for all");
    // Lanes that came by themselves were at one place each: others may go elsewhere.
    const single = [0, 1].map((region) => ({ ...entry(region, 1, 1, 1), lanesAtOne: 1 << region }));
    expect(standingOf(single, part)).toBe("for none");
  });

  it("lists what no warp came to", async () => {
    const kernel = `void k(float *x, const int *p) {
      __shared__ float s[64];
      float sum = 0;
      for (int i = 0; i < 100000; i++) { int j = (i * i) % 977; if (j & 1) sum += x[j * 3 + threadIdx.x]; }
      s[threadIdx.x] = sum;
      atomicAdd(&x[0], s[31 - threadIdx.x]);
    }`;
    const accesses = await accessesOf(kernel, 400);
    const behind = accesses.filter(({ operation, space }) => operation === "store" || space === "shared");
    expect(behind.length).toBeGreaterThanOrEqual(2);
    for (const { verdict } of behind)
      expect(verdict).toMatchObject({ kind: "unknown", reason: expect.stringContaining("budget") });
    expect(accesses.some(({ operation }) => operation === "atomic")).toBe(true);
  });

  it("knows all of what stands before the statement that tells its warps apart", async () => {
    const text = `// warplint: launch(block=256, grid=64)
    __global__ void k(float *x) {
      int i = blockIdx.x * 256 + threadIdx.x;
      int w = i / 32;
      float before = x[i * 2];
      float apart = x[(w * w % 97) * 32 + threadIdx.x % 32 * (w * w % 31)];
      x[i * 3] = before + apart;
    }`;
    const { accesses, seen } = evaluateLaunch(...(await firstLaunchOf(text)), {
      stepLimit: 3000,
      sweeps: "all",
    });
    expect(seen).not.toBe("all");
    const [before, apart, behind] = ["x[i * 2]", "x[(w * w", "x[i * 3]"].map((name) =>
      accesses.find(({ expression }) => expression.startsWith(name)),
    );
    expect(before?.verdict.kind).toBe("exact");
    expect(before?.totals).toEqual({ cost: 512 * 8, ideal: 512 * 4 });
    expect(apart?.totals).toBe(null);
    expect(behind?.verdict.kind).toBe("conditional");
  });

  it("evaluates what is staged for the loops that take the budget without those", async () => {
    const kernel = `void k(float *x) {
      __shared__ float s[256];
      for (int i = 0; i < 2; i++) s[(threadIdx.x + 32 * i) * 4] = x[(threadIdx.x + 32 * i) * 7];
      __syncthreads();
      float sum = 0;
      for (int i = 0; i < 100000; i++) { int j = (i * i) % 977; if (j & 1) sum += s[j % 256]; }
      x[threadIdx.x] = sum;
    }`;
    const accesses = await accessesOf(kernel, 20_000);
    const staged = accesses.filter(({ expression }) => expression.includes("32 * i"));
    expect(staged.map(({ verdict }) => verdict.kind)).toEqual(["exact", "exact"]);
    expect(staged.map(({ totals }) => totals)).toEqual([
      { cost: 56, ideal: 8 },
      { cost: 8, ideal: 2 },
    ]);
    expect(accesses.every(({ verdict }) => verdict.kind === "exact")).toBe(false);
  });

  it("takes the trips of long loops as one, to come to what stands behind them", async () => {
    const kernel = `void k(float *x) {
      __shared__ float s[32];
      int j = threadIdx.x;
      for (int i = 0; i < 1000; i++) { j = (j * 5 + 1) % 31; x[j * 32] = 1; }
      s[threadIdx.x] = 0;
      x[threadIdx.x * 8] = s[31 - threadIdx.x];
    }`;
    const accesses = await accessesOf(kernel, 4000);
    const behind = accesses.find(({ expression }) => expression === "x[threadIdx.x * 8]");
    expect(behind?.verdict.kind).toBe("conditional");
    expect(behind?.perRequest?.least).toEqual({ cost: 32, ideal: 4 });
  });

  it("knows of trips that it takes as one that none comes behind the last", async () => {
    const kernel = `void k(float *x) {
      __shared__ float s[64];
      int j = threadIdx.x;
      for (int tile = 0; tile < 16; tile++) {
        if (tile * 32 + threadIdx.x < 512) s[threadIdx.x] = 1;
        else s[threadIdx.x * 2] = 0;
        for (int i = 0; i < 300; i++) { j = (j * 5 + 1) % 31; x[j * 32] = 1; }
      }
      x[threadIdx.x] = s[31 - threadIdx.x];
    }`;
    for (const stepLimit of [400, 4000, 40_000]) {
      const accesses = await accessesOf(kernel, stepLimit);
      const never = accesses.filter(({ expression }) => expression === "s[threadIdx.x * 2]");
      expect(never.filter(({ perRequest }) => perRequest !== null)).toEqual([]);
    }
  });
});

describe("the sweeps of a launch", () => {
  /** Each of 32 warps takes its own way through a long loop; a quarter of its lanes then makes stores of stride two. */
  const unlikeWarps = `// warplint: launch(block=1024, grid=1)
    __global__ void k(float *x) {
      __shared__ float s[64];
      int j = threadIdx.x;
      for (int i = 0; i < 300; i++) { j = (j * 5 + threadIdx.x / 32) % 31; x[j * 32] = 1; }
      if (threadIdx.x % 32 < 8) s[threadIdx.x % 32 * 8] = 0;
    }`;
  const storeWithin = async (options: EvaluationOptions) => {
    const { accesses, steps } = evaluateLaunch(...(await firstLaunchOf(unlikeWarps)), options);
    return { store: accesses.find(({ space }) => space === "shared"), steps };
  };
  const perRequest = { least: { cost: 2, ideal: 1 }, most: { cost: 2, ideal: 1 } };

  it("tell by the coarse one what the precise one saw in too few warps", async () => {
    const whole = await storeWithin({ stepLimit: 10_000_000, sweeps: "all" });
    expect(whole.store).toMatchObject({ perRequest, totals: { cost: 64, ideal: 32 } });
    const { store } = await storeWithin({ stepLimit: whole.steps / 10, sweeps: "all" });
    expect(store).toMatchObject({ perRequest, totals: null, verdict: { kind: "conditional" } });
  });

  it("know of one place what it costs, however few warps were seen", async () => {
    const loop = "for (int i = 0; i < 40; i++) { j = (j * 5 + threadIdx.x / 32) % 31; x[j * 32] = 1; }";
    const kernel = `// warplint: launch(block=1024, grid=1)
      __global__ void k(float *x, int *n) {
        __shared__ int word, words[64];
        int j = threadIdx.x;
        ${loop.repeat(30)}
        if (threadIdx.x % 32 < 3) { word = j; words[threadIdx.x % 32 + 8] = j; atomicAdd(n, 1); n[threadIdx.x % 32 + 8] = j; }
      }`;
    const [program, launch] = await firstLaunchOf(kernel);
    const { steps } = evaluateLaunch(program, launch, { stepLimit: 50_000_000, sweeps: "all" });
    const ofTwoWarps = (2.5 * steps) / 32;
    const { accesses } = evaluateLaunch(program, launch, { stepLimit: ofTwoWarps, sweeps: "all" });
    const kindOf = (text: string) => accesses.find(({ expression }) => expression === text)?.verdict.kind;
    expect(kindOf("word")).toBe("conditional");
    expect(kindOf("words[threadIdx.x % 32 + 8]")).toBe("unknown");
    expect(kindOf("atomicAdd(n, 1)")).toBe("conditional");
    expect(kindOf("n[threadIdx.x % 32 + 8]")).toBe("unknown");
  });

  it("are coarse from the start where that is asked, and take less", async () => {
    const precise = await storeWithin({ stepLimit: 10_000_000, sweeps: "all" });
    const coarse = await storeWithin({ stepLimit: precise.steps / 4, sweeps: "coarse" });
    expect(coarse.store).toMatchObject({ perRequest, totals: null, verdict: { kind: "conditional" } });
    expect(coarse.steps).toBeLessThan(precise.steps / 4);
  });

  it("end with a sample of the warps where the budget will not do for all and the sample says what more would", async () => {
    const kernel = `// warplint: launch(block=1024, grid=1)
      __global__ void k(float *x) {
        int j = threadIdx.x;
        for (int i = 0; i < 40; i++) { j = (j * 5 + threadIdx.x / 32) % 31; x[j] = 1; }
      }`;
    const [program, launch] = await firstLaunchOf(kernel);
    const whole = evaluateLaunch(program, launch, { stepLimit: 50_000_000, sweeps: "all" });
    expect(whole.seen).toBe("all");
    const stepLimit = whole.steps / 2;
    const sample = evaluateLaunch(program, launch, { stepLimit, sweeps: "all" });
    expect(sample).toMatchObject({ seen: "sample", isCut: false });
    expect(sample.steps).toBeLessThan(stepLimit / 2);
    expect(sample.accesses[0]).toMatchObject({
      perRequest: { least: { cost: 4, ideal: 4 }, most: { cost: 4, ideal: 4 } },
      totals: null,
      verdict: { kind: "conditional" },
    });
    // What the budget does for is evaluated to its end.
    const enough = evaluateLaunch(program, launch, { stepLimit: whole.steps * 1.4, sweeps: "all" });
    expect(enough).toMatchObject({ seen: "all", steps: whole.steps });
  });

  it("end with the same under more steps where the precise one came to its end, and only there", () => {
    const options = { stepLimit: 1000, sweeps: "all" } as const;
    expect(isPreciseWithin({ steps: 749, seen: "all" }, options)).toBe(true);
    expect(isPreciseWithin({ steps: 750, seen: "all" }, options)).toBe(false);
    expect(isPreciseWithin({ steps: 749, seen: "sample" }, options)).toBe(false);
    expect(isPreciseWithin({ steps: 10, seen: "all" }, { stepLimit: 1000, sweeps: "coarse" })).toBe(false);
  });

  it("says no figure of whole warps where lanes leave a long loop one after the other", async () => {
    const storeIn = async (loops: string) => {
      const kernel = `void k(float *x, const float *y) { int t = threadIdx.x * 20, at = 0; ${loops} }`;
      const accesses = await accessesOf(kernel, 20_000);
      return accesses.find(({ expression }) => expression === "x[t * 64 + j]");
    };
    const triangle = await storeIn(
      "for (int i = 0; i <= t; i++) for (int j = 0; j <= t; j++) x[t * 64 + j] = y[i];",
    );
    expect(triangle?.verdict.kind).toBe("unknown");
    // Lanes that make one trip more in a thousand change nothing that can be seen.
    const tail = await storeIn(
      "for (int j = threadIdx.x; j < 64017; j += 32) { at = (at * 5 + j) % 97; x[t * 64 + j] = y[at * t]; }",
    );
    expect(tail?.verdict.kind).toBe("conditional");
    expect(tail?.perRequest?.most).toEqual({ cost: 32, ideal: 4 });
  });
});

describe("a loop that lanes leave when the data say", () => {
  const probing = (exit: string) => `void k(unsigned *keys, unsigned *counts, int n) {
      unsigned slot = keys[threadIdx.x] & 255;
      while (true) {
        unsigned before = atomicCAS(&keys[slot], 0u, slot);
        if (before == 0) { atomicAdd(&counts[slot], 1u); ${exit}; }
        slot = (slot + 1) & 255;
      }
    }`;
  const steps = async (exit: string) => (await profileOf(probing(exit), 1_000_000)).steps;

  it("is soon taken as one trip, whether they break or return", async () => {
    expect(await steps("return")).toBeLessThan(2 * (await steps("break")));
  });
});

describe("values that no access hangs on", () => {
  const steps = async (kernel: string) => (await profileOf(kernel, 1_000_000)).steps;

  it("are not worked out, however many they are", async () => {
    const product = (sums: number) => `void k(float *x, const float *a, const float *b, int n) {
      float sum[${sums}] = {};
      for (int i = 0; i < 16; i++) {
        float p = a[i * 32 + threadIdx.x], q = b[i * 32 + threadIdx.x];
        for (int j = 0; j < ${sums}; j++) sum[j] += p * q * j;
      }
      float total = 0;
      for (int j = 0; j < ${sums}; j++) if (sum[j] > total) total = sum[j];
      x[threadIdx.x] = total;
    }`;
    expect(await steps(product(64))).toBe(await steps(product(2)));
  });

  it("are worked out where they reach an address, whatever way they take", async () => {
    const ways = [
      "int s = 0; for (int i = 0; i < 3; i++) s += i * 2; x[s + threadIdx.x] = 1;",
      "int a[3]; a[threadIdx.x & 1] = 6; a[1 - (threadIdx.x & 1)] = 6; x[a[0] + threadIdx.x] = 1;",
      "int s = 1; int *p = &s; *p = 6; x[s + threadIdx.x] = 1;",
      "int s = 1; int *p = &s; p[0] += 5; x[*p + threadIdx.x] = 1;",
      "int s, t = 3; int *p = threadIdx.y ? &s : &t; *p = 6; x[t + threadIdx.x] = 1;",
      "int s = 1; if (n > 0) { if (threadIdx.y == 0) s = 6; } x[s + threadIdx.x] = 1;",
      "int s = 0; while (s < 6) s += 1; x[s + threadIdx.x] = 1;",
      "float f = 1.5f; f = f * 4; x[(int)f + threadIdx.x] = 1;",
      "int s = 1, t; t = (s = 6) + 1; x[s + threadIdx.x] = t;",
      "struct { int a, b; } r = {1, 2}; r.b = 6; x[r.b + threadIdx.x] = 1;",
    ];
    for (const way of ways) {
      const { accesses } = await profileOf(`void k(float *x, int n) { ${way} }`, 100_000);
      const store = accesses.find(({ operation }) => operation === "store");
      expect([way, store?.verdict.kind, store?.totals]).toEqual([way, "exact", { cost: 5, ideal: 4 }]);
    }
  });

  it("still have their accesses counted", async () => {
    const { accesses } = await profileOf(
      "void k(float *x, const float *a, int n) { float unused = n > 0 ? a[threadIdx.x * 2] : a[threadIdx.x]; atomicAdd(x, 1.0f); }",
      100_000,
    );
    const loads = accesses.filter(({ operation }) => operation === "load");
    expect(loads.map(({ totals }) => totals)).toEqual([{ cost: 8, ideal: 4 }]);
  });
});

describe("loops of alike trips", () => {
  it("fold where a trip writes variables anew, and keep what the last one wrote", async () => {
    const kernel = `void k(float *x, const float *y, int *where) {
      int best = 0; int at = 0; float most = 0;
      for (int i = 0; i < 3000; i++) {
        at = (i ^ 5) & 31;
        float v = y[i * 32 + threadIdx.x];
        if (v > most) { most = v; best = i; }
      }
      x[at * 3 + threadIdx.x] = most;
      where[threadIdx.x] = best;
    }`;
    const accesses = await accessesOf(kernel, 30_000);
    const load = accesses.find(({ operation }) => operation === "load");
    expect(load?.verdict.kind).toBe("exact");
    expect(load?.totals).toEqual({ cost: 3000 * 4, ideal: 3000 * 4 });
    const store = accesses.find(({ expression }) => expression === "x[at * 3 + threadIdx.x]");
    // (2999 ^ 5) & 31 = 18: 54 floats from the start, two floats before a boundary of 32 bytes.
    expect(store?.totals).toEqual({ cost: 5, ideal: 4 });
    expect(store?.verdict.kind).toBe("exact");
  });
});

describe("a loop that comes again and again", () => {
  const stepsOf = async (kernel: string): Promise<number> => (await profileOf(kernel, 10_000_000)).steps;

  it("is folded each time where it grows from one time to the next", async () => {
    const triangle = (rows: number) =>
      `void k(float* x, const float* y) { int at = threadIdx.x; for (int i = 0; i < ${rows}; i++) {
        at = (at * 5 + i) % 97; for (int j = 0; j <= i; j++) x[at * 4096 + j] = y[j]; } }`;
    expect(await stepsOf(triangle(400))).toBeLessThan(2.2 * (await stepsOf(triangle(200))));
  });

  it("is folded where it is rehearsed for the sake of a loop around it", async () => {
    const walk = (columns: number) =>
      `void k(float* x) { int at = threadIdx.x; for (int i = 0; i < 40; i++) {
        for (int j = 0; j < ${columns}; j++) { x[at] = 1; at += 32; } x[at] = 2; } }`;
    expect(await stepsOf(walk(2000))).toBeLessThan(1.5 * (await stepsOf(walk(50))));
  });
});

describe("loops within loops, whose trips data decide", () => {
  /** Each with a head that is worked out in a statement of its own: `while (true) { if (…) break; … }`. */
  const nested = (depth: number, body: string): string =>
    depth === 0
      ? body
      : `while (true) { int v${depth} = d[at + ${depth}]; if (v${depth} > at) break; at += v${depth}; ${nested(depth - 1, body)} }`;

  it("are met a few times for each loop around them, not once for each of its first trips", async () => {
    const kernel = (depth: number) =>
      launchOf(
        `void k(float* x, const int* d) { int at = 0; ${nested(depth, "x[threadIdx.x * 2] = at;")} x[threadIdx.x] = 1; }`,
      );
    const steps = async (depth: number) => {
      const [program, launch] = await kernel(depth);
      return evaluateLaunch(program, launch, { stepLimit: 50_000_000, sweeps: "all" }).steps;
    };
    expect(await steps(6)).toBeLessThan(3 ** 3 * (await steps(3)));
    const [program, launch] = await kernel(7);
    const { accesses } = evaluateLaunch(program, launch);
    const stores = accesses.filter(({ operation }) => operation === "store");
    expect(stores.map(({ verdict }) => verdict.kind)).toEqual(["exact", "exact"]);
  });

  it("are each taken as one trip in the end, where data decide in all of them who goes on", async () => {
    const search = (count: string, body: string) =>
      `for (int ${count} = 0; ${count} < 60; ${count}++) { if (d[${count} * 9 + found] == 1) { ${body} found += d[${count}]; } }`;
    const sums = "a b c".split(" ").map((name) => search(name, `sum += d[${name} * 3 + found];`));
    const kernel = `void k(float* x, const int* d) {
      int found = 0, sum = 0;
      ${search("i", search("j", search("l", search("m", `${sums.join(" ")} if (sum > 9) { found = 0; break; } x[threadIdx.x * 2] = sum;`))))}
      x[threadIdx.x] = sum;
    }`;
    const stores = (await accessesOf(kernel, 400_000)).filter(({ operation }) => operation === "store");
    expect(stores.map(({ verdict }) => verdict.kind)).toEqual(["conditional", "conditional"]);
    expect(stores.map(({ perRequest }) => perRequest?.most)).toEqual([
      { cost: 8, ideal: 4 },
      { cost: 4, ideal: 4 },
    ]);
  });
});

describe("a rehearsed trip", () => {
  const stepsOf = async (kernel: string): Promise<number> => (await profileOf(kernel, 1_000_000)).steps;
  /** The only store whose address hangs on `at`. */
  const storeAt = async (kernel: string) =>
    (await accessesOf(kernel, 100_000)).find(({ expression }) => expression === "x[at * threadIdx.x]");

  it("passes by what leaves nothing in variables", async () => {
    const stores = Array.from({ length: 100 }, (_, index) => `x[threadIdx.x + ${32 * index}] = 1;`).join(" ");
    const once = await stepsOf(`void k(float* x, const int* d) { ${stores} }`);
    const looped = await stepsOf(
      `void k(float* x, const int* d) { for (int i = 0; i < d[0]; i++) { ${stores} } }`,
    );
    expect(looped).toBeLessThan(1.2 * once);
  });

  it("sees what a callee writes", async () => {
    const kernel =
      "void k(float* x, const int* d) { int at = 1; auto bump = [&] { at += 2; }; while (d[at]) bump(); x[at * threadIdx.x] = 1; }";
    expect((await storeAt(kernel))?.verdict.kind).toBe("unknown");
  });

  it("takes a variable for unchanged that each trip leaves as it was before the loop", async () => {
    const kernel =
      "void k(float* x, const int* d) { int at = 2; for (int i = 0; i < d[0]; i++) { x[at * threadIdx.x] = 1; at = i; at = 2; } }";
    const store = await storeAt(kernel);
    expect(store?.perRequest).toEqual({ least: { cost: 8, ideal: 4 }, most: { cost: 8, ideal: 4 } });
  });
});

describe("lanes that an unknown pitch keeps apart", () => {
  it("are searched for the same figures once, however often they come", async () => {
    const kernel = (count: number) =>
      `void k(float* x, const int* d, int pitch) { ${Array.from({ length: count }, (_, index) => `x[threadIdx.x * pitch + ${8 * index}] = 1;`).join(" ")} }`;
    const few = await profileOf(kernel(2), 1_000_000);
    const many = await profileOf(kernel(40), 1_000_000);
    expect(many.steps - few.steps).toBeLessThan((38 * few.steps) / 4);
    const figures = many.accesses.map(({ perRequest }) => perRequest?.least);
    expect(figures).toEqual(Array(40).fill({ cost: 32, ideal: 4 }));
  });
});

describe("a long evaluation", () => {
  // One warp, whose trips are unlike each other: one region, and no loop of it is folded.
  const kernel = `void k(float* out, const float* in) {
    int at = threadIdx.x;
    for (int i = 0; i < 40; i++)
      for (int j = 0; j < 40; j++) {
        at = (at * 5 + i) % 97;
        if (at > 40 + j) out[at * 32 + j] = in[at];
      }
  }`;

  it("may be stopped every few milliseconds, in loops and in branches", async () => {
    const [program, launch] = await launchOf(kernel);
    const steps = evaluatorOf(program)(launch, { stepLimit: 1_000_000, sweeps: "all" });
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses++;
    expect(step.value.steps).toBeGreaterThan(30_000);
    expect(pauses).toBeGreaterThan(step.value.steps / 2000);
    expect(step.value).toEqual(evaluateLaunch(program, launch, { stepLimit: 1_000_000, sweeps: "all" }));
  });
});

/** A measured access of one region. */
/** Of whole warps that cost between so many sectors, where 4 would do. */
function bounded(region: number, least: number, most: number): LogEntry {
  const ideal = 4;
  return {
    ...entry(region, least, ideal),
    measurement: {
      kind: "bounded",
      least: { cost: least, ideal },
      most: { cost: most, ideal },
      lanes: 32,
      sampleAddresses: [],
      conditions: [],
      pitches: [],
      byPitch: null,
      leastMisaligned: 0,
      dataReason: null,
      placeReason: null,
    },
  };
}

function entry(region: number, cost: number, ideal: number, lanes = 32): LogEntry {
  const figure = { cost, ideal };
  return {
    access: {
      site: {
        range: { file: "", start: 0, end: 0 },
        expression: "",
        isVolatile: false,
        merged: [],
      },
      path: { id: 0, range: null, caller: null },
      operation: "load",
      variant: "load",
      bytes: 4,
      piece: 0,
      space: "global",
    },
    object: null,
    region,
    measurement: {
      kind: "measured",
      ...figure,
      weight: 1,
      lanes,
      worst: figure,
      worstAddresses: [],
      worstPartners: null,
      isUniform: true,
      misalignedLanes: 0,
      misalignedWeight: 0,
    },
    times: 1,
    uncounted: null,
    decision: null,
    isSwap: false,
    lanesAtOne: 0,
    assumptions: [],
    condition: null,
    columns: null,
    leavesArray: false,
    movedBytes: 0,
    laneStride: null,
    warp: null,
    block: null,
  };
}

async function accessesOf(kernel: string, stepLimit: number): Promise<readonly AccessProfile[]> {
  return (await profileOf(kernel, stepLimit)).accesses;
}

async function profileOf(kernel: string, stepLimit: number): Promise<LaunchProfile> {
  return evaluateLaunch(...(await launchOf(kernel)), { stepLimit, sweeps: "all" });
}

async function launchOf(kernel: string): Promise<[Program, Launch]> {
  const size = kernel.includes("int n") ? ", n=7" : "";
  return firstLaunchOf(`// warplint: launch(block=32, grid=1${size})\n__global__ ${kernel}\n`);
}

async function firstLaunchOf(text: string): Promise<[Program, Launch]> {
  const unit = await readText(text);
  const program = lowerProgram(unit, { prelude: await testPrelude() });
  const launch = launchesOf(program).kernels[0]?.launches[0];
  if (!launch) throw new Error("no launch");
  return [program, launch];
}
