// memcpy, memset and their like between objects of the host: followed cell by cell where all is known, else the destination is forgotten.
import type { Intrinsic } from "../../ir/expression.ts";
import { int32, sizeOf, type Type } from "../../ir/type.ts";
import { clearData, copyData, type Data, writeData } from "./data.ts";
import type { HostContext } from "./evaluate.ts";
import { leavesOf } from "./leaves.ts";
import { deviceSetters } from "./library-effects.ts";
import { type HostObject, type Memory, readContents } from "./object.ts";
import type { PointerValue, Value } from "./value.ts";
import { isScalarValue, unknownValue } from "./value.ts";

/** More cells than this are not written by one call. */
const maxCells = 8192;

/** A place in an object that is known. */
interface Destination {
  readonly object: HostObject;
  readonly offsetBytes: number;
}

/** Does what a function of `exactWriters` does, and gives its result: the destination. */
export function writeExactly(
  context: Pick<HostContext, "memory">,
  call: Intrinsic,
  values: readonly Value[],
): Value {
  const [target, second, third] = values;
  if (target === undefined || isScalarValue(target) || target.kind !== "pointer")
    return target ?? unknownValue(`the result of ${call.name}`);
  const { object, offsetBytes } = target;
  if (object.isBulk && object.data === null) return target;
  const isDone = offsetBytes !== null && perform(context, call, { object, offsetBytes }, [second, third]);
  if (!isDone) context.memory.forget(object, `${call.name} of what is not known`);
  return target;
}

function perform(
  context: Pick<HostContext, "memory">,
  call: Intrinsic,
  destination: Destination,
  [second, third]: readonly [Value | undefined, Value | undefined],
): boolean {
  const { memory } = context;
  if (destination.object.data !== null) {
    const { data } = destination.object;
    return performOnData(context, call, { ...destination, data }, [second, third]);
  }
  switch (call.name) {
    case "memset":
      return second === 0 && clear(memory, destination, numberOf(third));
    case "__warplint_fill":
      return (
        third !== undefined && fill(memory, destination, numberOf(second), third, call.arguments[2]?.type)
      );
    case "__warplint_copy":
      return copy(memory, destination, second, product(numberOf(third), elementBytes(call)));
    default:
      return copy(memory, destination, second, numberOf(third));
  }
}

interface DataDestination extends Destination {
  readonly data: Data;
}

/** The same where the destination is data in bulk. */
function performOnData(
  { memory }: Pick<HostContext, "memory">,
  call: Intrinsic,
  destination: DataDestination,
  [second, third]: readonly [Value | undefined, Value | undefined],
): boolean {
  memory.noteWritten(destination.object);
  if (destination.object.serial <= memory.lastUncertainSerial) return false;
  const elements = numberOf(call.name === "__warplint_fill" ? second : third) ?? 0;
  if (!memory.spendUnits(elements / (destination.data.unitBytes || 1))) return false;
  switch (call.name) {
    case "memset":
    case "cudaMemset":
    case "cudaMemsetAsync":
      return setBytes(destination, numberOf(second), numberOf(third));
    case "__warplint_fill":
      return fillData(memory, destination, numberOf(second), third, call.arguments[2]?.type);
    case "__warplint_copy":
      return copyIntoData(memory, destination, second, product(numberOf(third), elementBytes(call)));
    default:
      return copyIntoData(memory, destination, second, numberOf(third));
  }
}

/** Elements that one call fills. */
const maxElements = 1 << 22;

function setBytes(
  { object, data, offsetBytes }: DataDestination,
  byte: number | null,
  bytes: number | null,
): boolean {
  if (byte === null || bytes === null) return false;
  if (byte === 0 && offsetBytes === 0 && bytes === object.sizeBytes) {
    clearData(data, bytes);
    return true;
  }
  const word = Math.imul(byte & 255, 0x01010101);
  if (bytes % 4 !== 0 || bytes > 4 * maxElements) return false;
  for (let at = 0; at < bytes; at += 4) if (!writeData(data, offsetBytes + at, int32, word)) return false;
  return true;
}

function fillData(
  memory: Memory,
  { object, data, offsetBytes }: DataDestination,
  count: number | null,
  value: Value | undefined,
  type: Type | undefined,
): boolean {
  const bytes = type === undefined ? null : sizeOf(type);
  if (count === null || type === undefined || bytes === null || value === undefined || count > maxElements)
    return false;
  if (
    isZero(value, type) &&
    data.unitBytes === 0 &&
    offsetBytes === 0 &&
    count * bytes === object.sizeBytes
  ) {
    clearData(data, object.sizeBytes);
    return true;
  }
  for (let index = 0; index < count; index++) memory.write(object, offsetBytes + index * bytes, type, value);
  return true;
}

