// What a comparison finds worse as SARIF 2.1.0: a result stands at the access whose excess rose most.
import type { Log, Result } from "sarif";
import { type Budgets, type Comparison, isFailed, type KernelComparison } from "../compare/compare.ts";
import { kernelText, riseText } from "./comparison.ts";

const rule = "memory-cost-regression";

export function comparisonSarif(comparison: Comparison, budgets: Budgets, version: string): Log {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "warplint",
            semanticVersion: version,
            rules: [
              {
                id: rule,
                shortDescription: { text: "A kernel's accesses cost more beyond their ideal than before." },
                defaultConfiguration: { level: "warning" },
              },
            ],
          },
        },
        columnKind: "utf16CodeUnits",
        results: comparison.kernels.filter((kernel) => isFailed(kernel, budgets)).map(resultOf),
      },
    ],
  };
}

function resultOf(kernel: KernelComparison): Result {
  const [worst] = kernel.launches.flatMap(({ risen }) => risen).toSorted((a, b) => b.rise - a.rise);
  const { overBudget } = kernel;
  const path = worst?.after.file ?? kernel.after?.path ?? "";
  const budget =
    overBudget === null
      ? ""
      : ` Over its budget: ${overBudget.excess} excess ${overBudget.unit}, ${overBudget.allowed} allowed.`;
  const text = `${kernelText(kernel)} costs more than before.${worst === undefined ? "" : ` ${riseText(worst)}.`}${budget}`;
  return {
    ruleId: rule,
    ruleIndex: 0,
    level: "warning",
    message: { text },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(path) },
          ...(worst === undefined
            ? {}
            : {
                region: {
                  startLine: worst.after.line,
                  startColumn: worst.after.column,
                  endLine: worst.after.endLine,
                  endColumn: worst.after.endColumn,
                },
              }),
        },
      },
    ],
    partialFingerprints: { "warplint/kernel": `${rule}:${kernel.after?.name ?? ""}` },
  };
}
