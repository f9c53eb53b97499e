// Who searches for fixes: a thread of its own, or this one between messages.
import type { FixSearchResult } from "../../fixes/fix.ts";
import type { FileAnalysis } from "../../lint/analysis.ts";
import type { KernelFixSearch } from "../../lint/fixes.ts";
import { millisecondsOfKernel, patienceOf, searchInSteps } from "../../lint/search.ts";
import type { Log } from "../log.ts";
import type { Clock, Scheduler } from "../scheduler.ts";

export interface SearchTask {
  readonly analysis: FileAnalysis;
  readonly searches: readonly KernelFixSearch[];
  /** Aborted where nobody waits for the rest any more. */
  readonly signal: AbortSignal;
  onFound(search: KernelFixSearch, found: FixSearchResult): void;
}

export interface FixSearcher {
  /** Resolves when all is found, or nobody waits any more. */
  search(task: SearchTask): Promise<void>;
  /** Makes way for the editor, for a moment. */
  makeWay(): void;
}

/** Where slices of work are done, and how their time is told. */
export interface SliceRoom {
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly log: Pick<Log, "failed">;
}

/** Searches in the second phase of this thread: a long step holds up messages. */
export function searcherHere(room: SliceRoom): FixSearcher {
  return {
    search: async ({ analysis: { file }, searches, signal, onFound }) => {
      for (const search of searches) {
        const found = await searchInSlices(search, file, signal, room);
        if (found === null) return;
        onFound(search, found);
      }
    },
    makeWay: () => room.scheduler.makeWay(),
  };
}

/** Null where nobody waits any more before it ends. */
export async function searchInSlices(
  search: KernelFixSearch,
  file: string,
  signal: AbortSignal,
  { scheduler, clock, log }: SliceRoom,
): Promise<FixSearchResult | null> {
  // Of slices that are over; what is done between slices is for others.
  let taken = 0;
  let start = clock.worked();
  const patience = patienceOf(millisecondsOfKernel, () => taken + clock.worked() - start);
  const steps = searchInSteps(search, file, patience);
  let found: FixSearchResult | null = null;
  await scheduler.run("second phase", {
    isAbandoned: () => signal.aborted,
    advance: (isOver) => {
      start = clock.worked();
      for (;;) {
        const step = steps.next();
        if (step.done) {
          found = step.value.found;
          if (step.value.failure !== null)
            log.failed(`the search for fixes in ${file}`, step.value.failure.detail);
          return true;
        }
        if (!isOver()) continue;
        taken += clock.worked() - start;
        return false;
      }
    },
  });
  return found;
}
