// Keeps what it knows of files between edits, and answers for each of them. Command line and editor both ask here, so that they cannot differ.
import type { Host } from "../host/host.ts";
import type { Launch } from "../launches/launch.ts";
import { configOfFile, isSample } from "../project/file-config.ts";
import type { Project } from "../project/project.ts";
import { cudaKindOf } from "../project/walk.ts";
import type { AccessGroup } from "../rules/finding.ts";
import { groupAccesses } from "../rules/group.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import { directoryOf } from "../text/path.ts";
import type { SourceRange } from "../text/source.ts";
import { type AnalysedProgram, reads } from "./analysed-program.ts";
import type { CancelSignal, FileAnalysis } from "./analysis.ts";
import type { Extent } from "./budget.ts";
import { checkAccess, findingsOfFile } from "./findings.ts";
import type { FixMaterial } from "./fixes.ts";
import { missingIncludesIn } from "./includes.ts";
import type { Indexes } from "./indexes.ts";
import { type Judged, judgedGroups } from "./judged.ts";
import { distinctProfiles, mergedAcross } from "./kernel-launches.ts";
import { kernelsIn } from "./kernels.ts";
import type { Pipeline } from "./pipeline.ts";
import { Programs } from "./programs.ts";
import type { FileReport, KernelLaunch, LintFailure } from "./report.ts";
import type { SharedReading } from "./shared-reading.ts";
import { placeOf } from "./unit.ts";

export interface LintOptions {
  /** For kernels that nothing launches; null: the assumed shapes. */
  readonly block: Launch["block"] | null;
  /** Whether the first answer waits until all sources of a large workspace are known; else it may change after `settle`. It does by default. */
  readonly largeWorkspaces?: "awaited" | "in the background";
  /**
   * Which kernels are analysed though nothing launches them: all (if not given); those that stand in a program's root, for a run of many
   * sources looks at the others once it has seen all launches; or those at these places (`placeOf`), and no other kernels at all.
   */
  readonly unlaunched?: "all" | "of roots" | ReadonlySet<string>;
  /** "none": the session is asked of the texts as they are, and nothing is kept for what an edit would leave. */
  readonly edits?: "awaited" | "none";
  /** How much is spent on each program: "file" if not given. */
  readonly extent?: Extent;
}

export interface SessionOptions {
  readonly host: Host;
  readonly project: Project;
  readonly pipeline: Pipeline;
  readonly options: LintOptions;
  /** Of the workspaces, where several sessions share them. */
  readonly indexes?: Indexes;
  /** What was read, where several sessions share that. */
  readonly shared?: SharedReading;
  /** Whether somebody looks at a kernel, which has its definition here: those are analysed first. */
  isInSight?(definition: SourceRange): boolean;
}

/**
 * What is known of the files of a workspace. It holds the programs of the files that were asked for (`analyse`, `include`) until they are
 * forgotten. Nothing throws on user text; an error inside is a failure of the file.
 */
