// The scalars that records and arrays are made of, and the padding between them.
import {
  alignmentOf,
  isScalar,
  type PointerType,
  type ScalarType,
  sizeOf,
  type Type,
  uint8,
  uint16,
  uint32,
} from "./type.ts";

export type PieceType = ScalarType | PointerType;

/** A scalar at a byte offset of a record or array. */
export interface Piece {
  readonly offsetBytes: number;
  readonly type: PieceType;
}

const maximumPieces = 64;

/** A type that one machine register holds. */
export function isPieceType(type: Type): type is PieceType {
  return isScalar(type) || type.kind === "pointer";
}

/**
 * The scalars of a type in the order of their offsets; of a union, those of the members that come first. Null where a part has no
 * known size or there are more than 64 of them.
 */
export function piecesOf(type: Type): readonly Piece[] | null {
  const known = pieceCache.get(type);
  if (known !== undefined) return known;
  const pieces: Piece[] = [];
  const complete = collect(type, 0, pieces);
  const result = complete ? withoutOverlap(pieces) : null;
  pieceCache.set(type, result);
  return result;
}

/** The pieces of a copy of the whole object: its scalars, and its padding in words as large as its alignment allows. */
export function copyPiecesOf(type: Type): readonly Piece[] | null {
  const pieces = piecesOf(type);
  const sizeBytes = sizeOf(type);
  if (pieces === null || sizeBytes === null) return null;
  if (type.kind !== "record") return pieces;
  const known = copyCache.get(type);
  if (known !== undefined) return known;
  const result: Piece[] = [];
  let end = 0;
  for (const piece of pieces) {
    pad(end, piece.offsetBytes, result);
    result.push(piece);
    end = piece.offsetBytes + (sizeOf(piece.type) ?? 0);
  }
  pad(end, sizeBytes, result);
  copyCache.set(type, result);
  return result;
}

/** Whether some bytes of a record belong to no member. */
export function hasPadding(type: Type): boolean {
  return (copyPiecesOf(type)?.length ?? 0) > (piecesOf(type)?.length ?? 0);
}

/**
 * Whether the padding of a record that goes through registers is merged as its members are. Where it is aligned to 16 bytes ptxas takes it with
 * the word in front of it alone (of three floats two stores of 64 bits): that is not followed.
 */
export function movesWithPadding(type: Type): boolean {
  return hasPadding(type) && (alignmentOf(type) ?? 1) <= 8;
}

/** The words between the members of a type, and behind them. */
export function paddingOf(type: Type): readonly Piece[] {
  if (!hasPadding(type)) return [];
  const members = new Set(piecesOf(type)?.map(({ offsetBytes }) => offsetBytes));
  return copyPiecesOf(type)?.filter(({ offsetBytes }) => !members.has(offsetBytes)) ?? [];
}

const copyCache = new WeakMap<Type, readonly Piece[]>();
const pieceCache = new WeakMap<Type, readonly Piece[] | null>();
function collect(type: Type, offsetBytes: number, pieces: Piece[]): boolean {
  if (pieces.length > maximumPieces) return false;
  if (isPieceType(type)) {
    pieces.push({ offsetBytes, type });
    return true;
  }
  if (type.kind === "record")
    return type.fields.every((field) => collect(field.type, offsetBytes + field.offsetBytes, pieces));
  if (type.kind !== "array") return false;
  const elementBytes = sizeOf(type.element);
  if (elementBytes === null || type.count > maximumPieces) return false;
  for (let index = 0; index < type.count; index++)
    if (!collect(type.element, offsetBytes + index * elementBytes, pieces)) return false;
  return true;
}

function withoutOverlap(pieces: Piece[]): readonly Piece[] {
  const sorted = pieces
    .map((piece, order) => ({ piece, order }))
    .sort((a, b) => a.piece.offsetBytes - b.piece.offsetBytes || a.order - b.order);
  const result: Piece[] = [];
  let end = 0;
  for (const { piece } of sorted) {
    if (piece.offsetBytes < end) continue;
    result.push(piece);
    end = piece.offsetBytes + (sizeOf(piece.type) ?? 0);
  }
  return result;
}

function pad(from: number, to: number, pieces: Piece[]): void {
  const words = [uint32, uint16, uint8];
  for (let at = from; at < to; ) {
    const room = to - at;
    const word = words.find((type) => at % (type.bits / 8) === 0 && type.bits / 8 <= room) ?? uint8;
    pieces.push({ offsetBytes: at, type: word });
    at += word.bits / 8;
  }
}
