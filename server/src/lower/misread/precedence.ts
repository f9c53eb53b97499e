// Binary and conditional expressions put together anew from operands and operators that the grammar grouped otherwise.
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

/** The expression of operands and operators in turn, by C++'s precedence; null where an operand is missing. What stands between `?` and `:` is one operand. */
export function expressionOf(context: Context, items: readonly SyntaxNode[]): SyntaxNode | null {
  return conditional(context, [...items]);
}

function conditional(context: Context, items: SyntaxNode[]): SyntaxNode | null {
  const condition = climb(context, items, 0);
  const [question, consequence, colon] = items.splice(0, 3);
  if (condition === null || question === undefined) return condition;
  const alternative = conditional(context, items);
  if (!consequence || !colon || alternative === null) return null;
  return conditionalOf({ condition, question, consequence, colon, alternative });
}

/** Precedence climbing: takes items off the front as long as their operators bind at least as tightly as `least`. */
function climb(context: Context, items: SyntaxNode[], least: number): SyntaxNode | null {
  let left = items.shift();
  if (left === undefined) return null;
  for (let operator = items[0]; operator !== undefined; operator = items[0]) {
    const level = levelOf(context, operator);
    if (level < least || operator.type === "?") break;
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

interface Conditional {
  readonly condition: SyntaxNode;
  readonly question: SyntaxNode;
  readonly consequence: SyntaxNode;
  readonly colon: SyntaxNode;
  readonly alternative: SyntaxNode;
}

function conditionalOf({ condition, question, consequence, colon, alternative }: Conditional): SyntaxNode {
  const children = [
    { ...condition, field: "condition" },
    question,
    { ...consequence, field: "consequence" },
    colon,
    { ...alternative, field: "alternative" },
  ];
  return {
    ...condition,
    type: "conditional_expression",
    field: null,
    isNamed: true,
    end: alternative.end,
    children,
  };
}
