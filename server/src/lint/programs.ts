// The programs of a workspace as they were analysed last. A file is seen through the programs that reach it; each of them is analysed once for
// all its files.
import { type Host, readText } from "../host/host.ts";
import type { KernelDeclaration } from "../ir/function.ts";
import { type NameIndexOfFiles, sourceName } from "../program/index.ts";
import { type LinkSet, linkSetOf } from "../program/link-set.ts";
import { headersLaunching, rootsOf, sourcesUsing } from "../program/roots.ts";
import { definesMain } from "../program/symbols.ts";
import {
  type BuiltProgram,
  compiledOften,
  knowsPrograms,
  objectsLinkedTo,
  programsOf,
  sourcesLinkedTo,
} from "../program/targets.ts";
import type { FileSettings, Project } from "../project/project.ts";
import { cudaKindOf, holdsCuda } from "../project/walk.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import { isInside, nameOf } from "../text/path.ts";
import { lineStarts, positionAt, type SourceRange } from "../text/source.ts";
import type { Extent } from "./budget.ts";
import { Indexes } from "./indexes.ts";
import type { Pipeline } from "./pipeline.ts";
import { readOptionsOf } from "./read-options.ts";
import { internalFailure, type LintFailure } from "./report.ts";
import type { SessionOptions } from "./session.ts";
import { analyseUnits, type KernelShare, placeOf, type UnitAnalysis, type UnitOptions } from "./unit.ts";
import { type Targets, UnitReader } from "./unit-reader.ts";

