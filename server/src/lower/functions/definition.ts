// Where the body of a function stands: at its declaration, behind it, out of its class, or in a specialisation.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { textOf } from "../context.ts";
import type { FunctionEntity, TemplateArgument } from "../names/entity.ts";
import { isOfOneInstance, isOfOtherInstance, type OwnerNamed, ownerText } from "../names/owner.ts";
import { Scope } from "../names/scope.ts";
import { argumentsKey } from "../templates/argument-names.ts";
import { bindArguments } from "../templates/bind.ts";
import { templateArgumentsOf } from "../templates/written-arguments.ts";
import type { ClassInfo } from "../types/class.ts";
import { typeText, unqualified } from "../types/cxx-type.ts";
import { parameterNodes } from "../types/declarator.ts";
import { specifierWords } from "../types/type-specifier.ts";
import { Unsupported } from "../unsupported.ts";
import { functionParts } from "./declared-function.ts";
import { makeInstance, parameterCount } from "./instance.ts";

/** The entity with the body: a member may be defined outside of its class, a function after its declaration. */
export function definitionOf(context: Context, entity: FunctionEntity): FunctionEntity {
  if (entity.body !== null) return entity;
  const known = context.translation.bodies.get(entity);
  if (known) return known;
  const found = entity.memberOf ? outOfLine(context, entity, entity.memberOf) : laterDefinition(entity);
  if (found === null) return entity;
  context.translation.bodies.set(entity, found);
  return found;
}

function laterDefinition(entity: FunctionEntity): FunctionEntity | null {
  const count = parameterCount(entity);
  // Declares the units that may define it by its qualified name.
  for (let scope = entity.scope.namespace().parent; scope; scope = scope.parent) scope.own(entity.name);
  for (const each of entity.scope.own(entity.name)) {
    if (
      each.kind === "function" &&
      each.body &&
      parameterCount(each) === count &&
      each.specializes === null
    ) {
      if ((each.parameters === null) === (entity.parameters === null)) return each;
    }
  }
  return null;
}

function outOfLine(context: Context, entity: FunctionEntity, owner: ClassInfo): FunctionEntity | null {
  // Declares the units that may define it.
  owner.scope.namespace().own(entity.conversion ? owner.name : entity.name);
  context.translation.global.own(entity.name);
  const key = `${owner.name}::${entity.name}`;
  const candidates = [...context.translation.outOfLine]
    .filter(([name]) => name === key || name.endsWith(`::${key}`))
    .flatMap(([, list]) => list);
  const fitting = candidates.filter(
    (each) => sameSignature(context, each, entity) && !isOfOtherInstance(context, named(each), owner.scope),
  );
  // One that is declared for this instance alone stands for it, wherever its body is.
  const own = fitting.filter((each) => isOfOneInstance(named(each)));
  const match = (own.length > 0 ? own : fitting).find(({ body }) => body !== null);
  if (!match) return null;
  const instance = owner.instanceOf;
  // The definition may name the class template's parameters as it likes.
  const scope = new Scope("template", owner.scope, owner.scope.name);
  if (instance && match.parameters) {
    const bound = bindArguments(
      { ...context, unit: match.unit },
      owner.scope,
      match.parameters,
      instance.arguments,
    );
    return {
      ...match,
      // The text stands once for all instances of the class: what tells their functions apart is the declaration in each.
      key: entity.key,
      scope: bound?.scope ?? scope,
      parameters: entity.parameters,
      memberOf: owner,
      isStatic: entity.isStatic,
    };
  }
  return { ...match, scope: owner.scope, memberOf: owner, isStatic: entity.isStatic };
}

/** What a definition out of its class says of the class. */
function named({ unit, node, parameters }: FunctionEntity): OwnerNamed {
  const { nameNode } = functionParts(childOf(node, "declarator"));
  const name = nameNode ? unit.text.slice(nameNode.start, nameNode.end) : "";
  return { unit, ownerText: ownerText(name), isTemplate: parameters !== null };
}

function sameSignature(context: Context, a: FunctionEntity, b: FunctionEntity): boolean {
  if (a.conversion && b.conversion)
    return conversionText(context, a, a.conversion) === conversionText(context, b, b.conversion);
  return (
    parameterCount(a) === parameterCount(b) &&
    (signatureText(context, a) === signatureText(context, b) || candidatesAreFew(b))
  );
}

/** The type that a conversion gives, as written. */
function conversionText(context: Context, { unit }: FunctionEntity, conversion: SyntaxNode): string {
  const at: Context = { ...context, unit };
  return `${[...specifierWords(at, conversion)].join(" ")}${typeNodeText(at, conversion)}`;
}

function candidatesAreFew(entity: FunctionEntity): boolean {
  const owner = entity.memberOf;
  if (owner === null) return false;
  const list = entity.name === owner.name ? owner.constructors : owner.scope.own(entity.name);
  return (
    list.filter((each) => each.kind === "function" && parameterCount(each) === parameterCount(entity))
      .length === 1
  );
}

function signatureText(context: Context, entity: FunctionEntity): string {
  const nodes = parameterNodes(entity.declarator ? childOf(entity.declarator, "parameters") : null);
  const at: Context = { ...context, unit: entity.unit };
  return nodes.map((node) => `${[...specifierWords(at, node)].join(" ")}${typeNodeText(at, node)}`).join(",");
}

function typeNodeText(context: Context, node: SyntaxNode): string {
  const typeNode = childOf(node, "type");
  const declarator = childOf(node, "declarator");
  const marks = declarator ? textOf(context, declarator).replace(/[^*&[\]]/g, "") : "";
  return (typeNode ? textOf(context, typeNode).replace(/\s+/g, "") : "") + marks;
}

/** The specialisation for these arguments, with its body where that is in sight; null where there is none. */
export function specializationFor(
  context: Context,
  entity: FunctionEntity,
  bound: { readonly scope: Scope; readonly arguments: readonly TemplateArgument[] },
): FunctionEntity | null {
  if (entity.parameters === null) return null;
  const { parameters } = entity;
  const key = argumentsKey(bound.arguments);
  let signature: string | null = null;
  let declared: FunctionEntity | null = null;
  for (const each of entity.scope.kind === "template" ? [] : entity.scope.own(entity.name)) {
    if (each.kind !== "function" || each.specializes === null) continue;
    refuseUnknown(entity.name, bound.arguments);
    const at: Context = { ...context, unit: each.unit, scope: each.scope };
    if (each.specializes === "deduced") {
      signature ??= signatureOf(context, entity, bound.scope, bound.arguments);
      if (signatureOf(at, each, each.scope, []) !== signature) continue;
    } else if (argumentsKey(templateArgumentsOf(at, each.specializes, parameters)) !== key) continue;
    if (each.body !== null) return each;
    declared ??= each;
  }
  return declared;
}

/** No one can tell which specialisation arguments ask for that are not known. */
function refuseUnknown(name: string, list: readonly TemplateArgument[]): void {
  const unknown = list.find((each) => each.kind === "unknown");
  if (unknown) throw new Unsupported(`which ${name} is meant is not known, since ${unknown.reason}`);
}

/** The types of the parameters and the result, as text: a specialisation that leaves out its arguments is known by them. */
function signatureOf(
  context: Context,
  entity: FunctionEntity,
  scope: Scope,
  list: readonly TemplateArgument[],
): string {
  const instance = makeInstance({ ...context, unit: entity.unit, scope }, entity, scope, list);
  const types = [instance.result(), ...instance.parameters.map(({ type }) => type)];
  return types.map((type) => typeText(unqualified(type))).join(",");
}
