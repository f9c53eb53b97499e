// Literals: numbers and characters, with the types that C++ gives them.
import { type IntegerType, isScalar } from "../../ir/type.ts";
import { canonical, greatestOf, unary } from "../../semantics/arithmetic.ts";
import {
  type CxxType,
  charType,
  doubleType,
  type FundamentalType,
  floatType,
  intType,
  longLongType,
  longType,
  unsignedLongLongType,
  unsignedLongType,
  unsignedType,
} from "../types/cxx-type.ts";
import { Unsupported } from "../unsupported.ts";
import { integerValue, type RValue } from "./value.ts";

/** A number as written: suffixes, bases, digit separators. */
export function numberLiteral(text: string): RValue {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return integerValue(Number(text), intType);
  const plain = text.replaceAll("'", "");
  // The grammar takes a sign for part of the number where no operand stands before it.
  if (plain.startsWith("+")) return numberLiteral(plain.slice(1).trimStart());
  if (plain.startsWith("-")) return negated(numberLiteral(plain.slice(1).trimStart()), text);
  const isHexadecimal = /^0[xX]/.test(plain);
  if (isHexadecimal ? /[.pP]/.test(plain) : /[.eE]/.test(plain) || /^\d+[fF]$/.test(plain)) {
    return floatLiteral(plain);
  }
  const match = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlLzZ]*)$/.exec(plain);
  if (!match?.[1]) throw new Unsupported(`the number ${text}`);
  const digits = match[1];
  const isOctal = /^0\d/.test(digits);
  const value = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  const isDecimal = !isOctal && /^\d+$/.test(digits);
  return integerValue(
    canonical(value),
    integerTypeFor(value, (match[2] ?? "").toLowerCase(), isDecimal ? "decimal" : "other"),
  );
}

function negated(number: RValue, text: string): RValue {
  const { expression, type } = number;
  if (expression.kind !== "constant" || !isScalar(expression.type))
    throw new Unsupported(`the number ${text}`);
  return integerValue(unary("negate", expression.type, expression.value), type);
}

function floatLiteral(text: string): RValue {
  const suffix = /[fFlL]$/.exec(text)?.[0] ?? "";
  const isHexadecimal = /^0[xX]/.test(text);
  const digits = suffix && !(isHexadecimal && !/[pP]/.test(text)) ? text.slice(0, -1) : text;
  const value = isHexadecimal ? hexadecimalFloat(digits) : Number(digits);
  if (Number.isNaN(value)) throw new Unsupported(`the number ${text}`);
  const isFloat = suffix === "f" || suffix === "F";
  return integerValue(isFloat ? Math.fround(value) : value, isFloat ? floatType : doubleType);
}

function hexadecimalFloat(text: string): number {
  const match = /^0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)$/.exec(text);
  if (!match) return Number.NaN;
  const [, whole = "", part = "", exponent = "0"] = match;
  return Number.parseInt(whole + part || "0", 16) * 2 ** (Number(exponent) - 4 * part.length);
}

/** The first type of C++'s list that holds the value. */
function integerTypeFor(value: bigint, suffix: string, base: "decimal" | "other"): CxxType {
  const isUnsigned = suffix.includes("u");
  const isLongLong = suffix.includes("ll");
  const isLong = suffix.includes("l") || suffix.includes("z");
  const candidates: FundamentalType[] = isLongLong ? [] : isLong ? [longType] : [intType, longType];
  const wide = isLongLong ? [longLongType] : [];
  const unsigned = isLongLong
    ? [unsignedLongLongType]
    : isLong
      ? [unsignedLongType]
      : [unsignedType, unsignedLongType];
  const list = isUnsigned
    ? unsigned
    : base === "decimal"
      ? [...candidates, ...wide]
      : interleaved([...candidates, ...wide], unsigned);
  return list.find((type) => value <= BigInt(greatestOf(type.ir as IntegerType))) ?? unsignedLongLongType;
}

function interleaved(
  signed: readonly FundamentalType[],
  unsigned: readonly FundamentalType[],
): FundamentalType[] {
  return signed.flatMap((type, index) => {
    const other = unsigned[index];
    return other ? [type, other] : [type];
  });
}

const escapes: Record<string, number> = {
  n: 10,
  t: 9,
  r: 13,
  "0": 0,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
};

export function characterLiteral(text: string): RValue {
  const inner = /^[a-zA-Z0-9]*'([\s\S]*)'$/.exec(text)?.[1] ?? "";
  if (!inner.startsWith("\\")) return integerValue(inner.codePointAt(0) ?? 0, charType);
  const code = inner.slice(1);
  if (/^x[0-9a-fA-F]+$/.test(code))
    return integerValue((Number.parseInt(code.slice(1), 16) << 24) >> 24, charType);
  if (/^[0-7]+$/.test(code)) return integerValue(Number.parseInt(code, 8), charType);
  return integerValue(escapes[code] ?? code.codePointAt(0) ?? 0, charType);
}
