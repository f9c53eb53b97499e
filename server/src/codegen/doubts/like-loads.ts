// Updates of neighbours whose loads ptxas may merge by how it sees them lie: it may merge their stores as well (fixtures/forms/wide_stores membersAdded).
import type { AccessSite } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { areEqual } from "../walks/equal.ts";
import { forEachExpressionOf } from "../walks/walk.ts";
import { memoryLoadsIn } from "./memory-loads.ts";

/** The stores to where loads of uncertain alignment go. */
export function storedLikeUnclear(body: readonly Statement[]): readonly AccessSite[] {
  const unclear = memoryLoadsIn(body).filter(({ site }) => site?.uncertain === "other-alignment");
  if (unclear.length === 0) return [];
  const stores: AccessSite[] = [];
  forEachExpressionOf(body, (node) => {
    if (node.kind !== "assign" || node.place.kind !== "memory" || !node.site) return;
    const { pointer } = node.place;
    if (unclear.some(({ place }) => areEqual(place.pointer, pointer))) stores.push(node.site);
  });
  return stores;
}
