// What a finding is known by when the text around it changes: its rule, file, kernel and access, not its line.
import type { FlatFinding } from "./flat-finding.ts";

export type Identified = Pick<FlatFinding, "rule" | "path" | "kernel" | "expression">;

/** Equal for findings that only edits around them tell apart. */
export function identityOf({ rule, path, kernel, expression }: Identified): string {
  return JSON.stringify([rule, path, kernel, expression?.replace(/\s+/g, "") ?? null]);
}

/** One for each finding, none twice: those that are alike are counted in their order. */
export function identities(findings: readonly FlatFinding[]): readonly string[] {
  const counts = new Map<string, number>();
  return findings.map((finding) => {
    const identity = identityOf(finding);
    const count = counts.get(identity) ?? 0;
    counts.set(identity, count + 1);
    return `${identity} ${count}`;
  });
}
