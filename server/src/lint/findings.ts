// From access profiles to the findings of each file: rules, configured severities, suppressions.
import type { Config, Severity } from "../config/schema.ts";
import type { AccessFinding, AccessGroup, Finding } from "../rules/finding.ts";
import { accessRules } from "../rules/registry.ts";
import { checkSuppression } from "../rules/unused-suppression/check.ts";
import { lineStarts, positionAt } from "../text/source.ts";
import { covers, readSuppressions, type Suppression } from "./suppressions.ts";

export interface FindingOptions {
  readonly config: Config;
  /** Whether the file was analysed in full, so that a suppression without a finding is surely unused. */
  readonly reportsUnused: boolean;
  /** What warnings are shown as: "information" in samples, benchmarks and tests. */
  readonly warningsAre: "warning" | "information";
}

/** The findings of one file, in the order of the text, given those of all accesses in it. */
export function findingsOfFile(
  file: string,
  text: string,
  found: readonly AccessFinding[],
  { config, reportsUnused, warningsAre }: FindingOptions,
): Finding[] {
  const { kept: left, used } = suppress(distinct(found), readSuppressions(file, text), text);
  const kept =
    warningsAre === "warning"
      ? left
      : left.map((each) => (each.severity === "warning" ? { ...each, severity: warningsAre } : each));
  const unused = reportsUnused && config.rules["unused-suppression"] !== "off" ? unusedIn(used, config) : [];
  return [...kept, ...unused].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

/** What is said of a declaration is said once, whichever of its accesses show it. */
function distinct(findings: readonly AccessFinding[]): AccessFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, range }) => {
    if (rule !== "ineffective-padding") return true;
    const key = `${rule} ${range.start}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** What the rules find of one access, as severe as it is configured. */
export function checkAccess(group: AccessGroup, config: Config): AccessFinding[] {
  return accessRules.flatMap(({ metadata, check }) => {
    const configured = config.rules[metadata.id];
    if (configured === "off") return [];
    const finding = check(group, config.thresholds);
    if (finding === null) return [];
    // What a rule calls information, though it is more by default, stays that.
    const isPlayedDown = finding.severity === "information" && metadata.defaultSeverity !== "information";
    return [isPlayedDown ? finding : { ...finding, severity: configured ?? finding.severity }];
  });
}

type UsedRules = ReadonlyMap<Suppression, Set<string>>;

function suppress(
  findings: readonly AccessFinding[],
  suppressions: readonly Suppression[],
  text: string,
): { kept: readonly AccessFinding[]; used: UsedRules } {
  const used = new Map(suppressions.map((suppression) => [suppression, new Set<string>()]));
  if (suppressions.length === 0) return { kept: findings, used };
  const starts = lineStarts(text);
  const kept = findings.filter(({ rule, range }) => {
    const { line } = positionAt(starts, range.start);
    const covering = suppressions.filter((suppression) => covers(suppression, rule, line));
    for (const suppression of covering) used.get(suppression)?.add(rule);
    return covering.length === 0;
  });
  return { kept, used };
}

function unusedIn(used: UsedRules, config: Config): Finding[] {
  const enabled = new Set<string>(
    accessRules.map(({ metadata }) => metadata.id).filter((id) => config.rules[id] !== "off"),
  );
  return [...used].flatMap(([{ range, scope, rules }, usedRules]) => {
    const finding = checkSuppression({ range, scope, rules, usedRules }, enabled);
    if (finding === null) return [];
    return [
      {
        ...finding,
        severity: asSeverity(config.rules["unused-suppression"]) ?? finding.severity,
      },
    ];
  });
}

function asSeverity(configured: Config["rules"]["unused-suppression"]): Severity | undefined {
  return configured === "off" ? undefined : configured;
}
