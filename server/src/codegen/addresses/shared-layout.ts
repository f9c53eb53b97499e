// Where ptxas lays arrays and scalars in shared memory, as it sees them when it merges: one behind another in the order of declaration, each
// aligned as its type (cases dynamic/staticSmall, dynamic/smallPair). An array whose elements the text names by constants alone LLVM takes apart
// into scalars, those that are named, and these stand behind all else (cases shared_order/oneElement, fewElements; not: countedElements,
// elementOfLane, sharedAtomic). Dynamic shared memory is elsewhere.
import type { Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { forEachExpressionOf } from "../walks/walk.ts";

/** LLVM takes no array apart of which more elements are named. */
const mostElements = 16;

export interface SharedLayout {
  /** By the id of a variable in static shared memory. Of an array that was taken apart: where it would start if none of it were left out. */
  readonly offsets: ReadonlyMap<number, number>;
  /** By the id of a variable that is a scalar, or was made several, and the offset in it: the offset among all. */
  readonly scalars: SharedScalars;
}

export type SharedScalars = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** `written` is the body before loops were unrolled and calls inlined. */
export function sharedLayoutOf(variables: readonly Variable[], written: readonly Statement[]): SharedLayout {
  const offsets = new Map<number, number>();
  const scalars = new Map<number, ReadonlyMap<number, number>>();
  const apart = variables.some(isArray) ? namedElementsOf(written) : new Map<number, NamedElements>();
  let end = 0;
  const take = (bytes: number, alignmentBytes: number): number => {
    const offset = Math.ceil(end / alignmentBytes) * alignmentBytes;
    end = offset + bytes;
    return offset;
  };
  const placed = variables.filter(({ storage }) => storage !== "dynamic-shared");
  for (const { id, type, alignmentBytes } of placed) {
    if (apart.has(id)) continue;
    const offset = take(sizeOf(type) ?? 0, alignmentBytes);
    offsets.set(id, offset);
    if (type.kind === "float" || type.kind === "integer") scalars.set(id, new Map([[0, offset]]));
  }
  for (const { id, alignmentBytes } of placed) {
    const named = apart.get(id);
    if (!named) continue;
    const inOrder = [...named.offsets].sort((a, b) => a - b);
    const elements = new Map(
      inOrder.map((each) => [each, take(named.bytes, commonAlignment(alignmentBytes, each))]),
    );
    scalars.set(id, elements);
    const [first] = elements;
    if (first) offsets.set(id, first[1] - first[0]);
  }
  return { offsets, scalars };
}

/** Where the scalar lies that a place is; null where it is none. */
export function scalarOffsetOf({ pointer, offsetBytes }: MemoryPlace, scalars: SharedScalars): number | null {
  const at = constantPlaceOf(pointer);
  return (at && scalars.get(at.id)?.get(at.offsetBytes + offsetBytes)) ?? null;
}

/** Of what lies so far behind something aligned. */
function commonAlignment(alignmentBytes: number, offsetBytes: number): number {
  let alignment = alignmentBytes;
  while (offsetBytes % alignment !== 0) alignment /= 2;
  return alignment;
}

interface NamedElements {
  /** Of one element. */
  readonly bytes: number;
  readonly offsets: ReadonlySet<number>;
}

function isArray({ type, storage }: Variable): boolean {
  return type.kind === "array" && storage === "shared";
}

/** Of each array that is taken apart: the elements that are named. */
function namedElementsOf(written: readonly Statement[]): ReadonlyMap<number, NamedElements> {
  const mentions = new Map<number, number>();
  const named = new Map<number, { bytes: number; offsets: Set<number>; times: number }>();
  forEachExpressionOf(written, (node) => {
    if (node.kind === "address" && node.place.kind === "variable" && isArray(node.place.variable))
      mentions.set(node.place.variable.id, (mentions.get(node.place.variable.id) ?? 0) + 1);
    if (node.kind !== "load" && node.kind !== "assign") return;
    const element = elementOf(node);
    if (!element) return;
    const known = named.get(element.id) ?? { bytes: element.bytes, offsets: new Set(), times: 0 };
    if (known.bytes === element.bytes) known.times++;
    known.offsets.add(element.offsetBytes);
    named.set(element.id, known);
  });
  return new Map(
    [...named].filter(
      ([id, { times, offsets }]) => times === mentions.get(id) && offsets.size <= mostElements,
    ),
  );
}

/** The element of an array in shared memory that constants name; null where a variable has a say, or the access is no plain one. */
function elementOf({ place, site }: Pick<Load, "place" | "site">) {
  if (place.kind !== "memory" || site?.isVolatile === true) return null;
  if (place.type.kind !== "integer" && place.type.kind !== "float") return null;
  const at = constantPlaceOf(place.pointer);
  const bytes = sizeOf(place.type);
  if (!at || bytes === null) return null;
  return { id: at.id, offsetBytes: at.offsetBytes + place.offsetBytes, bytes };
}

function constantPlaceOf(pointer: Expression): { readonly id: number; readonly offsetBytes: number } | null {
  if (pointer.kind === "convert") return constantPlaceOf(pointer.operand);
  if (pointer.kind === "offset") {
    const { index, strideBytes } = pointer;
    const base = constantPlaceOf(pointer.pointer);
    if (!base || index.kind !== "constant") return null;
    return { id: base.id, offsetBytes: base.offsetBytes + Number(index.value) * strideBytes };
  }
  if (pointer.kind !== "address") return null;
  const { place } = pointer;
  if (place.kind === "memory") {
    const base = constantPlaceOf(place.pointer);
    return base && { id: base.id, offsetBytes: base.offsetBytes + place.offsetBytes };
  }
  return place.variable.storage === "shared"
    ? { id: place.variable.id, offsetBytes: place.offsetBytes }
    : null;
}
