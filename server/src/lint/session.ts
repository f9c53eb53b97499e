// Keeps what it knows of files between edits, and answers for each of them. Command line and editor both ask here, so that they cannot differ.
import type { ConfigError } from "../config/parse.ts";
import { type Host, readText, unreadText } from "../host/host.ts";
import type { KernelDeclaration } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { DirectorySettings, FileSettings, Project } from "../project/project.ts";
import { cudaKindOf } from "../project/walk.ts";
import type { AccessGroup } from "../rules/finding.ts";
import { groupAccesses } from "../rules/group.ts";
import { areBeside, directoryOf, isInside } from "../text/path.ts";
import { lineStarts, positionAt, type SourceRange } from "../text/source.ts";
import type { CancelSignal, FileAnalysis } from "./analysis.ts";
import { checkAccess, findingsOfFile } from "./findings.ts";
import type { FixMaterial } from "./fixes.ts";
import { missingIncludesIn } from "./includes.ts";
import { type Judged, judgedGroups } from "./judged.ts";
import { kernelsIn } from "./kernels.ts";
import type { Pipeline } from "./pipeline.ts";
import { type FileReport, internalFailure, type LintFailure } from "./report.ts";
import { analyseUnit, type UnitAnalysis, type UnitOptions } from "./unit.ts";

export interface LintOptions {
  /** For kernels that nothing launches; null: the assumed shapes. */
  readonly block: Launch["block"] | null;
}

export interface SessionOptions {
  readonly host: Host;
  readonly project: Project;
  readonly pipeline: Pipeline;
  readonly options: LintOptions;
}

/**
 * What is known of the files of a workspace. It holds the translation units that were asked for (`analyse`, `include`) until they are
 * forgotten. Nothing throws on user text; an error inside is a failure of the file.
 */
export interface LintSession {
  /** These files have other contents than before, or are new, or are gone. What depends on them is analysed again when asked for. */
  update(changedFiles: readonly string[]): void;
  /**
   * What stands around the files may be another now: from here on `project` says what. Units of open documents are analysed again when
   * asked for, and what settings and texts leave as it was stays known; all others are forgotten.
   */
  renew(project: Project): void;
  /**
   * Everything known of `file`. A header is seen through the units at hand that include it; where none does, it is a unit of its own.
   * Null where `signal` cancelled it: what was done until then is kept.
   */
  analyse(file: string, signal?: CancelSignal): FileAnalysis | null;
  /** Makes sure that `file` is analysed as a translation unit, so that headers are seen through it; false where cancelled. */
  include(file: string, signal?: CancelSignal): boolean;
  /** The unit of `file` is no longer wanted. */
  forget(file: string): void;
  /** The translation units at hand that read `file`, itself among them. */
  unitsReading(file: string): readonly string[];
  /** What a search for fixes in `file` works on, as it was analysed last. */
  fixMaterial(file: string): FixMaterial;
  /** Files with findings or of `requested` that were read, sorted by path. */
  reports(requested: readonly string[]): readonly FileReport[];
  texts(): ReadonlyMap<string, string>;
  failures(): readonly LintFailure[];
}

/** What is kept of a translation unit. */
interface Unit {
  /** Null where it could not be analysed: `failures` say why. */
  readonly analysis: UnitAnalysis | null;
  readonly text: string;
  readonly failures: readonly LintFailure[];
  isCurrent: boolean;
}

export function createLintSession(given: SessionOptions): LintSession {
  return new Session(given);
}

const never: CancelSignal = { isCancelled: () => false };

class Session implements LintSession {
  private given: SessionOptions;
  /** In the order in which they were first asked for. */
  private readonly units = new Map<string, Unit>();
  /** What was cancelled in the midst, to be gone on with as long as nothing has changed. */
  private readonly unfinished = new Map<string, Generator<void, Unit>>();
  /** By file and name, kernels that nothing launches, and the unit that analyses them: one in a header is analysed for one unit alone. */
  private readonly owners = new Map<string, string>();
  /** By file, what the rules said of it last. */
  private readonly judged = new Map<string, Judged>();

  constructor(given: SessionOptions) {
    this.given = given;
  }

  update(changedFiles: readonly string[]): void {
    const changed = this.given.project.forget(changedFiles);
    this.unfinished.clear();
    if (changed === "settings") for (const unit of this.units.keys()) this.markOutdated(unit);
    for (const file of changedFiles) {
      for (const reader of this.unitsReading(file)) this.markOutdated(reader);
      for (const [unit, { analysis }] of this.units)
        if (analysis?.memory.linked.asksBeside && areBeside(unit, file)) this.markOutdated(unit);
    }
  }

  renew(project: Project): void {
    this.given = { ...this.given, project };
    this.unfinished.clear();
    for (const file of [...this.units.keys()]) {
      if ((this.given.host.openText?.(file) ?? null) === null) this.forget(file);
      else this.markOutdated(file);
    }
  }

  private markOutdated(file: string): void {
    const unit = this.units.get(file);
    if (unit !== undefined) unit.isCurrent = false;
  }

