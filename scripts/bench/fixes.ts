// What share of the findings in a folder's programs has a fix, and why the others have none.
//
//   npm run bench -- fixes [--every=N [--first=K]] [--list=N] [--rows=FILE] [--docs] [FOLDER OR FILE…]
//
// Every program of the folders; every 8th of fixtures/programs where none is given. Sources are read one at a time, each by itself. --rows writes
// what is known of each finding as JSON, a line each; --list says how many reasons are printed; --docs writes the table of them into
// docs/fixes.md. Seconds are processor time of a kernel's search. Findings are counted in all, without those whose addresses data decide
// (data-decided.ts), and of these those that are warned of.
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Severity } from "../../server/src/config/schema.ts";
import { fixesOfFinding, refusalOfFinding, type SharedSteps } from "../../server/src/fixes/fix.ts";
import { workedMilliseconds } from "../../server/src/host/cpu-time.ts";
import { nodeHost } from "../../server/src/host/node.ts";
import { readWasm } from "../../server/src/host/wasm.ts";
import { fixTools } from "../../server/src/lint/fix-tools.ts";
import { type FixTools, fixSearchesOf } from "../../server/src/lint/fixes.ts";
import { millisecondsOfKernel, patienceOf, searchToEnd } from "../../server/src/lint/search.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createPipeline } from "../../server/src/lint/stages.ts";
import { createProject } from "../../server/src/project/project.ts";
import { fixTitle } from "../../server/src/render/fix-title.ts";
import { createPlaces } from "../../server/src/render/places.ts";
import type { AccessFinding } from "../../server/src/rules/finding.ts";
import { isDataDecided } from "./data-decided.ts";

interface Row {
  readonly program: string;
  readonly kernel: string;
  readonly line: number;
  readonly rule: string;
  readonly severity: Severity;
  /** Data decide where its lanes go. */
  readonly isOfData: boolean;
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

/** In docs/fixes.md, reasons for fewer findings than these are counted together. */
const leastListed = 3;
/** Seconds of processor time that no kernel's search is to pass. */
const mostSeconds = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    docs: { type: "boolean", default: false },
    every: { type: "string" },
    first: { type: "string", default: "0" },
    list: { type: "string", default: "25" },
    rows: { type: "string" },
  },
});

const folders = positionals.length === 0 ? ["fixtures/programs"] : positionals;
const every = Number(values.every ?? (positionals.length === 0 ? 8 : 1));
const pipeline = await createPipeline(readWasm(resolve("server/src/host")));
/** Steps that the search in hand has taken. */
let steps = 0;
const shared: SharedSteps = {
  left: Number.POSITIVE_INFINITY,
  spend: (more) => {
    steps += more;
  },
  whyOver: "",
};
const tools: FixTools = { ...fixTools, budget: { ...fixTools.budget, shared } };
const rows: Row[] = [];
const searches: { readonly name: string; readonly seconds: number; readonly steps: number }[] = [];
const failures: string[] = [];
if (values.rows !== undefined) writeFileSync(values.rows, "");
const programs = sampled(folders);
for (const file of programs) survey(file);
printShares();
if (values.docs) writeDocs();

