// Operators that a program defines for its classes.
import type { SyntaxNode } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import type { Value } from "../expressions/value.ts";
import { typeOfValue } from "../expressions/value.ts";
import type { FunctionEntity } from "../names/entity.ts";
import { memberScope } from "../names/names.ts";
import type { CxxType } from "../types/cxx-type.ts";
import { callInstance } from "./call-function.ts";
import type { FunctionInstance } from "./instance.ts";
import { rankOf, resolveOverload, userConversion } from "./overload.ts";

/** The call of a user-defined operator, or null where none applies and the built-in one is meant. */
export function operatorCall(
  context: Context,
  operator: string,
  operands: readonly Value[],
  node: SyntaxNode,
): Value | null {
  const [first] = operands;
  if (first === undefined || !operands.some((value) => isUserType(typeOfValue(value)))) return null;
  return (
    memberOperator(context, operator, first, operands.slice(1), node) ??
    freeOperator(context, operator, operands, node)
  );
}

function isUserType(type: CxxType): boolean {
  return type.kind === "class" || type.kind === "enum";
}

function memberOperator(
  context: Context,
  operator: string,
  object: Value,
  rest: readonly Value[],
  node: SyntaxNode,
): Value | null {
  const type = typeOfValue(object);
  if (type.kind !== "class" || (object.kind !== "place" && object.kind !== "value")) return null;
  const candidates = functionsOf(memberScope(type.info).own(`operator${operator}`));
  if (candidates.length === 0) return null;
  const set = { kind: "functions", name: `operator${operator}`, candidates, explicit: null, object } as const;
  const instance = resolveOverload(context, set, rest);
  if (instance === null) return null;
  return callInstance(context, instance, { object, arguments: rest, node });
}

function freeOperator(
  context: Context,
  operator: string,
  operands: readonly Value[],
  node: SyntaxNode,
): Value | null {
  const name = `operator${operator}`;
  const candidates = new Set<FunctionEntity>(functionsOf(context.scope.lookup(name)));
  for (const value of operands) {
    const type = typeOfValue(value);
    if (type.kind === "class")
      for (const each of functionsOf(type.info.scope.namespace().own(name))) candidates.add(each);
  }
  if (candidates.size === 0) return null;
  const set = { kind: "functions", name, candidates: [...candidates], explicit: null, object: null } as const;
  const instance = resolveOverload(context, set, operands);
  if (instance === null || isWorseThanBuiltIn(context, instance, operands)) return null;
  return callInstance(context, instance, { object: null, arguments: operands, node });
}

/** Of numbers and enumerations there is a built-in operator, which is better than one that would make objects of them. */
function isWorseThanBuiltIn(
  context: Context,
  { parameters }: FunctionInstance,
  operands: readonly Value[],
): boolean {
  if (operands.some((value) => typeOfValue(value).kind === "class")) return false;
  return operands.some((value, index) => {
    const type = parameters[index]?.type;
    return type !== undefined && (rankOf(context, value, type) ?? userConversion) >= userConversion;
  });
}

function functionsOf(entities: readonly { kind: string }[]): FunctionEntity[] {
  return entities.filter((entity): entity is FunctionEntity => entity.kind === "function");
}
