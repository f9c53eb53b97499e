// A statement that is not understood: what the host surely changes by it is not known any more.
import type { Statement } from "../../ir/statement.ts";
import { voidType } from "../../ir/type.ts";
import { childOf, namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { type Context, rangeOf, sideOf } from "../context.ts";
import { addressOf, unknownValue } from "../expressions/build.ts";
import { expression } from "../expressions/expression.ts";
import { orElse } from "../unsupported.ts";

/** Stands for `node`, of which nothing is known but `reason`. */
export function notUnderstood(context: Context, node: SyntaxNode, reason: string): Statement[] {
  const range = rangeOf(context, node);
  const statement: Statement = { kind: "unknown", reason, range };
  const target = sideOf(context) === "host" ? changedBy(node) : null;
  const changed =
    target &&
    orElse(
      () => expression(context, target),
      () => null,
    );
  if (changed?.kind !== "place") return [statement];
  return [
    statement,
    { kind: "evaluate", expression: unknownValue(voidType, reason, [addressOf(changed.place)]), range },
  ];
}

/** What is assigned to, or the object whose member is called; null where the statement is neither. */
function changedBy(node: SyntaxNode): SyntaxNode | null {
  const [inner] = node.type === "expression_statement" ? namedChildren(node) : [node];
  if (inner?.type === "assignment_expression") return childOf(inner, "left");
  const called = inner?.type === "call_expression" ? childOf(inner, "function") : null;
  return called?.type === "field_expression" ? childOf(called, "argument") : null;
}
