// Declarations of namespaces and classes to entities, nothing resolved before it is asked for.
import { childOf, childrenOf, namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { builtinType } from "../builtins/type.ts";
import { type Context, textOf } from "../context.ts";
import { functionEntity, functionParts, nameOf, type Surroundings } from "../functions/declared-function.ts";
import { declareVariableTemplate, templateNamed } from "../templates/declared-template.ts";
import { expandPack, packsIn } from "../templates/pack.ts";
import { templateParameters } from "../templates/parameters.ts";
import type { ClassInfo } from "../types/class.ts";
import { declareAlias, declareTag, declareTypedef } from "../types/declared-type.ts";
import { resolveType, specifierWords } from "../types/type-specifier.ts";
import { orElse } from "../unsupported.ts";
import { globalVariable, initializerNode } from "../variables/global.ts";
import type { FunctionEntity, TemplateParameterNode, VariableLinkage } from "./entity.ts";
import { classNamed, lookupNode, type NamedEntities, plainText } from "./names.ts";
import { ownerText } from "./owner.ts";
import type { Scope } from "./scope.ts";

/** Declares everything at the top of a unit in its scope. */
export function declareUnit(context: Context): void {
  for (const child of context.unit.root().children) declareNode(context, child, null);
}

/** Declares one declaration of a namespace, class or block scope. */
export function declareNode(
  context: Context,
  node: SyntaxNode,
  parameters: readonly TemplateParameterNode[] | null,
  memberOf: ClassInfo | null = null,
): void {
  const around = { parameters, memberOf };
  switch (node.type) {
    case "function_definition":
      declareFunction(context, node, childOf(node, "declarator"), around);
      return;
    case "declaration":
    case "field_declaration":
      declareDeclaration(context, node, around);
      return;
    case "template_declaration":
      declareTemplate(context, node, around);
      return;
    case "struct_specifier":
    case "class_specifier":
    case "union_specifier":
    case "enum_specifier":
      declareTag(context, node, parameters);
      return;
    case "concept_definition":
      declareConcept(context, node);
      return;
    case "alias_declaration":
      declareAlias(context, node, parameters);
      return;
    case "type_definition":
      declareTypedef(context, node);
      return;
    case "using_declaration":
      declareUsing(context, node, memberOf);
      return;
    case "namespace_alias_definition":
      declareNamespaceAlias(context, node);
      return;
    case "linkage_specification":
      for (const child of node.children) declareLinked(context, child, around);
      return;
    case "declaration_list":
    case "ERROR":
      for (const child of node.children) declareNode(context, child, parameters, memberOf);
      return;
    case "friend_declaration":
      for (const child of namedChildren(node)) declareFriend(context, child, parameters);
      return;
    default:
      return;
  }
}

/** `extern "C" int n;`, without braces, only declares, as `extern int n;` does. */
function declareLinked(context: Context, node: SyntaxNode, around: Surroundings): void {
  if (node.type === "declaration") declareDeclaration(context, node, { ...around, linkage: "extern" });
  else declareNode(context, node, around.parameters, around.memberOf);
}

function declareFunction(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode | null,
  around: Surroundings,
): void {
  const { nameNode } = functionParts(declarator);
  const isQualified = nameNode?.type === "qualified_identifier";
  const namespace = isQualified ? namespaceBefore(context, nameNode) : null;
  const entity = functionEntity(
    namespace ? { ...context, scope: namespace } : context,
    node,
    declarator,
    around,
  );
  if (entity === null) return;
  if (childOf(node, "type") === null && guideFor(context, entity)) return;
  context.translation.noteFunction(entity);
  if (isQualified && namespace === null) {
    const written = plainText(context, nameNode);
    const key = entity.conversion ? written.replace(/operator.*$/, entity.name) : written;
    const list = context.translation.outOfLine.get(key);
    if (list) list.push(entity);
    else context.translation.outOfLine.set(key, [entity]);
    // An owner whose arguments are not understood is one all the same.
    const isUnowned = orElse(
      () => lookupNode(context, nameNode).entities.length === 0,
      () => false,
    );
    // The name of a constructor is its class's, and no class has it as a member.
    if (isUnowned && !isConstructor(written)) context.scope.declare(entity.name, entity);
    return;
  }
  if (around.memberOf && entity.name === around.memberOf.name && entity.conversion === null) {
    around.memberOf.constructors.push(entity);
    return;
  }
  if (entity.isVirtual && !entity.name.startsWith("~")) around.memberOf?.virtuals.push(entity);
  entity.scope.declare(entity.name, entity);
  const words = specifierWords(context, node);
  if (words.has("__global__") && entity.body) context.translation.kernels.push(entity);
}

/** `Class::Class`, `Class<T>::Class`. */
function isConstructor(written: string): boolean {
  const [owner, name] = written
    .replaceAll(/<[^:]*>/g, "")
    .split("::")
    .slice(-2);
  return owner === name;
}

/** Whether it is a deduction guide, `Box(T*) -> Box<T>;`: the class template that it is for gets it. */
function guideFor(context: Context, entity: FunctionEntity): boolean {
  const isGuide = entity.declarator?.children.some(({ type }) => type === "trailing_return_type");
  const template = isGuide ? templateNamed(context.scope, entity.name) : null;
  template?.guides.push(entity);
  return template !== null;
}

/** The namespace that a function is defined in by its qualified name (`void space::f() { … }`): it stands there as if written there. */
function namespaceBefore(context: Context, nameNode: SyntaxNode): Scope | null {
  const path = plainText(context, nameNode).split("::").slice(0, -1);
  for (let scope: Scope | null = context.scope.namespace(); scope; scope = scope.parent) {
    const around = scope.name === "" ? [] : scope.name.split("::");
    const found = context.translation.knownNamespace([...around, ...path]);
    if (found) return found;
  }
  return null;
}

/** A friend defined in its class is a function of the namespace that sees the class's names, the arguments of its template too. */
function declareFriend(
  context: Context,
  node: SyntaxNode,
  parameters: readonly TemplateParameterNode[] | null,
): void {
  if (node.type !== "function_definition") return;
  const around = { parameters, memberOf: null };
  const entity = functionEntity(context, node, childOf(node, "declarator"), around);
  if (entity === null) return;
  context.translation.noteFunction(entity);
  context.scope.namespace().declare(entity.name, entity);
}

function declareTemplate(context: Context, node: SyntaxNode, around: Surroundings): void {
  const list = childOf(node, "parameters");
  if (list === null) return;
  // `template <class T> template <class U> void A<T>::f(U)`: the inner list is the function's own.
  const written = templateParameters(context, list);
  const isRequired = node.children.some((child) => child.type === "requires_clause");
  const parameters = isRequired ? written.map((each) => ({ ...each, isConstrained: true })) : written;
  for (const child of namedChildren(node)) {
    if (child === list || child.type === "requires_clause") continue;
    if (child.type === "template_declaration") declareTemplate(context, child, around);
    else declareNode(context, child, parameters, around.memberOf);
  }
}

function declareConcept(context: Context, node: SyntaxNode): void {
  const name = nameOf(context, childOf(node, "name"));
  if (name !== null) context.scope.declare(name, { kind: "concept" });
}

function declareDeclaration(context: Context, node: SyntaxNode, around: Surroundings): void {
  const typeNode = childOf(node, "type");
  if (typeNode && /_specifier$/.test(typeNode.type)) declareTag(context, typeNode, null);
  const words = specifierWords(context, node);
  const declarators = childrenOf(node, "declarator");
  if (around.memberOf && typeNode && declarators.length === 0)
    declareUnnamed(context, typeNode, around.memberOf);
  for (const declarator of declarators) {
    const { functionNode, nameNode } = functionParts(declarator);
    const isPointerToFunction =
      functionNode !== null && childOf(functionNode, "declarator")?.type === "parenthesized_declarator";
    if (declarator.type === "operator_cast" || (functionNode && !isPointerToFunction)) {
      if (looksLikeVariable(context, node, functionNode)) {
        declareVariable(context, node, declarator, nameNode, around);
      } else declareFunction(context, node, declarator, around);
    } else if (around.memberOf && !words.has("static")) {
      declareField(context, nameNode, around.memberOf);
    } else declareVariable(context, node, declarator, nameNode, around);
  }
}

/** Members of a struct or union without a name and without objects are named as those of the class around it. */
function declareUnnamed(context: Context, specifier: SyntaxNode, owner: ClassInfo): void {
  const body = childOf(specifier, "body");
  if (body === null || childOf(specifier, "name") || specifier.type === "enum_specifier") return;
  for (const child of namedChildren(body)) {
    if (child.type === "field_declaration")
      declareDeclaration(context, child, { parameters: null, memberOf: owner });
  }
}

/** `dim3 block(BX, BY);` parses as a function: it is a variable where the "parameters" name values. */
export function looksLikeVariable(
  context: Context,
  node: SyntaxNode,
  functionNode: SyntaxNode | null,
): boolean {
  if (functionNode === null || childOf(node, "type") === null) return false;
  const list = childOf(functionNode, "parameters");
  const parameters = list ? namedChildren(list) : [];
  return parameters.some((parameter) => {
    if (parameter.type !== "parameter_declaration") return false;
    const type = childOf(parameter, "type");
    if (type?.type !== "type_identifier" && type?.type !== "qualified_identifier") return false;
    const { entities, qualifiedName } = lookupNode(context, type);
    const [entity] = entities;
    if (entity === undefined) return callsLibrary(context, parameter, qualifiedName);
    return entity.kind !== "type" && entity.kind !== "template";
  });
}

/** Whether a "parameter" in a function's body is a call of what is declared nowhere: `Angle turn(cosf(x), sinf(x));`. */
function callsLibrary(context: Context, parameter: SyntaxNode, name: string): boolean {
  const declarator = childOf(parameter, "declarator");
  if (context.body === null || declarator?.type !== "abstract_function_declarator") return false;
  return builtinType(name) === null;
}

function declareField(context: Context, nameNode: SyntaxNode | null, owner: ClassInfo): void {
  const name = nameOf(context, nameNode);
  if (name !== null) context.scope.declare(name, { kind: "field", name, owner });
}

function declareVariable(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode,
  nameNode: SyntaxNode | null,
  around: Surroundings,
): void {
  const name = nameOf(context, nameNode);
  if (name === null) return;
  if (nameNode?.type === "qualified_identifier") {
    context.translation.noteQualified(name, {
      owner: plainText(context, nameNode).split("::").slice(0, -1).join("::"),
      ownerText: ownerText(textOf(context, nameNode)),
      isTemplate: (around.parameters?.length ?? 0) > 0,
      unit: context.unit,
      node,
      declarator,
    });
    return;
  }
  if (around.parameters !== null) {
    declareVariableTemplate(context, node, nameNode, name, around.parameters);
    return;
  }
  const known = context.scope.own(name).find((entity) => entity.kind === "variable");
  const linkage = linkageOf(context, node, declarator, around);
  if (linkage === "declared" && known) return;
  const wasDeclared = known?.linkage === "declared" && linkage === "usual";
  const entity = globalVariable(context, node, declarator, name, wasDeclared ? "external" : linkage);
  if (known) context.scope.redeclare(name, entity);
  else context.scope.declare(name, entity);
}

function linkageOf(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode,
  around: Surroundings,
): VariableLinkage {
  const words = specifierWords(context, node);
  const hasValue = initializerNode(node, declarator) !== null;
  if (around.memberOf) return hasValue || words.has("inline") ? "inline" : "declared";
  if (words.has("static") || context.unit.namespaces.includes("")) return "internal";
  if (words.has("inline")) return "inline";
  const isExtern = around.linkage === "extern" || words.has("extern");
  if (!isExtern) return "usual";
  return hasValue ? "external" : "declared";
}

function declareUsing(context: Context, node: SyntaxNode, memberOf: ClassInfo | null): void {
  const target = namedChildren(node).findLast(({ type }) => type !== "ERROR");
  if (!target) return;
  // `using Ts::operator()...;`, whose dots the grammar does not know.
  const isPack = node.children.some(({ type, children }) => type === "ERROR" && children[0]?.type === "...");
  if (isPack && packsIn(context, target).length > 0) {
    for (const entities of expandPack(context, target, (each) => lookupNode(each, target)))
      declareUsed(context, entities);
    return;
  }
  const base = memberOf ? constructedBase(context, target, memberOf) : null;
  if (memberOf && base) {
    memberOf.constructors.push(...base.constructors);
    return;
  }
  if (node.children.some((child) => child.type === "namespace")) {
    const [entity] = lookupNode(context, target).entities;
    if (entity?.kind === "namespace") context.scope.using.push(entity.scope);
    else {
      const path = textOf(context, target)
        .replace(/\s+/g, "")
        .split("::")
        .filter((part) => part !== "");
      context.scope.using.push(context.translation.namespaceScope(path));
    }
    return;
  }
  declareUsed(context, lookupNode(context, target));
}

function declareUsed(context: Context, { name, entities }: NamedEntities): void {
  for (const entity of entities)
    if (!context.scope.own(name).includes(entity)) context.scope.declare(name, entity);
}

/** The class whose constructors `using Base::Base;` inherits; null where the name is another. */
function constructedBase(context: Context, target: SyntaxNode, owner: ClassInfo): ClassInfo | null {
  const nameNode = childrenOf(target, "name").findLast((child) => child.isNamed);
  if (target.type !== "qualified_identifier" || !nameNode) return null;
  const scopeNode = childOf(target, "scope");
  // `using ns::Base<T>::Base`: what is before the last name is read on its own.
  if (nameNode.type === "qualified_identifier") {
    const [inner, last] = [
      childOf(nameNode, "scope"),
      childrenOf(nameNode, "name").findLast(({ isNamed }) => isNamed),
    ];
    if (!inner || !last || nameOf(context, childOf(inner, "name") ?? inner) !== textOf(context, last))
      return null;
    return orElse(
      () => classNamed(context, target),
      () => null,
    );
  }
  if (!scopeNode) return null;
  const name = textOf(context, nameNode);
  if (nameOf(context, childOf(scopeNode, "name") ?? scopeNode) !== name) return null;
  const [entity] = context.scope.lookup(name);
  const type = orElse(
    () => (entity?.kind === "type" ? entity.type() : resolveType(context, scopeNode)),
    () => null,
  );
  if (type?.kind === "class") return type.info;
  // A base brings its own name along.
  return orElse(
    () => owner.writtenBases().find((each) => each.name === name) ?? null,
    () => null,
  );
}

function declareNamespaceAlias(context: Context, node: SyntaxNode): void {
  const nameNode = childOf(node, "name");
  const target = namedChildren(node).at(-1);
  if (nameNode === null || !target || target === nameNode) return;
  const path = textOf(context, target)
    .replace(/\s+/g, "")
    .split("::")
    .filter((part) => part !== "");
  context.scope.declare(textOf(context, nameNode), {
    kind: "namespace",
    scope: context.translation.namespaceScope(path),
  });
}
