// The conditions of `[ … ]`, `[[ … ]]` and `test`.

import { entryOf } from "../../table.ts";
import { isInside } from "../../text/path.ts";
import type { Origin } from "../flags.ts";
import { matcherOf } from "../worlds/glob.ts";
import { hasUnknown, type Text } from "../worlds/text.ts";
import { evaluateIntegers, pathIn } from "./expand.ts";
import type { Shell } from "./scope.ts";

/** Whether the condition that `words` say holds; asked of the world where it hangs on what is not known. */
export function holds(words: readonly Text[], shell: Shell, origin: Origin): boolean {
  const strings = words.map((word) => shell.world.resolved(word.string));
  return either(strings, shell, origin, 0);
}

const deepest = 30;
const isComparison = /^(?:-(?:eq|ne|lt|le|gt|ge|nt|ot|ef)|=|==|!=)$/;

function either(words: readonly string[], shell: Shell, origin: Origin, depth: number): boolean {
  if (depth > deepest) return asked(words, shell, origin);
  for (const [operator, isOr] of [
    ["||", true],
    ["-o", true],
    ["&&", false],
    ["-a", false],
  ] as const) {
    const at = words.findIndex(
      (word, index) => word === operator && index > 0 && depthAt(words, index) === 0,
    );
    if (at === -1) continue;
    const left = either(words.slice(0, at), shell, origin, depth + 1);
    if (left === isOr) return left;
    return either(words.slice(at + 1), shell, origin, depth + 1);
  }
  if (words[0] === "!" && words.length > 1) return !either(words.slice(1), shell, origin, depth + 1);
  if (words[0] === "(" && words.at(-1) === ")") return either(words.slice(1, -1), shell, origin, depth + 1);
  return primary(words, shell, origin);
}

function depthAt(words: readonly string[], index: number): number {
  let depth = 0;
  for (const word of words.slice(0, index)) depth += word === "(" ? 1 : word === ")" ? -1 : 0;
  return depth;
}

function primary(words: readonly string[], shell: Shell, origin: Origin): boolean {
  const [first = "", second = "", third = ""] = words;
  if (words.length === 0) return false;
  if (words.length === 1) return !shell.world.isEmpty(first, origin);
  if (words.length === 2) return unary(first, second, words, shell, origin);
  if (words.length !== 3) return asked(words, shell, origin);
  switch (second) {
    case "=":
    case "==":
      return matches(first, third, shell, origin);
    case "!=":
      return !matches(first, third, shell, origin);
    case "-eq":
    case "-ne":
    case "-lt":
    case "-le":
    case "-gt":
    case "-ge":
      return compared(second, first, third) ?? asked(words, shell, origin);
    default:
      return asked(words, shell, origin);
  }
}

function matches(word: string, pattern: string, shell: Shell, origin: Origin): boolean {
  if (/[*?]/.test(pattern) && !hasUnknown(word + pattern))
    return matcherOf(pattern).test(word) || word === pattern;
  return shell.world.areEqual(word, pattern, origin);
}

function unary(
  operator: string,
  word: string,
  words: readonly string[],
  shell: Shell,
  origin: Origin,
): boolean {
  // A side is missing: an error.
  if (isComparison.test(operator) || isComparison.test(word)) return false;
  if (operator === "-z") return shell.world.isEmpty(word, origin);
  if (operator === "-n") return !shell.world.isEmpty(word, origin);
  if (/^-[defrsxL]$/.test(operator)) {
    const path = pathIn(shell, word);
    if (path === null || !isInside(path, shell.workspace)) return asked(words, shell, origin);
    const kind = shell.host.kindOf(path);
    if (operator === "-d") return kind === "directory";
    return operator === "-f" ? kind === "file" : kind !== "missing";
  }
  return asked(words, shell, origin);
}

function compared(operator: string, left: string, right: string): boolean | null {
  if (hasUnknown(left + right)) return null;
  if (left.trim() === "" || right.trim() === "") return false;
  const a = evaluateIntegers(left);
  const b = evaluateIntegers(right);
  if (a === null || b === null) return null;
  const answers: Record<string, boolean> = {
    "-eq": a === b,
    "-ne": a !== b,
    "-lt": a < b,
    "-le": a <= b,
    "-gt": a > b,
    "-ge": a >= b,
  };
  return entryOf(answers, operator) ?? null;
}

function asked(words: readonly string[], shell: Shell, origin: Origin): boolean {
  const written = words.map((word) => shell.world.unknowns.written(word)).join(" ");
  return shell.world.decide(`[ ${written} ]`, `[ ${written} ]`, origin);
}
