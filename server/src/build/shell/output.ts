// What the few commands write that only look at what is written: names, paths and files of the workspace.

import { entryOf } from "../../table.ts";
import { isInside, nameOf, resolvePath } from "../../text/path.ts";
import { matcherOf } from "../worlds/glob.ts";
import { hasUnknown, join, slice, startOf, type Text, textOf } from "../worlds/text.ts";
import { pathIn } from "./expand.ts";
import type { Shell } from "./scope.ts";

/** Files that one command may list. */
const mostFiles = 20_000;

/** The lines that a command writes; "unknown" where that is for the machine to say. Null where it writes nothing that matters: it makes, moves or removes. */
export function outputOf(words: readonly Text[], shell: Shell): Text[] | "unknown" | null {
  const [program, ...given] = words;
  if (program === undefined) return [];
  const operands = given.filter((word) => !word.string.startsWith("-"));
  const [first] = operands;
  switch (nameOf(program.string)) {
    case "echo":
      return [join(given[0]?.string === "-n" || given[0]?.string === "-e" ? given.slice(1) : given, " ")];
    case "printf":
      return given.length === 1 && first !== undefined && !/[%\\]/.test(first.string) ? [first] : "unknown";
    case "pwd":
      return shell.directory === null ? "unknown" : [textOf(shell.directory, startOf(program))];
    case "dirname":
      return first === undefined || hasUnknown(first.string) ? "unknown" : [directoryPart(first)];
    case "basename":
      return first === undefined || hasUnknown(first.string)
        ? "unknown"
        : [basename(first, operands[1]?.string ?? "")];
    case "realpath":
    case "readlink": {
      const path = first === undefined ? null : pathIn(shell, first.string);
      return path === null ? "unknown" : [textOf(path, startOf(program))];
    }
    case "uname":
      return unameOf(given, program);
    case "getconf":
      return given.length === 1 && first?.string === "LONG_BIT"
        ? [textOf("64", startOf(program))]
        : "unknown";
    case "ls":
      return listed(given, operands, program, shell);
    case "find":
      return findFiles(given, program, shell);
    case "cat":
      return contentOf(operands, shell);
    case "mkdir":
    case "rm":
    case "cp":
    case "mv":
    case "touch":
    case "ln":
    case "chmod":
    case "install":
      return null;
    default:
      return "unknown";
  }
}

/** A build is read as on the machines that CUDA programs are made on: Linux on x86-64, as the reader of CMake takes it. */
function unameOf(given: readonly Text[], program: Text): Text[] | "unknown" {
  const options = given.map((word) => word.string).join(" ");
  const answers: Record<string, string> = { "": "Linux", "-s": "Linux", "-m": "x86_64", "-o": "GNU/Linux" };
  const answer = entryOf(answers, options);
  return answer === undefined ? "unknown" : [textOf(answer, startOf(program))];
}

function directoryPart(path: Text): Text {
  const plain = path.string.replace(/\/+$/, "");
  const at = plain.lastIndexOf("/");
  if (at === -1) return textOf(".", startOf(path));
  return at === 0 ? slice(path, 0, 1) : slice(path, 0, at);
}

function basename(path: Text, suffix: string): Text {
  const plain = path.string.replace(/\/+$/, "");
  const end =
    suffix !== "" && plain.endsWith(suffix) && plain !== suffix ? plain.length - suffix.length : plain.length;
  return slice(path, plain.lastIndexOf("/") + 1, end);
}

/** `ls` of files that the shell found, or of directories. */
function listed(
  given: readonly Text[],
  operands: readonly Text[],
  program: Text,
  shell: Shell,
): Text[] | "unknown" {
  if (given.some((word) => /^-./.test(word.string) && !/^-1?d?1?$/.test(word.string))) return "unknown";
  const isItself = given.some((word) => /^-.*d/.test(word.string));
  const found: Text[] = [];
  const named = operands.length === 0 ? [textOf(".", startOf(program))] : operands;
  for (const one of named) {
    const path = pathIn(shell, one.string);
    if (path === null || !isInside(path, shell.workspace)) return "unknown";
    const kind = shell.host.kindOf(path);
    if (kind === "missing") continue;
    if (kind !== "directory" || isItself) found.push(one);
    else if (named.length > 1) return "unknown";
    else
      for (const { name } of shell.host.list(path).slice(0, mostFiles))
        if (!name.startsWith(".")) found.push(textOf(name, startOf(one)));
  }
  return found;
}

