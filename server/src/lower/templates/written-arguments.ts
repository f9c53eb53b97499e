// Template arguments as they are written: types, values and names, whatever the grammar took them for; packs are expanded.
import { isUndeclared } from "../../ir/undeclared.ts";
import { childOf, namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { isLibraryName } from "../builtins/library.ts";
import { type Context, textOf } from "../context.ts";
import { namesType } from "../expressions/call.ts";
import { constantValue, whyNotConstant } from "../expressions/constant.ts";
import { soleInstance } from "../functions/reference.ts";
import { suffixed } from "../misread/misread.ts";
import type { TemplateArgument, TemplateParameterNode } from "../names/entity.ts";
import { lookupNode } from "../names/names.ts";
import { type CxxType, isArithmetic } from "../types/cxx-type.ts";
import { injectedClass, typeOfDescriptor } from "../types/type-specifier.ts";
import { Unsupported } from "../unsupported.ts";
import { expandPack, packsIn } from "./pack.ts";

/** What a value that cannot be computed is: to the compiler it has one, where it is certain that a value is meant. */
export type Uncomputed = "unsupported" | "unknown";

/** The arguments in a template_argument_list; `parameters` tell values from types where the text does not. */
export function templateArgumentsOf(
  context: Context,
  list: SyntaxNode,
  parameters: readonly TemplateParameterNode[] | null,
  uncomputed: Uncomputed = "unsupported",
): TemplateArgument[] {
  const given: TemplateArgument[] = [];
  for (const node of namedChildren(list)) {
    const packed = packExpansion(node);
    if (packed) given.push(...expandedArguments(context, packed));
    else given.push(templateArgument(context, node, parameters?.[given.length] ?? null, uncomputed));
  }
  return given;
}

/** The first argument of a list, where it is a type. */
export function typeArgumentOf(context: Context, list: SyntaxNode): CxxType | null {
  const [first] = templateArgumentsOf(context, list, null);
  return first?.kind === "type" ? first.type : null;
}

/** The pattern of `Ts...`, also where the grammar puts the dots into a declarator. */
export function packExpansion(node: SyntaxNode): SyntaxNode | null {
  return node.type === "parameter_pack_expansion"
    ? (childOf(node, "pattern") ?? namedChildren(node)[0] ?? null)
    : null;
}

/** What `pattern...` stands for: an argument for each element of its packs; an expansion while these are not bound. */
export function expandedArguments(context: Context, pattern: SyntaxNode): TemplateArgument[] {
  if (packsIn(context, pattern).length === 0) {
    return [{ kind: "expansion", of: templateArgument(context, pattern, null) }];
  }
  return expandPack(context, pattern, (inner) => templateArgument(inner, pattern, null));
}

/** One argument: a type_descriptor or expression node. */
export function templateArgument(
  context: Context,
  node: SyntaxNode,
  parameter: TemplateParameterNode | null,
  uncomputed: Uncomputed = "unsupported",
): TemplateArgument {
  if (node.type === "type_descriptor") {
    const typeNode = childOf(node, "type");
    const misread = typeNode && parameter?.kind !== "type" ? misreadCall(context, node, typeNode) : null;
    if (misread) return valueArgument(context, misread, uncomputed);
    const isBareName =
      typeNode !== null && childOf(node, "declarator") === null && node.children.length === 1;
    const named = isBareName ? namedArgument(context, typeNode, parameter) : null;
    if (named) return named;
    const isValue = parameter === null ? namesTraitValue(context, node) : parameter.kind === "value";
    const isName =
      parameter?.kind === "value" ? /qualified|template_|^type_identifier$/ : /qualified|template_/;
    if (isValue && typeNode && isBareName && isName.test(typeNode.type))
      return valueArgument(context, typeNode, uncomputed);
    return { kind: "type", type: typeOfDescriptor(context, node) };
  }
  const named = namedArgument(context, node, parameter);
  return named ?? valueArgument(context, node, uncomputed);
}

/** `f<up(N, 32)>`, `f<static_cast<int>(N)>` and `f<sizes[1]>`, which the grammar takes for types of functions and arrays; null for what is a type. */
function misreadCall(context: Context, node: SyntaxNode, typeNode: SyntaxNode): SyntaxNode | null {
  const declarator = namedChildren(node).find(({ type }) =>
    /^abstract_(function|array)_declarator$/.test(type),
  );
  const read = declarator ? suffixed(typeNode, declarator) : null;
  const callee = read && childOf(read, "function");
  if (!callee || !declarator) return read && !namesType(context, typeNode) ? read : null;
  const [only] = namedChildren(childOf(declarator, "parameters") ?? declarator);
  // `int(N)` is a cast where N is no type.
  const operand = only ? childOf(only, "type") : null;
  const isCast = /^\w+_cast$/.test(textOf(context, childOf(callee, "name") ?? callee));
  if (isCast || lookupNode(context, callee).entities[0]?.kind === "function") return read;
  return operand && namesType(context, callee) && !namesType(context, operand) ? read : null;
}

/** `std::is_same<A, B>::value` and `std::is_same_v<A, B>`, which the grammar takes for types. */
function namesTraitValue(context: Context, node: SyntaxNode): boolean {
  return /::value$|^[\w:\s]*_v\s*<.*>$/s.test(textOf(context, node).trim());
}

/** A name as argument means what it is declared as, whatever the grammar took it for. */
function namedArgument(
  context: Context,
  node: SyntaxNode,
  parameter: TemplateParameterNode | null,
): TemplateArgument | null {
  if (!/^(type_identifier|identifier|qualified_identifier|template_type)$/.test(node.type)) return null;
  const found = lookupNode(context, node);
  const [entity] = found.entities;
  if (entity === undefined) return null;
  switch (entity.kind) {
    case "type":
      return { kind: "type", type: entity.type() };
    case "pattern":
      return found.arguments ? null : { kind: "pattern", name: entity.name };
    case "template": {
      if (found.arguments !== null || entity.of === "variable") return null;
      const self = parameter?.kind === "template" ? null : injectedClass(context, entity.name);
      return self ? { kind: "type", type: self } : { kind: "template", template: entity };
    }
    case "function":
    case "function-value":
      return { kind: "function", instance: soleInstance(context, found) };
    case "constant":
      return { kind: "value", value: entity.value, type: entity.type };
    case "unknown":
      return { kind: "unknown", text: entity.text, reason: entity.reason };
    case "variable": {
      const { constant, type } = entity.get();
      if (constant?.kind === "constant") return { kind: "value", value: constant.value, type };
      // An object may convert to a constant whatever it holds: std::integral_constant.
      const converted = type.kind === "class" ? constantValue(context, node) : null;
      if (converted) return { kind: "value", ...converted };
      const reason = whyUnevaluated(context, node);
      return reason === null
        ? null
        : { kind: "unknown", text: boundText(context, textOf(context, node)), reason };
    }
    default:
      return null;
  }
}

function valueArgument(context: Context, node: SyntaxNode, uncomputed: Uncomputed): TemplateArgument {
  const constant = constantValue(context, node);
  if (constant === null) {
    const text = textOf(context, node).replace(/\s+/g, " ").slice(0, 60);
    const unevaluated = whyUnevaluated(context, node);
    const reason = unevaluated ?? whyNotConstant(context, node);
    const isMeant = uncomputed === "unknown" || isUndeclared(reason) || hasUndeclaredScope(context, node);
    if (unevaluated !== null || isMeant) return { kind: "unknown", text: boundText(context, text), reason };
    throw new Unsupported(`the template argument ${text} is not constant`);
  }
  return { kind: "value", value: constant.value, type: constant.type };
}

/** Of an expression that names a constant whose value could not be computed, that it is so: to the compiler it has one. */
function whyUnevaluated(context: Context, node: SyntaxNode): string | null {
  if (!/^(type_|qualified_)?identifier$/.test(node.type)) {
    for (const child of node.children) {
      const reason = whyUnevaluated(context, child);
      if (reason !== null) return reason;
    }
    return null;
  }
  const [entity] = lookupNode(context, node).entities;
  if (entity?.kind !== "variable") return null;
  const { constant, type } = entity.get();
  const isOpen = constant === null && type.isConst && (isArithmetic(type) || type.kind === "class");
  return isOpen ? `the value of ${textOf(context, node)} is not known` : null;
}

/** Whether a part of an expression stands in a namespace or class that nothing in sight declares, and that is no library's. */
function hasUndeclaredScope(context: Context, node: SyntaxNode): boolean {
  const scope = node.type === "qualified_identifier" ? childOf(node, "scope") : null;
  if (scope === null) return node.children.some((child) => hasUndeclaredScope(context, child));
  const name = textOf(context, childOf(scope, "name") ?? scope);
  return context.scope.lookup(name).length === 0 && !isLibraryName(textOf(context, node));
}

/** The text of an argument in which the parameters of templates around it are what they are bound to: so it means the same everywhere. */
function boundText(context: Context, text: string): string {
  return text.replace(/(?<![\w.]|::)[A-Za-z_]\w*/g, (name) => {
    const [entity] = context.scope.lookup(name);
    if (entity?.kind === "unknown") return entity.text;
    return entity?.kind === "constant" ? String(entity.value) : name;
  });
}
