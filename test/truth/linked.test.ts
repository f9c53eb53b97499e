// Programs of several files (fixtures/linked) against what the GPU executed, which was linked of all of them: the host's code is followed into
// the other file, and what it draws at random there is not known.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

// A build of its own: test files run side by side.
const folder = mkdtempSync(join(tmpdir(), "warplint-linked-"));
let results: ReadonlyMap<string, ProgramResult> = new Map();

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), join(folder, "dist")], {
    stdio: "inherit",
  });
  const measured = measurePrograms(join(folder, "dist/cli.cjs"), programs);
  results = new Map(measured.map((result) => [result.program, result]));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("programs of several files against the GPU", () => {
  it.each(programsOf(programs))("%s", (program) => {
    const result = results.get(program);
    if (result === undefined) throw new Error("it was not measured");
    expect(missesOf(result)).toEqual(Object.keys(knownGaps[program] ?? {}).sort());
  });
});
