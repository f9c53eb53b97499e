// What a loop does to memory, in whatever order its trips do it.
import type { Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { atomicPlaceOf, basesMeet, type Extent, mayAlias } from "../addresses/alias.ts";
import { forEachExpression, forEachExpressionOf, isOpaque } from "../walks/walk.ts";

/** What a loop does to memory. */
export interface Effects {
  readonly stored: readonly Extent[];
  /** Whether lanes exchange values: to LLVM, shuffles and votes may change all memory but that of a restricted pointer. */
  readonly exchanges: boolean;
}

/** null where something in the loop may change any memory. */
export function effectsOf(loop: Loop, addresses: Addresses): Effects | null {
  const stored: Extent[] = [];
  let exchanges = false;
  let isUnknown = containsBarrier(loop.body);
  const store = (node: Expression, place: MemoryPlace | null): void => {
    const address = addresses.get(node);
    if (address && place) stored.push({ address, bytes: sizeOf(place.type) ?? 1 });
    else isUnknown = true;
  };
  const visit = (node: Expression): void => {
    if (isOpaque(node)) isUnknown = true;
    else if (node.kind === "intrinsic") {
      const effect = intrinsicEffect(node.name);
      if (effect === "warp") exchanges = true;
      else if (effect === "atomic") store(node, atomicPlaceOf(node));
      else if (effect !== "pure" && effect !== "identity" && effect !== "load") isUnknown = true;
    } else if (node.kind === "assign" && node.place.kind === "memory") store(node, node.place);
  };
  forEachExpressionOf(loop.body, visit);
  for (const step of loop.step) forEachExpression(step, visit);
  return isUnknown ? null : { stored, exchanges };
}

function containsBarrier(list: readonly Statement[]): boolean {
  return list.some((statement) => {
    switch (statement.kind) {
      case "barrier":
      case "unknown":
      case "launch":
        return true;
      case "block":
      case "loop":
        return containsBarrier(statement.body);
      case "if":
        return containsBarrier(statement.whenTrue) || containsBarrier(statement.whenFalse);
      case "switch":
        return statement.cases.some((one) => containsBarrier(one.body));
      default:
        return false;
    }
  });
}

/** What may change, from trip to trip, what a load reads: a store, an exchange between lanes, or nothing. */
export function changeOf(
  load: Load,
  effects: Effects,
  addresses: Addresses,
): "stored" | "exchanged" | "none" {
  const address = addresses.get(load);
  if (
    !address ||
    effects.stored.some((store) => isChangedBy(store, { address, bytes: sizeOf(load.type) ?? 1 }))
  )
    return "stored";
  return effects.exchanges && !isOwn(address) ? "exchanged" : "none";
}

/** Addresses of stores are those of one trip: other trips store elsewhere, so that only the base counts unless both are invariant. */
function isChangedBy(store: Extent, read: Extent): boolean {
  const isApart =
    store.address.space !== read.address.space &&
    store.address.space !== "unknown" &&
    read.address.space !== "unknown";
  if (isApart || !basesMeet(store.address.base, read.address.base)) return false;
  return store.address.termsKey !== read.address.termsKey || mayAlias(read, store);
}

/** Whether memory is reached by a restricted pointer alone. */
export function isOwn({ base }: Address): boolean {
  return base?.isRestrict === true;
}
