// Operators on whole numbers that have no type, as constants in a text have none: C's results where a double holds them.

/**
 * `left operator right`; a bitwise operator takes a negative number for two's complement without end. Null where C leaves the result undefined,
 * where the operator is another, or, of shifts and bitwise operators, where a double may not hold every bit. Sums and products may be past
 * 2^53: who cares asks `Number.isSafeInteger`.
 */
export function operateOnWholeNumbers(operator: string, left: number, right: number): number | null {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return right === 0 ? null : Math.trunc(left / right);
    case "%":
      return right === 0 ? null : left % right;
    case "<<":
      return right < 0 || right > 52 ? null : left * 2 ** right;
    case ">>":
      return right < 0 || right > 63 ? null : Math.floor(left / 2 ** right);
    case "&":
      return bitwise(left, right, { small: (a, b) => a & b, large: (a, b) => a & b });
    case "|":
      return bitwise(left, right, { small: (a, b) => a | b, large: (a, b) => a | b });
    case "^":
      return bitwise(left, right, { small: (a, b) => a ^ b, large: (a, b) => a ^ b });
    default:
      return null;
  }
}

interface Bitwise {
  readonly small: (left: number, right: number) => number;
  readonly large: (left: bigint, right: bigint) => bigint;
}

function bitwise(left: number, right: number, { small, large }: Bitwise): number | null {
  if (left === (left | 0) && right === (right | 0)) return small(left, right);
  if (!Number.isSafeInteger(left) || !Number.isSafeInteger(right)) return null;
  return Number(large(BigInt(left), BigInt(right)));
}
