// Searches for fixes in a thread of its own: menus, hovers and cancels never wait for one, however long a step of it takes.
import type { Folders } from "../folders.ts";
import type { Log } from "../log.ts";
import type { Helper } from "../port.ts";
import type { FromThread, ToThread } from "./messages.ts";
import type { FixSearcher, SearchTask } from "./searcher.ts";
import { snapshotOf } from "./snapshot.ts";

/** Runs `serveSearches`. */
export type SearchThread = Helper<FromThread, ToThread>;

/** How long a thread that nobody asks is kept: what it knows makes the next search quicker, and takes memory. */
const idleMilliseconds = 120_000;

interface Waiting {
  readonly task: SearchTask;
  readonly resolve: () => void;
}

/** The thread is started with the first search. Where there can be none, `substitute` searches. */
export function searcherInThread(
  start: () => SearchThread,
  substitute: FixSearcher,
  folders: Folders,
  log: Log,
): FixSearcher {
  const waiting = new Map<number, Waiting>();
  let thread: SearchThread | null = null;
  let isUsable = true;
  let lastId = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;

  const started = (): SearchThread => {
    const begun = start();
    begun.onMessage(take);
    begun.onFailure(giveUp);
    return begun;
  };

  const take = (message: FromThread): void => {
    if (message.kind === "failed") {
      log.failed(message.what, message.detail);
      return;
    }
    const { task, resolve } = waiting.get(message.id) ?? {};
    if (message.kind === "ended") {
      waiting.delete(message.id);
      if (waiting.size === 0) idle = setTimeout(end, idleMilliseconds);
      resolve?.();
      return;
    }
    const { kernel, key, found } = message;
    const search = task?.searches.find((each) => each.kernel === kernel && each.key === key);
    if (search !== undefined && !task?.signal.aborted) task?.onFound(search, found);
  };

  const end = (): void => {
    thread?.end();
    thread = null;
  };

  const giveUp = (error: unknown): void => {
    log.failed("the thread that searches for fixes", error);
    isUsable = false;
    end();
    for (const { task, resolve } of waiting.values()) void substitute.search(task).finally(resolve);
    waiting.clear();
  };

  return {
    search: (task) => {
      if (!isUsable) return substitute.search(task);
      const { analysis, searches, signal } = task;
      const id = ++lastId;
      clearTimeout(idle);
      return new Promise((resolve) => {
        waiting.set(id, { task, resolve });
        try {
          thread ??= started();
        } catch (error) {
          giveUp(error);
          return;
        }
        thread.post({
          kind: "search",
          id,
          snapshot: snapshotOf(analysis, folders.of(analysis.file)),
          wanted: searches.map(({ kernel, key }) => ({ kernel, key })),
        });
        signal.addEventListener("abort", () => thread?.post({ kind: "stop", id }), { once: true });
      });
    },
    makeWay: () => {
      if (waiting.size > 0) thread?.post({ kind: "make-way" });
      substitute.makeWay();
    },
  };
}
