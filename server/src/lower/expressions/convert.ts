// Implicit and explicit conversions of values to types.
import type { Expression } from "../../ir/expression.ts";
import { functionType, isScalar } from "../../ir/type.ts";
import { type Context, noteGap, sideOf } from "../context.ts";
import { callFunction } from "../functions/call-function.ts";
import { instantiate } from "../functions/instance.ts";
import { resolveOverload } from "../functions/overload.ts";
import { referenceToFunction } from "../functions/reference.ts";
import type { FunctionEntity, TemplateArgument } from "../names/entity.ts";
import { memberScope } from "../names/names.ts";
import { baseOffset, type ClassInfo } from "../types/class.ts";
import {
  boolType,
  type CxxType,
  type FunctionType,
  irTypeOf,
  isArithmetic,
  isFloating,
  isFunctionPointer,
  pointerTo,
  referred,
  sameType,
  typeText,
  unqualified,
} from "../types/cxx-type.ts";
import { orElse } from "../unsupported.ts";
import { readCopy } from "../variables/copy.ts";
import { initializeFromValue } from "../variables/initialize.ts";
import { initializeFromList } from "../variables/initialize-list.ts";
import { addressOf, constantOf, convertOf, offsetOf, sequenceOf, unknownValue } from "./build.ts";
import {
  dereference,
  type LValue,
  materialized,
  pointerToPlace,
  type RValue,
  readValue,
  typeOfValue,
  type Value,
} from "./value.ts";

/** `value` as a value of `type`, as an initialisation or argument converts it. A reference becomes a pointer. */
export function convertValue(context: Context, value: Value, type: CxxType): Expression {
  if (value.kind === "list") return initializeFromList(value.context, type, value.node).expression;
  if (type.kind === "reference") return bindReference(context, value, type.target);
  if (type.kind === "class") return initializeFromValue(context, type, value);
  if (value.kind === "place" && value.type.kind === "class" && sideOf(context) === "host") {
    const conversion = isFunctionPointer(type) ? null : conversionFor(context, value.type, type);
    if (conversion) return convertRead(context, convertedBy(context, conversion, value), type);
  }
  if (value.kind === "functions" && isFunctionPointer(type))
    return referenceToFunction(context, value).expression;
  return convertRead(
    context,
    isFunctionPointer(type) ? readCopy(context, value) : readValue(context, value),
    type,
  );
}

/** A loaded value as `type`. */
export function convertRead(context: Context, value: RValue, type: CxxType): Expression {
  const target = irTypeOf(type);
  const { expression } = value;
  if (value.type.kind === "class") return convertFromClass(context, value, type);
  if (target.kind === "unknown") {
    return type.kind === "unknown" ? unknownValue(target, type.reason, [expression]) : expression;
  }
  if (target.kind === "void") return sequenceOf([expression], constantOf(target, 0));
  if (expression.type.kind === "unknown") {
    const reason = expression.kind === "unknown" ? expression.reason : expression.type.reason;
    return unknownValue(target, reason, expression.kind === "unknown" ? expression.operands : [expression]);
  }
  if (target.kind === "pointer" && value.type.kind === "pointer" && type.kind === "pointer") {
    return convertPointer(expression, value.type.target, type.target, type);
  }
  const isConvertible =
    (isScalar(target) || target.kind === "pointer" || target.kind === "function") &&
    (isScalar(expression.type) || expression.type.kind === "pointer" || expression.type.kind === "function");
  if (isConvertible) return convertOf(expression, target);
  return unknownValue(target, `${typeText(value.type)} does not convert to ${typeText(type)}`, [expression]);
}

/** A pointer to a derived class may move when it becomes one to a base. */
function convertPointer(pointer: Expression, from: CxxType, to: CxxType, type: CxxType): Expression {
  if (
    from.kind === "class" &&
    to.kind === "class" &&
    from.info !== to.info &&
    from.info.origin === "source"
  ) {
    const down = baseOffset(from.info, to.info);
    if (down !== null)
      return offsetOf(
        pointer,
        constantOf({ kind: "integer", bits: 64, signed: true }, down),
        1,
        irTypeOf(to),
      );
    const up = baseOffset(to.info, from.info);
    if (up !== null)
      return offsetOf(pointer, constantOf({ kind: "integer", bits: 64, signed: true }, -up), 1, irTypeOf(to));
  }
  return convertOf(pointer, irTypeOf(type));
}

/** A conversion operator of a class, with the arguments of its template, and how far what it gives is from what is wanted. */
export interface Conversion {
  readonly operator: FunctionEntity;
  readonly list: readonly TemplateArgument[];
  readonly rank: number;
}

/**
 * The conversion operator of a class that gives `type`, or what converts to it; one that gives the type itself comes first. An explicit one is meant
 * only where a cast or a condition asks for it.
 */
