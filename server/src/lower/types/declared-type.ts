// Classes, enumerations, aliases and typedefs as entities whose types are resolved when asked for.
import { childOf, childrenOf, type SyntaxNode } from "../../syntax/node.ts";
import { type Context, inScope, textOf } from "../context.ts";
import { functionParts } from "../functions/declared-function.ts";
import type { Entity, TemplateParameterNode } from "../names/entity.ts";
import { plainText } from "../names/names.ts";
import type { Scope } from "../names/scope.ts";
import { declareClassTemplate, templateEntity } from "../templates/declared-template.ts";
import { orElse, Unsupported } from "../unsupported.ts";
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
  if (nameNode.type === "qualified_identifier") {
    if (hasBody && parameters === null) declareNested(context, node, nameNode);
    return;
  }
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

/** `struct Outer::Inner { … };`: a class of the class or namespace that its name says. */
function declareNested(context: Context, node: SyntaxNode, nameNode: SyntaxNode): void {
  const path = plainText(context, nameNode).split("::");
  const name = path.pop() ?? "";
  const scope = orElse(
    () => scopeAt(context, path),
    () => null,
  );
  if (scope === null || node.type === "enum_specifier" || scope.own(name).length > 0) return;
  const inside = inScope(context, scope);
  scope.declare(name, { kind: "type", type: () => resolveType(inside, node) });
}

/** The scope of a path of namespaces and classes. No class is laid out for it: it may have a member of the type that is about to be declared. */
function scopeAt(context: Context, path: readonly string[]): Scope | null {
  const [first, ...rest] = path;
  let scope = first === undefined ? null : innerScope(context.scope.lookup(first));
  for (const part of rest) scope = scope && innerScope(scope.own(part));
  return scope;
}

function innerScope([entity]: readonly Entity[]): Scope | null {
  if (entity?.kind === "namespace") return entity.scope;
  const type = entity?.kind === "type" ? entity.type() : null;
  return type?.kind === "class" ? type.info.scope : null;
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
