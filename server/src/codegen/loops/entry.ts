// Whether loops are entered, where constants tell.
import type { Expression } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { knownValue } from "../linearise/constants.ts";
import { mapOperands } from "../walks/rebuild.ts";
import { assignedVariables } from "../walks/walk.ts";

/** How far back constants are looked for that a loop starts from. */
const maximumLookBack = 16;

/** Whether the loop makes a trip, given what the statements before it assign. */
export function entersSurely({ condition, test }: Loop, before: readonly Statement[]): boolean {
  if (test === "bottom" || condition === null) return true;
  const known = knownValue(condition, { get: (id) => constantLeftIn(id, before.slice(-maximumLookBack)) });
  return typeof known === "number" && known !== 0;
}

/** The condition in words of what stands before the loop: counters that start from constants are those constants. */
export function conditionOnEntry(condition: Expression, before: readonly Statement[]): Expression {
  const { type } = condition;
  if (condition.kind === "load" && condition.place.kind === "variable" && condition.place.offsetBytes === 0) {
    const value = constantLeftIn(condition.place.variable.id, before.slice(-maximumLookBack));
    return value === undefined ? condition : { kind: "constant", type, value };
  }
  return mapOperands(condition, (operand) => conditionOnEntry(operand, before));
}

function constantLeftIn(id: number, statements: readonly Statement[]): number | undefined {
  const last = statements.findLast((one) => assignedVariables([one]).has(id));
  if (last?.kind !== "evaluate" || last.expression.kind !== "assign") return undefined;
  const { place, value } = last.expression;
  const isWhole = place.kind === "variable" && place.variable.id === id && place.offsetBytes === 0;
  return isWhole && value.kind === "constant" && typeof value.value === "number" ? value.value : undefined;
}
