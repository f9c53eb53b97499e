// Whether loops are entered, where constants tell.
import type { Expression } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { knownValue } from "../linearise/constants.ts";
import { mapOperands } from "../walks/rebuild.ts";
import { assignedVariables } from "../walks/walk.ts";

/** How far back constants are looked for that a loop starts from: over so many statements, and what only sets a variable, as loads that left the loop do. */
const maximumLookBack = 16;
const maximumAssignments = 256;

/** Whether the loop makes a trip, given what the statements before it assign. */
export function entersSurely({ condition, test }: Loop, before: readonly Statement[]): boolean {
  if (test === "bottom" || condition === null) return true;
  const known = knownValue(condition, { get: (id) => constantLeftIn(id, before) });
  return typeof known === "number" && known !== 0;
}

/** The condition in words of what stands before the loop: counters that start from constants are those constants. */
export function conditionOnEntry(condition: Expression, before: readonly Statement[]): Expression {
  const { type } = condition;
  if (condition.kind === "load" && condition.place.kind === "variable" && condition.place.offsetBytes === 0) {
    const value = constantLeftIn(condition.place.variable.id, before);
    return value === undefined ? condition : { kind: "constant", type, value };
  }
  return mapOperands(condition, (operand) => conditionOnEntry(operand, before));
}

function constantLeftIn(id: number, statements: readonly Statement[]): number | undefined {
  let others = 0;
  const first = Math.max(0, statements.length - maximumAssignments);
  for (let at = statements.length - 1; at >= first; at--) {
    const statement = statements[at];
    if (!statement) break;
    if (assignedVariables([statement]).has(id)) return constantOf(statement, id);
    if (!setsVariableAlone(statement) && ++others === maximumLookBack) break;
  }
  return undefined;
}

/** Whether the statement is a declaration or sets one variable, of which there may be many in front of a loop. */
function setsVariableAlone(statement: Statement): boolean {
  if (statement.kind === "declare") return true;
  return (
    statement.kind === "evaluate" &&
    statement.expression.kind === "assign" &&
    statement.expression.place.kind === "variable"
  );
}

/** The constant that the statement, which sets the variable, leaves in it. */
function constantOf(statement: Statement, id: number): number | undefined {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return undefined;
  const { place, value } = statement.expression;
  const isWhole = place.kind === "variable" && place.variable.id === id && place.offsetBytes === 0;
  return isWhole && value.kind === "constant" && typeof value.value === "number" ? value.value : undefined;
}
