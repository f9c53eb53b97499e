// Lints the files of a folder part by part, each in a session that is forgotten: what stays is what is shown. As the command line does, a kernel in
// a header that nothing in a part launches waits until all launches are known.
import type { Diagnostic } from "vscode-languageserver";
import { type Host, readText } from "../host/host.ts";
import type { FileAnalysis } from "../lint/analysis.ts";
import type { Extent } from "../lint/budget.ts";
import { mostTogether, partsInSteps } from "../lint/parts.ts";
import type { LintFailure } from "../lint/report.ts";
import type { LintOptions } from "../lint/session.ts";
import { WrittenAlike } from "../lint/written-alike.ts";
import type { NameIndexOfFiles } from "../program/index.ts";
import { cudaKindOf } from "../project/walk.ts";
import { countsOf, type FileCounts, unanalysedCounts, weaken } from "../render/summary.ts";
import { type DiagnosticsContext, viewOfAnalysis } from "./context.ts";
import { diagnosticsOfView } from "./document-diagnostics.ts";
import type { Folder, FreshSessions } from "./folders.ts";
import { joinedRecords, type KernelRecord, recordsOf } from "./kernel-records.ts";

export interface FileResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly kernels: readonly KernelRecord[];
  readonly counts: FileCounts;
}

export interface LintedFiles {
  readonly counts: readonly FileCounts[];
  readonly failures: readonly LintFailure[];
}

export interface PartsRun {
  readonly folder: Folder;
  /** All that are to be linted. */
  readonly files: readonly string[];
  readonly context: DiagnosticsContext;
  /** Told what is known of a file, of a header again when there is more. */
  onFile(path: string, result: FileResult): void;
  /** Before each file. */
  onProgress(path: string, done: number): void;
}

export function* lintInParts(run: PartsRun): Generator<void, LintedFiles> {
  return yield* new WorkspaceParts(run).run();
}

class WorkspaceParts {
  private readonly given: PartsRun;
  private readonly sessions: FreshSessions;
  private extent: Extent = "file";
  /** By file, what each part says of it: of a source one does. */
  private readonly known = new Map<string, FileResult[]>();
  private readonly launched = new Set<string>();
  private readonly failures = new Map<string, LintFailure>();
  private done = 0;

  constructor(given: PartsRun) {
    this.given = given;
    this.sessions = given.folder.freshSessions();
  }

  *run(): Generator<void, LintedFiles> {
    const { files, folder } = this.given;
    const sources = files.filter((file) => cudaKindOf(file) !== "header");
    const headers = files.filter((file) => cudaKindOf(file) === "header");
    const textOf = (file: string) => textIn(folder.host, file);
    const parts = yield* partsInSteps(sources, textOf, yield* this.around());
    const open: string[][] = [];
    if (parts.length > 1 || sources.length > mostTogether) this.extent = "repository";
    for (const part of parts) open.push(yield* this.lint(part, this.extent === "file" ? "all" : "of roots"));
    const seen = new Set<string>();
    for (const [index, part] of parts.entries()) {
      const own = (open[index] ?? []).filter((place) => !this.launched.has(place) && !seen.has(place));
      for (const place of own) seen.add(place);
      if (own.length > 0) yield* this.lint(part, new Set(own), "headers");
    }
    for (const header of headers) if (!this.known.has(header)) yield* this.lint([header], "all");
    return { counts: this.counts(), failures: [...this.failures.values()] };
  }

  /** What is known of all sources around. */
  private *around(): Generator<void, NameIndexOfFiles | null> {
    const [first, second] = this.given.files;
    return first === undefined || second === undefined ? null : yield* this.sessions.indexes.around(first);
  }

  /** Gives the places of kernels that were left out. */
  private *lint(
    files: readonly string[],
    unlaunched: LintOptions["unlaunched"],
    wanted: "all" | "headers" = "all",
  ): Generator<void, string[]> {
    const { host } = this.given.folder;
    const session = this.sessions.begin(unlaunched, this.extent);
    const isPart = this.extent === "repository" && unlaunched === "of roots";
    const alike = new WrittenAlike(isPart ? files : [], (file) => textIn(host, file));
    for (const file of alike.inOrder(files)) {
      if (wanted === "all") this.given.onProgress(file, this.done++);
      if (alike.reasonAgainst(file) !== null) {
        this.takeResult(file, { diagnostics: [], kernels: [], counts: unanalysedCounts(file) });
        continue;
      }
      const newsBefore = session.news;
      let isOver = false;
      // Asked after each step: whoever drives this stops here whenever it likes.
      while (!isOver) {
        isOver = session.include(file, { isCancelled: () => true });
        yield;
      }
      alike.tell(file, session.news > newsBefore ? "news" : "nothing new");
      if (wanted === "all") this.take(session.atHand(file));
      yield;
    }
    const own = new Set(files);
    const requested = new Set(this.given.files);
    for (const file of session.wantedFiles()) {
      if (own.has(file) || cudaKindOf(file) !== "header") continue;
      if (requested.has(file) && !this.known.has(file)) this.given.onProgress(file, this.done++);
      this.take(session.atHand(file));
      yield;
    }
    for (const failure of session.failures())
      this.failures.set(`${failure.file}\n${failure.message}`, failure);
    const { launched, open } = session.kernelPlaces();
    for (const place of launched) this.launched.add(place);
    return [...open];
  }

  private take(analysis: FileAnalysis): void {
    const { context } = this.given;
    const { file } = analysis;
    const view = viewOfAnalysis(analysis, null, context);
    this.takeResult(file, {
      diagnostics: diagnosticsOfView(view, context),
      kernels: recordsOf(analysis, view.places, view.locations),
      counts: countsOf(analysis.report),
    });
  }

  private takeResult(file: string, result: FileResult): void {
    const all = [...(this.known.get(file) ?? []), result];
    const joined = all.length === 1 ? result : joinedResults(all);
    this.known.set(file, [joined]);
    this.given.onFile(file, joined);
  }

  private counts(): FileCounts[] {
    const requested = new Set(this.given.files);
    return [...this.known].flatMap(([file, [result]]) =>
      result !== undefined && (requested.has(file) || result.counts.severities.length > 0)
        ? [result.counts]
        : [],
    );
  }
}

function textIn(host: Host, file: string): string {
  const read = readText(host, file);
  return read.kind === "text" ? read.text : "";
}

/** Each finding once, by the part in which it is most severe. */
function joinedResults(results: readonly FileResult[]): FileResult {
  const found = new Map<string, Diagnostic>();
  for (const diagnostic of results.flatMap(({ diagnostics }) => diagnostics)) {
    const { start, end } = diagnostic.range;
    const key = JSON.stringify([diagnostic.code, start, end]);
    const known = found.get(key);
    if (known === undefined || (diagnostic.severity ?? 4) < (known.severity ?? 4)) found.set(key, diagnostic);
  }
  const diagnostics = [...found.values()].sort(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
  const kernels = joinedRecords(results.map((each) => each.kernels));
  const [first, ...others] = results.map(({ counts }) => counts);
  const verdicts = new Map(first?.accesses ?? []);
  for (const { accesses } of others) weaken(verdicts, accesses);
  const mostSevere = [first, ...others].reduce(
    (most, each) => ((each?.severities.length ?? 0) > (most?.severities.length ?? 0) ? each : most),
    first,
  );
  return {
    diagnostics,
    kernels,
    counts: {
      path: first?.path ?? "",
      severities: mostSevere?.severities ?? [],
      kernels: [...new Set([first, ...others].flatMap((each) => each?.kernels ?? []))],
      accesses: [...verdicts],
    },
  };
}
