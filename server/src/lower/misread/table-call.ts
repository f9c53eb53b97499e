// `launchers[kind](a, n);` as a statement of its own, which the grammar takes for the declaration of a structured binding, read as the call that it is.
import { childOf, namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { subscripted, suffix } from "./misread.ts";

/** The call that a declaration is; null where it declares something. Only `auto` makes structured bindings. */
export function misreadTableCall(node: SyntaxNode): SyntaxNode | null {
  const [type, declarator, ...others] = namedChildren(node);
  if (type?.field !== "type" || declarator?.type !== "function_declarator" || others.length > 0) return null;
  return type.type === "placeholder_type_specifier" ? null : tableIn(type, declarator);
}

function tableIn(table: SyntaxNode, declarator: SyntaxNode): SyntaxNode | null {
  if (declarator.type === "structured_binding_declarator") {
    const [index, ...others] = namedChildren(declarator);
    return index === undefined || others.length > 0 ? null : subscripted(table, index, declarator.end);
  }
  const inner = childOf(declarator, "declarator");
  const base = inner && tableIn(table, inner);
  return base && suffix(base, declarator);
}
