// What the grammar took for the parameters of a function, `dim3 grid(n * m, sizes[0], f(k))`, read as the arguments that they are.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";

/** The expressions in a `parameter_list` or `argument_list`; null stands for what can be no expression. */
export function misreadArguments(list: SyntaxNode): (SyntaxNode | null)[] {
  return namedChildren(list).map((node) => {
    if (node.type !== "parameter_declaration") return node;
    const type = childOf(node, "type");
    if (type === null) return null;
    const [declarator, ...rest] = node.children.filter((child) => child !== type);
    if (declarator === undefined) return type;
    return rest.length > 0 ? null : applied(type, declarator);
  });
}

/** `n` with the declarator `* m` or `* (m)` is a product, with `[0]` a subscript, with `(k)` a call. */
export function applied(value: SyntaxNode, declarator: SyntaxNode): SyntaxNode | null {
  const operator = declarator.children.find((child) => child.type === "*" || child.type === "&");
  if (/^(abstract_)?(pointer|reference)_declarator$/.test(declarator.type) && operator) {
    const operand = namedChildren(declarator).at(-1);
    const right = named(operand) ?? inParentheses(operand);
    if (right === null) return null;
    const children = [as(value, "left"), as(operator, "operator"), as(right, "right")];
    return made("binary_expression", children);
  }
  return suffixed(value, declarator);
}

/** The right operand of a misread product: a name, or a name with subscripts or arguments. */
function named(node: SyntaxNode | undefined): SyntaxNode | null {
  if (node === undefined) return null;
  if (/identifier$/.test(node.type)) return node;
  if (!/^(array|function)_declarator$/.test(node.type)) return null;
  const inner = named(childOf(node, "declarator") ?? undefined);
  return inner && suffix(inner, node);
}

/** `(m * k)`, taken for the parameters of a function without a name. */
function inParentheses(node: SyntaxNode | undefined): SyntaxNode | null {
  const parameters = node?.type === "abstract_function_declarator" ? childOf(node, "parameters") : null;
  if (parameters === null || node?.children.length !== 1) return null;
  const [value, ...rest] = misreadArguments(parameters);
  if (!value || rest.length > 0) return null;
  const children = parameters.children.map((child) => (child.isNamed ? as(value, null) : child));
  return { ...parameters, type: "parenthesized_expression", children };
}

/** `n` with the declarator `[0]` is a subscript, with `(k)` a call; null where it is neither. */
export function suffixed(value: SyntaxNode, declarator: SyntaxNode): SyntaxNode | null {
  if (!/^abstract_(array|function)_declarator$/.test(declarator.type)) return null;
  const inner = childOf(declarator, "declarator");
  const base = inner ? suffixed(value, inner) : value;
  return base && suffix(base, declarator);
}

/** `base` with what stands in the brackets behind a declarator as its index, or in the parentheses as its arguments; null where neither does. */
export function suffix(base: SyntaxNode, declarator: SyntaxNode): SyntaxNode | null {
  const size = childOf(declarator, "size");
  if (size) return subscripted(base, size, declarator.end);
  const parameters = childOf(declarator, "parameters");
  if (parameters === null) return null;
  const list = misreadArguments(parameters);
  const given = list.filter((each) => each !== null);
  if (given.length < list.length) return null;
  const callArguments = { ...parameters, type: "argument_list", field: "arguments", children: given };
  return { ...made("call_expression", [as(called(base), "function"), callArguments]), end: declarator.end };
}

/** `base[index]`, whose text ends at `end`. */
export function subscripted(base: SyntaxNode, index: SyntaxNode, end: number): SyntaxNode {
  const indices = as(made("subscript_argument_list", [as(index, null)]), "indices");
  return { ...made("subscript_expression", [as(base, "argument"), indices]), end };
}

/** `B<float>` is a type where it stands before a declarator, and a function of its own kind of node where it is called. */
function called(base: SyntaxNode): SyntaxNode {
  if (base.type === "template_type") return { ...base, type: "template_function" };
  if (base.type !== "qualified_identifier") return base;
  return {
    ...base,
    children: base.children.map((child) => (child.field === "name" ? called(child) : child)),
  };
}

function as(node: SyntaxNode, field: string | null): SyntaxNode {
  return { ...node, field };
}

function made(type: string, children: readonly SyntaxNode[]): SyntaxNode {
  const start = children[0]?.start ?? 0;
  const end = children.at(-1)?.end ?? start;
  return { type, field: null, isNamed: true, start, end, children, hasError: false };
}
