// What warps go on with whose positions lie beyond an unknown size: `if (i >= n) i -= n;`.

import { eitherOf, type Machine } from "../machine.ts";
import { nameOf } from "./derive.ts";
import { add, isUniformLinear, keyOf, type Linear, multiply, subtract, symbolic } from "./linear.ts";
import type { Indeterminate } from "./symbol.ts";
import type { SymbolDescription } from "./symbols.ts";
import { type Doubt, isSameObject, type Value } from "./value.ts";

/**
 * For each pair of what a variable holds within the size and beyond it, the value that is either, all of them the same way. Threads that
 * go on with an index of their own beyond a size have work of their own, and any share of the warps may be there; those that all get one
 * index, as a clamp gives it, are the few that a grid has too many: null.
 */
export function withinOrBeyond(
  machine: Machine,
  doubt: Doubt,
  pairs: readonly { readonly within: Value; readonly beyond: Value }[],
): Value[] | null {
  if (!pairs.some(({ within, beyond }) => isAnotherIndex(within, beyond))) return null;
  const { reason } = doubt;
  const isBeyond = symbolic(beyondOf(machine, doubt));
  const choice = { reason, varies: false, dependsOnData: false, split: null };
  return pairs.map(
    ({ within, beyond }) =>
      moved(within, beyond, isBeyond) ?? eitherOf(machine, within, beyond, null, choice),
  );
}

/** Whether a warp is beyond, 0 or 1: one symbol for the same guard, which turns out the same in every trip of a loop. */
function beyondOf({ symbols }: Machine, { reason, sizes, comparisons, lean }: Doubt): Indeterminate {
  const description: SymbolDescription = {
    name: reason,
    role: "derived",
    varies: false,
    least: 0,
    most: 1,
    condition: `no warp straddles ${nameOf(sizes)}`,
  };
  if (comparisons === null) return symbols.create(description);
  const guard = comparisons.map(({ operator, difference }) => `${keyOf(difference)} ${operator} 0`);
  return symbols.derive(`beyond ${lean?.holds} ${guard.join(" && ")}`, () => description);
}

/** Whether each lane has an index of its own both within and beyond. */
function isAnotherIndex(within: Value, beyond: Value): boolean {
  if (within.kind === "pointer" && beyond.kind === "pointer")
    return isSameObject(within.object, beyond.object) && isAnotherIndex(within.offset, beyond.offset);
  if (within.kind !== "linear" || beyond.kind !== "linear") return false;
  return !isUniformLinear(within) && !isUniformLinear(beyond);
}

function moved(within: Value, beyond: Value, isBeyond: Linear): Value | null {
  if (within.kind === "pointer" && beyond.kind === "pointer" && isSameObject(within.object, beyond.object)) {
    const offset = movedForm(within.offset, beyond.offset, isBeyond);
    return offset && { ...within, offset };
  }
  return within.kind === "linear" && beyond.kind === "linear" ? movedForm(within, beyond, isBeyond) : null;
}

function movedForm(within: Linear, beyond: Linear, isBeyond: Linear): Linear | null {
  const distance = multiply(subtract(beyond, within), isBeyond);
  return distance && add(within, distance);
}
