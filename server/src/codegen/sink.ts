// Fourth pass: a load whose value is used under one branch alone moves there, if nothing between could change what it reads.
import type { Load } from "../ir/expression.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import type { Evaluate, Statement } from "../ir/statement.ts";
import { sizeOf } from "../ir/type.ts";
import { mayAlias } from "./alias.ts";
import type { Addresses } from "./forward.ts";
import { assignedVariables, forEachExpression, forEachExpressionOf, operandsOf, partsOf } from "./walk.ts";

/** The statements with such loads moved down to their first use, and into the branch that alone uses them. */
export function sinkLoads(list: readonly Statement[], addresses: Addresses): readonly Statement[] {
  let current: Statement[] = [...list];
  for (let index = current.length - 1; index >= 0; index--) {
    const statement = current[index];
    const load = statement && loadOf(statement);
    if (statement?.kind === "evaluate" && load) current = sinkOne(current, index, statement, load, addresses);
  }
  return current.map((statement) => inner(statement, addresses));
}

function inner(statement: Statement, addresses: Addresses): Statement {
  switch (statement.kind) {
    case "if":
      return {
        ...statement,
        whenTrue: sinkLoads(statement.whenTrue, addresses),
        whenFalse: sinkLoads(statement.whenFalse, addresses),
      };
    case "block":
    case "loop":
      return { ...statement, body: sinkLoads(statement.body, addresses) };
    case "switch":
      return {
        ...statement,
        cases: statement.cases.map((one) => ({ ...one, body: sinkLoads(one.body, addresses) })),
      };
    default:
      return statement;
  }
}

function loadOf(statement: Statement): Load | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place, value } = statement.expression;
  if (place.kind !== "variable" || place.variable.id >= 0 || value.kind !== "load" || !value.site)
    return null;
  return value.site.isVolatile || value.place.kind !== "memory" ? null : value;
}

const maximumDistance = 400;

function sinkOne(
  list: Statement[],
  index: number,
  statement: Evaluate,
  load: Load,
  addresses: Addresses,
): Statement[] {
  const target = statement.expression.kind === "assign" ? statement.expression.place : null;
  if (target?.kind !== "variable") return list;
  const { id } = target.variable;
  const needed = variablesOf(load);
  for (let at = index + 1; at < list.length && at - index < maximumDistance; at++) {
    const next = list[at];
    if (!next) return list;
    if (usesVariable([next], id)) return placeAt(list, index, at, statement, id);
    if (clobbers(next, load, needed, addresses)) return list;
  }
  return list;
}

/** Moves the load from `index` to just before `at`, or into the one branch of it that uses the value where nothing after does. */
function placeAt(list: Statement[], index: number, at: number, statement: Evaluate, id: number): Statement[] {
  const user = list[at];
  const rest = list.slice(at + 1);
  if (user?.kind === "if" && !usesVariable(rest, id) && !readsVariable(user.condition, id)) {
    const inTrue = usesVariable(user.whenTrue, id);
    const inFalse = usesVariable(user.whenFalse, id);
    if (inTrue !== inFalse) {
      const whenTrue = inTrue ? [statement, ...user.whenTrue] : user.whenTrue;
      const whenFalse = inFalse ? [statement, ...user.whenFalse] : user.whenFalse;
      return [
        ...list.slice(0, index),
        ...list.slice(index + 1, at),
        { ...user, whenTrue, whenFalse },
        ...rest,
      ];
    }
  }
  if (!list.slice(index + 1, at).some(mayLeave)) return list;
  return [...list.slice(0, index), ...list.slice(index + 1, at), statement, ...list.slice(at)];
}

/** Whether control may leave in it, so that a load behind it has fewer lanes. */
function mayLeave(statement: Statement): boolean {
  if (statement.kind === "return" || statement.kind === "break" || statement.kind === "continue") return true;
  return statement.kind === "if" && partsOf(statement).lists.some((list) => list.some(mayLeave));
}

function variablesOf(load: Load): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const operand of operandsOf(load))
    forEachExpression(operand, (node) => {
      if (node.kind === "load" && node.place.kind === "variable") ids.add(node.place.variable.id);
    });
  return ids;
}

function readsVariable(expression: Parameters<typeof forEachExpression>[0], id: number): boolean {
  let reads = false;
  forEachExpression(expression, (node) => {
    if (
      (node.kind === "load" || node.kind === "address") &&
      node.place.kind === "variable" &&
      node.place.variable.id === id
    )
      reads = true;
  });
  return reads;
}

function usesVariable(list: readonly Statement[], id: number): boolean {
  let uses = false;
  forEachExpressionOf(list, (node) => {
    if (
      (node.kind === "load" || node.kind === "address") &&
      node.place.kind === "variable" &&
      node.place.variable.id === id
    )
      uses = true;
  });
  return uses;
}

/** Whether a statement may change what the load reads, or the variables that its address is made of. */
function clobbers(
  statement: Statement,
  load: Load,
  needed: ReadonlySet<number>,
  addresses: Addresses,
): boolean {
  switch (statement.kind) {
    case "barrier":
    case "unknown":
    case "loop":
    case "switch":
    case "launch":
      return true;
    default:
  }
  for (const id of assignedVariables([statement])) if (needed.has(id)) return true;
  const address = addresses.get(load);
  let found = false;
  forEachExpressionOf([statement], (node) => {
    if (node.kind === "call" || node.kind === "call-indirect" || node.kind === "unknown") found = true;
    if (node.kind === "intrinsic") {
      const effect = intrinsicEffect(node.name);
      if (effect !== "pure" && effect !== "identity" && effect !== "load") found = true;
    }
    if (node.kind !== "assign" || node.place.kind !== "memory") return;
    const other = addresses.get(node);
    if (!address || !other) found = true;
    else if (
      mayAlias(
        { address, bytes: sizeOf(load.type) ?? 1 },
        { address: other, bytes: sizeOf(node.place.type) ?? 1 },
      )
    )
      found = true;
  });
  return found;
}
