// `compare`: which of two texts pays less, and where.
import { type AccessComparison, compareKernels } from "../compare/compare.ts";
import { readReport } from "../compare/document.ts";
import { type AccessFigures, excessOf, type KernelFigures, kernelsOf } from "../compare/figures.ts";
import { comparisonText } from "../render/comparison.ts";
import { reportsJson } from "../render/json.ts";
import { onOneLine } from "../render/visible.ts";
import { averageText } from "../render/words.ts";
import { type Analysed, InputError } from "./analysed.ts";

const options = { tolerance: { kind: "count", value: 0 }, budgets: new Map() } as const;

export function compareText(before: Analysed, after: Analysed): string {
  const sides = [figuresOf(before), figuresOf(after)] as const;
  const text = comparisonText(compareKernels(...sides, options), { base: "before", head: "after" });
  // What rises on the way back fell on the way here.
  const back = compareKernels(sides[1], sides[0], options);
  const fallen = back.kernels.flatMap(({ launches }) =>
    launches.flatMap(({ risen }) => risen.slice(0, mostFallen).map(fallText)),
  );
  const lines = [...new Set(fallen)];
  return lines.length === 0 ? text : `${text}Cheaper than before:\n${lines.join("\n")}\n`;
}

const mostFallen = 5;

/** "  line 6 of before, tile[x][y]: excess 992 → 0 wavefronts": `after` is the text as it was. */
function fallText({ before: now, after: was, basis }: AccessComparison): string {
  const excess = (access: AccessFigures | null) => {
    const figure = basis === "launch" ? access?.total : access?.perRequest;
    return averageText(figure ? excessOf(figure) : 0);
  };
  const unit = `${was.unit}${basis === "launch" ? "" : " a request"}`;
  return `  line ${was.line} of before, ${onOneLine(was.expression)}: excess ${excess(was)} → ${excess(now)} ${unit}`;
}

function figuresOf({ analysis, places }: Analysed): KernelFigures[] {
  const read = readReport(reportsJson([analysis.report], places));
  if (read.kind === "error") throw new InputError(read.message);
  return kernelsOf(read.report);
}
