// Lints one part of a run in a session of its own, and forgets it: what stays is what is printed.
import type { Host } from "../host/host.ts";
import type { Indexes } from "../lint/indexes.ts";
import type { Pipeline } from "../lint/pipeline.ts";
import type { FileReport, LintFailure } from "../lint/report.ts";
import { internalFailure } from "../lint/report.ts";
import { createLintSession, type LintOptions, type LintSession } from "../lint/session.ts";
import type { Project } from "../project/project.ts";
import { cudaKindOf } from "../project/walk.ts";
import { createPlaces } from "../render/places.ts";
import { relativeTo } from "../text/path.ts";
import type { FixTime } from "./fix.ts";
import { type Drawing, type FilePiece, filePiece, type Piece } from "./piece.ts";

/** A part of a run, as it is sent to who lints it. */
export interface Task {
  /** Sources that belong together; or a header. */
  readonly files: readonly string[];
  readonly unlaunched: "all" | "of roots" | readonly string[];
  /** Whether fixes are searched for, of findings in `files` or in whatever they read; "none" searches none. */
  readonly fixes: "none" | "files" | "all";
}

/** What the parts of a run have in common. */
export interface World extends Drawing {
  readonly host: Host;
  readonly project: Project;
  readonly pipeline: Pipeline;
  readonly indexes: Indexes;
  readonly block: LintOptions["block"];
  readonly fixTime: FixTime;
  /** Nobody waits for more. */
  readonly stop: AbortSignal;
}

export interface LintedPart {
  readonly piece: Piece;
  /** The texts of all files that were read. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Never throws: what fails is a failure of its file. `onFile` is told of each source as soon as all of its programs are known. */
export async function lintPart(
  task: Task,
  world: World,
  onFile: (piece: FilePiece) => void,
): Promise<LintedPart> {
  const { host, project, pipeline, indexes, block } = world;
  const { unlaunched } = task;
  const session = createLintSession({
    host,
    project,
    pipeline,
    indexes,
    options: {
      block,
      unlaunched: typeof unlaunched === "string" ? unlaunched : new Set(unlaunched),
      edits: task.fixes === "none" ? "none" : "awaited",
    },
  });
  try {
    const failures: LintFailure[] = [];
    const own: FilePiece[] = [];
    for (const file of sourcesFirst(task.files)) {
      await include(session, file, world.stop);
      if (cudaKindOf(file) === "header" || world.stop.aborted) continue;
      const report = session.analyse(file)?.report ?? null;
      if (report === null || !session.texts().has(file)) continue;
      const piece = searchedPiece(report, { task, session, world, failures });
      own.push(piece);
      onFile(piece);
    }
    return { piece: pieceOf(own, { task, session, world, failures }), texts: session.readTexts() };
  } catch (error) {
    const failures = [internalFailure(task.files[0] ?? "", error)];
    return { piece: { files: [], failures, launched: [], open: [] }, texts: new Map() };
  }
}

function sourcesFirst(files: readonly string[]): readonly string[] {
  const isHeader = (file: string) => cudaKindOf(file) === "header";
  return [...files.filter((file) => !isHeader(file)), ...files.filter(isHeader)];
}

/** In slices: between two of them signals and other messages are heard. */
async function include(session: LintSession, file: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const end = performance.now() + sliceMilliseconds;
    if (session.include(file, { isCancelled: () => performance.now() > end })) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const sliceMilliseconds = 50;

interface Searched {
  readonly task: Task;
  readonly session: LintSession;
  readonly world: World;
  /** What went wrong in searches for fixes, to be added to. */
  readonly failures: LintFailure[];
}

/** The files of the part that are known already (`own`), and what it says of others. */
function pieceOf(own: readonly FilePiece[], searched: Searched): Piece {
  const { task, session, failures } = searched;
  const headers = session.wantedFiles().filter((file) => cudaKindOf(file) === "header");
  const known = new Set(own.map(({ path }) => path));
  const others = session
    .reports([...new Set([...task.files, ...headers])])
    .filter(({ path }) => !known.has(path))
    .map((report) => searchedPiece(report, searched));
  const { launched, open } = session.kernelPlaces();
  return {
    files: [...own, ...others],
    failures: [...session.failures(), ...failures],
    launched: [...launched],
    open: [...open],
  };
}

function searchedPiece(report: FileReport, { task, session, world, failures }: Searched): FilePiece {
  const places = createPlaces(session.texts(), (file) => relativeTo(world.host.currentDirectory, file));
  const isSearched = task.fixes === "all" || (task.fixes === "files" && task.files.includes(report.path));
  const found = isSearched ? world.fixTime.search(session, report) : null;
  if (found !== null) failures.push(...found.failures);
  return filePiece(report, found?.found ?? null, places, world);
}
