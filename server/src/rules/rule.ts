// What a rule is.
import type { Config, RuleId, Severity } from "../config/schema.ts";
import type { AccessFinding, AccessGroup } from "./finding.ts";

export interface RuleMetadata {
  readonly id: RuleId;
  /** One line: what it finds. */
  readonly summary: string;
  readonly defaultSeverity: Severity;
}

/** A pure function from everything known of one access to at most one finding. */
export interface AccessRule {
  readonly metadata: RuleMetadata & { readonly id: AccessFinding["rule"] };
  check(group: AccessGroup, thresholds: Thresholds): AccessFinding | null;
}

export type Thresholds = Config["thresholds"];
