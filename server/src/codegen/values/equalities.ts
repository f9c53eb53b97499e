// What a condition says of numbers: under `if (t == 0)`, LLVM reads t as 0, and so sees that s[t] is s[0].
import type { Binary, Expression } from "../../ir/expression.ts";

export interface Equality {
  readonly left: Expression;
  /** Null for zero. */
  readonly right: Expression | null;
}

/**
 * The integers that are equal where the condition holds, or where it does not (forms/equal_in_branch; `t < 1` says it of what is unsigned
 * alone: signedBelowOne).
 */
export function equalitiesIn(condition: Expression, holds: boolean): readonly Equality[] {
  switch (condition.kind) {
    case "logical":
      return (condition.operator === "and") === holds
        ? [...equalitiesIn(condition.left, holds), ...equalitiesIn(condition.right, holds)]
        : [];
    case "unary":
      return condition.operator === "not" ? equalitiesIn(condition.operand, !holds) : [];
    case "convert":
      return condition.type.kind === "boolean" ? equalitiesIn(condition.operand, holds) : [];
    case "binary":
      return equalitiesOf(condition, holds);
    default:
      return !holds && condition.type.kind === "integer" ? [{ left: condition, right: null }] : [];
  }
}

function equalitiesOf({ operator, left, right }: Binary, holds: boolean): readonly Equality[] {
  if (left.type.kind !== "integer") return [];
  if (operator === (holds ? "==" : "!=")) return [{ left, right }];
  const isBelowOne = (operator === "<" && isNumber(right, 1)) || (operator === "<=" && isNumber(right, 0));
  return isBelowOne && holds && !left.type.signed ? [{ left, right: null }] : [];
}

function isNumber(expression: Expression, value: number): boolean {
  return expression.kind === "convert"
    ? isNumber(expression.operand, value)
    : expression.kind === "constant" && expression.value === value;
}
