// The memory that a kernel can reach: its shared arrays, what the launch passes, variables of namespaces, and the registers.
import type { Assumption } from "../../ir/assumption.ts";
import type { ArrayType, PointerType, RecordType, Type } from "../../ir/type.ts";
import { alignmentOf, int32, sizeOf } from "../../ir/type.ts";
import { undeclaredIn } from "../../ir/undeclared.ts";
import { memoryOf, type Variable } from "../../ir/variable.ts";
import type { Allocation, HostContents, HostValue } from "../../launches/launch.ts";
import { convert } from "../../semantics/arithmetic.ts";
import type { SourceRange } from "../../text/source.ts";
import { allLanes } from "../values/lanes.ts";
import { known, symbolic } from "../values/linear.ts";
import { rangeOfType, type SymbolTable } from "../values/symbols.ts";
import {
  type AggregateValue,
  type Cell,
  decided,
  floats,
  type MemoryObject,
  type PointerValue,
  unknownValue,
  type Value,
} from "../values/value.ts";

/** Bytes from which an unknown pointer's block of memory is taken to be aligned. */
const allocationAlignmentBytes = 256;
const maximumLeaves = 512;
/** Of one access, in bytes: no alignment counts beyond it. */
const widestAlignment = 16;

export interface ObjectTable {
  ofVariable(variable: Variable, contents: AggregateValue | null): MemoryObject;
  ofAllocation(allocation: Allocation, parameter: Variable, contents: HostContents | null): MemoryObject;
  ofRegister(variable: Variable, slot: number): MemoryObject;
  ofUnknownPointer(key: string, name: string, target: Type, how: UnknownPointer): MemoryObject;
  /** Stands for several objects of global memory, of which lanes may choose different ones: its offsets count from `baseOf` each. */
  ofSeveral(objects: readonly MemoryObject[]): MemoryObject;
  readonly nullObject: MemoryObject;
}

/** Where an object of global memory lies beside others: so far apart that no sector is shared. 0 for an `ofSeveral` one. */
export function baseOf(object: MemoryObject): number {
  return object.isSeveral ? 0 : object.id * 2 ** 36;
}

export interface UnknownPointer {
  readonly space: "shared" | "global" | "unknown";
  readonly range: SourceRange | null;
  readonly reason: string | null;
  readonly assumption: Assumption | null;
  /** Of an object that stands for others; else that of an allocation. */
  readonly alignmentBytes?: number;
  readonly handedRecord?: RecordType | null;
}

/** The record that a parameter leads to which is a pointer to const. */
function handedRecordOf({ type, pointsToConst }: Variable): RecordType | null {
  return pointsToConst && type.kind === "pointer" && type.target.kind === "record" ? type.target : null;
}

