// Function instances: a function with its template arguments bound, its parameters and result known, its body lowered later.
import type { FunctionId } from "../../ir/function.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import type { SyntaxUnit } from "../../syntax/unit.ts";
import type { Context } from "../context.ts";
import { inScope, newVariable, textOf } from "../context.ts";
import type { FunctionEntity, TemplateArgument } from "../names/entity.ts";
import { Scope } from "../names/scope.ts";
import { argumentsKey, argumentText } from "../templates/argument-names.ts";
import { bindArguments } from "../templates/bind.ts";
import { expandPack, packsIn } from "../templates/pack.ts";
import type { ClassInfo } from "../types/class.ts";
import {
  autoType,
  type CxxType,
  irTypeOf,
  typeText,
  unknownOf,
  unqualified,
  voidType,
} from "../types/cxx-type.ts";
import {
  containsAuto,
  type Declared,
  declare,
  declareParameter,
  parameterNodes,
  replaceAuto,
} from "../types/declarator.ts";
import { resolveType, specifierWords, typeOfSpecifiers } from "../types/type-specifier.ts";
import { orElse, Unsupported } from "../unsupported.ts";
import { definitionOf, specializationFor } from "./definition.ts";

export interface InstanceParameter {
  readonly name: string;
  readonly type: CxxType;
  readonly nameNode: SyntaxNode | null;
  readonly default: { readonly node: SyntaxNode; readonly unit: SyntaxUnit } | null;
  /** The pack that it is an element of. */
  readonly packName: string | null;
  /** Declared `__restrict__`. */
  readonly isRestrict: boolean;
}

export interface FunctionInstance {
  readonly id: FunctionId;
  /** What a linker knows it by, its name and the types of its parameters; the id says besides whose it is, where several units have one. */
  readonly symbol: string;
  /** `transpose<32,8>`. */
  readonly displayName: string;
  /** With the namespaces and classes that it is in. */
  readonly qualifiedName: string;
  /** As declared; and as defined, where that is elsewhere. */
  readonly entity: FunctionEntity;
  /** Where the template's parameters are bound. */
  readonly scope: Scope;
  readonly templateArguments: readonly TemplateArgument[];
  readonly kind: "kernel" | "device" | "host" | "host-device";
  readonly parameters: readonly InstanceParameter[];
  /** Packs of parameters, also empty ones. */
  readonly packNames: readonly string[];
  readonly isVariadic: boolean;
  /** The class whose object is passed first as `this`, or null. */
  readonly self: ClassInfo | null;
  readonly result: () => CxxType;
}

const instanceBudget = 20_000;
const instancesOfOneBudget = 500;

/** The instance for a full list of template arguments; null where they do not fit. */
export function instantiate(
  context: Context,
  declared: FunctionEntity,
  given: readonly (TemplateArgument | null)[],
): FunctionInstance | null {
  const entity = definitionOf(context, declared);
  const at: Context = { ...context, unit: entity.unit, body: null };
  const bound =
    entity.parameters === null
      ? { scope: entity.scope, arguments: [] }
      : bindArguments(at, entity.scope, entity.parameters, given);
  if (bound === null) return null;
  const special = specializationFor(at, entity, bound);
  if (special) return instanceIn(at, special, special.scope, bound.arguments);
  return instanceIn(at, entity, bound.scope, bound.arguments);
}

function instanceIn(
  context: Context,
  entity: FunctionEntity,
  scope: Scope,
  list: readonly TemplateArgument[],
): FunctionInstance {
  const { instances } = context.translation;
  const key = `${entity.key}:${argumentsKey(list)}`;
  const known = instances.get(key);
  if (known) return known;
  const count = (context.translation.instanceCounts.get(entity.key) ?? 0) + 1;
  if (instances.size > instanceBudget || count > instancesOfOneBudget) {
    throw new Unsupported(`too many instances of ${entity.name}`);
  }
  context.translation.instanceCounts.set(entity.key, count);
  const instance = makeInstance({ ...context, unit: entity.unit, scope }, entity, scope, list);
  instances.set(key, instance);
  context.translation.register(instance);
  return instance;
}

