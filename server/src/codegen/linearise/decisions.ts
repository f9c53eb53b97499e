// What `a && b` and `a || b` become where b does something: a branch that asks b, or says what a has decided.
import type { Expression } from "../../ir/expression.ts";
import type { If, Statement } from "../../ir/statement.ts";

export interface Decision {
  /** Id of the variable that holds the result. */
  readonly variable: number;
  readonly operator: "and" | "or";
}

/** What the branch decides, of which one way does nothing but say so; null for any other branch. */
export function decisionOf({ whenTrue, whenFalse }: If): Decision | null {
  const alwaysTrue = onlySets(whenTrue, 1);
  if (alwaysTrue !== null) return { variable: alwaysTrue, operator: "or" };
  const alwaysFalse = onlySets(whenFalse, 0);
  return alwaysFalse === null ? null : { variable: alwaysFalse, operator: "and" };
}

/** Whether the condition is what was decided. */
export function asks(condition: Expression, decision: Decision): boolean {
  return (
    condition.kind === "load" &&
    condition.place.kind === "variable" &&
    condition.place.variable.id === decision.variable
  );
}

/** The variable that the way does nothing but set to the value. */
function onlySets([only, ...others]: readonly Statement[], value: number): number | null {
  if (others.length > 0 || only?.kind !== "evaluate" || only.expression.kind !== "assign") return null;
  const { place, value: set } = only.expression;
  return place.kind === "variable" && set.kind === "constant" && set.value === value
    ? place.variable.id
    : null;
}
