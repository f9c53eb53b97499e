// Brace lists: arrays and records element by element, with designators, elided braces and sizes counted from the text.
import type { Aggregate, Expression } from "../../ir/expression.ts";
import { sizeOf } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, childrenOf, namedChildren } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { addressOf, constantOf, sequenceOf, unknownValue } from "../expressions/build.ts";
import { zeroOf } from "../expressions/cast.ts";
import { constantInteger } from "../expressions/constant.ts";
import { convertValue } from "../expressions/convert.ts";
import { expression } from "../expressions/expression.ts";
import { isText, textArray } from "../expressions/text-literal.ts";
import { lvalueOf, materialized, readValue, rvalueOf, type Value } from "../expressions/value.ts";
import { instantiate, parameterCount } from "../functions/instance.ts";
import { rankOf } from "../functions/overload.ts";
import { expandPack, packsIn } from "../templates/pack.ts";
import {
  type ArrayType,
  arrayOf,
  type ClassType,
  type CxxType,
  decayed,
  irTypeOf,
  sameType,
  typeText,
  unqualified,
} from "../types/cxx-type.ts";
import { Unsupported } from "../unsupported.ts";
import { withPadding } from "./image.ts";
import { construct, fieldDefault, type Initial, initialize } from "./initialize.ts";

interface Item {
  readonly node: SyntaxNode;
  readonly context: Context;
}

/** The items of a list and how many of them are used up. */
interface Cursor {
  readonly items: readonly Item[];
  next: number;
}

type Part = Aggregate["parts"][number];

const partBudget = 200_000;

/** What `{…}` gives as an object of `type`. */
export function initializeFromList(context: Context, type: CxxType, list: SyntaxNode): Initial {
  const cursor: Cursor = { items: itemsOf(context, list), next: 0 };
  if (type.kind === "auto" && type.template) return initialize(context, type, list);
  if (type.kind === "auto") return fromSingle(context, cursor);
  if (type.kind === "reference") {
    const inner = initializeFromList(context, unqualified(type.target), list);
    const held = materialized(context, { kind: "value", type: inner.type, expression: inner.expression });
    return { type, expression: sequenceOf(held.effects, addressOf(held.place)) };
  }
  if (type.kind === "class" && type.info.constructors.length > 0) {
    return { type, expression: construct(context, type, listArguments(context, type, list), list) };
  }
  if (type.kind === "class" && listElement(type) !== null) {
    return { type, expression: listObject(context, type, cursor) };
  }
  if (type.kind === "array") return arrayFrom(context, type, cursor);
  if (type.kind === "class") return { type, expression: recordFrom(context, type, cursor) };
  const [first] = cursor.items;
  if (first === undefined) {
    const zero = zeroOf(type);
    return { type, expression: zero.kind === "value" ? zero.expression : unknownValue(irTypeOf(type), "{}") };
  }
  if (cursor.items.length > 1) {
    return {
      type,
      expression: unknownValue(
        irTypeOf(type),
        `a list as ${typeText(type)}`,
        operands(context, cursor.items),
      ),
    };
  }
  return { type, expression: convertValue(first.context, valueOfItem(first), type) };
}

/**
 * What a brace list gives the constructors of `type`: a constructor that takes a std::initializer_list comes before all others, unless the
 * list is empty or a copy, or holds what is no element: of strings, `{argv, argv + argc}` is a range.
 */
export function listArguments(context: Context, type: ClassType, list: SyntaxNode): Value[] {
  const cursor: Cursor = { items: itemsOf(context, list), next: 0 };
  const [first] = cursor.items;
  const taken = first === undefined ? null : listConstructor(context, type);
  if (first === undefined || taken === null) return valuesOf(cursor.items);
  if (cursor.items.length === 1 && first.node.type !== "initializer_list") {
    const value = valueOfItem(first);
    const isObject = value.kind === "place" || value.kind === "value";
    if (isObject && sameType(unqualified(value.type), unqualified(type))) return [value];
  }
  const element = listElement(taken);
  // Braces around the whole of what is copied: `{{{1, 2}}, {{3, 4}}}` in braces once more is no list of one array.
  const isCopy = cursor.items.length === 1 && element !== null && !mayFill(element, first.node);
  if (isCopy) return listArguments(first.context, type, first.node);
  if (!cursor.items.every((item) => mayBeElement(item, taken))) return valuesOf(cursor.items);
  return [rvalueOf(taken, listObject(context, taken, cursor))];
}