export function makeInstance(
  context: Context,
  entity: FunctionEntity,
  scope: Scope,
  list: readonly TemplateArgument[],
): FunctionInstance {
  const { parameters, packNames } = instanceParameters(context, entity);
  const texts = list.map(argumentText).filter((text) => text !== "");
  const displayName = texts.length > 0 ? `${entity.name}<${texts.join(",")}>` : entity.name;
  const owner = entity.memberOf?.qualifiedName ?? entity.scope.namespace().name;
  const qualifiedName = `${owner ? `${owner}::` : ""}${displayName}`;
  const signature = parameters.map((parameter) => typeText(unqualified(parameter.type))).join(",");
  const symbol = `${qualifiedName}(${signature})`;
  let result: CxxType | null = null;
  const instance: FunctionInstance = {
    id: freshId(context, symbol + context.translation.linkage.markOf(entity, list)),
    symbol,
    displayName,
    qualifiedName,
    entity,
    scope,
    templateArguments: list,
    kind: kindOf(context, entity),
    parameters,
    packNames,
    isVariadic: hasEllipsis(entity),
    self: entity.memberOf && !entity.isStatic ? entity.memberOf : null,
    result: () => {
      result ??= resultOf(context, instance);
      return result;
    },
  };
  return instance;
}

function freshId(context: Context, text: string): FunctionId {
  let id = text;
  for (let count = 2; context.translation.isRegistered(id as FunctionId); count++) id = `${text}#${count}`;
  return id as FunctionId;
}

function kindOf(context: Context, entity: FunctionEntity): FunctionInstance["kind"] {
  const words = specifierWords(context, entity.node);
  if (words.has("__global__")) return "kernel";
  if (entity.isLambda) return entity.isHostLambda ? "host" : "host-device";
  if (!words.has("__device__")) return "host";
  return words.has("__host__") ? "host-device" : "device";
}

function hasEllipsis(entity: FunctionEntity): boolean {
  const list = entity.declarator ? childOf(entity.declarator, "parameters") : null;
  return list?.children.some((child) => child.type === "..." || child.type === "variadic_parameter") ?? false;
}

// --- parameters and results

function instanceParameters(
  context: Context,
  entity: FunctionEntity,
): { parameters: InstanceParameter[]; packNames: string[] } {
  const list = entity.declarator ? childOf(entity.declarator, "parameters") : null;
  const nodes = parameterNodes(list);
  const parameters: InstanceParameter[] = [];
  const packNames: string[] = [];
  for (const [index, node] of nodes.entries()) {
    if (node.type === "variadic_parameter_declaration") {
      const expanded = packParameters(context, node, index);
      packNames.push(expanded.name);
      parameters.push(...expanded.parameters);
      continue;
    }
    const declared = parameterOf(context, entity, node);
    if (isVoidList(nodes, declared.type, declared.name)) break;
    parameters.push({
      name: declared.name ? textOf(context, declared.name) : "",
      type: replaceAutoParameter(context, declared.type, index),
      nameNode: declared.name,
      default: defaultOf(entity, node, index),
      packName: null,
      isRestrict: isRestricted(context, childOf(node, "declarator")),
    });
  }
  return { parameters, packNames };
}

/** A parameter whose type is not understood is of an unknown type; in a template it makes the candidate unfit. */
function parameterOf(context: Context, entity: FunctionEntity, node: SyntaxNode): Declared {
  if (entity.parameters !== null) return declareParameter(context, node);
  return orElse(
    () => declareParameter(context, node),
    (reason) => {
      const name = declareParameterName(node);
      return { type: unknownOf("?", reason), name, functionNode: null, isPack: false };
    },
  );
}

function isVoidList(nodes: readonly SyntaxNode[], type: CxxType, name: SyntaxNode | null): boolean {
  return nodes.length === 1 && name === null && type.kind === "fundamental" && type.ir.kind === "void";
}

function packParameters(
  context: Context,
  node: SyntaxNode,
  index: number,
): { name: string; parameters: InstanceParameter[] } {
  const declared = declareParameterName(node);
  const name = declared ? textOf(context, declared) : "";
  const [automatic] = context.scope.lookup(`auto#${index}`);
  if (automatic?.kind === "pack") {
    const types = automatic.elements.map((each) =>
      each.kind === "type" ? each.type() : unknownOf("auto", "unknown"),
    );
    const base = declareParameter(context, node).type;
    const parameters = types.map((type, at) => packElement(name, at, declared, replaceAuto(base, type)));
    return { name, parameters };
  }
  const typeNode = childOf(node, "type");
  if (typeNode === null || packsIn(context, node).length === 0) return { name, parameters: [] };
  const types = expandPack(context, node, (inner) => declareParameter(inner, node).type);
  return { name, parameters: types.map((type, at) => packElement(name, at, declared, type)) };
}

function packElement(
  name: string,
  at: number,
  nameNode: SyntaxNode | null,
  type: CxxType,
): InstanceParameter {
  return { name: `${name}#${at}`, type, nameNode, default: null, packName: name, isRestrict: false };
}

/** `T* __restrict__ name`: the word belongs to the outermost pointer. */
export function isRestricted(context: Context, declarator: SyntaxNode | null): boolean {
  return (
    declarator?.type === "pointer_declarator" &&
    declarator.children.some(
      (child) => child.type === "type_qualifier" && textOf(context, child) === "__restrict__",
    )
  );
}

