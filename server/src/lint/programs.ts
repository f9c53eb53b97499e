// The programs of a workspace as they were analysed last. A file is seen through the programs that reach it; each of them is analysed once for
// all its files.
import { type Host, readText } from "../host/host.ts";
import type { KernelDeclaration } from "../ir/function.ts";
import { sourceName } from "../program/index.ts";
import type { LinkSet } from "../program/link-set.ts";
import { headersLaunching, sourcesNaming } from "../program/roots.ts";
import { definesMain } from "../program/symbols.ts";
import type { FileSettings, Project } from "../project/project.ts";
import { cudaKindOf, holdsCuda } from "../project/walk.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import { isInside, nameOf } from "../text/path.ts";
import {
  type AnalysedProgram,
  idOf,
  isMoreIn,
  isSameProgram,
  type ProgramId,
  reachedIn,
  reads,
  rootOf,
  textLengthOf,
  unreadProgram,
} from "./analysed-program.ts";
import type { Extent } from "./budget.ts";
import { Candidates } from "./candidates.ts";
import { isKernel } from "./dependencies.ts";
import { Indexes } from "./indexes.ts";
import { Instances, ToldInstances } from "./instances.ts";
import { type Linked, LinkedPrograms } from "./linked-programs.ts";
import type { UnitMemory } from "./memory.ts";
import type { Pipeline } from "./pipeline.ts";
import { type ProgramRun, startProgram } from "./program-run.ts";
import type { SessionOptions } from "./session.ts";
import { type TextLimits, textLimits } from "./text-limits.ts";
import { triedUnit } from "./tried-unit.ts";
import { analyseUnits, type KernelShare, placeOf, type UnitAnalysis, type UnitOptions } from "./unit.ts";
import { UnitReader } from "./unit-reader.ts";

const nobody: ReadonlySet<string> = new Set();

/** Programs larger than what is followed that were read in vain, one behind the other: where parts of them do not reach a file, those of others won't. */
const mostCutInVain = 2;

/** Sources that name something of a file and are linked to see whether they have it, where no program has. */
const mostNaming = 4;

export class Programs {
  private readonly pipeline: Pipeline;
  private readonly options: SessionOptions["options"];
  private readonly host: Host;
  private project: Project;
  private readonly reader: UnitReader;
  private readonly indexes: Indexes;
  private readonly linked: LinkedPrograms;
  /** In the order in which they were first asked for. */
  private readonly analysed = new Map<ProgramId, AnalysedProgram>();
  /** Of these, what has to be analysed again though its units are the same. */
  private readonly outdated = new Set<ProgramId>();
  /** Of these, what is broken in them is not about to be mended. */
  private readonly leftBroken = new Set<ProgramId>();
  /** What was left in the midst, to be gone on with as long as nothing has changed. */
  private readonly running = new Map<ProgramId, ProgramRun>();
  /** Of those that were left in the midst since something has changed, what was known by then. */
  private readonly interrupted = new Map<ProgramId, UnitMemory>();
  private readonly isInSight: NonNullable<SessionOptions["isInSight"]>;
  /** By file that was asked for, the programs that it is seen through. */
  private readonly served = new Map<string, readonly ProgramId[]>();
  private readonly candidates = new Candidates();
  /** By file and name, kernels that nothing launches, and the program that analyses them: one in a header is analysed for one program alone. */
  private readonly owners = new Map<string, ProgramId>();
  private readonly extent: Extent;
  private readonly told: ToldInstances;
  /** Whether other sessions read with the same reader. */
  private readonly isReaderShared: boolean;
  private readonly limits: TextLimits;

  /** Places of kernels that were not analysed, for nothing launched them when they were met. */
  readonly leftOut = new Set<string>();

  constructor({ host, project, pipeline, options, indexes, shared, isInSight }: SessionOptions) {
    this.isInSight = isInSight ?? (() => false);
    this.host = host;
    this.project = project;
    this.pipeline = pipeline;
    this.options = options;
    this.extent = options.extent ?? "file";
    this.limits = textLimits[this.extent];
    this.told = shared?.told ?? new ToldInstances();
    this.isReaderShared = shared !== undefined;
    this.reader = shared?.reader ?? new UnitReader(host, project, pipeline);
    this.indexes = indexes ?? new Indexes(host, project, options.largeWorkspaces);
    this.linked = new LinkedPrograms({
      project,
      reader: this.reader,
      indexes: this.indexes,
      candidates: this.candidates,
      limits: this.limits,
      knownLinks: shared?.links ?? null,
    });
  }

  update(changed: readonly string[]): "programs" | "texts" {
    const isOther = this.project.forget(changed) === "settings";
    if (isOther) {
      this.reader.renew(this.project);
      this.indexes.forgetBuilt();
    }
    this.reader.update(changed);
    const haveChanged = this.indexes.update(changed);
    this.interrupt();
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
    this.linked.renew(project);
    this.interrupt();
  }

