// `(x < w && y >= 0)`, which the grammar takes for an assignment to `x<w && y>`, `x < w && y > (h)`, which it takes for a call of it,
// `x < w && y > -1`, which it takes for `x<w && y>` less 1, and `x < w >> 1`, which it takes for `x<w>` that is greater than 1, read as the comparisons that
// they are where `x` names a value.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { lookupNode } from "../names/names.ts";
import { suffixed } from "./misread.ts";
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

/** A call or a binary expression with what is no template in it but a comparison; null where there is none. */
export function withoutMisreadTemplates(context: Context, node: SyntaxNode): SyntaxNode | null {
  return holdsMisread(context, node) ? expressionOf(context, itemsOf(context, node)) : null;
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

function holdsMisread(context: Context, node: SyntaxNode): boolean {
  if (node.type === "call_expression") return partsOfCall(context, node) !== null;
  if (node.type !== "binary_expression") return false;
  return (
    isMisreadShift(context, node) ||
    isMisreadSign(context, node) ||
    node.children.some((child) => child.isNamed && holdsMisread(context, child))
  );
}

/** `x<w> > 1`, written `x < w >> 1`. */
function isMisreadShift(context: Context, node: SyntaxNode): boolean {
  const left = childOf(node, "left");
  const operator = childOf(node, "operator");
  if (left === null || operator === null || !endsInTemplate(left)) return false;
  return shiftOf(context, itemsOf(context, left).at(-1), operator) !== null;
}

/** `x<w && y> - 1`, written `x < w && y > -1`. */
function isMisreadSign(context: Context, node: SyntaxNode): boolean {
  const left = childOf(node, "left");
  const operator = childOf(node, "operator");
  if (left === null || operator === null || !endsInTemplate(left)) return false;
  return isSignOf(context, itemsOf(context, left).at(-1), operator);
}

/** Whether the operator stands behind a comparison, and so belongs to its right operand alone. */
function isSignOf(context: Context, last: SyntaxNode | undefined, operator: SyntaxNode): boolean {
  return last !== undefined && textOf(context, last) === ">" && prefixes.has(textOf(context, operator));
}

/** What the grammar has for an operator with one operand. */
const prefixes: ReadonlyMap<string, string> = new Map([
  ["-", "unary_expression"],
  ["+", "unary_expression"],
  ["*", "pointer_expression"],
  ["&", "pointer_expression"],
]);

function withSign(context: Context, operator: SyntaxNode, operand: SyntaxNode): SyntaxNode {
  const children = [
    { ...operator, field: "operator" },
    { ...operand, field: "argument" },
  ];
  const type = prefixes.get(textOf(context, operator)) ?? "unary_expression";
  return { ...operand, type, field: null, isNamed: true, start: operator.start, children };
}

/** The `>>` whose halves the two are; null where they are none. */
function shiftOf(context: Context, first: SyntaxNode | undefined, second: SyntaxNode): SyntaxNode | null {
  if (first?.end !== second.start || textOf(context, first) !== ">" || textOf(context, second) !== ">")
    return null;
  return { ...second, start: first.start };
}

/** Operands and operators in turn, as they stand in the text. */
function itemsOf(context: Context, node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === "call_expression") return partsOfCall(context, node) ?? [node];
  if (node.type === "template_function") return partsOfTemplate(context, node) ?? [node];
  if (node.type === "field_expression") return partsOfMember(context, node) ?? [node];
  if (node.type === "conditional_expression") return partsOfConditional(context, node);
  const left = childOf(node, "left");
  const operator = childOf(node, "operator");
  const right = childOf(node, "right");
  if (node.type !== "binary_expression" || left === null || operator === null || right === null)
    return [node];
  const before = itemsOf(context, left);
  if (isSignOf(context, before.at(-1), operator)) {
    const [first, ...others] = itemsOf(context, right);
    return first ? [...before, withSign(context, operator, first), ...others] : [node];
  }
  const shift = shiftOf(context, before.at(-1), operator);
  const joined = shift ? [...before.slice(0, -1), shift] : [...before, operator];
  return [...joined, ...itemsOf(context, right)];
}

/** `0 ? 0 : x` of `x < 0 ? 0 : x >= n ? n - 1 : x`: the comparisons at its ends are not its own. */
function partsOfConditional(context: Context, node: SyntaxNode): readonly SyntaxNode[] {
  const condition = childOf(node, "condition");
  const consequence = childOf(node, "consequence");
  const alternative = childOf(node, "alternative");
  const question = node.children.find((child) => child.type === "?");
  const colon = node.children.find((child) => child.type === ":");
  if (!condition || !consequence || !alternative || !question || !colon) return [node];
  return [...itemsOf(context, condition), question, consequence, colon, ...itemsOf(context, alternative)];
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
  return [less, ...itemsOf(context, expressionIn(first)), greater];
}

/** `w[i]`, where it was taken for an array type. */
function expressionIn(node: SyntaxNode): SyntaxNode {
  const type = childOf(node, "type");
  const declarator = childOf(node, "declarator");
  return (node.type === "type_descriptor" && type && declarator && suffixed(type, declarator)) || node;
}

function namesValue(context: Context, name: SyntaxNode): boolean {
  const [entity] = lookupNode(context, name).entities;
  return entity?.kind === "variable" || entity?.kind === "constant" || entity?.kind === "field";
}
