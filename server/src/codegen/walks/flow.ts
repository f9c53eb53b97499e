// What statements may do in whatever order they run: the trips of a loop, the cases of a switch.
import type { Expression, VariablePlace } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { variableKey } from "../addresses/address.ts";
import { forEachExpression, forEachExpressionOf, forEachStatement } from "./walk.ts";

export interface FlowEffects {
  /** Ids of the variables that the statements declare. */
  readonly declared: ReadonlySet<number>;
  /** The parts of variables that the statements or steps assign, one for each offset. */
  readonly assigned: Iterable<VariablePlace>;
  /** Whether the statements call what may assign variables whose address is taken. */
  readonly hasCalls: boolean;
  /** Where the statements store. */
  readonly storedAt: readonly Expression[];
  readonly hasBarrier: boolean;
  /** Whether there is something that is not understood among the statements. */
  readonly hasUnknown: boolean;
  /** Assignments to memory and calls, intrinsics among them, in the order of the text. */
  readonly touching: readonly Expression[];
}

export function flowEffectsOf(body: readonly Statement[], step: readonly Expression[]): FlowEffects {
  const declared = new Set<number>();
  const assigned = new Map<number, VariablePlace>();
  const touching: Expression[] = [];
  let hasBarrier = false;
  let hasUnknown = false;
  const storedAt: Expression[] = [];
  let hasCalls = false;
  forEachStatement(body, (statement) => {
    if (statement.kind === "declare") declared.add(statement.variable.id);
    else if (statement.kind === "barrier") hasBarrier = true;
    else if (statement.kind === "unknown") hasUnknown = true;
  });
  const visit = (expression: Expression): void => {
    switch (expression.kind) {
      case "assign":
        if (expression.place.kind === "variable") {
          noteWidest(expression.place, assigned);
          return;
        }
        storedAt.push(expression.place.pointer);
        touching.push(expression);
        return;
      case "call":
      case "call-indirect":
        hasCalls = true;
        touching.push(expression);
        return;
      case "unknown":
      case "intrinsic":
        touching.push(expression);
    }
  };
  forEachExpressionOf(body, visit);
  const ofBody = { hasCalls, storedAt: [...storedAt] };
  for (const expression of step) forEachExpression(expression, visit);
  return { declared, assigned: assigned.values(), ...ofBody, hasBarrier, hasUnknown, touching };
}

/** Of the assignments to one offset, the one of the most bytes says what all of them may change. */
function noteWidest(place: VariablePlace, assigned: Map<number, VariablePlace>): void {
  const key = variableKey(place.variable, place.offsetBytes);
  const known = assigned.get(key);
  if (!known || widthOf(place) > widthOf(known)) assigned.set(key, place);
}

function widthOf(place: VariablePlace): number {
  return sizeOf(place.type) ?? Number.POSITIVE_INFINITY;
}
