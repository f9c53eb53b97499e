// The variable that people would name where a loop's trips are spoken of.
import type { Expression } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Loop } from "../../ir/statement.ts";
import { isTyped } from "../../text/source.ts";

/** What is said of a trip that no variable of the user's counts. */
const howFar = "how far a loop has come";

/**
 * The first variable in the loop's condition, or in what it does after each trip, that the loop writes and the user declared; words where
 * there is none.
 */
export function counterText({ condition, step }: Loop, written: ReadonlySet<number>): string {
  for (const expression of condition === null ? step : [condition, ...step]) {
    const counter = counterIn(expression, written);
    if (counter !== null) return counter;
  }
  return howFar;
}

function counterIn(expression: Expression, written: ReadonlySet<number>): string | null {
  const hasPlace = expression.kind === "load" || expression.kind === "assign";
  if (hasPlace && expression.place.kind === "variable") {
    const { id, name, range } = expression.place.variable;
    if (written.has(id) && range !== null && isTyped(range)) return name;
  }
  for (const operand of operandsOf(expression)) {
    const found = counterIn(operand, written);
    if (found !== null) return found;
  }
  return null;
}
