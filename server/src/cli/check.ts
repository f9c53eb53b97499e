// `check` without fixing: findings are printed as they are ready, file by file, and a run that is interrupted gives what it has.
import type { Result } from "sarif";
import { build } from "../host/build-files.ts";
import { readText } from "../host/host.ts";
import type { Indexes } from "../lint/indexes.ts";
import type { LintFailure } from "../lint/report.ts";
import type { Project } from "../project/project.ts";
import { costSummary, statisticsText } from "../render/cost-table.ts";
import { diagnosticsDocument } from "../render/json.ts";
import { offersText } from "../render/offers.ts";
import { sarifOf } from "../render/sarif.ts";
import { shownNotes, summaryOf } from "../render/summary.ts";
import { onOneLine } from "../render/visible.ts";
import { plural } from "../render/words.ts";
import { runToEnd } from "../steps.ts";
import { relativeTo } from "../text/path.ts";
import { CacheFiles } from "./cache-files.ts";
import { cacheDirectoryOf, PieceCache } from "./cached.ts";
import type { CheckOptions } from "./commands.ts";
import { DependencyNotes } from "./dependencies.ts";
import { formatted } from "./formatted.ts";
import { keptFindings } from "./kept-findings.ts";
import type { Task } from "./lint-part.ts";
import { inputsOf, report } from "./linted.ts";
import { PartLinter } from "./part-linter.ts";
import { type Linter, type Run, runParts } from "./parts-run.ts";
import type { FilePiece, Piece } from "./piece.ts";
import { noBar } from "./progress.ts";
import { unchangedSince } from "./since.ts";
import type { ExitCode, Terminal } from "./terminal.ts";
import { Workers } from "./workers.ts";

export async function checkInParts(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { host } = terminal;
  const since = options.since === undefined ? null : await unchangedSince(options.since, options, terminal);
  const keeping =
    since?.kind === "error"
      ? since.message
      : keptFindings(since === null ? options : { ...options, unchanged: since.unchanged }, host);
  if (typeof keeping === "string") {
    terminal.writeError(`warplint: ${keeping}\n`);
    return 2;
  }
  const stop = terminal.interrupts();
  const here = new PartLinter(options, terminal, stop);
  const notes = new DependencyNotes(host);
  const { files, problems: ofPaths } = inputsOf(paths, here.project, notes.host, terminal);
  const { project, indexes } = here;
  const [first] = files;
  const cache =
    options.cache && files.length > 0 ? cacheOf({ files, project, indexes, options, terminal }) : null;
  const linter = new CachedLinter({ here, cache, files, options, terminal });
  const bar = files.length > 1 ? terminal.progress() : noBar;
  const failed: LintFailure[] = [];
  const run = await runParts(
    {
      files,
      textOf: textIn(terminal),
      around: first === undefined || files.length < 2 ? null : runToEnd(indexes.around(first)),
      fixes: options.fixes && !options.statistics,
      stop,
    },
    linter,
    {
      onFile: (file) => {
        if (options.format === "text" && options.statistics !== true)
          bar.around(() => writeFindings(keeping.of(file), terminal));
      },
      onFailure: (failure) => {
        failed.push(failure);
        bar.around(() => void report(terminal, failure));
      },
      onProgress: (progress) => bar.show(progress),
    },
  );
  linter.end();
  bar.end();
  const problems = [
    ...ofPaths,
    ...failed.map(({ file, message }) => `${onOneLine(relativeTo(host.currentDirectory, file))}: ${message}`),
  ];
  const reported = run.files.map((file) => keeping.of(file));
  const unwritten = stop.aborted ? null : keeping.end(files, terminal);
  if (unwritten !== null) {
    terminal.writeError(`warplint: ${unwritten}\n`);
    problems.push(unwritten);
  }
  writeEnd({ ...run, files: reported }, options, problems, terminal);
  if (stop.aborted) {
    terminal.writeError(
      `warplint: interrupted: ${run.files.length} of ${plural(files.length, "file")} linted\n`,
    );
    cache?.close(null);
    return 130;
  }
  const exitCode = problems.length > 0 ? 2 : isFailure(reported, options) ? 1 : 0;
  // What stands in a baseline or a revision decides, too.
  const isWhole = options.baseline === undefined && options.since === undefined;
  const name = isWhole ? terminal.runName : null;
  const output = exitCode === 2 ? null : terminal.said();
  const asked = [...notes.surroundingsNow().asked, ...here.asked()];
  cache?.close(name === null || output === null ? null : { name, asked, output, exitCode });
  return exitCode;
}

/** Any finding is one; with `--max-warnings` errors are, and more warnings than those. */
function isFailure(files: readonly FilePiece[], { maxWarnings }: CheckOptions): boolean {
  const findings = files.flatMap((file) => file.findings);
  if (maxWarnings === undefined) return findings.length > 0;
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  return count("error") > 0 || count("warning") > maxWarnings;
}

function textIn({ host }: Terminal): (file: string) => string {
  return (file) => {
    const read = readText(host, file);
    return read.kind === "text" ? read.text : "";
  };
}

interface Cached {
  readonly files: readonly string[];
  readonly project: Project;
  readonly indexes: Indexes;
  readonly options: CheckOptions;
  readonly terminal: Terminal;
}

