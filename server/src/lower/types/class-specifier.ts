// Class specifiers in the text to classes, plain ones and instances of templates.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, childrenOf, namedChildren } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { inScope, textOf } from "../context.ts";
import { constantInteger, whyNotConstant } from "../expressions/constant.ts";
import { functionParts } from "../functions/declared-function.ts";
import { declareNode, looksLikeVariable } from "../names/declare.ts";
import type { TemplateArgument, TemplateEntity } from "../names/entity.ts";
import { Scope } from "../names/scope.ts";
import { argumentText } from "../templates/argument-names.ts";
import { expandPack } from "../templates/pack.ts";
import { orElse, Unsupported } from "../unsupported.ts";
import { initializerNode } from "../variables/global.ts";
import { type ClassInfo, type ClassMembers, type FieldDeclaration, SourceClass } from "./class.ts";
import { type CxxType, classType, unknownOf } from "./cxx-type.ts";
import { declare } from "./declarator.ts";
import {
  alignmentBetween,
  alignmentOfClass,
  resolveType,
  specifierWords,
  typeOfSpecifiers,
} from "./type-specifier.ts";

/** Names that typedefs give to classes without one. */
const typedefNames = new WeakMap<SyntaxNode, string>();

export function nameUnnamed(node: SyntaxNode, name: string): void {
  if (childOf(node, "name") === null) typedefNames.set(node, name);
}

/** The class that a specifier defines or, without a body, names. */
export function classOfSpecifier(context: Context, node: SyntaxNode): CxxType {
  const known = context.scope.typeAt(node);
  if (known) return known;
  const nameNode = childOf(node, "name");
  if (childOf(node, "body") === null) {
    if (nameNode === null) throw new Unsupported("a class without a name");
    return resolveType(context, nameNode);
  }
  const written = nameNode ? textOf(context, nameNode).replace(/^.*::\s*/s, "") : null;
  const name = written ?? typedefNames.get(node) ?? "(unnamed)";
  const prefix = context.scope.name ? `${context.scope.name}::` : "";
  return makeClass(context, node, { name, qualifiedName: prefix + name, instanceOf: null });
}

/** The instance of a class template that `node` defines, its parameters bound in the context's scope. */
export function instantiateClass(
  context: Context,
  node: SyntaxNode,
  template: TemplateEntity,
  list: readonly TemplateArgument[],
): CxxType {
  const prefix = template.scope.name ? `${template.scope.name}::` : "";
  const qualifiedName = `${prefix}${template.name}<${list
    .map(argumentText)
    .filter((text) => text !== "")
    .join(",")}>`;
  const instanceOf = { template, arguments: list };
  return makeClass(context, node, { name: template.name, qualifiedName, instanceOf });
}

function makeClass(
  context: Context,
  node: SyntaxNode,
  names: { name: string; qualifiedName: string; instanceOf: ClassInfo["instanceOf"] },
): CxxType {
  const body = childOf(node, "body");
  const scope = new Scope("class", context.scope, names.qualifiedName);
  const inner = inScope(context, scope);
  const info = new SourceClass({
    ...names,
    scope,
    unit: context.unit,
    members: () => membersOf(inner, node, body),
    bases: () => basesOf(inner, node).bases,
  });
  const type = classType(info);
  context.scope.defineType(node, type);
  scope.declare("$self", { kind: "type", type: () => type });
  info.declaring(() => {
    if (body) for (const child of namedChildren(body)) declareNode(inner, child, null, info);
  });
  return type;
}

function membersOf(context: Context, node: SyntaxNode, body: SyntaxNode | null): ClassMembers {
  const { bases, unknownBase } = basesOf(context, node);
  for (const base of bases) context.scope.bases.push(base.scope);
  const fields = body ? namedChildren(body).flatMap((child) => fieldsOf(context, child)) : [];
  const hasVirtual =
    body !== null && namedChildren(body).some((child) => specifierWords(context, child).has("virtual"));
  return {
    fields,
    bases,
    unknownBase,
    isUnion: node.type === "union_specifier",
    hasVirtual,
    ...(body ? alignmentIn(context, node, body) : usualAlignment),
  };
}

