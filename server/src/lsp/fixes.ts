// The second phase: fixes of open documents are searched for once they have been quiet for a moment, a kernel at a time, and what is ready
// is there for whoever asks. Nobody waits for it.
import type { FixSearchResult } from "../fixes/fix.ts";
import type { FileAnalysis } from "../lint/analysis.ts";
import { type FixTools, fixSearchesOf, type KernelFixSearch } from "../lint/fixes.ts";
import { type FoundFixes, keptFixes } from "../lint/kept-fixes.ts";
import { joined, withoutFixes } from "../lint/search.ts";
import type { ServerContext } from "./context.ts";

export interface Fixes {
  /** What is ready for `analysis`, by kernel. */
  byKernel(analysis: FileAnalysis): readonly FixSearchResult[];
  /** The same of all kernels. */
  of(analysis: FileAnalysis): FixSearchResult;
  /** The text of `path` has changed: a search in it ends, and another begins when it has been quiet. */
  change(path: string): void;
  forget(path: string): void;
  /** Calls `listener` with each document for which more is ready. */
  onFound(listener: (path: string) => void): void;
}

/** How long a document must be quiet until fixes are searched for. */
const quietMilliseconds = 300;
/** A backstop behind the search's own budgets, which are counted, so that a busy machine finds what an idle one does. */
const mostMilliseconds = 6000;

interface DocumentFixes {
  /** By kernel: of this text or of an earlier one. */
  readonly known: Map<string, FoundFixes>;
  /** Counts changes: a search of an earlier count is abandoned. */
  round: number;
  changedAt: number | null;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export function createFixes(
  context: Pick<ServerContext, "documents" | "folders" | "analyses" | "scheduler" | "clock" | "log">,
  tools: FixTools,
): Fixes {
  const { documents, folders, analyses, scheduler, clock, log } = context;
  const entries = new Map<string, DocumentFixes>();
  const listeners: ((path: string) => void)[] = [];
  const searches = new WeakMap<FileAnalysis, readonly KernelFixSearch[]>();

  const entryOf = (path: string): DocumentFixes => {
    let found = entries.get(path);
    if (found === undefined) {
      found = { known: new Map(), round: 0, changedAt: null, timer: undefined };
      entries.set(path, found);
    }
    return found;
  };

  const searchesOf = (analysis: FileAnalysis): readonly KernelFixSearch[] => {
    let found = searches.get(analysis);
    if (found === undefined) {
      const material = folders.of(analysis.file).session.fixMaterial(analysis.file);
      found = fixSearchesOf(analysis, material, tools);
      searches.set(analysis, found);
    }
    return found;
  };

  const readyOf = (search: KernelFixSearch, { file, texts }: FileAnalysis): FixSearchResult | null =>
    keptFixes(entries.get(file)?.known.get(search.kernel), search, texts);

  const stop = (entry: DocumentFixes): void => {
    entry.round++;
    clearTimeout(entry.timer);
  };

  const consider = (analysis: FileAnalysis): void => {
    const { file } = analysis;
    if (documents.documentOf(file) === null) return;
    const entry = entryOf(file);
    stop(entry);
    const quiet = entry.changedAt === null ? 0 : clock.now() - entry.changedAt;
    entry.timer = setTimeout(
      () => {
        searchAll(analysis, entry).catch((error: unknown) =>
          log.failed(`the search for fixes in ${file}`, error),
        );
      },
      Math.max(0, quietMilliseconds - quiet),
    );
  };

  const searchAll = async (analysis: FileAnalysis, entry: DocumentFixes): Promise<void> => {
    const { round } = entry;
    const { file, texts } = analysis;
    const isOutdated = () => entry.round !== round || documents.documentOf(file) === null;
    let hasMore = false;
    for (const search of searchesOf(analysis)) {
      if (readyOf(search, analysis) !== null) continue;
      const found = await searched(search, isOutdated);
      if (found === null) return;
      entry.known.set(search.kernel, { key: search.key, found, texts });
      hasMore = true;
    }
    if (hasMore) for (const listener of listeners) listener(file);
  };

  /** Null where it is outdated before it ends. */
  const searched = async (
    search: KernelFixSearch,
    isOutdated: () => boolean,
  ): Promise<FixSearchResult | null> => {
    const steps = search.run();
    let found: FixSearchResult | null = null;
    let taken = 0;
    const isDone = await scheduler.run("second phase", {
      isAbandoned: isOutdated,
      advance: (isOver) => {
        const start = clock.now();
        for (;;) {
          const step = steps.next();
          if (step.done) found = step.value;
          else if (taken + clock.now() - start > mostMilliseconds)
            found = withoutFixes(search, "the search for one took too long");
          if (found !== null) return true;
          if (!isOver()) continue;
          taken += clock.now() - start;
          return false;
        }
      },
    });
    return isDone ? found : null;
  };

  analyses.onAnalysed(consider);
  const byKernel = (analysis: FileAnalysis): readonly FixSearchResult[] =>
    searchesOf(analysis).flatMap((search) => readyOf(search, analysis) ?? []);
  return {
    byKernel,
    of: (analysis) => joined(byKernel(analysis)),
    change: (path) => {
      const entry = entryOf(path);
      stop(entry);
      entry.changedAt = clock.now();
    },
    forget: (path) => {
      const entry = entries.get(path);
      if (entry !== undefined) stop(entry);
      entries.delete(path);
    },
    onFound: (listener) => {
      listeners.push(listener);
    },
  };
}
