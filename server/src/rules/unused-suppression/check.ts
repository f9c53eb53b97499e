// Suppression comments that suppress nothing.
import { ruleIds } from "../../config/schema.ts";
import type { SourceRange } from "../../text/source.ts";
import type { SuppressionFinding } from "../finding.ts";
import type { RuleMetadata } from "../rule.ts";

export const unusedSuppression: RuleMetadata = {
  id: "unused-suppression",
  summary: "A suppression that suppresses nothing.",
  defaultSeverity: "warning",
};

/** A comment that suppresses, and how often it did. */
export interface UsedSuppression {
  readonly range: SourceRange;
  readonly scope: SuppressionFinding["scope"];
  /** Empty: all rules. */
  readonly rules: readonly string[];
  /** Rules of findings that it suppressed. */
  readonly usedRules: ReadonlySet<string>;
}

/** The finding on one comment; null where each rule that it names had something to suppress. `enabledRules` are those that ran. */
export function checkSuppression(
  suppression: UsedSuppression,
  enabledRules: ReadonlySet<string>,
): SuppressionFinding | null {
  const { rules, usedRules, range, scope } = suppression;
  const unknownRules = rules.filter((rule) => !known.has(rule));
  // Of a rule that did not run nobody can say that it would have found nothing.
  const unusedRules = rules.filter(
    (rule) => known.has(rule) && enabledRules.has(rule) && !usedRules.has(rule),
  );
  const isWhollyUnused =
    rules.length === 0 ? usedRules.size === 0 : unusedRules.length > 0 || unknownRules.length > 0;
  if (!isWhollyUnused) return null;
  return {
    kind: "suppression",
    rule: "unused-suppression",
    severity: unusedSuppression.defaultSeverity,
    range,
    scope,
    unusedRules,
    unknownRules,
  };
}

const known: ReadonlySet<string> = new Set(ruleIds);
