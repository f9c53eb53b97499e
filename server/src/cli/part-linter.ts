// Lints parts one by one in this thread, and tells on what they depend.
import { Indexes } from "../lint/indexes.ts";
import type { Project } from "../project/project.ts";
import type { Kept } from "./cached.ts";
import type { CheckOptions } from "./commands.ts";
import { DependencyNotes } from "./dependencies.ts";
import type { Asked } from "./dependency-check.ts";
import { FixTime } from "./fix.ts";
import { lintPart, type Task } from "./lint-part.ts";
import { projectOf } from "./linted.ts";
import type { FilePiece } from "./piece.ts";
import type { Terminal } from "./terminal.ts";

export interface LintedTask extends Kept {
  /** Another run would say the same: nobody ended it before its time. */
  readonly isFinal: boolean;
}

/** What it needs of the process. */
export type PartTerminal = Pick<Terminal, "host" | "paint" | "createPipeline" | "worked">;

export class PartLinter {
  readonly project: Project;
  readonly indexes: Indexes;
  private readonly options: CheckOptions;
  private readonly terminal: PartTerminal;
  private readonly stop: AbortSignal;
  private readonly notes: DependencyNotes;
  private readonly fixTime: FixTime;
  private loading: ReturnType<Terminal["createPipeline"]> | null = null;

  constructor(options: CheckOptions, terminal: PartTerminal, stop: AbortSignal) {
    const { host } = terminal;
    this.options = options;
    this.terminal = terminal;
    this.stop = stop;
    this.notes = new DependencyNotes(host);
    this.project = projectOf(options, this.notes.host, { includeHost: host, onMissed: this.notes.onMissed });
    this.indexes = new Indexes(host, this.project, "awaited");
    this.fixTime = new FixTime(terminal);
  }

  /** What configuration and build were asked so far. */
  asked(): readonly Asked[] {
    return this.notes.surroundingsNow().asked;
  }

  /** `files`: all of the run. One task after the other. */
  async lint(task: Task, files: readonly string[], onFile: (piece: FilePiece) => void): Promise<LintedTask> {
    const { project, indexes, notes, fixTime, stop } = this;
    const { host, paint } = this.terminal;
    // What the build says of all files is read before the first part, so that the surroundings of all parts are the same.
    if (this.loading === null) for (const file of files) project.contextsOf(file);
    // The parser is loaded with the first part.
    this.loading ??= this.terminal.createPipeline();
    const pipeline = await this.loading;
    notes.begin(indexes);
    fixTime.wasCut = false;
    const { format, block = null } = this.options;
    const world = { host, project, pipeline, indexes, block, fixTime, format, paint, stop };
    const { piece, texts } = await lintPart(task, world, onFile);
    const [dependencies, surroundings] = notes.end(texts, indexes);
    return { piece, dependencies, surroundings, isFinal: !stop.aborted && !fixTime.wasCut };
  }
}
