// Data in bulk that the host writes: the scalars of an array by their place, in units of what was written first or of words. What is not told apart
// by such units is forgotten.
import type { Type } from "../../ir/type.ts";
import { isScalar, sameType, sizeOf } from "../../ir/type.ts";
import { convert } from "../../semantics/arithmetic.ts";
import { reinterpret } from "../../semantics/bytes.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import type { HostContents } from "../launch.ts";
import type { Fill } from "./object.ts";
import { isScalarValue, type UnknownValue, unknownValue, type Value } from "./value.ts";

/** Units that are kept of one array: what is longer is not followed. */
const mostUnits = 1 << 20;

/** Wider values are several units: a record may begin with one and have narrower ones behind it. */
const mostUnitBytes = 4;

/** What an array holds. */
export interface Data {
  /** Bytes from its start of which those are zero that were never written; of others nothing is known, nor behind the array's end. */
  zeroBytes: number;
  /** 0 where nothing was written yet. */
  unitBytes: number;
  values: (Value | undefined)[];
  types: (Type | undefined)[];
  /** Whether pointers were written to it. */
  holdsPointers: boolean;
  /** Whether another array, or a launch, has the same units: whoever writes first makes its own. */
  isShared: boolean;
  /** What launches were given of it, as long as nobody writes. */
  given: HostContents | null;
}

export function makeData(fill: Fill, sizeBytes: number | null): Data {
  const zeroBytes = fill === "zero" ? (sizeBytes ?? Number.MAX_SAFE_INTEGER) : 0;
  return {
    zeroBytes,
    unitBytes: 0,
    values: [],
    types: [],
    holdsPointers: false,
    isShared: false,
    given: null,
  };
}

/** Forgets all, and begins anew with so many bytes of zeros. */
export function clearData(data: Data, zeroBytes: number): void {
  data.zeroBytes = zeroBytes;
  data.unitBytes = 0;
  data.values = [];
  data.types = [];
  data.holdsPointers = false;
  data.isShared = false;
  data.given = null;
}

/** The scalar or pointer of `type` at `offset`. */
export function readData(data: Data, offset: number, type: Type): Value {
  const unit = offset / data.unitBytes;
  const mayBeZero = offset + (sizeOf(type) ?? 0) <= data.zeroBytes;
  if (data.unitBytes === 0) return mayBeZero ? 0 : notWritten;
  const written = data.types[unit];
  if (written === undefined) return mayBeZero && isFree(data, offset, type) ? 0 : notWritten;
  if (written === covered) return notWritten;
  const value = data.values[unit] ?? notWritten;
  if (written === type || !isScalarValue(value)) return value;
  return sizeOf(written) === sizeOf(type) ? reread(value, written, type) : notWritten;
}

/** Writes a scalar or pointer; false where the array was forgotten instead. */
export function writeData(data: Data, offset: number, type: Type, value: Value): boolean {
  const bytes = sizeOf(type) ?? 0;
  if (data.unitBytes === 0) data.unitBytes = Math.min(bytes, mostUnitBytes);
  const unit = offset / data.unitBytes;
  const known = data.types[unit];
  // One after the other, as most arrays are filled: nothing is written over, not even in part.
  if (bytes === data.unitBytes && known === undefined && isUnit(unit)) {
    own(data);
    data.values[unit] = value;
    data.types[unit] = type;
    data.holdsPointers ||= type.kind === "pointer";
    return true;
  }
  // Written over by its like, as most others are.
  const isLike = known === type || (known !== undefined && sizeOf(known) === bytes);
  own(data);
  if (!isLike && !makeRoom(data, offset, bytes)) {
    clearData(data, 0);
    return false;
  }
  setUnits(data, offset / data.unitBytes, type, value);
  return true;
}

function setUnits(data: Data, unit: number, type: Type, value: Value): void {
  data.values[unit] = value;
  data.holdsPointers ||= type.kind === "pointer";
  data.types[unit] = type;
  const end = unit + (sizeOf(type) ?? 0) / data.unitBytes;
  for (let at = unit + 1; at < end; at++) data.types[at] = covered;
}

