// Templates: their parameters, arguments as written, binding, specialisations, and instances of classes, aliases and variables.
import { isScalar } from "../../ir/type.ts";
import { convert } from "../../semantics/arithmetic.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { inScope, textOf } from "../context.ts";
import { namesType } from "../expressions/call.ts";
import { constantValue } from "../expressions/constant.ts";
import { soleInstance } from "../functions/reference.ts";
import { suffixed } from "../misread/misread.ts";
import type { Entity, TemplateArgument, TemplateEntity, TemplateParameterNode } from "../names/entity.ts";
import { lookupNode } from "../names/names.ts";
import { Scope } from "../names/scope.ts";
import { instantiateClass } from "../types/class-specifier.ts";
import { type CxxType, irTypeOf, typeText, unknownOf } from "../types/cxx-type.ts";
import { declare } from "../types/declarator.ts";
import { injectedClass, typeOfDescriptor, typeOfSpecifiers } from "../types/type-specifier.ts";
import { orElse, Unsupported } from "../unsupported.ts";
import { constrainedDefault, isConstrainedType } from "./constrained.ts";
import { bindPatterns, unifyArguments } from "./deduce.ts";
import { expandPack, packsIn } from "./pack.ts";

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

/** The arguments in a template_argument_list; `parameters` tell values from types where the text does not. */
export function templateArgumentsOf(
  context: Context,
  list: SyntaxNode,
  parameters: readonly TemplateParameterNode[] | null,
): TemplateArgument[] {
  const given: TemplateArgument[] = [];
  for (const node of namedChildren(list)) {
    const packed = packExpansion(node);
    if (packed) given.push(...expandedArguments(context, packed));
    else given.push(templateArgument(context, node, parameters?.[given.length] ?? null));
  }
  return given;
}

/** The pattern of `Ts...`, also where the grammar puts the dots into a declarator. */
function packExpansion(node: SyntaxNode): SyntaxNode | null {
  return node.type === "parameter_pack_expansion"
    ? (childOf(node, "pattern") ?? namedChildren(node)[0] ?? null)
    : null;
}

function expandedArguments(context: Context, pattern: SyntaxNode): TemplateArgument[] {
  if (packsIn(context, pattern).length === 0) {
    return [{ kind: "expansion", of: templateArgument(context, pattern, null) }];
  }
  return expandPack(context, pattern, (inner) => templateArgument(inner, pattern, null));
}

/** The first argument of a list, where it is a type. */
export function typeArgumentOf(context: Context, list: SyntaxNode): CxxType | null {
  const [first] = templateArgumentsOf(context, list, null);
  return first?.kind === "type" ? first.type : null;
}

/** One argument: a type_descriptor or expression node. */
export function templateArgument(
  context: Context,
  node: SyntaxNode,
  parameter: TemplateParameterNode | null,
): TemplateArgument {
  if (node.type === "type_descriptor") {
    const typeNode = childOf(node, "type");
    const misread = typeNode && parameter?.kind !== "type" ? misreadCall(context, node, typeNode) : null;
    if (misread) return valueArgument(context, misread);
    const isBareName =
      typeNode !== null && childOf(node, "declarator") === null && node.children.length === 1;
    const named = isBareName ? namedArgument(context, typeNode, parameter) : null;
    if (named) return named;
    const isValue = parameter === null ? namesTraitValue(context, node) : parameter.kind === "value";
    if (isValue && typeNode && isBareName && /qualified|template_/.test(typeNode.type)) {
      return valueArgument(context, typeNode);
    }
    return { kind: "type", type: typeOfDescriptor(context, node) };
  }
  const named = namedArgument(context, node, parameter);
  return named ?? valueArgument(context, node);
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
  return /::value$|_v\s*<.*>$/s.test(textOf(context, node).trim());
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
    case "variable": {
      const { constant, type } = entity.get();
      if (constant?.kind === "constant") return { kind: "value", value: constant.value, type };
      // An object may convert to a constant whatever it holds: std::integral_constant.
      const converted = type.kind === "class" ? constantValue(context, node) : null;
      return converted && { kind: "value", ...converted };
    }
    default:
      return null;
  }
}

