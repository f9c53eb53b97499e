// A comparison of two states of a program as text for a terminal, and as markdown for a pull request.
import type {
  AccessComparison,
  Changes,
  Comparison,
  KernelComparison,
  LaunchComparison,
  Status,
} from "../compare/compare.ts";
import { excessOf, type Figure, type LaunchFigures, type Unit, units } from "../compare/figures.ts";
import { onOneLine } from "./visible.ts";
import { averageText, countText } from "./words.ts";

/** The order in which kernels are listed. */
const statuses: readonly Status[] = ["worse", "unknown", "better", "new", "gone", "same"];
/** Accesses shown of a launch that is worse. */
const mostAccesses = 3;
/** Launches shown of a kernel. */
const mostLaunches = 8;

export interface Names {
  readonly base: string;
  readonly head: string;
}

export function comparisonText(comparison: Comparison, names: Names): string {
  const lines = [`${onOneLine(names.base)} → ${onOneLine(names.head)}`];
  for (const kernel of listed(comparison)) {
    lines.push(`${kernel.status}: ${kernelText(kernel)}`);
    for (const launch of shownLaunches(kernel)) lines.push(...launchLines(launch));
    const budget = budgetText(kernel);
    if (budget !== null) lines.push(`  ${budget}`);
  }
  lines.push(countsText(comparison));
  return `${lines.join("\n")}\n`;
}

