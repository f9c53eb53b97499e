// Walking IR, and what a statement assigns.
import type { AccessSite, Expression } from "../../ir/expression.ts";
import { expressionsOf, forEachStatement, listsOf, operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import {
  forEachExpression,
  isPure,
  isRemovable,
  rootOf,
  rootVariableOf,
  type Visit,
  type VisitIn,
} from "../../ir/walk.ts";

export { forEachExpression, forEachStatement, isPure, isRemovable, rootOf, rootVariableOf };

/** The expressions that a statement holds itself, and the statement lists below it. */
export function partsOf(statement: Statement): {
  readonly expressions: readonly Expression[];
  readonly lists: readonly (readonly Statement[])[];
} {
  return { expressions: expressionsOf(statement), lists: listsOf(statement) };
}

/** Calls `visit` on every expression of the statements, those below included. Written out, since every pass walks by it. */
export function forEachExpressionOf(statements: readonly Statement[], visit: Visit): void;
export function forEachExpressionOf<C>(statements: readonly Statement[], visit: VisitIn<C>, context: C): void;
export function forEachExpressionOf<C>(
  statements: readonly Statement[],
  visit: VisitIn<C | undefined>,
  context?: C,
): void {
  for (const statement of statements) forEachExpressionIn(statement, visit, context);
}

/** Calls `visit` on every expression of the statement, those below included. */
export function forEachExpressionIn(statement: Statement, visit: Visit): void;
export function forEachExpressionIn<C>(statement: Statement, visit: VisitIn<C>, context: C): void;
export function forEachExpressionIn<C>(
  statement: Statement,
  visit: VisitIn<C | undefined>,
  context?: C,
): void {
  switch (statement.kind) {
    case "evaluate":
      forEachExpression(statement.expression, visit, context);
      return;
    case "declare":
      if (statement.initializer) forEachExpression(statement.initializer, visit, context);
      return;
    case "block":
      forEachExpressionOf(statement.body, visit, context);
      return;
    case "if":
      forEachExpression(statement.condition, visit, context);
      forEachExpressionOf(statement.whenTrue, visit, context);
      forEachExpressionOf(statement.whenFalse, visit, context);
      return;
    case "return":
      if (statement.value) forEachExpression(statement.value, visit, context);
      return;
    case "loop":
    case "switch":
    case "launch": {
      const { expressions, lists } = partsOf(statement);
      for (const expression of expressions) forEachExpression(expression, visit, context);
      for (const list of lists) forEachExpressionOf(list, visit, context);
    }
  }
}

/** Whether `test` holds of an expression of the statements, looked at no further than that. */
export function someExpressionOf(
  statements: readonly Statement[],
  test: (expression: Expression) => boolean,
): boolean {
  for (const statement of statements) if (someExpressionIn(statement, test)) return true;
  return false;
}

function someExpressionIn(statement: Statement, test: (expression: Expression) => boolean): boolean {
  if (statement.kind === "evaluate") return someExpression(statement.expression, test);
  const { expressions, lists } = partsOf(statement);
  for (const expression of expressions) if (someExpression(expression, test)) return true;
  for (const list of lists) if (someExpressionOf(list, test)) return true;
  return false;
}

/** Whether `test` holds of the expression or of one below it. */
export function someExpression(expression: Expression, test: (expression: Expression) => boolean): boolean {
  if (test(expression)) return true;
  switch (expression.kind) {
    case "constant":
    case "function":
      return false;
    case "load":
    case "address":
      return expression.place.kind === "memory" && someExpression(expression.place.pointer, test);
    case "convert":
    case "unary":
    case "extract":
      return someExpression(expression.operand, test);
    case "binary":
    case "logical":
    case "difference":
      return someExpression(expression.left, test) || someExpression(expression.right, test);
    case "offset":
      return someExpression(expression.pointer, test) || someExpression(expression.index, test);
    default:
      for (const operand of operandsOf(expression)) if (someExpression(operand, test)) return true;
      return false;
  }
}

/** Whether the value of one of the variables is read in the expression. */
export function readsAny(expression: Expression, ids: ReadonlySet<number>): boolean {
  return (
    ids.size > 0 &&
    someExpression(
      expression,
      (node) => node.kind === "load" && node.place.kind === "variable" && ids.has(node.place.variable.id),
    )
  );
}

/** Whether some statement passes, looking no further than that. */
export function someStatement(
  statements: readonly Statement[],
  passes: (statement: Statement) => boolean,
): boolean {
  return statements.some((statement) => {
    if (passes(statement)) return true;
    switch (statement.kind) {
      case "if":
        return someStatement(statement.whenTrue, passes) || someStatement(statement.whenFalse, passes);
      case "loop":
      case "block":
        return someStatement(statement.body, passes);
      case "switch":
        return statement.cases.some(({ body }) => someStatement(body, passes));
      default:
        return false;
    }
  });
}

/** Whether there are statements below it. */
export function hasLists(statement: Statement): boolean {
  const { kind } = statement;
  return kind === "if" || kind === "loop" || kind === "block" || kind === "switch";
}

/** The ids of all variables that the statements assign or declare. */
export function assignedVariables(
  statements: readonly Statement[],
  step: readonly Expression[] = [],
): Set<number> {
  const ids = new Set<number>();
  forEachStatement(statements, (statement) => {
    if (statement.kind === "declare") ids.add(statement.variable.id);
  });
  forEachExpressionOf(statements, noteAssigned, ids);
  for (const expression of step) forEachExpression(expression, noteAssigned, ids);
  return ids;
}

function noteAssigned(expression: Expression, ids: Set<number>): void {
  if (expression.kind === "assign" && expression.place.kind === "variable")
    ids.add(expression.place.variable.id);
}

/** The number of expression nodes, counted no further than `limit`. */
export function sizeOfStatements(statements: readonly Statement[], limit: number): number {
  let count = 0;
  const expression = (node: Expression): void => {
    count++;
    if (count < limit) for (const operand of operandsOf(node)) expression(operand);
  };
  const list = (body: readonly Statement[]): void => {
    for (const statement of body) {
      if (count >= limit) return;
      count++;
      const parts = partsOf(statement);
      parts.expressions.forEach(expression);
      parts.lists.forEach(list);
    }
  };
  list(statements);
  return count;
}

/** Whether the expression itself is a call that was not inlined. */
export function isCall({ kind }: Expression): boolean {
  return kind === "call" || kind === "call-indirect";
}

/** Whether an expression itself may read or write any memory: a call that was not inlined, what is not understood. */
export function isOpaque(expression: Expression): boolean {
  if (expression.kind === "unknown") return expression.isPure !== true;
  return isCall(expression);
}

/** The sites of all accesses that the statements make. */
export function sitesIn(body: readonly Statement[]): readonly AccessSite[] {
  const sites: AccessSite[] = [];
  forEachExpressionOf(body, (node) => {
    const hasSite = node.kind === "load" || node.kind === "assign" || node.kind === "intrinsic";
    if (hasSite && node.site) sites.push(node.site);
  });
  return sites;
}
