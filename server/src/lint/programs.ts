// The programs of a workspace as they were analysed last. A file is seen through the programs that reach it; each of them is analysed once for
// all its files.
import type { Host } from "../host/host.ts";
import type { KernelDeclaration } from "../ir/function.ts";
import { createNameIndex, type NameIndexOfFiles, sourceName } from "../program/index.ts";
import { type LinkSet, linkSetOf } from "../program/link-set.ts";
import { rootsOf, sourcesUsing } from "../program/roots.ts";
import { definesMain } from "../program/symbols.ts";
import { knowsPrograms, sourcesLinkedTo } from "../program/targets.ts";
import type { FileSettings, Project } from "../project/project.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import { directoryOf, isInside } from "../text/path.ts";
import { lineStarts, positionAt, type SourceRange } from "../text/source.ts";
import type { Pipeline } from "./pipeline.ts";
import { readOptionsOf } from "./read-options.ts";
import { internalFailure, type LintFailure } from "./report.ts";
import type { SessionOptions } from "./session.ts";
import { analyseUnits, type KernelShare, placeOf, type UnitAnalysis, type UnitOptions } from "./unit.ts";
import { UnitReader } from "./unit-reader.ts";

/** A program as it was analysed last. */
export interface AnalysedProgram {
  readonly root: string;
  /** As they were linked; none where the root could not be read. */
  readonly units: readonly TranslationUnit[];
  /** Null where it could not be analysed: `failures` say why. */
  readonly analysis: UnitAnalysis | null;
  readonly failures: readonly LintFailure[];
  /** Of the root. */
  readonly text: string;
  readonly settings: FileSettings | null;
  readonly options: UnitOptions | null;
  /** Kernels that other programs speak for, by `placeOf`. */
  readonly spokenFor: ReadonlySet<string>;
}

interface Linked {
  readonly set: LinkSet;
  readonly settings: FileSettings;
  readonly text: string;
  /** That of the index when it was asked. */
  readonly version: number;
}

interface Candidates {
  readonly version: number;
  readonly roots: readonly string[];
  readonly gap: string | null;
}

interface Run {
  readonly steps: Generator<void, AnalysedProgram>;
  readonly units: readonly TranslationUnit[];
  readonly spokenFor: ReadonlySet<string>;
}

const nobody: ReadonlySet<string> = new Set();

/** Files to be read before the first answer, where somebody waits for it. */
const mostAwaited = 200;

export class Programs {
  private readonly host: Host;
  private readonly pipeline: Pipeline;
  private readonly options: SessionOptions["options"];
  private project: Project;
  private readonly reader: UnitReader;
  /** By workspace. */
  private readonly indexes = new Map<string, NameIndexOfFiles>();
  private readonly links = new Map<string, Linked>();
  /** Those that nobody waited for. */
  private readonly waiting = new Set<NameIndexOfFiles>();
  /** In the order in which they were first asked for. */
  private readonly analysed = new Map<string, AnalysedProgram>();
  /** Of these, what has to be analysed again though its units are the same. */
  private readonly outdated = new Set<string>();
  /** What was left in the midst, to be gone on with as long as nothing has changed. */
  private readonly running = new Map<string, Run>();
  /** By file that was asked for, the roots of the programs that it is seen through. */
  private readonly served = new Map<string, readonly string[]>();
  /** Candidates for roots by file, as long as the index is what it was. */
  private readonly candidates = new Map<string, Candidates>();
  /** By file and name, kernels that nothing launches, and the program that analyses them: one in a header is analysed for one program alone. */
  private readonly owners = new Map<string, string>();

  constructor({ host, project, pipeline, options }: SessionOptions) {
    this.host = host;
    this.project = project;
    this.pipeline = pipeline;
    this.options = options;
    this.reader = new UnitReader(host, project, pipeline);
  }

  update(changed: readonly string[]): "programs" | "texts" {
    const isOther = this.project.forget(changed) === "settings";
    if (isOther) this.reader.renew(this.project);
    this.reader.update(changed);
    const before = this.version();
    for (const index of this.indexes.values()) index.update(changed);
    this.running.clear();
    return isOther || this.version() !== before ? "programs" : "texts";
  }

