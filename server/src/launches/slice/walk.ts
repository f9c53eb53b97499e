// Everything below host code and kernels, for those who look at them as a whole.
import type { Expression } from "../../ir/expression.ts";
import { expressionsOf, listsOf, operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";

/** Calls `visit` for `expression` and everything below it, outermost first. */
export function forEachExpression(expression: Expression, visit: (expression: Expression) => void): void {
  visit(expression);
  for (const operand of operandsOf(expression)) forEachExpression(operand, visit);
}

/** Calls `onStatement` for every statement of `body`, and `onExpression` for every expression in them. */
export function forEachStatement(
  body: readonly Statement[],
  onStatement: (statement: Statement) => void,
  onExpression: (expression: Expression) => void,
): void {
  for (const statement of body) {
    onStatement(statement);
    for (const expression of expressionsOf(statement)) forEachExpression(expression, onExpression);
    for (const list of listsOf(statement)) forEachStatement(list, onStatement, onExpression);
  }
}
