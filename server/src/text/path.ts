// Arithmetic on paths as the core writes them: absolute or relative, "/" between parts, the same on every platform.

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}

/** `path` as seen from `base`, without "." and ".."; `base` must be absolute. */
export function resolvePath(base: string, path: string): string {
  return normalise(isAbsolute(path) ? path : `${base}/${path}`);
}

/** The directory that holds `path`; of a root, the root. */
export function directoryOf(path: string): string {
  const at = path.lastIndexOf("/");
  if (at === -1) return ".";
  return at === 0 ? "/" : path.slice(0, at);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether `path` is `directory` or below it. Both absolute and normal. */
export function isInside(path: string, directory: string): boolean {
  return directory === "/" || path === directory || path.startsWith(`${directory}/`);
}

/** `path` as people at `directory` would type it: relative where it is below, else as it is. */
export function relativeTo(directory: string, path: string): string {
  if (path === directory) return ".";
  if (directory === "/") return path.slice(1);
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
}

/** `directory`, then the directories around it, up to the root. */
export function ancestors(directory: string): string[] {
  const found = [directory];
  for (let at = directory, above = directoryOf(at); above !== at && above !== "."; above = directoryOf(at)) {
    found.push(above);
    at = above;
  }
  return found;
}

function normalise(path: string): string {
  // "//server/share" is a network place of Windows, and not "/server/share".
  if (/^\/\/[^/]/.test(path)) return `/${normalise(path.slice(1))}`;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.length > 1) parts.pop();
    } else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  return parts.length === 1 && parts[0] === "" ? "/" : parts.join("/");
}
