// `check` without fixing: findings are printed as they are ready, file by file, and a run that is interrupted gives what it has.
import type { Result } from "sarif";
import { build } from "../host/build-files.ts";
import { readText } from "../host/host.ts";
import { Indexes } from "../lint/indexes.ts";
import type { LintFailure } from "../lint/report.ts";
import type { Project } from "../project/project.ts";
import { diagnosticsDocument } from "../render/json.ts";
import { offersText } from "../render/offers.ts";
import { sarifOf } from "../render/sarif.ts";
import { shownNotes, summaryOf } from "../render/summary.ts";
import { onOneLine } from "../render/visible.ts";
import { plural } from "../render/words.ts";
import { relativeTo } from "../text/path.ts";
import { CacheFiles } from "./cache-files.ts";
import { cacheDirectoryOf, type Kept, PieceCache } from "./cached.ts";
import type { CheckOptions } from "./commands.ts";
import { DependencyNotes } from "./dependencies.ts";
import { FixTime } from "./fix.ts";
import { lintPart, type Task, type World } from "./lint-part.ts";
import { inputsOf, projectOf, report } from "./linted.ts";
import { type Linter, type Run, runParts } from "./parts-run.ts";
import type { FilePiece } from "./piece.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export async function checkInParts(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { host } = terminal;
  const notes = new DependencyNotes(host);
  const project = projectOf(options, notes.host, { includeHost: host, onMissed: notes.onMissed });
  const { files, problems: ofPaths } = inputsOf(paths, project, host, terminal);
  const stop = terminal.interrupts();
  const indexes = new Indexes(host, project, "awaited");
  const cache =
    options.cache && files.length > 0 ? cacheOf({ files, project, indexes, options, terminal }) : null;
  const world = {
    host,
    project,
    indexes,
    block: options.block ?? null,
    fixTime: new FixTime(terminal),
    format: options.format,
    paint: terminal.paint,
    stop,
  };
  const linter = cachedLinter(oneByOne({ world, notes, files, terminal }), cache);
  const bar = terminal.progress();
  const failed: LintFailure[] = [];
  const run = await runParts({ files, textOf: textIn(terminal), fixes: options.fixes, stop }, linter, {
    onFile: (file) => {
      if (options.format === "text") bar.around(() => writeFindings(file, terminal));
    },
    onFailure: (failure) => {
      failed.push(failure);
      bar.around(() => void report(terminal, failure));
    },
    onProgress: (progress) => bar.show(progress),
  });
  cache?.close();
  bar.end();
  const problems = [
    ...ofPaths,
    ...failed.map(({ file, message }) => `${onOneLine(relativeTo(host.currentDirectory, file))}: ${message}`),
  ];
  writeEnd(run, options, problems, terminal);
  if (stop.aborted) {
    terminal.writeError(
      `warplint: interrupted: ${run.files.length} of ${plural(files.length, "file")} linted\n`,
    );
    return 130;
  }
  if (problems.length > 0) return 2;
  return run.files.some(({ findings }) => findings.length > 0) ? 1 : 0;
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

/** What lints parts, and tells on what they depend. */
interface NotingLinter {
  lint(task: Task): Promise<Kept & { readonly isFinal: boolean }>;
  readonly width: number;
}

function cachedLinter(linter: NotingLinter, cache: PieceCache | null): Linter {
  return {
    width: linter.width,
    lint: async (task) => {
      const known = cache?.find(task) ?? null;
      if (known !== null) return known;
      const linted = await linter.lint(task);
      if (linted.isFinal) cache?.keep(task, linted);
      return linted.piece;
    },
  };
}

interface OneByOne {
  readonly world: Omit<World, "pipeline">;
  readonly notes: DependencyNotes;
  readonly files: readonly string[];
  readonly terminal: Terminal;
}

/** In this process. The parser is loaded with the first part. */
function oneByOne({ world, notes, files, terminal }: OneByOne): NotingLinter {
  const { project, indexes, stop, fixTime } = world;
  let loading: ReturnType<Terminal["createPipeline"]> | null = null;
  return {
    width: 1,
    lint: async (task) => {
      // What the build says of all files is read before the first part, so that the surroundings of all parts are the same.
      if (loading === null) for (const file of files) project.contextsOf(file);
      loading ??= terminal.createPipeline();
      const pipeline = await loading;
      notes.begin(indexes);
      fixTime.wasCut = false;
      const { piece, texts } = await lintPart(task, { ...world, pipeline });
      const [dependencies, surroundings] = notes.end(texts, indexes);
      return { piece, dependencies, surroundings, isFinal: !stop.aborted && !fixTime.wasCut };
    },
  };
}

function writeFindings({ findings }: FilePiece, terminal: Terminal): void {
  for (const { shown } of findings) if (typeof shown === "string") terminal.write(`${shown}\n\n`);
}

/** What stands below the findings; or the whole document. */
function writeEnd(run: Run, { format }: CheckOptions, problems: readonly string[], terminal: Terminal): void {
  const { host } = terminal;
  const files = [...run.files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const nameOf = ({ path }: FilePiece) => relativeTo(host.currentDirectory, path);
  switch (format) {
    case "text": {
      const notes = files.flatMap((file) => file.notes.map((note) => `${onOneLine(nameOf(file))}: ${note}`));
      for (const note of shownNotes(notes)) terminal.write(`${terminal.paint.faint(`note: ${note}`)}\n`);
      if (files.length > 0) terminal.write(`${summaryOf(files.map(({ counts }) => counts))}\n`);
      const findings = files.flatMap((file) => file.findings);
      const offers = offersText(
        findings.flatMap(({ offer }) => offer ?? []),
        findings.length,
      );
      if (offers !== null) terminal.write(`${offers}\n`);
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
        sarifOf(
          files.flatMap((file) => objectsOf<Result>(file)),
          terminal.version,
        ),
        terminal,
      );
      break;
  }
}

function objectsOf<Shown extends object>({ findings }: FilePiece): readonly Shown[] {
  return findings.flatMap(({ shown }) => (typeof shown === "string" ? [] : [shown as Shown]));
}

function writeJson(document: object, terminal: Terminal): void {
  terminal.write(`${JSON.stringify(document, null, 1)}\n`);
}
