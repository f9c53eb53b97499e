// What each rule of server/src/codegen is worth: units that are exact and findings, of programs that a GPU has run, with the rule and without
// it. A program in which a rule does nothing is not analysed without it. Prints a table in Markdown, dearest rule first.
//
//   npm run ablation -- [--every=N] [--rules=TEXT] [--folder=DIR]…
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { memoryHost } from "../../../server/src/host/memory.ts";
import { lintFiles } from "../../../server/src/lint/lint.ts";
import type { Pipeline } from "../../../server/src/lint/pipeline.ts";
import { createPipeline } from "../../../server/src/lint/stages.ts";
import { createProject } from "../../../server/src/project/project.ts";
import { reportsJson } from "../../../server/src/render/json.ts";
import { createPlaces } from "../../../server/src/render/places.ts";
import { type Analysis, agreeing, compareFindings, programsOf } from "../../../test/support/programs.ts";
import { compareTruth, type TruthRow } from "../../../test/support/truth.ts";

/** Of rules.mjs, put here by scripts/ablation.mjs: "join/tails withCommonTails". */
declare const ruleNames: readonly string[];

interface Ablation {
  leftOut: ReadonlySet<string>;
  readonly acting: Set<string>;
}

/** What the wrapped functions look at: see scripts/ablation.mjs. */
const ablation: Ablation = { leftOut: new Set(), acting: new Set() };
Object.assign(globalThis, { ablation });

/** Counts of one analysis, or their sums. */
interface Counts {
  readonly exact: number;
  /** Units whose figure the GPU denies. */
  readonly wrong: number;
  readonly falseFindings: number;
  readonly missedFindings: number;
}

interface Program {
  readonly name: string;
  readonly text: string;
  readonly rows: readonly TruthRow[];
  readonly acting: ReadonlySet<string>;
  readonly whole: Counts;
}

const { values } = parseArgs({
  options: {
    every: { type: "string", default: "1" },
    rules: { type: "string", default: "" },
    folder: { type: "string", multiple: true, default: [join("fixtures", "programs")] },
  },
});

const pipeline = await createPipeline({
  runtime: new Uint8Array(readFileSync("node_modules/web-tree-sitter/web-tree-sitter.wasm")),
  grammar: new Uint8Array(readFileSync("grammars/tree-sitter-cuda.wasm")),
});
const programs = values.folder.flatMap((folder) =>
  programsOf(folder)
    .filter((_, at) => at % Number(values.every) === 0)
    .map((name) => programOf(folder, name)),
);
const whole = sumOf(programs.map((each) => each.whole));
console.log(
  `${programs.length} programs, with all rules: ${whole.exact} units exact, ${whole.wrong} wrong, ${whole.falseFindings} findings false, ${whole.missedFindings} missed\n`,
);
const rows = ruleNames
  .filter((name) => name.includes(values.rules))
  .map((rule) => rowOf(rule, new Set([rule])))
  .sort((a, b) => b.lost - a.lost);
const useless = rows.filter((row) => row.isUseless);
console.log("| rule | acts in | exact lost | wrong | false findings | missed |");
console.log("|---|---|---|---|---|---|");
for (const { text } of rows) console.log(text);
if (useless.length > 1) {
  const together = new Set(useless.flatMap(({ rules }) => [...rules]));
  console.log(rowOf(`the ${together.size} that make no difference by themselves, together`, together).text);
}

function programOf(folder: string, name: string): Program {
  const rows = readFileSync(join(folder, name.replace(".cu", ".truth.jsonl")), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TruthRow);
  const bare = { name, text: readFileSync(join(folder, name), "utf8"), rows };
  ablation.acting.clear();
  const whole = countsOf(bare, new Set(), pipeline);
  return { ...bare, acting: new Set(ablation.acting), whole };
}

interface Row {
  readonly rules: ReadonlySet<string>;
  readonly lost: number;
  readonly isUseless: boolean;
  readonly text: string;
}

function rowOf(name: string, rules: ReadonlySet<string>): Row {
  const acted = programs.filter(({ acting }) => [...rules].some((rule) => acting.has(rule)));
  const before = sumOf(acted.map((each) => each.whole));
  let failed = 0;
  const without = acted.flatMap((program) => {
    try {
      return [countsOf(program, rules, pipeline)];
    } catch {
      failed++;
      return [];
    }
  });
  const after = sumOf(without);
  const lost = before.exact - after.exact;
  const change = (key: keyof Counts) => `${after[key] - before[key]}`;
  const isUseless = Object.entries(after).every(([key, count]) => count === before[key as keyof Counts]);
  const text = `| ${name} | ${acted.length}${failed > 0 ? ` (${failed} fail)` : ""} | ${lost} | ${change("wrong")} | ${change("falseFindings")} | ${change("missedFindings")} |`;
  console.error(text);
  return { rules, lost, isUseless, text };
}

function countsOf(
  { name, text, rows }: Pick<Program, "name" | "text" | "rows">,
  leftOut: ReadonlySet<string>,
  pipeline: Pipeline,
): Counts {
  const path = `/w/${name}`;
  const host = memoryHost({ [path]: text }, "/w");
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  ablation.leftOut = leftOut;
  const { reports, texts, failures } = lintFiles([path], host, project, pipeline, { block: null });
  ablation.leftOut = new Set();
  if (failures.length > 0) throw new Error(failures[0]?.message);
  const { files } = reportsJson(
    reports,
    createPlaces(texts, (file) => file),
  ) as Analysis;
  const outcomes = compareTruth(rows, files[0]?.launches ?? []);
  const findings = compareFindings(outcomes, files[0]?.diagnostics ?? []);
  return {
    exact: outcomes.filter(({ kind }) => kind === "exact" || kind === "moved").length,
    wrong: outcomes.filter(({ kind }) => !agreeing.has(kind) && kind !== "unknown").length,
    falseFindings: findings.false.length,
    missedFindings: findings.missed.length,
  };
}

function sumOf(all: readonly Counts[]): Counts {
  const of = (key: keyof Counts) => all.reduce((sum, each) => sum + each[key], 0);
  return {
    exact: of("exact"),
    wrong: of("wrong"),
    falseFindings: of("falseFindings"),
    missedFindings: of("missedFindings"),
  };
}
