// `(i) + (j) * n`, which the grammar takes for a cast of `+(j)` to a type `i`, read as the sum that it is where `i` names no type.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { lookupNode } from "../names/names.ts";
import { applied } from "./misread.ts";
import { expressionOf } from "./precedence.ts";

/**
 * A binary expression or cast without misread casts among its operands, by C++'s precedence; null where there are none. What stands in
 * parentheses is left as it is: it has a turn of its own.
 */
export function withoutMisreadCasts(context: Context, node: SyntaxNode): SyntaxNode | null {
  if (!hasMisreadCast(context, node)) return null;
  return expressionOf(context, itemsOf(context, node));
}

function hasMisreadCast(context: Context, node: SyntaxNode): boolean {
  switch (node.type) {
    case "binary_expression":
      for (const child of node.children) if (child.isNamed && hasMisreadCast(context, child)) return true;
      return false;
    case "cast_expression":
    case "unary_expression":
    case "pointer_expression": {
      if (node.type === "cast_expression" && misreadCast(context, node) !== null) return true;
      const behind = behindPrefix(node);
      return behind !== null && hasMisreadCast(context, behind);
    }
    default:
      return false;
  }
}

interface MisreadCast {
  readonly left: SyntaxNode;
  readonly operator: SyntaxNode;
  readonly right: SyntaxNode;
}

function misreadCast(context: Context, node: SyntaxNode): MisreadCast | null {
  const descriptor = childOf(node, "type");
  const value = childOf(node, "value");
  if (descriptor === null || value === null) return null;
  const { operator, right } = value.type === "number_literal" ? signedNumber(context, value) : unary(value);
  const left = valueIn(context, descriptor);
  if (left === null || !operator || right === null) return null;
  const sign = textOf(context, operator);
  if (!/^[-+*&]$/.test(sign)) return null;
  return (sign === "&" ? conjunction(left, operator, right) : null) ?? { left, operator, right };
}

interface Signed {
  readonly operator: SyntaxNode | undefined;
  readonly right: SyntaxNode | null;
}

function unary(node: SyntaxNode): Signed {
  const isUnary = node.type === "unary_expression" || node.type === "pointer_expression";
  return {
    operator: isUnary ? node.children.find((child) => !child.isNamed) : undefined,
    right: childOf(node, "argument"),
  };
}

/** `-5`, which the grammar takes for one number. */
function signedNumber(context: Context, node: SyntaxNode): Signed {
  const [, sign, space] = /^([-+])(\s*)/.exec(textOf(context, node)) ?? [];
  if (sign === undefined || space === undefined) return { operator: undefined, right: null };
  const end = node.start + 1;
  return {
    operator: { ...node, type: sign, field: "operator", isNamed: false, end },
    right: { ...node, start: end + space.length },
  };
}

/** What a type in parentheses is where its name is that of a value: `(a)`, `(a[i])`, `(f(x))`, `(a * (b * c))`; null for a type. */
function valueIn(context: Context, descriptor: SyntaxNode): SyntaxNode | null {
  const [name, suffix, ...rest] = namedChildren(descriptor);
  if (name?.type !== "type_identifier" || rest.length > 0) return null;
  const [entity] = lookupNode(context, name).entities;
  const kinds = suffix ? ["variable", "constant", "field", "function"] : ["variable", "constant", "field"];
  if (entity === undefined || !kinds.includes(entity.kind)) return null;
  return suffix ? applied(name, suffix) : name;
}

/** `(a) && (b)`, taken for the address of an address. */
function conjunction(left: SyntaxNode, operator: SyntaxNode, right: SyntaxNode): MisreadCast | null {
  const second = right.children.find((child) => !child.isNamed);
  const operand = childOf(right, "argument");
  if (right.type !== "pointer_expression" || second?.start !== operator.end || operand === null) return null;
  return { left, operator: { ...operator, end: second.end }, right: operand };
}

/** What a true cast or a unary operator stands before: it binds to the first operand of what the grammar took for one. */
function behindPrefix(node: SyntaxNode): SyntaxNode | null {
  if (node.type === "cast_expression") return childOf(node, "value");
  return node.type === "unary_expression" || node.type === "pointer_expression"
    ? childOf(node, "argument")
    : null;
}

/** Operands and operators in turn, as they stand in the text. */
function itemsOf(context: Context, node: SyntaxNode): SyntaxNode[] {
  const cast = node.type === "cast_expression" ? misreadCast(context, node) : null;
  if (cast) return [cast.left, cast.operator, ...itemsOf(context, cast.right)];
  const behind = behindPrefix(node);
  const [first, ...rest] = behind && hasMisreadCast(context, behind) ? itemsOf(context, behind) : [];
  if (first)
    return [
      {
        ...node,
        end: first.end,
        children: node.children.map((child) => (child === behind ? { ...first, field: child.field } : child)),
      },
      ...rest,
    ];
  const left = childOf(node, "left");
  const operator = childOf(node, "operator");
  const right = childOf(node, "right");
  if (node.type !== "binary_expression" || left === null || operator === null || right === null)
    return [node];
  return [...itemsOf(context, left), operator, ...itemsOf(context, right)];
}
