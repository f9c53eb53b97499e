// What the statements of a trip load and store, in their order.
import type { Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Addresses } from "../addresses/address.ts";
import { type Extent, isSamePlace, mayAlias } from "../addresses/alias.ts";
import { forEachExpressionOf } from "../walks/walk.ts";

/** A load, a store or an atomic. */
export interface Touch extends Extent {
  readonly node: Expression;
}

export function touchesOf(list: readonly Statement[], addresses: Addresses): readonly Touch[] {
  const touches: Touch[] = [];
  forEachExpressionOf(list, (node) => {
    const address = addresses.get(node);
    if (!address) return;
    const type = node.kind === "load" || node.kind === "assign" ? node.place.type : node.type;
    touches.push({ node, address, bytes: sizeOf(type) ?? 1 });
  });
  return touches;
}

/** Whether the store may change what is held of another place: of the same one it leaves a new value in the register. */
export function overwrites(one: Touch, held: Extent): boolean {
  return one.node.kind !== "load" && !isSamePlace(one, held) && mayAlias(one, held);
}