  /** Whether what was said last may change, for not all sources around were known then. */
  get isProvisional(): boolean {
    return this.waiting.size > 0;
  }

  /** Reads what was not waited for. */
  *settle(): Generator<void, void> {
    for (const index of this.waiting) yield* index.refresh();
    this.waiting.clear();
  }

  private version(): number {
    let sum = 0;
    for (const index of this.indexes.values()) sum += index.version + index.unreadCount;
    return sum;
  }

  renew(project: Project): void {
    this.project = project;
    this.reader.renew(project);
    for (const [workspace, index] of this.indexes) {
      const around = project.settingsIn(workspace);
      if (around.kind === "settings") index.relist(around.settings.ignored);
    }
    this.running.clear();
  }

  files(): readonly string[] {
    return [...this.served.keys()];
  }

  all(): Iterable<AnalysedProgram> {
    return this.analysed.values();
  }

  /** The programs at hand that `file` was seen through last; of one that nobody asked for those that read it. */
  lastOf(file: string): readonly AnalysedProgram[] {
    const roots = this.served.get(file);
    if (roots === undefined) return [...this.analysed.values()].filter((program) => reads(program, file));
    return roots.flatMap((root) => this.analysed.get(root) ?? []);
  }

  /** The programs that `file` is seen through, analysed as it is now. */
  *of(file: string): Generator<void, readonly AnalysedProgram[]> {
    const found = sourceName.test(file) ? yield* this.ofSource(file) : yield* this.ofHeader(file);
    this.serve(
      file,
      found.map(({ root }) => root),
    );
    return found;
  }

  /** Nobody asks for `file` any more. */
  forget(file: string): void {
    this.served.delete(file);
    this.prune();
  }

  /** The programs of `texts` in place of those of the files they name. */
  *tried(
    programs: readonly AnalysedProgram[],
    texts: ReadonlyMap<string, string>,
  ): Generator<void, readonly UnitAnalysis[]> {
    const tried: UnitAnalysis[] = [];
    for (const { analysis, units, settings, options } of programs) {
      if (analysis === null || settings === null || options === null) continue;
      if (![...texts.keys()].some((file) => analysis.unit.texts.has(file))) {
        tried.push(analysis);
        continue;
      }
      const edited = units.map((unit) => this.triedUnit(unit, settings, texts));
      tried.push(yield* analyseUnits(edited, settings, this.pipeline, options, analysis.memory));
    }
    return tried;
  }

  /** Why there may be more programs than those that `file` was seen through last; null where these are all. */
  gapOf(file: string): string | null {
    return this.candidates.get(file)?.gap ?? null;
  }

  /** Whether other sources, as they are or as they may become, have a say in the programs of `file`. */
  isOpenEnded(file: string): boolean {
    const roots = this.served.get(file) ?? [];
    const [root] = roots;
    if (root !== file || roots.length > 1) return true;
    const linked = this.links.get(root);
    return linked === undefined || linked.set.asked.size > 0 || !definesMain(linked.set.units[0] ?? null);
  }

  /** Whether something is said of `file`: it was asked for, or lies where it is not ignored. */
  isWanted(file: string, settings: Pick<FileSettings, "workspace" | "ignored">): boolean {
    return (
      this.isUnit(file) || (isInside(file, settings.workspace) && !settings.ignored.isIgnored(file, "file"))
    );
  }

  isUnit(file: string): boolean {
    return (
      (this.analysed.get(file)?.analysis ?? null) !== null ||
      (this.served.has(file) && this.lastOf(file).some(({ analysis }) => analysis !== null))
    );
  }

  // --- roots

  /** Those of the programs that reach it, and its own for what they leave. */
  private *ofSource(file: string): Generator<void, readonly AnalysedProgram[]> {
    const found: AnalysedProgram[] = [];
    for (const root of yield* this.rootsFor(file)) found.push(yield* this.program(root, nobody));
    const reached = reachedIn(found);
    if (isMoreIn(file, found, reached)) found.push(yield* this.program(file, reached));
    return found;
  }