function mayBeElement(item: Item, list: ClassType): boolean {
  const element = listElement(list);
  if (element === null || item.node.type === "initializer_list") return true;
  const value = valueOfItem(item);
  if (rankOf(item.context, value, element) === null) return false;
  // Classes are made of what is pointed to, as strings are, not of pointers to pointers.
  const given = value.kind === "place" || value.kind === "value" ? decayed(value.type) : null;
  return element.kind !== "class" || given?.kind !== "pointer" || given.target.kind !== "pointer";
}

/** Whether braces may stand where an object of `type` is made: a number takes one value, a record no more lists than it has fields. */
function mayFill(type: CxxType, list: SyntaxNode): boolean {
  if (list.type !== "initializer_list") return true;
  const items = namedChildren(list);
  if (type.kind === "array") return items.every((item) => mayFill(type.element, item));
  if (type.kind === "fundamental" || type.kind === "pointer") return items.length < 2;
  if (type.kind !== "class" || type.info.constructors.length > 0) return true;
  if (items.some((item) => item.type !== "initializer_list")) return true;
  const { fields, bases } = type.info.layout();
  if (bases.length > 0) return true;
  return items.every((item, index) => {
    const field = fields[index];
    return field !== undefined && mayFill(field.type, item);
  });
}

/** The std::initializer_list that some constructor of `type` takes. */
function listConstructor(context: Context, type: ClassType): ClassType | null {
  for (const entity of type.info.constructors) {
    if (entity.parameters !== null || parameterCount(entity) !== 1) continue;
    const parameter = instantiate(context, entity, [])?.parameters[0]?.type;
    if (parameter?.kind === "class" && listElement(parameter) !== null) return parameter;
  }
  return null;
}

/** `T` of a std::initializer_list<T>, else null. */
function listElement(type: ClassType): CxxType | null {
  const { qualifiedName, instanceOf } = type.info;
  const [element] = qualifiedName.startsWith("std::initializer_list") ? (instanceOf?.arguments ?? []) : [];
  return element?.kind === "type" ? element.type : null;
}

/** A std::initializer_list: where its array begins, and how many elements it has (headers/container.ts). */
function listObject(context: Context, type: ClassType, cursor: Cursor): Expression {
  const element = listElement(type);
  if (element === null) throw new Unsupported("a list of unknown elements");
  const { record } = type.info.layout();
  if (cursor.items.length === 0) return { kind: "aggregate", type: record, parts: [] };
  const array = arrayFrom(context, arrayOf(element, null), cursor);
  const count = array.type.kind === "array" && typeof array.type.count === "number" ? array.type.count : 0;
  const held = materialized(context, { kind: "value", type: array.type, expression: array.expression });
  const begin = readValue(context, lvalueOf(array.type, held.place)).expression;
  const whole: Expression = {
    kind: "aggregate",
    type: record,
    parts: [
      { offsetBytes: 0, value: begin },
      { offsetBytes: 8, value: constantOf({ kind: "integer", bits: 64, signed: false }, count) },
    ],
  };
  return sequenceOf(held.effects, whole);
}

function fromSingle(context: Context, cursor: Cursor): Initial {
  const [first] = cursor.items;
  if (first === undefined || cursor.items.length !== 1) throw new Unsupported("auto from a brace list");
  const read = readValue(context, valueOfItem(first));
  return { type: read.type, expression: read.expression };
}

function itemsOf(context: Context, list: SyntaxNode): Item[] {
  return namedChildren(list).flatMap((node): Item[] => {
    if (node.type !== "parameter_pack_expansion") return [{ node, context }];
    const pattern = childOf(node, "pattern") ?? namedChildren(node)[0];
    if (!pattern || packsIn(context, pattern).length === 0)
      throw new Unsupported("an expansion without a pack");
    return expandPack(context, pattern, (inner) => ({ node: pattern, context: inner }));
  });
}

