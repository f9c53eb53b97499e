// A file with the most excess that a team allows each kernel: read, and written from what kernels cost now.
import * as z from "zod/mini";
import type { Budget, Budgets, Comparison } from "./compare.ts";
import { excessOf, type Unit } from "./figures.ts";

const limit = z.optional(z.number().check(z.minimum(0)));
const budgetFile = z.strictObject({
  $schema: z.optional(z.string()),
  kernels: z.record(z.string(), z.strictObject({ wavefronts: limit, sectors: limit })),
});

export type ReadBudgets =
  | { readonly kind: "budgets"; readonly budgets: Budgets }
  | { readonly kind: "error"; readonly message: string };

export function parseBudgets(text: string): ReadBudgets {
  try {
    const result = z.safeParse(budgetFile, JSON.parse(text));
    if (result.success) return { kind: "budgets", budgets: new Map(Object.entries(result.data.kernels)) };
    const [issue] = result.error.issues;
    return {
      kind: "error",
      message: `${issue?.path.join(".") || "the file"}: ${issue?.message ?? "not a budget"}`,
    };
  } catch {
    return { kind: "error", message: "not JSON" };
  }
}

/** The budget that what kernels cost now just keeps; of kernels of one name in several files the most expensive one's. */
export function budgetsText({ kernels }: Comparison): string {
  const budgets = new Map<string, Required<Budget>>();
  for (const { after, total } of kernels) {
    if (after === null) continue;
    const known = budgets.get(after.name);
    const most = (unit: Unit) => Math.max(known?.[unit] ?? 0, Math.ceil(excessOf(total[unit].after)));
    budgets.set(after.name, { wavefronts: most("wavefronts"), sectors: most("sectors") });
  }
  const sorted = [...budgets].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `${JSON.stringify({ kernels: Object.fromEntries(sorted) }, null, 2)}\n`;
}
