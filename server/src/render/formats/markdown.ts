// Findings as markdown: a table, the most expensive first, for a comment or a summary of a job.
import { excessText } from "../cost-table.ts";
import type { FlatFinding } from "../flat-finding.ts";
import { onOneLine } from "../visible.ts";
import { countText } from "../words.ts";

/** A comment on GitHub holds 65,536 characters. */
const mostRows = 100;

/** `summary`: the closing line of the run. */
export function markdownText(findings: readonly FlatFinding[], summary: string): string {
  if (findings.length === 0) return `${cell(summary)}\n`;
  const sorted = findings.toSorted((a, b) => (b.cost?.excess ?? -1) - (a.cost?.excess ?? -1));
  const shown = sorted.slice(0, mostRows);
  const left = sorted.length - shown.length;
  return [
    "| Severity | Place | Kernel | Finding | Beyond ideal |",
    "|---|---|---|---|---|",
    ...shown.map(rowOf),
    ...(left > 0 ? ["", `… ${countText(left)} more`] : []),
    "",
    `${cell(summary)}\n`,
  ].join("\n");
}

function rowOf({ severity, path, line, kernel, headline, rule, cost }: FlatFinding): string {
  const cells = [
    severity,
    code(`${path}:${line}`),
    kernel === null ? "" : code(kernel),
    `${cell(headline)} (${rule})`,
    cost === null ? "" : excessText(cost),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Plain text in a cell. */
function cell(text: string): string {
  return onOneLine(text).replace(/[\\`*_{}[\]<>#|!]/g, "\\$&");
}

/** In backticks; what could end them or the cell is left out. */
function code(text: string): string {
  return `\`${onOneLine(text).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}
