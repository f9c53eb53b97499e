// Which type parameters of a kernel stand for integers: those whose values choose places, as in `data[row * pitch + i]`.
import { childOf, childrenOf, namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { nameText } from "./parameters.ts";

/**
 * Whether variables of the type `typeName`, or what pointers to it point to, stand in subscripts of `kernel`, or are divided with remainder,
 * shifted or masked: C++ allows integers alone there. What is converted on the way to a subscript may be anything.
 */
export function isIndexType(context: Context, kernel: SyntaxNode, typeName: string): boolean {
  const names = new Set<string>();
  forEachNode(kernel, (node) => {
    if (node.type !== "parameter_declaration" && node.type !== "declaration") return;
    const type = childOf(node, "type");
    if (type === null || textOf(context, type) !== typeName) return;
    for (const declarator of childrenOf(node, "declarator")) names.add(nameText(context, declarator));
  });
  const holdsName = (node: SyntaxNode): boolean =>
    node.type === "identifier"
      ? names.has(textOf(context, node))
      : !conversions.has(node.type) && node.children.some(holdsName);
  let isIndex = false;
  forEachNode(kernel, (node) => {
    if (node.type === "subscript_expression") {
      const index = childOf(node, "indices") ?? childOf(node, "index");
      isIndex ||= index !== null && holdsName(index);
    }
    if (node.type !== "binary_expression") return;
    const operator = childOf(node, "operator");
    if (operator === null || !integerOperators.has(operator.type)) return;
    isIndex ||= namedChildren(node).some((operand) => operand.type === "identifier" && holdsName(operand));
  });
  return isIndex;
}

const integerOperators = new Set(["%", "<<", ">>", "&", "|", "^"]);
const conversions = new Set(["cast_expression", "call_expression"]);

function forEachNode(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node);
  for (const child of node.children) forEachNode(child, visit);
}