/** Makes units narrow enough for `bytes` bytes at `offset`, and forgets what lies there in part; false where there is no such place. */
function makeRoom(data: Data, offset: number, bytes: number): boolean {
  const unitBytes = greatestDivisor(greatestDivisor(offset, bytes), data.unitBytes);
  if (!Number.isInteger(unitBytes) || offset < 0 || offset / unitBytes >= mostUnits) return false;
  if (unitBytes < data.unitBytes && !narrowUnits(data, unitBytes)) return false;
  const { types, values } = data;
  const first = offset / unitBytes;
  const end = first + bytes / unitBytes;
  let at = first;
  while (types[at] === covered) at--;
  for (; at < end || types[at] === covered; at++) {
    if (types[at] === undefined) continue;
    // What is written over in part is not known any more.
    types[at] = covered;
    values[at] = undefined;
  }
  return true;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

function narrowUnits(data: Data, unitBytes: number): boolean {
  const ratio = data.unitBytes / unitBytes;
  if (data.types.length * ratio > mostUnits) return false;
  const { types, values } = data;
  data.unitBytes = unitBytes;
  data.types = [];
  data.values = [];
  types.forEach((type, unit) => {
    if (type !== undefined && type !== covered)
      setUnits(data, unit * ratio, type, values[unit] ?? notWritten);
  });
  return true;
}

/** Makes `bytes` bytes of `target` those of `source`; false where they cannot be told apart. */
export function copyData(
  target: Data,
  targetOffset: number,
  source: Data,
  sourceOffset: number,
  bytes: number | null,
): boolean {
  const isWhole = targetOffset === 0 && sourceOffset === 0 && target.values.length === 0;
  if (isWhole && (bytes === null || source.unitBytes * source.values.length <= bytes)) {
    source.isShared = true;
    // Behind what was copied, the target holds what nobody knows.
    const zeroBytes = Math.min(source.zeroBytes, bytes ?? 0);
    const given = zeroBytes === source.zeroBytes ? source.given : null;
    Object.assign(target, { ...source, zeroBytes, given });
    return true;
  }
  const { unitBytes } = source;
  if (bytes === null || unitBytes === 0 || bytes % unitBytes !== 0) return false;
  const first = sourceOffset / unitBytes;
  if (!isUnit(first) || (target.unitBytes !== 0 && target.unitBytes !== unitBytes)) return false;
  for (let unit = 0; unit < bytes / unitBytes; unit++) {
    const type = source.types[first + unit];
    if (type === covered) continue;
    if (type === undefined) return false;
    const value = source.values[first + unit] ?? notWritten;
    if (!writeData(target, targetOffset + unit * unitBytes, type, value)) return false;
  }
  return true;
}

/** What a launch finds there; null where nothing of it is known. */
export function contentsOfData(data: Data): HostContents | null {
  if (data.given !== null) return data.given;
  if (data.unitBytes === 0 && data.zeroBytes === 0) return null;
  const { unitBytes, zeroBytes } = data;
  const integers = integersOf(data);
  if (integers !== null) {
    const digest = digestOf(unitBytes, integers.values, zeroBytes);
    data.given = { unitBytes, ...integers, isComplete: true, zeroBytes, digest };
    return data.given;
  }
  const values: (Scalar | null)[] = [];
  let isComplete = true;
  for (let unit = 0; unit < data.values.length; unit++) {
    const value = data.values[unit];
    const isKnown = value !== undefined && isScalarValue(value);
    values.push(isKnown ? value : null);
    if (!isKnown && !isNoStart(data.types[unit])) isComplete = false;
  }
  const digest = digestOf(unitBytes, values, zeroBytes);
  data.given = { unitBytes, values, types: data.types.slice(), isComplete, zeroBytes, digest };
  return data.given;
}

/**
 * In little memory where all are integers of one type, as most arrays are that kernels are led by: launches are kept for long. Null where they are
 * not.
 */
function integersOf({ values, types }: Data): { readonly values: Int32Array; readonly types: Type } | null {
  const [type] = types;
  if (type === undefined) return null;
  const integers = new Int32Array(values.length);
  for (let unit = 0; unit < values.length; unit++) {
    const value = values[unit];
    if (types[unit] !== type || typeof value !== "number") return null;
    if ((value | 0) !== value || Object.is(value, -0)) return null;
    integers[unit] = value;
  }
  return { values: integers, types: type };
}

/** Whether no value begins at a unit of that type. */
function isNoStart(type: Type | undefined): boolean {
  return type === undefined || type === covered;
}

const notWritten: UnknownValue = unknownValue("data that is not known");
/** The type of units that begin within a wider value. */
const covered: Type = { kind: "void" };

function isUnit(unit: number): boolean {
  return Number.isInteger(unit) && unit >= 0 && unit < mostUnits;
}

/** Whether nobody wrote to the bytes of `type` at `offset`. */
function isFree({ types, unitBytes }: Data, offset: number, type: Type): boolean {
  const first = offset / unitBytes;
  const count = (sizeOf(type) ?? 0) / unitBytes;
  if (!Number.isInteger(first) || !Number.isInteger(count)) return false;
  for (let unit = first; unit < first + count; unit++) if (types[unit] !== undefined) return false;
  return true;
}

function own(data: Data): void {
  data.given = null;
  if (!data.isShared) return;
  data.values = data.values.slice();
  data.types = data.types.slice();
  data.isShared = false;
}

function reread(value: number | bigint, written: Type, type: Type): Value {
  if (!isScalar(written) || !isScalar(type) || sameType(written, type)) return value;
  if (written.kind === "integer" && type.kind === "integer") return convert(value, written, type);
  return reinterpret(value, written, type);
}

/** Equal for equal contents, and hardly ever for others. */
function digestOf(
  unitBytes: number,
  values: readonly (Scalar | null)[] | Int32Array,
  zeroBytes: number,
): string {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  const add = (word: number) => {
    low = Math.imul(low ^ word, 0x01000193);
    high = Math.imul(high ^ word, 0x85ebca6b) ^ (low >>> 15);
  };
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? null;
    const number = Number(value);
    add(index);
    add(value === null ? 1 : 0);
    add(number | 0);
    add(Math.floor(number / 2 ** 32) | 0);
    add(((number % 1) * 2 ** 31) | 0);
  }
  return `${unitBytes}:${zeroBytes}:${values.length}:${(low >>> 0).toString(16)}${(high >>> 0).toString(16)}`;
}
