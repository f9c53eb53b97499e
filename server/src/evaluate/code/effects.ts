// What executing a piece of IR does beside giving a value.
import type { Expression, Intrinsic } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Locals } from "../memory/locals.ts";

/** Answers for the nodes of one function, each worked out once. */
export interface Effects {
  /** Whether the node itself, its operands aside, does anything but give a value. */
  actsByItself(expression: Expression): boolean;
  /** Whether it, or a part of it, accesses memory, calls or writes. */
  hasEffect(expression: Expression): boolean;
  /** Whether all that it does is to write variables: control goes on behind it, and no memory is accessed. */
  onlyWritesVariables(statement: Statement): boolean;
}

export function createEffects({ automaticOf }: Locals): Effects {
  const actsByItself = (expression: Expression): boolean =>
    expression.kind === "load" ? automaticOf(expression.place) === null : isAction(expression);
  const hasEffect = memoised(
    (expression: Expression): boolean => actsByItself(expression) || operandsOf(expression).some(hasEffect),
  );
  const isPassive = (expression: Expression): boolean => {
    if (!hasEffect(expression)) return true;
    const isWrite = expression.kind === "assign" && automaticOf(expression.place) !== null;
    return (isWrite || !actsByItself(expression)) && operandsOf(expression).every(isPassive);
  };
  const onlyWritesVariables = memoised((statement: Statement): boolean => {
    switch (statement.kind) {
      case "evaluate":
        return isPassive(statement.expression);
      case "declare":
        return statement.initializer === null || isPassive(statement.initializer);
      case "block":
        return statement.body.every(onlyWritesVariables);
      case "if":
        return (
          isPassive(statement.condition) &&
          statement.whenTrue.every(onlyWritesVariables) &&
          statement.whenFalse.every(onlyWritesVariables)
        );
      case "loop":
        return (
          statement.condition !== null &&
          isPassive(statement.condition) &&
          statement.step.every(isPassive) &&
          statement.body.every(onlyWritesVariables)
        );
      case "barrier":
        return true;
      default:
        return false;
    }
  });
  return { actsByItself, hasEffect, onlyWritesVariables };
}

function isAction(expression: Expression): boolean {
  switch (expression.kind) {
    case "assign":
    case "call":
    case "call-indirect":
      return true;
    case "intrinsic":
      return !isValueOnly(expression);
    default:
      return false;
  }
}

/** Whether it is made of its arguments, in this lane and the others, and touches nothing. */
export function isValueOnly({ name, site }: Intrinsic): boolean {
  const effect = intrinsicEffect(name);
  return site === null && (effect === "pure" || effect === "identity" || effect === "warp");
}

/** The same answers, each worked out once. */
export function memoised<Node extends object, Answer extends NonNullable<unknown>>(
  test: (node: Node) => Answer,
): (node: Node) => Answer {
  const known = new Map<Node, Answer>();
  return (node) => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const result = test(node);
    known.set(node, result);
    return result;
  };
}
