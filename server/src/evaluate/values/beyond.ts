// What warps go on with whose positions lie beyond an unknown size: `if (i >= n) i -= n;`.

import { eitherOf, type Machine } from "../machine.ts";
import { nameOf } from "./derive.ts";
import { add, isUniformLinear, type Linear, multiply, subtract, symbolic } from "./linear.ts";
import type { Doubt, Value } from "./value.ts";

/**
 * For each pair of what a variable holds within the size and beyond it, the value that is either, all of them the same way. Threads that
 * go on with an index of their own beyond a size have work of their own, and any share of the warps may be there; those that all get one
 * index, as a clamp gives it, are the few that a grid has too many: null.
 */
export function withinOrBeyond(
  machine: Machine,
  { reason, sizes }: Pick<Doubt, "reason" | "sizes">,
  pairs: readonly { readonly within: Value; readonly beyond: Value }[],
): Value[] | null {
  if (!pairs.some(({ within, beyond }) => isAnotherIndex(within, beyond))) return null;
  const condition = `no warp straddles ${nameOf(sizes)}`;
  const isBeyond = symbolic(
    machine.symbols.create({
      name: reason,
      role: "derived",
      varies: false,
      least: 0,
      most: 1,
      condition,
    }),
  );
  const choice = { reason, varies: false, dependsOnData: false, split: null };
  return pairs.map(
    ({ within, beyond }) =>
      moved(within, beyond, isBeyond) ?? eitherOf(machine, within, beyond, null, choice),
  );
}

/** Whether each lane has an index of its own both within and beyond. */
function isAnotherIndex(within: Value, beyond: Value): boolean {
  if (within.kind === "pointer" && beyond.kind === "pointer")
    return within.object === beyond.object && isAnotherIndex(within.offset, beyond.offset);
  if (within.kind !== "linear" || beyond.kind !== "linear") return false;
  return !isUniformLinear(within) && !isUniformLinear(beyond);
}

function moved(within: Value, beyond: Value, isBeyond: Linear): Value | null {
  if (within.kind === "pointer" && beyond.kind === "pointer" && within.object === beyond.object) {
    const offset = movedForm(within.offset, beyond.offset, isBeyond);
    return offset && { ...within, offset };
  }
  return within.kind === "linear" && beyond.kind === "linear" ? movedForm(within, beyond, isBeyond) : null;
}

function movedForm(within: Linear, beyond: Linear, isBeyond: Linear): Linear | null {
  const distance = multiply(subtract(beyond, within), isBeyond);
  return distance && add(within, distance);
}
