// What expressions and statements are made of.
import type { Expression } from "./expression.ts";
import type { Statement } from "./statement.ts";

/** The operands of an expression, in the order in which they are evaluated; the pointer of a place is one of them. */
export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "constant":
    case "function":
      return [];
    case "load":
    case "address":
      return expression.place.kind === "memory" ? [expression.place.pointer] : [];
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
      return expression.place.kind === "memory"
        ? [expression.value, expression.place.pointer]
        : [expression.value];
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

/** Calls `visit` for every expression that stands by itself in the statements, and not for its operands. */
export function forEachExpression(
  statements: readonly Statement[],
  visit: (expression: Expression) => void,
): void {
  forEachStatement(statements, (statement) => {
    for (const expression of expressionsOf(statement)) visit(expression);
  });
}

/** Calls `visit` for every statement, those inside others included, each before its parts. */
export function forEachStatement(
  statements: readonly Statement[],
  visit: (statement: Statement) => void,
): void {
  for (const statement of statements) {
    visit(statement);
    switch (statement.kind) {
      case "block":
      case "loop":
        forEachStatement(statement.body, visit);
        break;
      case "if":
        forEachStatement(statement.whenTrue, visit);
        forEachStatement(statement.whenFalse, visit);
        break;
      case "switch":
        for (const each of statement.cases) forEachStatement(each.body, visit);
        break;
      default:
    }
  }
}

/** The expressions of a statement itself, not of those inside it. */
export function expressionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case "evaluate":
      return [statement.expression];
    case "declare":
      return statement.initializer ? [statement.initializer] : [];
    case "if":
      return [statement.condition];
    case "loop":
      return statement.condition ? [statement.condition, ...statement.step] : statement.step;
    case "switch":
      return [statement.selector];
    case "return":
      return statement.value ? [statement.value] : [];
    case "launch": {
      const { kernel, grid, block, sharedBytes } = statement;
      const callee = typeof kernel === "string" ? [] : [kernel];
      return [...callee, grid, block, ...(sharedBytes ? [sharedBytes] : []), ...statement.arguments];
    }
    default:
      return [];
  }
}

/** The lists of statements inside a statement. */
export function listsOf(statement: Statement): readonly (readonly Statement[])[] {
  switch (statement.kind) {
    case "block":
    case "loop":
      return [statement.body];
    case "if":
      return [statement.whenTrue, statement.whenFalse];
    case "switch":
      return statement.cases.map(({ body }) => body);
    default:
      return [];
  }
}
