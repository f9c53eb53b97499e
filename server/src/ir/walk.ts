// Walking expressions, and what evaluating one may do.
import type { AddressOf, Assign, Expression, Load, VariablePlace } from "./expression.ts";
import { intrinsicEffect } from "./intrinsic.ts";
import { operandsOf } from "./operands.ts";
import type { Variable } from "./variable.ts";

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

export type Visit = (expression: Expression) => void;
export type VisitIn<C> = (expression: Expression, context: C) => void;

/** The nodes that name a variable themselves. */
export type Naming = (Load | AddressOf | Assign) & { readonly place: VariablePlace };

/** Calls `visit` on the nodes that name variables, in the order of evaluation. Of the others, which are most, it makes no call. */
export function forEachNaming<C>(
  expression: Expression,
  visit: (node: Naming, context: C) => void,
  context: C,
): void {
  switch (expression.kind) {
    case "constant":
    case "function":
      return;
    case "load":
    case "address":
      if (expression.place.kind === "memory") forEachNaming(expression.place.pointer, visit, context);
      else visit(expression as Naming, context);
      return;
    case "convert":
    case "unary":
    case "extract":
      forEachNaming(expression.operand, visit, context);
      return;
    case "binary":
    case "logical":
    case "difference":
      forEachNaming(expression.left, visit, context);
      forEachNaming(expression.right, visit, context);
      return;
    case "offset":
      forEachNaming(expression.pointer, visit, context);
      forEachNaming(expression.index, visit, context);
      return;
    case "assign":
      forEachNaming(expression.value, visit, context);
      if (expression.place.kind === "memory") forEachNaming(expression.place.pointer, visit, context);
      else visit(expression as Naming, context);
      return;
    default:
      for (const operand of operandsOf(expression)) forEachNaming(operand, visit, context);
  }
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
