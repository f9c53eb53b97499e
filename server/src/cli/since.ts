// `check --since REV`: which kernels cost what they cost in a revision of git.
import { compareKernels } from "../compare/compare.ts";
import type { CommandOptions } from "./linted.ts";
import { sideOf } from "./sides.ts";
import type { Terminal } from "./terminal.ts";

export type Unchanged =
  | { readonly kind: "kernels"; readonly unchanged: ReadonlySet<string> }
  | { readonly kind: "error"; readonly message: string };

/** Names of the kernels that are the same in `revision` and the working tree, wherever they stand. */
export async function unchangedSince(
  revision: string,
  options: CommandOptions,
  terminal: Terminal,
): Promise<Unchanged> {
  const before = await sideOf(revision, "", options, terminal);
  if (before.kind === "error") return before;
  const after = await sideOf(null, revision, options, terminal);
  if (after.kind === "error") return after;
  const { kernels } = compareKernels(before.kernels, after.kernels, {
    tolerance: { kind: "count", value: 0 },
    budgets: new Map(),
  });
  const isSame = (name: string) =>
    kernels.every((kernel) => kernel.after?.name !== name || kernel.status === "same");
  const names = kernels.flatMap(({ after: now }) => now?.name ?? []);
  return { kind: "kernels", unchanged: new Set(names.filter(isSame)) };
}