/** Objects are made once for each variable, unknown pointer, and parameter that is bound to an allocation; of an array in shared memory `sharedOffsets` says where it begins, in bytes. */
export function createObjectTable(sharedOffsets: ReadonlyMap<number, number>): ObjectTable {
  let nextId = 1;
  const made = new Map<string, MemoryObject>();
  const once = (key: string, make: (id: number) => MemoryObject): MemoryObject => {
    const existing = made.get(key);
    if (existing) return existing;
    const object = make(nextId++);
    made.set(key, object);
    return object;
  };
  // Asked for with each access: by number, not by text.
  const variables = new Map<number, MemoryObject>();
  const onceOf = (variable: Variable, make: (id: number) => MemoryObject): MemoryObject => {
    const existing = variables.get(variable.id);
    if (existing) return existing;
    const object = make(nextId++);
    variables.set(variable.id, object);
    return object;
  };
  const plain = {
    baseBytes: 0,
    slot: null,
    contents: null,
    hostContents: null,
    reason: null,
    assumption: null,
    sizeBytes: null,
    range: null,
    type: null,
    handedRecord: null,
    isSeveral: false,
  };
  return {
    ofVariable: (variable, contents) =>
      onceOf(variable, (id) => ({
        ...plain,
        id,
        name: variable.name,
        space: spaceOf(variable),
        // Within the 16 bytes that alignment is about: which banks an array begins at makes no difference.
        baseBytes: (sharedOffsets.get(variable.id) ?? 0) % widestAlignment,
        range: variable.range,
        type: variable.type,
        alignmentBytes: alignmentOfVariable(variable),
        sizeBytes: sizeOf(variable.type) || null,
        contents,
      })),
    ofAllocation: (allocation, parameter, hostContents) => {
      const { id } = once(`allocation ${allocation.id}`, (own) => ({
        ...plain,
        id: own,
        name: "",
        space: "global",
        alignmentBytes: allocation.alignmentBytes,
      }));
      return once(`allocation ${allocation.id} of ${parameter.name}`, () => ({
        ...plain,
        id,
        name: parameter.name,
        space: "global",
        range: parameter.range,
        type: parameter.type,
        handedRecord: handedRecordOf(parameter),
        hostContents,
        alignmentBytes: allocation.alignmentBytes,
        sizeBytes: allocation.sizeBytes,
      }));
    },
    ofRegister: (variable, slot) =>
      once(`register ${slot}`, (id) => ({
        ...plain,
        id,
        name: variable.name,
        space: "register",
        range: variable.range,
        type: variable.type,
        alignmentBytes: variable.alignmentBytes,
        slot,
      })),
    ofUnknownPointer: (key, name, target, how) =>
      once(`pointer ${key}`, (id) => ({
        ...plain,
        alignmentBytes: allocationAlignmentBytes,
        ...how,
        id,
        name,
        type: target,
      })),
    ofSeveral: (several) => {
      const names = [...new Set(several.map(({ name }) => name))];
      return once(`several ${several.map(({ id }) => id).join(" ")}`, (id) => ({
        ...plain,
        id,
        name: names.join(" or "),
        space: "global",
        isSeveral: true,
        type: several[0]?.type ?? null,
        alignmentBytes: Math.min(...several.map(({ alignmentBytes }) => alignmentBytes)),
      }));
    },
    nullObject: { ...plain, id: 0, name: "null", space: "null", alignmentBytes: allocationAlignmentBytes },
  };
}

/** The value that the host passes for a parameter; what the host leaves unknown becomes sizes and pointers of that name. */
export function argumentValue(
  host: HostValue,
  parameter: Variable,
  symbols: SymbolTable,
  objects: ObjectTable,
): Value {
  return valueOfHost(host, parameter.type, parameter.name, {
    kind: "parameter",
    variable: parameter,
    symbols,
    objects,
  });
}

/**
 * What a `__constant__` variable holds: what the host copied there (null: nobody saw it copy anything). Of a table that nobody saw filled
 * nothing is known, not even that it holds sizes: null.
 */
export function constantContents(
  host: HostValue | null,
  variable: Variable,
  symbols: SymbolTable,
  objects: ObjectTable,
): AggregateValue | null {
  const { name, type } = variable;
  const passed: Passed = { kind: "constant", variable, symbols, objects };
  if (type.kind === "array")
    return host?.kind === "aggregate" ? tableContents(host.parts, type, passed) : null;
  const value = valueOfHost(host ?? { kind: "unknown", reason: name }, type, name, passed);
  return value.kind === "aggregate"
    ? value
    : { kind: "aggregate", cells: new Map([[0, { type, value }]]), rest: "undefined" };
}

function tableContents(
  parts: ReadonlyMap<number, HostValue>,
  type: ArrayType,
  passed: Passed,
): AggregateValue | null {
  const leaves = leavesOf(type, 0, passed.variable.name);
  if (leaves.length < parts.size) return null;
  const cells = leaves.map(({ offsetBytes, type: of, name }): [number, Cell] => {
    const part = parts.get(offsetBytes);
    const value =
      part === undefined || part.kind === "unknown"
        ? unknownValue(name, { varies: false, dependsOnData: true })
        : valueOfHost(part, of, name, passed);
    return [offsetBytes, { type: of, value }];
  });
  return { kind: "aggregate", cells: new Map(cells), rest: "undefined" };
}

/** How the host passes something to a kernel. */
interface Passed {
  readonly kind: "parameter" | "constant";
  readonly variable: Variable;
  readonly symbols: SymbolTable;
  readonly objects: ObjectTable;
}

