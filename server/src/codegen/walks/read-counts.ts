// How often variables are read.
import type { Statement } from "../../ir/statement.ts";
import { forEachExpressionOf } from "./walk.ts";

/** The counts of the function, made when they are first asked for. */
export type ReadCounts = () => ReadonlyMap<number, number>;

/** How often each variable is read in the statements. */
export function readCountsOf(body: readonly Statement[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  forEachExpressionOf(body, (node) => {
    if (node.kind !== "load" || node.place.kind !== "variable") return;
    counts.set(node.place.variable.id, (counts.get(node.place.variable.id) ?? 0) + 1);
  });
  return counts;
}
