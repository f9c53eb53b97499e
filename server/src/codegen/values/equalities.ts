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

export interface Truth {
  readonly condition: Expression;
  readonly holds: boolean;
}

/** The conditions that are known where the one holds, or where it does not, their opposites among them (early_conditions). */
export function truthsIn(condition: Expression, holds: boolean): readonly Truth[] {
  switch (condition.kind) {
    case "logical":
      return (condition.operator === "and") === holds
        ? [...truthsIn(condition.left, holds), ...truthsIn(condition.right, holds)]
        : [];
    case "unary":
      return condition.operator === "not" ? truthsIn(condition.operand, !holds) : [];
    case "binary": {
      const opposite = oppositeOf(condition);
      const truth = { condition, holds };
      return opposite ? [truth, { condition: opposite, holds: !holds }] : [truth];
    }
    default:
      return condition.type.kind === "boolean" ? [{ condition, holds }] : [];
  }
}

const opposites: Partial<Record<Binary["operator"], Binary["operator"]>> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
};

/** LLVM writes `n >= 6` as `n > 5`, which is no longer the opposite of `n < 6`; of floating-point numbers, NaN is neither. */
function oppositeOf(condition: Binary): Binary | null {
  const operator = opposites[condition.operator];
  const isEquality = operator === "==" || operator === "!=";
  const { left, right } = condition;
  if (!operator || left.type.kind === "float" || (right.kind === "constant" && !isEquality)) return null;
  return { ...condition, operator };
}

function isNumber(expression: Expression, value: number): boolean {
  return expression.kind === "convert"
    ? isNumber(expression.operand, value)
    : expression.kind === "constant" && expression.value === value;
}