function valueOfHost(host: HostValue, type: Type, name: string, passed: Passed): Value {
  const { variable, symbols, objects } = passed;
  if (type.kind === "record" || type.kind === "array") {
    const parts = host.kind === "aggregate" ? host.parts : new Map<number, HostValue>();
    const cells = new Map<number, Cell>();
    for (const leaf of leavesOf(type, 0, name)) {
      const part = parts.get(leaf.offsetBytes) ?? { kind: "unknown", reason: leaf.name };
      cells.set(leaf.offsetBytes, {
        type: leaf.type,
        value: valueOfHost(part, leaf.type, leaf.name, passed),
      });
    }
    // Of a large array the host passes more than is listed here.
    return { kind: "aggregate", cells, rest: unknownValue(name, { varies: false, dependsOnData: false }) };
  }
  if (type.kind === "pointer") {
    if (host.kind === "pointer")
      return {
        kind: "pointer",
        object: objects.ofAllocation(host.allocation, { ...variable, name, type }, host.contents ?? null),
        offset: known(host.offsetBytes),
      };
    if (host.kind === "null") return { kind: "pointer", object: objects.nullObject, offset: known(0) };
    return passedPointer(name, type, passed);
  }
  if (host.kind === "scalar") return scalarValue(host.value, type);
  if (type.kind === "integer" || type.kind === "boolean") {
    const limits = rangeOfType(type);
    const size = symbols.derive(`${passed.kind} ${name}`, () => ({
      name,
      role: "size",
      varies: false,
      least: type.kind === "integer" ? 0 : limits.least,
      most: mostPassed(host, limits.most),
      reason: name,
      undeclared: host.kind === "unknown" ? undeclaredIn(host.reason) : null,
    }));
    return symbolic(size);
  }
  return unknownValue(name, { varies: false, dependsOnData: false });
}

/** Sizes that may be as large as this are taken to be large, whatever the host compared them with. */
const leastLarge = 32;

/** The largest number that the host passes: a small one, where its comparisons leave no other. */
function mostPassed(host: HostValue, ofType: number): number {
  const told = host.kind === "unknown" ? host.most : undefined;
  return told === undefined || told < 0 || told >= leastLarge ? ofType : told;
}

function passedPointer(name: string, type: PointerType, { kind, variable, objects }: Passed): PointerValue {
  const object = objects.ofUnknownPointer(`${kind} ${name}`, name, type.target, {
    space: "global",
    range: variable.range,
    reason: null,
    assumption: null,
    handedRecord: type === variable.type ? handedRecordOf(variable) : null,
  });
  return { kind: "pointer", object, offset: known(0) };
}

/** A known scalar as a value of its type. */
export function scalarValue(value: number | bigint, type: Type): Value {
  if (type.kind === "boolean") return decided(value ? allLanes : 0);
  if (type.kind === "float") return floats(Number(value));
  if (type.kind === "integer")
    return known(
      Number.isInteger(value) || typeof value === "bigint"
        ? value
        : convert(value, { kind: "float", format: "double" }, type),
    );
  if (type.kind === "pointer" || type.kind === "function") return known(value);
  return known(convert(value, int32, int32));
}

interface Leaf {
  readonly type: Type;
  readonly offsetBytes: number;
  readonly name: string;
}

/** The scalars, pointers and functions within a type, with names as people would write them. */
export function leavesOf(type: Type, offsetBytes: number, name: string): Leaf[] {
  if (type.kind === "record")
    return type.fields
      .flatMap((field) => leavesOf(field.type, offsetBytes + field.offsetBytes, `${name}.${field.name}`))
      .slice(0, maximumLeaves);
  if (type.kind === "array") return leavesOfArray(type, offsetBytes, name);
  return [{ type, offsetBytes, name }];
}

function leavesOfArray(type: ArrayType, offsetBytes: number, name: string): Leaf[] {
  const size = sizeOf(type.element) ?? 0;
  const leaves: Leaf[] = [];
  for (let index = 0; index < type.count && leaves.length < maximumLeaves; index++)
    leaves.push(...leavesOf(type.element, offsetBytes + index * size, `${name}[${index}]`));
  return leaves;
}

function spaceOf(variable: Variable): MemoryObject["space"] {
  const memory = memoryOf(variable);
  return memory === "automatic" ? "register" : memory;
}

/**
 * The driver places each variable of global memory by itself, at a multiple of 256 bytes, whatever its type (23 programs on an H200:
 * docs/hardware.md). A shared array's start moves all lanes alike, and is taken for that of an allocation where no more is asked; others lie
 * as their type asks.
 */
function alignmentOfVariable(variable: Variable): number {
  const own = Math.max(variable.alignmentBytes, alignmentOf(variable.type) ?? 1);
  const space = spaceOf(variable);
  return space === "shared" || space === "global" ? Math.max(own, allocationAlignmentBytes) : own;
}
