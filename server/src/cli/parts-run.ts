// A run over many files, part by part: what is ready is told in the order of the files, whoever lints the parts and in which order they end.
import { mostTogether, partsOf } from "../lint/parts.ts";
import type { LintFailure } from "../lint/report.ts";
import type { NameIndexOfFiles } from "../program/index.ts";
import { cudaKindOf } from "../project/walk.ts";
import { type FileCounts, type Verdicts, weaken } from "../render/summary.ts";
import type { Task } from "./lint-part.ts";
import { keyOf, mergedFile, withFindings } from "./merge.ts";
import type { FilePiece, OpenKernel, Piece } from "./piece.ts";

/** Who lints the parts. */
export interface Linter {
  /** Of a part that cannot be linted the piece says so: it never fails. `onFile` may be told of its files before. */
  lint(task: Task, onFile: (piece: FilePiece) => void): Promise<Piece>;
  /** Told of parts that it will lint. */
  prepare(tasks: readonly Task[]): void;
  /** How many parts it lints at a time, once it was told of them. */
  readonly width: number;
}

export interface Progress {
  readonly files: number;
  readonly allFiles: number;
  readonly kernels: number;
  readonly findings: number;
}

export interface RunListener {
  /** A file is ready, and all before it are. */
  onFile(piece: FilePiece): void;
  onFailure(failure: LintFailure): void;
  onProgress(progress: Progress): void;
}

export interface RunOptions {
  /** Absolute. */
  readonly files: readonly string[];
  readonly textOf: (file: string) => string;
  /** What is known of all sources around; null where nothing is. */
  readonly around: NameIndexOfFiles | null;
  readonly fixes: boolean;
  /** Ends the run with what is ready. */
  readonly stop: AbortSignal;
}

export interface Run {
  /** As they were told. */
  readonly files: readonly FilePiece[];
  readonly failures: readonly LintFailure[];
  /** What is known of the kernels and accesses of all parts, whichever file they stand in. */
  readonly known: Pick<FileCounts, "kernels" | "accesses">;
}

export async function runParts(options: RunOptions, linter: Linter, listener: RunListener): Promise<Run> {
  return new PartsRun(options, linter, listener).run();
}

class PartsRun {
  private readonly options: RunOptions;
  private readonly linter: Linter;
  private readonly listener: RunListener;
  private readonly requested: ReadonlySet<string>;
  private readonly sources: readonly string[];
  private readonly headers: readonly string[];
  /** By file, what each part that read it says of it. */
  private readonly known = new Map<string, FilePiece[]>();
  private readonly told: FilePiece[] = [];
  private readonly failures = new Map<string, LintFailure>();
  private readonly launched = new Set<string>();
  private readonly ready = new Set<string>();
  private readonly kernels = new Set<string>();
  private readonly verdicts: Verdicts = new Map();
  private next = 0;
  private findings = 0;

  constructor(options: RunOptions, linter: Linter, listener: RunListener) {
    this.options = options;
    this.linter = linter;
    this.listener = listener;
    const isHeader = (file: string) => cudaKindOf(file) === "header";
    this.requested = new Set(options.files);
    this.sources = options.files.filter((file) => !isHeader(file));
    this.headers = options.files.filter(isHeader);
  }

  async run(): Promise<Run> {
    const { files, textOf, around, fixes } = this.options;
    this.tellProgress();
    const parts = this.sources.length < 2 ? [] : partsOf(this.sources, textOf, around);
    if (parts.length < 2 && this.sources.length <= mostTogether) {
      const task: Task = { files, unlaunched: "all", extent: "file", fixes: fixes ? "all" : "none" };
      await this.lintAll([task], this.sources);
      this.tellRest(this.filesToTell());
    } else {
      await this.lintParts(parts);
    }
    return {
      files: this.told,
      failures: [...this.failures.values()],
      known: { kernels: [...this.kernels], accesses: [...this.verdicts] },
    };
  }

  private async lintParts(parts: readonly (readonly string[])[]): Promise<void> {
    const fixes = this.options.fixes ? "files" : "none";
    const extent = "repository";
    const pieces = await this.lintAll(
      parts.map((files) => ({ files, unlaunched: "of roots", extent, fixes })),
      this.sources,
    );
    // What no part launches is looked at through the first source whose programs hold it, all that one part left in one session.
    const claimed = new Set<string>();
    const again = pieces.flatMap((piece): Task[] => {
      const own: OpenKernel[] = [];
      for (const kernel of piece?.open ?? []) {
        if (this.launched.has(kernel.place) || claimed.has(kernel.place)) continue;
        claimed.add(kernel.place);
        own.push(kernel);
      }
      if (own.length === 0) return [];
      const files = [...new Set(own.map(({ file }) => file))];
      return [{ files, unlaunched: own.map(({ place }) => place), extent, fixes: "none" }];
    });
    await this.lintAll(again, []);
    const unread = this.headers.filter((file) => !this.known.has(file));
    await this.lintAll(
      unread.map((file) => ({ files: [file], unlaunched: "all", extent, fixes })),
      [],
    );
    this.tellRest(await this.withOffers(this.filesToTell()));
  }

  /** What is left to be told, by path: headers, and files that were not asked for. */
  private filesToTell(): readonly FilePiece[] {
    const told = new Set(this.told.map(({ path }) => path));
    return [...this.known.keys()]
      .filter((path) => !told.has(path))
      .sort()
      .flatMap((path) => this.fileOf(path) ?? []);
  }

