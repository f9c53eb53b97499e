// Make's conditions: `ifeq`, `ifneq`, `ifdef`, `ifndef`, `else` and `endif`.
import { slice, startOf, type Text, trim } from "../worlds/text.ts";
import { expand } from "./expand.ts";
import type { Scope } from "./scope.ts";
import { assignmentIn } from "./variables.ts";

/** One that is open. */
export interface Condition {
  /** "taken": its lines count; "waiting": an `else` may still; "done": none does. */
  state: "taken" | "waiting" | "done";
}

/** Reads a line that begins, turns or ends a condition; false where it is none. */
export function readCondition(line: Text, conditions: Condition[], scope: Scope): boolean {
  const match = /^(ifeq|ifneq|ifdef|ifndef|else|endif)(?![\w-])\s*/.exec(line.string);
  if (match === null) return false;
  const [matched, word = ""] = match;
  // `else = x` is an assignment.
  if (assignmentIn(line.string) !== null && !word.startsWith("if")) return false;
  const rest = slice(line, matched.length);
  if (word === "endif") conditions.pop();
  else if (word === "else") {
    const current = conditions.at(-1);
    if (current === undefined) return true;
    const isOuterTaken = conditions.slice(0, -1).every((condition) => condition.state === "taken");
    if (current.state === "taken") current.state = "done";
    else if (current.state === "waiting") {
      const inner = /^(ifeq|ifneq|ifdef|ifndef)(?![\w-])\s*/.exec(rest.string);
      if (inner === null) current.state = "taken";
      else if (isOuterTaken && isMet(inner[1] ?? "", slice(rest, inner[0].length), scope))
        current.state = "taken";
    }
  } else {
    const isReached = conditions.every((condition) => condition.state === "taken");
    conditions.push({ state: !isReached ? "done" : isMet(word, rest, scope) ? "taken" : "waiting" });
  }
  return true;
}

function isMet(kind: string, rest: Text, scope: Scope): boolean {
  const { world } = scope;
  const origin = startOf(rest);
  if (kind === "ifdef" || kind === "ifndef") {
    const name = expand(rest, scope).string.trim();
    const variable = scope.variables.find(name);
    const isDefined =
      variable !== null &&
      !(variable.value.string === "" ? true : world.isEmpty(variable.value.string, origin));
    return isDefined === (kind === "ifdef");
  }
  const sides = comparedTexts(rest);
  if (sides === null) return false;
  const [left, right] = sides.map((side) => expand(side, scope).string);
  return world.areEqual(left ?? "", right ?? "", origin) === (kind === "ifeq");
}

/** The two sides of `(a,b)` or `"a" "b"`. */
function comparedTexts(rest: Text): [Text, Text] | null {
  const { string } = rest;
  if (string.startsWith("(")) {
    let depth = 0;
    let comma = -1;
    for (let at = 0; at < string.length; at++) {
      const character = string[at];
      if (character === "(") depth++;
      else if (character === ")" && --depth === 0)
        return comma === -1 ? null : [trim(slice(rest, 1, comma)), trim(slice(rest, comma + 1, at))];
      else if (character === "," && depth === 1 && comma === -1) comma = at;
    }
    return null;
  }
  const quotes = /^(["'])(.*?)\1\s*(["'])(.*?)\3/.exec(string);
  if (quotes === null) return null;
  const [whole = "", , left = "", , right = ""] = quotes;
  const end = whole.length - 1;
  return [slice(rest, 1, 1 + left.length), slice(rest, end - right.length, end)];
}
