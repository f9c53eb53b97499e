// Copies of objects in host code as C++ makes them: by the copy and move constructors and assignments that a class has, or member by member.
// A class of which each byte is copied as it stands needs none of this.
import type { Expression, Place } from "../../ir/expression.ts";
import { sizeOf } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import { type Context, sideOf, temporary } from "../context.ts";
import { assignOf, constantOf, loadOf, partOf, sequenceOf, unknownValue } from "../expressions/build.ts";
import {
  type LValue,
  lvalueOf,
  materialized,
  type RValue,
  readValue,
  rvalueOf,
  stablePlace,
  type Value,
} from "../expressions/value.ts";
import { callInstance } from "../functions/call-function.ts";
import { type FunctionInstance, instantiate } from "../functions/instance.ts";
import type { FunctionEntity } from "../names/entity.ts";
import type { ClassInfo } from "../types/class.ts";
import {
  type ClassType,
  type CxxType,
  classType,
  irTypeOf,
  typeText,
  unqualified,
} from "../types/cxx-type.ts";
import { parameterNodes } from "../types/declarator.ts";
import { virtualTables } from "../types/virtual.ts";
import { orElse } from "../unsupported.ts";

/** What an lvalue is copied by, or an xvalue: `std::move(a)`. */
type Way = "construct" | "assign";

/** Elements of an array of objects that are copied one by one. */
const mostElements = 256;

/** Whether an object of the class is copied as its bytes are, by constructors and by assignments. */
export function isCopiedByBytes(context: Context, type: CxxType): boolean {
  const plain = elementOf(type);
  if (plain.kind !== "class") return true;
  return !needsCalls(context, plain.info, "construct") && !needsCalls(context, plain.info, "assign");
}

/** The value that a new object has which is made of `source`, an object of the same class; null where it is what is read there. */
export function copiedObject(context: Context, type: ClassType, source: LValue): Expression | null {
  if (sideOf(context) !== "host" || !needsCalls(context, type.info, "construct")) return null;
  const plain = irTypeOf(type);
  const place: Place = { kind: "variable", variable: temporary(context, plain), offsetBytes: 0, type: plain };
  const { effects, stable } = held(context, source);
  return sequenceOf(
    [...effects, ...transfers(context, type, place, stable, "construct")],
    loadOf(place, null),
  );
}

/** The value of a new object of a base that is made of a part of `source`: it has the virtual functions of the base. */
export function slicedObject(context: Context, type: ClassType, source: LValue): Expression {
  const tables = virtualTables(context, type.info);
  const value = readCopy(context, source).expression;
  if (tables.length === 0) return value;
  const plain = irTypeOf(type);
  const place: Place = { kind: "variable", variable: temporary(context, plain), offsetBytes: 0, type: plain };
  const own = tables.map((table) =>
    assignOf(partOf(place, table.offsetBytes, table.value.type), table.value, null),
  );
  return sequenceOf([assignOf(place, value, null), ...own], loadOf(place, null));
}

/** As `readValue`, but that of an object of a class a copy is made. */
export function readCopy(context: Context, value: Value): RValue {
  if (value.kind === "place" && value.type.kind === "class") {
    const copied = copiedObject(context, value.type, value);
    if (copied) return rvalueOf(unqualified(value.type), copied);
  }
  return readValue(context, value);
}

/** Makes a new object of the class at `place` of an object of that class: what is done for it. */
export function copyInto(context: Context, type: ClassType, place: Place, source: LValue): Expression {
  const { effects, stable } = held(context, source);
  const done =
    sideOf(context) === "host" || userFunction(context, type.info, stable.category, "construct") !== null
      ? transfers(context, type, place, stable, "construct")
      : [assignOf(place, readValue(context, stable).expression, null)];
  return sequenceOf([...effects, ...done], constantOf({ kind: "void" }, 0));
}

/** The assignment of an object of the same class that no operator of the program's own does; null where the bytes are written. */
export function assignedObject(context: Context, target: LValue, source: Value): LValue | null {
  const type = unqualified(target.type);
  if (sideOf(context) !== "host" || type.kind !== "class" || !isOf(type, source)) return null;
  if (!needsCalls(context, type.info, "assign")) return null;
  const from = held(context, materialized(context, source));
  const to = held(context, target);
  const done = transfers(context, type, to.stable.place, from.stable, "assign");
  return { ...to.stable, effects: [...to.effects, ...from.effects, ...done], result: null, constant: null };
}

function isOf(type: ClassType, value: Value): value is LValue | RValue {
  return (
    (value.kind === "place" || value.kind === "value") &&
    value.type.kind === "class" &&
    value.type.info === type.info
  );
}

/** An object that can be named many times, and what comes before. */
function held(context: Context, value: LValue): { effects: readonly Expression[]; stable: LValue } {
  const stable = stablePlace(context, value);
  return { effects: stable.effects, stable: { ...stable, effects: [], result: null, constant: null } };
}

function transfers(context: Context, type: CxxType, place: Place, source: LValue, way: Way): Expression[] {
  if (type.kind === "array") return transferElements(context, type, place, source, way);
  if (type.kind !== "class" || !needsCalls(context, type.info, way))
    return [assignOf(place, loadOf(source.place, null), null)];
  const own = userFunction(context, type.info, source.category, way);
  if (own) {
    const object = lvalueOf(type, place);
    const called = callInstance(context, own, { object, arguments: [source], node: null });
    return [
      called.kind === "place"
        ? sequenceOf(called.effects, loadOf(called.place, null))
        : readValue(context, called).expression,
    ];
  }
  return transferMembers(context, type, place, source, way);
}

