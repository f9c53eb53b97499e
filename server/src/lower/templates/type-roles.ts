// What type parameters of a template stand for, by what is done with their values: integers that choose places, as in `data[row * pitch + i]`,
// or objects that are called or have members.
import type { TemplateParameter } from "../../ir/function.ts";
import { childOf, childrenOf, namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { nameText } from "./parameters.ts";

/** What the type parameter `typeName` stands for in `template`. */
export function typeRoleOf(
  context: Context,
  template: SyntaxNode,
  typeName: string,
): TemplateParameter["typeRole"] {
  const names = declaredNames(context, template, typeName);
  if (isObjectType(context, template, { typeName, names })) return "object";
  return isIndexType(context, template, names) ? "index" : "value";
}

/** The variables of a type or of pointers to it, with how many pointers lead to it. */
function declaredNames(
  context: Context,
  template: SyntaxNode,
  typeName: string,
): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  forEachNode(template, (node) => {
    if (!declarations.has(node.type)) return;
    const type = childOf(node, "type");
    if (type === null || textOf(context, type) !== typeName) return;
    for (const declarator of childrenOf(node, "declarator"))
      names.set(nameText(context, declarator), pointersIn(declarator));
  });
  return names;
}

const declarations = new Set(["parameter_declaration", "declaration", "field_declaration"]);

function pointersIn(declarator: SyntaxNode): number {
  const own = /^(pointer|array)_declarator$/.test(declarator.type) ? 1 : 0;
  const inner = childOf(declarator, "declarator") ?? namedChildren(declarator).at(-1);
  return own + (inner && /_declarator$/.test(inner.type) ? pointersIn(inner) : 0);
}

/**
 * Whether values of the type are called, subscripted, dereferenced or asked for members, or the type itself is: `f(i)`, `F{}(a, b)`, `p.stride`,
 * `T::size`.
 */
function isObjectType(
  context: Context,
  template: SyntaxNode,
  { typeName, names }: { readonly typeName: string; readonly names: ReadonlyMap<string, number> },
): boolean {
  /** How many pointers lead from an expression to a value of the type; null for others. */
  const depthOf = (node: SyntaxNode | null): number | null => {
    switch (node?.type) {
      case "identifier":
        return names.get(textOf(context, node)) ?? null;
      case "parenthesized_expression":
        return depthOf(namedChildren(node)[0] ?? null);
      case "subscript_expression":
        return behind(depthOf(childOf(node, "argument")));
      case "pointer_expression":
        return childOf(node, "operator")?.type === "*" ? behind(depthOf(childOf(node, "argument"))) : null;
      case "compound_literal_expression":
        return isTypeName(childOf(node, "type")) ? 0 : null;
      case "call_expression":
        return isTypeName(childOf(node, "function")) ? 0 : null;
      default:
        return null;
    }
  };
  const isTypeName = (node: SyntaxNode | null) => node !== null && textOf(context, node) === typeName;
  let isObject = false;
  forEachNode(template, (node) => {
    const argument = childOf(node, "argument");
    if (node.type === "call_expression") isObject ||= depthOf(childOf(node, "function")) === 0;
    if (node.type === "subscript_expression" || isDereference(node)) isObject ||= depthOf(argument) === 0;
    if (node.type === "field_expression")
      isObject ||= depthOf(argument) === (childOf(node, "operator")?.type === "->" ? 1 : 0);
    if (node.type === "qualified_identifier") isObject ||= isTypeName(childOf(node, "scope"));
  });
  return isObject;
}

function behind(depth: number | null): number | null {
  return depth === null || depth === 0 ? null : depth - 1;
}

function isDereference(node: SyntaxNode): boolean {
  return node.type === "pointer_expression" && childOf(node, "operator")?.type === "*";
}

/**
 * Whether variables of the type, or what pointers to it point to, stand in subscripts, or are divided with remainder, shifted or masked: C++
 * allows integers alone there. What is converted on the way to a subscript may be anything.
 */
function isIndexType(context: Context, template: SyntaxNode, names: ReadonlyMap<string, number>): boolean {
  const holdsName = (node: SyntaxNode): boolean =>
    node.type === "identifier"
      ? names.has(textOf(context, node))
      : !conversions.has(node.type) && node.children.some(holdsName);
  let isIndex = false;
  forEachNode(template, (node) => {
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
