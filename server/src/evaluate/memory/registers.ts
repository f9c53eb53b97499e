// Variables that live in registers or local memory: read and written byte-exactly where the place is known.
import { isScalar, sizeOf, type Type } from "../../ir/type.ts";
import {
  blendPointers,
  blendValues,
  dependsOnMemory,
  eitherOf,
  type Machine,
  relevanceIn,
  spend,
  unknownOfType,
} from "../machine.ts";
import { unknownLike } from "../values/conversions.ts";
import { factorsOf, nameOf, splitOf } from "../values/derive.ts";
import { allLanes, laneCount, laneOf, uniformOver } from "../values/lanes.ts";
import { isKnown, known, type Linear, symbolic } from "../values/linear.ts";
import { type Mask, restrict } from "../values/mask.ts";
import { rangeOfType } from "../values/symbols.ts";
import {
  type AggregateValue,
  type Cell,
  type MemoryObject,
  type PointerValue,
  unknownValue,
  type Value,
  variesByLane,
} from "../values/value.ts";
import { readCell, undefinedContents, writeCell } from "./contents.ts";
import { scalarValue } from "./objects.ts";

/** Reads contents at known addresses, lane by lane where they differ. */
export function gather(
  machine: Machine,
  contents: AggregateValue,
  offset: Linear,
  type: Type,
  name: string,
  mask: Mask,
): Value {
  const place = uniformOver(offset.constant, mask.active);
  if (place !== null) return fromContents(machine, contents, Number(place), type, name);
  let result: Value | null = null;
  const done = new Map<number, number>();
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask.active >>> lane) & 1)) continue;
    const at = Number(laneOf(offset.constant, lane));
    done.set(at, (done.get(at) ?? 0) | (1 << lane));
  }
  for (const [at, lanes] of done) {
    const value = fromContents(machine, contents, at, type, name);
    const blended: Value | null = result === null ? value : blendValues(lanes, value, result);
    if (!blended) return unknownOfType(machine, type, name, { varies: true, dependsOnData: false });
    result = blended;
  }
  return result ?? unknownOfType(machine, type, name, { varies: true, dependsOnData: false });
}

export function loadRegister(machine: Machine, pointer: PointerValue, type: Type, mask: Mask): Value {
  const { object, offset } = pointer;
  const held = object.slot === null ? undefined : machine.slots.get(object.slot);
  if (held === undefined)
    return unknownOfType(machine, type, `${object.name}, which has no value yet`, {
      varies: true,
      dependsOnData: false,
    });
  if (held.kind !== "aggregate")
    return isKnown(offset) && uniformOver(offset.constant, mask.active) === 0
      ? reinterpreted(machine, held, object.type, type)
      : unknownLike(machine, held, type);
  if (isKnown(offset)) return gather(machine, held, offset, type, object.name, mask);
  const unknowns = factorsOf([offset]);
  const split = splitOf(unknowns, null);
  const unknown = anyOf(machine, held, type, object.name, offset, originOf(machine, object));
  if (split && unknown.kind === "linear")
    return symbolic(
      machine.symbols.create({
        name: object.name,
        role: "derived",
        varies: true,
        ...rangeOfScalar(type),
        split,
      }),
    );
  return unknown;
}

export function storeRegister(
  machine: Machine,
  pointer: PointerValue,
  type: Type,
  value: Value,
  mask: Mask,
): void {
  const { object, offset } = pointer;
  if (object.slot === null || !object.type) return;
  if (isKnown(offset)) {
    const place = uniformOver(offset.constant, mask.active);
    if (place !== null) {
      writeSlot(machine, object.slot, object.type, Number(place), type, value, mask);
      return;
    }
    const places = new Map<number, number>();
    for (let lane = 0; lane < laneCount; lane++) {
      if (!((mask.active >>> lane) & 1)) continue;
      const at = Number(laneOf(offset.constant, lane));
      places.set(at, (places.get(at) ?? 0) | (1 << lane));
    }
    for (const [at, lanes] of places)
      writeSlot(machine, object.slot, object.type, at, type, value, restrict(mask, lanes));
    return;
  }
  // The place is not known: any element may now hold anything.
  const reason = `${object.name}[${nameOf(factorsOf([offset]))}]`;
  machine.slots.set(object.slot, {
    kind: "aggregate",
    cells: new Map(),
    rest: unknownValue(reason, {
      varies: true,
      dependsOnData: dependsOnMemory(offset) || dependsOnMemory(value),
    }),
  });
}

/** After a store to nobody knows where, all variables that pointers may lead to may hold anything. */
export function storeAnywhere(machine: Machine, { reason, name }: MemoryObject): void {
  const unknown = unknownValue(reason ?? name, { varies: true, dependsOnData: false });
  for (const frame of machine.frames)
    for (const id of relevanceIn(machine, frame).escaped) {
      const slot = frame.slotOf.get(id);
      const held = slot === undefined ? undefined : machine.slots.get(slot);
      if (slot === undefined || held === undefined) continue;
      const isAggregate = held.kind === "aggregate";
      machine.slots.set(slot, isAggregate ? { kind: "aggregate", cells: new Map(), rest: unknown } : unknown);
    }
}