function cacheOf({ files, project, indexes, options, terminal }: Cached): PieceCache {
  const { host, version, paint } = terminal;
  const { format, arch, block, define, includePath, config } = options;
  return new PieceCache({
    files: new CacheFiles(cacheDirectoryOf(files, project, host)),
    host,
    indexes,
    context: [
      [version, build, host.currentDirectory, format, paint.faint("")],
      [arch, block, define, includePath, config],
    ],
  });
}

/** Parts below which a second thread costs more than it gives, and those that each is given at least. */
const fewParts = 8;
const partsOfWorker = 4;

interface AllOfRun {
  readonly here: PartLinter;
  readonly cache: PieceCache | null;
  readonly files: readonly string[];
  readonly options: CheckOptions;
  readonly terminal: Terminal;
}

/** Takes from the cache what it has, and lints the rest here, or in threads where that pays. */
class CachedLinter implements Linter {
  private readonly run: AllOfRun;
  private workers: Workers | null = null;
  private readonly known = new Map<Task, Piece>();
  width = 1;

  constructor(run: AllOfRun) {
    this.run = run;
  }

  prepare(tasks: readonly Task[]): void {
    const { cache, files, options, terminal } = this.run;
    for (const task of tasks) {
      const piece = cache?.find(task) ?? null;
      if (piece !== null) this.known.set(task, piece);
    }
    const left = tasks.length - this.known.size;
    const jobs = Math.min(options.jobs ?? terminal.cores, Math.ceil(left / partsOfWorker));
    const isFew = left < (options.jobs === undefined ? fewParts : 2);
    if (this.workers !== null || jobs < 2 || isFew) return;
    this.width = jobs;
    this.workers = new Workers({ bundleDirectory: terminal.bundleDirectory, jobs, files, options });
  }

  async lint(task: Task, onFile: (piece: FilePiece) => void): Promise<Piece> {
    const { cache, files, here } = this.run;
    const known = this.known.get(task);
    this.known.delete(task);
    if (known !== undefined) return known;
    const linted = await (this.workers === null
      ? here.lint(task, files, onFile)
      : this.workers.lint(task, onFile));
    if (linted === null) {
      cache?.forgo();
      return crashed(task);
    }
    if (linted.isFinal) cache?.keep(task, linted);
    else cache?.forgo();
    return linted.piece;
  }

  end(): void {
    this.workers?.end();
  }
}

/** What is said of the files of a part whose thread ended. */
function crashed({ files }: Task): Piece {
  const message =
    "not linted: the thread that analysed it ended, most often because memory ran out. The other files were linted.";
  const failures = files.map((file) => ({ file, message, detail: null }));
  return { files: [], failures, launched: [], open: [] };
}

function writeFindings({ findings }: FilePiece, terminal: Terminal): void {
  for (const { shown } of findings) if (typeof shown === "string") terminal.write(`${shown}\n\n`);
}

/** What stands below the findings; or the whole document. */
function writeEnd(
  run: Run,
  { format, statistics, quiet }: CheckOptions,
  problems: readonly string[],
  terminal: Terminal,
): void {
  const { host } = terminal;
  const files = [...run.files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const nameOf = ({ path }: FilePiece) => relativeTo(host.currentDirectory, path);
  const summary = summaryOf(
    files.map(({ counts }) => counts),
    run.known,
  );
  switch (format) {
    case "text": {
      if (quiet && !statistics) break;
      const notes = files.flatMap((file) => file.notes.map((note) => `${onOneLine(nameOf(file))}: ${note}`));
      for (const note of shownNotes(notes)) terminal.write(`${terminal.paint.faint(`note: ${note}`)}\n`);
      const findings = files.flatMap((file) => file.findings);
      const flat = findings.map((finding) => finding.flat);
      const costs = statistics ? statisticsText(flat) : costSummary(flat);
      if (costs) terminal.write(`${costs}\n`);
      if (files.length > 0) terminal.write(`${summary}\n`);
      const offers = offersText(
        findings.flatMap(({ offer }) => offer ?? []),
        findings.length,
      );
      if (offers !== null && !statistics) terminal.write(`${offers}\n`);
      break;
    }
    case "json":
      writeJson(
        diagnosticsDocument(
          files.map((file) => ({ path: nameOf(file), diagnostics: objectsOf(file) })),
          problems,
        ),
        terminal,
      );
      break;
    case "sarif":
      writeJson(
        sarifOf(files.flatMap((file) => objectsOf<Result>(file)).slice(0, mostResults), terminal.version),
        terminal,
      );
      break;
    default: {
      const flat = files.map((file) => ({
        path: nameOf(file),
        findings: file.findings.map((finding) => finding.flat),
      }));
      terminal.write(formatted(format, flat, summary));
    }
  }
}

/** GitHub takes no more of one run. */
const mostResults = 25_000;

function objectsOf<Shown extends object>({ findings }: FilePiece): readonly Shown[] {
  return findings.flatMap(({ shown }) => (typeof shown === "string" ? [] : [shown as Shown]));
}

function writeJson(document: object, terminal: Terminal): void {
  terminal.write(`${JSON.stringify(document, null, 1)}\n`);
}
