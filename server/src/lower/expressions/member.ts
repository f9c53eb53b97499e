// Members and elements: `a.b`, `p->b`, `a[i]`, and names of fields inside their class.
import { partOfConstant } from "../../ir/constant-part.ts";
import type { Expression, Place } from "../../ir/expression.ts";
import { int64, sizeOf } from "../../ir/type.ts";
import { memoryOf } from "../../ir/variable.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import { vectorField } from "../builtins/identity.ts";
import { type Context, sideOf, textOf } from "../context.ts";
import { operatorCall } from "../functions/operator-call.ts";
import type { FieldEntity, FunctionEntity } from "../names/entity.ts";
import { memberScope, nameAndArguments } from "../names/names.ts";
import { type ClassInfo, type Field, fieldOf } from "../types/class.ts";
import {
  type CxxType,
  irTypeOf,
  isIntegral,
  longType,
  promoted,
  qualify,
  strideOn,
  typeText,
  unknownOf,
  unqualified,
} from "../types/cxx-type.ts";
import { Unsupported } from "../unsupported.ts";
import { constantOf, offsetOf, partOf, placeAt, sequenceOf, unknownValue, variablePlace } from "./build.ts";
import { convertRead, readScalar } from "./convert.ts";
import { discard, expression } from "./expression.ts";
import { placeBehind } from "./operator.ts";
import {
  dereference,
  isPacked,
  type LValue,
  lvalueOf,
  opaque,
  pointerToPlace,
  type RValue,
  readValue,
  rvalueOf,
  somewhere,
  somewhereBehind,
  type Value,
} from "./value.ts";

// --- fields

export function fieldExpression(context: Context, node: SyntaxNode): Value {
  const argument = childOf(node, "argument");
  const field = childOf(node, "field");
  if (argument === null || field === null) throw new Unsupported("an incomplete member access");
  const builtin = vectorField(context, argument, textOf(context, field), node);
  if (builtin) return builtin;
  const operator = childOf(node, "operator");
  const isArrow = operator !== null && textOf(context, operator) === "->";
  const object = isArrow ? pointedTo(context, argument) : expression(context, argument);
  return memberOf(context, object, field, node);
}

/** The object that `p->` names: what the pointer or operator-> leads to. */
function pointedTo(context: Context, argument: SyntaxNode): Value {
  const value = expression(context, argument);
  const own = operatorCall(context, "->", [value], argument);
  const read = readValue(context, own ?? value);
  if (read.type.kind === "pointer") return placeBehind(read.expression, read.type.target, argument);
  const reason = read.type.kind === "unknown" ? read.type.reason : `-> of ${typeText(read.type)}`;
  return somewhere(context, reason, [read.expression], argument);
}

function memberOf(context: Context, object: Value, fieldNode: SyntaxNode, node: SyntaxNode): Value {
  const target = fieldNode.type === "qualified_identifier" ? lastPart(fieldNode) : fieldNode;
  const { name, list } = nameAndArguments(context, target);
  if (object.kind === "list" || object.kind === "functions") throw new Unsupported(`.${name} of no object`);
  const { type } = object;
  if (type.kind !== "class") {
    const reason = type.kind === "unknown" ? type.reason : `.${name} of ${typeText(type)}`;
    if (object.kind === "place" && object.place.kind === "memory" && type.kind === "unknown")
      return partSomewhere(context, object, reason, node);
    const operands = object.kind === "value" ? [object.expression] : [readValue(context, object).expression];
    return opaque(name, reason, operands);
  }
  const field = fieldOf(type.info, name);
  if (field) return fieldValue(placedFor(context, object, field), field, node);
  const entities = memberScope(type.info).own(name);
  const functions = entities.filter((entity): entity is FunctionEntity => entity.kind === "function");
  if (functions.length > 0) {
    const explicit = list ? { node: list, context } : null;
    return { kind: "functions", name, candidates: functions, explicit, object };
  }
  const [entity] = entities;
  if (entity?.kind === "variable") {
    const { type: memberType, variable, constant } = entity.get();
    return lvalueOf(memberType, variablePlace(variable), { node, constant });
  }
  if (entity?.kind === "constant")
    return rvalueOf(entity.type, constantOf(irTypeOf(entity.type), entity.value));
  // Of a library's class that is read for its usual members alone. What others do to the object is not known.
  const whole = object.kind === "place" ? pointerToPlace(object) : object.expression;
  return opaque(name, `${typeText(type)} has no member ${name}`, [whole]);
}

