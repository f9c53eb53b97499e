// Findings as GitLab's report of code quality (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format).
import type { FlatFinding } from "../flat-finding.ts";
import { identities } from "../identity.ts";

const severities = { error: "critical", warning: "major", information: "info" } as const;

/** `digest` makes a fingerprint of what a finding is known by. */
export function gitlabReport(
  findings: readonly FlatFinding[],
  digest: (text: string) => string,
): readonly object[] {
  const known = identities(findings);
  return findings.map(({ headline, reason, rule, severity, path, line, endLine }, index) => ({
    description: `${headline}. ${reason}`,
    check_name: rule,
    fingerprint: digest(known[index] ?? ""),
    severity: severities[severity],
    location: { path, lines: { begin: line, end: endLine } },
  }));
}
