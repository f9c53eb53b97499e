// Formats of one line a finding: for terminals and greps, and for the log of GitHub's actions.
import type { FlatFinding } from "../flat-finding.ts";
import { onOneLine } from "../visible.ts";
import { commandProperty, commandText } from "./escaped.ts";

/** "a.cu:5:12: warning: Uncoalesced load: … [uncoalesced-access]". */
export function conciseText(findings: readonly FlatFinding[]): string {
  return linesOf(findings, ({ path, line, column, severity, headline, rule }) =>
    [`${onOneLine(path)}:${line}:${column}`, severity, `${onOneLine(headline)} [${rule}]`].join(": "),
  );
}

const commands = { error: "error", warning: "warning", information: "notice" } as const;

/** "::warning file=a.cu,line=5,…::…": GitHub's workflow commands, shown beside the lines of a pull request. */
export function githubText(findings: readonly FlatFinding[]): string {
  return linesOf(findings, (finding) => {
    const { path, line, endLine, column, endColumn, severity, rule, headline, reason } = finding;
    const properties: readonly (readonly [string, string | number])[] = [
      ["file", path],
      ["line", line],
      ["endLine", endLine],
      // Columns of a range over several lines are refused.
      ...(line === endLine ? ([["col", column] as const, ["endColumn", endColumn] as const] as const) : []),
      ["title", rule],
    ];
    const written = properties.map(([name, value]) => `${name}=${commandProperty(String(value))}`).join(",");
    return `::${commands[severity]} ${written}::${commandText(`${headline}\n${reason}`)}`;
  });
}

function linesOf(findings: readonly FlatFinding[], lineOf: (finding: FlatFinding) => string): string {
  return findings.map((finding) => `${lineOf(finding)}\n`).join("");
}
