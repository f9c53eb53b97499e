// Which files the tools may read: those below the workspace's roots, links followed.
import type { Host } from "../host/host.ts";
import { isInside, resolvePath } from "../text/path.ts";

/** `host`, with nothing outside of `roots`. */
export function insideHost(host: Host, roots: readonly string[]): Host {
  const real = roots.map((root) => host.realPath(root) ?? root);
  const known = new Map<string, boolean>();
  const isAllowed = (path: string): boolean => {
    const found =
      known.get(path) ?? real.some((root) => isInside(host.realPath(path) ?? resolvePath("/", path), root));
    known.set(path, found);
    return found;
  };
  return {
    currentDirectory: real[0] ?? host.currentDirectory,
    kindOf: (path) => (isAllowed(path) ? host.kindOf(path) : "missing"),
    sizeOf: (path) => (isAllowed(path) ? host.sizeOf(path) : null),
    readBytes: (path) => (isAllowed(path) ? host.readBytes(path) : null),
    realPath: (path) => (isAllowed(path) ? host.realPath(path) : null),
    list: (directory) => (isAllowed(directory) ? host.list(directory) : null),
  };
}

/** Where `written` is below one of the roots, whether or not something is there; null where it lies outside of all. */
export function placeInside(written: string, host: Host, roots: readonly string[]): string | null {
  for (const root of roots.map((each) => host.realPath(each) ?? each)) {
    const path = resolvePath(root, written);
    if (isInside(path, root)) return path;
  }
  return null;
}

/** The file that `written` names below one of the roots; null where it lies outside of all, or is not there. */
export function fileInside(written: string, host: Host, roots: readonly string[]): string | null {
  const paths = roots.map((root) => resolvePath(host.realPath(root) ?? root, written));
  return paths.find((path) => host.kindOf(path) === "file") ?? null;
}
