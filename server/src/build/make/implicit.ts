// The search for an implicit rule: which pattern makes a target out of files that exist, or can be made.
import { isInside, resolvePath } from "../../text/path.ts";
import { join, type Text, textOf, wordsOf } from "../worlds/text.ts";
import type { Makefile, PatternRule } from "./makefile.ts";
import { namesIn } from "./names.ts";
import { replaceStem, stemOf } from "./patterns.ts";
import type { Scope } from "./scope.ts";

/** A rule that fits a target. */
export interface Found {
  readonly rule: PatternRule;
  /** `$*`. */
  readonly stem: string;
  readonly prerequisites: Text;
  readonly orderOnly: Text;
}

const deepestChain = 5;
const mostRules = 400;

/** Expands prerequisites a second time, for a target and stem. */
export type Again = (text: Text, stem: string) => Text;

/** The implicit rule for `name`, or null. */
export function findImplicit(
  name: string,
  makefile: Makefile,
  rules: readonly PatternRule[],
  scope: Scope,
  again: Again,
): Found | null {
  return search(name, makefile, rules, scope, again, new Set());
}

function search(
  name: string,
  makefile: Makefile,
  rules: readonly PatternRule[],
  scope: Scope,
  again: Again,
  used: ReadonlySet<PatternRule>,
): Found | null {
  const candidates = candidatesFor(name, rules, makefile, used);
  for (const makesOthers of [false, true]) {
    if (makesOthers && used.size >= deepestChain) return null;
    for (const { rule, stem, directory } of candidates) {
      if (!scope.world.step()) return null;
      if (makesOthers && rule.isTerminal) continue;
      const found = instantiate(rule, stem, directory, again);
      const words = namesIn(found.prerequisites, scope);
      const isMade = (word: string): boolean => {
        if (isThere(word, makefile, scope)) return true;
        if (!makesOthers) return false;
        return (
          search(
            word,
            makefile,
            rules.filter(isSpecific),
            scope,
            () => textOf("", { file: "", line: 1 }),
            new Set([...used, rule]),
          ) !== null
        );
      };
      if ([...words, ...namesIn(found.orderOnly, scope)].every((word) => isMade(word.string))) return found;
    }
  }
  return null;
}

interface Candidate {
  readonly rule: PatternRule;
  readonly stem: string;
  readonly directory: string;
}

/** Rules whose targets match, those with the shortest stem first; rules for anything only where no other pattern is for such a name. */
function candidatesFor(
  name: string,
  rules: readonly PatternRule[],
  makefile: Makefile,
  used: ReadonlySet<PatternRule>,
): Candidate[] {
  const slash = name.lastIndexOf("/");
  const found: Candidate[] = [];
  for (const rule of rules.slice(0, mostRules)) {
    if (rule.recipe === null || used.has(rule)) continue;
    for (const pattern of rule.targets) {
      const hasSlash = pattern.prefix.includes("/") || pattern.suffix.includes("/");
      const directory = hasSlash ? "" : name.slice(0, slash + 1);
      const match = stemOf(pattern, hasSlash ? name : name.slice(slash + 1));
      if (match === null || match === "unknown" || match.stem === "") continue;
      found.push({ rule, stem: match.stem, directory });
      break;
    }
  }
  const isKnownKind =
    found.some(({ rule }) => isSpecific(rule)) ||
    makefile.suffixes.some((suffix) => name.endsWith(suffix) && name !== suffix);
  const kept = isKnownKind ? found.filter(({ rule }) => isSpecific(rule) || rule.isTerminal) : found;
  return kept.sort((a, b) => a.stem.length + a.directory.length - (b.stem.length + b.directory.length));
}

function isSpecific(rule: PatternRule): boolean {
  return rule.targets.some((pattern) => pattern.prefix !== "" || pattern.suffix !== "");
}

function instantiate(rule: PatternRule, stem: string, directory: string, again: Again): Found {
  const origin = rule.recipe?.origin ?? { file: "", line: 1 };
  const put = (text: Text): Text =>
    join(
      wordsOf(text).map((word) => {
        const replaced = replaceStem(word, textOf(stem, origin));
        return word.string.includes("%") && directory !== ""
          ? textOf(directory + replaced.string, origin)
          : replaced;
      }),
      " ",
    );
  const whole = directory + stem;
  const prerequisites = rule.expandsAgain ? again(put(rule.prerequisites), whole) : put(rule.prerequisites);
  return { rule, stem: whole, prerequisites, orderOnly: put(rule.orderOnly) };
}

/** Whether a prerequisite is a file, stands in the makefile, or is found on a search path. */
function isThere(name: string, makefile: Makefile, scope: Scope): boolean {
  return (
    makefile.targets.has(name) ||
    makefile.mentioned.has(name) ||
    isFile(name, scope) ||
    onSearchPath(name, makefile, scope) !== null
  );
}

export function isFile(name: string, scope: Scope): boolean {
  const path = resolvePath(scope.directory, name);
  return isInside(path, scope.workspace) && scope.host.kindOf(path) !== "missing";
}

/** Where a file lies that is searched for (`VPATH`, `vpath`); null where it is nowhere. */
export function onSearchPath(name: string, makefile: Makefile, scope: Scope): string | null {
  if (name.startsWith("/")) return null;
  for (const { pattern, directories } of makefile.searchPaths) {
    const match = stemOf(pattern, name);
    if (match === null || match === "unknown") continue;
    for (const directory of directories) {
      const path = `${directory.replace(/\/+$/, "")}/${name}`;
      if (isFile(path, scope)) return path;
    }
  }
  return null;
}
