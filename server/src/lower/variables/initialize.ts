// Initialisation: what a variable, member or temporary of a type starts as.
import type { Aggregate, Expression, Place } from "../../ir/expression.ts";
import { sizeOf } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { type Context, sideOf, temporary } from "../context.ts";
import {
  addressOf,
  assignOf,
  constantOf,
  loadOf,
  partOf,
  placeAt,
  sequenceOf,
  unknownValue,
} from "../expressions/build.ts";
import { argumentValues, handOver } from "../expressions/call.ts";
import { conversionFor, convertedBy, convertRead, convertValue } from "../expressions/convert.ts";
import { expression } from "../expressions/expression.ts";
import { textArray } from "../expressions/text-literal.ts";
import { lvalueOf, materialized, readValue, type Value } from "../expressions/value.ts";
import { callInstance } from "../functions/call-function.ts";
import { resolveOverload } from "../functions/overload.ts";
import { misreadArguments } from "../misread/misread.ts";
import { deducedClass, type Given } from "../templates/class-arguments.ts";
import { baseOffset, type ClassInfo, type Field } from "../types/class.ts";
import {
  type ArrayType,
  type ClassType,
  type CxxType,
  classType,
  decayed,
  irTypeOf,
  isArithmetic,
  qualify,
  referred,
  typeText,
  unsignedType,
} from "../types/cxx-type.ts";
import { containsAuto, replaceAuto } from "../types/declarator.ts";
import { virtualTables } from "../types/virtual.ts";
import { Unsupported } from "../unsupported.ts";
import { copiedObject, copyInto, slicedObject } from "./copy.ts";
import { withPadding } from "./image.ts";
import { initializeFromList, listValues } from "./initialize-list.ts";

export interface Initial {
  /** The type with `auto` and array sizes filled in. */
  readonly type: CxxType;
  readonly expression: Expression;
}

/** What a declaration's initializer gives; `node` is an expression, a brace list, the arguments in parentheses, or null. */
export function initialize(context: Context, type: CxxType, node: SyntaxNode | null): Initial {
  if (node === null) {
    const expression = defaultInitializer(context, type);
    return { type, expression: expression ?? unknownValue(irTypeOf(type), "not initialised") };
  }
  if (type.kind === "auto" && type.template) {
    const deduced = deducedClass(context, type.template, givenIn(context, node));
    return initialize(context, qualify(deduced, type), node);
  }
  if (node.type === "initializer_list") return initializeFromList(context, type, node);
  if (node.type === "argument_list")
    return initializeFromArguments(context, type, argumentValues(context, node), node);
  if (node.type === "parameter_list")
    return initializeFromArguments(context, type, misreadValues(context, node), node);
  const text = type.kind === "array" ? textArray(context, type, node) : null;
  return text ?? initializeFrom(context, type, expression(context, node));
}

function givenIn(context: Context, node: SyntaxNode): Given {
  if (node.type === "initializer_list")
    return { values: listValues(context, node), list: expression(context, node) };
  if (node.type === "argument_list") return { values: argumentValues(context, node), list: null };
  if (node.type === "parameter_list") return { values: misreadValues(context, node), list: null };
  return { values: [expression(context, node)], list: null };
}

function initializeFromArguments(
  context: Context,
  type: CxxType,
  given: readonly Value[],
  node: SyntaxNode,
): Initial {
  if (type.kind === "class") return { type, expression: construct(context, type, given, node) };
  const [only] = given;
  if (type.kind === "unknown" && (given.length !== 1 || context.body?.isDevice === true)) {
    const operands = handOver(context, given, type.reason);
    return { type, expression: unknownValue(irTypeOf(type), type.reason, operands) };
  }
  if (only === undefined || given.length > 1) throw new Unsupported(`${typeText(type)} of several values`);
  return initializeFrom(context, type, only);
}

/** `dim3 grid(N, M);` where the grammar read parameters. */
export function misreadValues(context: Context, list: SyntaxNode): Value[] {
  return misreadArguments(list).map((node) => {
    if (node === null) throw new Unsupported("a declaration that reads two ways");
    return expression(context, node);
  });
}

function initializeFrom(context: Context, declared: CxxType, value: Value): Initial {
  const type = containsAuto(declared) ? replaceAuto(declared, autoFor(context, declared, value)) : declared;
  return { type, expression: convertValue(context, value, type) };
}

function autoFor(context: Context, declared: CxxType, value: Value): CxxType {
  if (declared.kind !== "reference") return decayed(readValue(context, value).type);
  if (value.kind === "place") {
    const keepsLvalue =
      declared.binds === "rvalue" && value.category === "lvalue" && declared.target.kind === "auto";
    return keepsLvalue
      ? { kind: "reference", target: value.type, binds: "lvalue", isConst: false, isVolatile: false }
      : value.type;
  }
  return referred(readValue(context, value).type);
}