export interface LintSession {
  /**
   * These files have other contents than before, or are new, or are gone. What depends on them is analysed again when asked for. Whether
   * files that do not read them may be seen through other programs now.
   */
  update(changedFiles: readonly string[]): "programs" | "texts";
  /**
   * What stands around the files may be another now: from here on `project` says what. Units of open documents are analysed again when
   * asked for, and what settings and texts leave as it was stays known; all others are forgotten.
   */
  renew(project: Project): void;
  /**
   * Everything known of `file`, through all programs that reach it. One that no program reaches is a program of its own.
   * Null where `signal` cancelled it: what was done until then is kept.
   */
  analyse(file: string, signal?: CancelSignal): FileAnalysis | null;
  /**
   * While `file` is analysed: its kernels that were in sight as they are now, and the others as they were before. Null where there is no more
   * to show than the last time.
   */
  draft(file: string): FileAnalysis | null;
  /** Of a file that programs at hand read what these say, though there may be others. */
  atHand(file: string): FileAnalysis;
  /** Makes sure that the programs of `file` are analysed; false where cancelled. */
  include(file: string, signal?: CancelSignal): boolean;
  /**
   * Nobody is about to mend what does not parse in `file`: until now what was known before it broke stood for it. Whether the next answer
   * may be another.
   */
  leaveBroken(file: string): boolean;
  /** Forgets the programs that a file is the root of which alone was seen through them: nobody asks for it again. */
  forgetOwn(): void;
  /** Forgets units that are part of none of its programs, until what was read has no more than so many characters. */
  forgetUnits(characters: number): void;
  /** `file` is no longer wanted, and the programs that it alone was seen through are forgotten. */
  forget(file: string): void;
  /** Whether answers may change, for not all sources of a large workspace are known yet. */
  readonly isProvisional: boolean;
  /** Gets to know them, in steps. */
  settle(): Generator<void, void>;
  /** The roots of the programs that `file` was seen through last. */
  rootsOf(file: string): readonly string[];
  /** The sources of these programs that read `file`, itself among them. */
  sourcesReading(file: string): readonly string[];
  /** The translation units of the program that makes a launch which the last analysis of `file` knows. */
  unitsOf(file: string, launch: Launch): readonly TranslationUnit[];
  /** What a search for fixes in `file` works on, as it was analysed last; or, where a draft of it is shown, as far as it is by now. */
  fixMaterial(file: string, state?: FileAnalysis["state"]): FixMaterial;
  /** Files with findings or of `requested` that were read, sorted by path. */
  reports(requested: readonly string[]): readonly FileReport[];
  texts(): ReadonlyMap<string, string>;
  /** The text of every file that was read, also of those that became part of no program. */
  readTexts(): ReadonlyMap<string, string>;
  failures(): readonly LintFailure[];
  /** How many launches told something that none before did. */
  readonly news: number;
  /** How many characters its programs have, headers once for each source. */
  readonly charactersKept: number;
  /** Files that are read here and whose findings are wanted. */
  wantedFiles(): readonly string[];
  /** Places of kernels that something launches, and of those that were left out since nothing here does. */
  kernelPlaces(): { readonly launched: ReadonlySet<string>; readonly open: ReadonlySet<string> };
}

/** What a report is made of. */
interface Reported {
  readonly file: string;
  readonly text: string;
  readonly groups: readonly AccessGroup[];
  readonly programs: readonly AnalysedProgram[];
  readonly state: FileAnalysis["state"];
  isRequested(file: string): boolean;
  /** Kernels with a launch whose block is known, here or in programs that do not read the file: they are not shown as assumed. */
  readonly seen: ReadonlySet<string>;
}

export function createLintSession(given: SessionOptions): LintSession {
  return new Session(given);
}

const never: CancelSignal = { isCancelled: () => false };

class Session implements LintSession {
  private given: SessionOptions;
  private readonly programs: Programs;
  /** What was cancelled in the midst, to be gone on with as long as nothing has changed. */
  private readonly unfinished = new Map<string, Generator<void, readonly AnalysedProgram[]>>();
  /** By file, what the last draft of it was made of. */
  private readonly drafted = new Map<string, readonly AnalysedProgram[]>();
  /** By file, what the rules said of it last. */
  private readonly judged = new Map<string, Judged>();

  constructor(given: SessionOptions) {
    this.given = given;
    this.programs = new Programs(given);
  }

  update(changedFiles: readonly string[]): "programs" | "texts" {
    this.unfinished.clear();
    return this.programs.update(changedFiles);
  }

  get isProvisional(): boolean {
    return this.programs.isProvisional;
  }

  *settle(): Generator<void, void> {
    yield* this.programs.settle();
    this.unfinished.clear();
  }

  renew(project: Project): void {
    this.given = { ...this.given, project };
    this.unfinished.clear();
    for (const file of this.programs.files())
      if ((this.given.host.openText?.(file) ?? null) === null) this.forget(file);
    this.programs.renew(project);
  }

  include(file: string, signal: CancelSignal = never): boolean {
    const steps = this.unfinished.get(file) ?? this.programs.of(file);
    this.unfinished.set(file, steps);
    for (;;) {
      const step = steps.next();
      if (step.done) {
        this.unfinished.delete(file);
        return true;
      }
      if (signal.isCancelled()) return false;
    }
  }

  forgetOwn(): void {
    this.programs.forgetOwn();
  }

  forgetUnits(characters: number): void {
    this.programs.forgetUnits(characters);
  }

  leaveBroken(file: string): boolean {
    this.unfinished.delete(file);
    return this.programs.leaveBroken(file);
  }

  forget(file: string): void {
    this.unfinished.delete(file);
    this.drafted.delete(file);
    this.judged.delete(file);
    this.programs.forget(file);
  }

  analyse(file: string, signal: CancelSignal = never): FileAnalysis | null {
    if (!this.include(file, signal)) return null;
    this.drafted.delete(file);
    return this.atHand(file);
  }

