// Tensor-core, inline PTX and copying accesses of fixtures/tensor against what the GPU executed: every unit as the GPU has it, or unknown
// where its figure hangs on what registers happen to hold.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  agreeing,
  measurePrograms,
  outcomeName,
  type ProgramResult,
  programsOf,
} from "../support/programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const programs = join(root, "fixtures/tensor");
/** What differs, and why; one that agrees must leave the list. */
const knownGaps: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
// A build of its own: test files run side by side.
const folder = mkdtempSync(join(tmpdir(), "warplint-tensor-"));
let results: ReadonlyMap<string, ProgramResult> = new Map();

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), join(folder, "dist")], {
    stdio: "inherit",
  });
  const measured = measurePrograms(join(folder, "dist/cli.cjs"), programs);
  results = new Map(measured.map((result) => [result.program, result]));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("tensor-core and PTX accesses against the GPU", () => {
  it.each(programsOf(programs))("%s", (program) => {
    const outcomes = results.get(program)?.outcomes ?? [];
    expect(outcomes.length).toBeGreaterThan(5);
    const isMasked = program === "masked.cu";
    const differing = outcomes.filter(({ kind }) => !agreeing.has(kind) && !(isMasked && kind === "unknown"));
    expect(differing.map((outcome) => `${outcome.kind}: ${outcomeName(outcome)}`)).toEqual(
      Object.keys(knownGaps[program] ?? {}),
    );
  });
});
