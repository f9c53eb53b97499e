// Assignments: what a line sets, and what becomes of a variable of the makefile or of single targets.
import { join, slice, startOf, type Text } from "../worlds/text.ts";
import { expand } from "./expand.ts";
import type { Makefile } from "./makefile.ts";
import { patternOf } from "./patterns.ts";
import { answerOfShell } from "./pure-shell.ts";
import type { Scope } from "./scope.ts";
import {
  assignmentIn,
  type Operator,
  type Source,
  simple,
  strength,
  type Variable,
  VariableSet,
} from "./variables.ts";

/** What an assignment says; the value is as typed. */
export interface Given {
  readonly name: string;
  readonly operator: Operator;
  readonly value: Text;
  readonly source: Source;
  readonly isExported: boolean;
}

/** `[export] [override] [private] NAME = value`; null where the line is no assignment. */
export function assignmentOf(line: Text, scope: Scope): Given | null {
  let at = 0;
  let source: Source = "file";
  let isExported = false;
  for (;;) {
    const modifier = /^\s*(override|export|private|unexport)\s+(?=[^\s:+?!=])/.exec(line.string.slice(at));
    if (modifier === null) break;
    if (modifier[1] === "override") source = "override";
    if (modifier[1] === "export") isExported = true;
    at += modifier[0].length;
  }
  const found = assignmentIn(line.string, at);
  if (found === null) return null;
  const behind = slice(line, found.valueStart);
  return {
    name: expand(slice(line, found.nameStart, found.nameEnd), scope).string.trim(),
    operator: found.operator,
    value: slice(behind, behind.string.search(/\S|$/)),
    source,
    isExported,
  };
}

/** Sets a variable of the makefile. */
export function assign(given: Given, scope: Scope): void {
  const { variables } = scope;
  const { name, source } = given;
  const before = variables.find(name);
  if (given.operator !== "+=") {
    const variable = before !== null && given.operator === "?=" ? null : plainly(given, scope);
    if (variable !== null) variables.set(name, variable);
    return;
  }
  if (before !== null && strength(before.source) > strength(source)) return;
  const added = before?.flavor === "simple" ? expand(given.value, scope) : given.value;
  const texts = before === null || before.value.string === "" ? [added] : [before.value, added];
  const flavor = before?.flavor ?? "recursive";
  variables.set(name, { value: join(texts, " "), flavor, source, appends: false });
}

/** `target: NAME += value`: sets a variable of single targets, or of those that are like a pattern. */
export function assignTo(targets: readonly Text[], given: Given, makefile: Makefile, scope: Scope): void {
  const { name } = given;
  if (given.isExported) makefile.exported.add(name);
  const globally = makefile.variables.find(name);
  if (
    globally !== null &&
    given.source !== "override" &&
    strength(globally.source) >= strength("command line")
  )
    return;
  for (const { string } of targets) {
    if (string.includes("%")) {
      const variable = ofTarget(null, given, scope);
      if (variable !== null) makefile.patternVariables.push({ pattern: patternOf(string), name, variable });
    } else {
      const set = variablesOf(string, makefile);
      const variable = ofTarget(set, given, scope);
      if (variable !== null) set.own.set(name, variable);
    }
  }
}

function variablesOf(target: string, makefile: Makefile): VariableSet {
  let set = makefile.targetVariables.get(target);
  if (set === undefined) {
    set = new VariableSet(null);
    makefile.targetVariables.set(target, set);
  }
  return set;
}

/** The variable that an assignment makes for one target; null where there is one already and the assignment is "?=". */
function ofTarget(set: VariableSet | null, given: Given, scope: Scope): Variable | null {
  const before = set?.own.get(given.name) ?? null;
  const globally = scope.variables.find(given.name);
  if (given.operator === "?=" && (before !== null || globally !== null)) return null;
  if (given.operator !== "+=") return plainly(given, scope);
  const flavor = (before ?? globally)?.flavor ?? "recursive";
  const added = flavor === "simple" ? expand(given.value, scope) : given.value;
  return before === null
    ? { value: added, flavor, source: given.source, appends: true }
    : { ...before, value: join([before.value, added], " ") };
}

/** What any assignment makes that adds nothing to a value. */
function plainly({ operator, value, source }: Given, scope: Scope): Variable {
  switch (operator) {
    case "=":
    case "?=":
      return { value, flavor: "recursive", source, appends: false };
    case "!=":
      return simple(answerOfShell(expand(value, scope), startOf(value), scope), source);
    default:
      return simple(expand(value, scope), source);
  }
}
