// What share of the findings in a folder's programs has a fix, and why the others have none.
//
//   npm run bench -- fixes [--every=N [--first=K]] [--list=N] [--rows=FILE] [FOLDER OR FILE…]
//
// Every 8th program of fixtures/programs unless told. Sources are read one at a time, each by itself. --rows writes what is known of each finding as
// JSON, a line each; --list says how many reasons are printed. Seconds are processor time of a kernel's search.
import { appendFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkPair } from "../../server/src/fixes/check/check.ts";
import { defaultFixBudget, fixesOfFinding, refusalOfFinding } from "../../server/src/fixes/fix.ts";
import { searchFixes } from "../../server/src/fixes/search.ts";
import { nodeHost } from "../../server/src/host/node.ts";
import { readWasm } from "../../server/src/host/wasm.ts";
import { type FixTools, fixSearchesOf } from "../../server/src/lint/fixes.ts";
import { millisecondsOfKernel, patienceOf, searchToEnd } from "../../server/src/lint/search.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createPipeline } from "../../server/src/lint/stages.ts";
import { createProject } from "../../server/src/project/project.ts";
import { fixTitle } from "../../server/src/render/fix-title.ts";
import { createPlaces } from "../../server/src/render/places.ts";

interface Row {
  readonly program: string;
  readonly kernel: string;
  readonly line: number;
  readonly rule: string;
  readonly access: string;
  /** Titles, best first. */
  readonly fixes: readonly string[];
  /** What the finding's own text says would help an uncoalesced access. */
  readonly advice: string | null;
  /** Addresses of the first lanes in the dearest request. */
  readonly lanes: readonly number[];
  readonly block: readonly number[];
  readonly refusal: string | null;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: "string", default: "8" },
    first: { type: "string", default: "0" },
    list: { type: "string", default: "25" },
    rows: { type: "string" },
  },
});

const pipeline = await createPipeline(readWasm(resolve("server/src/host")));
const tools: FixTools = {
  search: searchFixes,
  check: (pair, maxSteps) => checkPair(pair, { maxSteps }),
  budget: defaultFixBudget,
};
const rows: Row[] = [];
const seconds: { readonly name: string; readonly taken: number }[] = [];
const failures: string[] = [];
if (values.rows !== undefined) writeFileSync(values.rows, "");
for (const file of sampled(positionals.length === 0 ? ["fixtures/programs"] : positionals)) survey(file);
printShares();

function sampled(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    const sources = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".cu"),
    );
    return sources
      .sort()
      .filter((_, index) => index % Number(values.every) === Number(values.first))
      .map((name) => join(path, name));
  });
}

function survey(path: string): void {
  const file = resolve(path);
  const host = nodeHost(dirname(file));
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({ host, project, pipeline, options: { block: null } });
  const analysis = session.analyse(file);
  if (analysis === null) return;
  const places = createPlaces(analysis.texts, basename);
  for (const search of fixSearchesOf(analysis, session.fixMaterial(file), tools)) {
    const start = process.cpuUsage();
    const { found, failure } = searchToEnd(search, file, patienceOf(millisecondsOfKernel, milliseconds));
    const { user, system } = process.cpuUsage(start);
    seconds.push({ name: `${path} ${search.kernel}`, taken: (user + system) / 1e6 });
    if (failure !== null) failures.push(`${path}: ${failure.detail ?? failure.message}`);
    for (const finding of search.findings) {
      const row: Row = {
        program: path,
        kernel: search.kernel,
        line: places.startOf(finding.range).line,
        rule: finding.rule,
        access: `${finding.worst.access.operation} ${places.textOf(finding.range)}`,
        fixes: fixesOfFinding(found, finding).map((fix) => fixTitle(fix, places)),
        advice: finding.evidence.kind === "sectors" ? finding.evidence.advice : null,
        lanes: (finding.worst.access.worst?.laneAddresses ?? []).slice(0, 4).map((each) => each ?? -1),
        block: finding.worst.launch.block,
        refusal: refusalOfFinding(found, finding),
      };
      rows.push(row);
      if (values.rows !== undefined) appendFileSync(values.rows, `${JSON.stringify(row)}\n`);
    }
  }
}

function milliseconds(): number {
  return process.cpuUsage().user / 1000;
}

function printShares(): void {
  for (const failure of failures) console.log(`failed: ${failure}`);
  for (const rule of [...new Set(rows.map((row) => row.rule))].sort()) {
    const own = rows.filter((row) => row.rule === rule);
    const fixed = own.filter(({ fixes }) => fixes.length > 0);
    console.log(
      `\n${rule}: ${fixed.length} of ${own.length} have a fix (${percent(fixed.length, own.length)})`,
    );
    printCounts(
      fixed.map(({ fixes: [title = ""] }) => title.split(" ").slice(0, 1).join()),
      () => "",
    );
    const refused = own.filter(({ fixes }) => fixes.length === 0);
    printCounts(
      refused.map((row) => shortened(row)),
      (text) => {
        const row = refused.find((each) => shortened(each) === text);
        return row === undefined ? "" : `  (${row.program}:${row.line})`;
      },
    );
  }
  const slowest = seconds.toSorted((a, b) => b.taken - a.taken).slice(0, 5);
  console.log("\nslowest searches:");
  for (const { name, taken } of slowest) console.log(`  ${taken.toFixed(2)} s  ${name}`);
}

/** Without names, indices and numbers, so that like reasons are counted together. */
function shortened({ refusal, access }: Row): string {
  const name = /\w+/.exec(access.replace(/^\S+ /, ""))?.[0] ?? "";
  return (refusal ?? "no reason")
    .replace(/what \S.* costs/, "what … costs")
    .replace(/it depends on .*/, "it depends on …")
    .replace(/thread \(.*\) of block \(.*\)/, "a thread")
    .replace(/[^,]* would get dearer/, "… would get dearer")
    .replace(/byte \d+ of \w+/, "a byte of …")
    .replace(new RegExp(`\\b${name === "" ? "\0" : name}\\b`, "g"), "…")
    .replace(/\d+/g, "N");
}

function printCounts(texts: readonly string[], exampleOf: (text: string) => string): void {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]).slice(0, Number(values.list));
  for (const [text, count] of sorted) console.log(`  ${`${count}`.padStart(5)}  ${text}${exampleOf(text)}`);
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
}
