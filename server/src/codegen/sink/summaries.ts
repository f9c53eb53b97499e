// What statements read and change, for passes that move loads past them.
import type { Load } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Addresses } from "../addresses/address.ts";
import { type Extent, mayAlias } from "../addresses/alias.ts";
import type { CountedFrom } from "../linearise/context.ts";
import { forEachExpressionOf, forEachStatement, isOpaque } from "../walks/walk.ts";

/** What is known of a body's statements and loops; the summaries are made as they are asked for. */
export interface Summaries {
  readonly addresses: Addresses;
  readonly summaries: Map<Statement, Summary>;
  readonly countedFrom: CountedFrom;
}

/** What a statement, with all below it, reads and changes. */
export interface Summary {
  readonly reads: ReadonlySet<number>;
  readonly assigned: ReadonlySet<number>;
  readonly stores: readonly Extent[];
  /** Nothing that reads memory moves over it: a barrier, a loop, a call, an atomic. */
  readonly isFence: boolean;
}

export function summaryOf(statement: Statement, { addresses, summaries }: Summaries): Summary {
  const known = summaries.get(statement);
  if (known) return known;
  const reads = new Set<number>();
  const assigned = new Set<number>();
  const stores: Extent[] = [];
  let isFence = fences.has(statement.kind);
  forEachExpressionOf([statement], (node) => {
    if (isOpaque(node)) isFence = true;
    if ((node.kind === "load" || node.kind === "address") && node.place.kind === "variable")
      reads.add(node.place.variable.id);
    if (node.kind === "assign" && node.place.kind === "variable") assigned.add(node.place.variable.id);
    if (node.kind === "intrinsic") {
      const effect = intrinsicEffect(node.name);
      if (effect !== "pure" && effect !== "identity" && effect !== "load") isFence = true;
    }
    if (node.kind !== "assign" || node.place.kind !== "memory") return;
    const address = addresses.get(node);
    if (address) stores.push({ address, bytes: sizeOf(node.place.type) ?? 1 });
    else isFence = true;
  });
  forEachStatement([statement], (one) => {
    if (one.kind === "declare") assigned.add(one.variable.id);
  });
  const summary: Summary = { reads, assigned, stores, isFence };
  summaries.set(statement, summary);
  return summary;
}

const fences: ReadonlySet<Statement["kind"]> = new Set(["barrier", "unknown", "loop", "switch", "launch"]);

/** Whether a statement may change what the load reads, or the variables that its address is made of. */
export function clobbers(
  summary: Summary,
  load: Load,
  needed: ReadonlySet<number>,
  addresses: Addresses,
): boolean {
  if (summary.isFence) return true;
  for (const id of summary.assigned) if (needed.has(id)) return true;
  if (summary.stores.length === 0) return false;
  const address = addresses.get(load);
  if (!address) return true;
  const extent: Extent = { address, bytes: sizeOf(load.type) ?? 1 };
  return summary.stores.some((store) => mayAlias(extent, store));
}
