// Variables of a loop that each trip gives the same value, such as the parameters of a function that was inlined into it.
import type { Expression } from "../../ir/expression.ts";
import type { Loop } from "../../ir/statement.ts";
import { idOfKey, variableKey } from "../addresses/address.ts";
import { mapOperands } from "../walks/rebuild.ts";
import { assignedVariables, forEachExpressionOf, isPure, readsAny } from "../walks/walk.ts";

/** What is to know of a loop to write an expression of it in front of it. */
export interface Lifting {
  readonly assigned: ReadonlySet<number>;
  readonly copies: ReadonlyMap<number, Expression>;
}

/** By `variableKey`, what such variables hold once they are assigned, in words of what the loop does not change. */
export function invariantCopies(
  loop: Loop,
  assigned: ReadonlySet<number>,
  escaped: ReadonlySet<number>,
): ReadonlyMap<number, Expression> {
  const counts = assignmentCounts(loop);
  const copies = new Map<number, Expression>();
  for (const statement of loop.body) {
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") continue;
    const { place, value } = statement.expression;
    if (place.kind !== "variable" || place.variable.storage !== "automatic") continue;
    // A variable that is assigned as a whole and in parts, or more than once, is left alone.
    const isAssignedOnce = counts.get(place.variable.id) === 1 && !escaped.has(place.variable.id);
    if (!isAssignedOnce || !isPure(value)) continue;
    const source = withCopies(value, copies);
    if (!readsAny(source, assigned)) copies.set(variableKey(place.variable, place.offsetBytes), source);
  }
  return copies;
}

/** The variables that are not the same in all trips: `int row = threadIdx.y` in the body is. */
export function changedByTrips(loop: Loop, escaped: ReadonlySet<number>): ReadonlySet<number> {
  const changed = new Set(assignedVariables(loop.body, loop.step));
  for (const key of invariantCopies(loop, changed, escaped).keys()) changed.delete(idOfKey(key));
  return changed;
}

/** The expression with the variables replaced by what they hold; the expression itself where it reads none of them. */
export function withCopies(expression: Expression, copies: ReadonlyMap<number, Expression>): Expression {
  if (copies.size === 0) return expression;
  if (expression.kind === "load" && expression.place.kind === "variable") {
    const { variable, offsetBytes } = expression.place;
    return copies.get(variableKey(variable, offsetBytes)) ?? expression;
  }
  return mapOperands(expression, (operand) => withCopies(operand, copies));
}

function assignmentCounts(loop: Loop): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const visit = (node: Expression): void => {
    if (node.kind !== "assign" || node.place.kind !== "variable") return;
    const { id } = node.place.variable;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  };
  forEachExpressionOf(loop.body, visit);
  for (const step of loop.step) visit(step);
  return counts;
}
