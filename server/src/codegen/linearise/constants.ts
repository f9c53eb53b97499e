// Integer constants and addresses of locals and tables that variables are known to hold at a point of straight-line code.

import type { Binary, Conditional, Expression, VariablePlace } from "../../ir/expression.ts";
import { type IntegerType, sizeOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { operateOnWholeNumbers } from "../../semantics/whole-number.ts";

/** The address of a byte of an automatic variable, or of a constant of the device. */
export interface KnownAddress {
  readonly variable: Variable;
  readonly offsetBytes: number;
}

/** The address of one or the other, as a flag says that is set where they are chosen between and nowhere else. */
export interface KnownChoice {
  readonly flag: Variable;
  readonly whenTrue: KnownPlace;
  readonly whenFalse: KnownPlace;
}

export type KnownPlace = KnownAddress | KnownChoice;
export type Known = number | KnownPlace;

/** By variable id, or `referenceKey`. Only scalar variables whose address nobody takes, and references in records, are in it. */
export interface Knowledge {
  get(id: number): Known | undefined;
  set(id: number, known: Known): void;
  delete(id: number): void;
}

/** What may be asked of it. */
export type KnowledgeToRead = Pick<Knowledge, "get">;

/** Whether the place is the variable as it was declared: not one half of a double, `((int *)&v)[0]`, nor its bits as a number. */
export function holdsAll({ type, variable, offsetBytes }: VariablePlace): boolean {
  if (type === variable.type) return offsetBytes === 0;
  return offsetBytes === 0 && type.kind === variable.type.kind && sizeOf(type) === sizeOf(variable.type);
}

/** What a member of a local record is known by, if it is a reference, which nobody assigns again: what a closure has captured. Else null. */
export function referenceKey({ variable, offsetBytes }: VariablePlace): number | null {
  if (variable.type.kind !== "record" || variable.storage !== "automatic") return null;
  const field = variable.type.fields.find((each) => each.offsetBytes === offsetBytes);
  return field?.isReference ? firstReferenceKey + variable.id * offsetSpan + offsetBytes : null;
}

const offsetSpan = 65_536;

/** Above the ids of all variables. */
const firstReferenceKey = 2 ** 45;

/** What the expression is known to be, or null. Integers of at most 53 bits; C's wrap-around applied. */
export function knownValue(expression: Expression, knowledge: KnowledgeToRead): Known | null {
  switch (expression.kind) {
    case "constant":
      return toNumber(expression.value, expression.type);
    case "load": {
      const { place } = expression;
      if (place.kind !== "variable") return null;
      const key = holdsAll(place) ? place.variable.id : referenceKey(place);
      return key === null ? null : (knowledge.get(key) ?? null);
    }
    case "address":
      return expression.place.kind === "variable"
        ? knownAddress(expression.place)
        : shifted(knownValue(expression.place.pointer, knowledge), expression.place.offsetBytes);
    case "convert": {
      const operand = knownValue(expression.operand, knowledge);
      if (operand === null) return null;
      if (typeof operand === "number") return toNumber(operand, expression.type);
      return expression.type.kind === "pointer" ? operand : null;
    }
    case "offset": {
      // Few pointers are known, and an index may be a long sum: the pointer is asked first.
      const pointer = knownValue(expression.pointer, knowledge);
      if (pointer === null || typeof pointer === "number") return null;
      const index = knownValue(expression.index, knowledge);
      return typeof index === "number" ? shifted(pointer, index * expression.strideBytes) : null;
    }
    case "unary": {
      const operand = knownValue(expression.operand, knowledge);
      if (typeof operand !== "number") return null;
      if (expression.operator === "not") return operand === 0 ? 1 : 0;
      if (expression.type.kind !== "integer") return null;
      return toNumber(expression.operator === "negate" ? -operand : -operand - 1, expression.type);
    }
    case "binary":
      return binary(expression, knowledge);
    case "logical": {
      const left = knownValue(expression.left, knowledge);
      const decides = expression.operator === "and" ? 0 : 1;
      if (typeof left !== "number") return null;
      return (left !== 0 ? 1 : 0) === decides ? decides : knownValue(expression.right, knowledge);
    }
    case "conditional": {
      const condition = knownValue(expression.condition, knowledge);
      if (typeof condition === "number")
        return knownValue(condition !== 0 ? expression.whenTrue : expression.whenFalse, knowledge);
      return expression.type.kind === "pointer" ? chosen(expression, knowledge) : null;
    }
    default:
      return null;
  }
}

/** The operation on two constants: `span * 2` in an unrolled trip. */
export function foldedBinary(expression: Binary, left: number, right: number): number | null {
  const known = knownValue(
    {
      ...expression,
      left: { kind: "constant", type: expression.left.type, value: left },
      right: { kind: "constant", type: expression.right.type, value: right },
    },
    new Map(),
  );
  return typeof known === "number" ? known : null;
}

export function sameKnown(a: Known, b: Known): boolean {
  if (typeof a === "number" || typeof b === "number") return a === b;
  if (isChoice(a) || isChoice(b)) return a === b;
  return a.variable.id === b.variable.id && a.offsetBytes === b.offsetBytes;
}

export function isChoice(place: KnownPlace): place is KnownChoice {
  return "flag" in place;
}

/** Whether it leads to local variables alone, to one of them or to the one that flags say. */
export function leadsToLocals(known: Known | null | undefined): known is KnownPlace {
  if (known === null || known === undefined || typeof known === "number") return false;
  if (!isChoice(known)) return known.variable.storage === "automatic";
  return leadsToLocals(known.whenTrue) && leadsToLocals(known.whenFalse);
}

/** Where a choice by a flag is known to lead. */
function chosen({ condition, whenTrue, whenFalse }: Conditional, knowledge: KnowledgeToRead): Known | null {
  if (condition.kind !== "load" || condition.place.kind !== "variable") return null;
  const flag = condition.place.variable;
  if (!flag.isFlag) return null;
  const [first, second] = [knownValue(whenTrue, knowledge), knownValue(whenFalse, knowledge)];
  if (first === null || second === null || typeof first === "number" || typeof second === "number")
    return null;
  return { flag, whenTrue: first, whenFalse: second };
}

function knownAddress(place: VariablePlace): KnownAddress | null {
  const { storage } = place.variable;
  return storage === "automatic" || storage === "device-constant"
    ? { variable: place.variable, offsetBytes: place.offsetBytes }
    : null;
}

function shifted(known: Known | null, bytes: number): KnownPlace | null {
  if (known === null || typeof known === "number") return null;
  if (!isChoice(known)) return { variable: known.variable, offsetBytes: known.offsetBytes + bytes };
  if (bytes === 0) return known;
  const [whenTrue, whenFalse] = [shifted(known.whenTrue, bytes), shifted(known.whenFalse, bytes)];
  return whenTrue && whenFalse && { flag: known.flag, whenTrue, whenFalse };
}

function toNumber(value: number | bigint, type: Type): number | null {
  if (typeof value === "bigint") return null;
  if (type.kind === "boolean") return value === 0 ? 0 : 1;
  if (type.kind !== "integer" || !Number.isInteger(value)) return null;
  return wrap(value, type);
}

function wrap(value: number, type: IntegerType): number | null {
  if (!Number.isSafeInteger(value)) return null;
  if (type.bits === 32 && type.signed && isInt32(value)) return value;
  const bits = (sizeOf(type) ?? 8) * 8;
  if (bits === 64) return type.signed || value >= 0 ? value : null;
  const span = 2 ** bits;
  const low = ((value % span) + span) % span;
  return type.signed && low >= span / 2 ? low - span : low;
}

function binary(expression: Expression & { kind: "binary" }, knowledge: KnowledgeToRead): number | null {
  if (expression.type.kind !== "integer" && expression.type.kind !== "boolean") return null;
  const left = knownValue(expression.left, knowledge);
  if (typeof left !== "number") return null;
  const right = knownValue(expression.right, knowledge);
  if (typeof right !== "number") return null;
  switch (expression.operator) {
    case "<":
      return left < right ? 1 : 0;
    case "<=":
      return left <= right ? 1 : 0;
    case ">":
      return left > right ? 1 : 0;
    case ">=":
      return left >= right ? 1 : 0;
    case "==":
      return left === right ? 1 : 0;
    case "!=":
      return left !== right ? 1 : 0;
  }
  if (expression.type.kind !== "integer") return null;
  const value = operateOnWholeNumbers(expression.operator, left, right);
  return value === null ? null : wrap(value, expression.type);
}

function isInt32(value: number): boolean {
  return value === (value | 0);
}