/** A program as it was analysed last. */
export interface AnalysedProgram {
  /** Tells it from others of the same root, which the build compiles under other flags. */
  readonly id: ProgramId;
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

/** The root, and the build's target where its flags are not those that come first for all its sources. */
type ProgramId = string & { readonly brand: "ProgramId" };

function idOf(root: string, target: string | null): ProgramId {
  return (target === null ? root : `${root}\0${target}`) as ProgramId;
}

function rootOf(id: ProgramId): string {
  return id.split("\0", 1)[0] ?? id;
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

/** What a program reads, as long as nothing changes. */
export interface LinkedTexts {
  readonly files: ReadonlySet<string>;
  readonly length: number;
}

/** Budgets of text, headers counted once for each source that includes them: a million characters take a second of CPU or two. */
interface TextLimits {
  /**
   * Of the programs that are analysed for the sake of one file. The program that passes it is the last. The tests and samples of a library each
   * link all of it.
   */
  readonly ofFile: number;
  /** Of the programs that are linked to see whether they have a file. */
  readonly ofTried: number;
  /** Of one program. */
  readonly ofProgram: number;
  /** Of one that is entered in the midst, for its root is used by others: it tells little of launches, and these programs overlap. */
  readonly ofUsed: number;
}

const textLimits: Readonly<Record<Extent, TextLimits>> = {
  file: { ofFile: 8_000_000, ofTried: Infinity, ofProgram: 60_000_000, ofUsed: 60_000_000 },
  repository: { ofFile: 4_000_000, ofTried: 8_000_000, ofProgram: 4_000_000, ofUsed: 1_000_000 },
};

/** Programs that an object is linked to though nobody uses it: all tests of a library may be of one kind. */
const mostRootsOfObjects = 4;

const nobody: ReadonlySet<string> = new Set();

export class Programs {
  private readonly pipeline: Pipeline;
  private readonly options: SessionOptions["options"];
  private readonly host: Host;
  private project: Project;
  private readonly reader: UnitReader;
  private readonly indexes: Indexes;
  private readonly links = new Map<ProgramId, Linked>();
  /** In the order in which they were first asked for. */
  private readonly analysed = new Map<ProgramId, AnalysedProgram>();
  /** Of these, what has to be analysed again though its units are the same. */
  private readonly outdated = new Set<ProgramId>();
  /** Of these, what is broken in them is not about to be mended. */
  private readonly leftBroken = new Set<ProgramId>();
  /** What was left in the midst, to be gone on with as long as nothing has changed. */
  private readonly running = new Map<ProgramId, Run>();
  /** By file that was asked for, the programs that it is seen through. */
  private readonly served = new Map<string, readonly ProgramId[]>();
  /** Candidates for roots by file, as long as the index is what it was. */
  private readonly candidates = new Map<string, Candidates>();
  /** By file and name, kernels that nothing launches, and the program that analyses them: one in a header is analysed for one program alone. */
  private readonly owners = new Map<string, ProgramId>();
  private readonly extent: Extent;
  private readonly knownLinks: Map<string, LinkedTexts> | null;
  private readonly limits: TextLimits;

  /** Places of kernels that were not analysed, for nothing launched them when they were met. */
  readonly leftOut = new Set<string>();

  constructor({ host, project, pipeline, options, indexes, knownLinks }: SessionOptions) {
    this.host = host;
    this.project = project;
    this.pipeline = pipeline;
    this.options = options;
    this.knownLinks = knownLinks ?? null;
    this.extent = options.extent ?? "file";
    this.limits = textLimits[this.extent];
    this.reader = new UnitReader(host, project, pipeline);
    this.indexes = indexes ?? new Indexes(host, project, options.largeWorkspaces);
  }

  update(changed: readonly string[]): "programs" | "texts" {
    const isOther = this.project.forget(changed) === "settings";
    if (isOther) {
      this.reader.renew(this.project);
      this.indexes.forgetBuilt();
    }
    this.reader.update(changed);
    const haveChanged = this.indexes.update(changed);
    this.running.clear();
    return isOther || haveChanged ? "programs" : "texts";
  }

  /** Whether what was said last may change, for not all sources around were known then. */
  get isProvisional(): boolean {
    return this.indexes.areIncomplete;
  }

  /** Reads what was not waited for. */
  settle(): Generator<void, void> {
    return this.indexes.complete();
  }

  renew(project: Project): void {
    this.project = project;
    this.reader.renew(project);
    this.indexes.renew(project);
    this.running.clear();
  }

  files(): readonly string[] {
    return [...this.served.keys()];
  }

  all(): Iterable<AnalysedProgram> {
    return this.analysed.values();
  }

  /** The text of every file that was read, whether it became part of a program or not. */
  readTexts(): ReadonlyMap<string, string> {
    return this.reader.texts();
  }

  /** How many characters the units have that are kept, headers once for each source. */
  get charactersKept(): number {
    return textLengthOf(this.reader.units());
  }

  /** The programs at hand that `file` was seen through last; of one that nobody asked for those that read it. */
  lastOf(file: string): readonly AnalysedProgram[] {
    const ids = this.served.get(file);
    if (ids === undefined) return [...this.analysed.values()].filter((program) => reads(program, file));
    return ids.flatMap((id) => this.analysed.get(id) ?? []);
  }

  /** The programs that `file` is seen through, analysed as it is now. */
  *of(file: string): Generator<void, readonly AnalysedProgram[]> {
    const found = sourceName.test(file) ? yield* this.ofSource(file) : yield* this.ofHeader(file);
    this.serve(
      file,
      found.map(({ id }) => id),
    );
    return found;
  }

  /** Nobody asks for `file` any more. */
  forget(file: string): void {
    this.served.delete(file);
    this.prune();
  }

  /** Forgets the programs that a file is the root of which alone was seen through them. */
  forgetOwn(): void {
    for (const [file, ids] of this.served) {
      const shared = ids.filter((id) => rootOf(id) !== file);
      if (shared.length > 0) this.served.set(file, shared);
      else this.served.delete(file);
    }
    this.prune();
  }

  /** What an edit broke in the programs of `file` stands: nobody is about to mend it. Whether anything is seen otherwise now. */
  leaveBroken(file: string): boolean {
    const waiting = this.lastOf(file).filter(({ analysis }) =>
      analysis?.kernels.some((each) => each.isStale),
    );
    for (const { id } of waiting) {
      this.outdated.add(id);
      this.leftBroken.add(id);
      this.running.delete(id);
    }
    return waiting.length > 0;
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
    const ids = this.served.get(file) ?? [];
    const [id] = ids;
    if (id === undefined || rootOf(id) !== file || ids.length > 1) return true;
    const linked = this.links.get(id);
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
      (this.analysed.get(idOf(file, null))?.analysis ?? null) !== null ||
      (this.served.has(file) && this.lastOf(file).some(({ analysis }) => analysis !== null))
    );
  }

  // --- roots

  /** Those of the programs that reach it, and its own for what they leave. */
  private *ofSource(file: string): Generator<void, readonly AnalysedProgram[]> {
    const found: AnalysedProgram[] = [];
    for (const root of yield* this.rootsFor(file))
      for (const id of this.programsOf(root)) {
        const program = yield* this.program(id, nobody);
        if (reads(program, file)) found.push(program);
      }
    const reached = reachedIn(found);
    if (isMoreIn(file, found, reached))
      for (const id of this.programsOf(file)) found.push(yield* this.program(id, reached));
    return found;
  }

  /** Those of the sources that use it, else of a header that includes it and launches. One that nothing includes is a program of its own. */
  private *ofHeader(header: string): Generator<void, readonly AnalysedProgram[]> {
    const found = new Map<ProgramId, AnalysedProgram>();
    const sources = yield* this.sourcesOf(header);
    let textLength = 0;
    for (const [at, source] of sources.entries()) {
      for (const program of yield* this.ofSource(source)) {
        if (!reads(program, header) || found.has(program.id)) continue;
        found.set(program.id, program);
        textLength += textLengthOf(program.units);
      }
      if (textLength < this.limits.ofFile || at === sources.length - 1) continue;
      this.leaveGap(header, `${found.size} programs that use ${nameOf(header)} were analysed, and not all`);
      break;
    }
    if (found.size > 0) return [...found.values()];
    const index = yield* this.indexes.around(header);
    for (const other of index === null ? [] : headersLaunching(header, index)) {
      const program = yield* this.program(idOf(other, null), nobody);
      if (reads(program, header)) return [program];
    }
    return this.isPlain(header) ? [] : [yield* this.program(idOf(header, null), nobody)];
  }

  /** Whether nothing in a header is of CUDA by itself: it is none but where a source of CUDA includes it. */
  private isPlain(header: string): boolean {
    const read = readText(this.host, header);
    return read.kind === "text" && !holdsCuda(header, read.text);
  }

  /** The sources through which a header is seen: those of the workspace that use it, and those at hand that read it. */
  private *sourcesOf(header: string): Generator<void, readonly string[]> {
    const index = yield* this.indexes.around(header);
    const all = index === null ? [] : this.usersOf(header, index);
    const using = this.isPlain(header) ? all.filter((file) => cudaKindOf(file) === "source") : all;
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
    if (definesMain(yield* this.readUnit(file, null))) return [];
    const index = yield* this.indexes.around(file);
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
    const roots = [...new Set([...files, ...this.rootsWithObjectOf(file, index)])];
    this.candidates.set(file, { version, roots, gap });
    return roots;
  }

  /** The sources with `main` that the build links to `file` though they may not use it. */
  private rootsWithObjectOf(file: string, index: NameIndexOfFiles): readonly string[] {
    const description = this.project.descriptionOf(file);
    if (description === null) return [];
    const built = new Set(
      description.targets.flatMap(({ kind, sources }) => (kind === "executable" ? sources : [])),
    );
    return [...built]
      .filter((root) => index.fileOf(root)?.facts.isRoot && objectsLinkedTo(root, description).has(file))
      .slice(0, mostRootsOfObjects);
  }

  /** Of the roots those whose program really has the file, within the budget. */
  private *verified(file: string, roots: readonly string[]): Generator<void, readonly string[]> {
    const found: string[] = [];
    let textLength = 0;
    let triedLength = 0;
    for (const root of roots) {
      if (textLength >= this.limits.ofFile || triedLength >= this.limits.ofTried) {
        this.leaveGap(
          file,
          `of ${roots.length} programs that may reach ${nameOf(file)} the nearest ${found.length} were analysed`,
        );
        break;
      }
      for (const id of this.programsOf(root)) {
        const linked = yield* this.linkedTexts(id);
        if (linked === null) continue;
        triedLength += linked.length;
        if (!linked.files.has(file)) continue;
        found.push(root);
        textLength += linked.length;
        break;
      }
    }
    return found;
  }

  /** Null where the root cannot be read. */
  private *linkedTexts(id: ProgramId): Generator<void, LinkedTexts | null> {
    const known = this.knownLinks?.get(id);
    if (known !== undefined) return known;
    const linked = yield* this.link(id);
    if (linked === null) return null;
    const { units } = linked.set;
    const made = {
      files: new Set(units.flatMap(({ texts }) => [...texts.keys()])),
      length: textLengthOf(units),
    };
    this.knownLinks?.set(id, made);
    return made;
  }

  private leaveGap(file: string, gap: string): void {
    const known = this.candidates.get(file);
    if (known !== undefined) this.candidates.set(file, { ...known, gap });
  }

  /**
   * The programs that the build makes of a root: one, unless it compiles some of their sources in several ways, each way for another target.
   */
  private programsOf(root: string): readonly ProgramId[] {
    const description = this.project.descriptionOf(root);
    const often = description === null ? nobody : compiledOften(description);
    if (description === null || often.size === 0) return [idOf(root, null)];
    const byFlags = new Map<string, ProgramId>();
    for (const { target, linked, sources } of programsOf(root, description)) {
      const contexts = [...sources]
        .filter((file) => often.has(file))
        .map((file) => this.reader.contextsFor(file, linked).join("+"));
      const isUsual = contexts.every((context) => context === "0");
      const flags = isUsual ? "" : `${[...sources].join("\n")}\n${contexts.join()}`;
      if (!byFlags.has(flags)) byFlags.set(flags, idOf(root, isUsual ? null : target));
    }
    return byFlags.size === 0 ? [idOf(root, null)] : [...byFlags.values()];
  }

  /** What the build makes in the program's target; null where that is no matter. */
  private builtFor(id: ProgramId): BuiltProgram | null {
    const root = rootOf(id);
    const description = this.project.descriptionOf(root);
    if (description === null || id === root) return null;
    return programsOf(root, description).find(({ target }) => idOf(root, target) === id) ?? null;
  }

  // --- programs

  /** Null where the root cannot be read. */
  private *link(id: ProgramId): Generator<void, Linked | null> {
    const root = rootOf(id);
    const built = this.builtFor(id);
    const targets = built?.linked ?? null;
    const read = this.reader.read(root, targets);
    yield;
    if (read.kind === "failed") return null;
    const known = this.links.get(id);
    if (
      known !== undefined &&
      known.settings === read.settings &&
      (yield* this.isCurrent(root, targets, known))
    )
      return known;
    const set = yield* linkSetOf(read.unit, {
      index: () => this.indexes.around(root),
      read: (file) => this.readUnits(file, targets),
      isLinked: built === null ? this.linkedBy(root) : (file) => built.sources.has(file),
      objects: built?.objects ?? this.objectsOf(root),
      linksDeviceCode: read.settings.flags.hasRelocatableDeviceCode,
      mostCharacters: yield* this.mostCharactersOf(root, read.unit),
    });
    const version = set.asked.size === 0 ? 0 : this.versionOf(yield* this.indexes.around(root));
    const linked = { set, settings: read.settings, text: read.text, version };
    this.links.set(id, linked);
    return linked;
  }

  private *mostCharactersOf(root: string, unit: TranslationUnit): Generator<void, number> {
    const { ofProgram, ofUsed } = this.limits;
    if (ofProgram === ofUsed || definesMain(unit)) return ofProgram;
    const index = yield* this.indexes.around(root);
    const isUsed = index !== null && (yield* this.candidatesFor(root, index)).length > 0;
    return isUsed ? ofUsed : ofProgram;
  }

  private versionOf(index: NameIndexOfFiles | null): number {
    return index?.version ?? -1;
  }

  private *isCurrent(root: string, targets: Targets, { set, version }: Linked): Generator<void, boolean> {
    if (set.asked.size > 0 && this.versionOf(yield* this.indexes.around(root)) !== version) return false;
    for (const unit of set.units)
      if (!(yield* this.readUnits(unit.file, targets)).includes(unit)) return false;
    return true;
  }

  /** Whether the build links a source to the programs that it makes of `root`; null where no build says anything of them. */
  private linkedBy(root: string): ((file: string) => boolean) | null {
    const description = this.project.descriptionOf(root);
    const linked = description === null ? null : sourcesLinkedTo(root, description);
    return linked && ((file) => linked.has(file));
  }

  private objectsOf(root: string): ReadonlySet<string> {
    const description = this.project.descriptionOf(root);
    return description === null ? nobody : objectsLinkedTo(root, description);
  }

  private *readUnit(file: string, targets: Targets): Generator<void, TranslationUnit | null> {
    const [unit = null] = yield* this.readUnits(file, targets);
    return unit;
  }

  private *readUnits(file: string, targets: Targets): Generator<void, readonly TranslationUnit[]> {
    const wasRead = this.reader.isRead(file, targets);
    const all = this.reader.readAll(file, targets);
    if (!wasRead) yield;
    return all.flatMap((read) => (read.kind === "unit" ? [read.unit] : []));
  }

  private *program(id: ProgramId, spokenFor: ReadonlySet<string>): Generator<void, AnalysedProgram> {
    for (;;) {
      const linked = yield* this.link(id);
      const known = this.analysed.get(id);
      if (linked === null) return this.failedProgram(id);
      const isCurrent = known?.settings === linked.settings && !this.outdated.has(id);
      if (isCurrent && isSameProgram(known, linked.set.units, spokenFor)) return known;
      let run = this.running.get(id);
      if (run === undefined || !isSameProgram(run, linked.set.units, spokenFor)) {
        const steps = this.analyse(id, linked, spokenFor, known ?? null);
        run = { steps, units: linked.set.units, spokenFor };
        this.running.set(id, run);
      }
      // Whoever else waits for it may take its steps as well.
      while (this.running.get(id) === run) {
        const step = run.steps.next();
        if (step.done) {
          this.running.delete(id);
          this.outdated.delete(id);
          this.leftBroken.delete(id);
          this.analysed.set(id, step.value);
          return step.value;
        }
        yield;
      }
    }
  }

  private *analyse(
    id: ProgramId,
    { set, settings, text }: Linked,
    spokenFor: ReadonlySet<string>,
    earlier: AnalysedProgram | null,
  ): Generator<void, AnalysedProgram> {
    const root = rootOf(id);
    const options = this.optionsOf(id, set, settings, spokenFor);
    const made = { id, root, units: set.units, text, settings, options, spokenFor };
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

  private failedProgram(id: ProgramId): AnalysedProgram {
    const root = rootOf(id);
    const read = this.reader.read(root, this.builtFor(id)?.linked ?? null);
    const program: AnalysedProgram = {
      id,
      root,
      units: [],
      analysis: null,
      failures: read.kind === "failed" ? read.failures : [],
      text: read.text,
      settings: null,
      options: null,
      spokenFor: nobody,
    };
    this.analysed.set(id, program);
    return program;
  }

  private optionsOf(
    id: ProgramId,
    { units, gaps }: LinkSet,
    settings: FileSettings,
    spokenFor: ReadonlySet<string>,
  ): UnitOptions {
    const members = new Set(units.map(({ file }) => file));
    members.delete(rootOf(id));
    const { unlaunched = "all" } = this.options;
    const shareOf = ({ nameRange }: KernelDeclaration): KernelShare => {
      if (typeof unlaunched !== "string") return unlaunched.has(placeOf(nameRange)) ? "all" : "none";
      if (members.has(nameRange.file)) return "launched";
      return spokenFor.has(placeOf(nameRange)) ? "none" : "all";
    };
    return {
      block: this.options.block,
      gaps,
      edits: this.options.edits ?? "awaited",
      extent: this.extent,
      brokenCode: this.leftBroken.has(id) ? "as they are" : "awaited",
      shareOf,
      wantsUnlaunched: (kernel) => shareOf(kernel) === "all" && this.isOwner(id, kernel, settings),
    };
  }

  /** Whether the program analyses a kernel that nothing launches. */
  private isOwner(
    id: ProgramId,
    { range, nameRange, qualifiedName }: KernelDeclaration,
    settings: FileSettings,
  ): boolean {
    if (this.options.unlaunched === "of roots" && range.file !== rootOf(id)) {
      if (this.isWanted(range.file, settings)) this.leftOut.add(placeOf(nameRange));
      return false;
    }
    const key = `${range.file}\0${qualifiedName}`;
    const owner = this.owners.get(key) ?? id;
    this.owners.set(key, owner);
    return owner === id && (range.file === rootOf(id) || this.isWanted(range.file, settings));
  }

  private serve(file: string, ids: readonly ProgramId[]): void {
    const before = this.served.get(file);
    this.served.set(file, ids);
    if (before?.some((id) => !ids.includes(id))) this.prune();
  }

  /** Forgets the programs that no file that was asked for is seen through. */
  private prune(): void {
    const kept = new Set([...this.served.values()].flat());
    const gone = [...this.analysed.keys()].filter((id) => !kept.has(id));
    if (gone.length === 0) return;
    for (const id of gone) {
      this.analysed.delete(id);
      this.running.delete(id);
    }
    for (const id of this.links.keys()) if (!kept.has(id)) this.links.delete(id);
    for (const [kernel, owner] of this.owners) {
      if (kept.has(owner)) continue;
      this.owners.delete(kernel);
      // In a repository what it leaves is asked for by itself.
      if (this.extent === "repository") continue;
      // Another program may have to analyse it now.
      const file = kernel.slice(0, kernel.indexOf("\0"));
      for (const [id, program] of this.analysed) if (reads(program, file)) this.outdated.add(id);
    }
    const files = [...this.links.values()].flatMap(({ set }) => set.units.map(({ file }) => file));
    this.reader.keepOnly(new Set([...files, ...[...kept].map(rootOf)]));
  }

  private triedUnit(
    unit: TranslationUnit,
    rootSettings: FileSettings,
    texts: ReadonlyMap<string, string>,
  ): TranslationUnit {
    if (![...texts.keys()].some((file) => unit.texts.has(file))) return unit;
    const settings = this.reader.settingsOf(unit) ?? rootSettings;
    return this.pipeline.read(unit.file, texts.get(unit.file) ?? unit.texts.get(unit.file) ?? "", {
      ...readOptionsOf(withTexts(settings, texts)),
      previous: unit,
    });
  }
}

function textLengthOf(units: readonly TranslationUnit[]): number {
  let sum = 0;
  for (const { texts } of units) for (const text of texts.values()) sum += text.length;
  return sum;
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
