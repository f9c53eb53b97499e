// Values seen as what an operation needs: predicates, integers, pointers, and C's conversions between them.
import { isScalar, type PointerType, type Type } from "../../ir/type.ts";
import { convert as scalarConvert } from "../../semantics/arithmetic.ts";
import { dependsOnMemory, type Machine, unknownOfType, unplaced } from "../machine.ts";
import { deriveLinear, factorsOf, nameOf, splitOf } from "./derive.ts";
import { wrapped } from "./integers.ts";
import { allLanes, laneCount, mapLanes } from "./lanes.ts";
import { add, isKnown, known, type Linear, scale, symbolic } from "./linear.ts";
import type { Mask } from "./mask.ts";
import { asLinear, openLanes, truthOf, undecided } from "./predicates.ts";
import { rangeOfType } from "./symbols.ts";
import {
  decided,
  floats,
  type PointerValue,
  type Predicate,
  type UnknownValue,
  unknownValue,
  type Value,
  variesByLane,
} from "./value.ts";

/** A value as a predicate: what it is worth in a condition. */
export function toPredicate(value: Value, mask: Mask): Predicate {
  switch (value.kind) {
    case "predicate":
      return value;
    case "linear":
      return truthOf(value, mask.active);
    case "floats":
      return decided(lanesWhere((lane) => floatAt(value.lanes, lane) !== 0));
    case "pointer":
      if (value.object.space === "null") return truthOf(value.offset, mask.active);
      return decided(allLanes);
    case "unknown":
      return undecided({
        split: value.split,
        lean: null,
        comparisons: null,
        partsAtEdge: false,
        isUniform: !value.varies,
        order: null,
        reason: value.reason,
        dependsOnData: value.dependsOnData,
        sizes: [],
      });
    default:
      return undecided({
        split: null,
        lean: null,
        comparisons: null,
        partsAtEdge: false,
        isUniform: false,
        order: null,
        reason: "a value that is no number",
        dependsOnData: false,
        sizes: [],
      });
  }
}

/** A value as an integer form. */
export function toLinear(machine: Machine, value: Value, mask: Mask): Linear {
  switch (value.kind) {
    case "linear":
      return value;
    case "predicate": {
      const settled = asLinear(value, mask.active);
      if (settled) return settled;
      const { doubt } = value;
      return symbolic(
        machine.symbols.create({
          name: doubt?.reason ?? "a condition",
          role: doubt?.dependsOnData ? "data" : "derived",
          varies: !(doubt?.isUniform ?? false) || (value.yes | value.no) !== 0,
          least: 0,
          most: 1,
          split: doubt?.split ?? null,
        }),
      );
    }
    case "floats":
      return known(typeof value.lanes === "number" ? Math.trunc(value.lanes) : value.lanes.map(Math.trunc));
    case "unknown":
      return unknownInteger(machine, value, -(2 ** 53), 2 ** 53);
    case "pointer":
      return positionOf(machine, value);
    default:
      return unknownInteger(
        machine,
        unknownValue("a value that is no number", { varies: true, dependsOnData: false }),
        -(2 ** 53),
        2 ** 53,
      );
  }
}

/** Whether an integer type holds the whole address, so that the value stays the pointer that it is: 32 bits are enough in shared memory. */
function holdsAddress(value: PointerValue, type: Type): boolean {
  if (type.kind !== "integer") return false;
  return type.bits === 64 || (type.bits === 32 && value.object.space === "shared");
}

export function toPointer(machine: Machine, value: Value): PointerValue {
  if (value.kind === "pointer") return value;
  const place = value.kind === "linear" ? placeAt(machine, value) : null;
  if (place) return place;
  const reason = value.kind === "unknown" ? value.reason : "an address made of a number";
  const options = { varies: variesByLane(value), dependsOnData: dependsOnMemory(value) };
  return unplaced(machine, { kind: "void" }, reason, options);
}

/**
 * A 64-bit number from memory or from the host, one for all lanes, that is made a pointer: it leads where a pointer from there does. Null of
 * other values.
 */
function loadedAddress(machine: Machine, value: Value, to: PointerType): PointerValue | null {
  if (value.kind !== "linear" || value.terms.length !== 1) return null;
  const [term] = value.terms;
  const [number, ...others] = term?.factors ?? [];
  if (!number || others.length > 0 || term?.coefficient !== 1) return null;
  if ((number.role !== "data" && number.role !== "size") || number.varies) return null;
  const object = machine.objects.ofUnknownPointer(`number ${number.id}`, number.name, to.target, {
    space: "global",
    range: null,
    reason: null,
    assumption: { kind: "global-pointer", pointer: number.name },
  });
  return { kind: "pointer", object, offset: { ...value, terms: [] } };
}

