// Where ptxas lays arrays and scalars in shared memory, as it sees them when it merges: one behind another in the order of declaration, each
// aligned as its type (cases dynamic/staticSmall, dynamic/smallPair). An array or record whose numbers the text names by constants alone LLVM
// takes apart into scalars, those that are named, and these stand behind all else (cases shared_order/oneElement, fewElements; not: countedElements,
// elementOfLane, sharedAtomic). Dynamic shared memory is elsewhere.
import type { Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { alignmentOf, sizeOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { forEachExpressionOf } from "../walks/walk.ts";

/** LLVM takes nothing apart of which more is named. */
const mostParts = 16;

export interface SharedLayout {
  /** By the id of a variable in static shared memory. Of an array that was taken apart: where it would start if none of it were left out. */
  readonly offsets: ReadonlyMap<number, number>;
  /** Of them those of arrays and records that are whole. */
  readonly arrays: ReadonlyMap<number, number>;
  /** By the id of a variable that is a scalar, or was made several, and the offset in it: the offset among all. */
  readonly scalars: SharedScalars;
}

export type SharedScalars = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** `written` is the body before loops were unrolled and calls inlined. */
export function sharedLayoutOf(variables: readonly Variable[], written: readonly Statement[]): SharedLayout {
  const offsets = new Map<number, number>();
  const scalars = new Map<number, ReadonlyMap<number, number>>();
  const apart = variables.some(isAggregate) ? namedPartsOf(written) : new Map<number, NamedParts>();
  let end = 0;
  const take = (bytes: number, alignmentBytes: number): number => {
    const offset = Math.ceil(end / alignmentBytes) * alignmentBytes;
    end = offset + bytes;
    return offset;
  };
  const declared = variables.filter(({ storage }) => storage !== "dynamic-shared");
  const placed = ofKnownPlace(declared);
  for (const { id, type, alignmentBytes } of placed) {
    if (apart.has(id)) continue;
    const offset = take(sizeOf(type) ?? 0, alignmentBytes);
    offsets.set(id, offset);
    if (isNumber(type)) scalars.set(id, new Map([[0, offset]]));
  }
  const arrays = new Map([...offsets].filter(([id]) => !scalars.has(id)));
  // What was taken apart stands behind all else.
  const last = placed.length === declared.length ? placed : [];
  for (const { id, alignmentBytes } of last) {
    const named = apart.get(id);
    if (!named) continue;
    const parts = [...named]
      .sort(([a], [b]) => a - b)
      .map(([at, type]) => ({
        at,
        type,
        offset: take(sizeOf(type) ?? 0, commonAlignment(alignmentBytes, at)),
      }));
    const numbers = parts.filter(({ type }) => isNumber(type));
    scalars.set(id, new Map(numbers.map(({ at, offset }) => [at, offset])));
    const [first] = parts;
    if (first) offsets.set(id, first.offset - first.at);
  }
  return { offsets, arrays, scalars };
}

/** Those in front of one of unknown size, such as CUB's TempStorage: where the others lie nobody can tell. */
function ofKnownPlace(variables: readonly Variable[]): readonly Variable[] {
  const unknown = variables.findIndex(({ type }) => !sizeOf(type));
  return unknown < 0 ? variables : variables.slice(0, unknown);
}

/** Where the scalar lies that a place is; null where it is none. */
export function scalarOffsetOf({ pointer, offsetBytes }: MemoryPlace, scalars: SharedScalars): number | null {
  const at = constantPlaceOf(pointer);
  return (at && scalars.get(at.variable.id)?.get(at.offsetBytes + offsetBytes)) ?? null;
}

/** Of what lies so far behind something aligned. */
function commonAlignment(alignmentBytes: number, offsetBytes: number): number {
  let alignment = alignmentBytes;
  while (offsetBytes % alignment !== 0) alignment /= 2;
  return alignment;
}

/** By their offsets: the parts that are named. */
type NamedParts = ReadonlyMap<number, Type>;

function isAggregate({ type, storage }: Variable): boolean {
  return storage === "shared" && !isWhole(type);
}

/**
 * Whether LLVM leaves it as it is: a number, and a record that is aligned as more than its members (`float2`), whose members overlap, or that holds
 * such a record.
 */
function isWhole(type: Type): boolean {
  if (type.kind === "array") return false;
  if (type.kind !== "record") return true;
  const alignments = type.fields.map((field) => alignmentOf(field.type) ?? 0);
  const offsets = new Set(type.fields.map(({ offsetBytes }) => offsetBytes));
  return (
    type.alignmentBytes !== Math.max(...alignments) ||
    offsets.size !== type.fields.length ||
    type.fields.some((field) => holdsWholeRecord(field.type))
  );
}

function holdsWholeRecord(type: Type): boolean {
  return type.kind === "array" ? holdsWholeRecord(type.element) : type.kind === "record" && isWhole(type);
}

/** The part of a type that an offset lies in, with where it starts. */
function partAt(type: Type, offsetBytes: number, startBytes = 0): { at: number; part: Type } | null {
  if (isWhole(type)) return { at: startBytes, part: type };
  if (type.kind === "array") {
    const bytes = sizeOf(type.element);
    if (!bytes || offsetBytes < 0 || offsetBytes >= bytes * type.count) return null;
    const inside = offsetBytes % bytes;
    return partAt(type.element, inside, startBytes + offsetBytes - inside);
  }
  if (type.kind !== "record") return null;
  const field = type.fields.findLast((one) => one.offsetBytes <= offsetBytes);
  return field ? partAt(field.type, offsetBytes - field.offsetBytes, startBytes + field.offsetBytes) : null;
}

/** Of each array or record that is taken apart: what is named of it. */
function namedPartsOf(written: readonly Statement[]): ReadonlyMap<number, NamedParts> {
  const mentions = new Map<number, number>();
  const named = new Map<number, { parts: Map<number, Type>; times: number }>();
  forEachExpressionOf(written, (node) => {
    if (node.kind === "address" && node.place.kind === "variable" && isAggregate(node.place.variable))
      mentions.set(node.place.variable.id, (mentions.get(node.place.variable.id) ?? 0) + 1);
    if (node.kind !== "load" && node.kind !== "assign") return;
    const found = namedPart(node);
    if (!found) return;
    const known = named.get(found.id) ?? { parts: new Map(), times: 0 };
    known.times++;
    known.parts.set(found.at, found.part);
    named.set(found.id, known);
  });
  return new Map(
    [...named]
      .filter(([id, { times, parts }]) => times === mentions.get(id) && parts.size <= mostParts)
      .map(([id, { parts }]) => [id, parts]),
  );
}

/** The part of a variable in shared memory whose number is accessed, by constants alone; null where a lane has a say, or the access is no plain one. */
function namedPart({ place, site }: Pick<Load, "place" | "site">) {
  if (place.kind !== "memory" || site?.isVolatile === true || !isNumber(place.type)) return null;
  const where = constantPlaceOf(place.pointer);
  const found = where && partAt(where.variable.type, where.offsetBytes + place.offsetBytes);
  return found && { id: where.variable.id, ...found };
}

function isNumber({ kind }: Type): boolean {
  return kind === "integer" || kind === "float";
}

function constantPlaceOf(
  pointer: Expression,
): { readonly variable: Variable; readonly offsetBytes: number } | null {
  if (pointer.kind === "convert") return constantPlaceOf(pointer.operand);
  if (pointer.kind === "offset") {
    const { index, strideBytes } = pointer;
    const base = constantPlaceOf(pointer.pointer);
    if (!base || index.kind !== "constant") return null;
    return { ...base, offsetBytes: base.offsetBytes + Number(index.value) * strideBytes };
  }
  if (pointer.kind !== "address") return null;
  const { place } = pointer;
  if (place.kind === "memory") {
    const base = constantPlaceOf(place.pointer);
    return base && { ...base, offsetBytes: base.offsetBytes + place.offsetBytes };
  }
  return place.variable.storage === "shared" ? place : null;
}
