// Findings as reviewdog's diagnostics (https://github.com/reviewdog/reviewdog/tree/master/proto/rdf).
import type { FlatFinding } from "../flat-finding.ts";

const severities = { error: "ERROR", warning: "WARNING", information: "INFO" } as const;

export function rdjson(findings: readonly FlatFinding[]): object {
  return {
    source: { name: "warplint" },
    diagnostics: findings.map(
      ({ headline, reason, path, line, byteColumn, endLine, endByteColumn, severity, rule }) => ({
        message: `${headline}\n${reason}`,
        location: {
          path,
          // Columns count bytes of UTF-8 there.
          range: {
            start: { line, column: byteColumn },
            end: { line: endLine, column: endByteColumn },
          },
        },
        severity: severities[severity],
        code: { value: rule },
      }),
    ),
  };
}