export function conversionFor(
  context: Context,
  from: CxxType,
  type: CxxType,
  how: "implicit" | "explicit" = "explicit",
): Conversion | null {
  if (from.kind !== "class") return null;
  const to = unqualified(referred(type));
  let best: Conversion | null = null;
  for (const operator of conversionsOf(from.info)) {
    if (how === "implicit" && isExplicit(operator)) continue;
    const found = conversionBy(context, operator, to);
    const isBetter = found && (best === null || found.rank < best.rank);
    if (isBetter && (from.isConst === false || operator.isConstMember)) best = found;
  }
  return best;
}

function conversionBy(context: Context, operator: FunctionEntity, to: CxxType): Conversion | null {
  const list: TemplateArgument[] = operator.parameters === null ? [] : [{ kind: "type", type: to }];
  if ((operator.parameters?.length ?? 1) !== 1) return null;
  const result = orElse(
    () => instantiate(context, operator, list)?.result() ?? null,
    () => null,
  );
  if (result === null) return null;
  const rank = distance(unqualified(referred(result)), to);
  return rank === null ? null : { operator, list, rank: rank + (operator.parameters === null ? 0 : 1) };
}

/** How far apart what an operator gives and what is wanted are; null where one is no other. */
function distance(given: CxxType, to: CxxType): number | null {
  if (sameType(given, to)) return 0;
  if (given.kind === "unknown" || to.kind === "unknown") return 30;
  if (given.kind === "enum" || to.kind === "enum")
    return isArithmetic(given) && to.kind !== "enum" ? 10 : null;
  if (isArithmetic(given) && isArithmetic(to)) return isFloating(given) === isFloating(to) ? 10 : 12;
  if (given.kind === "pointer" && to.kind === "pointer") {
    if (sameType(unqualified(given.target), unqualified(to.target)))
      return given.target.isConst && !to.target.isConst ? null : 1;
    const isVoid = to.target.kind === "fundamental" && to.target.ir.kind === "void";
    return isVoid ? 12 : given.target.kind === "class" && to.target.kind === "class" ? 14 : null;
  }
  if (given.kind === "pointer" && to.kind === "fundamental" && to.ir.kind === "boolean") return 20;
  if (given.kind === "class" && to.kind === "class")
    return baseOffset(given.info, to.info) === null ? null : 10;
  return null;
}

/** The conversion operators of a class and of its bases. */
function conversionsOf(info: ClassInfo): FunctionEntity[] {
  const own = memberScope(info)
    .own("operator cast")
    .filter((entity): entity is FunctionEntity => entity.kind === "function");
  const inherited = orElse(
    () => info.layout().bases.flatMap((base) => conversionsOf(base.info)),
    () => [],
  );
  return [...own, ...inherited.filter((each) => !own.includes(each))];
}

/** Whether a constructor or conversion operator is declared explicit. */
export function isExplicit({ node }: FunctionEntity): boolean {
  return node.children.some((child) => child.type === "explicit_function_specifier");
}

function convertFromClass(context: Context, value: RValue, type: CxxType): Expression {
  const target = irTypeOf(type);
  if (target.kind === "void") return sequenceOf([value.expression], constantOf(target, 0));
  if (sameType(value.type, unqualified(type))) return value.expression;
  const signature = signatureOf(type);
  const called = signature && calledAs(context, value, signature);
  if (called) return called;
  const conversion = conversionFor(context, value.type, type);
  if (conversion) return convertRead(context, convertedBy(context, conversion, value), type);
  return unknownValue(target, `${typeText(value.type)} does not convert to ${typeText(type)}`, [
    value.expression,
  ]);
}

/** The value where a number or pointer is wanted: an object that converts to one is what it converts to. */
export function readScalar(context: Context, value: Value): RValue {
  const from = typeOfValue(value);
  const conversion =
    from.kind === "class" && (value.kind === "place" || value.kind === "value")
      ? scalarConversion(context, from)
      : null;
  if (conversion && (value.kind === "place" || value.kind === "value"))
    return convertedBy(context, conversion, value);
  return readValue(context, value);
}

/** The operator that gives a number or pointer, whichever it is: of several, the first that is not explicit, or else the first. */
export function scalarConversion(context: Context, from: CxxType): Conversion | null {
  const found = (from.kind === "class" ? conversionsOf(from.info) : []).flatMap((operator) => {
    const result = operator.parameters === null ? resultOf(context, operator) : null;
    const isScalarResult =
      result !== null && (isArithmetic(result) || result.kind === "pointer" || result.kind === "unknown");
    return isScalarResult ? [{ operator, list: [], rank: isExplicit(operator) ? 1 : 0 }] : [];
  });
  return found.find(({ rank }) => rank === 0) ?? found[0] ?? null;
}

function resultOf(context: Context, operator: FunctionEntity): CxxType | null {
  const result = orElse(
    () => instantiate(context, operator, [])?.result() ?? null,
    () => null,
  );
  return result && unqualified(referred(result));
}

/** What a conversion operator makes of an object. */
export function convertedBy(context: Context, conversion: Conversion, value: RValue | LValue): RValue {
  const object = materialized(context, value);
  const result = callFunction(context, conversion.operator, conversion.list, {
    object,
    arguments: [],
    node: null,
  });
  // Nothing in the text names such an access.
  if (result.kind === "place" && result.place.kind === "memory")
    noteGap(context, `what ${typeText(value.type)} refers to is not followed where it converts by itself`);
  return readValue(context, result);
}

