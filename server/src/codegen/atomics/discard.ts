// Marks the atomics whose result nobody uses, and those of one word for all lanes: the compiler has other instructions for them
// (docs/codegen.md).
import type { Expression, Intrinsic } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Statement } from "../../ir/statement.ts";
import { mapLists, mapOperands, withExpression } from "../walks/rebuild.ts";
import { forEachExpressionOf } from "../walks/walk.ts";
import { hasAtomics, type Uniformity, type UniformityOf, uniformityIn } from "./divergence.ts";

/** The body with what the compiler knows of each atomic; `parameters` is what the body's parameters are to it. */
export function markAtomics(
  body: readonly Statement[],
  parameters: ReadonlyMap<number, Uniformity>,
): readonly Statement[] {
  if (!hasAtomics(body)) return body;
  return markUniform(markList(body, variablesRead(body)), uniformityIn(body, parameters));
}

function markUniform(statements: readonly Statement[], uniformityOf: UniformityOf): readonly Statement[] {
  return statements.map((statement) => {
    if (statement.kind === "evaluate")
      return withExpression(statement, uniformAtomics(statement.expression, uniformityOf));
    if (statement.kind === "declare" && statement.initializer)
      return { ...statement, initializer: uniformAtomics(statement.initializer, uniformityOf) };
    return mapLists(statement, (list) => markUniform(list, uniformityOf));
  });
}

function uniformAtomics(expression: Expression, uniformityOf: UniformityOf): Expression {
  if (expression.kind !== "intrinsic" || intrinsicEffect(expression.name) !== "atomic")
    return mapOperands(expression, (operand) => uniformAtomics(operand, uniformityOf));
  const [address, operand] = expression.arguments.map(uniformityOf);
  return {
    ...expression,
    ...(address && address !== "unclear" ? { addressIsUniform: address === "uniform" } : {}),
    ...(operand && operand !== "unclear" ? { operandIsUniform: operand === "uniform" } : {}),
  };
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
  return atomic ? withExpression(statement, { ...atomic, isDiscarded: true }) : statement;
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
