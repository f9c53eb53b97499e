// Findings as SARIF 2.1.0, which code hosts and CI systems read.
import type {
  ArtifactLocation,
  Location,
  Log,
  Region,
  ReportingDescriptor,
  Result,
  Fix as SarifFix,
} from "sarif";
import type { Severity } from "../config/schema.ts";
import { type Fix, type FixSearchResult, fixesOfFinding, noFixes } from "../fixes/fix.ts";
import type { Finding } from "../rules/finding.ts";
import { ruleMetadata } from "../rules/registry.ts";
import { type FindingGroup, together } from "../rules/together.ts";
import type { SourceRange } from "../text/source.ts";
import { fixTitle } from "./fix-title.ts";
import { messageWithOthers } from "./group-message.ts";
import { identityOf } from "./identity.ts";
import type { Places } from "./places.ts";

export interface SarifExtras {
  readonly version: string;
  /** By file; of a file that is not there nobody searched for fixes. */
  readonly fixes: ReadonlyMap<string, FixSearchResult>;
}

export function sarifLog(findings: readonly Finding[], places: Places, { version, fixes }: SarifExtras): Log {
  return sarifOf(
    together(findings).map((group) => resultOf(group, fixes.get(group.head.range.file) ?? noFixes, places)),
    version,
  );
}

/** The same of findings that are results already (`resultOf`). */
export function sarifOf(results: Result[], version: string): Log {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "warplint", semanticVersion: version, rules: ruleMetadata.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  };
}

const levels = { error: "error", warning: "warning", information: "note" } as const satisfies Record<
  Severity,
  string
>;

function ruleOf({ id, summary, defaultSeverity }: (typeof ruleMetadata)[number]): ReportingDescriptor {
  return {
    id,
    shortDescription: { text: summary },
    defaultConfiguration: { level: levels[defaultSeverity] },
  };
}

export function resultOf(
  { head: finding, others }: FindingGroup,
  found: FixSearchResult,
  places: Places,
): Result {
  const { headline, reason } = messageWithOthers(finding, others, places);
  const fixes = fixesOfFinding(found, finding);
  return {
    ruleId: finding.rule,
    ruleIndex: ruleMetadata.findIndex(({ id }) => id === finding.rule),
    level: levels[finding.severity],
    message: { text: `${headline}\n${reason}` },
    partialFingerprints: { "warplint/v1": fingerprintOf(finding, places) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: artifactOf(finding.range.file, places),
          region: regionOf(finding.range, places),
        },
      },
    ],
    ...(others.length > 0
      ? { relatedLocations: others.slice(0, mostRelated).map((other) => relatedOf(other, places)) }
      : {}),
    ...(fixes.length > 0 ? { fixes: fixes.map((fix) => fixOf(fix, places)) } : {}),
  };
}

/** Stays as it is when the lines around it change. */
function fingerprintOf(finding: Finding, places: Places): string {
  const isAccess = finding.kind === "access";
  return identityOf({
    rule: finding.rule,
    path: places.displayPath(finding.range.file),
    kernel: isAccess ? finding.worst.kernel.name : null,
    expression: isAccess ? finding.worst.access.expression : null,
  });
}

/** GitHub shows no more of one result. */
const mostRelated = 100;

function relatedOf({ range, worst }: FindingGroup["others"][number], places: Places): Location {
  return {
    physicalLocation: { artifactLocation: artifactOf(range.file, places), region: regionOf(range, places) },
    message: { text: `the same of ${worst.access.expression}` },
  };
}

function fixOf(fix: Fix, places: Places): SarifFix {
  const files = [...new Set(fix.edits.map(({ file }) => file))];
  return {
    description: { text: fixTitle(fix, places) },
    artifactChanges: files.map((file) => ({
      artifactLocation: artifactOf(file, places),
      replacements: fix.edits
        .filter((edit) => edit.file === file)
        .map((edit) => ({
          deletedRegion: regionOf(edit, places),
          insertedContent: { text: edit.newText },
        })),
    })),
  };
}

function artifactOf(file: string, places: Places): ArtifactLocation {
  return { uri: encodeURI(places.displayPath(file)) };
}

function regionOf(range: SourceRange, places: Places): Region {
  const start = places.startOf(range);
  const end = places.endOf(range);
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}
