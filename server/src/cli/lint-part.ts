// Lints one part of a run in a session of its own, and forgets it: what stays is what is printed.
import { type Host, readText } from "../host/host.ts";
import type { Extent } from "../lint/budget.ts";
import type { Indexes } from "../lint/indexes.ts";
import { ToldInstances } from "../lint/instances.ts";
import type { Pipeline } from "../lint/pipeline.ts";
import type { FileReport, LintFailure } from "../lint/report.ts";
import { internalFailure } from "../lint/report.ts";
import { createLintSession, type LintOptions, type LintSession } from "../lint/session.ts";
import type { SharedReading } from "../lint/shared-reading.ts";
import { UnitReader } from "../lint/unit-reader.ts";
import { WrittenAlike } from "../lint/written-alike.ts";
import type { Project } from "../project/project.ts";
import { cudaKindOf } from "../project/walk.ts";
import { createPlaces } from "../render/places.ts";
import { relativeTo } from "../text/path.ts";
import type { FixTime } from "./fix.ts";
import { type Drawing, type FilePiece, filePiece, type Piece, unanalysedPiece } from "./piece.ts";

/** A part of a run, as it is sent to who lints it. */
export interface Task {
  /** Sources that belong together; or a header. */
  readonly files: readonly string[];
  readonly unlaunched: "all" | "of roots" | readonly string[];
  /** How much is spent on each program. */
  readonly extent: Extent;
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

/**
 * What the programs of a session of a repository may have of texts before the rest of its part is given to another: a hundred bytes of memory a
 * character, and each of several threads has such a session.
 */
const mostCharactersOfPrograms = 6_000_000;

/** What is kept of units beyond those, for the next programs that link them: some fifteen bytes a character. */
const mostCharactersRead = 20_000_000;

/** Never throws: what fails is a failure of its file. `onFile` is told of each source as soon as all of its programs are known. */
export async function lintPart(
  task: Task,
  world: World,
  onFile: (piece: FilePiece) => void,
): Promise<LintedPart> {
  const pieces: Piece[] = [];
  const texts = new Map<string, string>();
  const { host, project, pipeline } = world;
  const shared: SharedReading = {
    reader: new UnitReader(host, project, pipeline),
    links: new Map(),
    told: new ToldInstances(),
  };
  let session = sessionFor(task, world, shared);
  let stretch = newStretch();
  const end = () => {
    pieces.push(pieceOf(stretch, { task, session, world }));
    for (const [path, text] of session.readTexts()) texts.set(path, text);
    stretch = newStretch();
  };
  try {
    const alike = new WrittenAlike(
      task.extent === "repository" && task.unlaunched === "of roots" ? task.files : [],
      (file) => textIn(host, file),
    );
    for (const file of alike.inOrder(sourcesFirst(task.files))) {
      const reason = alike.reasonAgainst(file);
      if (reason !== null) {
        const piece = unanalysedPiece(file, reason);
        stretch.asked.add(file);
        stretch.own.push(piece);
        texts.set(file, textIn(host, file));
        onFile(piece);
        continue;
      }
      if (task.extent === "repository" && session.charactersKept > mostCharactersOfPrograms) {
        end();
        session.forgetOwn();
        if (session.charactersKept > mostCharactersOfPrograms) session = sessionFor(task, world, shared);
      }
      if (task.extent === "repository") session.forgetUnits(mostCharactersRead);
      stretch.asked.add(file);
      const newsBefore = session.news;
      await include(session, file, world.stop);
      alike.tell(file, session.news > newsBefore ? "news" : "nothing new");
      for (const place of session.kernelPlaces().open)
        if (!stretch.open.has(place)) stretch.open.set(place, file);
      if (cudaKindOf(file) === "header" || world.stop.aborted) continue;
      const report = session.analyse(file)?.report ?? null;
      if (report === null || !session.texts().has(file)) continue;
      const piece = searchedPiece(report, stretch, { task, session, world });
      stretch.own.push(piece);
      onFile(piece);
    }
    end();
    return { piece: joined(pieces), texts };
  } catch (error) {
    const bug = internalFailure(task.files[0] ?? "", error);
    return { piece: { files: [], failures: [bug], launched: [], open: [] }, texts: new Map() };
  }
}

function textIn(host: Host, file: string): string {
  const read = readText(host, file);
  return read.kind === "text" ? read.text : "";
}

/** Of a part the files whose headers are told together. */
interface Stretch {
  readonly asked: Set<string>;
  /** The sources, as they were told. */
  readonly own: FilePiece[];
  /** By place of a kernel that was left out, the first file whose programs hold it. */
  readonly open: Map<string, string>;
  /** What went wrong in searches for fixes. */
  readonly failures: LintFailure[];
}

function newStretch(): Stretch {
  return { asked: new Set(), own: [], open: new Map(), failures: [] };
}

function sessionFor(
  { unlaunched, fixes, extent }: Task,
  { host, project, pipeline, indexes, block }: World,
  shared: SharedReading,
): LintSession {
  return createLintSession({
    shared,
    host,
    project,
    pipeline,
    indexes,
    options: {
      block,
      unlaunched: typeof unlaunched === "string" ? unlaunched : new Set(unlaunched),
      edits: fixes === "none" ? "none" : "awaited",
      extent,
    },
  });
}

/** What several sessions say of a header stays apart, as what several parts say of it. */
function joined(pieces: readonly Piece[]): Piece {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  return {
    files: pieces.flatMap(({ files }) => files),
    failures: pieces.flatMap((piece) => piece.failures),
    launched: [...new Set(pieces.flatMap(({ launched }) => launched))],
    open: pieces.flatMap(({ open }) => open),
  };
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
}

/** The sources of the stretch, and what the session says of other files. */
function pieceOf(stretch: Stretch, searched: Searched): Piece {
  const { task, session } = searched;
  const headers = session.wantedFiles().filter((file) => cudaKindOf(file) === "header");
  const known = new Set(stretch.own.map(({ path }) => path));
  // Of the part's sources that it asks for before or later, more is known then.
  const elsewhere = new Set(
    task.files.filter((file) => cudaKindOf(file) !== "header" && !stretch.asked.has(file)),
  );
  const others = session
    .reports([...new Set([...task.files, ...headers])])
    .filter(({ path }) => !known.has(path) && !elsewhere.has(path))
    .map((report) => searchedPiece(report, stretch, searched));
  const { launched, open } = session.kernelPlaces();
  return {
    files: [...stretch.own, ...others],
    failures: [...session.failures(), ...stretch.failures],
    launched: [...launched],
    open: [...open].flatMap((place) => {
      const file = stretch.open.get(place);
      return file === undefined ? [] : [{ place, file }];
    }),
  };
}

function searchedPiece(
  report: FileReport,
  { failures }: Stretch,
  { task, session, world }: Searched,
): FilePiece {
  const places = createPlaces(session.texts(), (file) => relativeTo(world.host.currentDirectory, file));
  const isSearched = task.fixes === "all" || (task.fixes === "files" && task.files.includes(report.path));
  const found = isSearched ? world.fixTime.search(session, report) : null;
  if (found !== null) failures.push(...found.failures);
  return filePiece(report, found?.found ?? null, places, world);
}