/** A member of an object in memory of which nothing is known but where it begins. */
function partSomewhere(context: Context, object: LValue, reason: string, node: SyntaxNode): Value {
  const pointer = offsetOf(pointerToPlace(object), unknownValue(int64, reason), 1, object.place.type);
  const type = unknownOf("?", reason);
  if (context.body?.isDevice !== true) return opaque("?", reason, [readValue(context, object).expression]);
  return lvalueOf(type, placeAt(pointer, irTypeOf(type)), { node });
}

function lastPart(node: SyntaxNode): SyntaxNode {
  return node.children.filter((child) => child.field === "name" && child.isNamed).at(-1) ?? node;
}

/** A field of an object: a part of its place, or of its value. */
export function fieldValue(object: LValue | RValue, field: Field, node: SyntaxNode | null): Value {
  const type = object.type.isConst || object.type.isVolatile ? qualify(field.type, object.type) : field.type;
  const fieldType = irTypeOf(field.type);
  if (object.kind === "value") {
    const extracted = extractOf(object.expression, field.offsetBytes, fieldType);
    if (field.type.kind === "reference") return dereference(extracted, field.type.target, { node });
    return rvalueOf(unqualified(field.type), extracted);
  }
  const place = partOf(object.place, field.offsetBytes, fieldType);
  const part: LValue = {
    ...object,
    type,
    place,
    node,
    result: null,
    constant: object.constant ? partOfConstant(object.constant, field.offsetBytes, fieldType) : null,
    isBitField: field.bits !== undefined,
  };
  if (field.type.kind !== "reference") return part;
  const pointer: Expression = { kind: "load", type: fieldType, place, site: null };
  return dereference(pointer, field.type.target, { node, effects: object.effects });
}

function extractOf(operand: Expression, offsetBytes: number, type: Expression["type"]): Expression {
  const known = partOfConstant(operand, offsetBytes, type);
  return known ?? { kind: "extract", type, operand, offsetBytes };
}

/** A field named inside a member function: `this->field`, through the lambda's capture of `this` where there is one. */
export function implicitMember(context: Context, node: SyntaxNode, entity: FieldEntity): Value {
  const object = implicitObject(context, entity.owner);
  const field = fieldOf(object.type.kind === "class" ? object.type.info : entity.owner, entity.name);
  if (field === null) throw new Unsupported(`${entity.owner.name} has no field ${entity.name}`);
  return fieldValue(placedFor(context, object, field), field, node);
}

/** On the device, an object of which nobody knows where the field lies begins anywhere: no figure is made of where it would be. */
function placedFor<T extends LValue | RValue>(context: Context, object: T, field: Field): T {
  if (field.unplaced === null || context.body?.isDevice !== true || object.kind !== "place") return object;
  // A pointer or a number by itself costs the same wherever it lies in its object.
  if (!holdsArray(field.type)) return object;
  const { place } = object;
  if (place.kind === "variable" && memoryOf(place.variable) === "automatic") return object;
  const somewhere = unknownValue(int64, field.unplaced);
  const pointer = offsetOf(pointerToPlace(object), somewhere, 1, place.type);
  return { ...object, effects: [], place: placeAt(pointer, place.type) };
}

function holdsArray(type: CxxType): boolean {
  if (type.kind === "array") return true;
  return type.kind === "class" && type.info.layout().fields.some((field) => holdsArray(field.type));
}

/** `*this` as an object of `owner` or of a class derived from it. */
export function implicitObject(context: Context, owner: ClassInfo): LValue {
  const self = context.body?.self;
  if (!self) throw new Unsupported(`a member of ${owner.name} outside of its functions`);
  const own = dereference(self.pointer, {
    kind: "class",
    info: self.info,
    isConst: false,
    isVolatile: false,
  });
  if (self.info === owner || self.info.origin !== "closure") return own;
  const captured = fieldOf(self.info, "this");
  if (captured === null) throw new Unsupported("this is not captured");
  const pointer = readValue(context, fieldValue(own, captured, null));
  if (pointer.type.kind !== "pointer") throw new Unsupported("this is not a pointer");
  return dereference(pointer.expression, pointer.type.target);
}

