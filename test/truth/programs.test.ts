import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";
import {
  exactMissesOf,
  measurePrograms,
  missesOf,
  type ProgramResult,
  programsOf,
} from "../support/programs.ts";

/** Totals that are right, which the GPU charges to another line: of the call, of CUDA's header, of the first of two merged loads. */
const chargedElsewhere: Readonly<Record<string, readonly string[]>> = {
  "fixtures/programs": [
    "async_rowsum.cu extra: row_mean_var block (128,1,1) grid (50,1,1) line 25 global async-copy",
    "async_rowsum.cu extra: row_mean_var block (128,1,1) grid (50,1,1) line 25 shared async-copy",
    "async_spellings.cu extra: byPipelinePrimitive block (64,1,1) grid (1,1,1) line 41 global async-copy",
    "async_spellings.cu extra: byPipelinePrimitive block (64,1,1) grid (1,1,1) line 41 shared async-copy",
    "warp_roles_async.cu extra: asyncRing block (64,1,1) grid (8,1,1) line 50 global async-copy",
    "warp_roles_async.cu extra: asyncRing block (64,1,1) grid (8,1,1) line 50 shared async-copy",
    "bonded_spread.cu extra: bonded_kernel_gpu<0,1> block (256,1,1) grid (2,1,1) line 126 global atomic",
    "small_factorisations.cu factor: sgetrf_batched_smallsq_noshfl_kernel<16> block (16,4,1) grid (6,1,1) line 72 shared load",
  ],
  "fixtures/forms": [
    "pointers_of_ways.cu factor: bothStore block (64,1,1) grid (2,1,1) line 66 global load",
    "waiting_lanes.cu extra: casLoop block (64,1,1) grid (2,1,1) line 6 global load",
    "waiting_lanes.cu extra: casLoopTwice block (64,1,1) grid (2,1,1) line 6 global load",
    "waiting_lanes.cu extra: casPrinted block (64,1,1) grid (2,1,1) line 6 global load",
  ],
};

const root = fileURLToPath(new URL("../..", import.meta.url));

describe.each(["fixtures/programs", "fixtures/forms"])("%s against the GPU", (name) => {
  const programs = join(root, name);
  const knownGaps = JSON.parse(readFileSync(join(programs, "known-gaps.json"), "utf8")) as Record<
    string,
    Record<string, string>
  >;
  let results: ReadonlyMap<string, ProgramResult> = new Map();

  beforeAll(() => {
    const measured = measurePrograms(builtCli(), programs);
    results = new Map(measured.map((result) => [result.program, result]));
  }, 600_000);

  it.each(programsOf(programs))("%s", (program) => {
    const result = results.get(program);
    expect(result?.outcomes.length).toBeGreaterThan(0);
    expect(result ? missesOf(result) : []).toEqual(Object.keys(knownGaps[program] ?? {}).sort());
  });

  it("gives a reason for every known gap, of programs that exist", () => {
    const names = new Set(programsOf(programs));
    for (const [program, gaps] of Object.entries(knownGaps)) {
      expect(names).toContain(program);
      for (const reason of Object.values(gaps)) expect(reason).toMatch(/\w+ \w+ \w+/);
    }
  });

  it("claims no total without condition that the GPU denies; those that it charges to another line are named here", () => {
    const claimed = [...results.values()].flatMap((result) =>
      exactMissesOf(result).map((miss) => `${result.program} ${miss}`),
    );
    expect(claimed.sort()).toEqual([...(chargedElsewhere[name] ?? [])].sort());
  });

  it("finds nothing in the programs that are clean", () => {
    const clean = [...results.values()].filter(({ program }) =>
      readFileSync(join(programs, program), "utf8").startsWith("// Clean: "),
    );
    for (const { findings } of clean) expect(findings).toEqual({ real: [], false: [], missed: [] });
    if (name === "fixtures/programs") expect(clean.length).toBeGreaterThan(10);
  });
});
