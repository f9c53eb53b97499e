// How many trips a loop makes, where constants alone say so.
import type { Expression } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { assignedVariables, readsAny } from "../walks/walk.ts";
import { type Knowledge, type KnowledgeToRead, type Known, knownValue } from "./constants.ts";
import { withoutBlocks } from "./inline.ts";
import { hasOneExit } from "./one-exit.ts";
import { tripsFromStart } from "./trips-from-start.ts";
import { jumpsOf } from "./trips-in-a-row.ts";

export interface TripCount {
  readonly trips: number;
  /** Whether the loop ends by its condition after these trips alone, or, "open", by what else the condition asks before them. */
  readonly ending: "counted" | "open";
}

const maximumTrips = 1024;
/** Trips of which one may be the last stand one in another. */
const maximumNestedTrips = 64;

/**
 * What `knowledge`, of where the loop starts, and the statement `before` it say of its trips; null where they say nothing, or there are too many to write. Of
 * `i < 8 && s[i] > x` LLVM counts the left side: the most trips that there are. Where it asks both in
 * one branch the trips are no constant.
 */
export function tripCountOf(
  loop: Loop,
  before: Statement | null,
  knowledge: KnowledgeToRead,
): TripCount | null {
  const { condition } = loop;
  if (!condition || hasOneExit(loop, knowledge)) return null;
  const bound = leftmost(condition);
  const ending = bound === condition ? "counted" : "open";
  if (ending === "open" && loop.test === "bottom") return null;
  const trips = countTrips(loop, bound, knowledge) ?? tripsFromStart(loop, before, knowledge);
  if (trips === null || trips <= 1) return trips === null ? null : { trips, ending };
  const jumps = jumpsOf(loop.body);
  const isNested = ending === "open" || jumps === "break";
  return jumps === "tangled" || (isNested && trips > maximumNestedTrips) ? null : { trips, ending };
}

/** Of conditions that must all hold, the one that is asked first. */
function leftmost(condition: Expression): Expression {
  return condition.kind === "logical" && condition.operator === "and" ? leftmost(condition.left) : condition;
}

/** Trips until the bound does not hold; null where it hangs on more than constants. */
function countTrips(loop: Loop, bound: Expression, knowledge: KnowledgeToRead): number | null {
  if (loop.test === "top" && typeof knownValue(bound, knowledge) !== "number") return null;
  const inBody = assignedVariables(loop.body);
  const counters = assignedVariables([], loop.step);
  const isCountedInBody = readsAny(bound, inBody) || [...counters].some((id) => inBody.has(id));
  if (isCountedInBody && jumpsOf(loop.body) !== "none") return null;
  const state = changedApart(knowledge, isCountedInBody ? null : inBody);
  const body = isCountedInBody ? withoutBlocks(loop.body) : [];
  for (let trips = 0; trips <= maximumTrips; trips++) {
    if (loop.test === "top" || trips > 0) {
      const goesOn = knownValue(bound, state);
      if (typeof goesOn !== "number") return null;
      if (goesOn === 0) return trips;
    }
    for (const statement of body) advanceOver(statement, state);
    for (const step of loop.step) advance(step, state);
    if (loop.test === "bottom" && counters.size === 0 && !isCountedInBody) return null;
  }
  return null;
}

/** The knowledge, to be changed apart: nothing of the variables `without`. */
function changedApart(knowledge: KnowledgeToRead, without: ReadonlySet<number> | null): Knowledge {
  const changed = new Map<number, Known | null>();
  return {
    get: (id) => {
      const known = changed.get(id);
      if (known !== undefined) return known ?? undefined;
      return without?.has(id) ? undefined : knowledge.get(id);
    },
    set: (id, known) => changed.set(id, known),
    delete: (id) => changed.set(id, null),
  };
}

/** What a trip knows behind the statement: of what is assigned in any but the plainest way, nothing. */
function advanceOver(statement: Statement, state: Knowledge): void {
  if (statement.kind === "declare") {
    const known = statement.initializer ? knownValue(statement.initializer, state) : null;
    if (known === null) state.delete(statement.variable.id);
    else state.set(statement.variable.id, known);
  } else if (statement.kind === "evaluate" && isPlainEffect(statement.expression))
    advance(statement.expression, state);
  else for (const id of assignedVariables([statement])) state.delete(id);
}

/** Whether `advance` sees all that is assigned in it. */
function isPlainEffect(expression: Expression): boolean {
  if (expression.kind === "sequence") return [...expression.effects, expression.result].every(isPlainEffect);
  if (expression.kind === "assign") return isPlainEffect(expression.value);
  return assignedIn(expression) === 0;
}

function assignedIn(expression: Expression): number {
  return assignedVariables([], [expression]).size;
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