function copyIntoData(
  memory: Memory,
  { object, data, offsetBytes }: DataDestination,
  source: Value | undefined,
  bytes: number | null,
): boolean {
  if (bytes === 0) return true;
  if (bytes === null || !isPlace(source)) return false;
  const from = source.object;
  const start = source.offsetBytes ?? 0;
  if (from.data !== null) return copyData(data, offsetBytes, from.data, start, bytes);
  if (from.isBulk) return false;
  const value = memory.read(from, start, bytesType(bytes));
  if (isScalarValue(value) || value.kind !== "record") return false;
  const isCovered = [...value.cells.values()].reduce((sum, cell) => sum + cell.bytes, 0) === bytes;
  // Zeros over memory that was allocated as zeros, and never written to, are there: the few elements that a vector began with, when it grows.
  const isFreshZero = data.unitBytes === 0 && offsetBytes + bytes <= data.zeroBytes;
  if (value.fill === "zero" && !isCovered && !isFreshZero) {
    if (offsetBytes !== 0 || bytes !== object.sizeBytes) return false;
    clearData(data, bytes);
  }
  for (const [at, cell] of value.cells) memory.write(object, offsetBytes + at, cell.type, cell.value);
  return true;
}

/** Whether `call` copies or sets what lies in data that are followed, and was done. */
export function writeDeviceData(context: HostContext, call: Intrinsic, values: readonly Value[]): boolean {
  const [target, second, third] = values;
  if (!deviceWriters.has(call.name) || !isPlace(target) || target.object.data === null) return false;
  const { object, offsetBytes } = target;
  const isDone = perform(context, call, { object, offsetBytes: offsetBytes ?? 0 }, [second, third]);
  if (!isDone) context.memory.forget(object, `${call.name} of what is not known`);
  return true;
}

const deviceWriters = new Set(["cudaMemcpy", "cudaMemcpyAsync", ...deviceSetters]);

function numberOf(value: Value | undefined): number | null {
  return value !== undefined && isScalarValue(value) && value >= 0 ? Number(value) : null;
}

function product(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a * b;
}

function elementBytes(call: Intrinsic): number | null {
  const type = call.arguments[0]?.type;
  return type?.kind === "pointer" ? sizeOf(type.target) : null;
}

/** A record of `bytes` bytes, whatever stands in them. */
function bytesType(bytes: number): Type {
  return { kind: "record", name: "", sizeBytes: bytes, alignmentBytes: 1, fields: [] };
}

function clear(memory: Memory, { object, offsetBytes }: Destination, bytes: number | null): boolean {
  const isWhole = offsetBytes === 0 && bytes === object.sizeBytes;
  if (bytes === null || !(isWhole || object.fill === "zero")) return false;
  memory.write(object, offsetBytes, bytesType(bytes), { kind: "record", cells: new Map(), fill: "zero" });
  return true;
}

function copy(
  memory: Memory,
  { object, offsetBytes }: Destination,
  source: Value | undefined,
  bytes: number | null,
): boolean {
  if (bytes === 0) return true;
  if (bytes === null || !isPlace(source) || source.object.isBulk) return false;
  const value = memory.read(source.object, source.offsetBytes ?? 0, bytesType(bytes));
  if (isScalarValue(value) || value.kind !== "record") return false;
  const isWhole = offsetBytes === 0 && bytes === object.sizeBytes;
  const isCovered = [...value.cells.values()].reduce((sum, cell) => sum + cell.bytes, 0) === bytes;
  if (!isWhole && !isCovered && value.fill !== object.fill) return false;
  const fill = isCovered ? object.fill : value.fill;
  memory.write(object, offsetBytes, bytesType(bytes), { ...value, fill });
  return true;
}

function isPlace(value: Value | undefined): value is PointerValue {
  return (
    value !== undefined && !isScalarValue(value) && value.kind === "pointer" && value.offsetBytes !== null
  );
}

function fill(
  memory: Memory,
  { object, offsetBytes }: Destination,
  count: number | null,
  value: Value,
  type: Type | undefined,
): boolean {
  const bytes = type === undefined ? null : sizeOf(type);
  if (count === null || type === undefined || bytes === null) return false;
  if (count === 0 || (object.fill === "zero" && object.cells.size === 0 && isZero(value, type))) return true;
  if (count * (leavesOf(type)?.length ?? maxCells) > maxCells) return false;
  for (let index = 0; index < count; index++) memory.write(object, offsetBytes + index * bytes, type, value);
  return true;
}

function isZero(value: Value, type: Type): boolean {
  if (isScalarValue(value)) return value === 0;
  const leaves = value.kind === "record" ? leavesOf(type, 64) : null;
  if (value.kind !== "record" || leaves === null) return false;
  return leaves.every((leaf) => readContents(value, leaf.offsetBytes, leaf.type, "") === 0);
}