const usualAlignment = { alignmentBytes: 1, packingBytes: Infinity, unknownAlignment: null } as const;

function alignmentIn(
  context: Context,
  node: SyntaxNode,
  body: SyntaxNode,
): Pick<ClassMembers, "alignmentBytes" | "packingBytes" | "unknownAlignment"> {
  return orElse<ReturnType<typeof alignmentIn>>(
    () => ({ ...usualAlignment, ...alignmentOfClass(context, node, body) }),
    (reason) => ({ ...usualAlignment, unknownAlignment: reason }),
  );
}

function basesOf(context: Context, node: SyntaxNode): Pick<ClassMembers, "bases" | "unknownBase"> {
  const clause = node.children.find((child) => child.type === "base_class_clause");
  const bases: ClassInfo[] = [];
  let unknownBase: string | null = null;
  if (!clause) return { bases, unknownBase };
  for (const child of namedChildren(clause)) {
    if (child.type === "access_specifier" || child.type === "attribute_declaration") continue;
    const outer = inOuter(context);
    const isPack = clause.children[clause.children.indexOf(child) + 1]?.type === "...";
    const types = isPack
      ? expandPack(outer, child, (each) => resolveType(each, child))
      : [resolveType(outer, child)];
    for (const type of types) {
      if (type.kind === "class") bases.push(type.info);
      else unknownBase ??= `the base ${textOf(context, child)} is not known`;
    }
  }
  return { bases, unknownBase };
}

/** Bases are named in the scope around the class. */
function inOuter(context: Context): Context {
  return context.scope.parent ? inScope(context, context.scope.parent) : context;
}

function fieldsOf(context: Context, node: SyntaxNode): FieldDeclaration[] {
  if (node.type !== "field_declaration") return [];
  if (specifierWords(context, node).has("static")) return [];
  const declarators = childrenOf(node, "declarator");
  const typeNode = childOf(node, "type");
  if (declarators.length === 0) {
    const isAnonymous =
      typeNode && /^(struct|union|class)_specifier$/.test(typeNode.type) && !childOf(typeNode, "name");
    return isAnonymous ? [{ name: "", type: resolveType(context, typeNode) }] : [];
  }
  const data = declarators.filter((declarator) => isData(context, node, declarator));
  if (data.length === 0) return [];
  const { type } = typeOfSpecifiers(context, node);
  return data.map((declarator) => {
    const declared = declare(context, type, declarator);
    const name = declared.name ? textOf(context, declared.name) : "";
    const initializer = initializerNode(node, declarator);
    const bits = bitsOf(context, node, declarator);
    const alignment = orElse<number | string>(
      () => alignmentBetween(context, node, declarator.start),
      (reason) => reason,
    );
    // Where it lies is not known, nor what lies behind it.
    for (const open of [bits, alignment])
      if (typeof open === "string") return { name, type: unknownOf(name, open) };
    return {
      name,
      type: declared.type,
      alignmentBytes: Number(alignment),
      ...(initializer ? { initializer: { node: initializer, context } } : {}),
      ...(typeof bits === "number" && { bits }),
    };
  });
}

function isData(context: Context, node: SyntaxNode, declarator: SyntaxNode): boolean {
  if (declarator.type === "operator_cast") return false;
  const { functionNode } = functionParts(declarator);
  if (functionNode === null) return true;
  if (childOf(functionNode, "declarator")?.type === "parenthesized_declarator") return true;
  return looksLikeVariable(context, node, functionNode);
}

/** The width of a bit-field, or why it is not known; null for what is none. */
function bitsOf(context: Context, node: SyntaxNode, declarator: SyntaxNode): number | string | null {
  const next = node.children[node.children.indexOf(declarator) + 1];
  if (next?.type !== "bitfield_clause") return null;
  const width = namedChildren(next)[0];
  const bits = width ? constantInteger(context, width) : null;
  if (bits !== null) return Number(bits);
  return width ? whyNotConstant(context, width) : "a bit-field has no width";
}
