// C's operators and conversions against what the GPU computed.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { BinaryOperator } from "../../server/src/ir/expression.ts";
import type { ScalarType } from "../../server/src/ir/type.ts";
import * as types from "../../server/src/ir/type.ts";
import { binary, convert } from "../../server/src/semantics/arithmetic.ts";
import { readScalar, writeScalar } from "../../server/src/semantics/bytes.ts";
import { pureIntrinsic } from "../../server/src/semantics/intrinsic.ts";
import type { Scalar } from "../../server/src/semantics/scalar.ts";

// Recorded on an H200 by device.cu.
const rows = readFileSync(new URL("device.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as string[]);

const typeNamed: Record<string, ScalarType> = {
  int8: types.int8,
  uint8: types.uint8,
  int16: types.int16,
  uint16: types.uint16,
  int32: types.int32,
  uint32: types.uint32,
  int64: types.int64,
  uint64: types.uint64,
  half: types.half,
  bfloat16: types.bfloat16,
  single: types.float32,
  double: types.float64,
};

function typeOf(name: string): ScalarType {
  const type = typeNamed[name];
  if (type === undefined) throw new Error(name);
  return type;
}

const view = new DataView(new ArrayBuffer(8));

function fromBits(bits: string, type: ScalarType): Scalar {
  view.setBigUint64(0, BigInt(`0x${bits}`), true);
  return readScalar(view, 0, type);
}

function toBits(value: Scalar | null, type: ScalarType): string {
  if (value === null) return "null";
  if (Number.isNaN(value)) return "NaN";
  view.setBigUint64(0, 0n, true);
  writeScalar(view, 0, type, value);
  return view.getBigUint64(0, true).toString(16);
}

const narrowResult: Record<string, ScalarType> = { __mulhi: types.int32, __mul24: types.int32 };

/** The arguments of an intrinsic as device.cu takes them from its two words. */
function intrinsicArguments(name: string, x: bigint, y: bigint): { type: ScalarType; values: Scalar[] } {
  const isWide = /ll$|64/.test(name);
  const isSigned = /^__(mul|sad)/.test(name);
  const type = isWide ? (isSigned ? types.int64 : types.uint64) : isSigned ? types.int32 : types.uint32;
  const take = (value: bigint, of: ScalarType) =>
    fromBits(BigInt.asUintN(sizeBits(of), value).toString(16), of);
  return { type, values: [take(x, type), take(y, type), take(x >> 32n, types.uint32)] };
}

function sizeBits(type: ScalarType): number {
  return type.kind === "integer" ? type.bits : 64;
}

function evaluate(row: readonly string[]): { found: string; measured: string } {
  const [operation = "", from = "", to = "", ...words] = row;
  const result = words.at(-1) ?? "";
  if (operation.startsWith("__")) {
    const [x = "0", y = "0"] = words;
    const { type, values } = intrinsicArguments(operation, BigInt(`0x${x}`), BigInt(`0x${y}`));
    const resultType = narrowResult[operation] ?? type;
    return {
      found: toBits(pureIntrinsic(operation, resultType, [type, type, types.uint32], values), resultType),
      measured: result,
    };
  }
  const [a, b] = [typeOf(from), typeOf(to)];
  const left = fromBits(words[0] ?? "", a);
  const measured = toBits(fromBits(result, b), b);
  if (operation === "convert") return { found: toBits(convert(left, a, b), b), measured };
  const right = fromBits(words[1] ?? "", a);
  return { found: toBits(binary(operation as BinaryOperator, a, left, right), b), measured };
}

describe("semantics equals the GPU", () => {
  const kinds = [...new Set(rows.map((row) => `${row[0]} ${row[1]} ${row[2]}`))];
  it.each(kinds)("%s", (kind) => {
    const differing = rows
      .filter((row) => `${row[0]} ${row[1]} ${row[2]}` === kind)
      .map((row) => ({ row: row.join(" "), ...evaluate(row) }))
      .filter(({ found, measured }) => found !== measured);
    expect(differing).toEqual([]);
  });
});
