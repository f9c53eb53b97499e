// Scalars as bytes in memory, little-endian, as the GPU and x86-64 lay them out.
import type { IntegerType, ScalarType } from "../ir/type.ts";
import { canonical } from "./arithmetic.ts";
import { bfloat16OfBits, bitsOfBfloat16, bitsOfHalf, halfOfBits } from "./rounding.ts";
import type { Scalar } from "./scalar.ts";

/** The value of `type` whose bytes start at `offset`. */
export function readScalar(view: DataView, offset: number, type: ScalarType): Scalar {
  switch (type.kind) {
    case "boolean":
      return view.getUint8(offset) === 0 ? 0 : 1;
    case "float":
      return readFloat(view, offset, type.format);
    case "integer":
      switch (type.bits) {
        case 8:
          return type.signed ? view.getInt8(offset) : view.getUint8(offset);
        case 16:
          return type.signed ? view.getInt16(offset, true) : view.getUint16(offset, true);
        case 32:
          return type.signed ? view.getInt32(offset, true) : view.getUint32(offset, true);
        case 64:
          return readInteger64(view, offset, type);
      }
  }
}

/** Writes a value that is canonical in `type`. */
export function writeScalar(view: DataView, offset: number, type: ScalarType, value: Scalar): void {
  switch (type.kind) {
    case "boolean":
      view.setUint8(offset, Number(value));
      return;
    case "float":
      writeFloat(view, offset, type.format, Number(value));
      return;
    case "integer":
      switch (type.bits) {
        case 8:
          view.setUint8(offset, Number(value));
          return;
        case 16:
          view.setUint16(offset, Number(value), true);
          return;
        case 32:
          view.setUint32(offset, Number(value), true);
          return;
        case 64:
          writeInteger64(view, offset, value);
          return;
      }
  }
}

const scratch = new DataView(new ArrayBuffer(8));

/** The value whose bits in type `to` are those of `value` in type `from`; both have one size. */
export function reinterpret(value: Scalar, from: ScalarType, to: ScalarType): Scalar {
  writeScalar(scratch, 0, from, value);
  return readScalar(scratch, 0, to);
}

function readFloat(
  view: DataView,
  offset: number,
  format: "half" | "bfloat16" | "single" | "double",
): number {
  switch (format) {
    case "half":
      return halfOfBits(view.getUint16(offset, true));
    case "bfloat16":
      return bfloat16OfBits(view.getUint16(offset, true));
    case "single":
      return view.getFloat32(offset, true);
    case "double":
      return view.getFloat64(offset, true);
  }
}

/** ECMAScript leaves open which bits a NaN is written with: an engine may write others from run to run. */
const singleNan = 0x7fc0_0000;
const doubleNan = 0x7ff8_0000_0000_0000n;

function writeFloat(
  view: DataView,
  offset: number,
  format: "half" | "bfloat16" | "single" | "double",
  value: number,
): void {
  switch (format) {
    case "half":
      view.setUint16(offset, bitsOfHalf(value), true);
      return;
    case "bfloat16":
      view.setUint16(offset, bitsOfBfloat16(value), true);
      return;
    case "single":
      if (Number.isNaN(value)) view.setUint32(offset, singleNan, true);
      else view.setFloat32(offset, value, true);
      return;
    case "double":
      if (Number.isNaN(value)) view.setBigUint64(offset, doubleNan, true);
      else view.setFloat64(offset, value, true);
      return;
  }
}

function readInteger64(view: DataView, offset: number, { signed }: IntegerType): Scalar {
  const high = signed ? view.getInt32(offset + 4, true) : view.getUint32(offset + 4, true);
  const value = high * 2 ** 32 + view.getUint32(offset, true);
  if (Number.isSafeInteger(value)) return value;
  return canonical(signed ? view.getBigInt64(offset, true) : view.getBigUint64(offset, true));
}

function writeInteger64(view: DataView, offset: number, value: Scalar): void {
  if (typeof value === "bigint") {
    view.setBigUint64(offset, BigInt.asUintN(64, value), true);
    return;
  }
  view.setUint32(offset, value >>> 0, true);
  view.setInt32(offset + 4, Math.floor(value / 2 ** 32) | 0, true);
}
