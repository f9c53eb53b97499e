// The programs of a workspace as they are linked: from a root, by what its build says, within a budget of text.
import type { NameIndexOfFiles } from "../program/index.ts";
import { type LinkSet, linkSetOf } from "../program/link-set.ts";
import { definesMain } from "../program/symbols.ts";
import {
  type BuiltProgram,
  compiledOften,
  objectsLinkedTo,
  programsOf,
  sourcesLinkedTo,
} from "../program/targets.ts";
import type { FileSettings, Project } from "../project/project.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import { idOf, type ProgramId, rootOf, textLengthOf } from "./analysed-program.ts";
import type { Candidates } from "./candidates.ts";
import type { Indexes } from "./indexes.ts";
import type { TextLimits } from "./text-limits.ts";
import type { ReadUnit, Targets, UnitReader, UnreadUnit } from "./unit-reader.ts";

export interface Linked {
  readonly set: LinkSet;
  readonly settings: FileSettings;
  readonly text: string;
  /** That of the index when it was asked. */
  readonly version: number;
}

/** What a program reads, as long as nothing changes. */
export interface LinkedTexts {
  readonly files: ReadonlySet<string>;
  readonly length: number;
  /** Whether there is more of the program than was read. */
  readonly isCut: boolean;
}

/** What linking needs to know of its surroundings. */
export interface Surroundings {
  readonly project: Project;
  readonly reader: UnitReader;
  readonly indexes: Indexes;
  readonly candidates: Candidates;
  readonly limits: TextLimits;
  /** By program, what it reads, where several sessions share that. */
  readonly knownLinks: Map<string, LinkedTexts> | null;
}

export class LinkedPrograms {
  private around: Surroundings;
  private readonly links = new Map<ProgramId, Linked>();

  constructor(around: Surroundings) {
    this.around = around;
  }

  renew(project: Project): void {
    this.around = { ...this.around, project };
  }

  /** As it was linked last, current or not. */
  last(id: ProgramId): Linked | null {
    return this.links.get(id) ?? null;
  }

  /** The sources that programs have as they were linked last. */
  sources(): readonly string[] {
    return [...this.links.values()].flatMap(({ set }) => set.units.map(({ file }) => file));
  }

  keepOnly(kept: ReadonlySet<ProgramId>): void {
    for (const id of this.links.keys()) if (!kept.has(id)) this.links.delete(id);
  }

  /**
   * The programs that the build makes of a root: one, unless it compiles some of their sources in several ways, each way for another target.
   */
  programsOf(root: string): readonly ProgramId[] {
    const { project, reader } = this.around;
    const description = project.descriptionOf(root);
    const often = description === null ? null : compiledOften(description);
    if (description === null || often === null || often.size === 0) return [idOf(root, null)];
    const byFlags = new Map<string, ProgramId>();
    for (const { target, linked, sources } of programsOf(root, description)) {
      const contexts = [...sources]
        .filter((file) => often.has(file))
        .map((file) => reader.contextsFor(file, linked).join("+"));
      const isUsual = contexts.every((context) => context === "0");
      const flags = isUsual ? "" : `${[...sources].join("\n")}\n${contexts.join()}`;
      if (!byFlags.has(flags)) byFlags.set(flags, idOf(root, isUsual ? null : target));
    }
    return byFlags.size === 0 ? [idOf(root, null)] : [...byFlags.values()];
  }

  /** Null where the root cannot be read. */
  *texts(id: ProgramId): Generator<void, LinkedTexts | null> {
    const { knownLinks } = this.around;
    const known = knownLinks?.get(id);
    if (known !== undefined) return known;
    const linked = yield* this.link(id);
    if (linked === null) return null;
    const { units } = linked.set;
    const made = {
      files: new Set(units.flatMap(({ texts }) => [...texts.keys()])),
      length: textLengthOf(units),
      isCut: linked.set.isCut,
    };
    knownLinks?.set(id, made);
    return made;
  }

