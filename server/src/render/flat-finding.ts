// A finding as flat, plain data: what formats without maps are made of, and what lists of costs are sorted by.
import type { RuleId, Severity } from "../config/schema.ts";
import { addedCosts, type RunCost, runCost } from "../rules/cost.ts";
import type { AccessFinding, Finding } from "../rules/finding.ts";
import type { FindingGroup } from "../rules/together.ts";
import type { Position } from "../text/source.ts";
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
  /** Columns in bytes of UTF-8, from 1. */
  readonly byteColumn: number;
  readonly endByteColumn: number;
  readonly headline: string;
  readonly reason: string;
  /** The kernel of the worst context; null for a finding that is not about an access. */
  readonly kernel: string | null;
  /** All kernels that it is a finding of. */
  readonly kernels: readonly string[];
  /** The text of the access; null likewise. */
  readonly expression: string | null;
  /** Those of the other accesses that it speaks for. */
  readonly otherExpressions: readonly string[];
  readonly cost: RunCost | null;
}

export function flatFinding({ head: finding, others }: FindingGroup, places: Places): FlatFinding {
  const start = places.startOf(finding.range);
  const end = places.endOf(finding.range);
  const isAccess = finding.kind === "access";
  const { headline, reason } = messageWithOthers(finding, others, places);
  return {
    path: places.displayPath(finding.range.file),
    rule: finding.rule,
    severity: finding.severity,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    byteColumn: byteColumnOf(finding.range.file, start, places),
    endByteColumn: byteColumnOf(finding.range.file, end, places),
    headline,
    reason,
    kernel: isAccess ? finding.worst.kernel.name : null,
    kernels: isAccess ? kernelsOf([finding, ...others]) : [],
    expression: isAccess ? finding.worst.access.expression : null,
    otherExpressions: others.map(({ worst }) => worst.access.expression),
    cost: groupCost(finding, others),
  };
}

function kernelsOf(findings: readonly AccessFinding[]): string[] {
  return [...new Set(findings.flatMap(({ contexts }) => contexts.map(({ kernel }) => kernel.name)))];
}

function byteColumnOf(file: string, { line, column }: Position, places: Places): number {
  const before = (places.lineText(file, line) ?? "").slice(0, column - 1);
  return new TextEncoder().encode(before).length + 1;
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
