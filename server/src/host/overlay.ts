// Open documents over a host's files: an unsaved buffer counts as the file.
import type { Host } from "./host.ts";

/** The texts of open documents by path; null where none is open. */
export type OpenTexts = (path: string) => string | null;

/** `base`, seen from `currentDirectory`, with open documents in place of their files. */
export function overlayHost(base: Host, openText: OpenTexts, currentDirectory: string): Host {
  return {
    currentDirectory,
    openText: (path) => openText(path) ?? base.openText?.(path) ?? null,
    kindOf: (path) => (openText(path) === null ? base.kindOf(path) : "file"),
    sizeOf: (path) => openText(path)?.length ?? base.sizeOf(path),
    readBytes: (path) => {
      const text = openText(path);
      return text === null ? base.readBytes(path) : new TextEncoder().encode(text);
    },
    // A document that was never saved is where it says it is.
    realPath: (path) => base.realPath(path) ?? (openText(path) === null ? null : path),
    list: (directory) => base.list(directory),
  };
}
