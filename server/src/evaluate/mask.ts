// Which lanes execute. A lane that is `uncertain` executes only if something unknown lets it; where `isCertain` is false the whole
// warp may pass by, all lanes together.
import { allLanes } from "./lanes.ts";
import { openLanes } from "./predicates.ts";
import type { Predicate } from "./value.ts";

export interface Mask {
  readonly active: number;
  /** Within `active`. */
  readonly uncertain: number;
  readonly isCertain: boolean;
}

export const emptyMask: Mask = { active: 0, uncertain: 0, isCertain: true };

export function restrict(mask: Mask, lanes: number): Mask {
  return lanes === allLanes
    ? mask
    : { active: mask.active & lanes, uncertain: mask.uncertain & lanes, isCertain: mask.isCertain };
}

/** Lanes of either mask; a lane is uncertain where it is so in one of them. */
export function unite(a: Mask, b: Mask): Mask {
  if (a.active === 0) return b;
  if (b.active === 0) return a;
  return {
    active: a.active | b.active,
    uncertain: a.uncertain | b.uncertain,
    isCertain: a.isCertain && b.isCertain,
  };
}

/** The masks of the two sides of a branch, and how they meet again. */
export interface Branch {
  readonly whenTrue: Mask;
  readonly whenFalse: Mask;
  /** Lanes that may go either way. */
  readonly open: number;
  /** Whether all open lanes go the same way. */
  readonly isTogether: boolean;
}

/** Divides `mask` by a predicate whose dimensions need no more splitting. */
export function branch(mask: Mask, predicate: Predicate): Branch {
  const open = openLanes(predicate, mask.active);
  const isTogether = open !== 0 && open === mask.active && (predicate.doubt?.isUniform ?? false);
  const side = (lanes: number): Mask => ({
    active: mask.active & lanes,
    uncertain: isTogether ? mask.uncertain : (mask.uncertain | open) & mask.active & lanes,
    isCertain: mask.isCertain && !isTogether,
  });
  return {
    whenTrue: side(~predicate.no | open),
    whenFalse: side(~predicate.yes | open),
    open,
    isTogether,
  };
}

/** The lanes that go on after both sides of a branch, given those that reached the end of each. */
export function meet(before: Mask, sides: Branch, afterTrue: Mask, afterFalse: Mask): Mask {
  if (sides.open === 0) return unite(afterTrue, afterFalse);
  const exitedTrue = sides.whenTrue.active & ~afterTrue.active;
  const exitedFalse = sides.whenFalse.active & ~afterFalse.active;
  const isUndisturbed = exitedTrue === 0 && exitedFalse === 0;
  if (sides.isTogether)
    return {
      active: afterTrue.active | afterFalse.active,
      uncertain:
        before.uncertain | ((afterTrue.active ^ afterFalse.active) & (afterTrue.active && afterFalse.active)),
      isCertain: before.isCertain && isUndisturbed,
    };
  const active = afterTrue.active | afterFalse.active;
  const leftOne = sides.open & (exitedTrue | exitedFalse);
  return {
    active,
    uncertain:
      active & (before.uncertain | leftOne | ((afterTrue.uncertain | afterFalse.uncertain) & ~sides.open)),
    isCertain: before.isCertain,
  };
}
