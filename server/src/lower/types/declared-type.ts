// Classes, enumerations, aliases and typedefs as entities whose types are resolved when asked for.
import { childOf, childrenOf, type SyntaxNode } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { functionParts } from "../functions/declared-function.ts";
import type { Entity, TemplateParameterNode } from "../names/entity.ts";
import { declareClassTemplate, templateEntity } from "../templates/declared-template.ts";
import { Unsupported } from "../unsupported.ts";
import { nameUnnamed } from "./class-specifier.ts";
import type { CxxType } from "./cxx-type.ts";
import { declare } from "./declarator.ts";
import { resolveType, typeOfDescriptor, typeOfSpecifiers } from "./type-specifier.ts";

/** Declares a class, a union or an enumeration where it has a name and a body; of an unnamed enumeration its enumerators. */
export function declareTag(
  context: Context,
  node: SyntaxNode,
  parameters: readonly TemplateParameterNode[] | null,
): void {
  const nameNode = childOf(node, "name");
  const hasBody = childOf(node, "body") !== null;
  if (nameNode === null) {
    // The enumerators of an unnamed enumeration are names of the scope around it.
    if (node.type === "enum_specifier") resolveType(context, node);
    return;
  }
  if (nameNode.type === "qualified_identifier") return;
  const plain = nameNode.type === "template_type" ? childOf(nameNode, "name") : nameNode;
  const name = plain ? textOf(context, plain) : "";
  if (parameters !== null) {
    declareClassTemplate(context, node, name, parameters, nameNode);
    return;
  }
  if (!hasBody) return;
  const entity: Entity = { kind: "type", type: () => resolveType(context, node) };
  const known = context.scope.own(name);
  if (known.length > 0 && known.every((each) => each.kind === "type") && context.scope.kind !== "block")
    return;
  context.scope.declare(name, entity);
  if (
    node.type === "enum_specifier" &&
    !node.children.some((child) => child.type === "class" || child.type === "struct")
  ) {
    resolveType(context, node);
  }
}

/** `using Name = type;` */
export function declareAlias(
  context: Context,
  node: SyntaxNode,
  parameters: readonly TemplateParameterNode[] | null,
): void {
  const nameNode = childOf(node, "name");
  const typeNode = childOf(node, "type");
  if (nameNode === null || typeNode === null) return;
  const name = textOf(context, nameNode);
  if (parameters) {
    context.scope.declare(name, templateEntity(context, "alias", name, parameters, node));
  } else {
    context.scope.declare(name, {
      kind: "type",
      type: once(name, () => typeOfDescriptor(context, typeNode)),
    });
  }
}

/** `typedef type Name;` */
export function declareTypedef(context: Context, node: SyntaxNode): void {
  const typeNode = childOf(node, "type");
  if (typeNode && /_specifier$/.test(typeNode.type)) declareTag(context, typeNode, null);
  for (const declarator of childrenOf(node, "declarator")) {
    const { nameNode } = functionParts(declarator);
    const name = nameNode ? textOf(context, nameNode) : "";
    const type = once(name, () => declare(context, typeOfSpecifiers(context, node).type, declarator).type);
    if (typeNode && nameNode === declarator) nameUnnamed(typeNode, name);
    const tag = typeNode ? childOf(typeNode, "name") : null;
    if (tag && textOf(context, tag) === name) continue; // typedef struct S {…} S;
    context.scope.declare(name, { kind: "type", type });
  }
}

/** Memoises a type; a type that needs itself is an error, not an endless loop. */
function once(name: string, resolve: () => CxxType): () => CxxType {
  let state: CxxType | "open" | "busy" = "open";
  return () => {
    if (state === "busy") throw new Unsupported(`${name} is defined by itself`);
    if (state !== "open") return state;
    state = "busy";
    try {
      const type = resolve();
      state = type;
      return type;
    } finally {
      if (state === "busy") state = "open";
    }
  };
}