export function comparisonMarkdown(comparison: Comparison, names: Names): string {
  const { failed } = comparison;
  const hasWorse = comparison.kernels.some(({ status }) => status === "worse");
  const verdict =
    failed === 0
      ? hasWorse
        ? "What costs more is within its budget."
        : "No kernel costs more than before."
      : `**${failed === 1 ? "1 kernel costs" : `${countText(failed)} kernels cost`} more than before.**`;
  const rows = listed(comparison).flatMap((kernel) =>
    shownLaunches(kernel).map((launch) => markdownRow(kernel, launch)),
  );
  const risen = listed(comparison).flatMap((kernel) =>
    kernel.status === "worse"
      ? kernel.launches.flatMap(({ risen: own }) =>
          own
            .slice(0, mostAccesses)
            .map((access) => `- ${code(placeText(access))} ${escaped(riseText(access))}`),
        )
      : [],
  );
  const budgets = listed(comparison).flatMap((kernel) => {
    const text = budgetText(kernel);
    return text === null ? [] : [`- ${code(kernelText(kernel))}: ${escaped(text)}`];
  });
  const parts = [
    `### Memory cost: ${code(names.base)} → ${code(names.head)}`,
    verdict,
    ...(rows.length === 0
      ? []
      : [
          [
            "| | Kernel | Launch | Wavefronts | Sectors | Excess |",
            "|---|---|---|---|---|---|",
            ...new Set(rows),
          ].join("\n"),
        ]),
    ...(risen.length === 0 ? [] : [[...new Set(risen)].join("\n")]),
    ...(budgets.length === 0 ? [] : [budgets.join("\n")]),
    countsText(comparison),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** "transpose (a.cu)", "copy (b.cu, was move in a.cu)". */
export function kernelText({ before, after }: KernelComparison): string {
  const now = after ?? before;
  if (now === null) return "";
  const isRenamed = before !== null && before.name !== now.name;
  const isMoved = before !== null && before.path !== now.path;
  const was = isRenamed
    ? `, was ${before.name}${isMoved ? ` in ${onOneLine(before.path)}` : ""}`
    : isMoved
      ? `, was in ${onOneLine(before.path)}`
      : "";
  return `${now.name} (${onOneLine(now.path)}${was})`;
}

/** "Over its budget: 992 excess wavefronts, 100 allowed"; null where it keeps it. */
function budgetText({ overBudget }: KernelComparison): string | null {
  if (overBudget === null) return null;
  const { unit, allowed, excess } = overBudget;
  return `over its budget: ${countText(excess)} excess ${unit}, ${countText(allowed)} allowed`;
}

/** "tile[x][y]: excess 0 → 992 wavefronts". */
export function riseText({ before, after, basis }: AccessComparison): string {
  const excess = (access: AccessComparison["before"]) => {
    const figure = basis === "launch" ? access?.total : access?.perRequest;
    return averageText(figure ? excessOf(figure) : 0);
  };
  const change = `${excess(before)} → ${excess(after)} ${after.unit}`;
  return `${onOneLine(after.expression)}: excess ${change}${basis === "launch" ? "" : " a request"}`;
}

export function placeText({ after }: AccessComparison): string {
  return `${onOneLine(after.file)}:${after.line}`;
}

function listed({ kernels }: Comparison): readonly KernelComparison[] {
  return kernels
    .filter(({ status, overBudget }) => status !== "same" || overBudget !== null)
    .toSorted(
      (a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status) || riseOf(b.total) - riseOf(a.total),
    );
}

function riseOf(changes: Changes): number {
  return units.reduce((sum, unit) => sum + excessOf(changes[unit].after) - excessOf(changes[unit].before), 0);
}

/** Those that make the kernel what it is; of a kernel that is assumed the first stands for all. */
function shownLaunches({ status, launches }: KernelComparison): readonly LaunchComparison[] {
  const own = launches.filter((launch) => launch.status === status);
  const shown = own.length > 0 ? own : launches;
  const isGuess = shown.every(({ before, after }) => (after ?? before)?.isAssumed === true);
  return shown.slice(0, isGuess ? 1 : mostLaunches);
}

function launchLines(launch: LaunchComparison): string[] {
  const { reason, risen, status } = launch;
  const parts = figuresOf(launch).map(({ text }) => text);
  const lines = [`  ${launchText(launch)}: ${parts.length === 0 ? "no figures" : parts.join(", ")}`];
  if (reason !== null) lines.push(`    ${onOneLine(reason)}`);
  if (status === "worse")
    lines.push(
      ...risen.slice(0, mostAccesses).map((access) => `    ${placeText(access)} ${riseText(access)}`),
    );
  return lines;
}

/** "wavefronts 512 → 16,384 (ideal 512)", one a unit that has any. */
function figuresOf({ before, after, perLaunch, perRequest }: LaunchComparison): {
  readonly unit: Unit;
  readonly text: string;
  readonly short: string;
}[] {
  return units.flatMap((unit) =>
    ([perLaunch, perRequest] as const).flatMap((changes) => {
      const change = changes[unit];
      if (change.before.cost === 0 && change.after.cost === 0) return [];
      const basis = changes === perRequest ? " a request" : "";
      const ends = [before === null ? null : change.before, after === null ? null : change.after];
      const costs = ends.map((figure) => (figure === null ? null : averageText(figure.cost)));
      const short = arrow(costs) + basis;
      const ideal = arrow(ends.map((figure) => (figure === null ? null : averageText(figure.ideal))));
      return [{ unit, text: `${unit} ${short} (ideal ${ideal})`, short }];
    }),
  );
}

/** "1 → 2", or one of them where they are equal or one is missing. */
function arrow(ends: readonly (string | null)[]): string {
  return [...new Set(ends.filter((end) => end !== null))].join(" → ");
}

/** "block (32,8) → (8,32), grid (4,4), T=float". */
function launchText({ before, after }: LaunchComparison): string {
  const of = (text: (launch: LaunchFigures) => string) =>
    arrow([before === null ? null : text(before), after === null ? null : text(after)]);
  const parts = [`block ${of(({ block }) => extentsText(block))}`];
  const isGuess = (after ?? before)?.isAssumed === true;
  if (isGuess) parts.push("assumed");
  else parts.push(`grid ${of(({ grid }) => extentsText(grid))}`);
  const template = of(({ templateArguments }) =>
    templateArguments.length === 0 ? "" : `<${templateArguments.join(", ")}>`,
  );
  if (template !== "") parts.push(onOneLine(template));
  const count = of((launch) => countText(launch.count));
  if (!isGuess && count !== "1") parts.push(`${count} times`);
  return parts.join(", ");
}

function extentsText(extents: readonly (number | null)[]): string {
  const texts = extents.map((extent) => (extent === null ? "?" : String(extent)));
  while (texts.length > 1 && texts.at(-1) === "1") texts.pop();
  return `(${texts.join(",")})`;
}

function markdownRow(kernel: KernelComparison, launch: LaunchComparison): string {
  const figures = figuresOf(launch);
  const cell = (unit: Unit) =>
    figures
      .filter((each) => each.unit === unit)
      .map(({ short }) => short)
      .join("; ");
  const excess = ([launch.perLaunch, launch.perRequest] as const).flatMap((changes) => {
    const sum = (side: (unit: Unit) => Figure) => units.reduce((all, unit) => all + excessOf(side(unit)), 0);
    const ends = [sum((unit) => changes[unit].before), sum((unit) => changes[unit].after)];
    if (ends.every((end) => end === 0)) return [];
    return [`${arrow(ends.map(averageText))}${changes === launch.perRequest ? " a request" : ""}`];
  });
  const cells = [
    kernel.status,
    code(kernelText(kernel)),
    escaped(launchText(launch)),
    cell("wavefronts"),
    cell("sectors"),
    launch.reason === null ? excess.join("; ") : escaped(launch.reason),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** "1 worse, 2 better, 14 the same, 1 new, 0 gone, 3 unknown". */
function countsText({ kernels }: Comparison): string {
  const count = (status: Status) => kernels.filter((kernel) => kernel.status === status).length;
  const parts = statuses.flatMap((status) => {
    const own = count(status);
    return own === 0 ? [] : [`${countText(own)} ${status === "same" ? "the same" : status}`];
  });
  const all = kernels.length === 1 ? "1 kernel" : `${countText(kernels.length)} kernels`;
  return parts.length === 0 ? all : `${all}: ${parts.join(", ")}`;
}

/** In backticks; what could end them or a cell of a table is left out. */
function code(text: string): string {
  return `\`${onOneLine(text).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

/** Plain text in markdown. */
function escaped(text: string): string {
  return onOneLine(text).replace(/[\\`*_{}[\]<>#|!]/g, "\\$&");
}
