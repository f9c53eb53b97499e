// Loads and stores of places: registers, constant tables, and the memory whose accesses are recorded.
import type { AccessSite, MemoryPlace, Place } from "../../ir/expression.ts";
import type { Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { isFollowed } from "../../launches/host/constants.ts";
import { evaluate } from "../code/expressions.ts";
import { type Frame, type Machine, slotOf, unknownOfType } from "../machine.ts";
import { toPointer } from "../values/conversions.ts";
import { factorsOf, splitOf } from "../values/derive.ts";
import { isUniform } from "../values/lanes.ts";
import { add, isKnown, known, symbolic, withinMask } from "../values/linear.ts";
import type { Mask } from "../values/mask.ts";
import { rangeOfType } from "../values/symbols.ts";
import type { AggregateValue, MemoryObject, PointerValue, Value } from "../values/value.ts";
import { loadedText, loadedValue, recordAccess } from "./accesses.ts";
import { undefinedContents, writeCell } from "./contents.ts";
import { loadedFromHost } from "./host-contents.ts";
import { constantContents } from "./objects.ts";
import {
  fromContents,
  gather,
  isWhole,
  loadRegister,
  storeAnywhere,
  storeRegister,
  writeSlot,
} from "./registers.ts";

/** The place's bytes as a value. */
export function load(
  machine: Machine,
  frame: Frame,
  place: Place,
  type: Type,
  site: AccessSite | null,
  mask: Mask,
): Value {
  if (place.kind === "variable" && place.variable.storage === "automatic") {
    const slot = slotOf(machine, frame, place.variable);
    const value = machine.slots.get(slot);
    if (value === undefined)
      return unknownOfType(machine, type, `${place.variable.name}, which has no value yet`, {
        varies: true,
        dependsOnData: false,
      });
    if (value.kind === "aggregate" && !(place.offsetBytes === 0 && isWhole(place.variable.type, type)))
      return fromContents(machine, value, place.offsetBytes, type, place.variable.name);
    // What a branch that other lanes took has left in them says nothing of those that read.
    return value.kind === "linear" && mask.active !== 0 ? withinMask(mask.active, value) : value;
  }
  const pointer = toPointer(machine, addressOf(machine, frame, place, mask));
  if (pointer.object.space === "register") return loadRegister(machine, pointer, type, mask);
  const constant = constantAt(machine, pointer, type, mask);
  if (constant && pointer.object.space === "constant") return constant;
  if (site) recordAccess(machine, frame, { site, operation: "load", variant: "load", type }, pointer, mask);
  const name = site === null ? pointer.object.name : loadedText(site, pointer.object);
  return (
    constant ??
    loadedFromHost(machine, pointer, type, mask) ??
    handedSize(machine, pointer, type, name) ??
    loadedValue(machine, pointer, type, mask, name)
  );
}

/** An integer of a record that the kernel is handed to read alone (`params->n`) is a size, as one that it is handed by value. */
function handedSize(
  machine: Machine,
  { object, offset }: PointerValue,
  type: Type,
  name: string,
): Value | null {
  if (!object.handedRecord || type.kind !== "integer") return null;
  if (!isKnown(offset) || !isUniform(offset.constant)) return null;
  const at = Number(offset.constant);
  if (at < 0 || at >= object.handedRecord.sizeBytes) return null;
  const describe = () => ({
    name,
    role: "size" as const,
    varies: false,
    least: 0,
    most: rangeOfType(type).most,
  });
  return symbolic(machine.symbols.derive(`field ${object.id} ${at} ${type.bits}`, describe));
}

/** Writes a value to a place. */
export function store(
  machine: Machine,
  frame: Frame,
  place: Place,
  value: Value,
  site: AccessSite | null,
  mask: Mask,
): void {
  if (place.kind === "variable" && place.variable.storage === "automatic") {
    const slot = slotOf(machine, frame, place.variable);
    if (place.variable.isTransient) machine.slots.set(slot, value);
    else writeSlot(machine, slot, place.variable.type, place.offsetBytes, place.type, value, mask);
    return;
  }
  const pointer = toPointer(machine, addressOf(machine, frame, place, mask));
  if (pointer.object.space === "register") {
    storeRegister(machine, pointer, place.type, value, mask);
    return;
  }
  if (pointer.object.space === "unknown") storeAnywhere(machine, pointer.object);
  if (site)
    recordAccess(
      machine,
      frame,
      { site, operation: "store", variant: "store", type: place.type },
      pointer,
      mask,
    );
}

/** The pointer to a place. */
export function addressOf(machine: Machine, frame: Frame, place: Place, mask: Mask): Value {
  if (place.kind === "memory") return memoryAddress(machine, frame, place, mask);
  const { variable } = place;
  const object =
    variable.storage === "automatic"
      ? machine.objects.ofRegister(variable, slotOf(machine, frame, variable))
      : namespaceObject(machine, frame, variable, mask);
  return { kind: "pointer", object, offset: known(place.offsetBytes) };
}

function memoryAddress(machine: Machine, frame: Frame, place: MemoryPlace, mask: Mask): PointerValue {
  const pointer = toPointer(machine, evaluate(machine, frame, place.pointer, mask));
  return place.offsetBytes === 0
    ? pointer
    : { ...pointer, offset: add(pointer.offset, known(place.offsetBytes)) };
}

/** Shared arrays and variables of namespaces; tables of constants with their contents. */
function namespaceObject(machine: Machine, frame: Frame, variable: Variable, mask: Mask): MemoryObject {
  const object = machine.objects.ofVariable(variable, null);
  const known = machine.tables.get(variable.id);
  if (known || !holdsConstants(variable)) return known ?? object;
  const contents = tableContents(machine, frame, variable, mask);
  if (contents === null) return object;
  const table = { ...object, contents };
  machine.tables.set(variable.id, table);
  return table;
}

function holdsConstants({ storage }: Variable): boolean {
  return storage === "constant" || storage === "static" || storage === "device-constant";
}

/** What the host copied to a variable comes after what its initializer put there; of a copy that was not seen to be made nobody knows. */
function tableContents(
  machine: Machine,
  frame: Frame,
  variable: Variable,
  mask: Mask,
): AggregateValue | null {
  const { launch, program, symbols, objects } = machine;
  const host = launch.constants?.get(variable.name) ?? null;
  // Of a variable that is not followed no copy is seen.
  const isUntouched = launch.isFromMain === true && isFollowed(variable);
  const isInitial = host === null && (isUntouched || variable.setBefore === undefined);
  const initializer = isInitial ? program.globalInitializer(variable) : null;
  if (initializer === null)
    return variable.storage === "constant" ? constantContents(host, variable, symbols, objects) : null;
  const value = evaluate(machine, frame, initializer, mask);
  return value.kind === "aggregate"
    ? value
    : writeCell({ ...undefinedContents, rest: "zero" }, 0, variable.type, value);
}

/** The contents of a constant table at the lanes' addresses, where both are known. */
function constantAt(machine: Machine, pointer: PointerValue, type: Type, mask: Mask): Value | null {
  const { contents } = pointer.object;
  if (!contents) return null;
  if (!isKnown(pointer.offset)) {
    const unknowns = factorsOf([pointer.offset]);
    const split = splitOf(unknowns, null);
    const reason = `${pointer.object.name}[…]`;
    if (split && type.kind === "integer")
      return symbolic(
        machine.symbols.create({ name: reason, role: "derived", varies: true, ...rangeOfType(type), split }),
      );
    return null;
  }
  return gather(machine, contents, pointer.offset, type, pointer.object.name, mask);
}
