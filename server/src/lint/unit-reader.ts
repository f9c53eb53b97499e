// Translation units as they are read last: each file once, however many programs link it, and again only where something that it reads has changed.
import type { ConfigError } from "../config/parse.ts";
import { type Host, readText, unreadText } from "../host/host.ts";
import type { FileSettings, Project } from "../project/project.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
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

export class UnitReader {
  private readonly host: Host;
  private readonly pipeline: Pipeline;
  private project: Project;
  private readonly known = new Map<string, ReadUnit | UnreadUnit>();
  /** Of `known`, what has to be read again. */
  private readonly outdated = new Set<string>();

  constructor(host: Host, project: Project, pipeline: Pipeline) {
    this.host = host;
    this.project = project;
    this.pipeline = pipeline;
  }

  /** The same object as long as nothing has changed. */
  read(file: string): ReadUnit | UnreadUnit {
    const known = this.known.get(file);
    if (known !== undefined && !this.outdated.has(file)) return known;
    const read = this.readNow(file, known ?? null);
    this.outdated.delete(file);
    this.known.set(file, read);
    return read;
  }

  /** What was read last, current or not. */
  last(file: string): ReadUnit | UnreadUnit | null {
    return this.known.get(file) ?? null;
  }

  update(changed: readonly string[]): void {
    for (const [file, read] of this.known)
      if (changed.some((each) => each === file || (read.kind === "unit" && read.unit.texts.has(each))))
        this.outdated.add(file);
  }

  renew(project: Project): void {
    this.project = project;
    for (const file of this.known.keys()) this.outdated.add(file);
  }

  /** Forgets all others. */
  keepOnly(files: ReadonlySet<string>): void {
    for (const file of this.known.keys()) {
      if (files.has(file)) continue;
      this.known.delete(file);
      this.outdated.delete(file);
    }
  }

  private readNow(file: string, earlier: ReadUnit | UnreadUnit | null): ReadUnit | UnreadUnit {
    const result = this.project.settingsOf(file);
    if (result.kind === "errors") return failed("", result.errors.map(configFailure));
    const read = readText(this.host, file);
    if (read.kind !== "text") return failed("", [{ file, message: unreadText(read.kind), detail: null }]);
    const previous = earlier?.kind === "unit" ? earlier.unit : null;
    try {
      const { settings } = result;
      const unit = this.pipeline.read(file, read.text, { ...readOptionsOf(settings), previous });
      return { kind: "unit", unit, settings, text: read.text };
    } catch (error) {
      return failed(read.text, [internalFailure(file, error)]);
    }
  }
}

function failed(text: string, failures: readonly LintFailure[]): UnreadUnit {
  return { kind: "failed", text, failures };
}

function configFailure({ file, position, message }: ConfigError): LintFailure {
  return { file: `${file}:${position.line}:${position.column}`, message, detail: null };
}
