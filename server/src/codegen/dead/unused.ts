// Drops locals that nothing but their own declaration names, before anything else is made of the code: text that does nothing must not
// count when loops are unrolled.
import type { Expression } from "../../ir/expression.ts";
import type { FunctionDefinition } from "../../ir/function.ts";
import type { Declare, Statement } from "../../ir/statement.ts";
import { mapFromEnd, mapLists } from "../walks/rebuild.ts";
import { forEachExpression, forEachExpressionOf, hasLists, isPure } from "../walks/walk.ts";

/** The function without such locals whose initializers do nothing but give a value; the function itself where it has none. */
export function withoutUnusedLocals(definition: FunctionDefinition): FunctionDefinition {
  const uses: Uses = new Map();
  forEachExpressionOf(definition.body, countUse, uses);
  const isUnused = ({ variable, initializer }: Declare): boolean =>
    variable.storage === "automatic" &&
    (uses.get(variable.id) ?? 0) === 0 &&
    (initializer === null || isPure(initializer));
  const withoutUnused = (list: readonly Statement[]): readonly Statement[] =>
    mapFromEnd(list, (statement) => {
      if (hasLists(statement)) return mapLists(statement, withoutUnused);
      if (statement.kind !== "declare" || !isUnused(statement)) return statement;
      // What fed it alone is not used either.
      if (statement.initializer !== null) forEachExpression(statement.initializer, uncountUse, uses);
      return null;
    });
  const body = withoutUnused(definition.body);
  return body === definition.body ? definition : { ...definition, body };
}

/** By id of a variable, how often it is named. */
type Uses = Map<number, number>;

function countUse(node: Expression, uses: Uses): void {
  const id = namedBy(node);
  if (id !== null) uses.set(id, (uses.get(id) ?? 0) + 1);
}

function uncountUse(node: Expression, uses: Uses): void {
  const id = namedBy(node);
  if (id !== null) uses.set(id, (uses.get(id) ?? 0) - 1);
}

function namedBy(node: Expression): number | null {
  const isPlaced = node.kind === "load" || node.kind === "address" || node.kind === "assign";
  return isPlaced && node.place.kind === "variable" ? node.place.variable.id : null;
}
