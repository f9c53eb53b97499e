// The second phase: fixes of open documents are searched for once they have been quiet for a moment, a kernel at a time, and what is ready
// is there for whoever asks. Nobody waits for it.
import type { FixSearchResult } from "../../fixes/fix.ts";
import type { FileAnalysis } from "../../lint/analysis.ts";
import { type FixTools, fixSearchesOf, type KernelFixSearch } from "../../lint/fixes.ts";
import { type FoundFixes, keptFixes } from "../../lint/kept-fixes.ts";
import { joined } from "../../lint/search.ts";
import type { Finding } from "../../rules/finding.ts";
import type { ServerContext } from "../context.ts";
import type { FixSearcher } from "./searcher.ts";

export interface Fixes {
  /** What is ready for `analysis`, by kernel. */
  byKernel(analysis: FileAnalysis): readonly FixSearchResult[];
  /** The same of all kernels. */
  of(analysis: FileAnalysis): FixSearchResult;
  /** The findings of an open document whose search has not ended. */
  pending(analysis: FileAnalysis): readonly Finding[];
  /** Searches what is not ready, whether the file is open or not; resolves to what is known then, by kernel. */
  searchNow(analysis: FileAnalysis, signal: AbortSignal): Promise<readonly FixSearchResult[]>;
  /** The text of `path` has changed: a search in it ends, and another begins when it has been quiet. */
  change(path: string): void;
  forget(path: string): void;
  /** Somebody waits for what the editor shows: whatever searches, or works in the background, leaves it the processors for a moment. */
  makeWay(): void;
  /** Calls `listener` with each document for which more is ready. */
  onFound(listener: (path: string) => void): void;
}

/** How long a document must be quiet until fixes are searched for. */
const quietMilliseconds = 300;

interface DocumentFixes {
  /** By kernel: of this text or of an earlier one. */
  readonly known: Map<string, FoundFixes>;
  /** Ends the search that runs; null where none does. */
  search: AbortController | null;
  changedAt: number | null;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export function createFixes(
  context: Pick<ServerContext, "documents" | "folders" | "analyses" | "clock" | "log">,
  searcher: FixSearcher,
  tools: FixTools,
): Fixes {
  const { documents, folders, analyses, clock, log } = context;
  const entries = new Map<string, DocumentFixes>();
  const listeners: ((path: string) => void)[] = [];
  const searches = new WeakMap<FileAnalysis, readonly KernelFixSearch[]>();

  const entryOf = (path: string): DocumentFixes => {
    let found = entries.get(path);
    if (found === undefined) {
      found = { known: new Map(), search: null, changedAt: null, timer: undefined };
      entries.set(path, found);
    }
    return found;
  };

  const searchesOf = (analysis: FileAnalysis): readonly KernelFixSearch[] => {
    let found = searches.get(analysis);
    if (found === undefined) {
      const { file, state } = analysis;
      const material = folders.of(file).session.fixMaterial(file, state);
      found = fixSearchesOf(analysis, material, tools);
      searches.set(analysis, found);
    }
    return found;
  };

  const readyOf = (search: KernelFixSearch, { file, texts }: FileAnalysis): FixSearchResult | null =>
    keptFixes(entries.get(file)?.known.get(search.kernel), search, texts);

  const stop = (entry: DocumentFixes): void => {
    entry.search?.abort();
    entry.search = null;
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
    const { file, texts } = analysis;
    const wanted = searchesOf(analysis).filter((search) => readyOf(search, analysis) === null);
    if (wanted.length === 0) return;
    const search = new AbortController();
    const { signal } = search;
    entry.search = search;
    await searcher.search({
      analysis,
      searches: wanted,
      signal,
      onFound: ({ kernel, key }, found) => entry.known.set(kernel, { key, found, texts }),
    });
    if (!signal.aborted) for (const listener of listeners) listener(file);
  };

  analyses.onAnalysed(consider);
  const byKernel = (analysis: FileAnalysis): readonly FixSearchResult[] =>
    searchesOf(analysis).flatMap((search) => readyOf(search, analysis) ?? []);
  return {
    byKernel,
    searchNow: async (analysis, signal) => {
      const { file, texts } = analysis;
      const searches = searchesOf(analysis).filter((search) => readyOf(search, analysis) === null);
      if (searches.length > 0)
        await searcher.search({
          analysis,
          searches,
          signal,
          onFound: ({ kernel, key }, found) => entryOf(file).known.set(kernel, { key, found, texts }),
        });
      return byKernel(analysis);
    },
    of: (analysis) => joined(byKernel(analysis)),
    pending: (analysis) =>
      documents.documentOf(analysis.file) === null
        ? []
        : searchesOf(analysis).flatMap((search) =>
            readyOf(search, analysis) === null ? search.findings : [],
          ),
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
    makeWay: () => searcher.makeWay(),
    onFound: (listener) => {
      listeners.push(listener);
    },
  };
}
