// Jumps to labels, rewritten as the structured statements that they are: an early return, a block that is left, a loop that is repeated.
import type { SyntaxNode } from "../../syntax/node.ts";
import { namedChildren } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";

type Jump = "break_statement" | "continue_statement" | "return_statement";

/** Statements in which `break` and `continue` mean something else than outside. */
const ownJumps =
  /^(for_statement|for_range_loop|while_statement|do_statement|switch_statement|lambda_expression)$/;

/**
 * The statements of a block without jumps to its labels, as far as they can be structured: forward and backward jumps that leave no loop,
 * and every jump to the end of the function. Other jumps stay as they are.
 */
export function withoutGotos(
  context: Context,
  nodes: readonly SyntaxNode[],
  end: "of the function" | "of a block",
): readonly SyntaxNode[] {
  let current = nodes;
  for (const label of nodes.flatMap((node) => labelOf(context, node) ?? [])) {
    const at = current.findIndex((node) => labelOf(context, node) === label);
    if (at < 0) continue;
    if (end === "of the function" && current.slice(at).every(endsFunction)) {
      current = current.map((node) => replaced(context, node, label, "return_statement"));
    } else current = backward(context, forward(context, current, at, label), label);
  }
  return current;
}

/** `if (c) goto L; … L:` is a block that `break` leaves. */
function forward(
  context: Context,
  nodes: readonly SyntaxNode[],
  at: number,
  label: string,
): readonly SyntaxNode[] {
  const first = nodes.findIndex((node) => jumpsTo(context, node, label));
  if (first < 0 || first >= at) return nodes;
  const skipped = nodes.slice(first, at);
  // What is declared there would not be seen behind the label.
  if (skipped.some((node) => node.type === "declaration" || leavesLoop(context, node, label))) return nodes;
  const body = skipped.map((node) => replaced(context, node, label, "break_statement"));
  return [...nodes.slice(0, first), onceOf(body), ...nodes.slice(at)];
}

/** `L: … if (c) goto L;` is a loop that `continue` repeats. What is declared in it is seen behind it too, so that the loop goes on to the end of the block. */
function backward(context: Context, nodes: readonly SyntaxNode[], label: string): readonly SyntaxNode[] {
  const at = nodes.findIndex((node) => labelOf(context, node) === label);
  const last = nodes.findLastIndex((node) => jumpsTo(context, node, label));
  if (at < 0 || last < at) return nodes;
  const declares = nodes.slice(at, last + 1).some((node) => node.type === "declaration" || isLabelled(node));
  const end = declares ? nodes.length : last + 1;
  const repeated = nodes.slice(at, end);
  if (repeated.some((node) => leavesLoop(context, node, label))) return nodes;
  if (nodes.slice(last + 1, end).some(leavesAround)) return nodes;
  const body = repeated.map((node) => replaced(context, node, label, "continue_statement"));
  return [...nodes.slice(0, at), onceOf(body), ...nodes.slice(end)];
}

function labelOf(context: Context, node: SyntaxNode): string | null {
  if (node.type !== "labeled_statement") return null;
  const name = node.children.find((child) => child.type === "statement_identifier");
  return name ? textOf(context, name) : null;
}

function endsFunction(node: SyntaxNode): boolean {
  if (node.type === "labeled_statement")
    return namedChildren(node).every((child) => child.type === "statement_identifier" || endsFunction(child));
  return (
    (node.type === "return_statement" && namedChildren(node).length === 0) ||
    (node.type === "expression_statement" && namedChildren(node).length === 0) ||
    node.type === "comment"
  );
}

function isJumpTo(context: Context, node: SyntaxNode, label: string): boolean {
  return (
    node.type === "goto_statement" && namedChildren(node).some((child) => textOf(context, child) === label)
  );
}

function jumpsTo(context: Context, node: SyntaxNode, label: string): boolean {
  return isJumpTo(context, node, label) || node.children.some((child) => jumpsTo(context, child, label));
}

/** Whether a jump to the label leaves a loop or switch of its own. */
function leavesLoop(context: Context, node: SyntaxNode, label: string): boolean {
  if (ownJumps.test(node.type)) return jumpsTo(context, node, label);
  return node.children.some((child) => leavesLoop(context, child, label));
}

/** Whether it ends an iteration of a loop, or a switch, around it. */
function leavesAround(node: SyntaxNode): boolean {
  if (node.type === "break_statement" || node.type === "continue_statement") return true;
  return !ownJumps.test(node.type) && node.children.some(leavesAround);
}

/** `L: int n = 0;` declares as well. */
function isLabelled(node: SyntaxNode): boolean {
  return node.type === "labeled_statement" && node.children.some(({ type }) => type === "declaration");
}

function replaced(context: Context, node: SyntaxNode, label: string, type: Jump): SyntaxNode {
  if (isJumpTo(context, node, label)) return { ...node, type, children: [] };
  if (!jumpsTo(context, node, label)) return node;
  return { ...node, children: node.children.map((child) => replaced(context, child, label, type)) };
}

/** `for (;;) { …; break; }` */
function onceOf(body: readonly SyntaxNode[]): SyntaxNode {
  const start = body[0]?.start ?? 0;
  const end = body.at(-1)?.end ?? start;
  const made = (type: string, field: string | null, children: readonly SyntaxNode[]): SyntaxNode => ({
    type,
    field,
    isNamed: true,
    start,
    end,
    children,
    hasError: false,
  });
  const block = made("compound_statement", "body", [...body, made("break_statement", null, [])]);
  return made("for_statement", null, [block]);
}
