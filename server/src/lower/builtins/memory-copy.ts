// memcpy and memset of a constant size in device code: small, or of registers. nvcc trusts no alignment but what it proves: global memory is copied byte by byte,
// whatever the type of the pointer; shared arrays by words of their elements, which codegen joins where it proves more; registers cost nothing.
// Measured on an H200: fixtures/tensor/memcpy.cu, fixtures/codegen/memset_device.cu.
import { type AccessSite, bytesCopied, type Expression, type Place } from "../../ir/expression.ts";
import { alignmentOf, pointerTo, sizeOf, type Type, uint8 } from "../../ir/type.ts";
import { type Context, temporary } from "../context.ts";
import {
  assignOf,
  constantOf,
  convertOf,
  loadOf,
  offsetOf,
  placeAt,
  sequenceOf,
  unknownValue,
} from "../expressions/build.ts";

const mostBytes = 16;
/** From 128 bytes on, LLVM makes a loop of what copies global memory. */
const mostBytesOfGlobal = 127;
/** Up to which LLVM's loop over the bytes that are set is unrolled for sure. */
const mostBytesSet = { register: 4096, shared: 256, other: 32 } as const;
const mostPieces = 64;
/** Between registers a copy is no access, however long. */
const mostBytesOfRegisters = 4096;

/** The copy of `bytes` bytes; null where the size or the copy is not one that was measured. */
export function smallCopy(
  context: Context,
  destination: Expression,
  source: Expression,
  bytes: Expression,
  site: AccessSite,
): Expression | null {
  if (bytes.kind !== "constant") return null;
  const count = Number(bytes.value);
  if (destination.type.kind !== "pointer" || source.type.kind !== "pointer") return null;
  const [to, from] = [sideOf(destination), sideOf(source)];
  if (!(count > 0 && count <= mostBytesCopied(to, from))) return null;
  const loads = piecesOf(source, from, count, site).map(({ place, site: at }) => loadOf(place, at));
  const nothing = constantOf({ kind: "void" }, 0);
  if (to === "register") {
    const own = destination.type.target;
    const type: Type = sizeOf(own) === count ? own : bytesOf(count);
    const value = unknownValue(type, bytesCopied, loads);
    return sequenceOf(
      [assignOf(placeAt(convertOf(destination, pointerTo(type)), type), value, null)],
      nothing,
    );
  }
  // All is read before anything is written.
  const held = temporary(context, bytesOf(1));
  const place: Place = { kind: "variable", variable: held, offsetBytes: 0, type: held.type };
  const read = assignOf(place, unknownValue(held.type, bytesCopied, loads), null);
  const stores = piecesOf(destination, to, count, site).map(({ place: piece, site: at }) =>
    assignOf(piece, unknownValue(piece.type, bytesCopied, [loadOf(place, null)]), at),
  );
  return sequenceOf([read, ...stores], nothing);
}

function mostBytesCopied(to: Side, from: Side): number {
  if (to === "register" && from === "register") return mostBytesOfRegisters;
  return to === "shared" || from === "shared" ? mostBytes : mostBytesOfGlobal;
}

/** The setting of `bytes` bytes to `value`; null where the size or what is set is not one that was measured. */
export function smallFill(
  destination: Expression,
  value: Expression,
  bytes: Expression,
  site: AccessSite,
): Expression | null {
  if (bytes.kind !== "constant" || destination.type.kind !== "pointer") return null;
  const count = Number(bytes.value);
  const side = sideOf(destination);
  if (!(count > 0 && count <= mostBytesSet[side])) return null;
  const isZero = value.kind === "constant" && value.value === 0;
  const pieces =
    side === "register" ? elementsOf(destination, count) : piecesOf(destination, side, count, site);
  const isOfWholeWords = side !== "shared" || pieces.every(({ place }) => sizeOf(place.type) === mostBytes);
  if (!isOfWholeWords || pieces.length > mostPieces) return null;
  const stores = pieces.map(({ place, site: at }) => {
    const { type } = place;
    const isNumber = type.kind === "integer" || type.kind === "float";
    return assignOf(
      place,
      isZero && isNumber ? constantOf(type, 0) : unknownValue(type, "bytes that memset set"),
      at,
    );
  });
  return sequenceOf(stores, constantOf({ kind: "void" }, 0));
}

