// Functions of halves, bfloat16 and pairs against what the GPU computed, bit for bit.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type HalfFunction, halfFunctions } from "../../server/src/ir/half-function.ts";
import { halfFunction } from "../../server/src/semantics/half-function.ts";
import {
  bfloat16OfBits,
  bitsOfBfloat16,
  bitsOfHalf,
  halfOfBits,
  roundTo,
} from "../../server/src/semantics/rounding.ts";

type Format = "half" | "bfloat16";

interface Row {
  readonly function: string;
  readonly format: Format;
  readonly results: string;
}

// Recorded on an H200 by half.cu, whose operands these are.
const rows = readFileSync(new URL("half.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

const special: Readonly<Record<Format, readonly number[]>> = {
  half: [
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3bff, 0x3c00, 0xbc00, 0x7bff, 0x7c00, 0x7e00, 0x8400,
    0x3c01, 0xfbff, 0xfc00, 0x3555, 0x4248, 0xc500, 0x5640, 0x2e66, 0x1400, 0x6800, 0x3800,
  ],
  bfloat16: [
    0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x3f7f, 0x3f80, 0xbf80, 0x7f7f, 0x7f80, 0x7fc0, 0x8080,
    0x3f81, 0xff7f, 0xff80, 0x3eab, 0x4049, 0xc0a0, 0x42c8, 0x3dcd, 0x3400, 0x7000, 0x3f00,
  ],
};

function operandBits(format: Format, arity: number): number[] {
  const values = special[format].slice(0, arity === 3 ? 12 : 24);
  const list: number[] = [];
  for (let tuple = 0; tuple < values.length ** arity; tuple++)
    for (let at = 0, rest = tuple; at < arity; at++, rest = Math.floor(rest / values.length))
      list.push(values[rest % values.length] ?? 0);
  let state = 1;
  for (let count = 0; count < 256 * arity; count++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    list.push(state >>> 16);
  }
  return list;
}

const numberOf = { half: halfOfBits, bfloat16: bfloat16OfBits };
const bitsOf = { half: bitsOfHalf, bfloat16: bitsOfBfloat16 };

function arityOf(name: string, made: HalfFunction): number {
  if (made.kind === "compare") return 2;
  if (made.kind === "pick") return Math.max(...made.picks.map(({ operand }) => operand)) + 1;
  if (made.operation === "fma") return 3;
  return /^__h(add|sub|mul|max|min)|div$/.test(name) ? 2 : 1;
}

/** Those that take, or give, pairs. */
function componentsOf(name: string): 1 | 2 {
  return /^h2|^__.*2(_|$|div)|^__(low|high|hb)|22float2/.test(name) ? 2 : 1;
}

/** Hexadecimal digits of a component of the result: those of a half, a float or a truth. */
function digitsOf(name: string, made: HalfFunction): 2 | 4 | 8 {
  if (/float2?$/.test(name)) return 8;
  if (/^__his(nan|inf)$/.test(name)) return name === "__hisinf" ? 8 : 2;
  return made.kind === "compare" && made.gives === "all" ? 2 : 4;
}

const scratch = new DataView(new ArrayBuffer(4));

function bitsOfResult(name: string, value: number, digits: number, format: Format): number {
  if (digits === 4) return bitsOf[format](value);
  if (digits === 2) return value;
  if (name === "__hisinf") return value >>> 0;
  scratch.setFloat32(0, value);
  return scratch.getUint32(0);
}

interface Difference {
  readonly operands: readonly number[];
  readonly device: number;
  readonly ours: number;
}

function differencesOf({ function: name, format, results }: Row): Difference[] {
  const made = halfFunctions.get(name);
  if (made === undefined) throw new Error(`${name} is not known`);
  const arity = arityOf(name, made);
  const components = componentsOf(name);
  const digits = digitsOf(name, made);
  const bits = operandBits(format, components === 2 ? (arity === 3 ? 3 : 2) : arity);
  const numbers = bits.map((each) => numberOf[format](each));
  const differences: Difference[] = [];
  let at = 0;
  for (let first = 0; first + arity * components <= numbers.length; first += arity * components) {
    const operands = Array.from({ length: arity }, (_, operand) =>
      numbers.slice(first + operand * components, first + (operand + 1) * components),
    );
    const ours = halfFunction(made, format, operands);
    const result = results.slice(at, at + ours.length * digits);
    at += ours.length * digits;
    // Of a pair the higher half comes first in its bits.
    const device = ours
      .map((_, place) => Number.parseInt(result.slice(place * digits, (place + 1) * digits), 16))
      .reverse();
    ours.forEach((value, component) => {
      const theirs = device[component] ?? 0;
      const mine = bitsOfResult(name, roundTo(digits === 4 ? format : "single", value), digits, format);
      if (mine !== theirs && !(Number.isNaN(value) && isNaN16(theirs, format, digits)))
        differences.push({ operands: operands.flat(), device: theirs, ours: mine });
    });
  }
  expect(at, `${name}: as many results as operands`).toBe(results.length);
  return differences;
}

function isNaN16(bits: number, format: Format, digits: number): boolean {
  if (digits === 8) return (bits & 0x7fffffff) > 0x7f800000;
  return digits === 4 && Number.isNaN(numberOf[format](bits));
}

describe("functions of halves give what the GPU gives", () => {
  it.each(rows.map((row) => [row.function, row.format, row] as const))("%s of %s", (_name, _format, row) => {
    expect(differencesOf(row)).toEqual([]);
  });
});
