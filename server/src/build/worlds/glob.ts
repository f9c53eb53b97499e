// Files by wildcards, as make and the shell expand them: "*", "?" and "[…]", part by part; names with a dot in front only where it is typed.
import { isInside, resolvePath } from "../../text/path.ts";
import type { BuildHost } from "../flags.ts";

export function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

const mostMatches = 20_000;

/**
 * Paths as the pattern writes them, sorted; null where it leads out of the workspace, where nothing may be looked at. A pattern without
 * wildcards gives itself where it exists.
 */
export function glob(
  host: BuildHost,
  workspace: string,
  directory: string,
  pattern: string,
): string[] | null {
  const isAbsolute = pattern.startsWith("/");
  let found = [isAbsolute ? "/" : ""];
  const parts = pattern
    .split("/")
    .filter((part, index) => part !== "" || (index > 0 && index === pattern.split("/").length - 1));
  for (const part of parts) {
    if (part === "") {
      found = found
        .filter((path) => host.kindOf(resolvePath(directory, path)) === "directory")
        .map((path) => `${path}/`);
      continue;
    }
    const next: string[] = [];
    for (const before of found) {
      const start = before === "" || before.endsWith("/") ? before : `${before}/`;
      if (!isGlob(part)) {
        next.push(start + part);
        continue;
      }
      const at = resolvePath(directory, before === "" ? "." : before);
      if (!isInside(at, workspace)) return null;
      const matches = matcherOf(part);
      for (const { name } of host.list(at)) {
        if (name.startsWith(".") !== part.startsWith(".")) continue;
        if (matches.test(name)) next.push(start + name);
        if (next.length > mostMatches) break;
      }
    }
    found = next;
  }
  const existing: string[] = [];
  for (const path of found) {
    const absolute = resolvePath(directory, path);
    if (!isInside(absolute, workspace)) return null;
    if (host.kindOf(absolute) !== "missing") existing.push(path);
  }
  return existing.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** One part of a path as a regular expression. */
export function matcherOf(part: string): RegExp {
  let source = "";
  for (let index = 0; index < part.length; index++) {
    const character = part[index] ?? "";
    if (character === "*") source += "[^/]*";
    else if (character === "?") source += "[^/]";
    else if (character === "[") {
      const end = part.indexOf("]", index + 2);
      if (end === -1) source += "\\[";
      else {
        const set = part
          .slice(index + 1, end)
          .replace(/[\\\]]/g, "\\$&")
          .replace(/^!/, "^");
        source += `[${set}]`;
        index = end;
      }
    } else if (character === "\\" && index + 1 < part.length) source += escaped(part[++index] ?? "");
    else source += escaped(character);
  }
  try {
    return new RegExp(`^${source}$`, "s");
  } catch {
    // A range such as [z-a].
    return /^(?!)/;
  }
}

function escaped(character: string): string {
  return character.replace(/[.*+?^${}()|[\]\\/]/, "\\$&");
}
