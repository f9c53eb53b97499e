// The parts of IR nodes, for those who look at host code and kernels as a whole.
import type { Expression, Place } from "../ir/expression.ts";
import type { Statement } from "../ir/statement.ts";

/** Calls `visit` for each operand of `expression`, in the order of evaluation. */
export function forEachOperand(expression: Expression, visit: (operand: Expression) => void): void {
  switch (expression.kind) {
    case "constant":
    case "function":
      return;
    case "load":
    case "address":
      return visitPlace(expression.place, visit);
    case "unary":
    case "convert":
    case "extract":
      return visit(expression.operand);
    case "binary":
    case "logical":
    case "difference":
      visit(expression.left);
      return visit(expression.right);
    case "offset":
      visit(expression.pointer);
      return visit(expression.index);
    case "conditional":
      visit(expression.condition);
      visit(expression.whenTrue);
      return visit(expression.whenFalse);
    case "assign":
      visitPlace(expression.place, visit);
      return visit(expression.value);
    case "sequence":
      expression.effects.forEach(visit);
      return visit(expression.result);
    case "call-indirect":
      visit(expression.callee);
      return expression.arguments.forEach(visit);
    case "call":
    case "intrinsic":
      return expression.arguments.forEach(visit);
    case "aggregate":
      for (const part of expression.parts) visit(part.value);
      return;
    case "unknown":
      return expression.operands.forEach(visit);
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
