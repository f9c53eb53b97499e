// Reading and writing the bytes of records and arrays that live in registers: scalars by byte offset.
import { sameType, sizeOf, type Type } from "../../ir/type.ts";
import type { AggregateValue, Cell, UnknownValue, Value } from "../values/value.ts";

export const undefinedContents: AggregateValue = { kind: "aggregate", cells: new Map(), rest: "undefined" };

/** What lies at a constant offset: a value, "undefined" where nothing was written, or null where the bytes were written as another type. */
export function readCell(
  contents: AggregateValue,
  offsetBytes: number,
  type: Type,
): Value | "undefined" | "zero" | UnknownValue | null {
  if (type.kind === "record" || type.kind === "array") return slice(contents, offsetBytes, sizeOf(type) ?? 0);
  const cell = contents.cells.get(offsetBytes);
  if (cell) return sizeOf(cell.type) === sizeOf(type) && isSameKind(cell.type, type) ? cell.value : null;
  if (overlaps(contents, offsetBytes, sizeOf(type) ?? 1)) return null;
  return contents.rest;
}

/** The contents with a value written at a constant offset. */
export function writeCell(
  contents: AggregateValue,
  offsetBytes: number,
  type: Type,
  value: Value,
): AggregateValue {
  const cells = new Map(contents.cells);
  const size = sizeOf(type) ?? 1;
  for (const [at, cell] of contents.cells)
    if (at < offsetBytes + size && at + (sizeOf(cell.type) ?? 1) > offsetBytes) cells.delete(at);
  if (value.kind === "aggregate") {
    for (const [at, cell] of value.cells) if (at < size) cells.set(offsetBytes + at, cell);
    if (value.cells.size === 0 && value.rest !== "undefined" && contents.cells.size === 0)
      return { kind: "aggregate", cells, rest: value.rest };
  } else cells.set(offsetBytes, { type, value });
  return { kind: "aggregate", cells, rest: contents.rest };
}

/** What lies at a constant offset of what is put together. */
export interface Part {
  readonly offsetBytes: number;
  readonly type: Type;
  readonly value: Value;
}

/** The contents with one part after the other written over zeros, as by `writeCell`: in time linear in parts that lie in order. */
export function contentsOf(parts: Iterable<Part>): AggregateValue {
  const cells = new Map<number, Cell>();
  let rest: AggregateValue["rest"] = "zero";
  /** Where the last byte written so far ends. */
  let endBytes = 0;
  for (const { offsetBytes, type, value } of parts) {
    const size = sizeOf(type) ?? 1;
    if (offsetBytes < endBytes) {
      const written = writeCell({ kind: "aggregate", cells, rest }, offsetBytes, type, value);
      cells.clear();
      for (const [at, cell] of written.cells) cells.set(at, cell);
      rest = written.rest;
    } else if (value.kind === "aggregate") {
      if (value.cells.size === 0 && value.rest !== "undefined" && cells.size === 0) rest = value.rest;
      for (const [at, cell] of value.cells) if (at < size) cells.set(offsetBytes + at, cell);
    } else cells.set(offsetBytes, { type, value });
    endBytes = Math.max(endBytes, offsetBytes + size);
  }
  return { kind: "aggregate", cells, rest };
}

/** The cells of a range of bytes, moved to offset 0. */
function slice(contents: AggregateValue, offsetBytes: number, sizeBytes: number): AggregateValue {
  if (offsetBytes === 0 && [...contents.cells.keys()].every((at) => at < sizeBytes)) return contents;
  const cells = new Map<number, Cell>();
  for (const [at, cell] of contents.cells)
    if (at >= offsetBytes && at < offsetBytes + sizeBytes) cells.set(at - offsetBytes, cell);
  return { kind: "aggregate", cells, rest: contents.rest };
}

function overlaps(contents: AggregateValue, offsetBytes: number, sizeBytes: number): boolean {
  for (const [at, cell] of contents.cells)
    if (at < offsetBytes + sizeBytes && at + (sizeOf(cell.type) ?? 1) > offsetBytes) return true;
  return false;
}

function isSameKind(a: Type, b: Type): boolean {
  return sameType(a, b) || (a.kind === b.kind && a.kind !== "float") || isWord(a) === isWord(b);
}

function isWord(type: Type): boolean {
  return type.kind === "integer" || type.kind === "boolean";
}
