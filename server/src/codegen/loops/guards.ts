// Branches of a loop's trips on what is the same in all trips, such as whether an inner loop is entered: LLVM makes two loops of the one, so that
// the branch stands in front of them. It does so as long as the rest of a trip, which it writes twice, is not large.
import type { Expression } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { operationsOf } from "../linearise/operations.ts";

/** Operations of the rest up to which LLVM surely writes it twice, and may do so (in PTX: 100 are, some 250 are not). */
const surelyTwice = 80;
const mostTwice = 200;

/** A branch by its condition. */
export interface Guard {
  /** The branch's own, by which guards are told apart. */
  readonly condition: Expression;
  /** As it would stand in front of the loop. */
  readonly lifted: Expression;
}

/** Branches on one variable, as those in front of an inner loop and behind it. */
export function isSameGuard(a: Guard, b: Guard): boolean {
  return a.condition === b.condition || variableOf(a.condition) === variableOf(b.condition);
}

/** Whether LLVM takes a branch on what no trip changes in front of the loop. */
export function leavesLoop(condition: Expression, { body }: Loop): "surely" | "perhaps" | "no" {
  const { operations } = operationsOf(besides(condition, body), new Set(), mostTwice);
  if (operations > mostTwice) return "no";
  return operations <= surelyTwice ? "surely" : "perhaps";
}

/** The statements that are executed whatever the guard says: not its branches, nor the loop that it says is entered. */
function besides(condition: Expression, body: readonly Statement[]): readonly Statement[] {
  const guard = variableOf(condition);
  let isAsked = false;
  return body.filter((statement) => {
    if (statement.kind === "if")
      return statement.condition !== condition && variableOf(statement.condition) !== guard;
    if (statement.kind === "evaluate" && statement.expression.kind === "assign") {
      const { place } = statement.expression;
      if (place.kind === "variable" && place.variable.id === guard) isAsked = true;
    }
    if (statement.kind !== "loop" || !isAsked) return true;
    isAsked = false;
    return false;
  });
}

function variableOf(condition: Expression): number | null {
  return condition.kind === "load" && condition.place.kind === "variable"
    ? condition.place.variable.id
    : null;
}
