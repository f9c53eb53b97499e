// Fold expressions: `(args + ...)`, `(... && args)`, `(init + ... + args)`.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { binaryOf, sequenceOf } from "../expressions/build.ts";
import { conditionOf } from "../expressions/convert.ts";
import { expression } from "../expressions/expression.ts";
import { applyBinary, logicalOf } from "../expressions/operator.ts";
import { integerValue, nothing, readValue, rvalueOf, type Value } from "../expressions/value.ts";
import { boolType } from "../types/cxx-type.ts";
import { Unsupported } from "../unsupported.ts";
import { expandPack, packsIn } from "./pack.ts";

export function foldExpression(context: Context, node: SyntaxNode): Value {
  const operatorNode = childOf(node, "operator");
  const left = childOf(node, "left");
  const right = childOf(node, "right");
  if (!operatorNode || !left || !right) throw new Unsupported("an incomplete fold");
  const operator = textOf(context, operatorNode);
  const isLeftPattern = left.type !== "..." && packsIn(context, left).length > 0;
  const pattern = isLeftPattern ? left : right;
  if (pattern.type === "..." || packsIn(context, pattern).length === 0)
    throw new Unsupported("a fold without a pack");
  const values = expandPack(context, pattern, (inner) => expression(inner, pattern));
  const other = isLeftPattern ? right : left;
  const initial = other.type === "..." ? null : expression(context, other);
  // `(pack op ...)` and `(pack op ... op init)` associate to the right.
  const isRight = isLeftPattern;
  const list = initial === null ? values : isRight ? [...values, initial] : [initial, ...values];
  return isRight
    ? reduce(context, operator, [...list].reverse(), node, (a, b) => [b, a])
    : reduce(context, operator, list, node, (a, b) => [a, b]);
}

/** What `(f(args), ...)` does for one element of its pack after the other; null where `node` is no fold by commas alone. */
export function foldedByComma<Effect>(
  context: Context,
  node: SyntaxNode,
  effectOf: (context: Context, pattern: SyntaxNode) => Effect,
): Effect[] | null {
  const operator = childOf(node, "operator");
  const sides = [childOf(node, "left"), childOf(node, "right")];
  const pattern = sides.find((side) => side !== null && side.type !== "...") ?? null;
  const isAlone = sides.some((side) => side?.type === "...");
  if (!operator || textOf(context, operator) !== "," || !pattern || !isAlone) return null;
  if (packsIn(context, pattern).length === 0) return null;
  return expandPack(context, pattern, (inner) => effectOf(inner, pattern));
}

function reduce(
  context: Context,
  operator: string,
  list: readonly Value[],
  node: SyntaxNode,
  order: (sum: Value, next: Value) => [Value, Value],
): Value {
  const [first, ...rest] = list;
  if (first === undefined) return emptyFold(operator);
  return rest.reduce((sum, next) => {
    const [a, b] = order(sum, next);
    return combine(context, operator, a, b, node);
  }, first);
}

function emptyFold(operator: string): Value {
  if (operator === "&&") return integerValue(1, boolType);
  if (operator === "||") return integerValue(0, boolType);
  if (operator === ",") return nothing;
  throw new Unsupported(`a fold of ${operator} over nothing`);
}

function combine(context: Context, operator: string, left: Value, right: Value, node: SyntaxNode): Value {
  if (operator === "&&" || operator === "||") {
    const [a, b] = [conditionOf(context, left), conditionOf(context, right)];
    const isConstant = a.kind === "constant" && b.kind === "constant";
    if (isConstant) return rvalueOf(boolType, binaryOf(operator === "&&" ? "&" : "|", a.type, a, b));
    return logicalOf(operator, a, b);
  }
  if (operator === ",") {
    const [a, b] = [readValue(context, left), readValue(context, right)];
    return rvalueOf(b.type, sequenceOf([a.expression], b.expression));
  }
  return applyBinary(context, operator, left, right, node);
}
