// `--watch`: waits until something changes below the directories of a run.
import { type FSWatcher, watch } from "node:fs";

export interface Watcher {
  /** Resolves once something has changed since it was last asked, or `stop` is aborted. */
  changed(stop: AbortSignal): Promise<void>;
  close(): void;
}

/** An editor writes a file in several steps. */
const quietMilliseconds = 100;
const uninteresting = /(?:^|[\\/])(?:\.git|\.warplint_cache|node_modules)(?:[\\/]|$)/;

/** Watches `directories` and what lies below them. */
export function watchDirectories(directories: readonly string[]): Watcher {
  let hasChanged = false;
  let tell = (): void => {};
  let timer: NodeJS.Timeout | null = null;
  const onChange = (_: string, name: string | null): void => {
    if (name !== null && uninteresting.test(name)) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      hasChanged = true;
      tell();
    }, quietMilliseconds);
  };
  const watchers = directories.flatMap((directory): FSWatcher[] => {
    try {
      const watcher = watch(directory, { recursive: true }, onChange);
      // A directory that goes away is no longer watched.
      watcher.on("error", () => {});
      return [watcher];
    } catch {
      return [];
    }
  });
  return {
    changed: (stop) =>
      new Promise((resolve) => {
        const end = (): void => {
          hasChanged = false;
          tell = () => {};
          stop.removeEventListener("abort", end);
          resolve();
        };
        if (hasChanged || stop.aborted) return end();
        tell = end;
        stop.addEventListener("abort", end);
      }),
    close: () => {
      if (timer !== null) clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
