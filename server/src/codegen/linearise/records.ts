// Records and arrays move piece by piece: how values of them are cut, stored and assigned.
import type { AccessSite, Expression, MemoryPlace, VariablePlace } from "../../ir/expression.ts";
import { alignmentOf, pointerTo, sameType, sizeOf, type Type } from "../../ir/type.ts";
import { placeOf, readOf } from "../walks/fresh.ts";
import { atPointer } from "../walks/rebuild.ts";
import { type Context, emitAssign } from "./context.ts";
import { copyPiecesOf, isPieceType, type Piece, piecesOf } from "./layout.ts";

/** The place with a pointer that costs little to write again for every piece. */
export function stablePointer(place: MemoryPlace, context: Context): MemoryPlace {
  const { pointer } = place;
  if (pointer.kind === "load" || pointer.kind === "address") return place;
  const variable = context.fresh.transient(pointer.type, "address");
  emitAssign(placeOf(variable), pointer, null, context);
  return atPointer(place, readOf(variable));
}

/**
 * How a record in memory is copied: by an assignment, which knows of the records around it (cases record_copies/assigned, copied, stored), or
 * to make a new object, member by member of a reference to it (initialised).
 */
export type Copying = "assigned" | "initialises";

/** A piece of a record in memory. Its pointer promises the alignment: that of the record around it, where that is known, or else its own. */
export function pieceOf(base: MemoryPlace, piece: Piece, whole: Type, copying: Copying): MemoryPlace {
  const { pointer, offsetBytes } = base;
  const target = pointer.type.kind === "pointer" ? pointer.type.target : null;
  const isAround =
    copying === "assigned" && ((target && alignmentOf(target)) ?? 1) >= (alignmentOf(whole) ?? 1);
  if (isAround || (target && offsetBytes === 0 && sameType(target, whole)))
    return { kind: "memory", pointer, offsetBytes: offsetBytes + piece.offsetBytes, type: piece.type };
  const type = pointerTo(whole);
  const toWhole: Expression =
    offsetBytes === 0 ? { kind: "convert", type, operand: pointer } : { kind: "address", type, place: base };
  return { kind: "memory", pointer: toWhole, offsetBytes: piece.offsetBytes, type: piece.type };
}

/** Whether writing the expression twice is as good as once: constants, and temporaries, which nobody assigns again. */
export function isRepeatable(expression: Expression): boolean {
  if (expression.kind === "constant") return true;
  if (expression.kind === "aggregate") return expression.parts.every((part) => isRepeatable(part.value));
  return (
    expression.kind === "load" && expression.place.kind === "variable" && expression.place.variable.id < 0
  );
}

export function storeMemory(
  place: MemoryPlace,
  stored: Expression,
  site: AccessSite | null,
  context: Context,
): void {
  const isRecord = place.type.kind === "record" || place.type.kind === "array";
  const parts = isRecord && !site?.isVolatile ? partsOfValue(stored, place.type, context) : null;
  if (!parts) {
    emitAssign(place, stored, site, context);
    return;
  }
  const base = stablePointer(place, context);
  const group = context.groups.size;
  for (const part of parts)
    emitAssign(pieceOf(base, part.piece, place.type, "assigned"), part.value, site, context, group);
}

interface PartOfValue {
  readonly piece: Piece;
  readonly value: Expression;
}

/** A record value cut into scalars; null where it cannot be. */
function partsOfValue(stored: Expression, type: Type, context: Context): readonly PartOfValue[] | null {
  if (stored.kind === "aggregate") {
    const pieces = piecesOf(type);
    return pieces?.map((piece) => ({ piece, value: partOfAggregate(stored, piece) })) ?? null;
  }
  if (stored.kind !== "load" || stored.place.kind !== "variable") return null;
  const { variable, offsetBytes } = stored.place;
  const pieces = context.copied.has(variable.id) ? copyPiecesOf(type) : piecesOf(type);
  return (
    pieces?.map((piece) => ({
      piece,
      value: readOf(variable, offsetBytes + piece.offsetBytes, piece.type),
    })) ?? null
  );
}

function partOfAggregate(aggregate: Expression & { kind: "aggregate" }, piece: Piece): Expression {
  const width = sizeOf(piece.type) ?? 0;
  for (const part of aggregate.parts) {
    const size = sizeOf(part.value.type) ?? 0;
    const inside = piece.offsetBytes - part.offsetBytes;
    if (inside < 0 || inside + width > size) continue;
    if (part.value.type.kind !== "record" && part.value.type.kind !== "array") return part.value;
    return extracted(part.value, inside, piece.type);
  }
  return { kind: "constant", type: piece.type, value: 0 };
}

/** A scalar of a pure record value. */
export function extracted(record: Expression, offsetBytes: number, type: Type): Expression {
  if (record.kind === "load" && record.place.kind === "variable")
    return readOf(record.place.variable, record.place.offsetBytes + offsetBytes, type);
  if (record.kind === "aggregate" && isPieceType(type)) return partOfAggregate(record, { offsetBytes, type });
  return { kind: "extract", type, operand: record, offsetBytes };
}

/** `place = stored` for a variable: records go piece by piece, what is known of scalars is kept. */
export function assignVariable(place: VariablePlace, stored: Expression, context: Context): void {
  const isRecord = place.type.kind === "record" || place.type.kind === "array";
  const parts =
    isRecord && place.variable.storage === "automatic" ? partsOfValue(stored, place.type, context) : null;
  if (parts) {
    for (const { piece, value: part } of parts)
      emitAssign(
        placeOf(place.variable, place.offsetBytes + piece.offsetBytes, piece.type),
        part,
        null,
        context,
      );
    return;
  }
  emitAssign(place, stored, null, context);
}