/** `value` as an object of a class: a copy, a slice, or what a constructor or conversion makes of it. */
export function initializeFromValue(context: Context, type: ClassType, value: Value): Expression {
  if (value.kind === "place" || value.kind === "value") {
    const copied = copyOf(context, type, value);
    if (copied) return copied;
  }
  if (value.kind !== "list" && value.kind !== "functions" && value.type.kind === "unknown") {
    const read = readValue(context, value);
    return unknownValue(irTypeOf(type), value.type.reason, [read.expression]);
  }
  return construct(context, type, [value], null);
}

function copyOf(
  context: Context,
  type: ClassType,
  value: Extract<Value, { kind: "place" | "value" }>,
): Expression | null {
  if (value.type.kind !== "class") return null;
  const { info } = value.type;
  if (info === type.info || isSameBuiltin(info, type.info)) {
    if (value.kind === "place" && value.constant) return value.constant;
    const copied = value.kind === "place" && info === type.info ? copiedObject(context, type, value) : null;
    if (copied) return copied;
    const read = readValue(context, value).expression;
    return read.type.kind === "record" && info !== type.info
      ? ({ ...read, type: irTypeOf(type) } as Expression)
      : read;
  }
  const offset = baseOffset(info, type.info);
  if (offset !== null) {
    const target = irTypeOf(type);
    if (value.kind === "value")
      return { kind: "extract", type: target, operand: value.expression, offsetBytes: offset };
    const { effects, node, category } = value;
    const part = lvalueOf(type, partOf(value.place, offset, target), { effects, node, category });
    return slicedObject(context, type, part);
  }
  const conversion = conversionFor(context, value.type, type);
  if (!conversion) return null;
  const converted = convertedBy(context, conversion, value);
  return convertRead(context, converted, type);
}

/** uint3 and dim3 have one layout and convert. */
function isSameBuiltin(a: ClassInfo, b: ClassInfo): boolean {
  return /^(dim3|uint3)$/.test(a.name) && /^(dim3|uint3)$/.test(b.name);
}

/** A new object of a class: by a constructor, or field by field. */
export function construct(
  context: Context,
  type: ClassType,
  given: readonly Value[],
  node: SyntaxNode | null,
): Expression {
  const [only] = given;
  if (given.length === 1 && only && (only.kind === "place" || only.kind === "value")) {
    const copied = copyOf(context, type, only);
    if (copied) return copied;
  }
  if (type.info.name === "dim3" && type.info.origin === "builtin") return dim3Of(context, type, given);
  if (type.info.constructors.length > 0) {
    const variable = temporary(context, irTypeOf(type));
    const place = { kind: "variable", variable, offsetBytes: 0, type: variable.type } as const;
    const built = constructAt(context, type, addressOf(place), given, node);
    if (built === null) return { kind: "aggregate", type: type.info.layout().record, parts: [] };
    return sequenceOf([built], loadOf(place, null));
  }
  return fieldByField(context, type, given);
}

/** The call that constructs an object where a pointer points; null where nothing needs to be done. */
export function constructAt(
  context: Context,
  type: ClassType,
  pointer: Expression,
  given: readonly Value[],
  node: SyntaxNode | null,
): Expression | null {
  const { constructors, name } = type.info;
  const [only] = given;
  if (given.length === 1 && only && (only.kind === "place" || only.kind === "value")) {
    const copied = copyAt(context, type, pointer, only);
    if (copied) return copied;
  }
  const set = { kind: "functions", name, candidates: constructors, explicit: null, object: null } as const;
  const instance = resolveOverload(context, set, given);
  if (instance === null) {
    if (given.length === 0) return defaultAt(context, type, pointer);
    throw new Unsupported(`no constructor of ${name} fits the arguments`);
  }
  // `= default` has no body: the fields' own initializers do it.
  const isDefaulted = instance.entity.node.children.some((child) => child.type === "default_method_clause");
  if (instance.entity.body === null && given.length === 0 && isDefaulted)
    return defaultAt(context, type, pointer);
  const object = lvalueOf(type, { kind: "memory", pointer, offsetBytes: 0, type: irTypeOf(type) });
  const called = callInstance(context, instance, { object, arguments: given, node });
  if (called.kind !== "value") return null;
  const own = instance.self === type.info ? [] : ownParts(context, type, object.place);
  return own.length === 0 ? called.expression : sequenceOf([called.expression, ...own], voidValue);
}

function defaultAt(context: Context, type: ClassType, pointer: Expression): Expression | null {
  const value = defaultedFields(context, type);
  return value && assignOf(placeAt(pointer, irTypeOf(type)), value, null);
}

/** Where an object is made of one of its class, or of one that is derived from it. */
function copyAt(
  context: Context,
  type: ClassType,
  pointer: Expression,
  value: Extract<Value, { kind: "place" | "value" }>,
): Expression | null {
  const offset = value.type.kind === "class" ? baseOffset(value.type.info, type.info) : null;
  if (offset === null) return null;
  const place = placeAt(pointer, irTypeOf(type));
  if (value.kind === "value" && offset === 0) return assignOf(place, value.expression, null);
  const source = materialized(context, value);
  return copyInto(context, type, place, {
    ...source,
    type,
    place: partOf(source.place, offset, irTypeOf(type)),
    result: null,
  });
}

