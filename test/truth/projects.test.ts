// Every project of fixtures/projects, as its users have it, against what the GPU executed of its real build: each unit exact, each finding real,
// none missed. What differs stands in the folder's known-gaps.json with its reason, and must differ.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exactMissesOf, missesOf, type ProgramResult } from "../support/programs.ts";
import { measureProjects, projectsOf } from "../support/projects.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const projects = join(root, "fixtures/projects");
const knownGaps = JSON.parse(readFileSync(join(projects, "known-gaps.json"), "utf8")) as Record<
  string,
  Record<string, string>
>;

// A build of its own: test files run side by side.
const folder = mkdtempSync(join(tmpdir(), "warplint-projects-"));
let results: ReadonlyMap<string, ProgramResult> = new Map();

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), join(folder, "dist")], {
    stdio: "inherit",
  });
  const measured = measureProjects(join(folder, "dist/cli.cjs"), projects);
  results = new Map(measured.map((result) => [result.program, result]));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("projects against the GPU", () => {
  it.each(projectsOf(projects))("%s", (project) => {
    const result = results.get(project);
    expect(result?.outcomes.length).toBeGreaterThan(0);
    expect(result ? missesOf(result) : []).toEqual(Object.keys(knownGaps[project] ?? {}).sort());
  });

  it("have no finding that the GPU denies", () => {
    expect(
      [...results.values()].flatMap(({ program, findings }) =>
        findings.false.map((each) => `${program} ${each}`),
      ),
    ).toEqual([]);
  });

  it("have no total without condition that the GPU denies", () => {
    const denied = [...results.values()].flatMap((result) =>
      exactMissesOf(result).map((miss) => `${result.program} ${miss}`),
    );
    // One is known to be wrong: see known-gaps.json.
    expect(denied).toEqual([
      "mc_variants wrong: mean_kernel block (256,1,1) grid (8,1,1) src/pricer.cu:28 shared load",
    ]);
  });
});
