// A repository as it was in a commit, or its working tree without what git ignores, as a host: analysed as if it lay where the repository lies.
import type { DirectoryEntry, FileKind, Host } from "../host/host.ts";
import { directoryOf, resolvePath } from "../text/path.ts";
import { objectsOf, type TreeEntry, treeOf, workingTreeOf } from "./git.ts";

/** Read ahead in one go: sources, headers, and what builds are described in. */
const usual =
  /\.(?:cuh?|h|hh|hpp|hxx|inl|inc|c|cc|cpp|cxx|cmake|txt|json|py|mk|mak|make|ninja|bazel|bzl|in|toml|sh|clangd)$|(?:^|\/)(?:GNU)?[Mm]akefile$|(?:^|\/)(?:BUILD|WORKSPACE|\.gitignore)$/;
const mostBytesOfUsual = 1024 * 1024;
const mostBytesAhead = 256 * 1024 * 1024;

interface Files {
  /** By absolute path. */
  readonly read: (path: string) => Uint8Array | null;
  readonly sizes: ReadonlyMap<string, number>;
  /** Folders that are read as they lie on the disk: submodules, which a commit does not hold. */
  readonly onDisk: readonly string[];
}

/** The repository at `root` as `commit` has it. */
export function commitHost(base: Host, root: string, commit: string, currentDirectory: string): Host {
  const entries = treeOf(root, commit);
  const blobs = new Map<string, TreeEntry>();
  for (const entry of entries) if (entry.kind === "blob") blobs.set(`${root}/${entry.path}`, entry);
  const contents = new Map<string, Uint8Array>(objectsOf(root, aheadOf(entries)));
  for (const { path, object, kind } of entries) {
    if (kind !== "link") continue;
    const target = objectsOf(root, [object]).get(object);
    const at = `${root}/${path}`;
    const resolved = target && blobs.get(resolvePath(directoryOf(at), new TextDecoder().decode(target)));
    if (resolved) blobs.set(at, resolved);
  }
  return treeHost(base, root, currentDirectory, {
    sizes: new Map([...blobs].map(([path, { bytes }]) => [path, bytes])),
    onDisk: entries.flatMap(({ path, kind }) => (kind === "submodule" ? [`${root}/${path}`] : [])),
    read: (path) => {
      const object = blobs.get(path)?.object;
      if (object === undefined) return null;
      const known = contents.get(object) ?? objectsOf(root, [object]).get(object) ?? null;
      if (known !== null) contents.set(object, known);
      return known;
    },
  });
}

function aheadOf(entries: readonly TreeEntry[]): string[] {
  let left = mostBytesAhead;
  const objects = new Set<string>();
  for (const { path, kind, bytes, object } of entries) {
    if (kind !== "blob" || bytes > mostBytesOfUsual || bytes > left || !usual.test(path)) continue;
    left -= bytes;
    objects.add(object);
  }
  return [...objects];
}

/** The working tree of the repository at `root`, without what git ignores: builds that lie there are not what the sources say. */
export function workingTreeHost(base: Host, root: string, currentDirectory: string): Host {
  const paths = (workingTreeOf(root) ?? []).map((path) => `${root}/${path}`);
  const files = paths.filter((path) => base.kindOf(path) === "file");
  return treeHost(base, root, currentDirectory, {
    sizes: new Map(files.map((path) => [path, base.sizeOf(path) ?? 0])),
    onDisk: paths.filter((path) => base.kindOf(path) === "directory"),
    read: (path) => base.readBytes(path),
  });
}

/** `files` below `root`, and what lies elsewhere as `base` has it. */
function treeHost(base: Host, root: string, currentDirectory: string, files: Files): Host {
  const directories = directoriesOf(root, files);
  const isHere = (path: string) =>
    (path === root || path.startsWith(`${root}/`)) &&
    !files.onDisk.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const kindOf = (path: string): FileKind => {
    if (!isHere(path)) return base.kindOf(path);
    if (path === `${root}/.git`) return "directory";
    return files.sizes.has(path) ? "file" : directories.has(path) ? "directory" : "missing";
  };
  return {
    currentDirectory,
    kindOf,
    sizeOf: (path) => (isHere(path) ? (files.sizes.get(path) ?? null) : base.sizeOf(path)),
    readBytes: (path) =>
      isHere(path) ? (files.sizes.has(path) ? files.read(path) : null) : base.readBytes(path),
    realPath: (path) => (isHere(path) ? (kindOf(path) === "missing" ? null : path) : base.realPath(path)),
    list: (path) => (isHere(path) ? (directories.get(path) ?? null) : base.list(path)),
  };
}

function directoriesOf(
  root: string,
  { sizes, onDisk }: Files,
): ReadonlyMap<string, readonly DirectoryEntry[]> {
  const directories = new Map<string, Map<string, DirectoryEntry>>([[root, new Map()]]);
  const add = (path: string, kind: "file" | "directory"): void => {
    for (let at = path, own = kind; at.length > root.length; at = directoryOf(at), own = "directory") {
      const parent = directoryOf(at);
      const entries = directories.get(parent) ?? new Map<string, DirectoryEntry>();
      directories.set(parent, entries);
      const name = at.slice(parent.length + 1);
      if (entries.has(name)) return;
      entries.set(name, { name, kind: own, isLink: false });
    }
  };
  for (const path of sizes.keys()) add(path, "file");
  for (const path of onDisk) add(path, "directory");
  return new Map(
    [...directories].map(([path, entries]) => [
      path,
      [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    ]),
  );
}