  /** Headers whose findings were found in several parts: a fix must be one in all programs that read them. */
  private async withOffers(files: readonly FilePiece[]): Promise<readonly FilePiece[]> {
    if (!this.options.fixes || this.isStopped()) return files;
    const found = files.filter(({ findings }) =>
      findings.some(({ offer, ratio }) => offer === null && ratio > 0),
    );
    const tasks = found.map(
      ({ path }): Task => ({
        files: [path],
        unlaunched: "all",
        extent: "repository",
        fixes: "files",
      }),
    );
    this.linter.prepare(tasks);
    const pieces: Piece[] = [];
    for (const task of tasks) pieces.push(await this.linter.lint(task, () => {}));
    const ofPath = new Map(pieces.flatMap((piece) => piece.files.map((file) => [file.path, file])));
    return files.map((file) => {
      const searched = new Map(ofPath.get(file.path)?.findings.map((each) => [keyOf(each), each]));
      return withFindings(
        file,
        file.findings.map((each) => {
          const { offer = null, shown = each.shown } = searched.get(keyOf(each)) ?? {};
          return offer === null ? each : { ...each, offer, shown };
        }),
      );
    });
  }

  private tellRest(files: readonly FilePiece[]): void {
    for (const file of files) this.tell(file);
  }

  /** Lints all of `tasks`; the findings of `inOrder` are told as soon as they are ready. Gives no piece for what was not reached. */
  private async lintAll(
    tasks: readonly Task[],
    inOrder: readonly string[],
  ): Promise<readonly (Piece | undefined)[]> {
    const pieces: (Piece | undefined)[] = tasks.map(() => undefined);
    this.linter.prepare(tasks);
    let at = 0;
    const work = async () => {
      for (let index = at++; index < tasks.length && !this.isStopped(); index = at++) {
        const task = tasks[index];
        if (task === undefined) return;
        const piece = await this.linter.lint(task, (file) => {
          if (this.isStopped() || inOrder.length === 0) return;
          this.takeFile(file);
          this.tellReady(inOrder);
          this.tellProgress();
        });
        if (this.isStopped()) return;
        // The files are kept below: of the piece only its places are asked for again.
        pieces[index] = { ...piece, files: [] };
        this.take(piece, task.files);
        this.tellReady(inOrder);
      }
    };
    const stopped = new Promise<void>((resolve) => {
      if (this.isStopped()) resolve();
      this.options.stop.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([Promise.all(Array.from({ length: this.linter.width }, work)), stopped]);
    // Where the run was ended in the midst, what is ready is told, whatever is missing before it.
    for (const file of inOrder.slice(this.next)) if (this.ready.has(file)) this.tellFile(file);
    return pieces;
  }

  private isStopped(): boolean {
    return this.options.stop.aborted;
  }

  private take(piece: Piece, files: readonly string[]): void {
    const own = new Set(files);
    for (const file of piece.files) {
      // Of a source that another part lints that part knows more.
      const isOthers =
        !own.has(file.path) && this.requested.has(file.path) && cudaKindOf(file.path) !== "header";
      if (isOthers) continue;
      if (own.has(file.path) && this.ready.has(file.path)) this.count(file);
      else this.takeFile(file);
    }
    for (const place of piece.launched) this.launched.add(place);
    for (const file of files) this.ready.add(file);
    for (const failure of piece.failures) {
      const key = `${failure.file}\n${failure.message}`;
      if (this.failures.has(key)) continue;
      this.failures.set(key, failure);
      this.listener.onFailure(failure);
    }
    this.tellProgress();
  }

  /** What is said of one file; of a header more may follow. */
  private takeFile(file: FilePiece): void {
    this.known.set(file.path, [...(this.known.get(file.path) ?? []), file]);
    this.findings += file.findings.length;
    this.count(file);
    if (cudaKindOf(file.path) !== "header" && this.requested.has(file.path)) this.ready.add(file.path);
  }

  /** What a part says of kernels in headers stands in the counts of its source, which may have been told before. */
  private count({ counts }: FilePiece): void {
    for (const kernel of counts.kernels) this.kernels.add(kernel);
    weaken(this.verdicts, counts.accesses);
  }

  private tellProgress(): void {
    this.listener.onProgress({
      files: this.ready.size,
      allFiles: this.options.files.length,
      kernels: this.kernels.size,
      findings: this.findings,
    });
  }

  private tellReady(inOrder: readonly string[]): void {
    for (
      let file = inOrder[this.next];
      file !== undefined && this.ready.has(file);
      file = inOrder[++this.next]
    )
      this.tellFile(file);
  }

  private tellFile(path: string): void {
    const file = this.fileOf(path);
    if (file !== null) this.tell(file);
  }

  private tell(file: FilePiece): void {
    this.listener.onFile(file);
    // The texts are printed: what is counted at the end stays.
    this.told.push(file);
    this.known.delete(file.path);
  }

  private fileOf(path: string): FilePiece | null {
    const merged = mergedFile(this.known.get(path) ?? []);
    if (merged === null || this.requested.has(path)) return merged;
    // Of a file that nobody asked for there is something to say only where there is a finding.
    const findings = merged.findings.filter(({ rule }) => rule !== "unused-suppression");
    return findings.length === 0 ? null : withFindings(merged, findings);
  }
}