  unitsReading(file: string): readonly string[] {
    return [...this.units.keys()].filter((each) => each === file || this.reads(each, file));
  }

  private reads(unit: string, file: string): boolean {
    const { analysis } = this.units.get(unit) ?? {};
    return analysis?.unit.texts.has(file) ?? false;
  }

  include(file: string, signal: CancelSignal = never): boolean {
    const known = this.units.get(file);
    if (known?.isCurrent) return true;
    const steps = this.unfinished.get(file) ?? this.makeUnit(file, known ?? null);
    this.unfinished.set(file, steps);
    for (;;) {
      const step = steps.next();
      if (step.done) {
        this.unfinished.delete(file);
        this.units.set(file, step.value);
        return true;
      }
      if (signal.isCancelled()) return false;
    }
  }

  fixMaterial(file: string): FixMaterial {
    const analyses = this.unitsReading(file).flatMap((unit) => {
      const analysis = this.units.get(unit)?.analysis ?? null;
      return analysis === null ? [] : [{ unit, analysis }];
    });
    return {
      analyses: analyses.map(({ analysis }) => analysis),
      pipeline: this.given.pipeline,
      isEditable: (edited) => this.isEditable(edited),
      tried: (texts) => this.tried(analyses, texts),
    };
  }

  private *tried(
    analyses: readonly { readonly unit: string; readonly analysis: UnitAnalysis }[],
    texts: ReadonlyMap<string, string>,
  ): Generator<void, readonly UnitAnalysis[]> {
    const tried: UnitAnalysis[] = [];
    for (const { unit, analysis } of analyses) {
      const isRead = [...texts.keys()].some((file) => analysis.unit.texts.has(file));
      tried.push(isRead ? yield* this.triedUnit(unit, analysis, texts) : analysis);
    }
    return tried;
  }

  private *triedUnit(
    file: string,
    { memory, unit }: UnitAnalysis,
    texts: ReadonlyMap<string, string>,
  ): Generator<void, UnitAnalysis> {
    const settings = withTexts(memory.settings, texts);
    return yield* analyseUnit(
      file,
      texts.get(file) ?? unit.texts.get(file) ?? "",
      settings,
      this.given.pipeline,
      this.unitOptions(file, memory.settings),
      { ...memory, settings },
    );
  }

  private isEditable(file: string): boolean {
    const result = this.given.project.settingsIn(directoryOf(file));
    return result.kind === "settings" && this.isWanted(file, result.settings);
  }

  forget(file: string): void {
    this.units.delete(file);
    this.unfinished.delete(file);
    this.judged.delete(file);
    for (const [kernel, owner] of this.owners) {
      if (owner !== file) continue;
      this.owners.delete(kernel);
      // Another unit may have to analyse it now.
      const header = kernel.slice(0, kernel.indexOf("\n"));
      for (const reader of this.unitsReading(header)) this.markOutdated(reader);
    }
  }

  analyse(file: string, signal: CancelSignal = never): FileAnalysis | null {
    const others = this.unitsReading(file).filter((each) => each !== file);
    const isThroughOthers = cudaKindOf(file) === "header" && others.length > 0;
    if (isThroughOthers) this.forget(file);
    for (const unit of isThroughOthers ? others : [file, ...others])
      if (!this.include(unit, signal)) return null;
    if (isThroughOthers && !others.some((unit) => this.reads(unit, file))) return this.analyse(file, signal);
    return this.assemble(file);
  }

  private *makeUnit(file: string, previous: Unit | null): Generator<void, Unit> {
    const { host, pipeline } = this.given;
    const result = this.given.project.settingsOf(file);
    if (result.kind === "errors") return failedUnit("", result.errors.map(configFailure));
    const { settings } = result;
    const read = readText(host, file);
    if (read.kind !== "text") return failedUnit("", [{ file, message: unreadText(read.kind), detail: null }]);
    try {
      const analysis = yield* analyseUnit(
        file,
        read.text,
        settings,
        pipeline,
        this.unitOptions(file, settings),
        previous?.analysis?.memory ?? null,
      );
      const failures = analysis.problems.map(({ message, range }) =>
        problemAt(range, analysis.unit.texts, message),
      );
      return { analysis, text: read.text, failures, isCurrent: true };
    } catch (error) {
      return failedUnit(read.text, [internalFailure(file, error)]);
    }
  }

  private unitOptions(file: string, settings: FileSettings): UnitOptions {
    return {
      block: this.given.options.block,
      wantsUnlaunched: (kernel) => this.isOwner(file, kernel, settings),
    };
  }

  /** Whether `file` is the unit that analyses a kernel that nothing launches. */
  private isOwner(
    file: string,
    { range, qualifiedName }: KernelDeclaration,
    settings: FileSettings,
  ): boolean {
    const key = `${range.file}\n${qualifiedName}`;
    const owner = this.owners.get(key) ?? file;
    this.owners.set(key, owner);
    return owner === file && (range.file === file || this.isWanted(range.file, settings));
  }