  /** Those of the sources that use it. One that no source includes is a program of its own. */
  private *ofHeader(header: string): Generator<void, readonly AnalysedProgram[]> {
    const found = new Map<string, AnalysedProgram>();
    for (const source of yield* this.sourcesOf(header))
      for (const program of yield* this.ofSource(source))
        if (reads(program, header)) found.set(program.root, program);
    return found.size > 0 ? [...found.values()] : [yield* this.program(header, nobody)];
  }

  /** The sources through which a header is seen: those of the workspace that use it, and those at hand that read it. */
  private *sourcesOf(header: string): Generator<void, readonly string[]> {
    const index = yield* this.indexAround(header);
    const using = index === null ? [] : this.usersOf(header, index);
    const atHand = [...this.served.keys()].filter(
      (file) =>
        file !== header &&
        sourceName.test(file) &&
        this.lastOf(file).some((program) => reads(program, header)),
    );
    return [...new Set([...using, ...atHand])];
  }

  private usersOf(header: string, index: NameIndexOfFiles): readonly string[] {
    const known = this.candidates.get(header);
    if (known?.version === index.version) return known.roots;
    const { files, gap } = sourcesUsing(header, index);
    this.candidates.set(header, { version: index.version, roots: files, gap });
    return files;
  }

  /** Of a source: of the programs that reach it; none where it has its own `main`, for no program has two. */
  private *rootsFor(file: string): Generator<void, readonly string[]> {
    if (definesMain(yield* this.readUnit(file))) return [];
    const index = yield* this.indexAround(file);
    if (index === null) return [];
    return yield* this.verified(file, yield* this.candidatesFor(file, index));
  }

  private *candidatesFor(file: string, index: NameIndexOfFiles): Generator<void, readonly string[]> {
    const known = this.candidates.get(file);
    if (known?.version === index.version) return known.roots;
    const { version } = index;
    const description = this.project.descriptionOf(file);
    const meant = description !== null && knowsPrograms(description) ? "any" : "nearest";
    const { files, gap } = yield* rootsOf(file, index, meant);
    this.candidates.set(file, { version, roots: files, gap });
    return files;
  }

  /** Of the roots those whose program really has the file. */
  private *verified(file: string, roots: readonly string[]): Generator<void, readonly string[]> {
    const found: string[] = [];
    for (const root of roots) {
      const linked = yield* this.link(root);
      if (linked?.set.units.some(({ texts }) => texts.has(file))) found.push(root);
    }
    return found;
  }

  /** What is known of all files around one; null where that is nothing, or too much to wait for. */
  private *indexAround(file: string): Generator<void, NameIndexOfFiles | null> {
    const index = this.indexFor(file);
    if (index === null) return null;
    if (this.options.largeWorkspaces === "in the background") {
      yield* index.list();
      if (index.unreadCount > mostAwaited) {
        this.waiting.add(index);
        return null;
      }
    }
    yield* index.refresh();
    return index;
  }

  private indexFor(file: string): NameIndexOfFiles | null {
    const around = this.project.settingsIn(directoryOf(file));
    if (around.kind === "errors") return null;
    const { workspace, ignored } = around.settings;
    const known = this.indexes.get(workspace);
    if (known !== undefined) return known;
    const ofWorkspace = this.project.settingsIn(workspace);
    const made = createNameIndex(
      this.host,
      workspace,
      ofWorkspace.kind === "settings" ? ofWorkspace.settings.ignored : ignored,
    );
    this.indexes.set(workspace, made);
    return made;
  }

  // --- programs

  /** Null where the root cannot be read. */
  private *link(root: string): Generator<void, Linked | null> {
    const read = this.reader.read(root);
    yield;
    if (read.kind === "failed") return null;
    const known = this.links.get(root);
    if (known !== undefined && known.settings === read.settings && (yield* this.isCurrent(root, known)))
      return known;
    const set = yield* linkSetOf(read.unit, {
      index: () => this.indexAround(root),
      read: (file) => this.readUnit(file),
      isLinked: this.linkedBy(root),
      linksDeviceCode: read.settings.flags.hasRelocatableDeviceCode,
    });
    const version = set.asked.size === 0 ? 0 : this.versionOf(yield* this.indexAround(root));
    const linked = { set, settings: read.settings, text: read.text, version };
    this.links.set(root, linked);
    return linked;
  }

