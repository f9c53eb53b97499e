// The projects of fixtures/projects against the GPU's record of them: each is copied to where a user would have it, and analysed as it is.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Analysis, compareFindings, type ProgramResult } from "./programs.ts";
import { type AnalysisAccess, type AnalysisLaunch, compareTruth, type TruthRow } from "./truth.ts";

/** The projects of a folder that have a record of the GPU. */
export function projectsOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".truth.jsonl"))
    .map((name) => name.replace(".truth.jsonl", ""));
}

/** Every project of a folder that has a record, each analysed by itself by a built command line. */
export function measureProjects(cli: string, folder: string, names: readonly string[] = []): ProgramResult[] {
  const projects = projectsOf(folder).filter((name) => names.length === 0 || names.includes(name));
  return projects.map((name) => measureProject(realpathSync(cli), join(folder, name)));
}

function measureProject(cli: string, folder: string): ProgramResult {
  const above = mkdtempSync(join(realpathSync(tmpdir()), "warplint-project-"));
  try {
    const copy = copyProject(folder, above);
    // A project in which nothing is found is compared as one of which nothing is said.
    const { stdout } = spawnSync(process.execPath, [cli, "analyze", "--no-fixes", "."], {
      cwd: copy,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    const rows = readFileSync(`${folder}.truth.jsonl`, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as TruthRow);
    return compareProject(basename(folder), rows, JSON.parse(stdout) as Analysis);
  } finally {
    rmSync(above, { recursive: true, force: true });
  }
}

/** Copies a project to where nothing of this repository lies around it. A compilation database names absolute paths: in the fixtures they begin with `@PROJECT@`. */
export function copyProject(folder: string, above: string): string {
  const copy = join(above, basename(folder));
  cpSync(folder, copy, { recursive: true });
  for (const entry of readdirSync(copy, { recursive: true, encoding: "utf8" })) {
    if (basename(entry) !== "compile_commands.json") continue;
    const path = join(copy, entry);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("@PROJECT@", copy));
  }
  return copy;
}

/**
 * A unit's line is one of a file: each file's lines are moved to a stretch of numbers of its own, so that what compares programs of one file compares these.
 */
function compareProject(project: string, rows: readonly TruthRow[], analysis: Analysis): ProgramResult {
  const places = new Places();
  const outcomes = compareTruth(
    rows.map((row) => ({
      ...row,
      case: project,
      sites: row.sites.map((site) =>
        isOfProject(site.file, analysis)
          ? { ...site, file: project, line: places.lineOf(site.file, site.line) }
          : site,
      ),
    })),
    distinctLaunches(analysis, places),
  );
  const diagnostics = analysis.files.flatMap(({ path, diagnostics }) =>
    diagnostics.map((each) => ({ ...each, line: places.lineOf(path, each.line) })),
  );
  const faults = diagnostics.filter(({ rule }) => rule === "misaligned-vector-access");
  const findings = compareFindings(outcomes, diagnostics);
  const named = (texts: readonly string[]) => texts.map((text) => places.named(text));
  return {
    program: project,
    outcomes,
    findings: { real: named(findings.real), false: named(findings.false), missed: named(findings.missed) },
    faults: [...new Set(faults.map(({ line, rule }) => places.named(`line ${line} ${rule}`)))],
    nameOfLine: (line) => places.nameOf(line),
  };
}

function isOfProject(file: string, { files }: Analysis): boolean {
  return file.includes("/") || files.some(({ path }) => path === file);
}

/** A kernel in a header may be told of with several files: the same launch of the same accesses counts once. */
function distinctLaunches({ files }: Analysis, places: Places): readonly AnalysisLaunch[] {
  const distinct = new Map<string, AnalysisLaunch>();
  for (const { path, launches } of files)
    for (const launch of launches) {
      const moved = { ...launch, accesses: launch.accesses.map((each) => movedAccess(each, path, places)) };
      distinct.set(JSON.stringify(moved), moved);
    }
  return [...distinct.values()];
}

function movedAccess(access: AnalysisAccess, path: string, places: Places): AnalysisAccess {
  const file = access.file ?? path;
  const line = (each: number) => places.lineOf(file, each);
  return {
    ...access,
    line: line(access.line),
    endLine: line(access.endLine),
    mergedLines: access.mergedLines.map(line),
    stack: access.stack.map((frame) => ({ ...frame, line: places.lineOf(frame.file ?? file, frame.line) })),
  };
}

/** Lines of all files as numbers, and back. */
class Places {
  private readonly files: string[] = [];

  lineOf(file: string, line: number): number {
    const known = this.files.indexOf(file);
    const index = known === -1 ? this.files.push(file) - 1 : known;
    return index * linesOfFile + line;
  }

  nameOf(line: number): string {
    return `${this.files[Math.floor(line / linesOfFile)] ?? "?"}:${line % linesOfFile}`;
  }

  /** `text` with its line as people name it. */
  named(text: string): string {
    return text.replace(/\bline (\d+)/, (_, line: string) => this.nameOf(Number(line)));
  }
}

const linesOfFile = 1_000_000;
