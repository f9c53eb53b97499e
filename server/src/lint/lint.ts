// Lints a set of files: sources first, then the headers that none of them includes; findings stand once, in the file of the access.
import type { ConfigError } from "../config/parse.ts";
import { type Host, readText } from "../host/host.ts";
import type { Launch } from "../launches/launch.ts";
import { directoryOf, isInside } from "../project/path.ts";
import type { FileSettings, Project } from "../project/project.ts";
import { cudaKindOf } from "../project/walk.ts";
import type { AccessGroup } from "../rules/finding.ts";
import { groupAccesses, type KernelProfile } from "../rules/group.ts";
import { lineStarts, positionAt, type SourceRange } from "../text/source.ts";
import { findingsOfFile } from "./findings.ts";
import type { Pipeline } from "./pipeline.ts";
import type { FileReport, LintFailure, LintResult } from "./report.ts";
import { analyseUnit, type UnitAnalysis } from "./unit.ts";

export interface LintOptions {
  /** For kernels that nothing launches; null: the assumed shapes. */
  readonly block: Launch["block"] | null;
}

/** Lints `files` (absolute paths). Never throws: what fails is in `failures`, and the other files are linted all the same. */
export function lintFiles(
  files: readonly string[],
  host: Host,
  project: Project,
  pipeline: Pipeline,
  options: LintOptions,
): LintResult {
  const session = createSession(host, project, pipeline, options);
  const sources = files.filter((file) => cudaKindOf(file) !== "header");
  const headers = files.filter((file) => cudaKindOf(file) === "header");
  for (const file of sources) session.analyse(file);
  for (const file of headers) if (!session.isIncluded(file)) session.analyse(file);
  return session.finish(files);
}

interface Session {
  analyse(file: string): void;
  isIncluded(file: string): boolean;
  finish(requested: readonly string[]): LintResult;
}

function createSession(host: Host, project: Project, pipeline: Pipeline, options: LintOptions): Session {
  const analyses = new Map<string, UnitAnalysis>();
  const texts = new Map<string, string>();
  const included = new Set<string>();
  const failures: LintFailure[] = [];
  const failedConfigs = new Set<string>();
  /** Kernels that nothing launches, by place: one in a header is analysed for the first source that includes it. */
  const assumedKernels = new Set<string>();

  const settingsFor = (file: string): FileSettings | null => {
    const result = project.settingsOf(directoryOf(file));
    if (result.kind === "settings") return result.settings;
    for (const error of result.errors) {
      const failure = configFailure(error);
      const key = failure.file + failure.message;
      if (!failedConfigs.has(key)) failures.push(failure);
      failedConfigs.add(key);
    }
    return null;
  };

  const isWanted = (file: string, settings: FileSettings): boolean =>
    analyses.has(file) || (isInside(file, settings.workspace) && !settings.ignored.isIgnored(file, "file"));

  const analyse = (file: string): void => {
    const settings = settingsFor(file);
    if (settings === null) return;
    const read = readText(host, file);
    if (read.kind !== "text") {
      failures.push({ file, message: `cannot be read (${read.kind})`, detail: null });
      return;
    }
    try {
      const analysis = analyseUnit(file, read.text, settings, pipeline, {
        block: options.block,
        wantsUnlaunched: ({ range }) => {
          const key = `${range.file}\n${range.start}`;
          const isNew = !assumedKernels.has(key) && (range.file === file || isWanted(range.file, settings));
          assumedKernels.add(key);
          return isNew;
        },
      });
      analyses.set(file, analysis);
      texts.set(file, read.text);
      for (const [path, text] of analysis.unit.texts) texts.set(path, text);
      for (const path of analysis.unit.includedFiles) included.add(path);
      for (const { message, range } of analysis.problems) failures.push(problemAt(range, texts, message));
    } catch (error) {
      failures.push(internalFailure(file, error));
    }
  };

  const finish = (requested: readonly string[]): LintResult => {
    const groups = groupsByFile([...analyses.values()].flatMap(({ profiles }) => profiles));
    const known = new Set(requested.filter((file) => analyses.has(file) || included.has(file)));
    const reports: FileReport[] = [];
    for (const file of new Set([...known, ...groups.keys()])) {
      const settings = settingsFor(file);
      if (settings === null || !(known.has(file) || isWanted(file, settings))) continue;
      const analysis = analyses.get(file);
      const findings = findingsOfFile(file, texts.get(file) ?? "", groups.get(file) ?? [], {
        config: settings.config,
        reportsUnused: known.has(file),
      });
      // Of a header that nobody asked for there is something to say only where there is a finding.
      if (!known.has(file) && findings.length === 0) continue;
      reports.push({
        path: file,
        launches: analysis?.launches ?? [],
        findings,
        notes: analysis?.notes ?? [],
      });
    }
    reports.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    return { reports, texts, failures };
  };

  return { analyse, isIncluded: (file) => included.has(file), finish };
}

function groupsByFile(profiles: readonly KernelProfile[]): Map<string, AccessGroup[]> {
  const ofFile = new Map<string, AccessGroup[]>();
  for (const group of groupAccesses(profiles)) {
    const groups = ofFile.get(group.range.file);
    if (groups) groups.push(group);
    else ofFile.set(group.range.file, [group]);
  }
  return ofFile;
}

function configFailure({ file, position, message }: ConfigError): LintFailure {
  return { file: `${file}:${position.line}:${position.column}`, message, detail: null };
}

function problemAt(range: SourceRange, texts: ReadonlyMap<string, string>, message: string): LintFailure {
  const { line, column } = positionAt(lineStarts(texts.get(range.file) ?? ""), range.start);
  return { file: `${range.file}:${line}:${column}`, message, detail: null };
}

function internalFailure(file: string, error: unknown): LintFailure {
  const isError = error instanceof Error;
  return {
    file,
    message: `internal error: ${isError ? error.message : String(error)}. The other files were linted; please report this.`,
    detail: isError ? (error.stack ?? null) : null,
  };
}
