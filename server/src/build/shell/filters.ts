// What the few programs hand on that people put behind a pipe: lines in another order, some of them, or pieces of them.
import { hasUnknown, join, slice, startOf, type Text, textOf } from "../worlds/text.ts";

/** The lines that a filter gives; null where it is none that is known, or asks for more than is read here. */
export function filteredLines(words: readonly string[], lines: readonly Text[]): Text[] | null {
  const [program, ...given] = words;
  if (given.some(hasUnknown)) return null;
  switch (program) {
    case "cat":
      return given.length === 0 ? [...lines] : null;
    case "sort":
      return sorted(given, lines);
    case "uniq":
      return given.length === 0
        ? lines.filter((line, index) => line.string !== lines[index - 1]?.string)
        : null;
    case "xargs":
      return given.length === 0 || given[0] === "echo" ? [join([...lines], " ")] : null;
    case "tr":
      return translated(given, lines);
    case "cut":
      return cutLines(given, lines);
    case "grep":
    case "egrep":
      return matching(given, lines);
    case "head":
      return firstLines(given, lines);
    case "wc":
      return given.length === 1 && given[0] === "-l" && !lines.some((line) => hasUnknown(line.string))
        ? [textOf(String(lines.length), startOf(lines[0] ?? textOf("0", { file: "", line: 1 })))]
        : null;
    default:
      return null;
  }
}

/** Which line comes first has no say in what is built: keys are not read. */
function sorted(given: readonly string[], lines: readonly Text[]): Text[] {
  const all = [...lines].sort((a, b) => (a.string < b.string ? -1 : a.string > b.string ? 1 : 0));
  const isUnique = given.some((option) => /^-[a-z]*u/.test(option) || option === "--unique");
  return isUnique ? all.filter((line, index) => line.string !== all[index - 1]?.string) : all;
}

/** `tr '\n' ' '`, `tr A-Z a-z`. */
function translated(given: readonly string[], lines: readonly Text[]): Text[] | null {
  const [from, to] = given;
  if (from === "\\n" && to === " ") return [join([...lines], " ")];
  const isClass = (text: string | undefined, of: "upper" | "lower") =>
    text === `[:${of}:]` || (of === "upper" ? /^\[?A-Z\]?$/ : /^\[?a-z\]?$/).test(text ?? "");
  if (lines.some((line) => hasUnknown(line.string))) return null;
  if (isClass(from, "upper") && isClass(to, "lower"))
    return lines.map((line) => textOf(line.string.toLowerCase(), startOf(line)));
  if (isClass(from, "lower") && isClass(to, "upper"))
    return lines.map((line) => textOf(line.string.toUpperCase(), startOf(line)));
  return null;
}

/** `cut -f2-`, `cut -d/ -f1`. */
function cutLines(given: readonly string[], lines: readonly Text[]): Text[] | null {
  const options = given.join(" ");
  const match = /^(?:-d ?(\S) )?-f ?(\d+)(-?)$/.exec(options);
  if (match === null || lines.some((line) => hasUnknown(line.string))) return null;
  const [, delimiter = "\t", number = "1", dash = ""] = match;
  return lines.map((line) => {
    const parts = line.string.split(delimiter);
    if (parts.length === 1) return line;
    const first = Number(number) - 1;
    const from = parts.slice(0, first).join(delimiter).length + (first > 0 ? 1 : 0);
    return slice(line, from, dash === "-" ? line.string.length : from + (parts[first]?.length ?? 0));
  });
}

/** `grep [-v] PATTERN` where the pattern is plain text but for "." and anchors. */
function matching(given: readonly string[], lines: readonly Text[]): Text[] | null {
  const options = given.filter((one) => one.startsWith("-") && one !== "-e");
  const [pattern, ...rest] = given.filter((one) => !one.startsWith("-"));
  if (pattern === undefined || rest.length > 0 || !options.every((option) => /^-[vEeiF]+$/.test(option)))
    return null;
  if (!/^\^?(?:[\w/ :=-]|\\?\.)*\$?$/.test(pattern) || lines.some((line) => hasUnknown(line.string)))
    return null;
  const isInverse = options.some((option) => option.includes("v"));
  const expression = new RegExp(pattern, options.some((option) => option.includes("i")) ? "i" : "");
  return lines.filter((line) => expression.test(line.string) !== isInverse);
}

function firstLines(given: readonly string[], lines: readonly Text[]): Text[] | null {
  const count = /^-n? ?(\d+)$/.exec(given.join(" "))?.[1];
  return count === undefined ? null : lines.slice(0, Number(count));
}
