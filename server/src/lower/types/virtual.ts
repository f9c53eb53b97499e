// Virtual functions in host code: a class has a table of them, its objects point to it, and a call goes through the object's table.
import type { Expression } from "../../ir/expression.ts";
import { functionType, pointerTo } from "../../ir/type.ts";
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
import type { ClassInfo } from "./class.ts";
import { irTypeOf, longType } from "./cxx-type.ts";

const slotBytes = 8;
const tablePointer = pointerTo(functionType);

/** What an object of a class points to from its beginning on; null in device code, and for classes without virtual functions. */
export function virtualTable(context: Context, info: ClassInfo): Expression | null {
  if (sideOf(context) !== "host" || !hasTable(info)) return null;
  const known = context.translation.virtualTables.get(info);
  const table = known ?? makeTable(context, info);
  context.translation.virtualTables.set(info, table);
  return addressOf({ kind: "variable", variable: table, offsetBytes: 0, type: table.type }, functionType);
}

/** What calls a virtual function of the object at `pointer`; null where the call itself says which function it means. */
export function virtualCallee(
  context: Context,
  instance: FunctionInstance,
  pointer: Expression,
  call: SyntaxNode | null,
): { readonly callee: Expression; readonly object: Expression } | null {
  const { self, entity } = instance;
  if (self === null || !hasTable(self) || (call !== null && isQualified(call))) return null;
  const slot = slotsOf(self).findIndex((each) => overrides(entity, each));
  if (slot < 0) return null;
  const held = temporary(context, pointer.type);
  const place = { kind: "variable", variable: held, offsetBytes: 0, type: held.type } as const;
  const object = hasEffects(pointer) ? loadOf(place, null) : pointer;
  const table = loadOf(placeAt(object, tablePointer), null);
  const index = constantOf(irTypeOf(longType), slot);
  const callee = loadOf(placeAt(offsetOf(table, index, slotBytes, functionType), functionType), null);
  const first = hasEffects(pointer) ? [assignOf(place, pointer, null)] : [];
  return { callee: sequenceOf(first, callee), object };
}

/** Tables of other bases than the first are not followed. */
function hasTable(info: ClassInfo): boolean {
  return info.layout().record.fields.some(({ name, offsetBytes }) => name === "$vtable" && offsetBytes === 0);
}

function makeTable(context: Context, info: ClassInfo): Variable {
  const slots = slotsOf(info);
  const type = { kind: "array", element: functionType, count: slots.length } as const;
  const table = newVariable(context, `the virtual functions of ${info.name}`, type, { storage: "static" });
  context.translation.setInitializer(table, () => {
    const parts = slots.flatMap((entity, slot) => {
      const instance = instantiate(context, entity, []);
      return instance === null || context.translation.calleeOf(instance) === null
        ? []
        : [{ offsetBytes: slot * slotBytes, value: functionValue(context, instance).expression }];
    });
    return { kind: "aggregate", type, parts };
  });
  return table;
}

/** The virtual functions of a class, each as the class has it: those of its first base, then its own. */
function slotsOf(info: ClassInfo): readonly FunctionEntity[] {
  const [base] = info.layout().bases;
  const inherited = base ? slotsOf(base.info) : [];
  const own = info.virtuals.filter((entity) => !inherited.some((each) => overrides(entity, each)));
  return [...inherited, ...own].map((entity) => overriderIn(info, entity));
}

function overriderIn(info: ClassInfo, entity: FunctionEntity): FunctionEntity {
  for (const each of memberScope(info).own(entity.name))
    if (each.kind === "function" && overrides(each, entity)) return each;
  return entity;
}

/** Whether two functions have one place in a table. Types of parameters are not compared. */
function overrides(entity: FunctionEntity, base: FunctionEntity): boolean {
  return (
    entity.name === base.name &&
    entity.isConstMember === base.isConstMember &&
    parameterCount(entity) === parameterCount(base)
  );
}

/** `Base::run()` is that very function. */
function isQualified(call: SyntaxNode): boolean {
  const callee = childOf(call, "function");
  const name = callee?.type === "field_expression" ? childOf(callee, "field") : callee;
  return name?.type === "qualified_identifier";
}
