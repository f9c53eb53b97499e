// Integers against a model of BigInts, and lanes against the same operation on each scalar.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BinaryOperator } from "../../server/src/ir/expression.ts";
import type { IntegerType, ScalarType } from "../../server/src/ir/type.ts";
import * as types from "../../server/src/ir/type.ts";
import { binary, convert, normalize, unary } from "../../server/src/semantics/arithmetic.ts";
import { readScalar, writeScalar } from "../../server/src/semantics/bytes.ts";
import { fusedMultiplyAdd } from "../../server/src/semantics/fused.ts";
import { pureIntrinsic } from "../../server/src/semantics/intrinsic.ts";
import {
  binaryLanes,
  convertLanes,
  intrinsicLanes,
  maskOf,
  unaryLanes,
} from "../../server/src/semantics/lanes.ts";
import type { Scalar } from "../../server/src/semantics/scalar.ts";

const integers = [
  types.int8,
  types.uint8,
  types.int16,
  types.uint16,
  types.int32,
  types.uint32,
  types.int64,
  types.uint64,
] as const;
const allTypes: readonly ScalarType[] = [
  ...integers,
  types.booleanType,
  types.half,
  types.bfloat16,
  types.float32,
  types.float64,
];
const operators: readonly BinaryOperator[] = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "&",
  "|",
  "^",
  "<<",
  ">>",
  "<",
  "<=",
  ">",
  ">=",
  "==",
  "!=",
];

function operatorsOf(type: ScalarType): readonly BinaryOperator[] {
  return type.kind === "float"
    ? operators.filter((operator) => !["%", "&", "|", "^", "<<", ">>"].includes(operator))
    : operators;
}

const wide = fc.oneof(
  fc.bigInt({ min: -(1n << 63n), max: (1n << 64n) - 1n }),
  fc.integer({ min: -70, max: 70 }).map(BigInt),
  fc
    .tuple(fc.integer({ min: 0, max: 63 }), fc.integer({ min: -1, max: 1 }))
    .map(([bits, by]) => (1n << BigInt(bits)) + BigInt(by)),
);

function lanesOf(type: ScalarType): fc.Arbitrary<Scalar[]> {
  const one: fc.Arbitrary<Scalar> = type.kind === "float" ? fc.oneof(fc.double(), fc.integer()) : wide;
  return fc
    .array(one, { minLength: 32, maxLength: 32 })
    .map((values) => values.map((value) => normalize(type, value)));
}

const anyMask = fc.oneof(fc.constant(0xffffffff), fc.integer({ min: 0, max: 0xffffffff }));

/** The operators by BigInt alone, as C++ and PTX define them. */
function model(operator: BinaryOperator, type: IntegerType, left: bigint, right: bigint): bigint | null {
  const wrap = (value: bigint) =>
    type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value);
  const count = right >= 0n && right < BigInt(type.bits) ? right : BigInt(type.bits);
  const from = (value: boolean) => (value ? 1n : 0n);
  switch (operator) {
    case "+":
      return wrap(left + right);
    case "-":
      return wrap(left - right);
    case "*":
      return wrap(left * right);
    case "/":
      return right === 0n ? null : wrap(left / right);
    case "%":
      return right === 0n ? null : wrap(left % right);
    case "&":
      return wrap(left & right);
    case "|":
      return wrap(left | right);
    case "^":
      return wrap(left ^ right);
    case "<<":
      return wrap(left << count);
    case ">>":
      return wrap(left >> count);
    case "<":
      return from(left < right);
    case "<=":
      return from(left <= right);
    case ">":
      return from(left > right);
    case ">=":
      return from(left >= right);
    case "==":
      return from(left === right);
    case "!=":
      return from(left !== right);
  }
}

