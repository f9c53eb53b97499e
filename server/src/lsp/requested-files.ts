// Files of a client, for a server that has none of its own. The core asks at once and cannot wait: what is not at hand counts as missing,
// is asked for, and the work is done again when it has come.

import type { DirectoryEntry, FileKind, Host } from "../host/host.ts";
import { directoryOf, isInside, nameOf } from "../text/path.ts";

/** The client's side; null where there is nothing, or it may not be read. */
export interface FileSource {
  read(path: string): Promise<Uint8Array | null>;
  list(directory: string): Promise<readonly DirectoryEntry[] | null>;
}

export interface RequestedFiles {
  readonly host: Host;
  /** Gets everything that was missed so far; whether there was anything, so that what was made without it is to be made again. */
  settle(): Promise<boolean>;
  /** What is known of these files holds no more. */
  forget(paths: readonly string[]): void;
}

/** Asks `source` for nothing outside of `roots`. Each file and directory is asked for once. */
export function requestedFiles(source: FileSource, roots: () => readonly string[]): RequestedFiles {
  const files = new Map<string, Uint8Array | null>();
  const directories = new Map<string, readonly DirectoryEntry[] | null>();
  const wantedFiles = new Set<string>();
  const wantedDirectories = new Set<string>();
  const isAsked = (path: string) => roots().some((root) => isInside(path, root));

  const list = (directory: string): readonly DirectoryEntry[] | null => {
    const known = directories.get(directory);
    if (known === undefined && isAsked(directory)) wantedDirectories.add(directory);
    return known ?? null;
  };
  const kindOf = (path: string): FileKind => {
    if (roots().includes(path)) return "directory";
    if (!isAsked(path)) return "missing";
    return list(directoryOf(path))?.find(({ name }) => name === nameOf(path))?.kind ?? "missing";
  };
  const readBytes = (path: string): Uint8Array | null => {
    if (kindOf(path) !== "file") return null;
    const known = files.get(path);
    if (known === undefined) wantedFiles.add(path);
    return known ?? null;
  };

  return {
    host: {
      currentDirectory: "/",
      kindOf,
      list,
      readBytes,
      sizeOf: (path) => readBytes(path)?.length ?? null,
      realPath: (path) => (kindOf(path) === "missing" ? null : path),
    },
    settle: async () => {
      const paths = [...wantedFiles];
      const folders = [...wantedDirectories];
      wantedFiles.clear();
      wantedDirectories.clear();
      await Promise.all([
        ...paths.map(async (path) => files.set(path, await source.read(path))),
        ...folders.map(async (path) => directories.set(path, await source.list(path))),
      ]);
      return paths.length + folders.length > 0;
    },
    forget: (paths) => {
      for (const path of paths) {
        files.delete(path);
        directories.delete(directoryOf(path));
      }
    },
  };
}
