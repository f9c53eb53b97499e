// Loads that start from pointers which were lifted in front of a branch: both ways then have one pointer, whatever each calls it.
import type { Expression, Load } from "../../ir/expression.ts";
import { sameType } from "../../ir/type.ts";
import { areEqual } from "../walks/equal.ts";
import { atPointer, mapOperands, withPlace } from "../walks/rebuild.ts";

/** The load as it starts from what was lifted. */
export function lifting(load: Load, names: ReadonlyMap<number, Expression>): Load {
  if (names.size === 0 || load.place.kind !== "memory") return load;
  const inFront = (node: Expression): Expression => {
    const name =
      node.kind === "load" && node.place.kind === "variable" ? names.get(node.place.variable.id) : undefined;
    return name && sameType(name.type, node.type) ? name : mapOperands(node, inFront);
  };
  return withPlace(load, atPointer(load.place, inFront(load.place.pointer)));
}

/** Whether two loads are of one place behind pointers that compute the same. */
export function areOfOnePointer({ place: a }: Load, { place: b }: Load): boolean {
  if (a.kind !== "memory" || b.kind !== "memory") return false;
  return a.offsetBytes === b.offsetBytes && areEqual(a.pointer, b.pointer);
}
