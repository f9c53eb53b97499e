// The programs of fixtures/programs against the GPU's record of them: the outcome of every unit and of every finding, for the test and for
// `npm run accuracy`.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AnalysisLaunch, compareTruth, type Outcome, type TruthRow, type Unit } from "./truth.ts";

export interface ProgramResult {
  readonly program: string;
  readonly outcomes: readonly Outcome[];
  /** Lines with a finding of a rule, that the GPU confirms, that it denies, and that it has and warplint does not. */
  readonly findings: { readonly real: string[]; readonly false: string[]; readonly missed: string[] };
  /** Lines of which warplint says that the kernel will fault there: of a program that the GPU has run there are none. */
  readonly faults: readonly string[];
  /** Where the lines are those of several files: how a line is named. */
  readonly nameOfLine?: (line: number) => string;
}

/** What `warplint analyze` prints, as far as it is compared. */
export interface Analysis {
  readonly files: readonly {
    readonly path: string;
    readonly launches: readonly AnalysisLaunch[];
    readonly diagnostics: readonly {
      readonly rule: string;
      readonly severity: string;
      readonly line: number;
    }[];
  }[];
}

/** The programs of a folder that have a record of the GPU. */
export function programsOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".truth.jsonl"))
    .map((name) => name.replace(".truth.jsonl", ".cu"));
}

/** The kinds of outcomes that say what the GPU says. */
export const agreeing: ReadonlySet<Outcome["kind"]> = new Set(["exact", "moved", "ratio"]);

/** What is not as the GPU has it, sorted: the kind of the difference with its unit, or a finding. */
export function missesOf({ outcomes, findings, faults, nameOfLine }: ProgramResult): string[] {
  const units = outcomes
    .filter(({ kind }) => !agreeing.has(kind))
    .map((outcome) => `${outcome.kind}: ${outcomeName(outcome, nameOfLine)}`);
  const wrong = findings.false.map((each) => `false finding: ${each}`);
  const missed = findings.missed.map((each) => `missed finding: ${each}`);
  const faulting = faults.map((each) => `false error: ${each}`);
  return [...new Set([...units, ...wrong, ...faulting, ...missed])].sort();
}

/** The misses of which warplint claims a total without condition: the GPU has counted another one on that line. */
export function exactMissesOf({ outcomes, nameOfLine }: ProgramResult): string[] {
  const denied = outcomes.filter(
    (outcome) => "predicted" in outcome && !agreeing.has(outcome.kind) && outcome.predicted.isExact === true,
  );
  return [...new Set(denied.map((outcome) => `${outcome.kind}: ${outcomeName(outcome, nameOfLine)}`))].sort();
}

/** Every program of a folder that has a record, analysed by a built command line. */
export function measurePrograms(cli: string, folder: string, names: readonly string[] = []): ProgramResult[] {
  const programs = programsOf(folder).filter((name) => names.length === 0 || names.includes(name));
  const paths = programs.map((name) => join(folder, name));
  const analysis = JSON.parse(
    execFileSync(process.execPath, [cli, "analyze", ...paths], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    }),
  ) as Analysis;
  return programs.map((program) => {
    const rows = readFileSync(join(folder, program.replace(".cu", ".truth.jsonl")), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as TruthRow);
    const file = analysis.files.find((each) => each.path.endsWith(`/${program}`) || each.path === program);
    const outcomes = compareTruth(rows, file?.launches ?? []);
    const diagnostics = file?.diagnostics ?? [];
    const faults = diagnostics.filter(({ rule }) => rule === "misaligned-vector-access");
    return {
      program,
      outcomes,
      findings: compareFindings(outcomes, diagnostics),
      faults: [...new Set(faults.map(({ line, rule }) => `line ${line} ${rule}`))],
    };
  });
}

/** How an outcome is named in a list: kernel with launch, line, space and operation. */
export function outcomeName(outcome: Outcome, nameOfLine = (line: number) => `line ${line}`): string {
  const { launch, line, space, operation } = "unit" in outcome ? outcome.unit : outcome.predicted;
  return `${launch} ${nameOfLine(line)} ${space} ${operation}`;
}

const ruleOf = { shared: "shared-bank-conflict", global: "uncoalesced-access" } as const;

/**
 * Findings against what the GPU counted. Real is a line whose excess reaches the rule's threshold in some launch; one that hangs on data is
 * neither real nor missed.
 */
export function compareFindings(
  outcomes: readonly Outcome[],
  diagnostics: Analysis["files"][number]["diagnostics"],
): ProgramResult["findings"] {
  const real = new Set<string>();
  const missable: string[][] = [];
  for (const outcome of outcomes) {
    if (!("unit" in outcome) || !isExcessive(outcome.unit)) continue;
    const { unit } = outcome;
    const moved = "lines" in outcome ? outcome.lines : [];
    const lines = ["predicted" in outcome ? outcome.predicted.line : unit.line, unit.line, ...moved];
    const names = lines.map((line) => `line ${line} ${ruleOf[unit.space]}`);
    for (const name of names) real.add(name);
    if (outcome.kind !== "unknown") missable.push(names);
  }
  const rules: readonly string[] = Object.values(ruleOf);
  const found = (severities: readonly string[]) => [
    ...new Set(
      diagnostics
        .filter(({ rule, severity }) => rules.includes(rule) && severities.includes(severity))
        .map(({ rule, line }) => `line ${line} ${rule}`),
    ),
  ];
  const warnings = found(["error", "warning"]);
  const all = new Set(found(["error", "warning", "information", "info"]));
  return {
    real: warnings.filter((each) => real.has(each)),
    false: warnings.filter((each) => !real.has(each)),
    missed: [
      ...new Set(
        missable.filter((names) => !names.some((name) => all.has(name))).map(([name]) => name ?? ""),
      ),
    ],
  };
}

/** The thresholds of the rules: 1.1 for banks; for sectors 2.0, and more than the one sector a request that misalignment can cause. */
function isExcessive({ space, instructions }: Unit): boolean {
  return instructions.some(({ cost, ideal, requests }) =>
    space === "shared" ? cost >= 1.1 * ideal : cost >= 2 * ideal && cost - ideal > requests,
  );
}
