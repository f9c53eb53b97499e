// Virtual functions in host code: a class has a table of them, its objects point to it, and a call goes through the object's table.
import type { Aggregate, Expression, Place } from "../../ir/expression.ts";
import { functionType, pointerTo, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import { type Context, newVariable, sideOf, temporary } from "../context.ts";
import {
  addressOf,
  assignOf,
  constantOf,
  hasEffects,
  loadOf,
  offsetOf,
  placeAt,
  sequenceOf,
} from "../expressions/build.ts";
import { type FunctionInstance, instantiate, parameterCount } from "../functions/instance.ts";
import { functionValue } from "../functions/reference.ts";
import type { FunctionEntity } from "../names/entity.ts";
import { memberScope } from "../names/names.ts";
import { orElse } from "../unsupported.ts";
import { baseOffset, type ClassInfo } from "./class.ts";
import { irTypeOf, longType, typeText, unqualified } from "./cxx-type.ts";

/**
 * A table begins with the way from the part of the object that points to it to the whole, and with what the whole is: its class and the classes
 * that it has as bases, each with its place. Then each function stands beside the way from the part to the part that it is called with.
 */
const headerBytes = 16;
const slotBytes = 16;
const wordBytes = 8;
const tablePointer = pointerTo(functionType);
const distanceType = irTypeOf(longType);
const anyPointer = pointerTo({ kind: "void" } as const);

/** A part of an object that points to a table, and the class that says which functions are in it. */
interface DynamicPart {
  readonly info: ClassInfo;
  readonly offsetBytes: number;
}

/** What the parts of an object of a class point to from their beginnings on; none in device code, and for classes without virtual functions. */
export function virtualTables(
  context: Context,
  info: ClassInfo,
): readonly { readonly offsetBytes: number; readonly value: Expression }[] {
  if (sideOf(context) !== "host") return [];
  return dynamicParts(info).map((part) => {
    const table = tableOf(context, info, part);
    const value = addressOf(
      { kind: "variable", variable: table, offsetBytes: 0, type: table.type },
      functionType,
    );
    return { offsetBytes: part.offsetBytes, value };
  });
}

/** What calls a virtual function of the object at `pointer`; null where the call itself says which function it means. */
export function virtualCallee(
  context: Context,
  instance: FunctionInstance,
  pointer: Expression,
  call: SyntaxNode | null,
): { readonly callee: Expression; readonly object: Expression } | null {
  const { self, entity } = instance;
  if (self === null || (call !== null && isQualified(call))) return null;
  const found = slotIn(context, self, entity);
  if (found === null) return null;
  const held = temporary(context, pointer.type);
  const place = { kind: "variable", variable: held, offsetBytes: 0, type: held.type } as const;
  const whole = hasEffects(pointer) ? loadOf(place, null) : pointer;
  const target = whole.type.kind === "pointer" ? whole.type.target : functionType;
  const part = offsetOf(whole, constantOf(distanceType, found.part.offsetBytes), 1, target);
  const table = loadOf(placeAt(part, tablePointer), null);
  const at = headerBytes + found.slot * slotBytes;
  const word = (offsetBytes: number, type: Type) => {
    const index = constantOf(distanceType, offsetBytes / wordBytes);
    return loadOf(placeAt(offsetOf(table, index, wordBytes, type), type), null);
  };
  const first = hasEffects(pointer) ? [assignOf(place, pointer, null)] : [];
  return {
    callee: sequenceOf(first, word(at, functionType)),
    object: offsetOf(part, word(at + wordBytes, distanceType), 1, target),
  };
}

/** Whether objects of the class tell which function is meant, though it is declared without `virtual`, as one that overrides another. */
export function isInTable(context: Context, info: ClassInfo, entity: FunctionEntity): boolean {
  return entity.isVirtual || slotIn(context, info, entity) !== null;
}

/** The part of an object whose table has the function, and the function's place there. */
function slotIn(
  context: Context,
  info: ClassInfo,
  entity: FunctionEntity,
): { readonly part: DynamicPart; readonly slot: number } | null {
  for (const part of dynamicParts(info)) {
    const slot = slotsOf(context, part.info).findIndex((each) => overrides(context, entity, each));
    if (slot >= 0) return { part, slot };
  }
  return null;
}

/** What tells an object of the class from others; null where objects do not tell. */
export function classMark(context: Context, info: ClassInfo): Expression | null {
  if (!hasTable(info)) return null;
  const table = tableOf(context, info, { info, offsetBytes: 0 });
  return addressOf({ kind: "variable", variable: table, offsetBytes: 0, type: table.type }, { kind: "void" });
}

function hasTable(info: ClassInfo): boolean {
  return info.layout().record.fields.some(({ name, offsetBytes }) => name === "$vtable" && offsetBytes === 0);
}

/** The class itself, and the bases whose tables are no part of its own. */
function dynamicParts(info: ClassInfo): DynamicPart[] {
  const own = hasTable(info) ? [{ info, offsetBytes: 0 }] : [];
  const others = info
    .layout()
    .bases.flatMap((base) =>
      dynamicParts(base.info).map((part) => ({ ...part, offsetBytes: base.offsetBytes + part.offsetBytes })),
    );
  return [...own, ...others.filter(({ offsetBytes }) => offsetBytes !== 0)];
}

function tableOf(context: Context, info: ClassInfo, part: DynamicPart): Variable {
  const { virtualTables: all } = context.translation;
  const tables = all.get(info) ?? new Map<number, Variable>();
  all.set(info, tables);
  const known = tables.get(part.offsetBytes);
  if (known) return known;
  const count = (headerBytes + slotsOf(context, part.info).length * slotBytes) / wordBytes;
  const type = { kind: "array", element: functionType, count } as const;
  const table = newVariable(context, `the virtual functions of ${info.name}`, type, { storage: "static" });
  tables.set(part.offsetBytes, table);
  context.translation.setInitializer(table, () => ({
    kind: "aggregate",
    type,
    parts: tableParts(context, info, part),
  }));
  return table;
}

function tableParts(context: Context, info: ClassInfo, part: DynamicPart): Aggregate["parts"] {
  const ancestors = ancestorsOf(context, info);
  const functions = slotsOf(context, part.info).flatMap((entity, slot) => {
    const final = overriderIn(context, info, entity);
    const instance = instantiate(context, final, []);
    const owner = final.memberOf;
    const offset = owner === null ? null : baseOffset(info, owner);
    if (instance === null || context.translation.calleeOf(instance) === null || offset === null) return [];
    const offsetBytes = headerBytes + slot * slotBytes;
    return [
      { offsetBytes, value: functionValue(context, instance).expression },
      { offsetBytes: offsetBytes + wordBytes, value: constantOf(distanceType, offset - part.offsetBytes) },
    ];
  });
  return [
    { offsetBytes: 0, value: constantOf(distanceType, -part.offsetBytes) },
    { offsetBytes: wordBytes, value: addressOf(ancestors, { kind: "void" }) },
    ...functions,
  ];
}

/** A list of what a class is: marks of classes with the places that they have in it, and a null pointer at its end. */
function ancestorsOf(context: Context, info: ClassInfo): Place {
  const entries = [{ info, offsetBytes: 0 }, ...allBases(info)].filter((each) => hasTable(each.info));
  const type = { kind: "array", element: anyPointer, count: 2 * entries.length + 2 } as const;
  const list = newVariable(context, `the bases of ${info.name}`, type, { storage: "static" });
  context.translation.setInitializer(list, () => ({
    kind: "aggregate",
    type,
    parts: entries.flatMap((each, index) => {
      const mark = classMark(context, each.info);
      const at = 2 * wordBytes * index;
      const offset = { offsetBytes: at + wordBytes, value: constantOf(distanceType, each.offsetBytes) };
      return mark ? [{ offsetBytes: at, value: mark }, offset] : [];
    }),
  }));
  return { kind: "variable", variable: list, offsetBytes: 0, type };
}

function allBases(info: ClassInfo): DynamicPart[] {
  return info
    .layout()
    .bases.flatMap((base) => [
      base,
      ...allBases(base.info).map((each) => ({ ...each, offsetBytes: each.offsetBytes + base.offsetBytes })),
    ]);
}

/** The virtual functions of a class, those of the base that it shares its table with first, then its own. */
function slotsOf(context: Context, info: ClassInfo): readonly FunctionEntity[] {
  const base = info.layout().bases.find((each) => each.offsetBytes === 0 && hasTable(each.info));
  const inherited = base ? slotsOf(context, base.info) : [];
  const own = info.virtuals.filter((entity) => !inherited.some((each) => overrides(context, entity, each)));
  return [...inherited, ...own];
}

/** The function that an object of the class has in the place of `entity`: its own, or else that of a base that overrides it. */
function overriderIn(context: Context, info: ClassInfo, entity: FunctionEntity): FunctionEntity {
  const own = memberScope(info)
    .own(entity.name)
    .find(
      (each): each is FunctionEntity =>
        each.kind === "function" && each.memberOf === info && overrides(context, each, entity),
    );
  if (own) return own;
  for (const base of info.layout().bases) {
    const found = overriderIn(context, base.info, entity);
    if (found !== entity) return found;
  }
  return entity;
}

/** Whether two functions have one place in a table. */
function overrides(context: Context, entity: FunctionEntity, base: FunctionEntity): boolean {
  return (
    entity === base ||
    (entity.name === base.name &&
      entity.isConstMember === base.isConstMember &&
      parameterCount(entity) === parameterCount(base) &&
      parameterText(context, entity) === parameterText(context, base))
  );
}

function parameterText(context: Context, entity: FunctionEntity): string {
  return orElse(
    () =>
      instantiate(context, entity, [])
        ?.parameters.map(({ type }) => typeText(unqualified(type)))
        .join(",") ?? "",
    () => "",
  );
}

/** `Base::run()` is that very function. */
function isQualified(call: SyntaxNode): boolean {
  const callee = childOf(call, "function");
  const name = callee?.type === "field_expression" ? childOf(callee, "field") : callee;
  return name?.type === "qualified_identifier";
}
