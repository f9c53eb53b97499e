import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";
import { measurePrograms, missesOf, type ProgramResult, programsOf } from "../support/programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const programs = join(root, "fixtures/linked");

/** What differs, and why; one that agrees must leave the list. */
const knownGaps: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "hexmesh.cu": {
    "wrong: sumOverNodes block (128,1,1) grid (18,1,1) line 19 global load":
      "lanes part in a loop that ptxas unrolls further: conditional, and says so",
  },
  "stencil.cu": {
    "unknown: inAnyOrder block (256,1,1) grid (10,1,1) line 24 global load": "the order is drawn at random",
  },
};

let results: ReadonlyMap<string, ProgramResult> = new Map();

beforeAll(() => {
  const measured = measurePrograms(builtCli(), programs);
  results = new Map(measured.map((result) => [result.program, result]));
}, 120_000);

describe("programs of several files against the GPU", () => {
  it.each(programsOf(programs))("%s", (program) => {
    const result = results.get(program);
    if (result === undefined) throw new Error("it was not measured");
    expect(missesOf(result)).toEqual(Object.keys(knownGaps[program] ?? {}).sort());
  });
});