function valueArgument(context: Context, node: SyntaxNode): TemplateArgument {
  const constant = constantValue(context, node);
  if (constant === null) {
    const text = textOf(context, node).replace(/\s+/g, " ").slice(0, 60);
    throw new Unsupported(`the template argument ${text} is not constant`);
  }
  return { kind: "value", value: constant.value, type: constant.type };
}

/**
 * Binds arguments to parameters in a new scope inside `scope`: defaults fill what is not given, packs take the rest. Null
 * where an argument is missing or of the wrong kind.
 */
export function bindArguments(
  context: Context,
  scope: Scope,
  parameters: readonly TemplateParameterNode[],
  given: readonly (TemplateArgument | null)[],
): { scope: Scope; arguments: TemplateArgument[] } | null {
  const bound = new Scope("template", scope, scope.name);
  const result: TemplateArgument[] = [];
  const inner = inScope(context, bound);
  for (const [index, parameter] of parameters.entries()) {
    if (parameter.isPack) {
      const pack = given[index]?.kind === "pack" ? given[index] : packOf(given.slice(index));
      if (pack === null) return null;
      bound.declare(parameter.name, entityOf(pack));
      result.push(pack);
      continue;
    }
    const argument = converted(inner, parameter, given[index] ?? defaultArgument(inner, parameter));
    if (argument === null) return null;
    bound.declare(parameter.name, entityOf(argument));
    result.push(argument);
  }
  if (given.length > parameters.length && !parameters.at(-1)?.isPack) return null;
  return { scope: bound, arguments: result };
}

function packOf(rest: readonly (TemplateArgument | null)[]): TemplateArgument | null {
  const elements = rest.filter((each) => each !== null);
  return elements.length === rest.length ? { kind: "pack", elements } : null;
}

function defaultArgument(context: Context, parameter: TemplateParameterNode): TemplateArgument | null {
  if (parameter.defaultNode === null) return null;
  if (parameter.kind === "type") {
    const type = typeOfDescriptor(context, parameter.defaultNode);
    return isDisabled(context, type, parameter.defaultNode) ? null : { kind: "type", type };
  }
  return templateArgument(context, parameter.defaultNode, parameter);
}

/** A type that `enable_if` does not give: the template is no candidate. */
function isDisabled(context: Context, type: CxxType, node: SyntaxNode): boolean {
  return type.kind === "unknown" && textOf(context, node).includes("enable_if");
}

/** The argument as its parameter takes it: values in the parameter's type. Null where the kinds differ. */
function converted(
  context: Context,
  parameter: TemplateParameterNode,
  argument: TemplateArgument | null,
): TemplateArgument | null {
  if (argument === null) return null;
  if (parameter.kind === "type") return argument.kind === "type" ? argument : null;
  if (parameter.kind === "template") return argument.kind === "template" ? argument : null;
  if (argument.kind === "function") return argument;
  if (argument.kind !== "value") return null;
  const { type } = typeOfSpecifiers(context, parameter.declaration);
  const declared = declare(context, type, childOf(parameter.declaration, "declarator")).type;
  if (isDisabled(context, declared, parameter.declaration)) return null;
  if (declared.kind !== "fundamental" && declared.kind !== "enum") return argument;
  return { kind: "value", value: scalarAs(argument.value, argument.type, declared), type: declared };
}

function scalarAs(value: Scalar, from: CxxType, to: CxxType): Scalar {
  const source = irTypeOf(from);
  const target = irTypeOf(to);
  return isScalar(source) && isScalar(target) ? convert(value, source, target, "host") : value;
}

