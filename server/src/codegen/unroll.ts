// Which loops nvcc unrolls: those of constant trips, whole where they are small, else by a factor that divides the trips.
import type { Expression } from "../ir/expression.ts";
import type { Loop, Statement } from "../ir/statement.ts";
import { type Knowledge, knownValue } from "./constants.ts";
import { assignedVariables, forEachExpressionOf, partsOf, sizeOfStatements } from "./walk.ts";

export type UnrollPlan =
  | { readonly kind: "full"; readonly trips: number }
  | { readonly kind: "partial"; readonly copies: number };

const maximumTrips = 1024;
/** Expression nodes of a loop once it is unrolled. */
const maximumNodes = 3000;
const maximumFullTrips = 64;

/**
 * What becomes of the loop, given what is known of variables where it starts; null where it stays as it is. Unrolling changes no
 * figure by itself: it only brings neighbours together, so that loops that access no memory and no local array stay too.
 */
export function planOfUnrolling(
  loop: Loop,
  knowledge: Knowledge,
  statementBudget: number,
): UnrollPlan | null {
  if (loop.unroll === 1 || loop.unroll === 0 || !touchesMemory(loop.body) || leavesEarly(loop.body))
    return null;
  const trips = tripsOf(loop, knowledge);
  if (trips === null) return null;
  if (trips <= 1) return { kind: "full", trips };
  const size = sizeOfStatements(loop.body, maximumNodes);
  const limit = Math.min(maximumNodes, statementBudget * 4);
  const wanted = typeof loop.unroll === "number" ? loop.unroll : trips;
  if (trips <= maximumFullTrips && wanted >= trips && size * trips <= limit) return { kind: "full", trips };
  for (const copies of [32, 16, 8, 4, 2])
    if (copies <= wanted && trips % copies === 0 && size * copies <= limit)
      return { kind: "partial", copies };
  return null;
}

/** Trips of a loop whose condition hangs on constants alone; null where it does not, or where there are more than 1024. */
function tripsOf(loop: Loop, knowledge: Knowledge): number | null {
  if (!loop.condition) return null;
  const inBody = assignedVariables(loop.body);
  const counters = assignedVariables([], loop.step);
  for (const id of counters) if (inBody.has(id)) return null;
  const state = new Map(knowledge);
  for (const id of inBody) state.delete(id);
  let trips = 0;
  for (; trips <= maximumTrips; trips++) {
    if (loop.test === "top" || trips > 0) {
      const goesOn = knownValue(loop.condition, state);
      if (typeof goesOn !== "number") return null;
      if (goesOn === 0) return trips;
    }
    for (const step of loop.step) advance(step, state);
    if (loop.test === "bottom" && counters.size === 0) return null;
  }
  return null;
}

function advance(step: Expression, state: Knowledge): void {
  if (step.kind === "sequence") {
    for (const effect of step.effects) advance(effect, state);
    advance(step.result, state);
  } else if (step.kind === "assign" && step.place.kind === "variable") {
    advance(step.value, state);
    const value = step.value.kind === "assign" ? null : knownValue(step.value, state);
    if (value === null || step.place.offsetBytes !== 0) state.delete(step.place.variable.id);
    else state.set(step.place.variable.id, value);
  }
}

function touchesMemory(body: readonly Statement[]): boolean {
  let touches = false;
  forEachExpressionOf(body, (expression) => {
    if (expression.kind === "call" || (expression.kind === "intrinsic" && expression.site)) touches = true;
    if ((expression.kind === "load" || expression.kind === "assign") && expression.place.kind === "memory")
      touches = true;
  });
  return touches;
}

/** Whether a `break`, `continue` or `return` may end a trip before its end. */
function leavesEarly(body: readonly Statement[]): boolean {
  return body.some((statement) => {
    switch (statement.kind) {
      case "break":
      case "continue":
      case "return":
        return true;
      case "loop":
        return statement.body.some(containsReturn);
      case "switch":
        return statement.cases.some((one) => one.body.some(containsReturn));
      default:
        return partsOf(statement).lists.some(leavesEarly);
    }
  });
}

function containsReturn(statement: Statement): boolean {
  return statement.kind === "return" || partsOf(statement).lists.some((list) => list.some(containsReturn));
}
