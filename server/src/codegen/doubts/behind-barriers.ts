// What `__restrict__` promises across a barrier: to LLVM a barrier touches nothing that such a pointer alone leads to. Followed it is for the
// parameters of a kernel that are loaded through; stores, local pointers and the parameters of inlined functions are not (fixtures/forms/restrict_barriers).
import type { AccessSite, Expression, MemoryPlace } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { areEqual } from "../walks/equal.ts";
import { forEachExpressionOf, rootVariableOf } from "../walks/walk.ts";

/** Of accesses to one place on both sides of a barrier of the list the one that LLVM may leave out: the first of two stores, the second of two loads. */
export function leftOutAtBarriers(
  list: readonly Statement[],
  parameters: ReadonlySet<number>,
): readonly AccessSite[] {
  const index = list.findIndex(({ kind }) => kind === "barrier");
  if (index < 0) return [];
  const before = restrictedIn(list.slice(0, index));
  const behind = restrictedIn(list.slice(index + 1));
  const isIn = (others: readonly Restricted[]) => (one: Restricted) =>
    others.some(({ kind, place }) => kind === one.kind && areEqual(place.pointer, one.place.pointer));
  const stores = before.filter(({ kind }) => kind === "assign").filter(isIn(behind));
  const loads = behind
    .filter(({ kind, root }) => kind === "load" && !parameters.has(root))
    .filter(isIn(before));
  return [...stores, ...loads].map(({ site }) => site);
}

interface Restricted {
  readonly kind: Expression["kind"];
  readonly place: MemoryPlace;
  readonly site: AccessSite;
  /** The id of the pointer that it starts from. */
  readonly root: number;
}

function restrictedIn(statements: readonly Statement[]): readonly Restricted[] {
  const found: Restricted[] = [];
  forEachExpressionOf(statements, (node) => {
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory" || !node.site)
      return;
    const root = rootVariableOf(node.place.pointer);
    if (!root?.isRestrict && !root?.isRestrictedLocal) return;
    found.push({ kind: node.kind, place: node.place, site: node.site, root: root.id });
  });
  return found;
}
