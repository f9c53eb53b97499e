// Visits every expression and statement below some statements.
import type { Expression, Place } from "../ir/expression.ts";
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
    for (const body of bodiesOf(statement)) visitStatements(body, visitor);
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

/** The expressions directly below one, in the order of their evaluation. */
export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "constant":
    case "function":
      return [];
    case "load":
    case "address":
      return placeOperands(expression.place);
    case "unary":
    case "convert":
    case "extract":
      return [expression.operand];
    case "binary":
    case "logical":
    case "difference":
      return [expression.left, expression.right];
    case "offset":
      return [expression.pointer, expression.index];
    case "conditional":
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case "assign":
      return [expression.value, ...placeOperands(expression.place)];
    case "sequence":
      return [...expression.effects, expression.result];
    case "call":
    case "intrinsic":
      return expression.arguments;
    case "call-indirect":
      return [expression.callee, ...expression.arguments];
    case "aggregate":
      return expression.parts.map((part) => part.value);
    case "unknown":
      return expression.operands;
  }
}

/** The statements directly below one. */
function bodiesOf(statement: Statement): readonly (readonly Statement[])[] {
  switch (statement.kind) {
    case "block":
    case "loop":
      return [statement.body];
    case "if":
      return [statement.whenTrue, statement.whenFalse];
    case "switch":
      return statement.cases.map((one) => one.body);
    default:
      return [];
  }
}

function placeOperands(place: Place): readonly Expression[] {
  return place.kind === "memory" ? [place.pointer] : [];
}

function expressionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case "evaluate":
      return [statement.expression];
    case "declare":
      return statement.initializer === null ? [] : [statement.initializer];
    case "if":
      return [statement.condition];
    case "loop":
      return statement.condition === null ? statement.step : [statement.condition, ...statement.step];
    case "switch":
      return [statement.selector];
    case "return":
      return statement.value === null ? [] : [statement.value];
    default:
      return [];
  }
}
