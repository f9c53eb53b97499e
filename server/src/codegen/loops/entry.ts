// Whether loops are entered, where constants tell.
import type { Loop, Statement } from "../../ir/statement.ts";
import { knownValue } from "../linearise/constants.ts";
import { assignedVariables } from "../walks/walk.ts";

/** How far back constants are looked for that a loop starts from. */
const maximumLookBack = 16;

/** Whether the loop makes a trip, given what the statements before it assign. */
export function entersSurely({ condition, test }: Loop, before: readonly Statement[]): boolean {
  if (test === "bottom" || condition === null) return true;
  const known = knownValue(condition, { get: (id) => constantLeftIn(id, before.slice(-maximumLookBack)) });
  return typeof known === "number" && known !== 0;
}

function constantLeftIn(id: number, statements: readonly Statement[]): number | undefined {
  const last = statements.findLast((one) => assignedVariables([one]).has(id));
  if (last?.kind !== "evaluate" || last.expression.kind !== "assign") return undefined;
  const { place, value } = last.expression;
  const isWhole = place.kind === "variable" && place.variable.id === id && place.offsetBytes === 0;
  return isWhole && value.kind === "constant" && typeof value.value === "number" ? value.value : undefined;
}