/** The items of a list as values, packs expanded. */
export function listValues(context: Context, list: SyntaxNode): Value[] {
  return valuesOf(itemsOf(context, list));
}

function valueOfItem(item: Item): Value {
  return expression(item.context, item.node);
}

function valuesOf(items: readonly Item[]): Value[] {
  return items.map(valueOfItem);
}

function operands(context: Context, items: readonly Item[]): Expression[] {
  return items
    .filter((item) => item.node.type !== "initializer_list" && item.node.type !== "initializer_pair")
    .map((item) => readValue(context, valueOfItem(item)).expression);
}

// --- arrays

function arrayFrom(context: Context, type: ArrayType, cursor: Cursor): Initial {
  const parts: Part[] = [];
  const limit = typeof type.count === "number" ? type.count : Number.POSITIVE_INFINITY;
  const count = fillArray(context, type.element, limit, cursor, 0, parts);
  const whole =
    typeof type.count === "number" ? type : { ...arrayOf(type.element, count), isConst: type.isConst };
  const plain = irTypeOf(whole);
  if (plain.kind !== "array") throw new Unsupported("an array of an unknown type");
  return { type: whole, expression: { kind: "aggregate", type: plain, parts } };
}

/** Fills elements from the cursor; returns one past the last index that was named. */
function fillArray(
  context: Context,
  element: CxxType,
  limit: number,
  cursor: Cursor,
  offsetBytes: number,
  parts: Part[],
): number {
  const strideBytes = sizeOf(irTypeOf(element));
  if (strideBytes === null) throw new Unsupported(`the size of ${typeText(element)} is not known`);
  let index = 0;
  let count = 0;
  while (cursor.next < cursor.items.length && (index < limit || isDesignated(cursor))) {
    const item = cursor.items[cursor.next];
    if (item === undefined || parts.length > partBudget) throw new Unsupported("a list is too long");
    const designated = arrayDesignator(item);
    if (designated !== null) {
      index = designated.index;
      parts.push(...partsOf(designated.value, element, offsetBytes + index * strideBytes));
      cursor.next += 1;
    } else fillElement(context, element, cursor, offsetBytes + index * strideBytes, parts);
    index += 1;
    count = Math.max(count, index);
  }
  return count;
}

function isDesignated(cursor: Cursor): boolean {
  return cursor.items[cursor.next]?.node.type === "initializer_pair";
}

function arrayDesignator(item: Item): { index: number; value: Item } | null {
  if (item.node.type !== "initializer_pair") return null;
  const designator = childrenOf(item.node, "designator")[0];
  const value = childOf(item.node, "value");
  if (designator?.type !== "subscript_designator" || value === null) return null;
  const [inner] = namedChildren(designator);
  const index = inner ? constantInteger(item.context, inner) : null;
  if (index === null) throw new Unsupported("a designator that is not constant");
  return { index: Number(index), value: { node: value, context: item.context } };
}

/** One element or field: a nested list, a value of its type, or, braces elided, as many items as it has parts. */
function fillElement(
  context: Context,
  type: CxxType,
  cursor: Cursor,
  offsetBytes: number,
  parts: Part[],
): void {
  const item = cursor.items[cursor.next];
  if (item === undefined) return;
  // A number makes a dim3, whose constructor takes one to three.
  const isMade = type.kind === "class" && (type.info.constructors.length > 0 || type.info.name === "dim3");
  const isCompound = type.kind === "array" || (type.kind === "class" && !isMade);
  if (!isCompound || item.node.type === "initializer_list") {
    cursor.next += 1;
    parts.push(...partsOf(item, type, offsetBytes));
    return;
  }
  const value = valueOfItem(item);
  const valueType = value.kind === "place" || value.kind === "value" ? unqualified(value.type) : null;
  if (
    type.kind === "class" &&
    valueType &&
    (sameType(valueType, unqualified(type)) || valueType.kind === "class" || valueType.kind === "unknown")
  ) {
    cursor.next += 1;
    parts.push({ offsetBytes, value: convertValue(item.context, value, type) });
    return;
  }
  if (type.kind === "array" && isText(item.node)) {
    cursor.next += 1;
    const text = textArray(item.context, type, item.node)?.expression;
    parts.push({ offsetBytes, value: text ?? unknownValue(irTypeOf(type), "a text") });
    return;
  }
  if (type.kind === "array") {
    if (typeof type.count !== "number") throw new Unsupported("an array without a size in a list");
    fillArray(context, type.element, type.count, cursor, offsetBytes, parts);
  } else if (type.kind === "class") fillRecord(context, type, cursor, offsetBytes, parts);
}

