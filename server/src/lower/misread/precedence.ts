// Binary expressions put together anew from operands and operators that the grammar grouped otherwise.
import type { SyntaxNode } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";

const levels = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["<<", ">>"],
  ["+", "-"],
];
const tightest = levels.length;

function levelOf(context: Context, operator: SyntaxNode): number {
  const level = levels.findIndex((operators) => operators.includes(textOf(context, operator)));
  return level < 0 ? tightest : level;
}

/** The binary expression of operands and operators in turn, by C++'s precedence; null where an operand is missing. */
export function expressionOf(context: Context, items: readonly SyntaxNode[]): SyntaxNode | null {
  return climb(context, [...items], 0);
}

/** Precedence climbing: takes items off the front as long as their operators bind at least as tightly as `least`. */
function climb(context: Context, items: SyntaxNode[], least: number): SyntaxNode | null {
  let left = items.shift();
  if (left === undefined) return null;
  for (let operator = items[0]; operator !== undefined; operator = items[0]) {
    const level = levelOf(context, operator);
    if (level < least) break;
    items.shift();
    const right = climb(context, items, level + 1);
    if (right === null) return null;
    left = binaryOf(left, operator, right);
  }
  return left;
}

function binaryOf(left: SyntaxNode, operator: SyntaxNode, right: SyntaxNode): SyntaxNode {
  const children = [
    { ...left, field: "left" },
    { ...operator, field: "operator" },
    { ...right, field: "right" },
  ];
  const { start } = left;
  return {
    type: "binary_expression",
    field: null,
    isNamed: true,
    start,
    end: right.end,
    children,
    hasError: false,
  };
}
