// What lowering an expression gives: a value, a place, a set of functions or a brace list.
import type { AccessSite, Expression, Place } from "../../ir/expression.ts";
import { int64, pointerTo as irPointerTo } from "../../ir/type.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { type Context, temporary } from "../context.ts";
import { referenceToFunction } from "../functions/reference.ts";
import type { FunctionEntity } from "../names/entity.ts";
import {
  type CxxType,
  decayed,
  intType,
  irTypeOf,
  pointerTo,
  typeText,
  unknownOf,
  unqualified,
  voidType,
  whyOpen,
} from "../types/cxx-type.ts";
import { bitsRead } from "./bit-field.ts";
import {
  addressOf,
  assignOf,
  constantOf,
  hasEffects,
  loadOf,
  offsetOf,
  placeAt,
  sequenceOf,
  unknownValue,
} from "./build.ts";

export interface RValue {
  readonly kind: "value";
  readonly type: CxxType;
  readonly expression: Expression;
}

/** An lvalue (or xvalue). `effects` run before it is read, written or its address used. */
export interface LValue {
  readonly kind: "place";
  readonly type: CxxType;
  readonly category: "lvalue" | "xvalue";
  readonly place: Place;
  readonly effects: readonly Expression[];
  /** The expression in the text that names it, for sites. */
  readonly node: SyntaxNode | null;
  /** An expression that has the effects and gives the value (an assignment gives back what it stored). */
  readonly result: Expression | null;
  /** The value of a constant variable. */
  readonly constant: Expression | null;
  /** Set for a bit-field: reading or writing it is not understood. */
  readonly isBitField: boolean;
}

/** A function name, before arguments choose. */
export interface FunctionSet {
  readonly kind: "functions";
  readonly name: string;
  readonly candidates: readonly FunctionEntity[];
  /** The template_argument_list as written, and where. */
  readonly explicit: {
    readonly node: SyntaxNode;
    readonly context: Context;
    /** Nothing else can be meant: values that cannot be computed are open, where they speak against a candidate otherwise. */
    readonly isSettled?: true;
  } | null;
  /** The object of a member call. */
  readonly object: Value | null;
}

/** `{…}` as an argument or initializer. */
export interface BraceList {
  readonly kind: "list";
  readonly node: SyntaxNode;
  readonly context: Context;
}

export type Value = RValue | LValue | FunctionSet | BraceList;

export function rvalueOf(type: CxxType, expression: Expression): RValue {
  return { kind: "value", type, expression };
}

export function integerValue(value: Scalar, type: CxxType = intType): RValue {
  return rvalueOf(type, constantOf(irTypeOf(type), value));
}

export const nothing: RValue = rvalueOf(voidType, unknownValue({ kind: "void" }, "no value"));

const noEffects: readonly Expression[] = [];

export function lvalueOf(type: CxxType, place: Place, more: Partial<LValue> = {}): LValue {
  return {
    kind: "place",
    type,
    category: more.category ?? "lvalue",
    place,
    effects: more.effects ?? noEffects,
    node: more.node ?? null,
    result: more.result ?? null,
    constant: more.constant ?? null,
    isBitField: more.isBitField ?? false,
  };
}

/** A value that is not understood; operands are still evaluated. */
export function unknownOfType(type: CxxType, reason: string, operands: readonly Expression[] = []): RValue {
  return rvalueOf(type, unknownValue(irTypeOf(type), reason, operands));
}

/** A value that is not computed and depends on `operands` alone. */
export function pureUnknown(type: CxxType, reason: string, operands: readonly Expression[]): RValue {
  return rvalueOf(type, { ...unknownValue(irTypeOf(type), reason, operands), isPure: true });
}

/** What a library's function of dozens of operations makes of `operands`, and nothing else. */
export function longUnknown(type: CxxType, reason: string, operands: readonly Expression[]): RValue {
  return rvalueOf(type, { ...unknownValue(irTypeOf(type), reason, operands), isPure: true, isLong: true });
}

export function opaque(name: string, reason: string, operands: readonly Expression[] = []): RValue {
  return unknownOfType(unknownOf(name, reason), reason, operands);
}

/** The type without references, as in the text; a set of functions has none. */
export function typeOfValue(value: Value): CxxType {
  if (value.kind === "functions") return unknownOf(value.name, `${value.name} is a function`);
  if (value.kind === "list") return unknownOf("{…}", "a brace list");
  return value.type;
}

/**
 * What a subscript, `*` or `->` leads to that is not understood: on the device memory somewhere, which is accessed all the same; the host's
 * memory is followed for what it holds alone.
 */
export function somewhere(
  context: Context,
  reason: string,
  operands: readonly Expression[],
  node: SyntaxNode | null,
): RValue | LValue {
  const type = unknownOf("?", reason);
  if (context.body?.isDevice !== true) return opaque("?", reason, operands);
  const pointer = unknownValue(irPointerTo(irTypeOf(type)), reason, operands);
  return lvalueOf(type, placeAt(pointer, irTypeOf(type)), { node });
}

