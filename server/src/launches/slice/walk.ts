// Everything below host code and kernels, for those who look at them as a whole.
import type { Expression } from "../../ir/expression.ts";
import type { FunctionId } from "../../ir/function.ts";
import { expressionsOf, listsOf, operandsOf } from "../../ir/operands.ts";
import type { Evaluate, LaunchStatement, Statement } from "../../ir/statement.ts";

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

/** The kernel that a statement launches; null where it is a variable. */
export function kernelOf({ kernel }: LaunchStatement): FunctionId | null {
  if (typeof kernel === "string") return kernel;
  return kernel.kind === "function" ? kernel.callee : null;
}

/** Whether a statement does nothing that a launch alone could hang on. */
export function writesDataAlone({ expression }: Evaluate): boolean {
  return expression.kind === "unknown" && expression.writesDataAlone === true;
}