/** What the name of a bound parameter means. */
function entityOf(argument: TemplateArgument): Entity {
  switch (argument.kind) {
    case "type": {
      const { type } = argument;
      return { kind: "type", type: () => type };
    }
    case "value":
      return { kind: "constant", type: argument.type, value: argument.value };
    case "function":
      return { kind: "function-value", instance: argument.instance };
    case "template":
      return argument.template;
    case "pack":
      return { kind: "pack", elements: argument.elements.map(entityOf) };
    case "pattern":
      return { kind: "pattern", name: argument.name };
    default:
      throw new Unsupported("a template argument that is not deduced");
  }
}

/** As a demangler prints them. */
export function argumentText(argument: TemplateArgument): string {
  switch (argument.kind) {
    case "type":
      return typeText(argument.type);
    case "value":
      return String(argument.value);
    case "function":
      return `&${argument.instance.qualifiedName}`;
    case "template":
      return argument.template.scope.name + (argument.template.scope.name && "::") + argument.template.name;
    case "pack":
      return argument.elements.map(argumentText).join(",");
    default:
      return "?";
  }
}

/** Unique for each distinct list of arguments. */
export function argumentsKey(list: readonly TemplateArgument[]): string {
  return list
    .map((argument) =>
      argument.kind === "pack" ? `{${argumentsKey(argument.elements)}}` : argumentText(argument),
    )
    .join(",");
}

/** The class or aliased type that a template is for these arguments; a class-pattern while some of them are patterns. */
export function instantiateTemplate(
  context: Context,
  template: TemplateEntity,
  given: readonly TemplateArgument[],
): CxxType {
  if (given.some(isDependent)) {
    const aliased = template.of === "alias" ? aliasedPattern(context, template, given) : null;
    if (aliased !== null) return aliased;
    return { kind: "class-pattern", template, arguments: given, isConst: false, isVolatile: false };
  }
  const at: Context = { ...context, unit: template.unit };
  const bound = bindArguments(at, template.scope, template.parameters, given);
  const text = `${template.name}<${given.map(argumentText).join(",")}>`;
  if (bound === null) return unknownOf(text, `the arguments of ${text} do not fit`);
  const key = context.translation.keyOf(bound.arguments);
  const known = template.instances.get(key);
  if (known && known.kind !== "variable") return known;
  if (template.instances.size > 2000) throw new Unsupported(`too many instances of ${template.name}`);
  const type = makeInstance(at, template, bound);
  template.instances.set(key, type);
  return type;
}

/** What an alias is for patterns: `bool_constant<B>` is `integral_constant<bool, B>`. Null where nothing could be deduced from that. */
function aliasedPattern(
  context: Context,
  template: TemplateEntity,
  given: readonly TemplateArgument[],
): CxxType | null {
  const { parameters, node, unit } = template;
  const isPlain = given.length === parameters.length && parameters.every(({ isPack }) => !isPack);
  const typeNode = node === null ? null : childOf(node, "type");
  if (!isPlain || typeNode === null) return null;
  const scope = new Scope("template", template.scope, template.scope.name);
  for (const [index, { name }] of parameters.entries()) {
    const argument = given[index];
    if (argument === undefined || argument.kind === "expansion" || argument.kind === "undeduced") return null;
    scope.declare(name, entityOf(argument));
  }
  const type = orElse(
    () => typeOfDescriptor({ ...context, unit, scope }, typeNode),
    () => null,
  );
  return type !== null && isDependentType(type) ? type : null;
}

function makeInstance(
  context: Context,
  template: TemplateEntity,
  bound: { scope: Scope; arguments: TemplateArgument[] },
): CxxType {
  const chosen = chooseSpecialization(context, template, bound.arguments);
  const node = chosen ? chosen.node : template.node;
  const scope = chosen ? chosen.scope : bound.scope;
  if (node === null) return unknownOf(template.name, `${template.name} is declared but not defined here`);
  const at: Context = { ...context, unit: chosen ? chosen.unit : template.unit, scope };
  if (template.of === "alias") {
    const type = childOf(node, "type");
    if (type === null) throw new Unsupported(`the alias ${template.name} is incomplete`);
    return typeOfDescriptor(at, type);
  }
  return instantiateClass(at, node, template, bound.arguments);
}

