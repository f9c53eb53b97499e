// Translation units as they are read last: each file once, however many programs link it, and again only where something that it reads has changed.
import type { ConfigError } from "../config/parse.ts";
import { type Host, readText, unreadText } from "../host/host.ts";
import type { FileSettings, Project } from "../project/project.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import { textLengthOf } from "./analysed-program.ts";
import type { Pipeline } from "./pipeline.ts";
import { readOptionsOf } from "./read-options.ts";
import { internalFailure, type LintFailure } from "./report.ts";

export interface ReadUnit {
  readonly kind: "unit";
  readonly unit: TranslationUnit;
  readonly settings: FileSettings;
  readonly text: string;
}

export interface UnreadUnit {
  readonly kind: "failed";
  readonly text: string;
  readonly failures: readonly LintFailure[];
}

/** Names of build targets; null where no build says which program is meant. */
export type Targets = ReadonlySet<string> | null;

export class UnitReader {
  private readonly host: Host;
  private readonly pipeline: Pipeline;
  private project: Project;
  /** By file and the place of its settings among those that its build gives it. */
  private readonly known = new Map<string, ReadUnit | UnreadUnit>();
  private readonly settings = new WeakMap<TranslationUnit, FileSettings>();
  /** By path, what units were read from that were forgotten to make room: whoever was told of them depends on it. */
  private readonly textsForgotten = new Map<string, string>();
  /** Of `known`, what has to be read again. */
  private readonly outdated = new Set<string>();

  constructor(host: Host, project: Project, pipeline: Pipeline) {
    this.host = host;
    this.project = project;
    this.pipeline = pipeline;
  }

  /**
   * As the build compiles `file` for one of `targets`; null: for whichever comes first. The same object as long as nothing has changed.
   */
  read(file: string, targets: Targets): ReadUnit | UnreadUnit {
    const [context = 0] = this.contextsFor(file, targets);
    return this.readIn(file, context);
  }

  /** In each way in which the build compiles `file` for `targets`: mostly one. */
  readAll(file: string, targets: Targets): readonly (ReadUnit | UnreadUnit)[] {
    return this.contextsFor(file, targets).map((context) => this.readIn(file, context));
  }

  private readIn(file: string, context: number): ReadUnit | UnreadUnit {
    const key = keyOf(file, context);
    const known = this.known.get(key);
    if (known !== undefined && !this.outdated.has(key)) {
      // The last of the map is what was asked for last.
      this.known.delete(key);
      this.known.set(key, known);
      return known;
    }
    const read = this.readNow(file, context, known ?? null);
    this.outdated.delete(key);
    this.known.set(key, read);
    if (read.kind === "unit") this.settings.set(read.unit, read.settings);
    return read;
  }

  /** Whether everything that `file` is for `targets` was read before, and nothing of it has changed. */
  isRead(file: string, targets: Targets): boolean {
    return this.contextsFor(file, targets)
      .map((context) => keyOf(file, context))
      .every((key) => this.known.has(key) && !this.outdated.has(key));
  }

  /** The text of every file that was read, whether it became part of a program or not. */
  texts(): ReadonlyMap<string, string> {
    const texts = new Map(this.textsForgotten);
    for (const [key, read] of this.known) {
      texts.set(fileOf(key), read.text);
      if (read.kind === "unit") for (const [path, text] of read.unit.texts) texts.set(path, text);
    }
    return texts;
  }

  units(): readonly TranslationUnit[] {
    return [...this.known.values()].flatMap((read) => (read.kind === "unit" ? [read.unit] : []));
  }

  /** What a unit was read with. */
  settingsOf(unit: TranslationUnit): FileSettings | null {
    return this.settings.get(unit) ?? null;
  }

  /**
   * The places of what the build gives to `file` for `targets`, among all that it gives to it: at least one. First is that of the target which is linked first.
   */
  contextsFor(file: string, targets: Targets): readonly number[] {
    const contexts = targets === null ? null : this.project.contextsOf(file);
    if (contexts?.kind !== "settings") return [0];
    const found = contexts.settings.flatMap((each, place) =>
      each.targets.some((name) => targets?.has(name)) ? [place] : [],
    );
    if (found.length < 2) return found.length === 0 ? [0] : found;
    const order = [...(targets ?? [])];
    const rankOf = (place: number): number =>
      order.findIndex((name) => contexts.settings[place]?.targets.includes(name));
    return found.sort((a, b) => rankOf(a) - rankOf(b));
  }

  update(changed: readonly string[]): void {
    for (const [key, read] of this.known) {
      const file = fileOf(key);
      if (changed.some((each) => each === file || (read.kind === "unit" && read.unit.texts.has(each))))
        this.outdated.add(key);
    }
  }

  renew(project: Project): void {
    this.project = project;
    for (const key of this.known.keys()) this.outdated.add(key);
  }

  /** Forgets units, those first that nobody asked for longest, until the others have no more than so many characters; none of `inUse`. */
  keepWithin(characters: number, inUse: ReadonlySet<TranslationUnit>): void {
    let left = textLengthOf(this.units());
    for (const [key, read] of this.known) {
      if (left <= characters) return;
      if (read.kind !== "unit" || inUse.has(read.unit)) continue;
      left -= textLengthOf([read.unit]);
      this.forgetting(key, read);
    }
  }

  /** Forgets all others. */
  keepOnly(files: ReadonlySet<string>): void {
    for (const key of this.known.keys()) {
      if (files.has(fileOf(key))) continue;
      this.known.delete(key);
      this.outdated.delete(key);
    }
  }

  private forgetting(key: string, { text, unit }: ReadUnit): void {
    this.textsForgotten.set(fileOf(key), text);
    for (const [path, read] of unit.texts) this.textsForgotten.set(path, read);
    this.known.delete(key);
    this.outdated.delete(key);
  }

  private readNow(
    file: string,
    context: number,
    earlier: ReadUnit | UnreadUnit | null,
  ): ReadUnit | UnreadUnit {
    const result = this.project.contextsOf(file);
    if (result.kind === "errors") return failed("", result.errors.map(configFailure));
    const settings = result.settings[context];
    if (settings === undefined) return failed("", []);
    const onDisk = readText(this.host, file);
    const made = onDisk.kind === "missing" ? this.project.generatedText(file) : null;
    const read = made === null ? onDisk : ({ kind: "text", text: made } as const);
    if (read.kind !== "text") return failed("", [{ file, message: unreadText(read.kind), detail: null }]);
    const previous = earlier?.kind === "unit" ? earlier.unit : null;
    try {
      const unit = this.pipeline.read(file, read.text, { ...readOptionsOf(settings), previous });
      return { kind: "unit", unit, settings, text: read.text };
    } catch (error) {
      return failed(read.text, [internalFailure(file, error)]);
    }
  }
}

function keyOf(file: string, context: number): string {
  return `${context}\0${file}`;
}

function fileOf(key: string): string {
  return key.slice(key.indexOf("\0") + 1);
}

function failed(text: string, failures: readonly LintFailure[]): UnreadUnit {
  return { kind: "failed", text, failures };
}

function configFailure({ file, position, message }: ConfigError): LintFailure {
  return { file: `${file}:${position.line}:${position.column}`, message, detail: null };
}
