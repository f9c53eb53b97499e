// Files of the machine, through Node.
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import type { DirectoryEntry, FileKind, Host } from "./host.ts";

/** A host that reads the file system of this machine. */
export function nodeHost(currentDirectory: string): Host {
  return {
    currentDirectory: toPortable(currentDirectory),
    kindOf,
    sizeOf: (path) => attempt(() => statSync(path).size),
    readBytes: (path) => attempt(() => readFileSync(path)),
    realPath: (path) => attempt(() => toPortable(realpathSync.native(path))),
    list: (directory) => attempt(() => listDirectory(directory)),
  };
}

/** A path of this platform as the core writes it: with "/" between its parts. */
function toPortable(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}

function kindOf(path: string): FileKind {
  const stat = attempt(() => statSync(path, { throwIfNoEntry: false }));
  if (!stat) return "missing";
  return stat.isFile() ? "file" : stat.isDirectory() ? "directory" : "other";
}

function listDirectory(directory: string): DirectoryEntry[] {
  return readdirSync(directory, { withFileTypes: true })
    .map((entry): DirectoryEntry => {
      const isLink = entry.isSymbolicLink();
      const kind = isLink
        ? kindOf(`${directory}/${entry.name}`)
        : entry.isFile()
          ? "file"
          : entry.isDirectory()
            ? "directory"
            : "other";
      return { name: entry.name, kind, isLink };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The file system answers by throwing; the core asks for null. */
function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
