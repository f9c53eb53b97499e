// `warplint compare`: what a change does to the memory cost of kernels, for people and for a gate in CI.
import { budgetsText, parseBudgets } from "../compare/budget-file.ts";
import { type Budgets, compareKernels, type Tolerance } from "../compare/compare.ts";
import { readText, unreadText } from "../host/host.ts";
import type { Pipeline } from "../lint/pipeline.ts";
import { comparisonMarkdown, comparisonText } from "../render/comparison.ts";
import { comparisonJson } from "../render/comparison-json.ts";
import { comparisonSarif } from "../render/comparison-sarif.ts";
import { resolvePath } from "../text/path.ts";
import { type SideOptions, sideOf } from "./sides.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export const comparisonFormats = ["text", "markdown", "json", "sarif"] as const;

export interface CompareCommandOptions extends SideOptions {
  readonly format: (typeof comparisonFormats)[number];
  readonly tolerance: Tolerance;
  readonly budget?: string;
  readonly updateBudget?: true;
}

export async function compare(
  base: string,
  head: string | null,
  options: CompareCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const budgets = options.updateBudget ? noBudgets : budgetsOf(options, terminal);
  if (typeof budgets === "string") return refused(budgets, terminal);
  // Both sides are parsed by one parser.
  let pipeline: Promise<Pipeline> | null = null;
  const sharing: Terminal = {
    ...terminal,
    createPipeline: () => {
      pipeline ??= terminal.createPipeline();
      return pipeline;
    },
  };
  const before = await sideOf(base, head ?? "", options, sharing);
  if (before.kind === "error") return refused(before.message, terminal);
  const after = await sideOf(head, base, options, sharing);
  if (after.kind === "error") return refused(after.message, terminal);
  const { tolerance, format } = options;
  const comparison = compareKernels(before.kernels, after.kernels, { tolerance, budgets });
  const names = { base: before.name, head: after.name };
  switch (format) {
    case "text":
      terminal.write(comparisonText(comparison, names));
      break;
    case "markdown":
      terminal.write(comparisonMarkdown(comparison, names));
      break;
    case "json":
      terminal.write(`${JSON.stringify(comparisonJson(comparison, names), null, 1)}\n`);
      break;
    case "sarif":
      terminal.write(`${JSON.stringify(comparisonSarif(comparison, budgets, terminal.version), null, 1)}\n`);
      break;
  }
  if (!options.updateBudget || options.budget === undefined) return comparison.failed > 0 ? 1 : 0;
  const path = resolvePath(terminal.host.currentDirectory, options.budget);
  const problem = terminal.writeFile(path, new TextEncoder().encode(budgetsText(comparison)));
  return problem === null ? 0 : refused(`${options.budget}: ${problem}`, terminal);
}

const noBudgets: Budgets = new Map();

/** Those of the file, or why there are none. */
function budgetsOf({ budget }: CompareCommandOptions, { host }: Terminal): Budgets | string {
  if (budget === undefined) return noBudgets;
  const read = readText(host, resolvePath(host.currentDirectory, budget));
  if (read.kind !== "text") return `${budget}: ${unreadText(read.kind)}`;
  const parsed = parseBudgets(read.text);
  return parsed.kind === "budgets" ? parsed.budgets : `${budget}: ${parsed.message}`;
}

function refused(message: string, terminal: Terminal): 2 {
  terminal.writeError(`warplint: ${message}\n`);
  return 2;
}
