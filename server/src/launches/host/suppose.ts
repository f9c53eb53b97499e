// What a condition that is taken both ways says of variables on either way.
import type { Expression } from "../../ir/expression.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import { evaluate, type HostContext } from "./evaluate.ts";
import type { RunState } from "./run-state.ts";
import { isScalarValue } from "./value.ts";

/** Inside `if (x == 5)`, x is 5. */
export function supposeEqual(context: HostContext, state: RunState, condition: Expression): void {
  if (condition.kind === "convert") {
    supposeEqual(context, state, condition.operand);
    return;
  }
  if (condition.kind === "logical" && condition.operator === "and") {
    supposeEqual(context, state, condition.left);
    supposeEqual(context, state, condition.right);
    return;
  }
  if (condition.kind !== "binary" || condition.operator !== "==") return;
  const value = evaluate(context, condition.right);
  if (isScalarValue(value)) suppose(context, state, condition.left, value);
}

/** On the way at hand the variable that `expression` reads is `value`. */
export function suppose(context: HostContext, state: RunState, expression: Expression, value: Scalar): void {
  if (expression.kind === "convert" && expression.type.kind === "integer") {
    suppose(context, state, expression.operand, value);
  } else if (expression.kind === "load" && expression.type.kind === "integer") {
    const current = evaluate(context, expression);
    if (isScalarValue(current) || current.kind !== "unknown" || current.of === undefined) return;
    state.bindings = new Map([...state.bindings, [current.of, value]]);
  }
}
