// Which line nvcc charges the accesses of an asm statement to: that of its last operand (test/lower/asm-lines.test.ts).
import { childOf, childrenOf, namedChildren, type SyntaxNode } from "../../syntax/node.ts";

/** The token whose line an asm statement is charged to; the statement itself where no operand has a place: numbers have none. */
export function chargedToken(statement: SyntaxNode): SyntaxNode {
  const values = ["output_operands", "input_operands"].flatMap((field) => {
    const list = childOf(statement, field);
    const operands = list ? childrenOf(list, "operand") : [];
    const nodes = operands.length > 0 ? operands : list ? namedChildren(list) : [];
    return nodes.flatMap((operand) => childOf(operand, "value") ?? []);
  });
  const last = values.findLast((value) => !/literal$/.test(withoutParentheses(value).type));
  return last ? lastToken(last) : statement;
}

function withoutParentheses(node: SyntaxNode): SyntaxNode {
  const [inner] = namedChildren(node);
  return node.type === "parenthesized_expression" && inner ? withoutParentheses(inner) : node;
}

/** The last token that is no closing bracket; of a call, which is no cast, the name of what is called. */
function lastToken(node: SyntaxNode): SyntaxNode {
  const callee = node.type === "call_expression" ? childOf(node, "function") : null;
  const isCast = callee?.type === "template_function" || callee?.type === "primitive_type";
  if (callee && !isCast) return lastToken(callee);
  const last = node.children.findLast(({ type }) => !/^[\])}]$/.test(type));
  return last ? lastToken(last) : node;
}
