// What a loop does to memory, in whatever order its trips do it.
import type { Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Addresses } from "../addresses/address.ts";
import { atomicPlaceOf, basesMeet, bytesBetween, type Extent, mayAlias } from "../addresses/alias.ts";
import { isOwn } from "../values/held.ts";
import { forEachExpression, forEachExpressionOf, isOpaque, someStatement } from "../walks/walk.ts";

/** What a loop does to memory. */
export interface Effects {
  readonly stored: readonly Extent[];
  /** Whether lanes exchange values: to LLVM, shuffles and votes may change all memory but that of a restricted pointer. */
  readonly exchanges: boolean;
  /** Whether there is a barrier: it may change all memory but that of a restricted pointer (cases restrict_barriers). */
  readonly hasBarrier: boolean;
}

/** null where something in the loop may change any memory. */
export function effectsOf(loop: Loop, addresses: Addresses): Effects | null {
  const stored: Extent[] = [];
  let exchanges = false;
  let isUnknown = someStatement(loop.body, isNotUnderstood);
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
  return isUnknown ? null : { stored, exchanges, hasBarrier: someStatement(loop.body, isBarrier) };
}

function isNotUnderstood({ kind }: Statement): boolean {
  return kind === "unknown" || kind === "launch";
}

function isBarrier({ kind }: Statement): boolean {
  return kind === "barrier";
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
  if (isOwn(address)) return "none";
  if (effects.hasBarrier) return "stored";
  return effects.exchanges ? "exchanged" : "none";
}

/** Whether the loop leaves the place alone, but for the loads and stores that are seen in it. */
export function leavesAlone({ exchanges, hasBarrier }: Effects, { address }: Extent): boolean {
  return (!exchanges && !hasBarrier) || isOwn(address);
}

/** Addresses of stores are those of one trip: other trips store elsewhere, so that only the base counts unless both are invariant. */
function isChangedBy(store: Extent, read: Extent): boolean {
  const isApart =
    store.address.space !== read.address.space &&
    store.address.space !== "unknown" &&
    read.address.space !== "unknown";
  if (isApart || !basesMeet(store.address.base, read.address.base)) return false;
  return bytesBetween(store.address, read.address) === null || mayAlias(read, store);
}