  draft(file: string): FileAnalysis | null {
    const programs = this.programs.draftsOf(file);
    const last = this.drafted.get(file) ?? [];
    if (programs === null || programs.every((program, index) => program === last[index])) return null;
    this.drafted.set(file, programs);
    return this.assemble(file, programs, "draft");
  }

  atHand(file: string): FileAnalysis {
    return this.assemble(file, this.programs.lastOf(file), "whole");
  }

  rootsOf(file: string): readonly string[] {
    return this.programs.lastOf(file).map(({ root }) => root);
  }

  sourcesReading(file: string): readonly string[] {
    const units = this.programs.lastOf(file).flatMap((program) => program.units);
    return [...new Set(units.flatMap((unit) => (unit.texts.has(file) ? [unit.file] : [])))];
  }

  unitsOf(file: string, launch: Launch): readonly TranslationUnit[] {
    const programs = this.programs.lastOf(file);
    const holder =
      programs.find(({ analysis }) => analysis?.profiles.some(({ profile }) => profile.launch === launch)) ??
      programs[0];
    return holder?.units ?? [];
  }

  fixMaterial(file: string, state: FileAnalysis["state"] = "whole"): FixMaterial {
    const drafts = state === "draft" ? this.programs.draftsOf(file) : null;
    const programs = drafts ?? this.programs.lastOf(file);
    return {
      analyses: programs.flatMap(({ analysis }) => analysis ?? []),
      pipeline: this.given.pipeline,
      isEditable: (edited) => this.isEditable(edited),
      tried: (texts) => this.programs.tried(programs, texts),
    };
  }

  private isEditable(file: string): boolean {
    const { project } = this.given;
    const result = project.settingsIn(directoryOf(file));
    return (
      result.kind === "settings" &&
      this.programs.isWanted(file, result.settings) &&
      project.generatedText(file) === null
    );
  }

  private assemble(
    file: string,
    programs: readonly AnalysedProgram[],
    state: FileAnalysis["state"],
  ): FileAnalysis {
    const analyses = programs.flatMap(({ analysis }) => analysis ?? []);
    const texts = new Map<string, string>();
    for (const { unit } of analyses) for (const [path, text] of unit.texts) texts.set(path, text);
    const own = programs.find(({ root }) => root === file);
    const text = texts.get(file) ?? own?.text ?? "";
    const groups = groupsOf(programs).filter(({ range }) => range.file === file);
    const report = this.reportOf({
      file,
      text,
      groups,
      programs,
      state,
      isRequested: (each) => each === file,
      seen: withSeenLaunch(programs),
    });
    return {
      file,
      text,
      state,
      report: report ?? { path: file, launches: [], findings: [], notes: [] },
      kernels: kernelsIn(file, analyses),
      groups,
      texts,
      isOpenEnded: this.programs.isOpenEnded(file),
      included: [...new Set(analyses.flatMap(({ unit }) => unit.includedFiles))],
      missingIncludes: missingIncludesIn(file, analyses),
      notes: this.notesOf(file, programs),
      failures: programs.flatMap(({ failures }) => failures),
    };
  }

  /** Null where there is nothing to say. */
  private reportOf({ file, text, groups, programs, state, isRequested, seen }: Reported): FileReport | null {
    const result = this.given.project.settingsIn(directoryOf(file));
    if (result.kind === "errors") return null;
    const { settings } = result;
    if (!isRequested(file) && !this.programs.isWanted(file, settings)) return null;
    const config = configOfFile(settings, file);
    const judged = judgedGroups(groups, config, this.judged.get(file) ?? null, (group) =>
      checkAccess(group, config),
    );
    this.judged.set(file, judged);
    const found = judged.accesses.flatMap((access) => access.findings);
    const isPlayedDown =
      config.samples === "information" &&
      found.some(({ severity }) => severity === "warning") &&
      isSample(file, settings.workspace, this.targetsOf(file));
    const findings = findingsOfFile(file, text, found, {
      config,
      reportsUnused: state === "whole" && isRequested(file),
      warningsAre: isPlayedDown ? "information" : "warning",
    });
    // Of a file that nobody asked for there is something to say only where there is a finding.
    if (!isRequested(file) && findings.length === 0) return null;
    const launches = launchesShownAt(file, programs, isRequested, seen);
    return { path: file, launches, findings, notes: this.notesOf(file, programs) };
  }

  /** The targets that a file is compiled for; of a header none are known. */
  private targetsOf(file: string): readonly string[] {
    const result = this.given.project.contextsOf(file);
    return result.kind === "errors" ? [] : result.settings.flatMap(({ targets }) => targets);
  }

