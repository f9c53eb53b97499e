// How records are cut into the scalars that the compiler moves them by, and the types of merged accesses.
import type { MemoryPlace } from "../../ir/expression.ts";
import { type Piece, type PieceType, paddingOf, piecesOf } from "../../ir/pieces.ts";
import { alignmentOf, type RecordField, type RecordType, sizeOf, type Type } from "../../ir/type.ts";

/** half2 and its like, which move as one 32-bit register where nothing reads their halves apart. */
export function isPackedHalves(type: Type): boolean {
  if (type.kind !== "record" || type.sizeBytes !== 4 || type.alignmentBytes !== 4) return false;
  return type.fields.length === 2 && type.fields.every((field) => field.type.kind === "float");
}

/** The pair of halves of a type that holds the byte at this offset; null where it lies in no such pair. */
export function pairOfHalvesAt(
  type: Type,
  offsetBytes: number,
): Pick<RecordField, "type" | "offsetBytes"> | null {
  if (isPackedHalves(type)) return { type, offsetBytes: 0 };
  const part = partAt(type, offsetBytes);
  if (part === null) return null;
  const inner = pairOfHalvesAt(part.type, offsetBytes - part.offsetBytes);
  return inner && { type: inner.type, offsetBytes: part.offsetBytes + inner.offsetBytes };
}

/** Whether some padding lies between the members. */
export function hasPaddingWithin(type: Type): boolean {
  const last = piecesOf(type)?.at(-1)?.offsetBytes ?? 0;
  return paddingOf(type).some(({ offsetBytes }) => offsetBytes < last);
}

function partAt(type: Type, offsetBytes: number): Pick<RecordField, "type" | "offsetBytes"> | null {
  if (type.kind === "record") return type.fields.find((field) => holds(field, offsetBytes)) ?? null;
  const elementBytes = type.kind === "array" ? sizeOf(type.element) : null;
  if (type.kind !== "array" || !elementBytes) return null;
  return { type: type.element, offsetBytes: Math.floor(offsetBytes / elementBytes) * elementBytes };
}

function holds(field: RecordField, at: number): boolean {
  return field.offsetBytes <= at && at < field.offsetBytes + (sizeOf(field.type) ?? 0);
}

/**
 * Where the part of a record begins that a piece of it is loaded with: one that says how it is aligned, as CUDA's vectors do, moves as vectors
 * (fixtures/forms/records_by_value), one with padding between its members in parts as large as its alignment (record_members mixed). Null of a piece that moves by itself; 0 where what the pointer leads to is no record.
 */
export function vectorPartOf({ pointer, offsetBytes }: MemoryPlace): number | null {
  const target = pointer.type.kind === "pointer" ? pointer.type.target : null;
  return target?.kind === "record" ? vectorPartIn(target, 0, offsetBytes) : 0;
}

function vectorPartIn(type: Type, startBytes: number, offsetBytes: number): number | null {
  if (type.kind === "record") {
    if (type.alignmentBytes > naturalAlignmentOf(type)) return startBytes;
    if (hasPaddingWithin(type)) return offsetBytes - ((offsetBytes - startBytes) % type.alignmentBytes);
  }
  const part = partAt(type, offsetBytes - startBytes);
  return part && vectorPartIn(part.type, startBytes + part.offsetBytes, offsetBytes);
}

/**
 * Whether a record is copied from place to place as bytes, not member by member: one that says how it is aligned, has padding between its
 * members, or holds such a one. Pairs of halves copy themselves.
 */
export function movesAsBytes(type: Type): boolean {
  if (type.kind !== "record" || isPackedHalves(type)) return false;
  return (
    type.alignmentBytes > naturalAlignmentOf(type) ||
    hasPaddingWithin(type) ||
    type.fields.some((field) => movesAsBytes(field.type))
  );
}

function naturalAlignmentOf({ fields }: RecordType): number {
  return Math.max(1, ...fields.map((field) => alignmentOf(field.type) ?? 1));
}

/** A record of 2 to 16 bytes, aligned to its size, with these fields: the type of a merged access. */
export function mergedType(sizeBytes: number, pieces: readonly Piece[]): RecordType {
  const name = pieces.map((piece) => `${nameOf(piece.type)}@${piece.offsetBytes}`).join(" ");
  const key = `${sizeBytes}:${name}`;
  const known = mergedTypes.get(key);
  if (known) return known;
  const fields: RecordField[] = pieces.map((piece, index) => ({ name: `e${index}`, ...piece }));
  const type: RecordType = {
    kind: "record",
    name: `vector{${name}}`,
    sizeBytes,
    alignmentBytes: sizeBytes,
    fields,
  };
  mergedTypes.set(key, type);
  return type;
}

const mergedTypes = new Map<string, RecordType>();

function nameOf(type: PieceType): string {
  switch (type.kind) {
    case "integer":
      return `${type.signed ? "int" : "uint"}${type.bits}`;
    case "float":
      return type.format;
    default:
      return type.kind;
  }
}
