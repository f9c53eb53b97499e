// What statements may do in whatever order they run: the trips of a loop, the cases of a switch.
import type { Expression } from "../ir/expression.ts";
import type { Statement } from "../ir/statement.ts";
import { forEachExpression, forEachExpressionOf, forEachStatement } from "./walk.ts";

export interface FlowEffects {
  /** Ids of all variables that the statements or steps assign or declare. */
  readonly assigned: ReadonlySet<number>;
  /** Whether the statements may assign variables whose address is taken. */
  readonly mayAssignEscaped: boolean;
  /** Whether there is a barrier, or something that is not understood, among the statements. */
  readonly hasFence: boolean;
  /** Assignments to memory and calls, intrinsics among them, in the order of the text. */
  readonly touching: readonly Expression[];
}

export function flowEffectsOf(body: readonly Statement[], step: readonly Expression[]): FlowEffects {
  const assigned = new Set<number>();
  const touching: Expression[] = [];
  let hasFence = false;
  let mayAssignEscaped = false;
  forEachStatement(body, (statement) => {
    if (statement.kind === "declare") assigned.add(statement.variable.id);
    else if (statement.kind === "barrier" || statement.kind === "unknown") hasFence = true;
  });
  const visit = (expression: Expression): void => {
    switch (expression.kind) {
      case "assign":
        if (expression.place.kind === "variable") {
          assigned.add(expression.place.variable.id);
          return;
        }
        mayAssignEscaped = true;
        touching.push(expression);
        return;
      case "call":
      case "call-indirect":
        mayAssignEscaped = true;
        touching.push(expression);
        return;
      case "unknown":
      case "intrinsic":
        touching.push(expression);
    }
  };
  forEachExpressionOf(body, visit);
  const ofBody = mayAssignEscaped;
  for (const expression of step) forEachExpression(expression, visit);
  return { assigned, mayAssignEscaped: ofBody, hasFence, touching };
}
