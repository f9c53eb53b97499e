// First contents of memory that the host would have filled: small numbers, the same for the same seed, that every type holds
// exactly.
import type { ScalarType, Type } from "../ir/type.ts";
import { sizeOf } from "../ir/type.ts";
import { writeScalar } from "../semantics/bytes.ts";
import type { FillPage } from "./memory.ts";
import { scalarTypeOf, sizeOfScalar } from "./value.ts";

/**
 * Fills memory with elements of `type`, chosen by the seed and the element's place alone. Integers are below `integerLimit` (a power of
 * two, by default 128): they may be indices.
 */
export function randomContents(seed: number, type: Type, integerLimit = defaultIntegerLimit): FillPage {
  const elementBytes = sizeOf(type) ?? 1;
  const leaves = elementBytes === 0 ? [] : leavesOf(type, 0);
  return (bytes, start) => {
    if (leaves.length === 0) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const firstElement = Math.floor(start / elementBytes);
    for (let element = firstElement; element * elementBytes < start + bytes.length; element++) {
      for (const leaf of leaves) {
        const place = element * elementBytes + leaf.offsetBytes;
        writeLeaf(view, place - start, leaf.type, hash(seed, place));
      }
    }
  };

  function writeLeaf(view: DataView, at: number, leafType: ScalarType, bits: number): void {
    const size = sizeOfScalar(leafType);
    // Elements across a page's edge are written from both sides, each its bytes.
    if (at + size <= 0 || at >= view.byteLength) return;
    const value = randomScalar(bits, leafType, integerLimit);
    if (at >= 0 && at + size <= view.byteLength) {
      writeScalar(view, at, leafType, value);
      return;
    }
    const whole = new DataView(new ArrayBuffer(8));
    writeScalar(whole, 0, leafType, value);
    for (let byte = 0; byte < size; byte++) {
      const to = at + byte;
      if (to >= 0 && to < view.byteLength) view.setUint8(to, whole.getUint8(byte));
    }
  }
}

export interface Leaf {
  readonly type: ScalarType;
  readonly offsetBytes: number;
}

/** More leaves than this are not worth telling apart: the rest of such an element stays zero. */
const mostLeaves = 4096;

/** The scalars that a value of `type` is made of; pointers are left out. */
export function leavesOf(type: Type, offsetBytes: number): readonly Leaf[] {
  const scalar = type.kind === "pointer" || type.kind === "function" ? null : scalarTypeOf(type);
  if (scalar !== null) return [{ type: scalar, offsetBytes }];
  if (type.kind === "record") {
    return type.fields.flatMap((field) => leavesOf(field.type, offsetBytes + field.offsetBytes));
  }
  if (type.kind !== "array") return [];
  const elementBytes = sizeOf(type.element) ?? 0;
  const leaves: Leaf[] = [];
  for (let at = 0; at < type.count && leaves.length < mostLeaves; at++) {
    leaves.push(...leavesOf(type.element, offsetBytes + at * elementBytes));
  }
  return leaves;
}

const defaultIntegerLimit = 128;

/** A small number of 32 random bits, that `type` holds exactly. */
export function randomScalar(bits: number, type: ScalarType, integerLimit = defaultIntegerLimit): number {
  switch (type.kind) {
    case "boolean":
      return bits & 1;
    case "integer":
      return bits & (integerLimit - 1);
    case "float":
      // Eight bits: a bfloat16 holds no more.
      return ((bits & 255) - 128) / 16;
  }
}

/** A well-mixed 32-bit number of two (the finaliser of MurmurHash3). */
export function hash(seed: number, place: number): number {
  let mixed = Math.imul(seed ^ Math.imul(place | 0, 0x9e3779b1), 0x85ebca6b) ^ Math.floor(place / 2 ** 32);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