/** The most special specialisation that fits: full ones before partial ones, more patterns matched before fewer. */
export function chooseSpecialization(
  context: Context,
  template: TemplateEntity,
  given: readonly TemplateArgument[],
): { node: SyntaxNode; unit: TemplateEntity["unit"]; scope: Scope } | null {
  let best: { node: SyntaxNode; unit: TemplateEntity["unit"]; scope: Scope; rank: number } | null = null;
  const flat = given.flatMap((argument) => (argument.kind === "pack" ? argument.elements : [argument]));
  for (const each of template.specializations) {
    const names = each.parameters.map((parameter) => parameter.name);
    const at: Context = { ...context, unit: each.unit, scope: bindPatterns(each.scope, each.parameters) };
    const pattern = patternsOf(at, each.argumentList, template.parameters);
    const found = unifyArguments(pattern, flat);
    if (found === null) continue;
    const bound = bindArguments(
      { ...context, unit: each.unit },
      each.scope,
      each.parameters,
      names.map((name) => found.get(name) ?? null),
    );
    if (bound === null || !meetsUndeduced(pattern, { ...at, scope: bound.scope }, each.argumentList, flat))
      continue;
    const rank = specificity(pattern) - each.parameters.length;
    if (best === null || rank > best.rank)
      best = { node: each.node, unit: each.unit, scope: bound.scope, rank };
  }
  return best;
}

/** The arguments of a specialisation; "undeduced" stands for those that parameters only enter, `enable_if_t<(sizeof(T) > 4)>`. */
function patternsOf(
  context: Context,
  list: SyntaxNode,
  parameters: readonly TemplateParameterNode[],
): TemplateArgument[] {
  return namedChildren(list).flatMap((node, index): TemplateArgument[] => {
    const read = orElse(
      () => {
        const packed = packExpansion(node);
        return packed
          ? expandedArguments(context, packed)
          : [templateArgument(context, node, parameters[index] ?? null)];
      },
      () => [],
    );
    const isKnown =
      read.length > 0 && !read.some((each) => each.kind === "type" && each.type.kind === "unknown");
    return isKnown ? read : [{ kind: "undeduced" }];
  });
}

/** Whether what could not be deduced is what is given, now that the parameters are known. */
function meetsUndeduced(
  pattern: readonly TemplateArgument[],
  context: Context,
  list: SyntaxNode,
  given: readonly TemplateArgument[],
): boolean {
  if (!pattern.some(({ kind }) => kind === "undeduced")) return true;
  const known = patternsOf(context, list, []);
  return pattern.every(({ kind }, index) => {
    const [one, other] = [known[index], given[index]];
    return (
      kind !== "undeduced" ||
      (one && other && argumentText(one) === argumentText(other) && one.kind !== "undeduced")
    );
  });
}

function specificity(pattern: readonly TemplateArgument[]): number {
  return pattern.reduce(
    (sum, argument) => sum + (isDependent(argument) ? 0 : 2) + (isCompound(argument) ? 1 : 0),
    0,
  );
}

function isCompound(argument: TemplateArgument): boolean {
  return argument.kind === "type" && /^(pointer|reference|array|class-pattern)$/.test(argument.type.kind);
}

function isDependent(argument: TemplateArgument): boolean {
  switch (argument.kind) {
    case "pattern":
    case "expansion":
    case "undeduced":
      return true;
    case "type":
      return isDependentType(argument.type);
    case "pack":
      return argument.elements.some(isDependent);
    default:
      return false;
  }
}

function isDependentType(type: CxxType): boolean {
  switch (type.kind) {
    case "pattern":
    case "class-pattern":
      return true;
    case "pointer":
    case "reference":
      return isDependentType(type.target);
    case "array":
      return isDependentType(type.element) || (type.count !== null && typeof type.count === "object");
    case "function":
      return isDependentType(type.result) || type.parameters.some(isDependentType);
    default:
      return false;
  }
}
