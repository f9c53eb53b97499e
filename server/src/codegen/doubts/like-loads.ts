// Updates of neighbours whose loads ptxas may merge by how it sees them lie: it may merge their stores as well (fixtures/forms/wide_stores membersAdded).
import type { AccessSite, Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { areEqual } from "../walks/equal.ts";
import { forEachExpressionOf } from "../walks/walk.ts";

/** The stores to where loads of uncertain alignment go. */
export function storedLikeUnclear(body: readonly Statement[]): readonly AccessSite[] {
  const unclear: Expression[] = [];
  forEachExpressionOf(body, (node) => {
    if (node.kind === "load" && node.site?.uncertain === "other-alignment" && node.place.kind === "memory")
      unclear.push(node.place.pointer);
  });
  if (unclear.length === 0) return [];
  const stores: AccessSite[] = [];
  forEachExpressionOf(body, (node) => {
    if (node.kind !== "assign" || node.place.kind !== "memory" || !node.site) return;
    const { pointer } = node.place;
    if (unclear.some((each) => areEqual(each, pointer))) stores.push(node.site);
  });
  return stores;
}