/** The bytes first, then the members that are more than those. */
function transferMembers(
  context: Context,
  type: ClassType,
  place: Place,
  source: LValue,
  way: Way,
): Expression[] {
  const { bases, fields } = type.info.layout();
  const parts = [
    ...bases.map(({ info, offsetBytes }) => ({ type: classType(info) as CxxType, offsetBytes })),
    ...fields.map((field) => ({ type: unqualified(field.type), offsetBytes: field.offsetBytes })),
  ];
  const isPlain = (part: { readonly type: CxxType }) => !partNeedsCalls(context, part.type, way);
  // What an assignment leaves to a member is read before the bytes are there; a constructor finds none.
  const plainParts = way === "construct" ? [] : parts.filter(isPlain);
  const whole = way === "construct" ? [assignOf(place, loadOf(source.place, null), null)] : [];
  const both = (part: (typeof parts)[number]) => {
    const plain = irTypeOf(part.type);
    return {
      to: partOf(place, part.offsetBytes, plain),
      from: { ...source, type: part.type, place: partOf(source.place, part.offsetBytes, plain) },
    };
  };
  return [
    ...whole,
    ...plainParts.map((part) => assignOf(both(part).to, loadOf(both(part).from.place, null), null)),
    ...parts
      .filter((part) => !isPlain(part))
      .flatMap((part) => transfers(context, part.type, both(part).to, both(part).from, way)),
  ];
}

function transferElements(
  context: Context,
  type: Extract<CxxType, { kind: "array" }>,
  place: Place,
  source: LValue,
  way: Way,
): Expression[] {
  const plain = irTypeOf(type.element);
  const bytes = sizeOf(plain);
  if (!partNeedsCalls(context, type, way)) return [assignOf(place, loadOf(source.place, null), null)];
  if (typeof type.count !== "number" || bytes === null || type.count > mostElements)
    return [assignOf(place, unknownValue(irTypeOf(type), `a copy of ${typeText(type)}`), null)];
  return Array.from({ length: type.count }, (_, index) => index * bytes).flatMap((offsetBytes) =>
    transfers(
      context,
      type.element,
      partOf(place, offsetBytes, plain),
      { ...source, type: type.element, place: partOf(source.place, offsetBytes, plain) },
      way,
    ),
  );
}

function elementOf(type: CxxType): CxxType {
  return type.kind === "array" ? elementOf(type.element) : type;
}

function partNeedsCalls(context: Context, type: CxxType, way: Way): boolean {
  const plain = elementOf(type);
  return plain.kind === "class" && needsCalls(context, plain.info, way);
}

const known: Record<Way, WeakMap<ClassInfo, boolean>> = { construct: new WeakMap(), assign: new WeakMap() };

/** Whether a copy of such an object runs code of its class or of its parts. */
function needsCalls(context: Context, info: ClassInfo, way: Way): boolean {
  const before = known[way].get(info);
  if (before !== undefined) return before;
  if (info.origin === "builtin") return false;
  // What leads back here, through pointers, is no part of it.
  known[way].set(info, false);
  const found = orElse(
    () => {
      const { bases, fields } = info.layout();
      return (
        userFunction(context, info, "lvalue", way) !== null ||
        userFunction(context, info, "xvalue", way) !== null ||
        bases.some((base) => needsCalls(context, base.info, way)) ||
        fields.some((field) => partNeedsCalls(context, field.type, way))
      );
    },
    () => false,
  );
  if (info.isIncomplete()) known[way].delete(info);
  else known[way].set(info, found);
  return found;
}

/** The constructor or assignment with a body that takes such an object; null where the members are taken one by one. */
function userFunction(
  context: Context,
  info: ClassInfo,
  category: LValue["category"],
  way: Way,
): FunctionInstance | null {
  let copying: FunctionInstance | null = null;
  for (const entity of ownFunctions(info, way)) {
    const taken = takes(context, entity, info);
    if (taken === null) continue;
    const instance = instantiate(context, entity, []);
    if (instance === null || isWritten(entity, "delete_method_clause")) continue;
    const isDefaulted = instance.entity.body === null && isWritten(entity, "default_method_clause");
    if (category === "xvalue" && taken === "xvalue") return isDefaulted ? null : instance;
    if (taken === "lvalue" && !isDefaulted) copying = instance;
  }
  return copying;
}

function ownFunctions(info: ClassInfo, way: Way): FunctionEntity[] {
  if (way === "construct") return info.constructors;
  return info.scope
    .own("operator=")
    .filter((entity): entity is FunctionEntity => entity.kind === "function" && entity.memberOf === info);
}

/** What a function takes, where that is one object of the class. */
function takes(context: Context, entity: FunctionEntity, info: ClassInfo): LValue["category"] | null {
  if (entity.parameters !== null) return null;
  const nodes = parameterNodes(entity.declarator ? childOf(entity.declarator, "parameters") : null);
  const [first, ...others] = nodes;
  if (first === undefined || others.some((node) => node.type === "parameter_declaration")) return null;
  const type = orElse(
    () => instantiate(context, entity, [])?.parameters[0]?.type ?? null,
    () => null,
  );
  const target = type?.kind === "reference" ? type.target : type;
  if (target?.kind !== "class" || target.info !== info) return null;
  return type?.kind === "reference" && type.binds === "rvalue" ? "xvalue" : "lvalue";
}

function isWritten(entity: FunctionEntity, clause: string): boolean {
  return entity.node.children.some((child: SyntaxNode) => child.type === clause);
}