/** Writes part of a variable in the lanes of `mask`. */
export function writeSlot(
  machine: Machine,
  slot: number,
  whole: Type,
  offsetBytes: number,
  type: Type,
  value: Value,
  mask: Mask,
): void {
  const old = machine.slots.get(slot);
  const lanes = mask.active | goneLanes(machine);
  const isAggregate = whole.kind === "record" || whole.kind === "array";
  if (!isAggregate || (offsetBytes === 0 && value.kind === "aggregate" && isWhole(whole, type))) {
    machine.slots.set(slot, old === undefined ? value : mixed(machine, lanes, value, old, type));
    return;
  }
  const contents =
    old?.kind === "aggregate"
      ? old
      : { ...undefinedContents, rest: old?.kind === "unknown" ? old : undefinedContents.rest };
  spend(machine, contents.cells.size >> 3);
  if (value.kind === "aggregate" || lanes === allLanes) {
    machine.slots.set(slot, writeCell(contents, offsetBytes, type, value));
    return;
  }
  const before = readCell(contents, offsetBytes, type);
  const isNew = before === null || before === "undefined" || before === "zero" || before.kind === "aggregate";
  const written = isNew ? value : mixed(machine, lanes, value, before, type);
  machine.slots.set(slot, writeCell(contents, offsetBytes, type, written));
}

/** Lanes that the warp does not have, or that left the kernel for sure: what their variables hold matters to nobody. */
function goneLanes({ bound, frames }: Machine): number {
  const left = frames[0]?.returned;
  const leftForSure = left?.mayPassBy === null ? left.active & ~left.uncertain : 0;
  return ~bound.region.warps.activeMask | leftForSure;
}

/** `value` in `lanes`, `old` in the others. */
function mixed(machine: Machine, lanes: number, value: Value, old: Value, type: Type): Value {
  const blended = blendValues(lanes, value, old) ?? blendPointers(machine, lanes, value, old);
  if (blended) return blended;
  if (value.kind === "aggregate" && old.kind === "aggregate") {
    // Where what lanes hold is not known, it is not for the others either.
    const cells = typeof value.rest === "object" ? new Map<number, Cell>() : new Map(old.cells);
    for (const [offset, cell] of value.cells) {
      const before = old.cells.get(offset);
      cells.set(
        offset,
        before
          ? { type: cell.type, value: mixed(machine, lanes, cell.value, before.value, cell.type) }
          : cell,
      );
    }
    return { kind: "aggregate", cells, rest: value.rest === "undefined" ? old.rest : value.rest };
  }
  // The other lanes keep what they had, which is forgotten here: the value is only right where these lanes go on.
  return eitherOf(machine, value, old, type.kind === "pointer" || type.kind === "void" ? null : type, {
    reason: "a value that depends on the lane",
    varies: true,
    dependsOnData: false,
    split: null,
  });
}

export function fromContents(
  machine: Machine,
  contents: AggregateValue,
  offsetBytes: number,
  type: Type,
  name: string,
): Value {
  const found = readCell(contents, offsetBytes, type);
  if (found === "zero")
    return type.kind === "record" || type.kind === "array"
      ? { ...undefinedContents, rest: "zero" }
      : zeroOf(machine, type);
  if (found === "undefined")
    return unknownOfType(machine, type, `${name}, which has no value yet`, {
      varies: true,
      dependsOnData: false,
    });
  if (found === null)
    return unknownOfType(machine, type, `the bytes of ${name}`, { varies: true, dependsOnData: true });
  if (found.kind === "unknown" && type.kind !== "float") return unknownLike(machine, found, type);
  return found;
}

function zeroOf(machine: Machine, type: Type): Value {
  if (type.kind === "pointer")
    return { kind: "pointer", object: machine.objects.nullObject, offset: known(0) };
  return scalarValue(0, type);
}

/** The element of an aggregate at `offset`, which is not known; lanes that agree on it hold one value. */
function anyOf(
  machine: Machine,
  contents: AggregateValue,
  type: Type,
  name: string,
  offset: Linear,
  origin: "handed over" | "made here",
): Value {
  const held = [...contents.cells.values()].map((cell) => cell.value);
  if (typeof contents.rest === "object") held.push(contents.rest);
  const parts = [offset, ...held];
  return unknownOfType(machine, type, `${name}[${nameOf(factorsOf([offset]))}]`, {
    varies: parts.some(variesByLane),
    dependsOnData: parts.some(dependsOnMemory),
    // The pointers that the host hands over in a record lead where those do that it hands over one by one.
    isMemoryPointer: origin === "handed over" && held.every(leadsToGlobal),
  });
}

function leadsToGlobal(value: Value): boolean {
  return value.kind !== "pointer" || value.object.space === "global" || value.object.space === "null";
}

/** Whether the register holds a parameter of the kernel. */
function originOf({ frames: [kernel] }: Machine, { slot }: MemoryObject): "handed over" | "made here" {
  const isParameter = kernel?.definition.parameters.some(({ id }) => kernel.slotOf.get(id) === slot);
  return isParameter ? "handed over" : "made here";
}

function reinterpreted(machine: Machine, value: Value, from: Type | null, to: Type): Value {
  if (!from || sizeOf(from) !== sizeOf(to)) return unknownLike(machine, value, to);
  const isFloat = (type: Type) => type.kind === "float";
  return isFloat(from) === isFloat(to) ? value : unknownLike(machine, value, to);
}

/** Whether an aggregate is meant as one: the only scalar member of a struct is as large as the struct, and is a part all the same. */
export function isWhole(whole: Type, part: Type): boolean {
  return (part.kind === "record" || part.kind === "array") && sizeOf(whole) === sizeOf(part);
}

function rangeOfScalar(type: Type): { least: number; most: number } {
  return isScalar(type) ? rangeOfType(type) : { least: -Infinity, most: Infinity };
}