  /** Null where the root cannot be read. */
  *link(id: ProgramId): Generator<void, Linked | null> {
    const { reader, indexes } = this.around;
    const root = rootOf(id);
    const built = this.builtFor(id);
    const targets = built?.linked ?? null;
    const read = reader.read(root, targets);
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
      index: () => indexes.around(root),
      read: (file) => this.readUnits(file, targets),
      isLinked: built === null ? this.linkedBy(root) : (file) => built.sources.has(file),
      objects: built?.objects ?? this.objectsOf(root),
      linksDeviceCode: read.settings.flags.hasRelocatableDeviceCode,
      mostCharacters: yield* this.mostCharactersOf(root, read.unit),
    });
    const version = set.asked.size === 0 ? 0 : versionOf(yield* indexes.around(root));
    const linked = { set, settings: read.settings, text: read.text, version };
    this.links.set(id, linked);
    return linked;
  }

  /** A program of its root alone, whatever it lacks; null where that cannot be read. */
  *unlinked(id: ProgramId): Generator<void, Linked | null> {
    const read = this.readRoot(id);
    yield;
    if (read.kind === "failed") return null;
    const set: LinkSet = { units: [read.unit], asked: new Set(), gaps: [], isCut: false };
    return { set, settings: read.settings, text: read.text, version: 0 };
  }

  /** The root as its program compiles it. */
  readRoot(id: ProgramId): ReadUnit | UnreadUnit {
    return this.around.reader.read(rootOf(id), this.builtFor(id)?.linked ?? null);
  }

  *readUnit(file: string, targets: Targets): Generator<void, TranslationUnit | null> {
    const [unit = null] = yield* this.readUnits(file, targets);
    return unit;
  }

  private *readUnits(file: string, targets: Targets): Generator<void, readonly TranslationUnit[]> {
    const { reader } = this.around;
    const wasRead = reader.isRead(file, targets);
    const all = reader.readAll(file, targets);
    if (!wasRead) yield;
    return all.flatMap((read) => (read.kind === "unit" ? [read.unit] : []));
  }

  /** What the build makes in the program's target; null where that is no matter. */
  private builtFor(id: ProgramId): BuiltProgram | null {
    const root = rootOf(id);
    const description = this.around.project.descriptionOf(root);
    if (description === null || id === root) return null;
    return programsOf(root, description).find(({ target }) => idOf(root, target) === id) ?? null;
  }

  private *mostCharactersOf(root: string, unit: TranslationUnit): Generator<void, number> {
    const { limits, indexes, candidates, project } = this.around;
    const { ofProgram, ofUsed } = limits;
    if (ofProgram === ofUsed || definesMain(unit)) return ofProgram;
    const index = yield* indexes.around(root);
    const isUsed = index !== null && (yield* candidates.rootsFor(root, index, project)).length > 0;
    return isUsed ? ofUsed : ofProgram;
  }

  private *isCurrent(root: string, targets: Targets, { set, version }: Linked): Generator<void, boolean> {
    if (set.asked.size > 0 && versionOf(yield* this.around.indexes.around(root)) !== version) return false;
    for (const unit of set.units)
      if (!(yield* this.readUnits(unit.file, targets)).includes(unit)) return false;
    return true;
  }

  private objectsOf(root: string): ReadonlySet<string> {
    const description = this.around.project.descriptionOf(root);
    return description === null ? new Set() : objectsLinkedTo(root, description);
  }

  /** Whether the build links a source to the programs that it makes of `root`; null where no build says anything of them. */
  private linkedBy(root: string): ((file: string) => boolean) | null {
    const description = this.around.project.descriptionOf(root);
    const linked = description === null ? null : sourcesLinkedTo(root, description);
    return linked && ((file) => linked.has(file));
  }
}

function versionOf(index: NameIndexOfFiles | null): number {
  return index?.version ?? -1;
}