/** The value of a conversion; see `Convert`. */
export function converted(machine: Machine, from: Type, to: Type, value: Value, mask: Mask): Value {
  if (to.kind === "pointer") {
    const isAddress = from.kind === "integer" && from.bits === 64;
    return (isAddress ? loadedAddress(machine, value, to) : null) ?? toPointer(machine, value);
  }
  if (to.kind === "void") return value;
  if (!isScalar(to)) return value;
  if (to.kind === "boolean") return toPredicate(value, mask);
  if (value.kind === "pointer" && holdsAddress(value, to)) return value;
  if (from.kind === "pointer") return addressAsInteger(machine, value, to);
  if (to.kind === "integer") {
    if (value.kind === "floats" && isScalar(from))
      return known(perLane(value.lanes, (lane) => scalarConvert(lane, from, to)));
    if (value.kind === "unknown") {
      const limits = rangeOfType(to);
      return unknownInteger(machine, value, limits.least, limits.most);
    }
    // A truth that is not known stays one: `a < n & b < m` are the lanes of both.
    if (value.kind === "predicate" && openLanes(value, mask.active) !== 0) return value;
    return wrapped(machine.symbols, to, toLinear(machine, value, mask), mask.active);
  }
  if (value.kind === "floats" && isScalar(from))
    return floats(perFloat(value.lanes, (lane) => Number(scalarConvert(lane, from, to))));
  if (value.kind === "unknown") return value;
  const integer = toLinear(machine, value, mask);
  if (isKnown(integer) && isScalar(from)) {
    const lanes = mapLanes(integer.constant, (lane) =>
      scalarConvert(lane, from.kind === "float" ? to : from, to),
    );
    return floats(typeof lanes === "object" ? lanes.map(Number) : Number(lanes));
  }
  return unknownFloat([integer]);
}

export function unknownLike(machine: Machine, value: Value, type: Type): Value {
  const reason = value.kind === "unknown" ? value.reason : "a value seen as another type";
  if (value.kind === "unknown" && value.split && type.kind === "integer") {
    const limits = rangeOfType(type);
    return unknownInteger(machine, value, limits.least, limits.most);
  }
  return unknownOfType(machine, type, reason, {
    varies: variesByLane(value),
    dependsOnData: dependsOnMemory(value),
    isMemoryPointer: true,
  });
}

function unknownInteger(machine: Machine, value: UnknownValue, least: number, most: number): Linear {
  return symbolic(
    machine.symbols.create({
      name: value.reason,
      role: value.dependsOnData ? "data" : "derived",
      varies: value.varies,
      least,
      most,
      split: value.split,
    }),
  );
}

/** A float that follows from integers which are not known. */
function unknownFloat(operands: readonly Linear[]): UnknownValue {
  const unknowns = factorsOf(operands);
  return unknownValue(nameOf(unknowns), {
    varies: operands.some((operand) => variesByLane(operand)),
    dependsOnData: unknowns.some((unknown) => unknown.role === "data"),
    split: splitOf(unknowns, null),
  });
}

/** What is not known of a result, from what is not known of its operands. */
export function joined(...operands: readonly Value[]): UnknownValue {
  const unknown = operands.filter((operand) => operand.kind === "unknown");
  const forms = operands.filter((operand) => operand.kind === "linear");
  const fromForms = unknownFloat(forms);
  const first = unknown.find((operand) => operand.dependsOnData) ?? unknown[0];
  if (!first) return fromForms;
  const isSettledBySplit = unknown.every((operand) => operand.split);
  return unknownValue(first.reason, {
    varies: operands.some((operand) => variesByLane(operand)),
    dependsOnData: unknown.some((operand) => operand.dependsOnData) || fromForms.dependsOnData,
    split: isSettledBySplit ? first.split : null,
  });
}

/** A pointer seen as a number: the place in shared memory, or an unknown multiple of the object's alignment. */
function addressAsInteger(machine: Machine, value: Value, to: Type): Value {
  if (value.kind !== "pointer") return unknownLike(machine, value, to);
  return positionOf(machine, value);
}

function positionOf(machine: Machine, { object, offset }: PointerValue): Linear {
  if (object.space === "null") return offset;
  const start = deriveLinear(machine.symbols, {
    operation: `start of ${object.id}`,
    operands: [],
    least: 0,
    most: 2 ** 40,
    name: object.name,
  });
  const symbol = start.terms[0]?.factors[0];
  if (symbol) machine.starts.set(symbol.id, object);
  return add(scale(start, object.alignmentBytes), offset);
}

/** The pointer that a number was computed from: one object's start as a whole, and an offset. Null where it is no such sum. */
function placeAt(machine: Machine, position: Linear): PointerValue | null {
  const starts = position.terms.filter(({ factors }) => factors.some(({ id }) => machine.starts.has(id)));
  const [start] = starts;
  const [symbol] = start?.factors ?? [];
  const object = symbol && machine.starts.get(symbol.id);
  if (!start || !object || starts.length > 1 || start.factors.length > 1) return null;
  if (start.coefficient !== object.alignmentBytes) return null;
  return {
    kind: "pointer",
    object,
    offset: { ...position, terms: position.terms.filter((term) => term !== start) },
  };
}

export function floatAt(lanes: number | readonly number[], lane: number): number {
  return typeof lanes === "number" ? lanes : (lanes[lane] ?? 0);
}

export function perFloat(
  lanes: number | readonly number[],
  operation: (lane: number) => number,
): number | readonly number[] {
  return typeof lanes === "number" ? operation(lanes) : lanes.map(operation);
}

function perLane(
  lanes: number | readonly number[],
  operation: (lane: number) => number | bigint,
): Linear["constant"] {
  return typeof lanes === "number" ? operation(lanes) : lanes.map(operation);
}

export function lanesWhere(holds: (lane: number) => boolean): number {
  let lanes = 0;
  for (let lane = 0; lane < laneCount; lane++) if (holds(lane)) lanes |= 1 << lane;
  return lanes;
}
