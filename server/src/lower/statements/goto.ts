// Jumps to labels, rewritten as the structured statements that they are: an early return, a block that is left, a loop that is repeated.
import type { Statement } from "../../ir/statement.ts";
import { booleanType } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { namedChildren } from "../../syntax/node.ts";
import { type Context, rangeOf, temporary, textOf } from "../context.ts";
import { assignOf, constantOf, loadOf, variablePlace } from "../expressions/build.ts";

type Jump = "break_statement" | "continue_statement" | "return_statement";

/** Statements in which `break` and `continue` mean something else than outside. */
const ownJumps =
  /^(for_statement|for_range_loop|while_statement|do_statement|switch_statement|lambda_expression)$/;

/**
 * The statements of a block without jumps to its labels, as far as they can be structured: forward and backward jumps, and every jump to
 * the end of the function. Jumps into blocks stay as they are, as do those past declarations. One that leaves loops notes in a variable
 * that it does, and each of the loops around ends by that.
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
  if (skipped.some((node) => node.type === "declaration")) return nodes;
  const [loop, ...others] = skipped;
  const rest = nodes.slice(at);
  if (loop !== undefined && others.length === 0 && ownJumps.test(loop.type))
    return [...nodes.slice(0, first), flag(loop, "clear", label), left(context, loop, label), ...rest];
  const body = skipped.map((node) => replaced(context, node, label, "break_statement"));
  return [...nodes.slice(0, first), onceOf(withFlag(context, skipped, body, label)), ...rest];
}

/** `L: … if (c) goto L;` is a loop that `continue` repeats. What is declared in it is seen behind it too, so that the loop goes on to the end of the block. */
function backward(context: Context, nodes: readonly SyntaxNode[], label: string): readonly SyntaxNode[] {
  const at = nodes.findIndex((node) => labelOf(context, node) === label);
  const last = nodes.findLastIndex((node) => jumpsTo(context, node, label));
  if (at < 0 || last < at) return nodes;
  const declares = nodes.slice(at, last + 1).some((node) => node.type === "declaration" || isLabelled(node));
  const end = declares ? nodes.length : last + 1;
  const repeated = nodes.slice(at, end);
  if (nodes.slice(last + 1, end).some(leavesAround)) return nodes;
  const body = repeated.map((node) => replaced(context, node, label, "continue_statement"));
  return [...nodes.slice(0, at), onceOf(withFlag(context, repeated, body, label)), ...nodes.slice(end)];
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
  if (type !== "return_statement" && ownJumps.test(node.type)) {
    const { start, end } = node;
    const jump = made(type, null, [], { start, end });
    const children = [left(context, node, label), flag(node, "test", label, [jump])];
    return made("compound_statement", node.field, children, node);
  }
  return { ...node, children: node.children.map((child) => replaced(context, child, label, type)) };
}

/** A loop or switch in which each jump to the label notes that it leaves, and ends it. */
function left(context: Context, node: SyntaxNode, label: string): SyntaxNode {
  const inside = (child: SyntaxNode): SyntaxNode => {
    if (isJumpTo(context, child, label)) {
      const jump = made("break_statement", null, [], child);
      return made("compound_statement", child.field, [flag(child, "set", label), jump], child);
    }
    if (ownJumps.test(child.type)) return replaced(context, child, label, "break_statement");
    return { ...child, children: child.children.map(inside) };
  };
  return { ...node, children: node.children.map(inside) };
}

/** Statements with the variable that loops in them are left by, where there are any. */
function withFlag(
  context: Context,
  nodes: readonly SyntaxNode[],
  body: readonly SyntaxNode[],
  label: string,
): readonly SyntaxNode[] {
  const [first] = nodes;
  const isNeeded = first !== undefined && nodes.some((node) => leavesLoop(context, node, label));
  return isNeeded ? [flag(first, "clear", label), ...body] : body;
}

/** What is done to the variable that says whether a jump to the label is under way. */
type FlagUse = "clear" | "set" | "test";

const flagUses: ReadonlyMap<string, FlagUse> = new Map([
  ["jump_flag_clear", "clear"],
  ["jump_flag_set", "set"],
  ["jump_flag_test", "test"],
]);

/** A statement that no grammar has. The label's name is its field; a test holds what is done then. */
function flag(at: SyntaxNode, use: FlagUse, label: string, children: readonly SyntaxNode[] = []): SyntaxNode {
  return made(`jump_flag_${use}`, label, children, at);
}

/** The statement that `node` is where it is one of those; null where it is not. */
export function jumpFlag(
  context: Context,
  node: SyntaxNode,
  lower: (node: SyntaxNode) => readonly Statement[],
): Statement[] | null {
  const use = flagUses.get(node.type);
  const { body } = context;
  if (use === undefined || body === null || node.field === null) return null;
  const variable = body.jumpFlags.get(node.field) ?? temporary(context, booleanType);
  body.jumpFlags.set(node.field, variable);
  const place = variablePlace(variable);
  const range = rangeOf(context, node);
  if (use === "test")
    return [
      {
        kind: "if",
        condition: loadOf(place, null),
        whenTrue: node.children.flatMap(lower),
        whenFalse: [],
        range,
      },
    ];
  const value = constantOf(booleanType, use === "set" ? 1 : 0);
  return [{ kind: "evaluate", expression: assignOf(place, value, null), range }];
}

/** `for (;;) { …; break; }` */
function onceOf(body: readonly SyntaxNode[]): SyntaxNode {
  const start = body[0]?.start ?? 0;
  const range = { start, end: body.at(-1)?.end ?? start };
  const end = made("break_statement", null, [], range);
  const block = made("compound_statement", "body", [...body, end], range);
  return made("for_statement", null, [block], range);
}

function made(
  type: string,
  field: string | null,
  children: readonly SyntaxNode[],
  { start, end }: Pick<SyntaxNode, "start" | "end">,
): SyntaxNode {
  return { type, field, isNamed: true, start, end, children, hasError: false };
}
