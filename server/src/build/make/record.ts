// Puts a rule down in the makefile: for its targets, as a pattern, or as what the makefile says to make.
import { join, startOf, type Text, textOf, wordsOf } from "../worlds/text.ts";
import type { Makefile, PatternRule, Recipe, Rule } from "./makefile.ts";
import { namesIn } from "./names.ts";
import { type Pattern, patternOf, replaceStem, stemOf } from "./patterns.ts";
import type { Scope } from "./scope.ts";
import { simple } from "./variables.ts";

const mostTargets = 20_000;

/** The head of a rule, expanded. */
export interface Head {
  readonly targets: readonly Text[];
  readonly normal: Text;
  readonly orderOnly: Text;
  /** Of a static pattern rule: what its targets are like. */
  readonly pattern: Pattern | null;
  readonly isDoubleColon: boolean;
}

/** The rules that the head makes, which wait for their recipe. */
export function recordRule(
  head: Head,
  makefile: Makefile,
  scope: Scope,
): readonly { recipe: Recipe | null }[] {
  const { targets, normal, orderOnly, pattern, isDoubleColon } = head;
  const { expandsAgain } = makefile;
  if (pattern === null && targets.some((target) => target.string.includes("%"))) {
    const rule: PatternRule = {
      targets: targets.map((target) => patternOf(target.string)),
      prerequisites: normal,
      orderOnly,
      recipe: null,
      isTerminal: isDoubleColon,
      expandsAgain,
      source: "file",
    };
    makefile.patternRules.push(rule);
    return [rule];
  }
  const rules: Rule[] = [];
  for (const target of targets) {
    if (makefile.targets.size > mostTargets) break;
    if (recordSpecial(target.string, normal, makefile)) continue;
    const rule = ruleFor(target, head, makefile, scope);
    if (rule === null) continue;
    recordTarget(target, rule, head, makefile);
    rules.push(rule);
  }
  return rules;
}

/** Null for a target that is not like the static pattern. */
function ruleFor(
  target: Text,
  { normal, orderOnly, pattern }: Head,
  { expandsAgain }: Makefile,
  scope: Scope,
): Rule | null {
  if (pattern === null) {
    const isLeft = expandsAgain && normal.string.includes("$");
    const prerequisites = isLeft ? normal : join(namesIn(normal, scope), " ");
    return { prerequisites, orderOnly, recipe: null, stem: null, expandsAgain };
  }
  const match = stemOf(pattern, target.string);
  if (match === null || match === "unknown") return null;
  const stem = textOf(match.stem, startOf(target));
  const filled = (names: Text) =>
    join(
      wordsOf(names).map((name) => replaceStem(name, stem)),
      " ",
    );
  return {
    prerequisites: filled(normal),
    orderOnly: filled(orderOnly),
    recipe: null,
    stem: match.stem,
    expandsAgain,
  };
}

/** The first target that is none of make's own is the goal. */
function recordTarget(target: Text, rule: Rule, { isDoubleColon }: Head, makefile: Makefile): void {
  const name = target.string;
  const origin = startOf(target);
  const before = makefile.targets.get(name);
  if (before === undefined) makefile.targets.set(name, { name, rules: [rule], isDoubleColon, origin });
  else before.rules.push(rule);
  for (const word of wordsOf(rule.prerequisites)) makefile.mentioned.add(word.string);
  const goal = makefile.variables.find(".DEFAULT_GOAL");
  if (goal !== null && goal.value.string !== "") return;
  if (/^\.(?!.*\/)/.test(name) || isSuffixRule(name, makefile)) return;
  makefile.variables.own.set(".DEFAULT_GOAL", simple(textOf(name, origin), "file"));
}

/** Targets by which a makefile speaks to make; those that have recipes as well are recorded besides. */
function recordSpecial(name: string, prerequisites: Text, makefile: Makefile): boolean {
  switch (name) {
    case ".SUFFIXES":
      if (prerequisites.string.trim() === "") makefile.suffixes = [];
      else makefile.suffixes.push(...wordsOf(prerequisites).map((word) => word.string));
      return true;
    case ".SECONDEXPANSION":
      makefile.expandsAgain = true;
      return true;
    case ".ONESHELL":
      makefile.isOneShell = true;
      return true;
    case ".EXPORT_ALL_VARIABLES":
      makefile.exportsAll = true;
      return true;
    case ".PHONY":
      for (const word of wordsOf(prerequisites)) makefile.mentioned.add(word.string);
      return false;
    default:
      return false;
  }
}

function isSuffixRule(name: string, makefile: Makefile): boolean {
  return (
    makefile.suffixes.includes(name) ||
    makefile.suffixes.some(
      (one) => name.startsWith(one) && makefile.suffixes.includes(name.slice(one.length)),
    )
  );
}