function declareParameterName(node: SyntaxNode): SyntaxNode | null {
  let at = childOf(node, "declarator");
  while (at && at.type !== "identifier") at = at.children.find((child) => child.isNamed) ?? null;
  return at;
}

/** `auto` in a parameter is a template parameter of its own, called `auto#index`. */
function replaceAutoParameter(context: Context, type: CxxType, index: number): CxxType {
  if (!containsAuto(type)) return type;
  const [entity] = context.scope.lookup(`auto#${index}`);
  return entity?.kind === "type" ? replaceAuto(type, entity.type()) : type;
}

/** Its default argument, at this declaration or an earlier one of the same function. */
function defaultOf(
  entity: FunctionEntity,
  node: SyntaxNode,
  index: number,
): { node: SyntaxNode; unit: SyntaxUnit } | null {
  const own = childOf(node, "default_value");
  if (own) return { node: own, unit: entity.unit };
  for (const other of declarationsOf(entity)) {
    const nodes = parameterNodes(other.declarator ? childOf(other.declarator, "parameters") : null);
    const value = nodes[index] ? childOf(nodes[index], "default_value") : null;
    if (value) return { node: value, unit: other.unit };
  }
  return null;
}

function declarationsOf(entity: FunctionEntity): FunctionEntity[] {
  const scope = entity.memberOf?.scope ?? entity.scope;
  const count = parameterCount(entity);
  const found = entity.name === entity.memberOf?.name ? entity.memberOf.constructors : scope.own(entity.name);
  return found.filter(
    (each): each is FunctionEntity =>
      each.kind === "function" && each !== entity && each.body === null && parameterCount(each) === count,
  );
}

export function parameterCount(entity: FunctionEntity): number {
  return parameterNodes(entity.declarator ? childOf(entity.declarator, "parameters") : null).length;
}

function resultOf(context: Context, instance: FunctionInstance): CxxType {
  const written = writtenResult(context, instance);
  return containsAuto(written) ? deducedResult(context, instance) : written;
}

/** The result as it is declared, with the `auto` that the return statements give a type. */
export function writtenResult(context: Context, instance: FunctionInstance): CxxType {
  const { entity } = instance;
  if (entity.conversion) return conversionType(context, entity.conversion);
  const typeNode = childOf(entity.node, "type");
  if (entity.isLambda ? entity.declarator === null : typeNode === null)
    return entity.isLambda ? autoType : voidType;
  const inner = inScope(context, parameterScope(context, instance));
  const base = typeNode ? typeOfSpecifiers(inner, entity.node).type : lambdaResult(inner, entity);
  if (entity.isLambda) return base;
  const whole = declare(inner, base, childOf(entity.node, "declarator") ?? entity.declarator);
  return whole.type.kind === "function" ? whole.type.result : whole.type;
}

function lambdaResult(context: Context, entity: FunctionEntity): CxxType {
  const trailing = entity.declarator?.children.find((child) => child.type === "trailing_return_type");
  const descriptor = trailing?.children.find((child) => child.isNamed);
  if (descriptor) return resolveType(context, descriptor);
  return autoType;
}

function conversionType(context: Context, node: SyntaxNode): CxxType {
  const typeNode = childOf(node, "type");
  if (typeNode === null) throw new Unsupported("a conversion to nothing");
  const declarator = childOf(node, "declarator");
  const declared = declare(context, typeOfSpecifiers(context, node).type, declarator).type;
  return declared.kind === "function" ? declared.result : declared;
}

/** A scope in which the parameters' types can be asked for by `decltype`. */
function parameterScope(context: Context, instance: FunctionInstance): Scope {
  const scope = new Scope("block", instance.scope);
  for (const { name, type } of instance.parameters) {
    if (name === "") continue;
    scope.declare(name, {
      kind: "variable",
      name,
      get: () => ({ type, variable: newVariable(context, name, irTypeOf(type)), constant: null }),
    });
  }
  return scope;
}

/** The result that the return statements give; lowers the body. */
function deducedResult(context: Context, instance: FunctionInstance): CxxType {
  const { deducing } = context.translation;
  const known = deducing.get(instance);
  if (known === "busy") throw new Unsupported(`the result of ${instance.displayName} depends on itself`);
  if (known) return known;
  deducing.set(instance, "busy");
  const definition = context.translation.functionOf(instance.id);
  const found = context.translation.deducedResults.get(instance.id);
  const type = found ?? unknownOf("auto", `the result of ${instance.displayName} is not known`);
  if (definition) deducing.set(instance, type);
  else deducing.delete(instance);
  return type;
}
