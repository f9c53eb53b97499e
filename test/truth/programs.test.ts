// Every program of fixtures/programs, and every form of fixtures/forms, against what the GPU executed: each unit exact, each finding real, none
// missed. What differs stands in the folder's known-gaps.json with its reason, and must differ: a gap that closes fails the test until it
// leaves the list.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  exactMissesOf,
  measurePrograms,
  missesOf,
  type ProgramResult,
  programsOf,
} from "../support/programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
// A build of its own: test files run side by side.
const build = mkdtempSync(join(tmpdir(), "warplint-programs-"));

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), join(build, "dist")], {
    stdio: "inherit",
  });
}, 600_000);
afterAll(() => rmSync(build, { recursive: true, force: true }));

describe.each(["fixtures/programs", "fixtures/forms"])("%s against the GPU", (name) => {
  const programs = join(root, name);
  const knownGaps = JSON.parse(readFileSync(join(programs, "known-gaps.json"), "utf8")) as Record<
    string,
    Record<string, string>
  >;
  let results: ReadonlyMap<string, ProgramResult> = new Map();

  beforeAll(() => {
    const measured = measurePrograms(join(build, "dist/cli.cjs"), programs);
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

  it("claims no total without condition that the GPU denies, unless it charges the access to another line", () => {
    for (const result of results.values())
      for (const miss of exactMissesOf(result))
        expect(`${result.program} ${miss}: ${knownGaps[result.program]?.[miss]}`).toMatch(/charge/);
  });

  it("finds nothing in the programs that are clean", () => {
    const clean = [...results.values()].filter(({ program }) =>
      readFileSync(join(programs, program), "utf8").startsWith("// Clean: "),
    );
    for (const { findings } of clean) expect(findings).toEqual({ real: [], false: [], missed: [] });
    if (name === "fixtures/programs") expect(clean.length).toBeGreaterThan(10);
  });
});
