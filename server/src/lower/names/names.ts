// Names in the text to entities: plain, qualified, and with template arguments.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { textOf } from "../context.ts";
import { instantiateTemplate } from "../templates/template.ts";
import { templateArgumentsOf } from "../templates/written-arguments.ts";
import type { ClassInfo } from "../types/class.ts";
import type { CxxType } from "../types/cxx-type.ts";
import { resolveType } from "../types/type-specifier.ts";
import { Unsupported } from "../unsupported.ts";
import type { Entity } from "./entity.ts";
import { operatorAt } from "./owner.ts";
import type { Scope } from "./scope.ts";

/** What a name node means; `arguments` is its template_argument_list, if it has one. */
export interface NamedEntities {
  /** The last part of the name. */
  readonly name: string;
  /** As the user wrote it, white space and template arguments left out: `std::min`. */
  readonly qualifiedName: string;
  readonly entities: readonly Entity[];
  readonly arguments: SyntaxNode | null;
  /** Whether it was written with `::`. */
  readonly isQualified: boolean;
}

/** Looks up identifier, type_identifier, field_identifier, template_type, template_function and qualified_identifier nodes. */
export function lookupNode(context: Context, node: SyntaxNode): NamedEntities {
  if (node.type === "qualified_identifier") return lookupQualified(context, node);
  const { name, list } = nameAndArguments(context, node);
  return {
    name,
    qualifiedName: name,
    entities: context.scope.lookup(name),
    arguments: list,
    isQualified: false,
  };
}

function lookupQualified(context: Context, node: SyntaxNode): NamedEntities {
  const scopeNode = childOf(node, "scope");
  const inner = node.children.filter((child) => child.field === "name" && child.isNamed).at(-1);
  if (!inner) throw new Unsupported("an incomplete name");
  const found = scopeNode === null ? context.translation.global : scopeOfNode(context, scopeNode);
  const prefix = scopeNode === null ? "" : plainText(context, scopeNode);
  if (inner.type === "qualified_identifier" || inner.type === "dependent_name") {
    const target = inner.type === "dependent_name" ? (namedChildren(inner)[0] ?? inner) : inner;
    if (found === null) return unresolved(context, node, target);
    const rest = lookupIn(context, target, found, context);
    return { ...rest, qualifiedName: prefix ? `${prefix}::${rest.qualifiedName}` : rest.qualifiedName };
  }
  if (found === null) return unresolved(context, node, inner);
  const rest = lookupIn(context, inner, found, context);
  return { ...rest, qualifiedName: prefix ? `${prefix}::${rest.name}` : rest.name };
}

/** The rest of a qualified name inside `scope`; template arguments are read in the scope of the use. */
function lookupIn(context: Context, node: SyntaxNode, scope: Scope, outer: Context): NamedEntities {
  if (node.type === "qualified_identifier") {
    const scopeNode = childOf(node, "scope");
    const inner = node.children.filter((child) => child.field === "name" && child.isNamed).at(-1);
    if (!scopeNode || !inner) throw new Unsupported("an incomplete name");
    const { name, list } = nameAndArguments(context, scopeNode);
    const next = scopeOfEntity(outer, scope.own(name), list);
    if (next === null) return unresolved(context, node, inner);
    const rest = lookupIn(context, inner, next, outer);
    return { ...rest, qualifiedName: `${name}::${rest.qualifiedName}` };
  }
  const { name, list } = nameAndArguments(context, node);
  const own = scope.own(name);
  const entities = own.length === 0 ? injectedName(scope, name) : own;
  return { name, qualifiedName: name, entities, arguments: list, isQualified: true };
}

/** In a class its name stands for itself: `Base<T>::Base`. */
function injectedName(scope: Scope, name: string): readonly Entity[] {
  if (scope.kind !== "class") return [];
  const self = scope.own("$self");
  return self.filter((entity) => {
    const type = entity.kind === "type" ? entity.type() : null;
    return type?.kind === "class" && type.info.name === name;
  });
}

/** The class that a name stands for, with its template arguments and scopes; null where it stands for none. */
export function classNamed(context: Context, node: SyntaxNode): ClassInfo | null {
  const { entities, arguments: list } = lookupNode(context, node);
  for (const entity of entities) {
    const type =
      entity.kind === "type"
        ? entity.type()
        : entity.kind === "template" && entity.of !== "variable" && list
          ? instantiateTemplate(context, entity, templateArgumentsOf(context, list, entity.parameters))
          : null;
    if (type?.kind === "class") return type.info;
  }
  return null;
}

