// Logical lines of a makefile: what backslashes join, what comments take away, where a character stands outside of references.
import { concat, replaceAll, slice, startOf, type Text, TextBuilder, textOf } from "../worlds/text.ts";
import { afterReference } from "./variables.ts";

/** The lines from `index` that backslashes join, as typed, and the index of the next one. */
export function logicalLine(
  lines: readonly Text[],
  index: number,
): { readonly parts: readonly Text[]; readonly next: number } {
  const parts: Text[] = [];
  let next = index;
  for (let line = lines[next]; line !== undefined; line = lines[next]) {
    parts.push(line);
    next++;
    const slashes = /\\+$/.exec(line.string)?.[0].length ?? 0;
    if (slashes % 2 === 0) break;
  }
  return { parts, next };
}

/** A logical line outside of recipes: a backslash, the line's end and the white space around them are one space. */
export function joined(parts: readonly Text[]): Text {
  if (parts.length === 1 && parts[0] !== undefined) return withoutLastSlash(parts[0]);
  const builder = new TextBuilder();
  parts.forEach((part, index) => {
    let piece = index < parts.length - 1 ? slice(part, 0, part.string.length - 1) : withoutLastSlash(part);
    if (index < parts.length - 1) piece = slice(piece, 0, piece.string.trimEnd().length);
    if (index > 0) {
      const start = piece.string.search(/\S/);
      piece = slice(piece, start === -1 ? piece.string.length : start);
      builder.append(textOf(" ", startOf(part)));
    }
    builder.append(piece);
  });
  return builder.build();
}

/** A backslash at the end of the last line joins nothing. */
function withoutLastSlash(line: Text): Text {
  const slashes = /\\+$/.exec(line.string)?.[0].length ?? 0;
  return slashes % 2 === 1 ? slice(line, 0, line.string.length - 1) : line;
}

/** A logical line of a recipe: the shell joins the lines, the prefix of those that follow is make's. */
export function recipeLine(parts: readonly Text[], prefix: string): Text {
  const builder = new TextBuilder();
  parts.forEach((part, index) => {
    if (index > 0) builder.append(textOf("\n", startOf(part)));
    builder.append(part.string.startsWith(prefix) ? slice(part, prefix.length) : part);
  });
  return builder.build();
}

/** The line without its comment; `\#` is a "#". */
export function withoutComment(line: Text): Text {
  const at = commentStart(line.string);
  const kept = at === -1 ? line : slice(line, 0, at);
  if (!kept.string.includes("\\#")) return kept;
  return replaceAll(kept, /(\\+)#/g, (match) => {
    const slashes = match[1]?.length ?? 0;
    const start = match.index ?? 0;
    return concat(
      slice(kept, start, start + (slashes >> 1)),
      slice(kept, start + slashes, start + slashes + 1),
    );
  });
}

function commentStart(string: string): number {
  for (let at = string.indexOf("#"); at !== -1; at = string.indexOf("#", at + 1)) {
    const slashes = /\\*$/.exec(string.slice(Math.max(0, at - 20), at))?.[0].length ?? 0;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

/** Where one of `characters` stands outside of references and not behind a backslash; -1 where none does. */
export function indexOutside(string: string, characters: string, from = 0): number {
  let at = from;
  while (at < string.length) {
    const character = string[at] ?? "";
    if (character === "$") at = afterReference(string, at);
    else if (character === "\\" && at + 1 < string.length && characters.includes(string[at + 1] ?? ""))
      at += 2;
    else if (characters.includes(character)) return at;
    else at++;
  }
  return -1;
}
