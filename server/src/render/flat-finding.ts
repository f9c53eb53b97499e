// A finding as flat, plain data: what formats without maps are made of, and what lists of costs are sorted by.
import type { RuleId, Severity } from "../config/schema.ts";
import { addedCosts, type RunCost, runCost } from "../rules/cost.ts";
import type { Finding } from "../rules/finding.ts";
import type { FindingGroup } from "../rules/together.ts";
import { messageWithOthers } from "./group-message.ts";
import type { Places } from "./places.ts";

export interface FlatFinding {
  /** As it is shown. */
  readonly path: string;
  readonly rule: RuleId;
  readonly severity: Severity;
  /** From 1; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly headline: string;
  readonly reason: string;
  /** The kernel of the worst context; null for a finding that is not about an access. */
  readonly kernel: string | null;
  /** The text of the access; null likewise. */
  readonly expression: string | null;
  readonly cost: RunCost | null;
}

export function flatFinding({ head: finding, others }: FindingGroup, places: Places): FlatFinding {
  const start = places.startOf(finding.range);
  const end = places.endOf(finding.range);
  const isAccess = finding.kind === "access";
  return {
    path: places.displayPath(finding.range.file),
    rule: finding.rule,
    severity: finding.severity,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    ...messageWithOthers(finding, others, places),
    kernel: isAccess ? finding.worst.kernel.name : null,
    expression: isAccess ? finding.worst.access.expression : null,
    cost: groupCost(finding, others),
  };
}

/** Of a finding with the others for which it speaks. */
export function groupCost(head: Finding, others: FindingGroup["others"]): RunCost | null {
  const costs = [head, ...others].map(findingCost);
  const known = addedCosts(costs.filter((cost) => cost !== null));
  return known === null || known.isWhole === false || !costs.includes(null)
    ? known
    : { ...known, isWhole: false };
}

/** The cost of the access that a finding is about, over all launches of a run; null where it is not known, or the finding is not about its cost. */
function findingCost(finding: Finding): RunCost | null {
  if (finding.kind !== "access") return null;
  const { evidence, contexts, unknownContexts } = finding;
  if (evidence.kind !== "banks" && evidence.kind !== "sectors") return null;
  const cost = runCost(contexts);
  return cost === null || unknownContexts === undefined ? cost : { ...cost, isWhole: false };
}