  private interrupt(): void {
    for (const [id, run] of this.running) {
      const memory = run.memory();
      if (memory !== null) this.interrupted.set(id, memory);
    }
    this.running.clear();
  }

  files(): readonly string[] {
    return [...this.served.keys()];
  }

  all(): Iterable<AnalysedProgram> {
    return this.analysed.values();
  }

  /** How many launches told something that none did before. */
  get news(): number {
    return this.told.news;
  }

  /** The text of every file that was read, whether it became part of a program or not. */
  readTexts(): ReadonlyMap<string, string> {
    return this.reader.texts();
  }

  /** How many characters the programs have that are kept, headers once for each source. */
  get charactersKept(): number {
    return textLengthOf(this.unitsOfPrograms());
  }

  /** Forgets units that are part of no program here, those first that nobody asked for longest, until the others are no more than `characters`. */
  forgetUnits(characters: number): void {
    this.linked.keepOnly(new Set(this.analysed.keys()));
    this.reader.keepWithin(characters, new Set(this.unitsOfPrograms()));
  }

  private unitsOfPrograms(): readonly TranslationUnit[] {
    return [...new Set([...this.analysed.values()].flatMap(({ units }) => units))];
  }

  /** The programs at hand that `file` was seen through last; of one that nobody asked for those that read it. */
  lastOf(file: string): readonly AnalysedProgram[] {
    const ids = this.served.get(file);
    if (ids === undefined) return [...this.analysed.values()].filter((program) => reads(program, file));
    return ids.flatMap((id) => this.analysed.get(id) ?? []);
  }

