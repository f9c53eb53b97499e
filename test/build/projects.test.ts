// What `warplint config` says of every source of fixtures/projects against what the real build passed to its compilers (scripts/record-builds.py).
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";
import { copyProject } from "../support/projects.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "fixtures/projects");

/** Projects that nothing builds but a command in somebody's head. */
const withoutBuild: ReadonlySet<string> = new Set(["histogram_plain"]);

/** Where the reader and the real build differ, and why; one that agrees must leave the list. */
const knownGaps: Readonly<Record<string, string>> = {};

interface Compilation {
  readonly source: string;
  readonly compiler: "nvcc" | "host";
  readonly defines: Readonly<Record<string, string>>;
  readonly includePaths: readonly (readonly [string, string])[];
  readonly forcedIncludes: readonly string[];
  readonly architectures: readonly number[];
}

interface ConfigOfFile {
  readonly defines: Readonly<Record<string, { readonly value: string | null }>>;
  readonly includePaths: readonly { readonly path: string; readonly kind: string }[];
  readonly forcedIncludes: readonly { readonly path: string }[];
  readonly architectures: readonly { readonly number: number }[];
  readonly contexts?: readonly ConfigOfFile[];
}

/** What is compared, of either side. Paths outside of the project are the machine's, and the standard is what the compiler at hand can do. */
interface Flags {
  readonly defines: Readonly<Record<string, string | null>>;
  readonly includePaths: readonly string[];
  readonly forcedIncludes: readonly string[];
  readonly architectures: readonly number[];
}

const isInside = (path: string) => !path.startsWith("/") && !path.startsWith("..");
const sorted = <T>(list: readonly T[]) =>
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

function recordedFlags(each: Compilation): Flags {
  return {
    defines: Object.fromEntries(sorted(Object.entries(each.defines))),
    includePaths: each.includePaths
      .filter(([path]) => isInside(path))
      .map(([path, kind]) => `${kind} ${path}`),
    forcedIncludes: each.forcedIncludes,
    architectures: each.architectures,
  };
}

function readFlags(each: ConfigOfFile): Flags {
  return {
    defines: Object.fromEntries(
      sorted(Object.entries(each.defines).map(([name, { value }]) => [name, value])),
    ),
    includePaths: each.includePaths
      .filter(({ path }) => isInside(path))
      .map(({ path, kind }) => `${kind} ${path}`),
    forcedIncludes: each.forcedIncludes.map(({ path }) => path),
    architectures: [...new Set(each.architectures.map(({ number }) => number))].sort((a, b) => a - b),
  };
}

const cli = builtCli();
const build = mkdtempSync(join(realpathSync(tmpdir()), "warplint-builds-"));
afterAll(() => rmSync(build, { recursive: true, force: true }));

function configOf(project: string, source: string): readonly Flags[] {
  const printed = execFileSync(process.execPath, [cli, "config", source, "--format", "json"], {
    cwd: project,
    encoding: "utf8",
  });
  const config = JSON.parse(printed) as ConfigOfFile;
  return sorted((config.contexts ?? [config]).map(readFlags));
}

describe("what the build passes to the compiler", () => {
  const projects = readdirSync(folder)
    .filter((name) => name.endsWith(".builds.json"))
    .map((name) => name.replace(".builds.json", ""))
    .filter((name) => !withoutBuild.has(name));

  it.each(projects)("%s", (name) => {
    const recorded = JSON.parse(readFileSync(join(folder, `${name}.builds.json`), "utf8")) as Compilation[];
    const copy = copyProject(join(folder, name), build);
    const differing: string[] = [];
    for (const source of new Set(recorded.map((each) => each.source))) {
      // What the build itself makes is not there before it has run.
      if (!existsSync(join(copy, source))) continue;
      const expected = sorted(recorded.filter((each) => each.source === source).map(recordedFlags));
      const distinct = [...new Set(expected.map((each) => JSON.stringify(each)))].map((each) =>
        JSON.parse(each),
      );
      const gap = knownGaps[`${name}/${source}`];
      if (gap === undefined) expect(configOf(copy, source), source).toEqual(distinct);
      else if (JSON.stringify(configOf(copy, source)) === JSON.stringify(distinct)) differing.push(source);
    }
    expect(differing, "gaps that have closed").toEqual([]);
  });
});
