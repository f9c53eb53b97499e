// One thread for everything: work is done in slices, and between them messages get through.
import type { Quiet } from "./quiet.ts";

/** What is known so far is kept by whoever does the work; a slice ends when `isOver` says so. */
export interface Work {
  /** Works until done (true) or until `isOver` (false). */
  advance(isOver: () => boolean): boolean;
  /** Nobody waits any more. */
  isAbandoned(): boolean;
}

/** Each waits while there is work in one before it. */
export type Lane = "foreground" | "second phase" | "background";

export interface Scheduler {
  /** Resolves to whether the work was done; rejects with what `advance` throws. */
  run(lane: Lane, work: Work): Promise<boolean>;
  /** Makes way: somebody waits for what the editor shows, and it needs the processors for a moment. Only the foreground goes on. */
  makeWay(): void;
}

export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Milliseconds that the process has worked, where that can be told: what else runs on the machine does not count. */
  worked(): number;
  /** Resolves after what has arrived in the meantime was handled. */
  pause(): Promise<void>;
}

/** Turns of the event loop in which a request is read, queued, handled and answered: it waits for one slice, not for one in each. */
const turnsOfRequest = 4;

/**
 * Where somebody waits for the work: long enough for most edits to be answered in one slice, short enough that a cancel is heard. Where nobody
 * does: so short that nobody notices.
 */
const sliceMilliseconds: Readonly<Record<Lane, number>> = {
  foreground: 15,
  "second phase": 4,
  background: 4,
};

/** How long an editor takes to show what it asked for. */
const awayMilliseconds = 100;

/** All work ends, however often the editor asks: at the latest after `mostAwayMilliseconds` it goes on, for `backMilliseconds` at least. */
const mostAwayMilliseconds = 300;
const backMilliseconds = 150;

const inOrder: readonly Lane[] = ["foreground", "second phase", "background"];

interface Job {
  readonly work: Work;
  resolve(isDone: boolean): void;
  reject(error: unknown): void;
}

export function createScheduler(clock: Clock, quiet: Quiet | null = null): Scheduler {
  const lanes: Record<Lane, Job[]> = { foreground: [], "second phase": [], background: [] };
  let isRunning = false;
  let awaySince = -Infinity;
  let awayUntil = -Infinity;
  let wake: () => void = () => {};

  /** Ends early where work comes that somebody waits for. */
  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const pump = async (): Promise<void> => {
    isRunning = true;
    quiet?.workBegins();
    for (;;) {
      // The message that asked for the work may be one of many: let the others in first, and their answers out.
      for (let turn = 0; turn < turnsOfRequest; turn++) await clock.pause();
      const lane = inOrder.find((name) => lanes[name].length > 0) ?? "background";
      const [job] = lanes[lane];
      if (job === undefined) break;
      const away = awayUntil - clock.now();
      if (lane !== "foreground" && away > 0) {
        await sleep(away);
        continue;
      }
      if (runSlice(job, sliceMilliseconds[lane], clock) === "ended") lanes[lane].shift();
    }
    isRunning = false;
    quiet?.workEnds();
  };

  return {
    run: (lane, work) =>
      new Promise((resolve, reject) => {
        lanes[lane].push({ work, resolve, reject });
        if (!isRunning) void pump();
        else if (lane === "foreground") wake();
      }),
    makeWay: () => {
      const now = clock.now();
      if (now >= awayUntil + backMilliseconds) awaySince = now;
      awayUntil = Math.min(now + awayMilliseconds, awaySince + mostAwayMilliseconds);
    },
  };
}

/** What `steps` give in the end; null where nobody waits any more before that. */
export async function inSlices<T>(
  scheduler: Scheduler,
  lane: Lane,
  steps: Generator<void, T>,
  isAbandoned: () => boolean,
): Promise<T | null> {
  let given: T | null = null;
  await scheduler.run(lane, {
    isAbandoned,
    advance: (isOver) => {
      for (;;) {
        const step = steps.next();
        if (step.done) {
          given = step.value;
          return true;
        }
        if (isOver()) return false;
      }
    },
  });
  return given;
}

function runSlice(job: Job, milliseconds: number, clock: Clock): "ended" | "goes on" {
  if (job.work.isAbandoned()) {
    job.resolve(false);
    return "ended";
  }
  const end = clock.now() + milliseconds;
  try {
    if (!job.work.advance(() => clock.now() >= end)) return "goes on";
    job.resolve(true);
  } catch (error) {
    job.reject(error);
  }
  return "ended";
}
