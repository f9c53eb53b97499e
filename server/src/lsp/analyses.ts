// What is known of open documents: analysed when somebody asks, once for all who ask, and again only where something has changed.
import type { CancellationToken } from "vscode-languageserver";
import type { FileAnalysis } from "../lint/analysis.ts";
import type { Folders } from "./folders.ts";
import type { Log } from "./log.ts";
import type { RequestedFiles } from "./requested-files.ts";
import type { Scheduler } from "./scheduler.ts";

/** Why there is no answer. */
export class CancelledError extends Error {}

export interface Analyses {
  /** Of the text as it is when the answer comes. Rejects with `CancelledError` where `token` is cancelled before. */
  of(path: string, token: CancellationToken): Promise<FileAnalysis>;
  /** The last known, which may be of an older text. */
  last(path: string): FileAnalysis | null;
  /** Gets the files of a client that were missed so far; all is analysed again where there were any. */
  settle(): Promise<void>;
  isBusy(path: string): boolean;
  /** The text of `path` has changed: gives the files that depend on it, itself not among them. */
  change(path: string): readonly string[];
  /** Calls `listener` with each new analysis. */
  onAnalysed(listener: (analysis: FileAnalysis) => void): void;
  /** Anything may be different now. */
  changeAll(): void;
  forget(path: string): void;
}

interface Entry {
  analysis: FileAnalysis | null;
  isCurrent: boolean;
  waiters: number;
  run: Promise<void> | null;
}

export function createAnalyses(
  folders: Folders,
  scheduler: Scheduler,
  log: Log,
  files: RequestedFiles | null,
): Analyses {
  const entries = new Map<string, Entry>();
  const listeners: ((analysis: FileAnalysis) => void)[] = [];
  const entryOf = (path: string): Entry => {
    let found = entries.get(path);
    if (found === undefined) {
      found = { analysis: null, isCurrent: false, waiters: 0, run: null };
      entries.set(path, found);
    }
    return found;
  };

  const start = async (path: string, entry: Entry): Promise<void> => {
    try {
      await scheduler.run("foreground", {
        isAbandoned: () => entry.waiters === 0,
        advance: (isOver) => {
          // The session is that of the moment: settings may have replaced it, and edits go into it as they come.
          const analysis = folders.of(path).session.analyse(path, { isCancelled: isOver });
          if (analysis === null) return false;
          entry.analysis = analysis;
          entry.isCurrent = true;
          for (const { file, detail } of analysis.failures)
            if (detail !== null) log.failed(`the analysis of ${file}`, detail);
          for (const listener of listeners) listener(analysis);
          return true;
        },
      });
    } finally {
      entry.run = null;
    }
  };

  const changeAll = (): void => {
    for (const entry of entries.values()) entry.isCurrent = false;
  };

  const settle = async (): Promise<void> => {
    if (files === null || !(await files.settle())) return;
    folders.reset();
    changeAll();
  };

  return {
    settle,
    of: async (path, token) => {
      const entry = entryOf(path);
      entry.waiters++;
      try {
        while (!entry.isCurrent) {
          entry.run ??= start(path, entry);
          await unlessCancelled(entry.run, token);
          await settle();
        }
      } finally {
        entry.waiters--;
      }
      if (entry.analysis === null) throw new CancelledError();
      return entry.analysis;
    },
    last: (path) => entries.get(path)?.analysis ?? null,
    isBusy: (path) => (entries.get(path)?.run ?? null) !== null,
    change: (path) => {
      const changed = folders.update([path]);
      const own = entries.get(path);
      if (own !== undefined) own.isCurrent = false;
      const dependents: string[] = [];
      for (const [file, entry] of entries) {
        if (file === path || !dependsOn(entry.analysis, path, changed)) continue;
        entry.isCurrent = false;
        dependents.push(file);
      }
      return dependents;
    },
    onAnalysed: (listener) => {
      listeners.push(listener);
    },
    changeAll,
    forget: (path) => {
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
