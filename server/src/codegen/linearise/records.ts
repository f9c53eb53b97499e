// Records and arrays move piece by piece: how values of them are cut, stored and assigned.
import type {
  AccessSite,
  Aggregate,
  Expression,
  Load,
  MemoryPlace,
  VariablePlace,
} from "../../ir/expression.ts";
import {
  copyPiecesOf,
  hasPadding,
  isPieceType,
  movesWithPadding,
  type Piece,
  paddingOf,
  piecesOf,
} from "../../ir/pieces.ts";
import { alignmentOf, pointerTo, sameType, sizeOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { placeOf, readOf } from "../walks/fresh.ts";
import { atPointer, likeSite } from "../walks/rebuild.ts";
import { rootVariableOf } from "../walks/walk.ts";
import { type Context, emitAssign } from "./context.ts";
import { movesAsBytes, pairOfHalvesAt } from "./layout.ts";

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

/**
 * A piece of a record in memory. Its pointer promises the alignment: that of the record around it, where that is known, or else its own. A pair of
 * halves is a class that copies itself: it gets a reference, which says nothing of the record around it (forms/records_of_pairs).
 */
export function pieceOf(base: MemoryPlace, piece: Piece, whole: Type, copying: Copying): MemoryPlace {
  const pair = whole.kind === "record" ? pairOfHalvesAt(whole, piece.offsetBytes) : null;
  if (pair && pair.type !== whole) {
    const place: MemoryPlace = {
      kind: "memory",
      pointer: base.pointer,
      offsetBytes: base.offsetBytes + pair.offsetBytes,
      type: pair.type,
    };
    const toPair: Expression = { kind: "address", type: pointerTo(pair.type), place };
    const within = piece.offsetBytes - pair.offsetBytes;
    return { kind: "memory", pointer: toPair, offsetBytes: within, type: piece.type };
  }
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
  const parts =
    isRecord && !site?.isVolatile
      ? partsOfValue(stored, place.type, rootVariableOf(place.pointer), context)
      : null;
  if (!parts) {
    emitAssign(place, stored, site, context);
    return;
  }
  const base = stablePointer(place, context);
  const held = stored.kind === "load" && stored.place.kind === "variable" ? stored.place.variable : null;
  const isCopied = held !== null && context.copied.has(held.id);
  const group = !isCopied && isAlignedOfSizes(place.type) ? undefined : context.groups.size;
  if (isCopied && group !== undefined && movesAsBytes(place.type))
    context.byteCopies.set(group, sizeOf(place.type) === alignmentOf(place.type) ? "vector" : "record");
  const beside = held && !isCopied ? besidePadding(site, place.type) : site;
  const isSure = isCopied || (isOfWords(place.type) && !(held && mayHoldCopy(held, context)));
  const own = isSure ? beside : besideCopies(beside, place.type);
  for (const part of parts)
    emitAssign(pieceOf(base, part.piece, place.type, "assigned"), part.value, own, context, group);
}

/**
 * The site of a record that goes through a variable. Where it is aligned to 16 bytes and has padding, ptxas stores that with the word in front of it
 * (of three floats 64 bits twice), and loads it once more (struct_layout/aligned): that is not followed.
 */
function besidePadding(site: AccessSite | null, type: Type): AccessSite | null {
  const isDoubtful = site !== null && hasPadding(type) && !movesWithPadding(type);
  return isDoubtful ? likeSite(site, { uncertain: "moves-padding-apart" }) : site;
}

/**
 * The site of a record of several widths that goes through a variable: one that comes and goes as a whole LLVM may copy from memory to memory.
 */
function besideCopies(site: AccessSite | null, type: Type): AccessSite | null {
  return site !== null && isAlignedOfSizes(type)
    ? likeSite(site, { uncertain: "moves-members-apart" })
    : site;
}

/** Whether nothing of a record is narrower than a word: what LLVM leaves of those ptxas may still merge with a word beside it. */
function isOfWords(type: Type): boolean {
  return piecesOf(type)?.every((piece) => (sizeOf(piece.type) ?? 0) >= 4) ?? false;
}

/** The site of what is loaded into a variable. */
export function siteOfLoad({ site, type }: Load, variable: Variable, context: Context): AccessSite | null {
  const isCopied = context.readWhole.has(variable.id) || context.addressTaken.has(variable.id);
  const beside = besidePadding(site, type);
  return isCopied || !isOfWords(type) ? besideCopies(beside, type) : beside;
}

/** Whether a variable may hold a record as it was in memory, or as somebody left it who has its address. */
function mayHoldCopy({ id }: Variable, { copied, copies, renamed, addressTaken }: Context): boolean {
  if (copied.has(id) || copies.has(id) || addressTaken.has(id)) return true;
  return [...addressTaken].some((written) => renamed.get(written)?.id === id);
}

/**
 * Whether a record says how it is aligned and has members of 4 and of 8 bytes: nvcc copies one from place to place in 16 bytes, and moves one that
 * it computed, or whose members are used, in parts of one type (SASS of `t[i] = Slot{key, row, 0}` and of ten more).
 */
export function isAlignedOfSizes(type: Type): boolean {
  if (type.kind !== "record" || !movesAsBytes(type) || hasPadding(type)) return false;
  const sizes = piecesOf(type)?.map((piece) => Math.max(4, sizeOf(piece.type) ?? 0)) ?? [];
  return new Set(sizes).size > 1;
}

interface PartOfValue {
  readonly piece: Piece;
  readonly value: Expression;
}

/** A record value cut into scalars, for memory that `into` leads to or for a variable (null); null where it cannot be. */
function partsOfValue(
  stored: Expression,
  type: Type,
  into: Variable | null,
  context: Context,
): readonly PartOfValue[] | null {
  if (stored.kind === "aggregate") {
    const pieces = fillsPadding(stored) ? copyPiecesOf(type) : piecesOf(type);
    return pieces?.map((piece) => ({ piece, value: partOfAggregate(stored, piece) })) ?? null;
  }
  if (stored.kind !== "load" || stored.place.kind !== "variable") return null;
  const { variable, offsetBytes } = stored.place;
  const from = context.paddingFrom.get(variable.id);
  const isPadded =
    context.copied.has(variable.id) || (from !== undefined && (from === null || from !== into));
  const pieces = isPadded ? copyPiecesOf(type) : piecesOf(type);
  return (
    pieces?.map((piece) => ({
      piece,
      value: readOf(variable, offsetBytes + piece.offsetBytes, piece.type),
    })) ?? null
  );
}

/** Whether the padding has a value as well: parts of its own name it (lower/variables/image.ts). */
function fillsPadding({ type, parts }: Aggregate): boolean {
  const [first] = paddingOf(type);
  return first !== undefined && parts.some(({ offsetBytes }) => offsetBytes === first.offsetBytes);
}

/** Notes that the variable takes the padding of the value with it, if that has any. */
function notePadding({ variable }: VariablePlace, stored: Expression, { paddingFrom }: Context): void {
  const from =
    stored.kind === "aggregate" ? (fillsPadding(stored) ? null : undefined) : originOf(stored, paddingFrom);
  if (from === undefined) return;
  const before = paddingFrom.get(variable.id);
  paddingFrom.set(variable.id, before === undefined || before === from ? from : null);
}

/** What the padding of a variable's value was loaded from; undefined where it has no value. */
function originOf(value: Expression, paddingFrom: Context["paddingFrom"]): Variable | null | undefined {
  return value.kind === "load" && value.place.kind === "variable"
    ? paddingFrom.get(value.place.variable.id)
    : undefined;
}

function partOfAggregate(aggregate: Aggregate, piece: Piece): Expression {
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
    isRecord && place.variable.storage === "automatic"
      ? partsOfValue(stored, place.type, null, context)
      : null;
  if (parts) {
    notePadding(place, stored, context);
    if (
      stored.kind === "load" &&
      stored.place.kind === "variable" &&
      mayHoldCopy(stored.place.variable, context)
    )
      context.copies.add(place.variable.id);
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
