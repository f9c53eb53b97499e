// Which line nvcc charges a copy of a class (a struct, a float4) to: both sides are one statement to it, with one line.
import type { AccessSite, Expression } from "../../ir/expression.ts";
import { childOf, type SyntaxNode } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { type LValue, siteAt, type Value } from "../expressions/value.ts";

/**
 * The value of `target = value`, and the site of its store, for the assignment of one place to another. nvcc charges load and store to the
 * last token of the right side; where the assignment calls a function, to the left side (fixtures/codegen: lines/copy*).
 */
export function chargedCopy(
  context: Context,
  assignment: { readonly target: LValue; readonly source: Value; readonly node: SyntaxNode },
  value: Expression,
  site: AccessSite | null,
): { readonly value: Expression; readonly site: AccessSite | null } {
  const { target, source, node } = assignment;
  const isCopy = target.type.kind === "class" && source.kind === "place" && source.node !== null;
  if (!isCopy || site === null || source.node === null) return { value, site };
  if (!callsFunction(context, node))
    return { value, site: chargedTo(site, siteAt(context, lastToken(source.node))) };
  if (value.kind !== "load" || value.site === null) return { value, site };
  return { value: { ...value, site: chargedTo(value.site, site) }, site };
}

function chargedTo(site: AccessSite, other: AccessSite): AccessSite {
  return { ...site, merged: [...site.merged, other.range] };
}

/** The last token that is no closing bracket: what nvcc takes the line of. */
function lastToken(node: SyntaxNode): SyntaxNode {
  const last = node.children.findLast((child) => child.type !== "]" && child.type !== ")");
  return last ? lastToken(last) : node;
}

/** Whether a call is written in it; a cast that looks like one is none. */
function callsFunction(context: Context, node: SyntaxNode): boolean {
  if (node.type === "call_expression") {
    const name = childOf(childOf(node, "function") ?? node, "name");
    if (name === null || !/^(static|reinterpret|const)_cast$/.test(textOf(context, name))) return true;
  }
  return node.children.some((child) => callsFunction(context, child));
}