/** What an inherited constructor leaves to the class itself: its virtual table, and its fields as they are declared. */
function ownParts(context: Context, { info }: ClassType, place: Place): Expression[] {
  const fields = info.layout().fields.map((field) => ({
    offsetBytes: field.offsetBytes,
    value: fieldDefault(context, field),
  }));
  return [...virtualTables(context, info), ...fields].flatMap(({ offsetBytes, value }) =>
    value ? [assignOf(partOf(place, offsetBytes, value.type), value, null)] : [],
  );
}

const voidValue = constantOf({ kind: "void" }, 0);

function dim3Of(context: Context, type: ClassType, given: readonly Value[]): Expression {
  const record = type.info.layout().record;
  const plain = irTypeOf(unsignedType);
  const parts = record.fields.map((field, index) => {
    const value = given[index];
    return {
      offsetBytes: field.offsetBytes,
      value: value ? convertValue(context, value, unsignedType) : constantOf(plain, 1),
    };
  });
  if (given.length > 3) throw new Unsupported("dim3 of more than three values");
  return { kind: "aggregate", type: record, parts };
}

/** `T(a, b)` of an aggregate, or `T()`: fields in order, their own initializers for the rest. */
function fieldByField(context: Context, type: ClassType, given: readonly Value[]): Expression {
  const { fields, record } = type.info.layout();
  if (given.length === 0)
    return (
      defaultedFields(context, type) ?? { kind: "aggregate", type: record, parts: withPadding(record, []) }
    );
  if (given.length > fields.length)
    throw new Unsupported(`${type.info.name} of more values than it has fields`);
  const [only] = given;
  if (
    given.length === 1 &&
    only &&
    type.info.origin === "source" &&
    !isArithmetic(referred(valueType(only)))
  ) {
    throw new Unsupported(`no constructor of ${type.info.name} fits the arguments`);
  }
  const parts = fields.flatMap((field, index) => {
    const value = given[index];
    const initial = value ? convertValue(context, value, field.type) : fieldDefault(context, field);
    return initial ? [{ offsetBytes: field.offsetBytes, value: initial }] : [];
  });
  const whole: Aggregate = { kind: "aggregate", type: record, parts };
  return whole;
}

function valueType(value: Value): CxxType {
  return value.kind === "place" || value.kind === "value" ? value.type : unsignedType;
}

/** What a field starts as where nothing else is said; null where it is left undefined. */
export function fieldDefault(context: Context, field: Field): Expression | null {
  if (field.initializer) {
    const at: Context = { ...field.initializer.context, body: context.body };
    return initialize(at, field.type, field.initializer.node).expression;
  }
  return defaultInitializer(context, field.type);
}

/** What an object without initializer starts as: null where it is left undefined. */
export function defaultInitializer(context: Context, type: CxxType): Expression | null {
  if (type.kind === "array") return defaultElements(context, type);
  if (type.kind !== "class") return null;
  if (type.info.name === "dim3" && type.info.origin === "builtin") return dim3Of(context, type, []);
  if (type.info.constructors.length > 0) {
    const value = construct(context, type, [], null);
    return value.kind === "aggregate" ? defaultedFields(context, type) : value;
  }
  return type.info.origin === "source" ? defaultedFields(context, type) : null;
}

/** Elements of an array that are made one by one. */
const mostElements = 512;

/** In host code each element is made; elements in registers and shared memory are left as they were. */
function defaultElements(context: Context, type: ArrayType): Expression | null {
  const plain = irTypeOf(type);
  const bytes = sizeOf(irTypeOf(type.element));
  if (sideOf(context) !== "host" || plain.kind !== "array" || bytes === null) return null;
  if (type.element.kind !== "class" && type.element.kind !== "array") return null;
  if (typeof type.count !== "number" || type.count > mostElements) return null;
  const parts: Aggregate["parts"][number][] = [];
  for (let index = 0; index < type.count; index++) {
    const value = defaultInitializer(context, type.element);
    if (value === null) return null;
    parts.push({ offsetBytes: index * bytes, value });
  }
  return { kind: "aggregate", type: plain, parts };
}

function defaultedFields(context: Context, type: ClassType): Expression | null {
  const { bases, fields } = type.info.layout();
  const parts = [
    ...bases.map(({ info, offsetBytes }) => ({
      offsetBytes,
      value: defaultInitializer(context, classType(info)),
    })),
    ...virtualTables(context, type.info),
    ...fields.map((field) => ({ offsetBytes: field.offsetBytes, value: fieldDefault(context, field) })),
  ].flatMap(({ offsetBytes, value }) => (value ? [{ offsetBytes, value }] : []));
  return parts.length > 0 ? { kind: "aggregate", type: type.info.layout().record, parts } : null;
}
