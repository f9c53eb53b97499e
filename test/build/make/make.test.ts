// What is read of makefiles against what real make printed: `node test/build/make/record.mjs` renews the recordings.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readMake } from "../../../server/src/build/make/make.ts";
import { buildHost } from "../build-host.ts";
import { compareSources, sourcesOfDryRun } from "./dry-run.ts";
import { filesOf, projectsIn } from "./trees.mjs";

const text = readFileSync(fileURLToPath(new URL("projects.txt", import.meta.url)), "utf8");

describe("a makefile is read as make runs it", () => {
  it.each(projectsIn(text).map((project) => [project.name, project] as const))("%s", (_, project) => {
    const host = buildHost(
      Object.fromEntries(Object.entries(filesOf(project)).map(([path, content]) => [`/p/${path}`, content])),
    );
    const real = sourcesOfDryRun(host, project.recorded.replaceAll("@ROOT@", "/p"), "/p");
    const description = readMake(host, `/p/${project.makefile}`, "/p");
    expect(real.length).toBeGreaterThan(0);
    const compared = compareSources(description?.sources ?? [], real);
    expect(compared.filter(({ verdict }) => verdict !== "equal")).toEqual([]);
    expect(description?.sources.map(({ path }) => path).sort()).toEqual(real.map(({ path }) => path).sort());
  });
});
