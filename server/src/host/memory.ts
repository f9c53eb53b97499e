// Files held in memory: for tests, for texts that an editor has not saved, and for the browser.
import type { DirectoryEntry, Host } from "./host.ts";

/** A host that holds `files` (absolute path to text or bytes); directories are those that the paths name. */
export function memoryHost(
  files: Readonly<Record<string, string | Uint8Array>>,
  currentDirectory = "/",
): Host {
  const contents = new Map(Object.entries(files));
  const bytesOf = (path: string): Uint8Array | null => {
    const content = contents.get(path);
    if (content === undefined) return null;
    return typeof content === "string" ? new TextEncoder().encode(content) : content;
  };
  const kindOf = (path: string) => {
    if (contents.has(path)) return "file";
    const prefix = path.endsWith("/") ? path : `${path}/`;
    for (const file of contents.keys()) if (file.startsWith(prefix)) return "directory";
    return "missing";
  };
  return {
    currentDirectory,
    kindOf,
    sizeOf: (path) => bytesOf(path)?.length ?? null,
    readBytes: bytesOf,
    realPath: (path) => (kindOf(path) === "missing" ? null : path),
    list: (directory) => (kindOf(directory) === "directory" ? entriesOf(contents.keys(), directory) : null),
  };
}

function entriesOf(files: Iterable<string>, directory: string): DirectoryEntry[] {
  const prefix = directory.endsWith("/") ? directory : `${directory}/`;
  const entries = new Map<string, DirectoryEntry>();
  for (const file of files) {
    if (!file.startsWith(prefix)) continue;
    const [name = "", ...below] = file.slice(prefix.length).split("/");
    entries.set(name, { name, kind: below.length === 0 ? "file" : "directory", isLink: false });
  }
  return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
