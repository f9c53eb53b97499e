// `tile.at<16>(t)`, which the grammar takes for the comparison of `tile.at < 16` with `(t)` where one constant stands in the angle brackets and one
// argument in the parentheses. Nobody compares a comparison so.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { expressionOf } from "./precedence.ts";

/** A binary expression with the calls that it was made of; null where it is what it seems. */
export function withMemberCalls(context: Context, node: SyntaxNode): SyntaxNode | null {
  if (node.type !== "binary_expression") return null;
  const left = childOf(node, "left");
  if (!left || !isOperator(context, node, ">") || !isOperator(context, left, "<")) {
    const repaired = node.children.map((child) => withMemberCalls(context, child));
    if (repaired.every((child) => child === null)) return null;
    const children = node.children.map((child, index) => ({
      ...(repaired[index] ?? child),
      field: child.field,
    }));
    return { ...node, children };
  }
  const items = itemsOf(node);
  const joined: SyntaxNode[] = [];
  let isChanged = false;
  for (let at = 0; at < items.length; at++) {
    const member = items[at];
    const end = member?.type === "field_expression" ? endOfArguments(context, items, at + 1) : null;
    const call = member && end !== null ? callOf(member, items.slice(at + 1, end + 2), context) : null;
    if (call !== null && end !== null) {
      at = end + 1;
      isChanged = true;
    }
    const item = call ?? member;
    if (item) joined.push(item);
  }
  return isChanged ? expressionOf(context, joined) : null;
}

function isOperator(context: Context, node: SyntaxNode, wanted: string): boolean {
  const operator = node.type === "binary_expression" ? childOf(node, "operator") : null;
  return operator !== null && textOf(context, operator) === wanted;
}

/** Operands and operators in turn, as they stand in the text. */
function itemsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const left = childOf(node, "left");
  const operator = childOf(node, "operator");
  const right = childOf(node, "right");
  if (node.type !== "binary_expression" || !left || !operator || !right) return [node];
  return [...itemsOf(left), operator, ...itemsOf(right)];
}

/** Where the `>` stands that closes the `<` at `from`, with sums of constants between and parentheses behind it; null where there is none. */
function endOfArguments(context: Context, items: readonly SyntaxNode[], from: number): number | null {
  const textAt = (index: number) => (items[index] ? textOf(context, items[index]) : "");
  if (textAt(from) !== "<") return null;
  let at = from + 2;
  while (/^[-+*/%]$/.test(textAt(at))) at += 2;
  return textAt(at) === ">" && items[at + 1]?.type === "parenthesized_expression" ? at : null;
}

/** The call of `member` with `<`, what is in the brackets, `>` and the parentheses. */
function callOf(member: SyntaxNode, behind: readonly SyntaxNode[], context: Context): SyntaxNode | null {
  const name = childOf(member, "field");
  const [less, ...others] = behind;
  const list = others.pop();
  const greater = others.pop();
  const argument = expressionOf(context, others);
  if (!name || !less || !list || !greater || !argument) return null;
  const { end } = greater;
  const brackets = { ...less, type: "template_argument_list", field: "arguments", isNamed: true, end };
  const template = { ...name, type: "template_method", end };
  const children = [
    { ...name, field: "name" },
    { ...brackets, children: [less, { ...argument, field: null }, greater] },
  ];
  const method = { ...template, children };
  const callee = { ...member, field: "function", end };
  const fields = member.children.map((child) => (child === name ? method : child));
  return {
    ...member,
    type: "call_expression",
    field: null,
    end: list.end,
    children: [
      { ...callee, children: fields },
      { ...list, type: "argument_list", field: "arguments", children: argumentsIn(list) },
    ],
  };
}

/** The parts of a list in parentheses that the grammar took for commas between values. */
function argumentsIn(list: SyntaxNode): readonly SyntaxNode[] {
  const parts = (node: SyntaxNode): readonly SyntaxNode[] =>
    node.type === "comma_expression" ? node.children.flatMap(parts) : [{ ...node, field: null }];
  return list.children.flatMap(parts);
}
