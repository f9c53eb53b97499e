// The fixes of fixtures/fixes against what the GPU did before and after each of them: the same bytes came out, and every access costs what
// warplint says of the text as it was and of the text with the fix.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FixSearchResult } from "../../server/src/fixes/fix.ts";
import { builtCli } from "../support/built.ts";
import { searchedFixes } from "../support/fix-search.ts";
import { agreeing, outcomeName } from "../support/programs.ts";
import { type AnalysisLaunch, compareTruth, type TruthRow } from "../support/truth.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const fixtures = join(root, "fixtures/fixes");

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

interface Recorded {
  readonly output: readonly string[];
  readonly launches?: readonly TruthRow[];
  readonly error?: string;
}

/** A fix as scripts/record-fixes.mjs and .py wrote it. */
interface FixRow {
  readonly case: string;
  readonly file: string;
  readonly kind: string;
  readonly line: number | null;
  readonly title: string;
  readonly safety: string;
  readonly edits: readonly Edit[];
  readonly before: Recorded;
  readonly after: Recorded;
}

interface AnalysedFile {
  readonly path: string;
  readonly launches: readonly AnalysisLaunch[];
}

const rows = readFileSync(join(fixtures, "truth.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as FixRow);
const programs = readdirSync(fixtures).filter((name) => name.endsWith(".cu"));
const expectationOf = (name: string) =>
  /^\/\/ (expects[^\n]*)/.exec(readFileSync(join(fixtures, name), "utf8"))?.[1] ?? "";
const unfixed = programs.flatMap((name) => {
  const reason = /^expects no fix: (.+)$/.exec(expectationOf(name))?.[1];
  return reason === undefined ? [] : [[name, reason] as const];
});

const harness = readFileSync(join(fixtures, "harness.cuh"), "utf8");
/** Programs that were not recorded yet: they wait for a GPU. */
const unrecorded = new Set<string>([]);
/** What is not as the GPU has it today, with its reason. */
const knownDifferences: ReadonlyMap<string, string> = new Map([
  [
    "alias_cholesky",
    "a loop whose end is the lane's number: nvcc unrolls it, and lanes that left take part in other requests",
  ],
  [
    "block_base",
    "a loop over neighbours: the compiler may keep in a register what the iteration before stored, and does in most iterations",
  ],
  [
    "block_scratch",
    "a loop of 48 iterations through a row: whether nvcc writes them all out is left open, and is said",
  ],
  ["runs_filter", "a loop over neighbours, as in block_base"],
  ["runs_scan", "a loop over neighbours, as in block_base"],
  [
    "spread_effects",
    "a loop over a row that lanes leave in different iterations: those that nvcc makes first are joined again before the rest, which is left open; and of two ways that choose a list both loads are made at the comparison",
  ],
  [
    "runs_triangle",
    "a loop whose end is the lane's number, as above: what is staged is read in iterations that nvcc divides, and that is said",
  ],
]);
const results = new Map<string, Promise<FixSearchResult>>();

function searched(file: string): Promise<FixSearchResult> {
  const files = { "harness.cuh": harness, [file]: readFileSync(pathOf(file), "utf8") };
  const result = results.get(file) ?? searchedFixes(files, file);
  results.set(file, result);
  return result;
}

const pathOf = (file: string) =>
  join(root, file.startsWith("seed") ? "fixtures/seeds" : "fixtures/fixes", file);
const folder = mkdtempSync(join(tmpdir(), "warplint-fixes-"));
const analysed = { before: new Map<string, AnalysedFile>(), after: new Map<string, AnalysedFile>() };

function analyse(paths: readonly string[]): Map<string, AnalysedFile> {
  const printed = execFileSync(process.execPath, [builtCli(), "analyze", "--no-fixes", ...paths], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const { files } = JSON.parse(printed) as { files: AnalysedFile[] };
  return new Map(files.map((file) => [basename(file.path), file]));
}

function fixed({ file, edits }: FixRow): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (text, { start, end, newText }) => text.slice(0, start) + newText + text.slice(end),
      readFileSync(pathOf(file), "utf8"),
    );
}

beforeAll(() => {
  copyFileSync(join(fixtures, "harness.cuh"), join(folder, "harness.cuh"));
  for (const row of rows) writeFileSync(join(folder, `${row.case}.after.cu`), fixed(row));
  analysed.before = analyse([...new Set(rows.map(({ file }) => pathOf(file)))]);
  analysed.after = analyse(rows.map((row) => join(folder, `${row.case}.after.cu`)));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is not as the GPU has it; where data decide, and warplint says so, nothing is promised. */
function differences(recorded: Recorded, file: AnalysedFile | undefined, name: string): string[] {
  const own = (recorded.launches ?? []).map((launch) => ({
    ...launch,
    case: name,
    sites: launch.sites.map((site) => (site.file === launch.case ? { ...site, file: name } : site)),
  }));
  return compareTruth(own, file?.launches ?? [])
    .filter(
      (outcome) => !agreeing.has(outcome.kind) && !(outcome.kind === "unknown" && outcome.dependsOnData),
    )
    .map((outcome) => `${outcome.kind}: ${outcomeName(outcome)}`);
}

/** Of what the fix is about: a staged access pays wavefronts of shared memory for sectors of global memory. */
function total({ launches = [] }: Recorded, kind: string): number {
  const isStaged = kind === "stage-tile";
  const sites = launches.flatMap((launch) => launch.sites.map((site) => [launch.launches, site] as const));
  return sites.reduce(
    (sum, [count, site]) => sum + count * ((isStaged ? null : site.wavefronts) ?? site.sectors ?? 0),
    0,
  );
}

describe.each(rows.map((row) => [row.case, row] as const))("%s", (_, row) => {
  it("is what warplint offers", { timeout: 60_000 }, async () => {
    const { fixes } = await searched(row.file);
    const offered = fixes
      .filter(({ kind }) => kind === row.kind)
      .map(({ edits }) => edits.map(({ start, end, newText }) => ({ start, end, newText })));
    expect(offered).toContainEqual(row.edits);
  });

  it("left the same bytes behind on the GPU, for less", () => {
    expect(row.after.error).toBeUndefined();
    if (row.kind === "realign" || row.kind === "scalarize") {
      expect(row.before.output.join()).toContain("misaligned address");
      return;
    }
    expect(row.before.error).toBeUndefined();
    expect(row.before.output.length).toBeGreaterThan(0);
    expect(row.after.output).toEqual(row.before.output);
    expect(total(row.after, row.kind)).toBeLessThan(total(row.before, row.kind));
  });

  it("costs what was predicted, before and after", () => {
    const after = `${row.case}.after.cu`;
    if (knownDifferences.has(row.case)) {
      const found = [
        ...differences(row.before, analysed.before.get(row.file), row.file),
        ...differences(row.after, analysed.after.get(after), after),
      ];
      expect(found).not.toEqual([]);
      return;
    }
    if (row.before.error === undefined)
      expect(differences(row.before, analysed.before.get(row.file), row.file)).toEqual([]);
    expect(differences(row.after, analysed.after.get(after), after)).toEqual([]);
  });
});

describe("no fix is offered", () => {
  it.each(unfixed)("for %s, because of: %s", { timeout: 60_000 }, async (name, reason) => {
    const { fixes, refusals } = await searched(name);
    expect(fixes).toEqual([]);
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals) expect(refusal.reason).toContain(reason);
  });
});

it("has a record of every program that expects a fix, and enough of each kind", () => {
  const recorded = new Set(rows.map(({ file }) => file));
  for (const name of programs)
    if (expectationOf(name).startsWith("expects: ") && !unrecorded.has(name))
      expect(recorded).toContain(name);
  const count = (kind: string) => rows.filter((row) => row.kind === kind).length;
  expect(rows.length).toBeGreaterThanOrEqual(40);
  const pads = rows.filter(({ kind }) => kind === "pad");
  const plain = pads.filter(({ title, file }) => title.includes(" to [") && !file.startsWith("template"));
  expect(plain.length).toBeGreaterThanOrEqual(8);
  // Flattened, carved out of dynamic shared memory, or by a template's parameter.
  expect(pads.length - plain.length).toBeGreaterThanOrEqual(5);
  expect(count("swizzle")).toBeGreaterThanOrEqual(5);
  expect(count("vectorize")).toBeGreaterThanOrEqual(5);
  expect(count("launch-shape")).toBeGreaterThanOrEqual(3);
  expect(unfixed.length).toBeGreaterThanOrEqual(12);
});
