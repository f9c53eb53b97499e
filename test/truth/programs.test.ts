// Every program of fixtures/programs against what the GPU executed: each unit exact, each finding real, none missed. What differs stands in
// known-gaps.json with its reason, and must differ: a gap that closes fails the test until it leaves the list.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measurePrograms, missesOf, type ProgramResult, programsOf } from "../support/programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const programs = join(root, "fixtures/programs");
const knownGaps = JSON.parse(readFileSync(join(programs, "known-gaps.json"), "utf8")) as Record<
  string,
  Record<string, string>
>;
// A build of its own: test files run side by side.
const folder = mkdtempSync(join(tmpdir(), "warplint-programs-"));
let results: ReadonlyMap<string, ProgramResult> = new Map();

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), join(folder, "dist")], {
    stdio: "inherit",
  });
  const measured = measurePrograms(join(folder, "dist/cli.cjs"), programs);
  results = new Map(measured.map((result) => [result.program, result]));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the programs against the GPU", () => {
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

  it("finds nothing in the programs that are clean", () => {
    const clean = [...results.values()].filter(({ program }) =>
      readFileSync(join(programs, program), "utf8").startsWith("// Clean: "),
    );
    expect(clean.length).toBeGreaterThan(10);
    for (const { findings } of clean) expect(findings).toEqual({ real: [], false: [], missed: [] });
  });
});
