// Calls of functions that are known: arguments converted, defaults filled in, `this` first.
import type { Expression } from "../../ir/expression.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { isOptionQuery, optionQuery } from "../builtins/option-query.ts";
import { type Context, noteGap, rangeOf, sideOf } from "../context.ts";
import { constantOf, offsetOf, unknownValue } from "../expressions/build.ts";
import { convertValue, resultValue } from "../expressions/convert.ts";
import { expression } from "../expressions/expression.ts";
import { forgottenThrough } from "../expressions/forgotten.ts";
import { materialized, pointerToPlace, readValue, type Value } from "../expressions/value.ts";
import type { FunctionEntity, TemplateArgument } from "../names/entity.ts";
import { baseOffset } from "../types/class.ts";
import { irTypeOf } from "../types/cxx-type.ts";
import { isInTable, virtualCallee } from "../types/virtual.ts";
import { Unsupported } from "../unsupported.ts";
import { type FunctionInstance, type InstanceParameter, instantiate } from "./instance.ts";

export interface CallOperands {
  /** The object of a member call. */
  readonly object: Value | null;
  readonly arguments: readonly Value[];
  /** The call in the text; null for calls that the language adds. */
  readonly node: SyntaxNode | null;
}

/** Calls `entity` with these template arguments. */
export function callFunction(
  context: Context,
  entity: FunctionEntity,
  list: readonly TemplateArgument[],
  operands: CallOperands,
): Value {
  const instance = instantiate(context, entity, list);
  if (instance === null) throw new Unsupported(`the template arguments of ${entity.name} do not fit`);
  return callInstance(context, instance, operands);
}

export function callInstance(context: Context, instance: FunctionInstance, operands: CallOperands): Value {
  const given: Expression[] = [];
  if (instance.self && operands.object) given.push(objectPointer(context, instance, operands.object));
  else if (instance.self) throw new Unsupported(`${instance.displayName} needs an object`);
  for (const [index, parameter] of instance.parameters.entries()) {
    given.push(argumentFor(context, instance, parameter, operands.arguments[index]));
  }
  for (const extra of operands.arguments.slice(instance.parameters.length)) {
    given.push(readValue(context, extra).expression);
  }
  const result = instance.result();
  const type = irTypeOf(result);
  const range = operands.node
    ? rangeOf(context, operands.node)
    : instance.entity.unit.rangeOf(instance.entity.node.start, instance.entity.node.end);
  const [self, ...others] = given;
  const virtual =
    self && isVirtual(context, instance, operands.object)
      ? virtualCallee(context, instance, self, operands.node)
      : null;
  if (virtual) {
    const { callee, object } = virtual;
    const call: Expression = {
      kind: "call-indirect",
      type,
      callee,
      arguments: [object, ...others],
      range,
    };
    return resultValue(result, call, operands.node);
  }
  const callee = context.translation.calleeOf(instance);
  if (callee === null) {
    const reason = `${instance.displayName} is declared but not defined here`;
    if (context.body?.isDevice) noteGap(context, reason);
    const isQuery = context.body?.isDevice === false && isOptionQuery(type, given);
    return resultValue(
      result,
      isQuery
        ? { kind: "intrinsic", name: optionQuery, type, arguments: given, site: null, range }
        : unknownValue(type, reason, [...given, ...writtenOutOfSight(context, given, reason)]),
      operands.node,
    );
  }
  const isSeparate = instance.entity.body === null;
  const call: Expression = isSeparate
    ? { kind: "call", type, callee, arguments: given, range, isSeparate }
    : { kind: "call", type, callee, arguments: given, range };
  return resultValue(result, call, operands.node);
}

/** Whether the object, which a pointer or reference leads to, says what function is called. */
function isVirtual(context: Context, { entity, self }: FunctionInstance, object: Value | null): boolean {
  if (self === null || object?.kind !== "place" || object.place.kind !== "memory") return false;
  return isInTable(context, self, entity);
}

/** `this` for a member function of `object`, moved to the base that declares it. */
function objectPointer(context: Context, instance: FunctionInstance, object: Value): Expression {
  if (object.kind !== "place" && object.kind !== "value") throw new Unsupported("a member of no object");
  if (isVirtual(context, instance, object) && sideOf(context) !== "host")
    throw new Unsupported("a virtual call");
  const place = materialized(context, object);
  const pointer = pointerToPlace(place);
  const self = instance.self;
  if (self === null || place.type.kind !== "class" || place.type.info === self) return pointer;
  const offset = baseOffset(place.type.info, self);
  if (offset === null) throw new Unsupported(`${instance.displayName} is a member of another class`);
  const index = constantOf({ kind: "integer", bits: 64, signed: true }, offset);
  return offsetOf(pointer, index, 1, self.layout().record);
}

function argumentFor(
  context: Context,
  instance: FunctionInstance,
  parameter: InstanceParameter,
  given: Value | undefined,
): Expression {
  if (given !== undefined) return convertValue(context, given, parameter.type);
  if (parameter.default === null) throw new Unsupported(`${instance.displayName} lacks an argument`);
  const at: Context = { ...context, unit: parameter.default.unit, scope: instance.scope };
  return convertValue(at, expression(at, parameter.default.node), parameter.type);
}

/** What a function of device code that is defined elsewhere may have written through its arguments. */
function writtenOutOfSight(context: Context, given: readonly Expression[], reason: string): Expression[] {
  if (context.body?.isDevice !== true) return [];
  return given.flatMap((argument) => forgottenThrough(argument, reason));
}
