// Declarations of namespaces and classes to entities, nothing resolved before it is asked for.
import type { SyntaxNode } from "../syntax/node.ts";
import { childOf, childrenOf, namedChildren } from "../syntax/node.ts";
import type { ClassInfo } from "./class.ts";
import { nameUnnamed } from "./class-specifier.ts";
import type { Context } from "./context.ts";
import { inScope, textOf } from "./context.ts";
import type { CxxType } from "./cxx-type.ts";
import { declare, parameterNodes } from "./declarator.ts";
import type {
  Entity,
  FunctionEntity,
  Specialization,
  TemplateEntity,
  TemplateParameterNode,
} from "./entity.ts";
import { globalVariable } from "./global-variable.ts";
import { lookupNode, plainText } from "./names.ts";
import type { Scope } from "./scope.ts";
import { templateParameters } from "./template.ts";
import { resolveType, specifierWords, typeOfDescriptor, typeOfSpecifiers } from "./type-specifier.ts";
import { Unsupported } from "./unsupported.ts";

/** Declares everything at the top of a unit in its scope. */
export function declareUnit(context: Context): void {
  for (const child of context.unit.root().children) declareNode(context, child, null);
}

/** What a declaration in a template or class needs besides its node. */
export interface Surroundings {
  readonly parameters: readonly TemplateParameterNode[] | null;
  readonly memberOf: ClassInfo | null;
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
    case "alias_declaration":
      declareAlias(context, node, parameters);
      return;
    case "type_definition":
      declareTypedef(context, node);
      return;
    case "using_declaration":
      declareUsing(context, node);
      return;
    case "namespace_alias_definition":
      declareNamespaceAlias(context, node);
      return;
    case "linkage_specification":
    case "declaration_list":
    case "ERROR":
      for (const child of node.children) declareNode(context, child, parameters, memberOf);
      return;
    case "friend_declaration":
      for (const child of namedChildren(node)) {
        if (child.type === "function_definition")
          declareNode(inScope(context, context.scope.namespace()), child, parameters);
      }
      return;
    default:
      return;
  }
}

// --- functions

function declareFunction(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode | null,
  around: Surroundings,
): void {
  const entity = functionEntity(context, node, declarator, around);
  if (entity === null) return;
  context.translation.noteFunction(entity);
  const { nameNode } = functionParts(declarator);
  if (nameNode?.type === "qualified_identifier") {
    const key = plainText(context, nameNode);
    const list = context.translation.outOfLine.get(key);
    if (list) list.push(entity);
    else context.translation.outOfLine.set(key, [entity]);
    // A function of a namespace may be defined with its qualified name.
    const owner = lookupNode(context, nameNode).entities.length === 0 ? null : context.scope;
    if (owner === null) context.scope.declare(entity.name, entity);
    return;
  }
  if (around.memberOf && entity.name === around.memberOf.name && entity.conversion === null) {
    around.memberOf.constructors.push(entity);
    return;
  }
  context.scope.declare(entity.name, entity);
  const words = specifierWords(context, node);
  if (words.has("__global__") && entity.body) context.translation.kernels.push(entity);
}