// --- subscripts

export function subscript(context: Context, node: SyntaxNode): Value {
  const argument = childOf(node, "argument");
  const list = childOf(node, "indices");
  const indices = list ? namedChildren(list) : [];
  if (argument === null || indices.length === 0) throw new Unsupported("an incomplete subscript");
  const array = expression(context, argument);
  const values = indices.map((index) => expression(context, index));
  const own = operatorCall(context, "[]", [array, ...values], node);
  if (own) return own;
  const index = values.at(-1);
  if (index === undefined) throw new Unsupported("an incomplete subscript");
  if (values.length === 1) return elementOf(context, array, index, node);
  // Of a built-in array the commas between several are operators, in the standard that nvcc takes by default.
  const effects = values.slice(0, -1).map((value) => discard(context, value));
  const last = readValue(context, index);
  return elementOf(context, array, rvalueOf(last.type, sequenceOf(effects, last.expression)), node);
}

/** `array[index]`, either way round. */
export function elementOf(context: Context, array: Value, index: Value, node: SyntaxNode | null): Value {
  const constant = constantElement(context, array, index);
  const base = readValue(context, array);
  const offset = indexOf(context, index);
  if (base.type.kind !== "pointer" && offset.type.kind === "pointer")
    return elementOf(context, offset, base, node);
  if (base.type.kind !== "pointer" || !isIntegral(offset.type)) {
    const odd = base.type.kind === "pointer" ? offset.type : base.type;
    const reason = odd.kind === "unknown" ? odd.reason : `a subscript of ${typeText(odd)}`;
    return somewhere(context, reason, [base.expression, offset.expression], node);
  }
  const { target } = base.type;
  const strideBytes = strideOn(sideOf(context), target);
  const member = strideBytes === null ? null : elementOfMember(array, offset.expression, strideBytes);
  if (member !== null) return lvalueOf(target, member, { node, constant });
  // The access is there all the same, somewhere in what the pointer points to.
  if (strideBytes === null)
    return dereference(somewhereBehind(base.expression, offset.expression, target), target, { node });
  const converted = convertRead(context, offset, promoted(offset.type));
  if (base.expression.kind === "sequence") {
    const inner = offsetOf(base.expression.result, converted, strideBytes, irTypeOf(target));
    return dereference(inner, target, { node, effects: base.expression.effects, constant });
  }
  const pointer = offsetOf(base.expression, converted, strideBytes, irTypeOf(target));
  return dereference(pointer, target, { node, constant });
}

/** An element at a constant index of an array in a record: a part of the record, as aligned as that promises. */
function elementOfMember(array: Value, index: Expression, strideBytes: number): Place | null {
  if (array.kind !== "place" || array.type.kind !== "array" || isPacked(array.type.element)) return null;
  if (index.kind !== "constant" || array.place.kind !== "memory" || array.effects.length > 0) return null;
  const { type } = array.place.pointer;
  if (type.kind !== "pointer" || type.target.kind !== "record") return null;
  return partOf(array.place, Number(index.value) * strideBytes, irTypeOf(array.type.element));
}

/** What stands in brackets: of what is not understood a number that is not known, so that the access is there all the same. */
function indexOf(context: Context, index: Value): RValue {
  const value = readScalar(context, index);
  if (value.type.kind !== "unknown") return value;
  return rvalueOf(longType, unknownValue(irTypeOf(longType), value.type.reason, [value.expression]));
}

/** An element of a constexpr array at a constant index. */
function constantElement(context: Context, array: Value, index: Value): Expression | null {
  if (array.kind !== "place" || array.constant === null || array.type.kind !== "array") return null;
  const offset = readValue(context, index).expression;
  if (offset.kind !== "constant") return null;
  const type = irTypeOf(array.type.element);
  const size = sizeOf(type);
  return size === null ? null : partOfConstant(array.constant, Number(offset.value) * size, type);
}
