// Findings of one cause in one kernel as one: accesses to the same array that cost the same for the same reason, and the members of a record.
import type { AccessFinding, Finding } from "./finding.ts";

export interface FindingGroup {
  /** The one that is reported. */
  readonly head: Finding;
  /** The others of the same cause, in the order of the text. */
  readonly others: readonly AccessFinding[];
}

/** Groups the findings of one file; each group stands where its first finding does. */
export function together(findings: readonly Finding[]): FindingGroup[] {
  const groups: { readonly head: Finding; readonly others: AccessFinding[] }[] = [];
  const ofCause = new Map<string, AccessFinding[]>();
  for (const finding of findings) {
    const cause = finding.kind === "access" ? causeOf(finding) : null;
    const known = cause === null ? undefined : ofCause.get(cause);
    if (known !== undefined && finding.kind === "access") {
      known.push(finding);
      continue;
    }
    const others: AccessFinding[] = [];
    groups.push({ head: finding, others });
    if (cause !== null) ofCause.set(cause, others);
  }
  return groups;
}

/** Whether accesses of a group are members of a record, each of which is better off in an array of its own. */
export function isOfMembers({ evidence }: AccessFinding): boolean {
  return evidence.kind === "sectors" && evidence.advice === "split-records";
}

/** Equal for findings that one change of the source would end; null where a finding stands alone. */
function causeOf(finding: AccessFinding): string | null {
  const { rule, severity, evidence, worst } = finding;
  const { target, operation, bytes, worst: sample } = worst.access;
  if (target === null || (evidence.kind !== "banks" && evidence.kind !== "sectors")) return null;
  const place = [target.name, target.range?.file, target.range?.start];
  const cause = [rule, severity, worst.kernel.name, ...place, operation];
  if (isOfMembers(finding)) return JSON.stringify([...cause, "members"]);
  const { figure } = worst;
  return JSON.stringify([...cause, bytes, figure.cost, figure.ideal, evidence, sample?.laneStride ?? null]);
}
