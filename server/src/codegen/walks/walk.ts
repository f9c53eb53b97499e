// Walking IR, and what a statement assigns.
import type { AccessSite, Expression } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { expressionsOf, forEachStatement, listsOf, operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";

export { forEachStatement };

/** Whether evaluating it does nothing but give a value that depends on variables and the thread alone: no access to memory either. */
export function isPure(expression: Expression): boolean {
  switch (expression.kind) {
    case "assign":
    case "call":
    case "call-indirect":
    case "unknown":
      return false;
    case "load":
      return expression.place.kind === "variable" && !inMemory(expression.place.variable);
    case "intrinsic": {
      const effect = intrinsicEffect(expression.name);
      return (effect === "pure" || effect === "identity") && expression.arguments.every(isPure);
    }
    case "constant":
    case "function":
      return true;
    case "binary":
      return isPure(expression.left) && isPure(expression.right);
    case "convert":
    case "unary":
      return isPure(expression.operand);
    case "offset":
      return isPure(expression.pointer) && isPure(expression.index);
    default:
      return operandsOf(expression).every(isPure);
  }
}

/** Whether nothing is lost but its value if it is not evaluated. */
export function isRemovable(value: Expression): boolean {
  if (isPure(value)) return true;
  if (value.kind === "load") return !value.site?.isVolatile && operandsOf(value).every(isPure);
  if (value.kind === "intrinsic") {
    const effect = intrinsicEffect(value.name);
    return (effect === "load" || effect === "matrix-load") && value.arguments.every(isPure);
  }
  return false;
}

function inMemory(variable: Variable): boolean {
  return variable.storage !== "automatic" && variable.storage !== "static";
}

/** Calls `visit` on an expression and all below it, in the order of evaluation, parents last. Written out, since passes live in it. */
export function forEachExpression(expression: Expression, visit: Visit): void;
/** The same where `visit` needs to know more: a closure would be compiled anew for each body. */
export function forEachExpression<C>(expression: Expression, visit: VisitIn<C>, context: C): void;
export function forEachExpression<C>(
  expression: Expression,
  visit: VisitIn<C | undefined>,
  context?: C,
): void {
  switch (expression.kind) {
    case "constant":
    case "function":
      break;
    case "load":
    case "address":
      if (expression.place.kind === "memory") forEachExpression(expression.place.pointer, visit, context);
      break;
    case "convert":
    case "unary":
    case "extract":
      forEachExpression(expression.operand, visit, context);
      break;
    case "binary":
    case "logical":
    case "difference":
      forEachExpression(expression.left, visit, context);
      forEachExpression(expression.right, visit, context);
      break;
    case "offset":
      forEachExpression(expression.pointer, visit, context);
      forEachExpression(expression.index, visit, context);
      break;
    case "assign":
      forEachExpression(expression.value, visit, context);
      if (expression.place.kind === "memory") forEachExpression(expression.place.pointer, visit, context);
      break;
    default:
      for (const operand of operandsOf(expression)) forEachExpression(operand, visit, context);
  }
  visit(expression, context);
}

type Visit = (expression: Expression) => void;
type VisitIn<C> = (expression: Expression, context: C) => void;

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

/** The `&array` from which a pointer starts, where it is plain to see. */
export function rootOf(pointer: Expression): (Expression & { kind: "address" }) | null {
  let current = pointer;
  for (let depth = 0; depth < 16; depth++) {
    if (current.kind === "offset") current = current.pointer;
    else if (current.kind === "convert") current = current.operand;
    else if (current.kind === "address" && current.place.kind === "memory") current = current.place.pointer;
    else return current.kind === "address" ? current : null;
  }
  return null;
}

/** The variable whose address, or whose value, a pointer starts from; null where it is not plain to see. */
export function rootVariableOf(pointer: Expression): Variable | null {
  const place = rootOf(pointer)?.place;
  if (place?.kind === "variable") return place.variable;
  let current = pointer;
  for (let depth = 0; depth < 16; depth++) {
    if (current.kind === "offset") current = current.pointer;
    else if (current.kind === "convert") current = current.operand;
    else return current.kind === "load" && current.place.kind === "variable" ? current.place.variable : null;
  }
  return null;
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