function signatureOf(type: CxxType): FunctionType | null {
  const target = type.kind === "pointer" ? type.target : type;
  return target.kind === "function" ? target : null;
}

/** A closure or functor as a std::function (or, without captures, a plain pointer): its operator() with a copy of the object. */
function calledAs(context: Context, value: RValue, signature: FunctionType): Expression | null {
  if (value.type.kind !== "class") return null;
  const candidates = memberScope(value.type.info)
    .own("operator()")
    .filter((entity): entity is FunctionEntity => entity.kind === "function");
  if (candidates.length === 0) return null;
  const set = { kind: "functions", name: "operator()", candidates, explicit: null, object: value } as const;
  const given = signature.parameters.map((parameter): Value => {
    const operand = unknownValue(irTypeOf(parameter), "an argument of a later call");
    return parameter.kind === "reference"
      ? dereference(operand, parameter.target)
      : { kind: "value", type: parameter, expression: operand };
  });
  const instance = resolveOverload(context, set, given);
  if (instance === null) return null;
  return { kind: "function", type: functionType, callee: instance.id, receiver: value.expression };
}

/** The pointer that a reference to `target` is. */
function bindReference(context: Context, value: Value, target: CxxType): Expression {
  // A function is what a reference to one refers to; a reference to a pointer refers to a pointer that is made of it.
  if (value.kind === "functions" && target.kind !== "pointer")
    return referenceToFunction(context, value).expression;
  if (value.kind === "place") {
    const direct = bindDirectly(value, target);
    if (direct) return direct;
  }
  if (value.kind === "value") {
    const ofWhole = bindBaseOfTemporary(context, value, target);
    if (ofWhole) return ofWhole;
  }
  const type = unqualified(target);
  const converted: RValue =
    value.kind === "value" && sameType(value.type, type)
      ? value
      : { kind: "value", type, expression: convertValue(context, value, type) };
  const held = materialized(context, converted);
  return sequenceOf(held.effects, addressOf(held.place));
}

/** A reference to a base of a temporary refers into the whole of it, which a cast may go back to; null where there is no such base. */
function bindBaseOfTemporary(context: Context, value: RValue, target: CxxType): Expression | null {
  const from = unqualified(value.type);
  const to = unqualified(target);
  if (from.kind !== "class" || to.kind !== "class" || sameType(from, to)) return null;
  if (baseOffset(from.info, to.info) === null) return null;
  const held = materialized(context, value);
  return sequenceOf(held.effects, convertPointer(addressOf(held.place), from, to, pointerTo(to)));
}

function bindDirectly(value: LValue, target: CxxType): Expression | null {
  const from = unqualified(value.type);
  const to = unqualified(target);
  if (sameType(from, to) || from.kind === "unknown" || to.kind === "unknown") return pointerToPlace(value);
  if (from.kind === "array" && to.kind === "array") return pointerToPlace(value);
  if (from.kind === "class" && to.kind === "class") {
    if (baseOffset(from.info, to.info) !== null)
      return convertPointer(pointerToPlace(value), from, to, pointerTo(to));
  }
  if (
    from.kind === "pointer" &&
    to.kind === "pointer" &&
    sameType(unqualified(from.target), unqualified(to.target))
  ) {
    return pointerToPlace(value);
  }
  return null;
}

/** A condition: anything as a boolean. */
export function conditionOf(context: Context, value: Value): Expression {
  const read = readValue(context, value);
  return convertRead(context, read, boolType);
}

/** `(type)value`, `static_cast`, `reinterpret_cast`, `const_cast`. */
export function castValue(context: Context, value: Value, type: CxxType): Value {
  if (type.kind === "reference") {
    const pointer =
      value.kind === "place" ? pointerToPlace(value) : bindReference(context, value, type.target);
    const category = type.binds === "rvalue" ? "xvalue" : "lvalue";
    return placeOfPointer(pointer, type.target, {
      category,
      node: value.kind === "place" ? value.node : null,
    });
  }
  if (
    type.kind === "class" &&
    value.kind === "place" &&
    sameType(unqualified(value.type), unqualified(type))
  ) {
    return value;
  }
  return {
    kind: "value",
    type: unqualified(type),
    expression: convertValue(context, value, unqualified(type)),
  };
}

/** The lvalue or value that a function with this result type gives. */
export function resultValue(type: CxxType, expression: Expression, node: LValue["node"]): Value {
  if (type.kind === "reference" && type.target.kind !== "function") {
    return dereference(expression, type.target, {
      category: type.binds === "rvalue" ? "xvalue" : "lvalue",
      node,
    });
  }
  return { kind: "value", type: unqualified(referred(type)), expression };
}

/** The place at a pointer whose own effects come first. */
function placeOfPointer(pointer: Expression, target: CxxType, more: Partial<LValue>): LValue {
  if (pointer.kind !== "sequence") return dereference(pointer, target, more);
  return dereference(pointer.result, target, { ...more, effects: pointer.effects });
}