function unresolved(context: Context, node: SyntaxNode, last: SyntaxNode): NamedEntities {
  const { name, list } = nameAndArguments(context, lastName(last));
  return {
    name,
    qualifiedName: plainText(context, node),
    entities: [],
    arguments: list ?? (name === "value" || name === "type" ? traitArguments(node) : null),
    isQualified: true,
  };
}

/** The arguments of `Trait<…>::value`, whatever scopes the trait is in. */
function traitArguments(node: SyntaxNode): SyntaxNode | null {
  const scope = childOf(node, "scope");
  const inner = childOf(node, "name");
  if (inner?.type === "qualified_identifier") return traitArguments(inner);
  return scope && /^template_/.test(scope.type) ? childOf(scope, "arguments") : null;
}

function lastName(node: SyntaxNode): SyntaxNode {
  if (node.type !== "qualified_identifier") return node;
  const inner = node.children.filter((child) => child.field === "name" && child.isNamed).at(-1);
  return inner ? lastName(inner) : node;
}

/** The scope that a `scope::` prefix names, or null where it is not known. */
function scopeOfNode(context: Context, node: SyntaxNode): Scope | null {
  if (node.type === "decltype") return scopeOfType(resolveType(context, node));
  const { name, list } = nameAndArguments(context, node);
  // Before `::` only namespaces and types count: a parameter `dir` does not hide an enumeration of that name.
  for (let scope: Scope | null = context.scope; scope; scope = scope.parent) {
    const found = scopeOfEntity(context, scope.own(name), list);
    if (found !== null) return found;
  }
  return null;
}

function scopeOfEntity(context: Context, entities: readonly Entity[], list: SyntaxNode | null): Scope | null {
  for (const entity of entities) {
    if (entity.kind === "namespace") return entity.scope;
    const named = entity.kind === "type" ? scopeOfType(entity.type()) : null;
    if (named) return named;
    if (entity.kind === "template" && list) {
      const type = instantiateTemplate(
        context,
        entity,
        templateArgumentsOf(context, list, entity.parameters),
      );
      if (type.kind === "class") return memberScope(type.info);
    }
  }
  return null;
}

function scopeOfType(type: CxxType): Scope | null {
  if (type.kind === "class") return memberScope(type.info);
  return type.kind === "enum" ? type.info.scope : null;
}

/** The scope of a class with its bases joined: they are known once it is laid out. */
export function memberScope(info: {
  readonly scope: Scope;
  layout(): unknown;
  isIncomplete(): boolean;
}): Scope {
  if (!info.isIncomplete()) {
    try {
      info.layout();
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
    }
  }
  return info.scope;
}

/** The name of an identifier-like node and its template arguments. */
export function nameAndArguments(
  context: Context,
  node: SyntaxNode,
): { name: string; list: SyntaxNode | null } {
  if (node.type === "identifier") return { name: textOf(context, node), list: null };
  if (node.children.length === 0) return { name: withoutSpace(textOf(context, node)), list: null };
  if (node.type === "dependent_name") {
    const inner = namedChildren(node)[0];
    if (inner) return nameAndArguments(context, inner);
  }
  const nameNode = childOf(node, "name");
  if (nameNode && /^template_/.test(node.type)) {
    return { name: withoutSpace(textOf(context, nameNode)), list: childOf(node, "arguments") };
  }
  return { name: withoutSpace(textOf(context, node)), list: null };
}

const hasSpace = /\s/;

function withoutSpace(text: string): string {
  return hasSpace.test(text) ? text.replace(/\s+/g, "") : text;
}

/** The text of a name without its template arguments and white space. */
export function plainText(context: Context, node: SyntaxNode): string {
  const whole = textOf(context, node);
  const end = operatorAt(whole) ?? whole.length;
  let text = "";
  let depth = 0;
  for (const character of withoutSpace(whole.slice(0, end)).replace(/^::/, "")) {
    if (character === "<") depth += 1;
    if (depth === 0) text += character;
    if (character === ">") depth -= 1;
  }
  return text + withoutSpace(whole.slice(end));
}
