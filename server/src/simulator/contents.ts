// First contents of memory that the host would have filled: small numbers, the same for the same seed, that every type holds
// exactly.
import type { FloatType, ScalarType, Type } from "../ir/type.ts";
import { sizeOf } from "../ir/type.ts";
import { writeScalar } from "../semantics/bytes.ts";
import type { FillPage } from "./memory.ts";
import { scalarTypeOf, sizeOfScalar } from "./value.ts";

export interface RandomValues {
  /** Integers are below it: they may be indices. A power of two, by default 128. */
  readonly integerLimit?: number;
  /**
   * `small` (by default): few bits, so that sums are exact in any order. `full`: as many as the type holds, so that the order shows. `near-one`: that
   * too, from 1 to 3, where numbers become indices.
   */
  readonly floats?: RandomFloats;
}

export type RandomFloats = "small" | "full" | "near-one";

/** Fills memory with elements of `type`, chosen by the seed and the element's place alone. */
export function randomContents(seed: number, type: Type, values: RandomValues = {}): FillPage {
  const elementBytes = sizeOf(type) ?? 1;
  const leaves = elementBytes === 0 ? [] : leavesOf(type, 0);
  const [first] = leaves;
  if (leaves.length === 1 && first?.type.kind === "float" && first.type.format === "single")
    return singleFloats(seed, values);
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
    const value = randomScalar(bits, leafType, values);
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

/** What most memory holds, and a check fills much of it. Begins and ends at whole elements, as pages do. */
function singleFloats(seed: number, { floats = "small" }: RandomValues): FillPage {
  const floatOf = (bits: number) => floatFor(bits, "single", floats);
  return (bytes, start) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at + 4 <= bytes.length; at += 4)
      view.setFloat32(at, floatOf(hash(seed, start + at)), true);
  };
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

/** A number of 32 random bits, that `type` holds exactly. */
export function randomScalar(bits: number, type: ScalarType, values: RandomValues = {}): number {
  switch (type.kind) {
    case "boolean":
      return bits & 1;
    case "integer":
      return bits & ((values.integerLimit ?? defaultIntegerLimit) - 1);
    case "float":
      return floatFor(bits, type.format, values.floats ?? "small");
  }
}

function floatFor(bits: number, format: FloatType["format"], floats: RandomFloats): number {
  switch (floats) {
    case "small":
      return smallFloat(bits);
    case "full":
      return fullFloat(bits, format);
    case "near-one":
      // From -8 to 8, what `full` gives has its bits spread evenly.
      return 2 + (format === "bfloat16" ? smallFloat(bits) : fullFloat(bits, format)) / 8;
  }
}

/** Eight bits: a bfloat16 holds no more. Between -8 and 8. */
function smallFloat(bits: number): number {
  return ((bits & 255) - 128) / 16;
}

function fullFloat(bits: number, format: FloatType["format"]): number {
  switch (format) {
    case "bfloat16":
      return smallFloat(bits);
    case "half":
      return ((bits & 0x7ff) - 0x400) / 2 ** 7;
    case "single":
      return ((bits & 0xff_ffff) - 0x80_0000) / 2 ** 20;
    case "double":
      return (bits * 2 ** 20 + (hash(bits, 1) & 0xf_ffff)) / 2 ** 48 - 8;
  }
}

/** A well-mixed 32-bit number of two (the finaliser of MurmurHash3). */
export function hash(seed: number, place: number): number {
  let mixed = Math.imul(seed ^ Math.imul(place | 0, 0x9e3779b1), 0x85ebca6b) ^ Math.floor(place / 2 ** 32);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