function isCanonical(value: Scalar): boolean {
  if (typeof value === "bigint")
    return !Number.isSafeInteger(Number(value)) || BigInt(Number(value)) !== value;
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

describe("integers", () => {
  it("equal a model of BigInts, and are canonical", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...integers),
        fc.constantFrom(...operators),
        wide,
        wide,
        (type, operator, a, b) => {
          const [left, right] = [normalize(type, a), normalize(type, b)];
          const found = binary(operator, type, left, right);
          const expected = model(operator, type, BigInt(left), BigInt(right));
          expect(found === null ? null : BigInt(found)).toBe(expected);
          if (found !== null) expect(isCanonical(found)).toBe(true);
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it("convert as BigInts do, and come back from memory", () => {
    fc.assert(
      fc.property(fc.constantFrom(...integers), fc.constantFrom(...integers), wide, (from, to, value) => {
        const start = normalize(from, value);
        const found = convert(start, from, to);
        const wrapped = to.signed
          ? BigInt.asIntN(to.bits, BigInt(start))
          : BigInt.asUintN(to.bits, BigInt(start));
        expect(BigInt(found)).toBe(wrapped);
        expect(isCanonical(found)).toBe(true);
        const view = new DataView(new ArrayBuffer(8));
        writeScalar(view, 0, to, found);
        expect(readScalar(view, 0, to)).toBe(found);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe("lanes equal scalars", () => {
  it("for operators", () => {
    const operands = fc
      .constantFrom(...allTypes)
      .chain((type) =>
        fc.tuple(
          fc.constant(type),
          fc.constantFrom(...operatorsOf(type)),
          lanesOf(type),
          lanesOf(type),
          anyMask,
        ),
      );
    fc.assert(
      fc.property(operands, ([type, operator, left, right, mask]) => {
        const expected = left.map((one, lane) => binary(operator, type, one, right[lane] ?? 0));
        const found = binaryLanes(operator, type, left, right, mask);
        const isUndefined = expected.some((one, lane) => one === null && (mask >>> lane) & 1);
        expect(found === null).toBe(isUndefined);
        if (found === null) return;
        for (let lane = 0; lane < 32; lane++) {
          if ((mask >>> lane) & 1 && expected[lane] !== null) expect(found[lane]).toBe(expected[lane]);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it("for shift counts of another type", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...integers),
        fc.constantFrom("<<" as const, ">>" as const),
        lanesOf(types.uint64),
        lanesOf(types.uint64),
        (type, operator, a, b) => {
          const left = a.map((one) => normalize(type, one));
          const expected = left.map((one, lane) => binary(operator, type, one, b[lane] ?? 0));
          expect(binaryLanes(operator, type, left, b, 0xffffffff)).toEqual(expected);
        },
      ),
    );
  });

  it("for unary operators and conversions", () => {
    const operands = fc
      .tuple(fc.constantFrom(...allTypes), fc.constantFrom(...allTypes))
      .chain(([from, to]) => fc.tuple(fc.constant(from), fc.constant(to), lanesOf(from)));
    fc.assert(
      fc.property(operands, ([from, to, values]) => {
        expect(convertLanes(values, from, to)).toEqual(values.map((one) => convert(one, from, to)));
        expect(unaryLanes("not", from, values)).toEqual(values.map((one) => unary("not", from, one)));
        expect(unaryLanes("negate", from, values)).toEqual(values.map((one) => unary("negate", from, one)));
      }),
      { numRuns: 3000 },
    );
  });

  it("for intrinsics and masks", () => {
    fc.assert(
      fc.property(lanesOf(types.int32), lanesOf(types.int32), anyMask, (a, b, mask) => {
        const found = intrinsicLanes("min", types.int32, [types.int32, types.int32], [a, b], mask);
        for (let lane = 0; lane < 32; lane++) {
          if (!((mask >>> lane) & 1)) continue;
          expect(found?.[lane]).toBe(
            pureIntrinsic("min", types.int32, [types.int32, types.int32], [a[lane] ?? 0, b[lane] ?? 0]),
          );
        }
        expect(maskOf(a)).toBe(
          a.reduce<number>((all, one, lane) => (one !== 0 ? (all | (1 << lane)) >>> 0 : all), 0),
        );
      }),
    );
  });
});

describe("floats", () => {
  it("multiply and add with one rounding: single by BigInts", () => {
    // A float is an integer times 2^-149: so is the exact result times 2^-298.
    const exact = toBig;
    const small = fc.float({ noNaN: true, noDefaultInfinity: true, min: -(2 ** 20), max: 2 ** 20 });
    fc.assert(
      fc.property(small, small, small, (a, b, c) => {
        const scaled = exact(a) * exact(b) + (exact(c) << 149n);
        const found = fusedMultiplyAdd("single", a, b, c);
        const error = (value: number) => {
          const difference = (toBig(value) << 149n) - scaled;
          return difference < 0n ? -difference : difference;
        };
        const view = new DataView(new ArrayBuffer(4));
        view.setFloat32(0, found);
        const bits = view.getInt32(0);
        for (const neighbour of [bits - 1, bits + 1]) {
          view.setInt32(0, neighbour);
          const other = view.getFloat32(0);
          if (Number.isFinite(other)) expect(error(found) <= error(other)).toBe(true);
        }
      }),
    );
  });

  it("round halves and bfloat16s to nearest even", () => {
    expect(normalize(types.half, 2049)).toBe(2048);
    expect(normalize(types.half, 2051)).toBe(2052);
    expect(normalize(types.half, 65519)).toBe(65504);
    expect(normalize(types.half, 65520)).toBe(Number.POSITIVE_INFINITY);
    expect(normalize(types.half, 2 ** -25)).toBe(0);
    expect(normalize(types.half, 2 ** -25 * 1.01)).toBe(2 ** -24);
    expect(normalize(types.bfloat16, 257)).toBe(256);
    expect(normalize(types.bfloat16, 259)).toBe(260);
  });
});

/** A float as a multiple of 2^-149. */
function toBig(value: number): bigint {
  let [scaled, bits] = [Math.abs(value), 0];
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    bits++;
  }
  const magnitude = BigInt(scaled) << BigInt(149 - bits);
  return value < 0 ? -magnitude : magnitude;
}