function partsOf(item: Item, type: CxxType, offsetBytes: number): Part[] {
  const value =
    item.node.type === "initializer_list"
      ? initializeFromList(item.context, type, item.node).expression
      : convertValue(item.context, valueOfItem(item), type);
  return [{ offsetBytes, value }];
}

// --- records

function recordFrom(context: Context, type: ClassType, cursor: Cursor): Expression {
  const record = type.info.layout().record;
  const [only] = cursor.items;
  if (cursor.items.length === 1 && only && !/initializer_/.test(only.node.type)) {
    const value = valueOfItem(only);
    if (
      (value.kind === "place" || value.kind === "value") &&
      value.type.kind === "class" &&
      value.type.info === type.info
    ) {
      return convertValue(only.context, value, type);
    }
  }
  if (type.info.name === "dim3" && type.info.origin === "builtin") {
    return construct(context, type, valuesOf(cursor.items), null);
  }
  const parts: Part[] = [];
  fillRecord(context, type, cursor, 0, parts);
  if (cursor.next < cursor.items.length)
    throw new Unsupported(`${type.info.name} of more values than it has fields`);
  const hasDefaults = type.info.layout().fields.some(({ initializer }) => initializer !== undefined);
  return { kind: "aggregate", type: record, parts: hasDefaults ? parts : withPadding(record, parts) };
}

/** Whether an item stands for a base as a whole, which has no members that it could stand for. */
function isForWhole(item: Item | undefined, type: CxxType): boolean {
  if (item === undefined) return false;
  if (item.node.type === "initializer_list") return true;
  const value = valueOfItem(item);
  return (
    (value.kind === "place" || value.kind === "value") && sameType(unqualified(value.type), unqualified(type))
  );
}

function fillRecord(
  context: Context,
  type: ClassType,
  cursor: Cursor,
  offsetBytes: number,
  parts: Part[],
): void {
  const { fields, bases } = type.info.layout();
  for (const base of bases) {
    const baseType: CxxType = { ...type, info: base.info };
    const isEmpty = base.info.layout().record.fields.length === 0;
    if (isEmpty && !isForWhole(cursor.items[cursor.next], baseType)) continue;
    fillElement(context, baseType, cursor, offsetBytes + base.offsetBytes, parts);
  }
  const designated = new Map<string, Item>();
  while (isDesignated(cursor) && offsetBytes === 0) {
    const item = cursor.items[cursor.next];
    const designator = item ? childrenOf(item.node, "designator")[0] : null;
    const value = item ? childOf(item.node, "value") : null;
    if (!item || !designator || !value) throw new Unsupported("a designator that is not understood");
    designated.set(textOf(item.context, designator).replace(/^\.\s*/, ""), {
      node: value,
      context: item.context,
    });
    cursor.next += 1;
  }
  const isUnion = fields.length > 1 && fields.every((field) => field.offsetBytes === 0);
  for (const [index, field] of fields.entries()) {
    const named = designated.get(field.name);
    if (named) parts.push(...partsOf(named, field.type, offsetBytes + field.offsetBytes));
    else if (cursor.next < cursor.items.length && !(isUnion && index > 0)) {
      fillElement(context, field.type, cursor, offsetBytes + field.offsetBytes, parts);
    } else if (!isUnion) {
      const value = fieldDefault(context, field);
      if (value) parts.push({ offsetBytes: offsetBytes + field.offsetBytes, value });
    }
  }
}
