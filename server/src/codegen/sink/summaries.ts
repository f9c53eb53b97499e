// What statements read and change, for passes that move loads past them.
import type { AccessSite, Expression, Load } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Addresses } from "../addresses/address.ts";
import { type Extent, mayAlias } from "../addresses/alias.ts";
import type { CountedFrom, RecordGroups } from "../linearise/context.ts";
import { forEachExpression, isOpaque, partsOf } from "../walks/walk.ts";

/** What is known of a body's statements and loops; the summaries are made as they are asked for. */
export interface Summaries {
  readonly addresses: Addresses;
  readonly summaries: Map<Statement, Summary>;
  readonly groups: RecordGroups;
  /** By the site of a record access, that of the members which have moved. */
  readonly movedSites: Map<AccessSite, AccessSite>;
  /** By the site of an access, the same in doubt of where the compiler makes it. */
  readonly doubtedSites: Map<AccessSite, AccessSite>;
  readonly countedFrom: CountedFrom;
  /** Variables that pointers lead to. */
  readonly escaped: ReadonlySet<number>;
}

/** What a statement, with all below it, reads and changes. */
export interface Summary {
  readonly reads: ReadonlySet<number>;
  readonly assigned: ReadonlySet<number>;
  readonly stores: readonly Extent[];
  /** Nothing that reads memory moves over it: a barrier, a loop, a call, an atomic. */
  readonly isFence: boolean;
  /** Whether an expression of it, or of what is below it, is such a call or atomic. */
  readonly acts: boolean;
}

/** Made of those of the statements below it: each is read once, however deep it stands and however often a branch around it is rewritten. */
export function summaryOf(statement: Statement, context: Summaries): Summary {
  const known = context.summaries.get(statement);
  if (known) return known;
  const reads = new Set<number>();
  const assigned = new Set<number>();
  const stores: Extent[] = [];
  let acts = false;
  const { expressions, lists } = partsOf(statement);
  const visit = (node: Expression): void => {
    if (isActing(node)) acts = true;
    if ((node.kind === "load" || node.kind === "address") && node.place.kind === "variable")
      reads.add(node.place.variable.id);
    if (node.kind !== "assign") return;
    if (node.place.kind === "variable") {
      assigned.add(node.place.variable.id);
      return;
    }
    const address = context.addresses.get(node);
    if (address) stores.push({ address, bytes: sizeOf(node.place.type) ?? 1 });
    else acts = true;
  };
  for (const expression of expressions) forEachExpression(expression, visit);
  if (statement.kind === "declare") assigned.add(statement.variable.id);
  for (const list of lists)
    for (const inner of list) {
      const part = summaryOf(inner, context);
      for (const id of part.reads) reads.add(id);
      for (const id of part.assigned) assigned.add(id);
      for (const store of part.stores) stores.push(store);
      acts ||= part.acts;
    }
  const summary: Summary = { reads, assigned, stores, isFence: acts || fences.has(statement.kind), acts };
  context.summaries.set(statement, summary);
  return summary;
}

function isActing(node: Expression): boolean {
  if (node.kind !== "intrinsic") return isOpaque(node);
  const effect = intrinsicEffect(node.name);
  return effect !== "pure" && effect !== "identity" && effect !== "load";
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