/** What registers hold behind a pointer, as the elements that it points to where they fill it. */
function elementsOf(pointer: Expression, count: number): { readonly place: Place; readonly site: null }[] {
  const typed = withoutConversions(pointer);
  const own = typed.type.kind === "pointer" ? typed.type.target : null;
  const size = own && sizeOf(own);
  const type = own && size && count % size === 0 ? own : bytesOf(count);
  const elements = count / (sizeOf(type) ?? count);
  const start = convertOf(typed, pointerTo(type));
  return Array.from({ length: elements }, (_, index) => ({
    place: placeAt(index === 0 ? start : offsetOf(start, indexOf(index), sizeOf(type) ?? count, type), type),
    site: null,
  }));
}

function withoutConversions(pointer: Expression): Expression {
  return pointer.kind === "convert" && pointer.operand.type.kind === "pointer"
    ? withoutConversions(pointer.operand)
    : pointer;
}

function indexOf(index: number): Expression {
  return constantOf({ kind: "integer", bits: 64, signed: true }, index);
}

type Side = "register" | "shared" | "other";

function sideOf(pointer: Expression): Side {
  let current = pointer;
  for (let depth = 0; depth < 16; depth++) {
    if (current.kind === "offset") current = current.pointer;
    else if (current.kind === "convert") current = current.operand;
    else if (current.kind !== "address") return "other";
    else if (current.place.kind === "memory") current = current.place.pointer;
    else {
      const { storage } = current.place.variable;
      return storage === "automatic" ? "register" : /shared/.test(storage) ? "shared" : "other";
    }
  }
  return "other";
}

function piecesOf(pointer: Expression, side: Side, count: number, site: AccessSite) {
  const own = pointer.type.kind === "pointer" ? (alignmentOf(pointer.type.target) ?? 1) : 1;
  const words = {
    register: Math.min(own, 8),
    shared: Math.min(Math.max(own, provenAlignment(pointer)), mostBytes),
    other: 1,
  };
  let bytes = words[side];
  while (count % bytes !== 0) bytes /= 2;
  const type: Type = bytesOf(bytes);
  // Bytes of global memory are never joined: that the pointer's type promises more is not believed here.
  const at = side !== "other" ? site : { ...site, isVolatile: true };
  return Array.from({ length: count / bytes }, (_, index) => ({
    place: placeAt(offsetOf(convertOf(pointer, pointerTo(uint8)), indexOf(index * bytes), 1, type), type),
    site: at,
  }));
}

/** The alignment of a pointer into a shared array, up to 16, as its constant factors prove it. */
function provenAlignment(pointer: Expression): number {
  let alignment = mostBytes;
  let current = pointer;
  for (let depth = 0; depth < 16; depth++) {
    if (current.kind === "offset") {
      alignment = lowBit(alignment, current.strideBytes * factorOf(current.index));
      current = current.pointer;
    } else if (current.kind === "convert") current = current.operand;
    else if (current.kind !== "address") return 1;
    else {
      alignment = lowBit(alignment, current.place.offsetBytes);
      if (current.place.kind === "variable") return alignment;
      current = current.place.pointer;
    }
  }
  return 1;
}

function lowBit(alignment: number, bytes: number): number {
  return bytes === 0 ? alignment : Math.min(alignment, bytes & -bytes);
}

/** A power of two that divides an index for certain. */
function factorOf(index: Expression): number {
  if (index.kind === "constant") return Number(index.value) & 0xff;
  if (index.kind === "convert") return factorOf(index.operand);
  if (index.kind !== "binary") return 1;
  const [left, right] = [factorOf(index.left), factorOf(index.right)];
  if (index.operator === "*") return lowBit(256, left) * lowBit(256, right);
  if (index.operator === "+") return Math.min(lowBit(256, left), lowBit(256, right));
  return 1;
}

function bytesOf(count: number): Type {
  if (count === 1 || count === 2 || count === 4 || count === 8)
    return { kind: "integer", bits: (count * 8) as 8 | 16 | 32 | 64, signed: false };
  const half: Type = { kind: "float", format: "double" };
  const fields = [0, 8].map((offsetBytes, index) => ({ name: "xy"[index] ?? "", type: half, offsetBytes }));
  return count === 16
    ? { kind: "record", name: "16 bytes", sizeBytes: 16, alignmentBytes: 16, fields }
    : { kind: "record", name: `${count} bytes`, sizeBytes: count, alignmentBytes: 1, fields: [] };
}
