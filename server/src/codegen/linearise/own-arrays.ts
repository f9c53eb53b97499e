// Accesses of arrays of a thread's own.
import type { Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { assignedVariables, readsAny, someExpressionOf } from "../walks/walk.ts";

/** Whether a trip accesses an array of the thread's own by its name, at an index that the trip changes. */
export function goesThroughOwn(trip: readonly Statement[]): boolean {
  const assigned = assignedVariables(trip);
  return someExpressionOf(trip, (node) => {
    if (node.kind !== "load" && node.kind !== "assign") return false;
    return (
      node.place.kind === "memory" && isInOwn(node.place.pointer) && readsAny(node.place.pointer, assigned)
    );
  });
}

function isInOwn(pointer: Expression): boolean {
  if (pointer.kind === "offset") return isInOwn(pointer.pointer);
  return (
    pointer.kind === "address" &&
    pointer.place.kind === "variable" &&
    pointer.place.variable.storage === "automatic"
  );
}