  /** As `lastOf`, with what is known so far of those that are being analysed; null where of none of them anything is. */
  draftsOf(file: string): readonly AnalysedProgram[] | null {
    const drafts = new Map<ProgramId, AnalysedProgram>();
    for (const [id, run] of this.running) {
      const draft = run.draft();
      if (draft !== null && reads(draft, file)) drafts.set(id, draft);
    }
    if (drafts.size === 0) return null;
    const last = this.lastOf(file);
    const others = [...drafts.values()].filter(({ id }) => !last.some((program) => program.id === id));
    return [...last.map((program) => drafts.get(program.id) ?? program), ...others];
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
      const edited = units.map((unit) =>
        triedUnit(unit, texts, this.reader.settingsOf(unit) ?? settings, this.pipeline),
      );
      const alone = { ...options, toldOf: () => new Instances() };
      tried.push(yield* analyseUnits(edited, settings, this.pipeline, alone, analysis.memory));
    }
    return tried;
  }

  /** Why there may be more programs than those that `file` was seen through last; null where these are all. */
  gapOf(file: string): string | null {
    return this.candidates.gapOf(file);
  }

  /** Whether other sources, as they are or as they may become, have a say in the programs of `file`. */
  isOpenEnded(file: string): boolean {
    const ids = this.served.get(file) ?? [];
    const [id] = ids;
    if (id === undefined || rootOf(id) !== file || ids.length > 1) return true;
    const linked = this.linked.last(id);
    return linked === null || linked.set.asked.size > 0 || !definesMain(linked.set.units[0] ?? null);
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
    const own = idOf(file, null);
    if (this.extent === "repository" && (yield* this.hasNoKernel(file)))
      return [yield* this.program(own, nobody, () => this.linked.unlinked(own))];
    const found: AnalysedProgram[] = [];
    for (const root of yield* this.rootsFor(file))
      for (const id of this.linked.programsOf(root)) {
        const program = yield* this.program(id, nobody);
        if (reads(program, file)) found.push(program);
      }
    const reached = reachedIn(found);
    if (isMoreIn(file, found, reached))
      for (const id of this.linked.programsOf(file)) found.push(yield* this.program(id, reached));
    return found;
  }

  /** Whether neither a source nor its headers have a kernel: those of the sources that it links are seen through these. */
  private *hasNoKernel(file: string): Generator<void, boolean> {
    const unit = yield* this.linked.readUnit(file, null);
    return unit !== null && !unit.units.some(isKernel);
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
      this.candidates.leaveGap(
        header,
        `${found.size} programs that use ${nameOf(header)} were analysed, and not all`,
      );
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
    const all = index === null ? [] : this.candidates.usersOf(header, index);
    const using = this.isPlain(header) ? all.filter((file) => cudaKindOf(file) === "source") : all;
    const atHand = [...this.served.keys()].filter(
      (file) =>
        file !== header &&
        sourceName.test(file) &&
        this.lastOf(file).some((program) => reads(program, header)),
    );
    return [...new Set([...using, ...atHand])];
  }

  /** Of a source: of the programs that reach it; none where it has its own `main`, for no program has two. */
  private *rootsFor(file: string): Generator<void, readonly string[]> {
    if (definesMain(yield* this.linked.readUnit(file, null))) return [];
    const index = yield* this.indexes.around(file);
    if (index === null) return [];
    const roots = yield* this.candidates.rootsFor(file, index, this.project);
    const found = yield* this.verified(file, roots);
    if (found.length > 0 || roots.length === 0) return found;
    // What leads to it stands in other configurations of the build: who names it is a library's part by itself.
    const naming = sourcesNaming(file, index).filter((source) => !roots.includes(source));
    return yield* this.verified(file, naming.slice(0, mostNaming));
  }

  /** Of the roots those whose program really has the file, within the budget. */
  private *verified(file: string, roots: readonly string[]): Generator<void, readonly string[]> {
    const found: string[] = [];
    let textLength = 0;
    let triedLength = 0;
    let cutInVain = 0;
    for (const root of roots) {
      const isTooMuch = textLength >= this.limits.ofFile || triedLength >= this.limits.ofTried;
      if (isTooMuch || cutInVain >= mostCutInVain) {
        this.candidates.leaveGap(
          file,
          found.length === 0
            ? `${roots.length} programs may reach ${nameOf(file)}: the nearest were read, and do not reach it`
            : `of ${roots.length} programs that may reach ${nameOf(file)} the nearest ${found.length} were analysed`,
        );
        break;
      }
      for (const id of this.linked.programsOf(root)) {
        const linked = yield* this.linked.texts(id);
        if (linked === null) continue;
        triedLength += linked.length;
        if (!linked.files.has(file)) {
          if (linked.isCut) cutInVain++;
          continue;
        }
        cutInVain = 0;
        found.push(root);
        textLength += linked.length;
        break;
      }
    }
    return found;
  }

  // --- programs

  /** `linking`: of what it consists, where that is not what a linker would make of it. */
  private *program(
    id: ProgramId,
    spokenFor: ReadonlySet<string>,
    linking = () => this.linked.link(id),
  ): Generator<void, AnalysedProgram> {
    for (;;) {
      const linked = yield* linking();
      const known = this.analysed.get(id);
      if (linked === null) return this.failedProgram(id);
      const isCurrent = known?.settings === linked.settings && !this.outdated.has(id);
      if (isCurrent && isSameProgram(known, linked.set.units, spokenFor)) return known;
      let run = this.running.get(id);
      if (run === undefined || !isSameProgram(run, linked.set.units, spokenFor)) {
        run = this.start(id, linked, spokenFor);
        this.running.set(id, run);
      }
      // Whoever else waits for it may take its steps as well.
      while (this.running.get(id) === run) {
        const step = run.steps.next();
        if (step.done) {
          this.running.delete(id);
          this.interrupted.delete(id);
          this.outdated.delete(id);
          this.leftBroken.delete(id);
          this.analysed.set(id, step.value);
          return step.value;
        }
        yield;
      }
    }
  }

  private start(
    id: ProgramId,
    { set: { units, gaps }, settings, text }: Linked,
    spokenFor: ReadonlySet<string>,
  ): ProgramRun {
    const last = this.analysed.get(id)?.analysis?.memory ?? null;
    const options = this.optionsOf(id, { units, gaps }, settings, spokenFor);
    return startProgram(
      { id, root: rootOf(id), units, text, settings, options, spokenFor },
      this.pipeline,
      this.interrupted.get(id) ?? last,
      this.isInSight,
    );
  }

  private failedProgram(id: ProgramId): AnalysedProgram {
    const program = unreadProgram(id, this.linked.readRoot(id));
    this.analysed.set(id, program);
    return program;
  }

  private optionsOf(
    id: ProgramId,
    { units, gaps }: Pick<LinkSet, "units" | "gaps">,
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
    const wantsUnlaunched = (kernel: KernelDeclaration): boolean =>
      shareOf(kernel) === "all" && this.isOwner(id, kernel, settings);
    return {
      block: this.options.block,
      gaps,
      edits: this.options.edits ?? "awaited",
      extent: this.extent,
      brokenCode: this.leftBroken.has(id) ? "as they are" : "awaited",
      shareOf,
      toldOf: ({ nameRange }) => this.told.of(placeOf(nameRange)),
      // In a repository another program may launch it; where none does, it is assumed in one of them alone.
      mayAssume: this.extent === "repository" ? wantsUnlaunched : () => true,
      wantsUnlaunched,
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
    for (const id of this.interrupted.keys()) if (!kept.has(id)) this.interrupted.delete(id);
    const gone = [...this.analysed.keys()].filter((id) => !kept.has(id));
    if (gone.length === 0) return;
    for (const id of gone) {
      this.analysed.delete(id);
      this.running.delete(id);
    }
    this.linked.keepOnly(kept);
    for (const [kernel, owner] of this.owners) {
      if (kept.has(owner)) continue;
      this.owners.delete(kernel);
      // In a repository what it leaves is asked for by itself.
      if (this.extent === "repository") continue;
      // Another program may have to analyse it now.
      const file = kernel.slice(0, kernel.indexOf("\0"));
      for (const [id, program] of this.analysed) if (reads(program, file)) this.outdated.add(id);
    }
    if (!this.isReaderShared)
      this.reader.keepOnly(new Set([...this.linked.sources(), ...[...kept].map(rootOf)]));
  }
}