function sampled(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    const sources = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".cu"),
    );
    return sources
      .sort()
      .filter((_, index) => index % every === Number(values.first))
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
  const material = session.fixMaterial(file);
  const generated = material.analyses.map(({ units }) => pipeline.generate(pipeline.lower(units)));
  const isOfData = ({ range, worst: { kernel } }: AccessFinding) =>
    generated.some((program) => {
      const declaration = program.kernels.find(({ name }) => name === kernel.name);
      const id = declaration && program.instantiateKernel(declaration, kernel.templateArguments);
      const definition = id ? program.functionOf(id) : null;
      return definition !== null && isDataDecided(program, definition, range);
    });
  for (const search of fixSearchesOf(analysis, material, tools)) {
    steps = 0;
    const start = process.cpuUsage();
    const { found, failure } = searchToEnd(
      search,
      file,
      patienceOf(millisecondsOfKernel, workedMilliseconds),
    );
    const { user, system } = process.cpuUsage(start);
    searches.push({ name: `${path} ${search.kernel}`, seconds: (user + system) / 1e6, steps });
    if (failure !== null) failures.push(`${path}: ${failure.detail ?? failure.message}`);
    for (const finding of search.findings) {
      const row: Row = {
        program: path,
        kernel: search.kernel,
        line: places.startOf(finding.range).line,
        rule: finding.rule,
        severity: finding.severity,
        isOfData: isOfData(finding),
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

function printShares(): void {
  for (const failure of failures) console.log(`failed: ${failure}`);
  for (const rule of [...new Set(rows.map((row) => row.rule))].sort()) {
    const own = rows.filter((row) => row.rule === rule);
    const fixed = own.filter(({ fixes }) => fixes.length > 0);
    console.log(`\n${rule}: ${shareOf(own)} have a fix`);
    const decided = own.filter(({ isOfData }) => !isOfData);
    console.log(`  without those that data decide: ${shareOf(decided)}`);
    const warned = decided.filter(({ severity }) => severity !== "information");
    console.log(`  and warned of: ${shareOf(warned)}`);
    printCounts(
      fixed.map(({ fixes: [title = ""] }) => title.split(" ").slice(0, 1).join()),
      () => "",
    );
    const refused = own.filter(({ fixes }) => fixes.length === 0);
    printCounts(refused.map(shortened), (text) => {
      const row = refused.find((each) => shortened(each) === text);
      return row === undefined ? "" : `  (${row.program}:${row.line})`;
    });
  }
  const slowest = searches.toSorted((a, b) => b.seconds - a.seconds);
  const over = slowest.filter(({ seconds }) => seconds > mostSeconds).length;
  const sums = { seconds: 0, steps: 0 };
  for (const each of searches) {
    sums.seconds += each.seconds;
    sums.steps += each.steps;
  }
  console.log(`\n${searches.length} searches: ${sums.seconds.toFixed(1)} s, ${sums.steps} steps`);
  console.log(`slowest of them, ${over} over ${mostSeconds} s:`);
  for (const { name, seconds, steps } of slowest.slice(0, Math.max(over, 5)))
    console.log(`  ${seconds.toFixed(2)} s  ${steps} steps  ${name}`);
}

function shareOf(own: readonly Row[]): string {
  const fixed = own.filter(({ fixes }) => fixes.length > 0).length;
  return `${fixed} of ${own.length} (${percent(fixed, own.length)})`;
}

/** Without names, indices and numbers, so that like reasons are counted together. */
function shortened({ refusal, access }: Row): string {
  const first = /\w+/.exec(access.replace(/^\S+ /, ""))?.[0] ?? "";
  // Words of the reasons themselves.
  const name = first === "a" || first === "in" ? "" : first;
  return (refusal ?? "no reason")
    .replace(/what \S.* costs/, "what … costs")
    .replace(/depends on (?!memory|which warp|a matrix).*/, "depends on …")
    .replace(/thread \(.*\) of block \(.*\)/, "a thread")
    .replace(/ \S*[[.(>].* would cost more$/, " … would cost more")
    .replace(/byte \d+ of \w+/, "a byte of …")
    .replace(
      /\b(passed (?:whole )?to|address of|row of|swizzle of|loads of|stores to|name of|arrays in) \w+/g,
      "$1 …",
    )
    .replace(/^\w+ (is|has|have) /, "… $1 ")
    .replace(new RegExp(`\\b${name === "" ? "\0" : name}\\b`, "g"), "…")
    .replace(/\d+/g, "N");
}

function printCounts(texts: readonly string[], exampleOf: (text: string) => string): void {
  for (const [text, count] of countsOf(texts).slice(0, Number(values.list)))
    console.log(`  ${`${count}`.padStart(5)}  ${text}${exampleOf(text)}`);
}

/** The most frequent first. */
function countsOf(texts: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** Which findings have a fix, and the reasons for the others, between the marks that docs/fixes.md has for them. */
function writeDocs(): void {
  const path = "docs/fixes.md";
  const lines = ["shared-bank-conflict", "uncoalesced-access"].flatMap((rule) => {
    const own = rows.filter((row) => row.rule === rule);
    const refused = own.filter(({ fixes }) => fixes.length === 0);
    const reasons = countsOf(refused.map(shortened));
    const listed = reasons.filter(([, count]) => count >= leastListed);
    const others = reasons.filter(([, count]) => count < leastListed);
    return [
      `\`${rule}\`: ${shareOf(own)} findings in ${programs.length} programs have a fix; of those whose addresses data do not decide ${shareOf(own.filter(({ isOfData }) => !isOfData))}.`,
      "",
      "| Why the others have none | Findings |",
      "|---|---:|",
      ...listed.map(([reason, count]) => `| ${reason.replaceAll("|", "\\|")} | ${count} |`),
      `| ${others.length} other reasons | ${others.reduce((sum, [, count]) => sum + count, 0)} |`,
      "",
    ];
  });
  const marks = /(<!-- refusals -->\n)[\s\S]*?(<!-- end of refusals -->)/;
  const table = lines.join("\n").trimEnd();
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(marks, (_, start, end) => `${start}${table}\n${end}`),
  );
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
}
