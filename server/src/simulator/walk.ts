// Visits every expression and statement below some statements.
import type { Expression, Place } from "../ir/expression.ts";
import { expressionsOf, listsOf, operandsOf } from "../ir/operands.ts";
import type { Statement } from "../ir/statement.ts";

export interface Visitor {
  readonly expression?: (expression: Expression) => void;
  readonly place?: (place: Place, use: "load" | "store" | "address") => void;
  readonly statement?: (statement: Statement) => void;
}

export function visitStatements(statements: readonly Statement[], visitor: Visitor): void {
  for (const statement of statements) {
    visitor.statement?.(statement);
    for (const expression of expressionsOf(statement)) visitExpression(expression, visitor);
    for (const body of listsOf(statement)) visitStatements(body, visitor);
  }
}

export function visitExpression(expression: Expression, visitor: Visitor): void {
  visitor.expression?.(expression);
  if (expression.kind === "load" || expression.kind === "assign" || expression.kind === "address") {
    const use = expression.kind === "load" ? "load" : expression.kind === "assign" ? "store" : "address";
    visitor.place?.(expression.place, use);
  }
  for (const operand of operandsOf(expression)) visitExpression(operand, visitor);
}
