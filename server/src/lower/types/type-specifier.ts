// Type specifiers in the text to types: `const unsigned long`, `Foo<T>::type`, `decltype(x)`, and what stands beside them
// (storage, const, alignment).
import { alignmentOf } from "../../ir/type.ts";
import { undeclaredReason } from "../../ir/undeclared.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import { builtinType, fundamentalOf } from "../builtins/type.ts";
import type { Context } from "../context.ts";
import { inScope, textOf } from "../context.ts";
import { constantInteger, whyNotConstant } from "../expressions/constant.ts";
import { expression } from "../expressions/expression.ts";
import type { Value } from "../expressions/value.ts";
import type { ConstantEntity, Entity, UnknownEntity } from "../names/entity.ts";
import { lookupNode, plainText } from "../names/names.ts";
import { Scope } from "../names/scope.ts";
import { instantiateTemplate } from "../templates/template.ts";
import { templateArgumentsOf } from "../templates/written-arguments.ts";
import { Unsupported } from "../unsupported.ts";
import { classOfSpecifier } from "./class-specifier.ts";
import {
  autoType,
  boolType,
  type CxxType,
  decltypeAutoType,
  type EnumInfo,
  enumType,
  intType,
  irTypeOf,
  qualify,
  referenceTo,
  typeText,
  unknownOf,
  voidType,
} from "./cxx-type.ts";
import { declare } from "./declarator.ts";
import { standardType } from "./standard-type.ts";
import { textConstant } from "./text-constant.ts";

export interface Specifiers {
  readonly type: CxxType;
  /** static, extern, __shared__, constexpr, inline, virtual… as written. */
  readonly words: ReadonlySet<string>;
}

/** The type and specifiers of a declaration, parameter, field or function definition. */
export function typeOfSpecifiers(context: Context, node: SyntaxNode): Specifiers {
  const words = specifierWords(context, node);
  const typeNode = childOf(node, "type");
  const type = typeNode === null ? voidType : resolveType(context, typeNode);
  const qualifiers = {
    isConst: words.has("const") || words.has("constexpr"),
    isVolatile: words.has("volatile"),
  };
  return { type: qualify(type, qualifiers), words };
}

/** Nodes of a declaration that are no words. */
const signs: ReadonlySet<string> = new Set(
  "< > ( ) { } ; , = () == != <= >= <=> << >> <<< >>> -> ->* += -= *= /= %= &= |= ^= <<= >>=".split(" "),
);

export function specifierWords(context: Context, node: SyntaxNode): Set<string> {
  const words = new Set<string>();
  for (const child of node.children) {
    if (child.field === "type" || child.field === "declarator" || child.field === "body") continue;
    if (child.type === "type_qualifier" && child.children[0]?.type === "alignas_qualifier") continue;
    if (!signs.has(child.type)) words.add(textOf(context, child).trim());
  }
  return words;
}

/** The type of a type_descriptor: `const float*` in a cast, a template argument or sizeof. */
export function typeOfDescriptor(context: Context, node: SyntaxNode): CxxType {
  if (node.type !== "type_descriptor") return resolveType(context, node);
  const { type } = typeOfSpecifiers(context, node);
  return declare(context, type, childOf(node, "declarator")).type;
}

/** The type that a type_specifier node names. */
export function resolveType(context: Context, node: SyntaxNode): CxxType {
  switch (node.type) {
    case "primitive_type":
      return primitive(context, textOf(context, node));
    case "sized_type_specifier":
      return (
        fundamentalOf(textOf(context, node).split(/\s+/)) ??
        unknownOf(textOf(context, node), `the type ${textOf(context, node)} is not understood`)
      );
    case "type_identifier":
    case "identifier":
    case "qualified_identifier":
    case "template_type":
    case "template_function":
      return namedType(context, node);
    case "dependent_type":
    case "dependent_name":
      return resolveType(context, namedChildren(node)[0] ?? node);
    case "struct_specifier":
    case "class_specifier":
    case "union_specifier":
      return classOfSpecifier(context, node);
    case "enum_specifier":
      return enumOfSpecifier(context, node);
    case "placeholder_type_specifier":
    case "auto": {
      const inner = namedChildren(node).find((child) => child.type === "decltype");
      return inner ? resolveType(context, inner) : autoType;
    }
    case "decltype":
      return /^\w+\s*\(\s*auto\s*\)$/.test(textOf(context, node))
        ? decltypeAutoType
        : typeOfDecltype(context, node);
    case "type_descriptor":
      return typeOfDescriptor(context, node);
    default:
      throw new Unsupported(`the type ${textOf(context, node).slice(0, 60)} is not understood`);
  }
}

