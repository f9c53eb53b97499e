// The thread's own side: searches in what it is shown, one search after another, until it is told to stop.
import type { FileAnalysis } from "../../lint/analysis.ts";
import { type FixTools, fixSearchesOf } from "../../lint/fixes.ts";
import type { Pipeline } from "../../lint/pipeline.ts";
import type { LintSession } from "../../lint/session.ts";
import type { Port } from "../port.ts";
import { type Clock, createScheduler } from "../scheduler.ts";
import type { FromThread, ToThread } from "./messages.ts";
import { Mirror } from "./mirror.ts";
import { type SliceRoom, searchInSlices } from "./searcher.ts";

type SearchMessage = Extract<ToThread, { kind: "search" }>;

export interface SearchThreadEnvironment {
  readonly port: Port<ToThread, FromThread>;
  readonly clock: Clock;
  readonly tools: FixTools;
  createPipeline(): Promise<Pipeline>;
}

/** Answers the server until the thread is ended. */
export function serveSearches({ port, clock, tools, createPipeline }: SearchThreadEnvironment): void {
  const mirror = createPipeline().then((pipeline) => new Mirror(pipeline));
  const failed = (what: string, error: unknown) =>
    port.post({ kind: "failed", what, detail: error instanceof Error ? (error.stack ?? "") : String(error) });
  const room: SliceRoom = { scheduler: createScheduler(clock), clock, log: { failed } };
  const waiting = new Map<number, AbortController>();
  let last: Promise<void> = Promise.resolve();

  const search = async ({ id, snapshot, wanted }: SearchMessage, signal: AbortSignal): Promise<void> => {
    const { file, units } = snapshot;
    const session = (await mirror).show(snapshot);
    const analysis = await analysed(session, file, units, signal, room);
    if (analysis === null) return;
    for (const each of fixSearchesOf(analysis, session.fixMaterial(file), tools)) {
      const { kernel, key } = each;
      if (!wanted.some((one) => one.kernel === kernel && one.key === key)) continue;
      const found = await searchInSlices(each, file, signal, room);
      if (found === null) return;
      port.post({ kind: "found", id, kernel, key, found });
    }
  };

  port.onMessage((message) => {
    if (message.kind === "make-way") {
      room.scheduler.makeWay();
      return;
    }
    if (message.kind === "stop") {
      waiting.get(message.id)?.abort();
      return;
    }
    const { id, snapshot } = message;
    const controller = new AbortController();
    waiting.set(id, controller);
    last = last
      .then(() => search(message, controller.signal))
      .catch((error: unknown) => failed(`the search for fixes in ${snapshot.file}`, error))
      .then(() => {
        waiting.delete(id);
        port.post({ kind: "ended", id });
      });
  });
}

/** What is known of the file, through all units of the snapshot; null where nobody waits any more before it is. */
async function analysed(
  session: LintSession,
  file: string,
  units: readonly string[],
  signal: AbortSignal,
  { scheduler }: SliceRoom,
): Promise<FileAnalysis | null> {
  let analysis: FileAnalysis | null = null;
  await scheduler.run("second phase", {
    isAbandoned: () => signal.aborted,
    advance: (isOver) => {
      const slice = { isCancelled: isOver };
      if (!units.every((unit) => session.include(unit, slice))) return false;
      analysis = session.analyse(file, slice);
      return analysis !== null;
    },
  });
  return analysis;
}
