// What readers of build descriptions see of a host: nothing outside of the workspace, links followed.
import type { BuildHost } from "../build/flags.ts";
import { type Host, readText } from "../host/host.ts";
import { isInside } from "../text/path.ts";

/** `allowed`: directories whose files may be read. */
export function buildHost(host: Host, allowed: readonly string[]): BuildHost {
  const real = allowed.map((directory) => host.realPath(directory) ?? directory);
  const isAllowed = (path: string): boolean => {
    if (!allowed.some((directory) => isInside(path, directory))) return false;
    const itself = host.realPath(path) ?? path;
    return itself === path || real.some((directory) => isInside(itself, directory));
  };
  return {
    readText: (path) => {
      if (!isAllowed(path)) return null;
      const read = readText(host, path);
      return read.kind === "text" ? read.text : null;
    },
    kindOf: (path) => (isAllowed(path) ? host.kindOf(path) : "missing"),
    list: (directory) =>
      (isAllowed(directory) ? (host.list(directory) ?? []) : []).flatMap(({ name, kind }) =>
        kind === "missing" ? [] : [{ name, kind }],
      ),
  };
}
