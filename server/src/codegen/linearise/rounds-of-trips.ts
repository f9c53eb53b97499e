// The conditions of loops whose rounds are written out.
import type { Binary, BinaryOperator, Expression } from "../../ir/expression.ts";
import type { Rounds } from "../../ir/statement.ts";

/** Whether the trips that are left hold a round: the condition of its last trip. */
export function holdsForRound(condition: Binary, { trips, stride }: Rounds): Expression {
  const { left } = condition;
  const ahead: Expression = { kind: "constant", type: left.type, value: stride * (trips - 1) };
  const last: Expression = { kind: "binary", operator: "+", type: left.type, left, right: ahead };
  return { ...condition, left: last };
}

/** Whether the trips that are left are no whole number of rounds. */
export function fillsNoRound(condition: Binary, { trips, stride }: Rounds): Expression {
  const { left, right, operator } = condition;
  const { type } = left;
  const constant = (value: number): Expression => ({ kind: "constant", type, value });
  const of = (operation: BinaryOperator, a: Expression, b: Expression): Expression => ({
    kind: "binary",
    operator: operation,
    type,
    left: a,
    right: b,
  });
  const step = Math.abs(stride);
  const beyond = operator === "<=" || operator === ">=" ? step : step - 1;
  const distance = stride > 0 ? of("-", right, left) : of("-", left, right);
  const count = of("/", of("+", distance, constant(beyond)), constant(step));
  const rest = of("%", count, constant(trips));
  return { ...condition, operator: ">", left: rest, right: constant(0) };
}
