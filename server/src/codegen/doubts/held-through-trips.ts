// Loops that stay loops to LLVM and make few trips: ptxas may write them out, and then one of the trips may load what is held from in front of the
// loop (fixtures/programs/bilateral_tile).
import type { AccessSite } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { rootVariableOf } from "../walks/walk.ts";
import { memoryLoadsIn } from "./memory-loads.ts";

/** The most trips that ptxas is taken to write out. */
const mostTrips = 16;

/** The loads of such loops of the list from an array that is loaded from in front of them as well. */
export function heldThroughTrips(list: readonly Statement[]): readonly AccessSite[] {
  return list.flatMap((loop, index) => {
    if (loop.kind !== "loop" || !makesFewTrips(loop, list[index - 1])) return [];
    const before = arraysLoadedIn(list.slice(0, index));
    if (before.size === 0) return [];
    return memoryLoadsIn(loop.body).flatMap(({ place, site }) => {
      const array = rootVariableOf(place.pointer);
      return site && array && before.has(array.id) ? [site] : [];
    });
  });
}

/** Whether a counter of the loop goes from one constant to another. */
function makesFewTrips({ condition }: Loop, start: Statement | undefined): boolean {
  if (condition?.kind !== "binary" || condition.right.kind !== "constant") return false;
  if (start?.kind !== "evaluate" || start.expression.kind !== "assign") return false;
  const { place, value } = start.expression;
  const { left } = condition;
  if (left.kind !== "load" || left.place.kind !== "variable" || place.kind !== "variable") return false;
  if (left.place.variable.id !== place.variable.id || value.kind !== "constant") return false;
  return Math.abs(Number(condition.right.value) - Number(value.value)) <= mostTrips;
}

/** The ids of the arrays and pointers that the statements themselves load through, not those in loops and branches among them. */
function arraysLoadedIn(statements: readonly Statement[]): ReadonlySet<number> {
  const straight = statements.filter(({ kind }) => kind === "evaluate");
  return new Set(memoryLoadsIn(straight).flatMap(({ place }) => rootVariableOf(place.pointer)?.id ?? []));
}
