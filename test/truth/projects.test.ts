import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";
import { exactMissesOf, missesOf, type ProgramResult } from "../support/programs.ts";
import { measureProjects, projectsOf } from "../support/projects.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const projects = join(root, "fixtures/projects");
const knownGaps = JSON.parse(readFileSync(join(projects, "known-gaps.json"), "utf8")) as Record<
  string,
  Record<string, string>
>;

let results: ReadonlyMap<string, ProgramResult> = new Map();

beforeAll(() => {
  const measured = measureProjects(builtCli(), projects);
  results = new Map(measured.map((result) => [result.program, result]));
}, 600_000);

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
    expect(denied).toEqual([]);
  });
});