interface Tests {
  name: { readonly matcher: RegExp; readonly isPath: "path" | "name"; readonly isNot: "not" | "is" }[];
  type: string | null;
  maximumDepth: number;
  minimumDepth: number;
  /** The names stand between `-o`: one of them is enough. */
  isAny: "any" | "all";
}

/** `find DIRECTORY… -name PATTERN -type f -maxdepth N`, and `-o` between names. */
function findFiles(given: readonly Text[], program: Text, shell: Shell): Text[] | "unknown" {
  const roots: Text[] = [];
  let at = 0;
  for (; at < given.length && !/^[-(!]/.test(given[at]?.string ?? ""); at++)
    if (given[at] !== undefined) roots.push(given[at] as Text);
  const tests: Tests = { name: [], type: null, maximumDepth: 40, minimumDepth: 0, isAny: "all" };
  let isNot: "not" | "is" = "is";
  for (; at < given.length; at++) {
    const option = given[at]?.string ?? "";
    if (option === "(" || option === ")" || option === "-print" || option === "-follow" || option === "-a")
      continue;
    if (option === "-o" || option === "-or") {
      tests.isAny = "any";
      continue;
    }
    if (option === "!" || option === "-not") {
      isNot = "not";
      continue;
    }
    const value = given[++at]?.string ?? "";
    if (hasUnknown(value)) return "unknown";
    if (option === "-name") tests.name.push({ matcher: matcherOf(value), isPath: "name", isNot });
    else if (option === "-iname")
      tests.name.push({ matcher: new RegExp(matcherOf(value).source, "i"), isPath: "name", isNot });
    else if (option === "-path" || option === "-wholename")
      tests.name.push({
        matcher: new RegExp(matcherOf(value).source.replaceAll("[^\\/]", "[^]").replaceAll("[^/]", "[^]")),
        isPath: "path",
        isNot,
      });
    else if (option === "-type") tests.type = value;
    else if (option === "-maxdepth") tests.maximumDepth = Number(value) || 0;
    else if (option === "-mindepth") tests.minimumDepth = Number(value) || 0;
    else return "unknown";
    isNot = "is";
  }
  if (tests.isAny === "any" && tests.name.some((one) => one.isNot === "not")) return "unknown";
  const found: Text[] = [];
  for (const root of roots.length === 0 ? [textOf(".", startOf(program))] : roots) {
    const path = pathIn(shell, root.string);
    if (path === null || !isInside(path, shell.workspace)) return "unknown";
    walk(root.string.replace(/(?<=.)\/+$/, ""), path, 0, tests, found, shell, root);
  }
  return found;
}

function walk(
  written: string,
  path: string,
  depth: number,
  tests: Tests,
  found: Text[],
  shell: Shell,
  root: Text,
): void {
  if (found.length > mostFiles || depth > tests.maximumDepth || !shell.world.step()) return;
  const kind = shell.host.kindOf(path);
  const type = kind === "directory" ? "d" : "f";
  const matches = (one: Tests["name"][number]) =>
    one.matcher.test(one.isPath === "path" ? written : nameOf(written)) === (one.isNot === "is");
  const isNamed =
    tests.name.length === 0 || (tests.isAny === "any" ? tests.name.some(matches) : tests.name.every(matches));
  if (
    kind !== "missing" &&
    isNamed &&
    depth >= tests.minimumDepth &&
    (tests.type === null || tests.type === type)
  )
    found.push(textOf(written, startOf(root)));
  if (kind !== "directory") return;
  for (const entry of shell.host.list(path)) {
    if (entry.name === ".git") continue;
    walk(`${written}/${entry.name}`, resolvePath(path, entry.name), depth + 1, tests, found, shell, root);
  }
}

function contentOf(operands: readonly Text[], shell: Shell): Text[] | "unknown" {
  const lines: Text[] = [];
  for (const one of operands) {
    const path = pathIn(shell, one.string);
    if (path === null || !isInside(path, shell.workspace)) return "unknown";
    shell.world.readFiles.add(path);
    const text = shell.host.readText(path);
    if (text === null || text.length > 100_000) return "unknown";
    for (const [index, line] of text.split("\n").entries())
      if (line !== "" || index < text.split("\n").length - 1)
        lines.push(textOf(line, { file: path, line: index + 1 }));
  }
  return operands.length === 0 ? "unknown" : lines;
}