  private versionOf(index: NameIndexOfFiles | null): number {
    return index?.version ?? -1;
  }

  private *isCurrent(root: string, { set, version }: Linked): Generator<void, boolean> {
    if (set.asked.size > 0 && this.versionOf(yield* this.indexAround(root)) !== version) return false;
    for (const unit of set.units) if ((yield* this.readUnit(unit.file)) !== unit) return false;
    return true;
  }

  /** Whether the build links a source to the programs that it makes of `root`; null where no build says anything of them. */
  private linkedBy(root: string): ((file: string) => boolean) | null {
    const description = this.project.descriptionOf(root);
    const linked = description === null ? null : sourcesLinkedTo(root, description);
    return linked && ((file) => linked.has(file));
  }

  private *readUnit(file: string): Generator<void, TranslationUnit | null> {
    const last = this.reader.last(file);
    const read = this.reader.read(file);
    if (read !== last) yield;
    return read.kind === "unit" ? read.unit : null;
  }

  private *program(root: string, spokenFor: ReadonlySet<string>): Generator<void, AnalysedProgram> {
    for (;;) {
      const linked = yield* this.link(root);
      const known = this.analysed.get(root);
      if (linked === null) return this.failedProgram(root);
      const isCurrent = known?.settings === linked.settings && !this.outdated.has(root);
      if (isCurrent && isSameProgram(known, linked.set.units, spokenFor)) return known;
      let run = this.running.get(root);
      if (run === undefined || !isSameProgram(run, linked.set.units, spokenFor)) {
        const steps = this.analyse(root, linked, spokenFor, known ?? null);
        run = { steps, units: linked.set.units, spokenFor };
        this.running.set(root, run);
      }
      // Whoever else waits for it may take its steps as well.
      while (this.running.get(root) === run) {
        const step = run.steps.next();
        if (step.done) {
          this.running.delete(root);
          this.outdated.delete(root);
          this.analysed.set(root, step.value);
          return step.value;
        }
        yield;
      }
    }
  }

  private *analyse(
    root: string,
    { set, settings, text }: Linked,
    spokenFor: ReadonlySet<string>,
    earlier: AnalysedProgram | null,
  ): Generator<void, AnalysedProgram> {
    const options = this.optionsOf(root, set, settings, spokenFor);
    const made = { root, units: set.units, text, settings, options, spokenFor };
    try {
      const analysis = yield* analyseUnits(
        set.units,
        settings,
        this.pipeline,
        options,
        earlier?.analysis?.memory ?? null,
      );
      const failures = analysis.problems.map(({ message, range }) =>
        problemAt(range, analysis.unit.texts, message),
      );
      return { ...made, analysis, failures };
    } catch (error) {
      return { ...made, analysis: null, failures: [internalFailure(root, error)] };
    }
  }

  private failedProgram(root: string): AnalysedProgram {
    const read = this.reader.read(root);
    const program: AnalysedProgram = {
      root,
      units: [],
      analysis: null,
      failures: read.kind === "failed" ? read.failures : [],
      text: read.text,
      settings: null,
      options: null,
      spokenFor: nobody,
    };
    this.analysed.set(root, program);
    return program;
  }

  private optionsOf(
    root: string,
    { units, gaps }: LinkSet,
    settings: FileSettings,
    spokenFor: ReadonlySet<string>,
  ): UnitOptions {
    const members = new Set(units.map(({ file }) => file));
    members.delete(root);
    const shareOf = ({ nameRange }: KernelDeclaration): KernelShare => {
      if (members.has(nameRange.file)) return "launched";
      return spokenFor.has(placeOf(nameRange)) ? "none" : "all";
    };
    return {
      block: this.options.block,
      gaps,
      shareOf,
      wantsUnlaunched: (kernel) => shareOf(kernel) === "all" && this.isOwner(root, kernel, settings),
    };
  }

