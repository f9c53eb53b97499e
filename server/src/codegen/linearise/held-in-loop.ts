// Which places of memory LLVM holds in registers while a loop runs, as far as one trip of it says.
import type { AccessSite, Expression, MemoryPlace } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import { atomicPlaceOf, basesMeet } from "../addresses/alias.ts";
import { isWrittenAlike } from "../walks/equal.ts";
import { forEachExpressionOf, isOpaque, rootVariableOf, someStatement } from "../walks/walk.ts";
import { lieApart, type PointerMemories } from "./pointers.ts";

/** What a trip does to memory; null stands for a place that is not in sight. */
export interface TripMemory {
  readonly stored: readonly (MemoryPlace | null)[];
  readonly loaded: readonly MemoryPlace[];
  /** Whether a barrier, a shuffle, a call or what is not understood stands in it: to LLVM, they may change all memory. */
  readonly mayChangeAll: boolean;
  readonly pointers: PointerMemories;
  /** Of accesses that CUDA's headers make by `asm`. */
  readonly asmSites: ReadonlySet<AccessSite>;
}

export function memoryOfTrip(
  body: readonly Statement[],
  { pointers, asmSites }: Pick<TripMemory, "pointers" | "asmSites">,
): TripMemory {
  const stored: (MemoryPlace | null)[] = [];
  const loaded: MemoryPlace[] = [];
  let mayChangeAll = someStatement(body, ({ kind }) => kind === "barrier" || kind === "unknown");
  forEachExpressionOf(body, (node) => {
    if (isOpaque(node)) mayChangeAll = true;
    else if (node.kind === "intrinsic") {
      const effect = intrinsicEffect(node.name);
      if (effect === "atomic") stored.push(atomicPlaceOf(node));
      else if (effect !== "pure" && effect !== "identity" && effect !== "load") mayChangeAll = true;
    } else if (node.kind === "load" && node.place.kind === "memory") loaded.push(node.place);
    else if (node.kind === "assign" && node.place.kind === "memory") stored.push(node.place);
  });
  return { stored, loaded, mayChangeAll, pointers, asmSites };
}

/** Whether a place that no trip changes and every trip accesses may stay in a register: nothing else in the trip may meet it. */
export function isHeldInLoop(place: MemoryPlace, memory: TripMemory): boolean {
  const base = baseOf(place.pointer);
  if (base?.isRestrict && base.pointsToConst) return true;
  if (memory.mayChangeAll) return false;
  const meets = (other: MemoryPlace | null): boolean => other === null || mayMeet(other, place, memory);
  const stores = memory.stored.filter(meets);
  if (stores.length === 0) return true;
  return [...stores, ...memory.loaded.filter(meets)].every(
    (other) => other !== null && isWrittenAlike(other, place),
  );
}

function mayMeet(a: MemoryPlace, b: MemoryPlace, { pointers }: TripMemory): boolean {
  return !lieApart(a.pointer, b.pointer, pointers) && basesMeet(baseOf(a.pointer), baseOf(b.pointer));
}

/** An array, or a pointer that is restricted; any other may have been made of one. */
function baseOf(pointer: Expression): Variable | null {
  const root = rootVariableOf(pointer);
  return root && (root.isRestrict || root.storage !== "automatic") ? root : null;
}
