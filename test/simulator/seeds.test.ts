// The seed kernels on the simulator: their totals are the GPU's, line by line, and what they compute is a transpose.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import type { Program } from "../../server/src/ir/function.ts";
import type { HostValue, Launch } from "../../server/src/launches/launch.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { type AccessTotal, createCounter } from "../../server/src/simulator/counter.ts";
import { simulate } from "../../server/src/simulator/simulate.ts";
import { lineStarts, positionAt } from "../../server/src/text/source.ts";
import { readText } from "../support/parser.ts";
import type { TruthRow, TruthSite } from "../support/truth.ts";

interface SeedLaunch {
  /** Values of the parameters that are no pointers, in order. */
  readonly sizes: readonly number[];
  readonly inputRows: number;
  readonly inputColumns: number;
  /** Whether the first pointer is the result. */
  readonly isOutputFirst: boolean;
}

// As each file's main has them.
const launches: Readonly<Record<string, SeedLaunch>> = {
  "seed0_mat_trans.cu": { sizes: [512, 1024], inputRows: 512, inputColumns: 1024, isOutputFirst: true },
  "seed1_matrix_trans.cu": { sizes: [1024], inputRows: 1024, inputColumns: 1024, isOutputFirst: false },
  "seed2_mat_transpose.cu": {
    sizes: [1000, 2048],
    inputRows: 1000,
    inputColumns: 2048,
    isOutputFirst: false,
  },
  "seed3_float4.cu": { sizes: [512, 2048], inputRows: 512, inputColumns: 2048, isOutputFirst: true },
  "seed3_naive.cu": { sizes: [2048, 512], inputRows: 512, inputColumns: 2048, isOutputFirst: true },
  "seed3_padding.cu": { sizes: [4096, 4096], inputRows: 4096, inputColumns: 4096, isOutputFirst: true },
  "seed4_transpose.cu": { sizes: [1024, 2048], inputRows: 2048, inputColumns: 1024, isOutputFirst: true },
};

