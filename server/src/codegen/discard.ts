// Marks the atomics whose result nobody uses: the compiler has other instructions for them (docs/codegen.md).
import type { Expression, Intrinsic } from "../ir/expression.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import type { Statement } from "../ir/statement.ts";
import { forEachExpressionOf, mapLists } from "./walk.ts";

export function markDiscarded(body: readonly Statement[]): readonly Statement[] {
  return markList(body, variablesRead(body));
}

function markList(statements: readonly Statement[], read: ReadonlySet<number>): readonly Statement[] {
  let changed = false;
  const marked = statements.map((statement) => {
    const next =
      statement.kind === "evaluate"
        ? markOne(statement, read)
        : mapLists(statement, (list) => markList(list, read));
    if (next !== statement) changed = true;
    return next;
  });
  return changed ? marked : statements;
}

function markOne(statement: Extract<Statement, { kind: "evaluate" }>, read: ReadonlySet<number>): Statement {
  const atomic = discardedAtomic(statement.expression, read);
  return atomic ? { ...statement, expression: { ...atomic, isDiscarded: true } } : statement;
}

/** An atomic that stands alone, or that is kept in a variable which nobody reads. */
function discardedAtomic(expression: Expression, read: ReadonlySet<number>): Intrinsic | null {
  if (expression.kind === "assign" && expression.place.kind === "variable")
    return read.has(expression.place.variable.id) ? null : discardedAtomic(expression.value, read);
  const isAtomic = expression.kind === "intrinsic" && intrinsicEffect(expression.name) === "atomic";
  return isAtomic ? expression : null;
}

function variablesRead(body: readonly Statement[]): Set<number> {
  const read = new Set<number>();
  forEachExpressionOf(body, (expression) => {
    if (expression.kind !== "load" && expression.kind !== "address") return;
    if (expression.place.kind === "variable") read.add(expression.place.variable.id);
  });
  return read;
}
