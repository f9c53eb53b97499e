// Where a dimension is split for a quotient to be known: by residues, or where the quotient changes.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import { splitProgression } from "../../server/src/evaluate/regions/region.ts";
import { allLanes, foldLanes, laneOf } from "../../server/src/evaluate/values/lanes.ts";
import { add, known, type Linear, scale, symbolic } from "../../server/src/evaluate/values/linear.ts";
import { quotientSplit } from "../../server/src/evaluate/values/split-points.ts";
import { createSymbolTable } from "../../server/src/evaluate/values/symbols.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { testPrelude } from "../lower/support.ts";
import { readText } from "../support/parser.ts";

const symbols = createSymbolTable();
const dimension = (count: number): Linear =>
  symbolic(
    symbols.create({ name: "blockIdx.x", role: "dimension", varies: false, least: 0, most: count - 1 }),
  );
const lanes = (first: number, step: number): Linear =>
  known(foldLanes(Array.from({ length: 32 }, (_, lane) => first + step * lane)));

function splitAt(form: Linear, divisor: number) {
  return quotientSplit(form, divisor, allLanes)?.at;
}

describe("a quotient of a folded dimension", () => {
  it("is split where it changes, if that is seldom", () => {
    expect(splitAt(dimension(4224), 1024)).toEqual({ kind: "starts", starts: [1024, 2048, 3072, 4096] });
    expect(splitAt(add(scale(dimension(100), 32), lanes(0, 1)), 2048)).toEqual({
      kind: "starts",
      starts: [64],
    });
    expect(splitAt(add(scale(dimension(10), -1), known(4)), 100)).toEqual({ kind: "starts", starts: [5] });
  });

  it("is split by residues, if those are fewer", () => {
    expect(splitAt(dimension(4224), 16)).toEqual({ kind: "modulo", period: 16 });
    expect(splitAt(add(scale(dimension(4096), 256), lanes(0, 1)), 1000)).toEqual({
      kind: "modulo",
      period: 125,
    });
  });

  it("is split by residues, if what else is in it has no bounds", () => {
    const data = symbolic(
      symbols.create({ name: "n", role: "data", varies: false, least: 0, most: Infinity, reason: "n" }),
    );
    expect(splitAt(add(dimension(4224), scale(data, 3)), 1024)).toEqual({ kind: "modulo", period: 1024 });
  });

  it("is split by residues, if what else is in it goes beyond the numbers that can be counted", () => {
    const data = symbolic(
      symbols.create({ name: "n", role: "data", varies: false, least: 0, most: 2 ** 63, reason: "n" }),
    );
    expect(splitAt(add(scale(dimension(4224), 2 ** 32), data), 2 ** 34)).toEqual({
      kind: "modulo",
      period: 4,
    });
    expect(splitAt(add(scale(dimension(4224), 8), data), 1024)).toEqual({ kind: "modulo", period: 128 });
  });

  it("is the same within each part, in every lane", () => {
    const numbers = fc.record({
      count: fc.integer({ min: 2, max: 300 }),
      coefficient: fc.integer({ min: -40, max: 40 }).filter((value) => value !== 0),
      first: fc.integer({ min: -100, max: 5000 }),
      step: fc.constantFrom(0, 1, 4, 33),
      divisor: fc.integer({ min: 2, max: 3000 }),
    });
    fc.assert(
      fc.property(numbers, ({ count, coefficient, first, step, divisor }) => {
        const at = splitAt(add(scale(dimension(count), coefficient), lanes(first, step)), divisor);
        if (at?.kind !== "starts") return;
        const parts = splitProgression({ start: 0, step: 1, count }, at);
        expect(parts.reduce((sum, part) => sum + part.count, 0)).toBe(count);
        for (const part of parts)
          for (let lane = 0; lane < 32; lane++) {
            const quotientAt = (value: number) =>
              Math.floor((coefficient * value + Number(laneOf(lanes(first, step).constant, lane))) / divisor);
            expect(part.count).toBeGreaterThan(0);
            expect(quotientAt(part.start + part.count - 1)).toBe(quotientAt(part.start));
          }
      }),
    );
  });
});

it("thousands of rows, told apart by a division, take a few regions", async () => {
  const unit = await readText(`// warplint: launch(block=64, grid=4224, rows=1024, columns=64)
__global__ void k(float* out, const float* in, int rows, int columns) {
  int batch = blockIdx.x / rows, row = blockIdx.x % rows;
  out[((batch * rows + row) * columns + threadIdx.x) * 2] = in[threadIdx.x];
}`);
  const program = lowerProgram(unit, { prelude: await testPrelude() });
  const launch = launchesOf(program).kernels[0]?.launches[0];
  if (!launch) throw new Error("no launch");
  const { accesses, steps } = evaluateLaunch(program, launch, { stepLimit: 100_000, sweeps: "all" });
  expect(steps).toBeLessThan(2000);
  // Two warps a block load 128 bytes each, and store to every second word of 256.
  expect(accesses.map(({ operation, totals }) => [operation, totals])).toEqual([
    ["load", { cost: 4224 * 2 * 4, ideal: 4224 * 2 * 4 }],
    ["store", { cost: 4224 * 2 * 8, ideal: 4224 * 2 * 4 }],
  ]);
});

it("what stands before a test that splits all blocks is recorded once", async () => {
  const profileOf = async (last: string) => {
    const unit = await readText(`// warplint: launch(block=32, grid=64)
__global__ void k(float* x, float* y) {
  int at = 0;
  for (int i = 0; i < 100; i++) { at = (at * 5 + i) % 31; y[at * 32 + threadIdx.x] = 1; }
  ${last}
}`);
    const program = lowerProgram(unit, { prelude: await testPrelude() });
    const launch = launchesOf(program).kernels[0]?.launches[0];
    if (!launch) throw new Error("no launch");
    return evaluateLaunch(program, launch, { stepLimit: 5_000_000, sweeps: "all" });
  };
  const alone = await profileOf("");
  const { accesses, steps } = await profileOf("if (threadIdx.x * 2 >= blockIdx.x) x[threadIdx.x] = 0;");
  expect(steps).toBeLessThan(alone.steps * 3);
  expect(accesses.map(({ verdict, requests, totals }) => [verdict.kind, requests, totals])).toEqual([
    ["exact", 6400, { cost: 25_600, ideal: 25_600 }],
    // Of blocks 2k - 1 and 2k the lanes from k on store, of block 63 none: 4 sectors less one for every eight lanes that do not.
    ["exact", 63, { cost: 4 + 14 * 4 + 16 * 3 + 16 * 2 + 16, ideal: 4 + 14 * 4 + 16 * 3 + 16 * 2 + 16 }],
  ]);
});
