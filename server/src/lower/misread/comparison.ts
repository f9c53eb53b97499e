// `(x < w && y >= 0)`, which the grammar takes for an assignment to `x<w && y>`, and `x < w && y > (h)`, which it takes for a call of it,
// read as the comparisons that they are where `x` names a value.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { lookupNode } from "../names/names.ts";
import { expressionOf } from "./precedence.ts";

/** An assignment without comparisons in its target that were taken for template arguments; null where there are none. */
export function withoutMisreadTarget(context: Context, node: SyntaxNode): SyntaxNode | null {
  const left = childOf(node, "left");
  const operator = childOf(node, "operator");
  const right = childOf(node, "right");
  if (left === null || operator === null || right === null || !endsInTemplate(left)) return null;
  const items = [...itemsOf(context, left)];
  const greater = items.pop();
  if (!greater || textOf(context, greater) !== ">" || greater.end !== operator.start) return null;
  if (textOf(context, operator) !== "=") return null;
  return expressionOf(context, [...items, { ...greater, end: operator.end }, ...itemsOf(context, right)]);
}

/** A call, or a binary expression with one in it, whose function is no template but a comparison; null where there is none. */
export function withoutMisreadCalls(context: Context, node: SyntaxNode): SyntaxNode | null {
  return holdsMisreadCall(context, node) ? expressionOf(context, itemsOf(context, node)) : null;
}

/** Cheap, for it is asked of every assignment. */
function endsInTemplate(node: SyntaxNode): boolean {
  if (node.type === "binary_expression") {
    const right = childOf(node, "right");
    return right !== null && endsInTemplate(right);
  }
  if (node.type === "field_expression") return childOf(node, "field")?.type === "template_method";
  return node.type === "template_function";
}

function holdsMisreadCall(context: Context, node: SyntaxNode): boolean {
  if (node.type === "call_expression") return partsOfCall(context, node) !== null;
  if (node.type !== "binary_expression") return false;
  return node.children.some((child) => child.isNamed && holdsMisreadCall(context, child));
}

/** Operands and operators in turn, as they stand in the text. */
function itemsOf(context: Context, node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === "call_expression") return partsOfCall(context, node) ?? [node];
  if (node.type === "template_function") return partsOfTemplate(context, node) ?? [node];
  if (node.type === "field_expression") return partsOfMember(context, node) ?? [node];
  const left = childOf(node, "left");
  const operator = childOf(node, "operator");
  const right = childOf(node, "right");
  if (node.type !== "binary_expression" || left === null || operator === null || right === null)
    return [node];
  return [...itemsOf(context, left), operator, ...itemsOf(context, right)];
}

/** `x`, `<`, the one argument's items, `>`, and the argument of the call in its parentheses. */
function partsOfCall(context: Context, node: SyntaxNode): readonly SyntaxNode[] | null {
  const callee = childOf(node, "function");
  const list = childOf(node, "arguments");
  if (callee?.type !== "template_function" || list === null || namedChildren(list).length !== 1) return null;
  const parts = partsOfTemplate(context, callee);
  return parts && [...parts, { ...list, type: "parenthesized_expression", field: null }];
}

function partsOfTemplate(context: Context, node: SyntaxNode): readonly SyntaxNode[] | null {
  const name = childOf(node, "name");
  if (name === null || !namesValue(context, name)) return null;
  return [name, ...partsOfList(context, node)];
}

/** `p.x` that is compared, taken for a template that is a member. */
function partsOfMember(context: Context, node: SyntaxNode): readonly SyntaxNode[] | null {
  const method = childOf(node, "field");
  const name = method && childOf(method, "name");
  if (method?.type !== "template_method" || !name) return null;
  const member = { ...name, field: "field" };
  const children = node.children.map((child) => (child === method ? member : child));
  return [{ ...node, end: name.end, children }, ...partsOfList(context, method)];
}

function partsOfList(context: Context, node: SyntaxNode): readonly SyntaxNode[] {
  const list = childOf(node, "arguments");
  const [first, ...others] = list ? namedChildren(list) : [];
  const less = list?.children.at(0);
  const greater = list?.children.at(-1);
  if (!first || others.length > 0 || !less || !greater) return [];
  return [less, ...itemsOf(context, first), greater];
}

function namesValue(context: Context, name: SyntaxNode): boolean {
  const [entity] = lookupNode(context, name).entities;
  return entity?.kind === "variable" || entity?.kind === "constant" || entity?.kind === "field";
}
