// What is known of open documents: analysed when somebody asks, once for all who ask, and again only where something has changed. Of a long file
// who asks for less than all gets the kernels in sight first.
import { type CancellationToken, CancellationTokenSource } from "vscode-languageserver";
import type { FileAnalysis } from "../lint/analysis.ts";
import type { Folders } from "./folders.ts";
import type { Log } from "./log.ts";
import type { RequestedFiles } from "./requested-files.ts";
import type { Clock, Scheduler } from "./scheduler.ts";

/** Why there is no answer. */
export class CancelledError extends Error {}

export interface Analyses {
  /**
   * Of the text as it is when the answer comes: all of it, or a draft that `accepts` (none does if not given). Rejects with `CancelledError`
   * where `token` is cancelled before.
   */
  of(path: string, token: CancellationToken, accepts?: AcceptsDraft): Promise<FileAnalysis>;
  /** The last known, which may be of an older text. */
  last(path: string): FileAnalysis | null;
  /** Gets the files of a client that were missed so far; all is analysed again where there were any. */
  settle(): Promise<void>;
  isBusy(path: string): boolean;
  /** The text of `path` has changed: gives the files that depend on it, itself not among them. */
  change(path: string): readonly string[];
  /** Calls `listener` with each new analysis of all. */
  onAnalysed(listener: (analysis: FileAnalysis) => void): void;
  /** Calls `listener` where somebody was given a draft, and there is more to show now. */
  onMore(listener: (path: string) => void): void;
  /** Anything may be different now. */
  changeAll(): void;
  forget(path: string): void;
}

/** Whether a draft, in which kernels are missing, does for who asks. */
export type AcceptsDraft = (draft: FileAnalysis) => boolean;

/** A whole answer that comes within so long is not preceded by a draft. */
const draftMilliseconds = 100;

interface Entry {
  analysis: FileAnalysis | null;
  isCurrent: boolean;
  waiters: number;
  run: Promise<void> | null;
  /** Of the text as it is; null where there is none yet. */
  draft: FileAnalysis | null;
  /** When the text, or what it hangs on, changed last. */
  since: number;
  /** Waits for the rest where somebody has a draft; null where nobody has. */
  follower: CancellationTokenSource | null;
  /** Called once there is a draft. */
  onDraft: (() => void)[];
}

export function createAnalyses(
  folders: Folders,
  { scheduler, clock }: { readonly scheduler: Scheduler; readonly clock: Clock },
  log: Log,
  files: RequestedFiles | null,
): Analyses {
  const entries = new Map<string, Entry>();
  const listeners: ((analysis: FileAnalysis) => void)[] = [];
  const moreListeners: ((path: string) => void)[] = [];
  const entryOf = (path: string): Entry => {
    let found = entries.get(path);
    if (found === undefined) {
      found = {
        analysis: null,
        isCurrent: false,
        waiters: 0,
        run: null,
        draft: null,
        since: clock.now(),
        follower: null,
        onDraft: [],
      };
      entries.set(path, found);
    }
    return found;
  };

  const start = async (path: string, entry: Entry): Promise<void> => {
    entry.since = clock.now();
    try {
      await scheduler.run("foreground", {
        isAbandoned: () => entry.waiters === 0,
        advance: (isOver) => {
          // The session is that of the moment: settings may have replaced it, and edits go into it as they come.
          const analysis = folders.of(path).session.analyse(path, { isCancelled: isOver });
          if (analysis === null) {
            showDraft(path, entry);
            return false;
          }
          entry.analysis = analysis;
          entry.isCurrent = true;
          entry.draft = null;
          for (const { file, detail } of analysis.failures)
            if (detail !== null) log.failed(`the analysis of ${file}`, detail);
          for (const listener of listeners) listener(analysis);
          return true;
        },
      });
    } finally {
      entry.run = null;
      entry.onDraft = [];
    }
  };

  const showDraft = (path: string, entry: Entry): void => {
    if (clock.now() < entry.since + draftMilliseconds) return;
    const draft = folders.of(path).session.draft(path);
    if (draft === null) return;
    entry.draft = draft;
    for (const wake of entry.onDraft.splice(0)) wake();
    if (entry.follower !== null) for (const listener of moreListeners) listener(path);
  };

  /** Sees to it that the rest follows a draft. */
  const follow = (path: string, entry: Entry): void => {
    if (entry.follower !== null) return;
    const follower = new CancellationTokenSource();
    entry.follower = follower;
    of(path, follower.token)
      .then(() => {
        for (const listener of moreListeners) listener(path);
      })
      .catch((error: unknown) => {
        if (!(error instanceof CancelledError)) log.failed(`the analysis of ${path}`, error);
      })
      .finally(() => {
        entry.follower = null;
        follower.dispose();
      });
  };

  const outdate = (entry: Entry): void => {
    entry.isCurrent = false;
    entry.draft = null;
    entry.since = clock.now();
  };

  const changeAll = (): void => {
    for (const entry of entries.values()) outdate(entry);
  };

  const settle = async (): Promise<void> => {
    if (files === null || !(await files.settle())) return;
    folders.reset();
    changeAll();
  };

  const of: Analyses["of"] = async (path, token, accepts) => {
    const entry = entryOf(path);
    entry.waiters++;
    try {
      while (!entry.isCurrent) {
        const { draft } = entry;
        if (draft !== null && accepts?.(draft)) {
          follow(path, entry);
          return draft;
        }
        entry.run ??= start(path, entry);
        const drafted = new Promise<void>((resolve) => entry.onDraft.push(resolve));
        await unlessCancelled(accepts ? Promise.race([entry.run, drafted]) : entry.run, token);
        if (entry.run === null) await settle();
      }
    } finally {
      entry.waiters--;
    }
    if (entry.analysis === null) throw new CancelledError();
    return entry.analysis;
  };

  return {
    settle,
    of,
    last: (path) => entries.get(path)?.analysis ?? null,
    isBusy: (path) => (entries.get(path)?.run ?? null) !== null,
    change: (path) => {
      const changed = folders.update([path]);
      const own = entries.get(path);
      if (own !== undefined) outdate(own);
      const dependents: string[] = [];
      for (const [file, entry] of entries) {
        if (file === path || !dependsOn(entry.analysis, path, changed)) continue;
        outdate(entry);
        dependents.push(file);
      }
      return dependents;
    },
    onAnalysed: (listener) => {
      listeners.push(listener);
    },
    onMore: (listener) => {
      moreListeners.push(listener);
    },
    changeAll,
    forget: (path) => {
      entries.get(path)?.follower?.cancel();
      entries.delete(path);
    },
  };
}

/** What a file reads, and, where other sources have a say in its programs, which programs there are. */
function dependsOn(analysis: FileAnalysis | null, path: string, changed: "programs" | "texts"): boolean {
  if (analysis === null) return false;
  return analysis.texts.has(path) || (changed === "programs" && analysis.isOpenEnded);
}

function unlessCancelled(run: Promise<void>, token: CancellationToken): Promise<void> {
  if (token.isCancellationRequested) return Promise.reject(new CancelledError());
  return new Promise((resolve, reject) => {
    const listener = token.onCancellationRequested(() => {
      listener.dispose();
      reject(new CancelledError());
    });
    run.then(resolve, reject).finally(() => listener.dispose());
  });
}