/** Types that are keywords: no program declares them anew. */
const keywords: ReadonlyMap<string, CxxType | null> = new Map([
  ["void", voidType],
  ["bool", boolType],
  ...["char", "short", "int", "long", "float", "double", "signed", "unsigned"].map(
    (word) => [word, fundamentalOf([word])] as const,
  ),
]);

function primitive(context: Context, text: string): CxxType {
  const keyword = keywords.get(text);
  if (keyword) return keyword;
  const [entity] = context.scope.lookup(text);
  if (entity?.kind === "type") return entity.type();
  return builtinType(text) ?? unknownOf(text, undeclaredReason(text, "type"));
}

function namedType(context: Context, node: SyntaxNode): CxxType {
  const found = lookupNode(context, node);
  for (const entity of found.entities) {
    if (entity.kind === "type") return entity.type();
    if (entity.kind === "template" && entity.of !== "variable") {
      if (found.arguments === null)
        return injectedClass(context, entity.name) ?? { ...autoType, template: entity };
      return instantiateTemplate(
        context,
        entity,
        templateArgumentsOf(context, found.arguments, entity.parameters),
      );
    }
    if (entity.kind === "pattern" && found.arguments) {
      const list = templateArgumentsOf(context, found.arguments, null);
      return {
        kind: "class-pattern",
        template: { pattern: entity.name },
        arguments: list,
        isConst: false,
        isVolatile: false,
      };
    }
  }
  const standard = standardType(context, found.qualifiedName, found.arguments);
  if (standard) return standard;
  const builtin = found.arguments === null ? builtinType(found.name) : null;
  if (builtin && (!found.isQualified || /^(std|cuda::std)::/.test(found.qualifiedName))) return builtin;
  return unknownOf(typeName(context, node), undeclaredReason(plainText(context, node), "type"));
}

function typeName(context: Context, node: SyntaxNode): string {
  return textOf(context, node).replace(/\s+/g, " ");
}

/** The class that the name of a template means without arguments: the one whose members are being read; null outside of it. */
export function injectedClass(context: Context, name: string): CxxType | null {
  for (let scope: Scope | null = context.scope; scope; scope = scope.parent) {
    const [self] = scope.kind === "class" ? scope.own("$self") : [];
    if (self?.kind === "type") {
      const type = self.type();
      if (type.kind === "class" && type.info.name === name) return type;
    }
  }
  return null;
}

function typeOfDecltype(context: Context, node: SyntaxNode): CxxType {
  const [inner] = namedChildren(node);
  if (!inner) throw new Unsupported("decltype of nothing");
  return decltypeOf(context, inner, () => expression(context, inner));
}

/** `decltype` of an expression: of a name what it was declared as, of another lvalue a reference to it. */
export function decltypeOf(context: Context, node: SyntaxNode, read: () => Value): CxxType {
  if (node.type === "identifier") {
    const name = textOf(context, node);
    let [entity] = context.scope.lookup(name);
    // What a lambda captures is named as what it was captured from.
    while (entity?.kind === "field" && entity.owner.origin === "closure")
      [entity] = entity.owner.scope.parent?.lookup(name) ?? [];
    if (entity?.kind === "variable") return entity.get().type;
  }
  const value = read();
  if (value.kind === "place")
    return node.type === "field_expression" ? value.type : referenceTo(value.type, "lvalue");
  if (value.kind === "value") return value.type;
  throw new Unsupported("decltype of a function");
}

// --- enumerations

