// `math(EXPR)`: integers of 64 bits, as C calculates with them.

const levels: readonly (readonly string[])[] = [
  ["|"],
  ["^"],
  ["&"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];
const longest = 4_000;

/** The value of an expression; null where it is none. */
export function calculate(expression: string, format: "decimal" | "hexadecimal"): string | null {
  if (expression.length > longest) return null;
  const tokens = expression.match(/0[xX][0-9a-fA-F]+|\d+|<<|>>|[-+*/%|&^~()]|\S/g) ?? [];
  let at = 0;
  const primary = (): bigint | null => {
    const token = tokens[at++];
    if (token === undefined) return null;
    if (token === "(") {
      const inner = level(0);
      return tokens[at++] === ")" ? inner : null;
    }
    if (token === "-" || token === "+" || token === "~") {
      const inner = primary();
      if (inner === null) return null;
      return token === "-" ? -inner : token === "~" ? ~inner : inner;
    }
    return /^(?:0[xX][0-9a-fA-F]+|\d+)$/.test(token) ? BigInt(token) : null;
  };
  const level = (depth: number): bigint | null => {
    const operators = levels[depth];
    if (operators === undefined) return primary();
    let left = level(depth + 1);
    for (
      let operator = tokens[at];
      operator !== undefined && operators.includes(operator);
      operator = tokens[at]
    ) {
      at++;
      const right = level(depth + 1);
      left = left === null || right === null ? null : apply(left, operator, right);
    }
    return left;
  };
  const value = level(0);
  if (value === null || at < tokens.length) return null;
  return format === "hexadecimal" ? `0x${BigInt.asUintN(64, value).toString(16)}` : String(value);
}

function apply(a: bigint, operator: string, b: bigint): bigint | null {
  const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);
  switch (operator) {
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    case "&":
      return a & b;
    case "<<":
      return wrap(a << BigInt.asUintN(6, b));
    case ">>":
      return a >> BigInt.asUintN(6, b);
    case "+":
      return wrap(a + b);
    case "-":
      return wrap(a - b);
    case "*":
      return wrap(a * b);
    case "/":
      return b === 0n ? null : a / b;
    default:
      return b === 0n ? null : a % b;
  }
}
