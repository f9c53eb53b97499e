// The expression of an #if: 64-bit integers, signed and unsigned, as C++ [cpp.cond] has them.
import type { Token } from "./token.ts";

interface Integer {
  readonly value: bigint;
  readonly isUnsigned: boolean;
}

const DEPTH = 200;
const BINARY_LEVEL: ReadonlyMap<string, number> = new Map(
  ["||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"].flatMap((operators, level) =>
    operators.split(" ").map((operator): [string, number] => [operator, level + 1]),
  ),
);
const ESCAPES: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11 };

/**
 * Whether the expression of an #if, its macros expanded and `defined` replaced by 0 or 1, is not zero; null where it is no
 * expression (division by zero, too).
 */
export function evaluateCondition(tokens: readonly Token[]): boolean | null {
  const reader: Reader = { tokens, at: 0, depth: 0 };
  const result = conditional(reader);
  return result === null || reader.at < tokens.length ? null : result.value !== 0n;
}

interface Reader {
  readonly tokens: readonly Token[];
  at: number;
  depth: number;
}

function accept(reader: Reader, text: string): boolean {
  if (reader.tokens[reader.at]?.text !== text) return false;
  reader.at++;
  return true;
}

function conditional(reader: Reader): Integer | null {
  if (++reader.depth > DEPTH) return null;
  const condition = binary(reader, 1);
  if (condition !== null && accept(reader, "?")) {
    const whenTrue = conditional(reader);
    if (!accept(reader, ":")) return null;
    const whenFalse = conditional(reader);
    if (whenTrue === null || whenFalse === null) return null;
    const chosen = condition.value !== 0n ? whenTrue : whenFalse;
    reader.depth--;
    return integer(chosen.value, whenTrue.isUnsigned || whenFalse.isUnsigned);
  }
  reader.depth--;
  return condition;
}

function binary(reader: Reader, level: number): Integer | null {
  let left = unary(reader);
  for (;;) {
    const operator = reader.tokens[reader.at]?.text ?? "";
    const precedence = BINARY_LEVEL.get(operator);
    if (left === null || precedence === undefined || precedence < level) return left;
    reader.at++;
    const right = binary(reader, precedence + 1);
    if (right === null) return null;
    left = apply(operator, left, right);
  }
}

function unary(reader: Reader): Integer | null {
  const token = reader.tokens[reader.at];
  if (token === undefined || ++reader.depth > DEPTH) return null;
  reader.at++;
  const result = prefixed(reader, token);
  reader.depth--;
  return result;
}

function prefixed(reader: Reader, token: Token): Integer | null {
  if (token.kind === "number") return numberOf(token.text);
  if (token.kind === "character") return characterOf(token.text);
  if (token.kind === "identifier") return unknownName(reader, token);
  if (token.text === "(") {
    const inner = conditional(reader);
    return accept(reader, ")") ? inner : null;
  }
  const operand = "+-!~".includes(token.text) ? unary(reader) : null;
  if (operand === null) return null;
  if (token.text === "-") return integer(-operand.value, operand.isUnsigned);
  if (token.text === "~") return integer(~operand.value, operand.isUnsigned);
  if (token.text === "!") return truth(operand.value === 0n);
  return operand;
}

/** A name that is no macro is 0; what looks like a call of one is 0 too (`__has_feature(x)`). */
function unknownName(reader: Reader, token: Token): Integer {
  if (reader.tokens[reader.at]?.text === "(") {
    let depth = 0;
    do {
      const text = reader.tokens[reader.at++]?.text;
      if (text === "(") depth++;
      else if (text === ")") depth--;
    } while (depth > 0 && reader.at < reader.tokens.length);
  }
  return truth(token.text === "true");
}

function apply(operator: string, left: Integer, right: Integer): Integer | null {
  const isUnsigned = left.isUnsigned || right.isUnsigned;
  const a = integer(left.value, isUnsigned).value;
  const b = integer(right.value, isUnsigned).value;
  switch (operator) {
    case "||":
      return truth(a !== 0n || b !== 0n);
    case "&&":
      return truth(a !== 0n && b !== 0n);
    case "|":
      return integer(a | b, isUnsigned);
    case "^":
      return integer(a ^ b, isUnsigned);
    case "&":
      return integer(a & b, isUnsigned);
    case "==":
      return truth(a === b);
    case "!=":
      return truth(a !== b);
    case "<":
      return truth(a < b);
    case ">":
      return truth(a > b);
    case "<=":
      return truth(a <= b);
    case ">=":
      return truth(a >= b);
    case "<<":
      return integer(left.value << (right.value & 63n), left.isUnsigned);
    case ">>":
      return integer(left.value >> (right.value & 63n), left.isUnsigned);
    case "+":
      return integer(a + b, isUnsigned);
    case "-":
      return integer(a - b, isUnsigned);
    case "*":
      return integer(a * b, isUnsigned);
    default:
      // What a short circuit would skip may divide by zero: `defined(N) && 8 / N > 1` is then false on the left already.
      if (b === 0n) return truth(false);
      return integer(operator === "/" ? a / b : a % b, isUnsigned);
  }
}

function truth(condition: boolean): Integer {
  return { value: condition ? 1n : 0n, isUnsigned: false };
}

function integer(value: bigint, isUnsigned: boolean): Integer {
  return { value: isUnsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value), isUnsigned };
}

function numberOf(text: string): Integer | null {
  const match = /^(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([uUlLzZ]*)$/.exec(text);
  if (match?.[1] === undefined) return null;
  const digits = match[1].replaceAll("'", "");
  const isOctal = /^0[0-7]+$/.test(digits);
  if (/^0[0-9]+$/.test(digits) && !isOctal) return null;
  const value = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  return integer(value, /[uU]/.test(match[2] ?? "") || value > 0x7fffffffffffffffn);
}

function characterOf(text: string): Integer | null {
  const inner = text.slice(text.indexOf("'") + 1, text.lastIndexOf("'"));
  if (!inner.startsWith("\\")) return integer(BigInt(inner.codePointAt(0) ?? 0), false);
  const code = inner.slice(1);
  if (/^[0-7]{1,3}$/.test(code)) return integer(BigInt(`0o${code}`), false);
  if (/^x[0-9a-fA-F]{1,8}$/.test(code)) return integer(BigInt(`0${code}`), false);
  return integer(BigInt(ESCAPES[code] ?? code.codePointAt(0) ?? 0), false);
}
