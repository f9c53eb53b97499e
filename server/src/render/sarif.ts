// Findings as SARIF 2.1.0, which code hosts and CI systems read.
import type { Log, ReportingDescriptor, Result } from "sarif";
import type { Severity } from "../config/schema.ts";
import type { Finding } from "../rules/finding.ts";
import { ruleMetadata } from "../rules/registry.ts";
import { messageOf } from "./message.ts";
import type { Places } from "./places.ts";

export function sarifLog(findings: readonly Finding[], places: Places, version: string): Log {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "warplint", semanticVersion: version, rules: ruleMetadata.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => resultOf(finding, places)),
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

function resultOf(finding: Finding, places: Places): Result {
  const { headline, reason } = messageOf(finding, places);
  const start = places.startOf(finding.range);
  const end = places.endOf(finding.range);
  return {
    ruleId: finding.rule,
    ruleIndex: ruleMetadata.findIndex(({ id }) => id === finding.rule),
    level: levels[finding.severity],
    message: { text: `${headline}\n${reason}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(places.displayPath(finding.range.file)) },
          region: {
            startLine: start.line,
            startColumn: start.column,
            endLine: end.line,
            endColumn: end.column,
          },
        },
      },
    ],
  };
}
