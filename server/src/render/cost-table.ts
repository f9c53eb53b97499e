// Findings by what they cost over all launches of a run, worst first: the list below a run's findings, and `--statistics`.
import type { RunCost } from "../rules/cost.ts";
import { addedCosts } from "../rules/cost.ts";
import type { FlatFinding } from "./flat-finding.ts";
import { onOneLine } from "./visible.ts";
import { countText, plural } from "./words.ts";

/** A longer list is for `--statistics`. */
const mostShown = 5;

/** "The most expensive of 12 findings:" and a line each, worst first; null where fewer than two have a cost that is known. */
export function costSummary(findings: readonly FlatFinding[]): string | null {
  const costly = byCost(findings);
  if (costly.length < 2) return null;
  const shown = costly.slice(0, mostShown);
  const head =
    shown.length === findings.length
      ? "By cost in the launches found:"
      : `Most expensive of ${countText(findings.length)} findings in the launches found:`;
  return [head, ...aligned(shown.map(lineOf))].join("\n");
}

/** Counts and costs by rule, then by kernel, worst first. */
export function statisticsText(findings: readonly FlatFinding[]): string {
  const byRule = totalsBy(findings, ({ rule }) => rule);
  const byKernel = totalsBy(
    findings.filter(({ kernel }) => kernel !== null),
    ({ path, kernel }) => `${kernel} (${onOneLine(path)})`,
  );
  const parts = [aligned(byRule.map(totalLine)).join("\n")];
  if (byKernel.length > 0) parts.push(`By kernel:\n${aligned(byKernel.map(totalLine)).join("\n")}`);
  return parts.filter((part) => part !== "").join("\n");
}

/** "1,015,808 excess wavefronts", "at least 12 excess sectors". */
export function excessText({ excess, unit, isWhole }: RunCost): string {
  return `${isWhole ? "" : "at least "}${plural(Math.round(excess), `excess ${unit.slice(0, -1)}`)}`;
}

function byCost(findings: readonly FlatFinding[]): (FlatFinding & { readonly cost: RunCost })[] {
  return findings
    .flatMap((finding) => (finding.cost === null ? [] : [{ ...finding, cost: finding.cost }]))
    .filter(({ cost }) => cost.excess > 0)
    .sort((a, b) => b.cost.excess - a.cost.excess);
}

function lineOf({ path, line, kernel, rule, cost }: FlatFinding & { readonly cost: RunCost }): string[] {
  return [excessText(cost), `${onOneLine(path)}:${line}`, kernel ?? "", `[${rule}]`];
}

interface Total {
  readonly name: string;
  readonly count: number;
  readonly costs: readonly RunCost[];
}

function totalsBy(findings: readonly FlatFinding[], nameOf: (finding: FlatFinding) => string): Total[] {
  const groups = new Map<string, FlatFinding[]>();
  for (const finding of findings) {
    const name = nameOf(finding);
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [finding]);
    else known.push(finding);
  }
  return [...groups]
    .map(([name, own]) => ({ name, count: own.length, costs: costsOf(own) }))
    .sort((a, b) => excessOf(b) - excessOf(a) || b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** One a unit. */
function costsOf(findings: readonly FlatFinding[]): RunCost[] {
  const costs = findings.flatMap(({ cost }) => cost ?? []);
  return (["wavefronts", "sectors"] as const).flatMap(
    (unit) => addedCosts(costs.filter((cost) => cost.unit === unit)) ?? [],
  );
}

function excessOf({ costs }: Total): number {
  return costs.reduce((sum, { excess }) => sum + excess, 0);
}

function totalLine({ name, count, costs }: Total): string[] {
  const excess = costs.map(excessText).join(", ");
  return [name, plural(count, "finding"), excess === "" ? "cost not known" : excess];
}

/** Columns of equal width, two spaces apart, the whole moved in by two. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, text] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, text.length);
  return rows.map((row) =>
    `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
  );
}
