// `analyze`: kernels with their launches and totals, the accesses that cost more than they must, and the findings.
import {
  accessCostsIn,
  costOfKernel,
  type FileAccessCost,
  hasExcess,
  launchSummary,
  totalsText,
} from "../ide/cost.ts";
import type { KernelSummary } from "../lint/analysis.ts";
import { messageWithOthers } from "../render/group-message.ts";
import type { Places } from "../render/places.ts";
import { onOneLine } from "../render/visible.ts";
import { plural } from "../render/words.ts";
import { together } from "../rules/together.ts";
import type { SourceRange } from "../text/source.ts";
import type { Analysed } from "./analysed.ts";

/** A longer list helps nobody: the most expensive come first. */
const mostShown = 20;

export function analyzeText({ analysis, places, stringLines }: Analysed): string {
  const costs = accessCostsIn(analysis);
  const lines = analysis.kernels.flatMap((kernel) => kernelLines(kernel, costs, places));
  const inKernels = new Set(analysis.kernels.flatMap((kernel) => within(kernel.range, costs)));
  const elsewhere = costs.filter((cost) => !inKernels.has(cost));
  if (elsewhere.length > 0)
    lines.push("Outside of kernels (in functions that they call):", ...accessLines(elsewhere, places));
  if (analysis.kernels.length === 0 && costs.length === 0) lines.push("No kernel, and no access of one.");
  const findings = together(analysis.report.findings);
  if (findings.length > 0) lines.push("Findings:");
  for (const { head, others } of findings.slice(0, mostShown)) {
    const { headline, reason } = messageWithOthers(head, others, places);
    lines.push(`${placeText(head.range, places)} ${head.severity} [${head.rule}] ${headline}`, `  ${reason}`);
  }
  if (findings.length > mostShown) lines.push(`${plural(findings.length - mostShown, "finding")} more`);
  if (findings.length === 0 && costs.length > 0) lines.push("No findings.");
  if (stringLines.length > 1)
    lines.push(`Note: strings with kernels at lines ${stringLines.join(", ")}; \`string\` chooses one.`);
  lines.push(...analysis.notes.map((note) => `Note: ${note}`));
  return lines.join("\n");
}

function kernelLines(kernel: KernelSummary, costs: readonly FileAccessCost[], places: Places): string[] {
  const { line } = places.startOf(kernel.nameRange);
  return [
    `${kernel.name} (line ${line}): ${launchSummary(kernel, places).text}`,
    `  ${totalsText(costOfKernel(kernel))}`,
    ...accessLines(within(kernel.range, costs), places),
    ...kernel.gaps.map((gap) => `  Not followed: ${gap}`),
  ];
}

/** One line an access with excess or without a figure; the others counted. */
function accessLines(costs: readonly FileAccessCost[], places: Places): string[] {
  const shown = costs
    .filter((cost) => hasExcess(cost) || cost.ratio === null)
    .toSorted((a, b) => (b.excess ?? b.ratio ?? 0) - (a.excess ?? a.ratio ?? 0));
  const lines = shown
    .slice(0, mostShown)
    .map(({ range, text }) => `  ${placeText(range, places)} ${onOneLine(places.textOf(range))}: ${text}`);
  if (shown.length > mostShown) lines.push(`  ${shown.length - mostShown} more`);
  const ideal = costs.length - shown.length;
  if (ideal > 0) lines.push(`  ${ideal === 1 ? "1 access" : `${ideal} accesses`} ideal`);
  return lines;
}

function within<Placed extends { readonly range: SourceRange }>(
  { start, end }: SourceRange,
  costs: readonly Placed[],
): Placed[] {
  return costs.filter(({ range }) => start <= range.start && range.end <= end);
}

/** "12:5". */
export function placeText(range: SourceRange, places: Places): string {
  const { line, column } = places.startOf(range);
  return `${line}:${column}`;
}