  private isWanted(file: string, settings: DirectorySettings): boolean {
    return (
      this.isUnit(file) || (isInside(file, settings.workspace) && !settings.ignored.isIgnored(file, "file"))
    );
  }

  private isUnit(file: string): boolean {
    return (this.units.get(file)?.analysis ?? null) !== null;
  }

  private assemble(file: string): FileAnalysis {
    const readers = this.unitsReading(file);
    const own = this.units.get(file);
    const texts = new Map<string, string>();
    for (const reader of readers)
      for (const [path, text] of this.units.get(reader)?.analysis?.unit.texts ?? []) texts.set(path, text);
    const text = texts.get(file) ?? own?.text ?? "";
    const groups = this.groups(readers).filter(({ range }) => range.file === file);
    const report = this.reportOf(file, text, groups, "requested");
    const analyses = readers.flatMap((reader) => this.units.get(reader)?.analysis ?? []);
    return {
      file,
      text,
      report: report ?? { path: file, launches: [], findings: [], notes: [] },
      kernels: kernelsIn(file, analyses),
      groups,
      texts,
      askedBeside: readers.filter((reader) => this.units.get(reader)?.analysis?.memory.linked.asksBeside),
      included: [...new Set(analyses.flatMap(({ unit }) => unit.includedFiles))],
      missingIncludes: missingIncludesIn(file, analyses),
      notes: own?.analysis?.notes ?? [],
      failures: readers.flatMap((reader) => this.units.get(reader)?.failures ?? []),
    };
  }

  private groups(units: readonly string[]): AccessGroup[] {
    return groupAccesses(units.flatMap((unit) => this.units.get(unit)?.analysis?.profiles ?? []));
  }

  private reportOf(
    file: string,
    text: string,
    groups: readonly AccessGroup[],
    wanted: "requested" | "reached",
  ): FileReport | null {
    const result = this.given.project.settingsIn(directoryOf(file));
    if (result.kind === "errors") return null;
    const { settings } = result;
    if (wanted === "reached" && !this.isWanted(file, settings)) return null;
    const { config } = settings;
    const judged = judgedGroups(groups, config, this.judged.get(file) ?? null, (group) =>
      checkAccess(group, config),
    );
    this.judged.set(file, judged);
    const found = judged.accesses.flatMap((access) => access.findings);
    const findings = findingsOfFile(file, text, found, {
      config,
      reportsUnused: wanted === "requested",
    });
    // Of a header that nobody asked for there is something to say only where there is a finding.
    if (wanted === "reached" && findings.length === 0) return null;
    const analysis = this.units.get(file)?.analysis;
    return { path: file, launches: analysis?.launches ?? [], findings, notes: analysis?.notes ?? [] };
  }

  reports(requested: readonly string[]): readonly FileReport[] {
    const groups = byFile(this.groups([...this.units.keys()]));
    const texts = this.texts();
    const known = new Set(requested.filter((file) => this.isUnit(file) || this.isIncluded(file)));
    const reports = [...new Set([...known, ...groups.keys()])].flatMap(
      (file) =>
        this.reportOf(
          file,
          texts.get(file) ?? "",
          groups.get(file) ?? [],
          known.has(file) ? "requested" : "reached",
        ) ?? [],
    );
    return reports.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  private isIncluded(file: string): boolean {
    return [...this.units.values()].some(({ analysis }) => analysis?.unit.includedFiles.includes(file));
  }

  texts(): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    for (const [file, { analysis, text }] of this.units) {
      if (analysis === null) continue;
      texts.set(file, text);
      for (const [path, read] of analysis.unit.texts) texts.set(path, read);
    }
    return texts;
  }

  failures(): readonly LintFailure[] {
    const seen = new Map<string, LintFailure>();
    for (const { failures } of this.units.values())
      for (const failure of failures) {
        const key = `${failure.file}\n${failure.message}`;
        if (!seen.has(key)) seen.set(key, failure);
      }
    return [...seen.values()];
  }
}

/** `settings` where some files have other texts than those on disk. */
function withTexts(settings: FileSettings, texts: ReadonlyMap<string, string>): FileSettings {
  return {
    ...settings,
    readInclude: (name, fromFile, kind) => {
      const found = settings.readInclude(name, fromFile, kind);
      if (found === null) return null;
      return { path: found.path, text: texts.get(found.path) ?? found.text };
    },
    sourcesBeside: (file) =>
      settings
        .sourcesBeside(file)
        .map((source) =>
          texts.has(source.path) ? { ...source, text: texts.get(source.path) ?? "" } : source,
        ),
  };
}

function failedUnit(text: string, failures: readonly LintFailure[]): Unit {
  return { analysis: null, text, failures, isCurrent: true };
}

function byFile(groups: readonly AccessGroup[]): Map<string, AccessGroup[]> {
  const ofFile = new Map<string, AccessGroup[]>();
  for (const group of groups) {
    const known = ofFile.get(group.range.file);
    if (known) known.push(group);
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
