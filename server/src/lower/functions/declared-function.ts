// The entity that a function's declaration declares, and the parts of its declarator.
import { childOf, namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import type { FunctionEntity, TemplateParameterNode } from "../names/entity.ts";
import type { ClassInfo } from "../types/class.ts";
import { parameterNodes } from "../types/declarator.ts";
import { specifierWords } from "../types/type-specifier.ts";

/** The entity that a function definition or declaration declares; null where it has no name. */
export function functionEntity(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode | null,
  around: Surroundings,
): FunctionEntity | null {
  const parts = functionParts(declarator);
  if (declarator === null) return null;
  const { nameNode } = parts;
  const conversion = conversionIn(declarator);
  const functionNode = parts.functionNode ?? functionParts(conversion).functionNode;
  const name = conversion ? "operator cast" : nameOf(context, nameNode);
  if (name === null) return null;
  const words = specifierWords(context, node);
  const body = childOf(node, "body");
  const isDeleted = node.children.some((child) => child.type === "delete_method_clause");
  if (isDeleted) return null;
  const own = conversion ? [] : autoParameters(context, functionNode);
  const parameters = own.length > 0 ? [...(around.parameters ?? []), ...own] : around.parameters;
  return {
    kind: "function",
    key: context.translation.nextId(),
    name,
    unit: context.unit,
    node,
    declarator: functionNode,
    body: body?.type === "try_statement" ? childOf(body, "body") : body,
    scope: context.scope,
    parameters: parameters !== null && parameters.length === 0 ? null : parameters,
    specializes: explicitArguments(nameNode) ?? (around.parameters?.length === 0 ? "deduced" : null),
    memberOf: around.memberOf,
    isStatic: words.has("static"),
    isConstMember:
      functionNode?.children.some(
        (child) => child.type === "type_qualifier" && textOf(context, child) === "const",
      ) ?? false,
    isVirtual: words.has("virtual"),
    conversion,
    isLambda: false,
  };
}

/** The `operator T` of a declarator, with or without its class in front; null where it is none. */
function conversionIn(declarator: SyntaxNode): SyntaxNode | null {
  if (declarator.type === "operator_cast") return declarator;
  const name = declarator.type === "qualified_identifier" ? childOf(declarator, "name") : null;
  return name && conversionIn(name);
}

/** `auto` parameters are template parameters of their own, called `auto#index`. */
export function autoParameters(context: Context, declarator: SyntaxNode | null): TemplateParameterNode[] {
  const list = declarator ? childOf(declarator, "parameters") : null;
  if (list === null || !/\bauto\b/.test(textOf(context, list))) return [];
  return parameterNodes(list).flatMap((node, index): TemplateParameterNode[] => {
    const type = childOf(node, "type");
    if (type?.type !== "placeholder_type_specifier" && type?.type !== "auto") return [];
    const isPack = node.type === "variadic_parameter_declaration";
    const isConstrained = childOf(type, "constraint") !== null;
    return [
      { name: `auto#${index}`, kind: "type", isPack, isConstrained, defaultNode: null, declaration: node },
    ];
  });
}

/** The function_declarator and the name inside a declarator such as `*f(int)`. */
export function functionParts(declarator: SyntaxNode | null): {
  functionNode: SyntaxNode | null;
  nameNode: SyntaxNode | null;
} {
  let functionNode: SyntaxNode | null = null;
  let node = declarator;
  while (node) {
    if (/function_declarator$/.test(node.type)) functionNode = node;
    const inner: SyntaxNode | null =
      childOf(node, "declarator") ??
      (/^(reference|parenthesized|attributed)_declarator$/.test(node.type)
        ? (namedChildren(node).find((child) => /declarator$|identifier$|_name$|template_/.test(child.type)) ??
          null)
        : null);
    if (inner === null) break;
    node = inner;
  }
  return { functionNode, nameNode: node };
}

/** The last name of a declarator, without qualification and template arguments; null for what is no name. */
export function nameOf(context: Context, node: SyntaxNode | null): string | null {
  if (node === null) return null;
  if (node.type === "qualified_identifier") {
    const last = node.children.filter((child) => child.field === "name" && child.isNamed).at(-1);
    return last ? nameOf(context, last) : null;
  }
  if (node.type === "template_function" || node.type === "template_method") {
    return nameOf(context, childOf(node, "name"));
  }
  if (!/identifier$|_name$/.test(node.type)) return null;
  return textOf(context, node).replace(/\s+/g, "");
}

/** `<int>` of `f<int>`: the declaration specialises; null otherwise. */
export function explicitArguments(nameNode: SyntaxNode | null): SyntaxNode | null {
  if (nameNode?.type === "template_function" || nameNode?.type === "template_method") {
    return childOf(nameNode, "arguments");
  }
  return null;
}

/** What a declaration in a template or class needs besides its node. */
export interface Surroundings {
  readonly parameters: readonly TemplateParameterNode[] | null;
  readonly memberOf: ClassInfo | null;
  /** `extern` where a linkage specification has this one declaration. */
  readonly linkage?: "extern";
}