  /** Whether the program of `root` analyses a kernel that nothing launches. */
  private isOwner(
    root: string,
    { range, qualifiedName }: KernelDeclaration,
    settings: FileSettings,
  ): boolean {
    const key = `${range.file}\n${qualifiedName}`;
    const owner = this.owners.get(key) ?? root;
    this.owners.set(key, owner);
    return owner === root && (range.file === root || this.isWanted(range.file, settings));
  }

  private serve(file: string, roots: readonly string[]): void {
    const before = this.served.get(file);
    this.served.set(file, roots);
    if (before?.some((root) => !roots.includes(root))) this.prune();
  }

  /** Forgets the programs that no file that was asked for is seen through. */
  private prune(): void {
    const kept = new Set([...this.served.values()].flat());
    const gone = [...this.analysed.keys()].filter((root) => !kept.has(root));
    if (gone.length === 0) return;
    for (const root of gone) {
      this.analysed.delete(root);
      this.running.delete(root);
    }
    for (const root of this.links.keys()) if (!kept.has(root)) this.links.delete(root);
    for (const [kernel, owner] of this.owners) {
      if (kept.has(owner)) continue;
      this.owners.delete(kernel);
      // Another program may have to analyse it now.
      const file = kernel.slice(0, kernel.indexOf("\n"));
      for (const [root, program] of this.analysed) if (reads(program, file)) this.outdated.add(root);
    }
    const files = [...this.links.values()].flatMap(({ set }) => set.units.map(({ file }) => file));
    this.reader.keepOnly(new Set([...files, ...kept]));
  }

  private triedUnit(
    unit: TranslationUnit,
    rootSettings: FileSettings,
    texts: ReadonlyMap<string, string>,
  ): TranslationUnit {
    if (![...texts.keys()].some((file) => unit.texts.has(file))) return unit;
    const read = this.reader.last(unit.file);
    const settings = read?.kind === "unit" ? read.settings : rootSettings;
    return this.pipeline.read(unit.file, texts.get(unit.file) ?? unit.texts.get(unit.file) ?? "", {
      ...readOptionsOf(withTexts(settings, texts)),
      previous: unit,
    });
  }
}

export function reads({ analysis, units }: AnalysedProgram, file: string): boolean {
  return analysis?.unit.texts.has(file) ?? units.some(({ texts }) => texts.has(file));
}

function isSameProgram(
  known: Pick<AnalysedProgram, "units" | "spokenFor">,
  units: readonly TranslationUnit[],
  spokenFor: ReadonlySet<string>,
): boolean {
  return (
    known.units.length === units.length &&
    known.units.every((unit, index) => unit === units[index]) &&
    known.spokenFor.size === spokenFor.size &&
    [...spokenFor].every((place) => known.spokenFor.has(place))
  );
}

/** The kernels that some program launches. */
function reachedIn(programs: readonly AnalysedProgram[]): ReadonlySet<string> {
  return new Set(programs.flatMap(({ analysis }) => [...(analysis?.launched ?? [])]));
}

/** Whether there is more to say of `file` than what `programs` say: kernels that none of them launches, or that could not be read. */
function isMoreIn(file: string, programs: readonly AnalysedProgram[], reached: ReadonlySet<string>): boolean {
  const analyses = programs.flatMap(({ analysis }) => (analysis?.unit.texts.has(file) ? [analysis] : []));
  if (analyses.length === 0) return true;
  return analyses.some(({ kernels }) =>
    kernels.some(({ nameRange }) => nameRange.file === file && !reached.has(placeOf(nameRange))),
  );
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
  };
}

function problemAt(range: SourceRange, texts: ReadonlyMap<string, string>, message: string): LintFailure {
  const { line, column } = positionAt(lineStarts(texts.get(range.file) ?? ""), range.start);
  return { file: `${range.file}:${line}:${column}`, message, detail: null };
}