/** The entity that a function definition or declaration declares; null where it has no name. */
export function functionEntity(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode | null,
  around: Surroundings,
): FunctionEntity | null {
  const { functionNode, nameNode } = functionParts(declarator);
  if (declarator === null) return null;
  const conversion = declarator.type === "operator_cast" ? declarator : null;
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
    specializes: explicitArguments(nameNode),
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

/** `auto` parameters are template parameters of their own, called `auto#index`. */
export function autoParameters(context: Context, declarator: SyntaxNode | null): TemplateParameterNode[] {
  const list = declarator ? childOf(declarator, "parameters") : null;
  if (list === null || !/\bauto\b/.test(textOf(context, list))) return [];
  return parameterNodes(list).flatMap((node, index): TemplateParameterNode[] => {
    const type = childOf(node, "type");
    if (type?.type !== "placeholder_type_specifier" && type?.type !== "auto") return [];
    const isPack = node.type === "variadic_parameter_declaration";
    return [{ name: `auto#${index}`, kind: "type", isPack, defaultNode: null, declaration: node }];
  });
}

function explicitArguments(nameNode: SyntaxNode | null): SyntaxNode | null {
  if (nameNode?.type === "template_function" || nameNode?.type === "template_method") {
    return childOf(nameNode, "arguments");
  }
  return null;
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

function nameOf(context: Context, node: SyntaxNode | null): string | null {
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

// --- variables, fields and function declarations

function declareDeclaration(context: Context, node: SyntaxNode, around: Surroundings): void {
  const typeNode = childOf(node, "type");
  if (typeNode && /_specifier$/.test(typeNode.type)) declareTag(context, typeNode, null);
  const words = specifierWords(context, node);
  for (const declarator of childrenOf(node, "declarator")) {
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
    const [entity] = lookupNode(context, type).entities;
    return entity !== undefined && entity.kind !== "type" && entity.kind !== "template";
  });
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
  if (around.parameters !== null) {
    declareVariableTemplate(context, node, nameNode, name, around.parameters);
    return;
  }
  if (nameNode?.type === "qualified_identifier") return;
  const isExtern = specifierWords(context, node).has("extern") && declarator.type !== "init_declarator";
  const known = context.scope.own(name).some((entity) => entity.kind === "variable");
  if (isExtern && known) return;
  const entity = globalVariable(context, node, declarator, name);
  if (known) context.scope.redeclare(name, entity);
  else context.scope.declare(name, entity);
}

function declareVariableTemplate(
  context: Context,
  node: SyntaxNode,
  nameNode: SyntaxNode | null,
  name: string,
  parameters: readonly TemplateParameterNode[],
): void {
  const list = explicitArguments(nameNode);
  if (list) {
    specializationsOf(context.scope, name).push({
      unit: context.unit,
      scope: context.scope,
      parameters,
      argumentList: list,
      node,
    });
    return;
  }
  context.scope.declare(name, templateEntity(context, "variable", name, parameters, node));
}

// --- types

function declareTag(
  context: Context,
  node: SyntaxNode,
  parameters: readonly TemplateParameterNode[] | null,
): void {
  const nameNode = childOf(node, "name");
  const hasBody = childOf(node, "body") !== null;
  if (nameNode === null) {
    // The enumerators of an unnamed enumeration are names of the scope around it.
    if (node.type === "enum_specifier") resolveTag(context, node);
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
  const entity: Entity = { kind: "type", type: () => resolveTag(context, node) };
  const known = context.scope.own(name);
  if (known.length > 0 && known.every((each) => each.kind === "type") && context.scope.kind !== "block")
    return;
  context.scope.declare(name, entity);
  if (
    node.type === "enum_specifier" &&
    !node.children.some((child) => child.type === "class" || child.type === "struct")
  ) {
    resolveTag(context, node);
  }
}

function resolveTag(context: Context, node: SyntaxNode): CxxType {
  return resolveType(context, node);
}

function declareClassTemplate(
  context: Context,
  node: SyntaxNode,
  name: string,
  parameters: readonly TemplateParameterNode[],
  nameNode: SyntaxNode,
): void {
  const existing = templateNamed(context.scope, name);
  const argumentList = nameNode.type === "template_type" ? childOf(nameNode, "arguments") : null;
  if (argumentList) {
    specializationsOf(context.scope, name).push({
      unit: context.unit,
      scope: context.scope,
      parameters,
      argumentList,
      node,
    });
    return;
  }
  const hasBody = childOf(node, "body") !== null;
  if (existing && existing.node === null && hasBody) {
    // Defaults may stand at the first declaration only.
    const merged = parameters.map((each, index) =>
      each.defaultNode ? each : { ...each, defaultNode: existing.parameters[index]?.defaultNode ?? null },
    );
    const defined = {
      ...templateEntity(context, "class", name, merged, node),
      specializations: existing.specializations,
    };
    context.scope.redeclare(name, defined);
  } else if (!existing) {
    context.scope.declare(name, templateEntity(context, "class", name, parameters, hasBody ? node : null));
  }
}

/** By scope and name: a specialisation may be met while its template is still being declared. */
const specializations = new WeakMap<Scope, Map<string, Specialization[]>>();

function specializationsOf(scope: Scope, name: string): Specialization[] {
  const byName = specializations.get(scope) ?? new Map<string, Specialization[]>();
  specializations.set(scope, byName);
  const known = byName.get(name) ?? [];
  byName.set(name, known);
  return known;
}

function templateNamed(scope: Scope, name: string): TemplateEntity | null {
  for (const entity of scope.own(name)) if (entity.kind === "template") return entity;
  return null;
}

function templateEntity(
  context: Context,
  of: TemplateEntity["of"],
  name: string,
  parameters: readonly TemplateParameterNode[],
  node: SyntaxNode | null,
): TemplateEntity {
  return {
    kind: "template",
    of,
    name,
    unit: context.unit,
    scope: context.scope,
    parameters,
    node,
    specializations: specializationsOf(context.scope, name),
    instances: new Map(),
  };
}

function declareTemplate(context: Context, node: SyntaxNode, around: Surroundings): void {
  const list = childOf(node, "parameters");
  if (list === null) return;
  const own = templateParameters(context, list);
  // `template <class T> template <class U> void A<T>::f(U)`: the inner list is the function's own.
  const parameters = own;
  for (const child of namedChildren(node)) {
    if (child === list || child.type === "requires_clause") continue;
    if (child.type === "template_declaration") declareTemplate(context, child, around);
    else declareNode(context, child, parameters, around.memberOf);
  }
}

function declareAlias(
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

function declareTypedef(context: Context, node: SyntaxNode): void {
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

// --- names of elsewhere

function declareUsing(context: Context, node: SyntaxNode): void {
  const target = namedChildren(node).at(-1);
  if (!target) return;
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
  const { name, entities } = lookupNode(context, target);
  for (const entity of entities)
    if (!context.scope.own(name).includes(entity)) context.scope.declare(name, entity);
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
