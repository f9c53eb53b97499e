// `T (*rows)[32] = …` and `void (*kernel)(Job) = …` in a function, which the grammar takes for a call of `T` with a subscript, or for a call of what
// it gives, read as the declarations that they are.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { namesType } from "../expressions/call.ts";

/** The declaration that an expression statement is: of a pointer or reference to an array or a function; null where it is none. */
export function misreadDeclaration(context: Context, node: SyntaxNode): SyntaxNode | null {
  const isAssignment = node.type === "assignment_expression";
  const left = isAssignment ? childOf(node, "left") : node;
  const value = isAssignment ? childOf(node, "right") : null;
  const equals = node.children.find((child) => child.type === "=");
  if (left === null || (isAssignment && (value === null || !equals))) return null;
  const parts = functionParts(context, left) ?? arrayParts(left);
  if (parts === null || !namesType(context, parts.type)) return null;
  const inner = { ...parts.declarator, field: "declarator" };
  const declarator =
    value && equals ? made("init_declarator", [inner, equals, { ...value, field: "value" }]) : inner;
  return made("declaration", [
    { ...parts.type, field: "type" },
    { ...declarator, field: "declarator" },
  ]);
}

/** `T(*p)(A, B)`: parameters that are but names of types look like arguments. */
function functionParts(context: Context, node: SyntaxNode): ArrayParts | null {
  const called = childOf(node, "function");
  const list = childOf(node, "arguments");
  if (node.type !== "call_expression" || called?.type !== "call_expression" || list === null) return null;
  const inner = calledParts(called);
  if (inner === null || !namedChildren(list).every((each) => namesType(context, each))) return null;
  const parameters = list.children.map((child) =>
    child.isNamed ? made("parameter_declaration", [{ ...child, field: "type" }]) : child,
  );
  const children = [
    { ...inner.declarator, field: "declarator" },
    { ...list, type: "parameter_list", field: "parameters", children: parameters },
  ];
  return { type: inner.type, declarator: made("function_declarator", children) };
}

interface ArrayParts {
  readonly type: SyntaxNode;
  readonly declarator: SyntaxNode;
}

/** `T(*p)[a][b]`: the type and the declarator. */
function arrayParts(node: SyntaxNode): ArrayParts | null {
  if (node.type !== "subscript_expression") return null;
  const base = childOf(node, "argument");
  const indices = childOf(node, "indices");
  const [size, ...more] = indices ? namedChildren(indices) : [];
  if (base === null || !size || more.length > 0) return null;
  const inner = base.type === "call_expression" ? calledParts(base) : arrayParts(base);
  if (inner === null) return null;
  const children = [
    { ...inner.declarator, field: "declarator" },
    { ...size, field: "size" },
  ];
  return { type: inner.type, declarator: { ...made("array_declarator", children), end: node.end } };
}

function calledParts(node: SyntaxNode): ArrayParts | null {
  const type = childOf(node, "function");
  const list = childOf(node, "arguments");
  const [only, ...more] = list ? namedChildren(list) : [];
  if (type === null || list === null || !only || more.length > 0) return null;
  const declarator = pointerDeclarator(only);
  return (
    declarator && { type, declarator: { ...list, type: "parenthesized_declarator", children: [declarator] } }
  );
}

function pointerDeclarator(node: SyntaxNode): SyntaxNode | null {
  const sign = node.children.find((child) => !child.isNamed);
  const argument = childOf(node, "argument");
  if (node.type !== "pointer_expression" || !sign || argument === null) return null;
  const inner =
    argument.type === "identifier" ? argument : (pointerDeclarator(argument) ?? tableDeclarator(argument));
  if (inner === null) return null;
  const type = sign.type === "*" ? "pointer_declarator" : "reference_declarator";
  return made(type, [sign, { ...inner, field: "declarator" }]);
}

/** `p[2]`, `p[]`: of a table of pointers. */
function tableDeclarator(node: SyntaxNode): SyntaxNode | null {
  const name = childOf(node, "argument");
  const indices = childOf(node, "indices");
  if (node.type !== "subscript_expression" || name?.type !== "identifier" || indices === null) return null;
  const sizes = namedChildren(indices).map((size) => ({ ...size, field: "size" }));
  return { ...made("array_declarator", [{ ...name, field: "declarator" }, ...sizes]), end: node.end };
}

function made(type: string, children: readonly SyntaxNode[]): SyntaxNode {
  const start = children[0]?.start ?? 0;
  const end = children.at(-1)?.end ?? start;
  return { type, field: null, isNamed: true, start, end, children, hasError: false };
}