function enumOfSpecifier(context: Context, node: SyntaxNode): CxxType {
  const nameNode = childOf(node, "name");
  const known = context.scope.typeAt(node);
  if (known) return known;
  const body = childOf(node, "body");
  if (body === null) {
    if (nameNode === null) throw new Unsupported("an enumeration without a name");
    return namedType(context, nameNode);
  }
  const base = childOf(node, "base");
  const underlying = base === null ? intType : resolveType(context, base);
  if (underlying.kind !== "fundamental") throw new Unsupported("an enumeration over an unknown type");
  const isScoped = node.children.some((child) => child.type === "class" || child.type === "struct");
  const name = nameNode === null ? "" : textOf(context, nameNode);
  const prefix = context.scope.name ? `${context.scope.name}::` : "";
  const scope = new Scope("class", context.scope, `${prefix}${name}`);
  const info: EnumInfo = { name: `${prefix}${name || "(unnamed enum)"}`, isScoped, underlying, scope };
  const type = enumType(info);
  context.scope.defineType(node, type);
  declareEnumerators(inScope(context, scope), body, type, isScoped ? null : context.scope);
  return type;
}

function declareEnumerators(context: Context, body: SyntaxNode, type: CxxType, outer: Scope | null): void {
  let next: Pick<ConstantEntity, "kind" | "value"> | Pick<UnknownEntity, "kind" | "reason"> = {
    kind: "constant",
    value: 0,
  };
  for (const child of namedChildren(body)) {
    const nameNode = childOf(child, "name");
    if (child.type !== "enumerator" || nameNode === null) continue;
    const name = textOf(context, nameNode);
    const valueNode = childOf(child, "value");
    if (valueNode) {
      const value = constantInteger(context, valueNode);
      next =
        value === null
          ? { kind: "unknown", reason: whyNotConstant(context, valueNode) }
          : { kind: "constant", value };
    }
    const entity: Entity = next.kind === "constant" ? { ...next, type } : { ...next, text: name };
    context.scope.declare(name, entity);
    if (outer) outer.declare(name, entity);
    if (next.kind === "constant")
      next = { kind: "constant", value: typeof next.value === "bigint" ? next.value + 1n : next.value + 1 };
  }
}

// --- alignment

/** The largest `__align__(n)` or `alignas(n)` between two offsets of the text; 1 where there is none. */
export function alignmentBetween(context: Context, node: SyntaxNode, end: number): number {
  let alignment = 1;
  for (const attribute of context.unit.attributes) {
    if (attribute.name !== "__align__" || attribute.offset < node.start || attribute.offset >= end) continue;
    alignment = Math.max(alignment, alignmentArgument(context, attribute.arguments[0] ?? ""));
  }
  for (const child of node.children) {
    const qualifier = child.type === "alignas_qualifier" ? child : child.children[0];
    const [inner] = qualifier?.type === "alignas_qualifier" ? namedChildren(qualifier) : [];
    if (inner && child.start < end) {
      const type = inner.type === "type_descriptor" ? typeOfDescriptor(context, inner) : null;
      alignment = Math.max(
        alignment,
        type ? alignmentOfType(type) : Number(constantInteger(context, inner) ?? 1),
      );
    }
  }
  return alignment;
}

/** How members of a class lie by the attributes in front of its name and behind its body, and `#pragma pack`. */
export function alignmentOfClass(
  context: Context,
  node: SyntaxNode,
  body: SyntaxNode,
): { readonly alignmentBytes: number; readonly packingBytes: number } {
  const isBehind = (offset: number) =>
    offset >= node.end && context.unit.text.slice(node.end, offset).trim() === "";
  let alignmentBytes = alignmentBetween(context, node, body.start + 1);
  let packingBytes = Infinity;
  for (const { name, offset, arguments: values } of context.unit.attributes) {
    const isInFront = offset >= node.start && offset <= body.start;
    if (name === "packed" && (isInFront || isBehind(offset)))
      packingBytes = Math.min(packingBytes, Number(values[0]));
    if (name === "__align__" && isBehind(offset))
      alignmentBytes = Math.max(alignmentBytes, alignmentArgument(context, values[0] ?? ""));
  }
  return { alignmentBytes, packingBytes };
}

function alignmentArgument(context: Context, text: string): number {
  const value = textConstant(context, text);
  if (value !== null && value > 0) return value;
  const [entity] = context.scope.lookup(text.trim());
  const type =
    entity?.kind === "type" ? entity.type() : (builtinType(text.trim()) ?? fundamentalOf([text.trim()]));
  if (!type) throw new Unsupported(`the alignment ${text.trim()} is not known`);
  return alignmentOfType(type);
}

function alignmentOfType(type: CxxType): number {
  const alignment = alignmentOf(irTypeOf(type));
  if (alignment === null) throw new Unsupported(`the alignment of ${typeText(type)} is not known`);
  return alignment;
}