  private notesOf(file: string, programs: readonly AnalysedProgram[]): readonly string[] {
    const gap = this.programs.gapOf(file);
    const notes = programs.flatMap(({ analysis }) => analysis?.notes.get(file) ?? []);
    return [...new Set(gap === null ? notes : [...notes, gap])];
  }

  reports(requested: readonly string[]): readonly FileReport[] {
    const programs = [...this.programs.all()];
    const groups = byFile(groupsOf(programs));
    const seen = withSeenLaunch(programs);
    const texts = this.texts();
    // Nobody can ask for what a build makes.
    const made = [...texts.keys()].filter((file) => this.given.project.generatedText(file) !== null);
    const known = new Set([...requested.filter((file) => texts.has(file)), ...made]);
    const reports = [...new Set([...known, ...groups.keys()])].flatMap(
      (file) =>
        this.reportOf({
          file,
          text: texts.get(file) ?? "",
          groups: groups.get(file) ?? [],
          programs: programs.filter((program) => reads(program, file)),
          state: "whole",
          isRequested: (each) => known.has(each),
          seen,
        }) ?? [],
    );
    return reports.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  texts(): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    for (const { analysis } of this.programs.all())
      for (const [path, text] of analysis?.unit.texts ?? []) texts.set(path, text);
    return texts;
  }

  readTexts(): ReadonlyMap<string, string> {
    return this.programs.readTexts();
  }

  get news(): number {
    return this.programs.news;
  }

  get charactersKept(): number {
    return this.programs.charactersKept;
  }

  wantedFiles(): readonly string[] {
    return [...this.texts().keys()].filter((file) => {
      const result = this.given.project.settingsIn(directoryOf(file));
      return result.kind === "settings" && this.programs.isWanted(file, result.settings);
    });
  }

  kernelPlaces(): { readonly launched: ReadonlySet<string>; readonly open: ReadonlySet<string> } {
    const launched = new Set<string>();
    for (const { analysis } of this.programs.all())
      for (const place of analysis?.launched ?? []) launched.add(place);
    const open = [...this.programs.leftOut].filter((place) => !launched.has(place));
    return { launched, open: new Set(open) };
  }

  failures(): readonly LintFailure[] {
    const seen = new Map<string, LintFailure>();
    for (const { failures } of this.programs.all())
      for (const failure of failures) {
        const key = `${failure.file}\n${failure.message}`;
        if (!seen.has(key)) seen.set(key, failure);
      }
    return [...seen.values()];
  }
}

function groupsOf(programs: readonly AnalysedProgram[]): AccessGroup[] {
  return groupAccesses(distinctProfiles(programs.map(({ analysis }) => analysis?.profiles ?? [])));
}

/**
 * Of the kernels that stand in a source those of all programs; of those in a header what the source, or the first of the program that reads
 * it, launches. What was merely assumed is left out of kernels that are `seen` to be launched.
 */
function launchesShownAt(
  file: string,
  programs: readonly AnalysedProgram[],
  isRequested: (file: string) => boolean,
  seen: ReadonlySet<string>,
): readonly KernelLaunch[] {
  return mergedAcross(
    programs.map(({ analysis, units }) =>
      (analysis?.kernels ?? []).flatMap(({ nameRange, launches }) => {
        if (holderOf(nameRange.file, units, isRequested) !== file) return [];
        const isSeen = seen.has(placeOf(nameRange));
        return launches.filter(({ profile }) => !isSeen || profile.launch.origin.kind !== "assumed");
      }),
    ),
  );
}

function withSeenLaunch(programs: readonly AnalysedProgram[]): ReadonlySet<string> {
  const kernels = programs.flatMap(({ analysis }) => analysis?.kernels ?? []);
  const isSeen = ({ profile }: KernelLaunch) => profile.launch.origin.kind !== "assumed";
  return new Set(
    kernels.flatMap(({ nameRange, launches }) => (launches.some(isSeen) ? [placeOf(nameRange)] : [])),
  );
}

/** The translation unit that speaks for what stands in a file. */
function holderOf(
  file: string,
  units: readonly TranslationUnit[],
  isRequested: (file: string) => boolean,
): string | null {
  if (units.some((unit) => unit.file === file)) return file;
  const reading = units.flatMap((unit) => (unit.texts.has(file) ? [unit.file] : []));
  const requested = reading.find(isRequested) ?? (isRequested(file) ? file : null);
  return requested ?? reading.find((each) => cudaKindOf(each) === "source") ?? reading[0] ?? null;
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
