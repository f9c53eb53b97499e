// The parts of IR nodes, for those who look at host code and kernels as a whole.
import type { Expression, Place } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";

/** Calls `visit` for each operand of `expression`, in the order of evaluation. */
function forEachOperand(expression: Expression, visit: (operand: Expression) => void): void {
  switch (expression.kind) {
    case "constant":
    case "function":
      return;
    case "load":
    case "address":
      visitPlace(expression.place, visit);
      return;
    case "unary":
    case "convert":
    case "extract":
      visit(expression.operand);
      return;
    case "binary":
    case "logical":
    case "difference":
      visit(expression.left);
      visit(expression.right);
      return;
    case "offset":
      visit(expression.pointer);
      visit(expression.index);
      return;
    case "conditional":
      visit(expression.condition);
      visit(expression.whenTrue);
      visit(expression.whenFalse);
      return;
    case "assign":
      visitPlace(expression.place, visit);
      visit(expression.value);
      return;
    case "sequence":
      expression.effects.forEach(visit);
      visit(expression.result);
      return;
    case "call-indirect":
      visit(expression.callee);
      expression.arguments.forEach(visit);
      return;
    case "call":
    case "intrinsic":
      expression.arguments.forEach(visit);
      return;
    case "aggregate":
      for (const part of expression.parts) visit(part.value);
      return;
    case "unknown":
      expression.operands.forEach(visit);
      return;
  }
}

function visitPlace(place: Place, visit: (operand: Expression) => void): void {
  if (place.kind === "memory") visit(place.pointer);
}

/** Calls `visit` for `expression` and everything below it, outermost first. */
export function forEachExpression(expression: Expression, visit: (expression: Expression) => void): void {
  visit(expression);
  forEachOperand(expression, (operand) => forEachExpression(operand, visit));
}

/** Calls `onStatement` for every statement of `body`, and `onExpression` for every expression in them. */
export function forEachStatement(
  body: readonly Statement[],
  onStatement: (statement: Statement) => void,
  onExpression: (expression: Expression) => void,
): void {
  const visit = (expression: Expression | null) => {
    if (expression !== null) forEachExpression(expression, onExpression);
  };
  for (const statement of body) {
    onStatement(statement);
    switch (statement.kind) {
      case "evaluate":
        visit(statement.expression);
        break;
      case "declare":
        visit(statement.initializer);
        break;
      case "block":
        forEachStatement(statement.body, onStatement, onExpression);
        break;
      case "if":
        visit(statement.condition);
        forEachStatement(statement.whenTrue, onStatement, onExpression);
        forEachStatement(statement.whenFalse, onStatement, onExpression);
        break;
      case "loop":
        visit(statement.condition);
        statement.step.forEach(visit);
        forEachStatement(statement.body, onStatement, onExpression);
        break;
      case "switch":
        visit(statement.selector);
        for (const entry of statement.cases) forEachStatement(entry.body, onStatement, onExpression);
        break;
      case "return":
        visit(statement.value);
        break;
      case "launch":
        if (typeof statement.kernel !== "string") visit(statement.kernel);
        visit(statement.grid);
        visit(statement.block);
        visit(statement.sharedBytes);
        statement.arguments.forEach(visit);
        break;
    }
  }
}
