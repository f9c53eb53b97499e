// A header opened alone: its kernels are launched in files that nobody has open. They are looked for in the background, and read with it.

import { readText } from "../host/host.ts";
import type { FileAnalysis } from "../lint/analysis.ts";
import { cudaKindOf, walkingCuda } from "../project/walk.ts";
import { directoryOf } from "../text/path.ts";
import type { ServerContext } from "./context.ts";
import type { Folder } from "./folders.ts";
import { inSlices } from "./scheduler.ts";

export interface LauncherSearch {
  /** Starts a search where the analysis is of a header with kernels that nothing launches, once for each set of such kernels. */
  consider(analysis: FileAnalysis): void;
  /**
   * The document is closed: files that were read for a header's sake alone are forgotten. The launches of headers that are still open may
   * have gone with it, and are looked for again.
   */
  end(path: string): void;
}

/** Budgets: what is not found in so many files is not looked for any further. */
const mostFiles = 5000;
const mostBytes = 1 << 20;
const mostCandidates = 16;

/** `onFound` is called with a header once more is known of its launches. */
export function createLauncherSearch(
  context: Pick<ServerContext, "documents" | "folders" | "scheduler" | "log">,
  onFound: (header: string) => void,
): LauncherSearch {
  const { documents, folders, scheduler, log } = context;
  /** What was looked for, by folder as it was then: where something around its files has changed, there may be more. */
  const searched = new WeakMap<Folder, Set<string>>();
  const read = new Map<string, Set<string>>();

  const search = async (header: string, names: readonly string[], folder: Folder): Promise<void> => {
    const isAbandoned = () => documents.documentOf(header) === null || folders.of(header) !== folder;
    const pending = await inSlices(scheduler, "background", candidatesOf(header, folder), isAbandoned);
    if (pending === null) return;
    let left = mostCandidates;
    const found = new Set<string>();
    read.set(header, found);
    await scheduler.run("background", {
      isAbandoned,
      advance: (isOver) => {
        for (;;) {
          const file = pending[0];
          if (file === undefined || left === 0) return true;
          if (documents.documentOf(file) === null && mayLaunch(file, names, folder)) {
            if (!folder.session.include(file, { isCancelled: isOver })) return false;
            left--;
            if (folder.session.unitsReading(header).includes(file)) found.add(file);
            else folder.session.forget(file);
          }
          pending.shift();
          if (isOver()) return false;
        }
      },
    });
    if (found.size > 0) onFound(header);
  };

  return {
    consider: (analysis) => {
      const { file, kernels } = analysis;
      const folder = folders.of(file);
      if (folder.path === null || cudaKindOf(file) === "source") return;
      const names = kernels.filter(({ launches }) => launches.every(isAssumed)).map(({ name }) => name);
      const key = `${file}\n${names.join(",")}`;
      const known = searched.get(folder) ?? new Set();
      searched.set(folder, known);
      if (names.length === 0 || known.has(key)) return;
      known.add(key);
      search(file, names, folder).catch((error: unknown) =>
        log.failed(`the search for launches of ${file}`, error),
      );
    },
    end: (path) => {
      for (const file of read.get(path) ?? [])
        if (documents.documentOf(file) === null) folders.of(path).session.forget(file);
      read.delete(path);
      searched.delete(folders.of(path));
    },
  };
}

function isAssumed({ profile }: FileAnalysis["kernels"][number]["launches"][number]): boolean {
  return profile.launch.origin.kind === "assumed";
}

/** CUDA files of the folder that git does not ignore, those nearest to the header first; in steps, for a folder may be large. */
function* candidatesOf(header: string, { host, path, project }: Folder): Generator<void, string[]> {
  const settings = path === null ? null : project.settingsIn(path);
  if (path === null || settings?.kind !== "settings") return [];
  const files = yield* walkingCuda(host, path, settings.settings.ignored);
  const others = files.filter((file) => file !== header);
  return others.sort((a, b) => distance(a, header) - distance(b, header)).slice(0, mostFiles);
}

/** Directories to leave and to enter from one file to the other. */
function distance(a: string, b: string): number {
  const one = directoryOf(a).split("/");
  const other = directoryOf(b).split("/");
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared++;
  return one.length + other.length - 2 * shared;
}

function mayLaunch(file: string, names: readonly string[], { host }: Folder): boolean {
  if ((host.sizeOf(file) ?? 0) > mostBytes) return false;
  const result = readText(host, file);
  return (
    result.kind === "text" && result.text.includes("<<<") && names.some((name) => result.text.includes(name))
  );
}
