// `(real)(data)[i]`, which the grammar takes for a subscript of a call, taken apart into the type and the subscript that it casts.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";

export interface BehindCast {
  /** What stands in the first parentheses: a cast where it names a type. */
  readonly callee: SyntaxNode;
  /** The subscript, member or call of what stands in the second ones. */
  readonly value: SyntaxNode;
}

/** A subscript, a member or a call behind two pairs of parentheses; null for what begins otherwise. */
export function postfixBehindCast(node: SyntaxNode): BehindCast | null {
  const inner = operandOf(node);
  return inner && behindCast(node, inner);
}

function behindCast(node: SyntaxNode, inner: SyntaxNode): BehindCast | null {
  const first = inner.type === "call_expression" ? childOf(inner, "function") : null;
  if (first?.type === "parenthesized_expression") {
    const list = childOf(inner, "arguments");
    if (list === null || namedChildren(list).length !== 1) return null;
    return { callee: first, value: on(node, inner, { ...list, type: "parenthesized_expression" }) };
  }
  const found = postfixBehindCast(inner);
  return found && { callee: found.callee, value: on(node, inner, found.value) };
}

function operandOf(node: SyntaxNode): SyntaxNode | null {
  if (node.type === "call_expression") return childOf(node, "function");
  return /^(subscript|field)_expression$/.test(node.type) ? childOf(node, "argument") : null;
}

function on(node: SyntaxNode, before: SyntaxNode, operand: SyntaxNode): SyntaxNode {
  const { start } = operand;
  const children = node.children.map((child) =>
    child === before ? { ...operand, field: child.field } : child,
  );
  return { ...node, start, children };
}