const truth = readFileSync("fixtures/seeds/truth.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as TruthRow);

function nameOf(row: TruthRow): string {
  return row.kernel.replace(/^void /, "").replace(/[<(].*$/, "");
}

function templateArgumentsOf(row: TruthRow): readonly string[] {
  const listed = /<(.*)>\(/.exec(row.kernel)?.[1];
  return listed === undefined ? [] : listed.split(", ").map((one) => one.replace(/^\([a-z ]+\)/, ""));
}

function launchOf(program: Program, row: TruthRow, seed: SeedLaunch): Launch {
  const declaration = program.kernels.find((kernel) => kernel.name === nameOf(row));
  const kernel = declaration && program.instantiateKernel(declaration, templateArgumentsOf(row));
  if (!kernel) throw new Error(`no kernel ${row.kernel}`);
  const elementBytes = row.kernel.includes("<double>") ? 8 : 4;
  const pointer = (id: number): HostValue => ({
    kind: "pointer",
    allocation: {
      id,
      name: `buffer ${id}`,
      sizeBytes: seed.inputRows * seed.inputColumns * elementBytes,
      alignmentBytes: 256,
    },
    offsetBytes: 0,
  });
  const [x = 1, y = 1, z = 1] = row.grid;
  const [width = 1, height = 1, depth = 1] = row.block;
  return {
    kernel,
    grid: [x, y, z],
    block: [width, height, depth],
    sharedBytes: 0,
    arguments: [pointer(1), pointer(2), ...seed.sizes.map((value): HostValue => ({ kind: "scalar", value }))],
    count: 1,
    origin: { kind: "launch", path: [] },
    assumptions: [],
  };
}

/** Requests with an active lane are not what `inst` counts: costs are compared, summed over a line, space and operation. */
function sums(entries: readonly (readonly [string, number, number])[]): Record<string, readonly number[]> {
  const result: Record<string, readonly number[]> = {};
  for (const [key, cost, ideal] of entries) {
    const [before = 0, idealBefore = 0] = result[key] ?? [];
    result[key] = [before + cost, idealBefore + ideal];
  }
  return Object.fromEntries(Object.entries(result).sort());
}

function measuredSums(sites: readonly TruthSite[]) {
  return sums(
    sites.map((site) => [
      `${site.line} ${site.wavefronts === undefined ? "global" : "shared"} ${site.sass.startsWith("ST") ? "store" : "load"}`,
      site.wavefronts ?? site.sectors ?? 0,
      site.ideal_wavefronts ?? site.ideal_sectors ?? 0,
    ]),
  );
}

function countedSums(totals: readonly AccessTotal[], starts: readonly number[]) {
  return sums(
    totals
      .filter((total) => total.space === "global" || total.space === "shared")
      .map((total) => [
        `${positionAt(starts, total.site.range.start).line} ${total.space} ${total.operation}`,
        total.cost,
        total.ideal,
      ]),
  );
}

/** Blocks at the edge weigh more in a sample than in the grid. */
function expectLikeExcess(
  counted: Record<string, readonly number[]>,
  measured: Record<string, readonly number[]>,
): void {
  expect(Object.keys(counted)).toEqual(Object.keys(measured));
  for (const [key, [cost = 0, ideal = 1]] of Object.entries(measured)) {
    const [countedCost = 0, countedIdeal = 1] = counted[key] ?? [];
    expect(Math.abs(countedCost / countedIdeal / (cost / ideal) - 1), key).toBeLessThan(0.02);
  }
}

/** Grids of more warps are run in part, and compared by their excess. */
const mostWarps = 33_000;

function isTransposed(row: TruthRow, seed: SeedLaunch, from: Uint8Array, to: Uint8Array): boolean {
  const make = (bytes: Uint8Array) =>
    row.kernel.includes("<double>") ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
  const [input, output] = [make(from), make(to)];
  const { inputRows, inputColumns } = seed;
  for (let at = 0; at < input.length; at++) {
    const [r, c] = [Math.floor(at / inputColumns), at % inputColumns];
    if (output[c * inputRows + r] !== input[at]) return false;
  }
  return true;
}

describe.each(truth.map((row) => [`${row.case}: ${row.kernel} ${row.block}`, row] as const))(
  "%s",
  (_, row) => {
    it("costs what the GPU counted, and transposes", { timeout: 60_000 }, async () => {
      const text = readFileSync(`fixtures/seeds/${row.case}`, "utf8");
      const seed = launches[row.case];
      if (seed === undefined) throw new Error(row.case);
      const program = generateCode(lowerProgram(await readText(text)));
      const launch = launchOf(program, row, seed);
      const [x = 1, y = 1, z = 1] = row.grid;
      const warps = Math.ceil(((row.block[0] ?? 1) * (row.block[1] ?? 1)) / 32) * x * y * z;
      const isWhole = warps <= mostWarps;
      const counter = createCounter();
      const result = simulate(program, launch, {
        onRequest: counter.onRequest,
        ...(isWhole
          ? {}
          : {
              blocks: [
                [0, 0, 0],
                [5, 7, 0],
                [x - 1, y - 2, 0],
              ] as const,
            }),
      });
      expect(result).toMatchObject({ status: "complete", reasons: [], gaps: [], faults: [] });
      const counted = countedSums(counter.totals(), lineStarts(text));
      const measured = measuredSums(row.sites);
      if (!isWhole) {
        expectLikeExcess(counted, measured);
        return;
      }
      expect(counted).toEqual(measured);
      const [first, second] = [result.contentsOf(1), result.contentsOf(2)];
      if (first === null || second === null) throw new Error("no contents");
      expect(
        seed.isOutputFirst ? isTransposed(row, seed, second, first) : isTransposed(row, seed, first, second),
      ).toBe(true);
    });
  },
);

describe("seed 0 as its author wrote it", () => {
  it.each([
    ["kernel_mat_trans_fp32_4_shared", "FLOAT4(y["],
    ["kernel_mat_trans_fp32_4_shared_smc", "FLOAT4(tile[tidy][tidx*4])"],
  ])("%s stores vectors off their alignment", async (name, access) => {
    const file = "seed0_mat_trans.cu";
    const text = `#define AS_WRITTEN\n${readFileSync(`fixtures/seeds/${file}`, "utf8")}`;
    const row = truth.find((one) => one.case === file && nameOf(one) === name);
    const seed = launches[file];
    if (row === undefined || seed === undefined) throw new Error(name);
    const program = lowerProgram(await readText(text));
    const launch = launchOf(program, row, seed);
    const { faults } = simulate(program, launch, { blocks: [[0, 0, 0]] });
    const misaligned = faults.filter((fault) => fault.kind === "misaligned");
    expect(misaligned).toHaveLength(1);
    expect(text.slice(misaligned[0]?.range.start).startsWith(access)).toBe(true);
  });
});
