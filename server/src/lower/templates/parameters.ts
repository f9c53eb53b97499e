// The parameters of templates, as they are declared.
import { childOf, namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import type { TemplateParameterNode } from "../names/entity.ts";
import { constrainedDefault, isConstrainedType } from "./constrained.ts";

/** The parameters in a template_parameter_list. */
export function templateParameters(context: Context, list: SyntaxNode): TemplateParameterNode[] {
  const nodes = namedChildren(list);
  return nodes.flatMap((node, index) =>
    node.type === "ERROR" ? [] : [templateParameter(context, node, nodes[index + 1])],
  );
}

function templateParameter(
  context: Context,
  node: SyntaxNode,
  next: SyntaxNode | undefined,
): TemplateParameterNode {
  const isPack = node.type.startsWith("variadic_") || node.children.some((child) => child.type === "...");
  if (/template_template/.test(node.type)) {
    const inner = namedChildren(node).at(-1) ?? node;
    const { name, defaultNode } = typeParameter(context, inner);
    return {
      name,
      kind: "template",
      isPack: isPack || /variadic/.test(inner.type),
      isConstrained: false,
      defaultNode,
      declaration: node,
    };
  }
  if (/type_parameter_declaration$/.test(node.type)) {
    return { ...typeParameter(context, node), kind: "type", isPack, isConstrained: false, declaration: node };
  }
  if (isConstrainedType(context, node)) {
    return {
      name: nameText(context, childOf(node, "declarator")),
      kind: "type",
      isPack,
      isConstrained: true,
      defaultNode: constrainedDefault(node, next),
      declaration: node,
    };
  }
  return {
    name: nameText(context, childOf(node, "declarator")),
    kind: "value",
    isPack,
    isConstrained: false,
    defaultNode: childOf(node, "default_value"),
    declaration: node,
  };
}

function typeParameter(context: Context, node: SyntaxNode): { name: string; defaultNode: SyntaxNode | null } {
  const nameNode =
    childOf(node, "name") ?? namedChildren(node).find((child) => child.type === "type_identifier");
  return { name: nameNode ? textOf(context, nameNode) : "", defaultNode: childOf(node, "default_type") };
}

/** The name that a declarator declares; empty where it declares none. */
export function nameText(context: Context, declarator: SyntaxNode | null): string {
  if (declarator === null) return "";
  if (/identifier$/.test(declarator.type)) return textOf(context, declarator);
  return nameText(context, childOf(declarator, "declarator") ?? namedChildren(declarator).at(-1) ?? null);
}
