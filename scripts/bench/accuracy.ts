// How well warplint predicts what the GPU counted for the programs of a folder (`--folder=…`; fixtures/programs, then fixtures/forms, then the projects of
// fixtures/projects unless told), all of them or those that are named: units, findings, and every miss.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { agreeing, measurePrograms, outcomeName, type ProgramResult } from "../../test/support/programs.ts";
import { measureProjects } from "../../test/support/projects.ts";
import type { Outcome } from "../../test/support/truth.ts";

const { values, positionals } = parseArgs({
  options: {
    folder: {
      type: "string",
      multiple: true,
      default: [join("fixtures", "programs"), join("fixtures", "forms"), join("fixtures", "projects")],
    },
  },
  allowPositionals: true,
});

for (const folder of values.folder) {
  const cli = join("server", "dist", "cli.cjs");
  const isOfProjects = readdirSync(folder).some((name) => name.endsWith(".recipe.json"));
  const measure = isOfProjects ? measureProjects : measurePrograms;
  const results = measure(cli, folder, positionals);
  if (results.length === 0) continue;
  for (const result of results) printMisses(result);
  printSums(folder, results, readKnownGaps(join(folder, "known-gaps.json")));
}

/** By program and miss: the reasons that were read in the source. */
type KnownGaps = Readonly<Record<string, Readonly<Record<string, string>>>>;

function readKnownGaps(path: string): KnownGaps {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

function printMisses({ program, outcomes, findings, faults, nameOfLine }: ProgramResult): void {
  const misses = outcomes
    .filter(({ kind }) => !agreeing.has(kind))
    .map((outcome) => `  ${missText(outcome, nameOfLine)}`);
  const wrong = findings.false.map((each) => `  false finding: ${each}`);
  const missed = findings.missed.map((each) => `  missed finding: ${each}`);
  const faulting = faults.map((each) => `  false error: ${each}`);
  const lines = [...misses, ...wrong, ...faulting, ...missed];
  if (lines.length > 0) console.log([program, ...lines].join("\n"));
}

function missText(outcome: Outcome, nameOfLine: ProgramResult["nameOfLine"]): string {
  const name = `${outcome.kind}: ${outcomeName(outcome, nameOfLine)}`;
  const measured = "unit" in outcome ? `, measured ${outcome.unit.cost}/${outcome.unit.ideal}` : "";
  const predicted =
    "predicted" in outcome ? `, predicted ${outcome.predicted.cost}/${outcome.predicted.ideal}` : "";
  return `${name}${measured}${predicted}${"reason" in outcome ? `: ${outcome.reason}` : ""}`;
}

function printSums(folder: string, all: readonly ProgramResult[], knownGaps: KnownGaps): void {
  const outcomes = all.flatMap((each) => each.outcomes);
  const count = (kind: Outcome["kind"]) => outcomes.filter((each) => each.kind === kind).length;
  const units = outcomes.length - count("extra");
  const known = units - count("unknown");
  const ofData = outcomes.filter((each) => "dependsOnData" in each && each.dependsOnData).length;
  const percent = (part: number, whole: number) => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
  const real = all.reduce((sum, { findings }) => sum + findings.real.length, 0);
  const wrong = all.reduce((sum, { findings }) => sum + findings.false.length, 0);
  const missed = all.reduce((sum, { findings }) => sum + findings.missed.length, 0);
  const clean = all.filter(({ findings }) => findings.real.length + findings.missed.length === 0).length;
  const exact = count("exact") + count("moved");
  console.log(
    `\n${folder}: ${all.length} programs (${clean} without a finding), ${units} units, of which data decide ${ofData}: of the others ${percent(exact, units - ofData)} exact`,
  );
  console.log(
    `exact ${exact} (${percent(exact, known)} of those not unknown, ${percent(exact, known - count("ratio"))} of those whose number is claimed), of them ${count("moved")} charged to other lines, only the ratio claimed and right ${count("ratio")}, ratio right but not the count ${count("factor")}`,
  );
  console.log(
    `wrong ${count("wrong")}, missing ${count("missing")}, extra ${count("extra")}, unknown ${count("unknown")}`,
  );
  console.log(`findings: ${real} real, ${wrong} false, ${missed} missed`);
  const serialised = all.reduce((sum, each) => sum + serialisedCount(each, knownGaps), 0);
  const due = real + missed - serialised;
  console.log(
    `precision ${percent(real, real + wrong)}, recall ${percent(real, due)} of what the rules are for (${percent(real, real + missed)} if lanes that take turns at one word, ${serialised} of the missed, were bank conflicts)`,
  );
}

/** Missed findings that stand in known-gaps.json as lanes taking turns at one word: excess to the GPU, correct code to people. */
function serialisedCount({ program, findings }: ProgramResult, knownGaps: KnownGaps): number {
  const reasons = knownGaps[program] ?? {};
  return findings.missed.filter((each) =>
    reasons[`missed finding: ${each}`]?.startsWith("lanes that add to one word"),
  ).length;
}
