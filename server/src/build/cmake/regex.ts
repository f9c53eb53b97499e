// CMake's regular expressions and globs, as those of JavaScript.

const longest = 2_000;

/** A regular expression of CMake; null where it is none. A backslash takes the meaning of what follows; there are no classes by letters and no counts. */
export function cmakeRegex(source: string, flags = ""): RegExp | null {
  if (source.length > longest) return null;
  let text = "";
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? "";
    if (char === "\\") text += literal(source[++at] ?? "\\");
    else if (char === "[") {
      let end = at + 1;
      let set = "[";
      if (source[end] === "^") {
        set += "^";
        end++;
      }
      let isFirst = true;
      for (; end < source.length && (isFirst || source[end] !== "]"); end++) {
        const member = source[end] ?? "";
        set += member === "\\" || member === "]" || member === "[" || member === "^" ? `\\${member}` : member;
        isFirst = false;
      }
      text += `${set}]`;
      at = end;
    } else if (char === ".") text += "[^]";
    else if (char === "{" || char === "}" || char === "/") text += `\\${char}`;
    else text += char;
  }
  try {
    return new RegExp(text, flags);
  } catch {
    return null;
  }
}

function literal(char: string): string {
  return /[\w\s]/.test(char) ? char : `\\${char}`;
}

/** One part of a path with `*`, `?` and `[…]`. */
export function globRegex(pattern: string): RegExp | null {
  let text = "";
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? "";
    if (char === "*") text += "[^/]*";
    else if (char === "?") text += "[^/]";
    else if (char === "[") {
      const end = pattern.indexOf("]", at + 2);
      if (end < 0) text += "\\[";
      else {
        text += `[${pattern
          .slice(at + 1, end)
          .replace(/^!/, "^")
          .replace(/\\/g, "\\\\")}]`;
        at = end;
      }
    } else text += char.replace(/[\\^$.|+(){}\]]/g, "\\$&");
  }
  try {
    return new RegExp(`^${text}$`);
  } catch {
    return null;
  }
}