/** A pointer that is some elements away from another, where it is not known how large an element is. */
export function somewhereBehind(pointer: Expression, count: Expression, target: CxxType): Expression {
  const bytes = unknownValue(int64, unknownSizeOf(target), [count]);
  return offsetOf(pointer, bytes, 1, irTypeOf(target));
}

/** Why nothing is known of steps between elements of a type. */
export function unknownSizeOf(type: CxxType): string {
  const open = type.kind === "array" ? whyOpen(type) : null;
  return open ?? `the size of ${typeText(unqualified(type))} is not known`;
}

/** The place that a pointer points to. */
export function dereference(pointer: Expression, target: CxxType, more: Partial<LValue> = {}): LValue {
  const type = irTypeOf(target);
  return lvalueOf(target, placeAt(isPacked(target) ? pieceBehind(pointer, target) : pointer, type), more);
}

export function isPacked(type: CxxType): boolean {
  return type.kind === "class" && type.info.layout().isPacked;
}

/** nvcc moves members that are not aligned in pieces of which warplint does not follow the order: of such objects in memory no figure is known. */
function pieceBehind(pointer: Expression, target: CxxType): Expression {
  const bytes = unknownValue(
    int64,
    `${typeText(unqualified(target))} is packed, so that nvcc moves its members in pieces`,
  );
  return offsetOf(pointer, bytes, 1, irTypeOf(target));
}

/** The value of anything: places are loaded, arrays and functions become pointers. */
export function readValue(context: Context, value: Value): RValue {
  switch (value.kind) {
    case "value":
      return value.type.kind === "array" ? arrayValue(context, value) : value;
    case "place":
      return readPlace(context, value);
    case "functions":
      return referenceToFunction(context, value);
    case "list":
      return opaque("{…}", "a brace list where a value is needed");
  }
}

function arrayValue(context: Context, value: RValue): RValue {
  const variable = temporary(context, value.expression.type);
  const place: Place = { kind: "variable", variable, offsetBytes: 0, type: variable.type };
  const pointer = decayed(value.type);
  const target = pointer.kind === "pointer" ? irTypeOf(pointer.target) : variable.type;
  return rvalueOf(pointer, sequenceOf([assignOf(place, value.expression, null)], addressOf(place, target)));
}

function readPlace(context: Context, value: LValue): RValue {
  if (value.type.kind === "array") {
    const address = addressOf(value.place, irTypeOf(value.type.element));
    return rvalueOf(pointerTo(value.type.element), sequenceOf(value.effects, address));
  }
  const type = unqualified(value.type);
  if (value.type.kind === "function") {
    return rvalueOf(pointerTo(type), sequenceOf(value.effects, addressOf(value.place)));
  }
  if (value.constant?.kind === "constant") return rvalueOf(type, sequenceOf(value.effects, value.constant));
  if (value.result) return rvalueOf(type, value.result);
  if (value.isBitField) return bitsRead(context, value, type);
  return rvalueOf(type, sequenceOf(value.effects, loadOf(value.place, siteOf(context, value))));
}

/** The address of an lvalue; null for values that have none. */
export function pointerToPlace(value: LValue): Expression {
  return sequenceOf(value.effects, addressOf(value.place));
}

/** Where and how the user wrote the access. */
export function siteOf(context: Context, value: LValue): AccessSite | null {
  if (value.place.kind !== "memory" || value.node === null) return null;
  return siteAt(context, value.node, value.type.isVolatile);
}

export function siteAt(context: Context, node: SyntaxNode, isVolatile = false): AccessSite {
  const range = context.unit.spelledRangeOf(node.start, node.end);
  return { range, expression: context.translation.excerpt(range), isVolatile, merged: [] };
}

/** A place that can be named twice: one whose address has effects is put into a temporary first. */
export function stablePlace(context: Context, value: LValue): LValue {
  if (value.place.kind !== "memory" || !hasEffects(value.place.pointer)) return value;
  const type = irPointerTo(value.place.type);
  const held = temporary(context, type);
  const heldPlace: Place = { kind: "variable", variable: held, offsetBytes: 0, type };
  const address = addressOf(value.place);
  return {
    ...value,
    effects: [...value.effects, assignOf(heldPlace, address, null)],
    place: placeAt(loadOf(heldPlace, null), value.place.type),
  };
}

/** A value as a place: that of an lvalue, else a temporary that holds it. */
export function materialized(context: Context, value: RValue | LValue): LValue {
  if (value.kind === "place") return value;
  const type = irTypeOf(value.type);
  const variable = temporary(context, type);
  const place: Place = { kind: "variable", variable, offsetBytes: 0, type };
  return lvalueOf(value.type, place, {
    category: "xvalue",
    effects: [assignOf(place, value.expression, null)],
  });
}
