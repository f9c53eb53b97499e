// How many trips a loop makes, where constants alone say so.
import type { Expression } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { mapOperands } from "../walks/rebuild.ts";
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
  /** What is counted: numbers, or the steps of a pointer to its end. */
  readonly on: "numbers" | "pointers";
}

const maximumTrips = 1024;
/** Trips of which one may be the last stand one in another. */
const maximumNestedTrips = 64;

/**
 * What `knowledge`, of where the loop starts, and the statement `before` it say of its trips; null where they say nothing, or there are too many to write. Of
 * `i < 8 && s[i] > x` LLVM counts the left side: the most trips that there are. Where it asks both in
 * one branch the trips are no constant. `tripsByPointer` is asked where numbers alone do not say.
 */
export function tripCountOf(
  loop: Loop,
  before: Statement | null,
  knowledge: KnowledgeToRead,
  tripsByPointer: () => number | null,
): TripCount | null {
  const { condition } = loop;
  if (!condition || hasOneExit(loop, knowledge)) return null;
  const bound = leftmost(condition);
  const ending = bound === condition ? "counted" : "open";
  if (ending === "open" && loop.test === "bottom") return null;
  const jumps = jumpsOf(loop.body);
  if (hasEffects(condition) && (ending === "open" || jumps !== "none")) return null;
  const byNumbers = countTrips(loop, bound, knowledge) ?? tripsFromStart(loop, before, knowledge);
  const trips = byNumbers ?? tripsByPointer();
  if (trips === null) return null;
  const counted = { trips, ending, on: byNumbers === null ? "pointers" : "numbers" } as const;
  if (trips <= 1) return counted;
  const isNested = ending === "open" || jumps === "break";
  return jumps === "tangled" || (isNested && trips > maximumNestedTrips) ? null : counted;
}

/** Whether asking it changes something: `head-- > 0`. */
export function hasEffects(condition: Expression): boolean {
  return assignedIn(condition) > 0;
}

/** Of conditions that must all hold, the one that is asked first. */
function leftmost(condition: Expression): Expression {
  return condition.kind === "logical" && condition.operator === "and" ? leftmost(condition.left) : condition;
}

/** Trips until the bound does not hold; null where it hangs on more than constants. */
function countTrips(loop: Loop, bound: Expression, knowledge: KnowledgeToRead): number | null {
  const asksOnly = !hasEffects(bound);
  if (asksOnly && loop.test === "top" && typeof knownValue(bound, knowledge) !== "number") return null;
  const inBody = assignedVariables(loop.body);
  const counters = assignedVariables([], loop.step);
  const isCountedInBody = readsAny(bound, inBody) || [...counters].some((id) => inBody.has(id));
  if (isCountedInBody && jumpsOf(loop.body) !== "none") return null;
  const state = changedApart(knowledge, isCountedInBody ? null : inBody);
  const body = isCountedInBody ? withoutBlocks(loop.body) : [];
  for (let trips = 0; trips <= maximumTrips; trips++) {
    if (loop.test === "top" || trips > 0) {
      if (!asksOnly) advance(bound, state);
      const goesOn = knownValue(asksOnly ? bound : resultOf(bound), state);
      if (typeof goesOn !== "number") return null;
      if (goesOn === 0) return trips;
    }
    for (const statement of body) advanceOver(statement, state);
    for (const step of loop.step) advance(step, state);
    if (loop.test === "bottom" && counters.size === 0 && !isCountedInBody && asksOnly) return null;
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
    if (statement.initializer) advance(statement.initializer, state);
    const known = statement.initializer ? knownValue(resultOf(statement.initializer), state) : null;
    if (known === null) state.delete(statement.variable.id);
    else state.set(statement.variable.id, known);
  } else if (statement.kind === "evaluate") advance(statement.expression, state);
  else for (const id of assignedVariables([statement])) state.delete(id);
}

function assignedIn(expression: Expression): number {
  return assignedVariables([], [expression]).size;
}

/** What is known once the expression has assigned what it does, in the midst of an access too (`s[--n]`). */
function advance(step: Expression, state: Knowledge): void {
  if (step.kind === "conditional" || step.kind === "logical") {
    for (const id of assignedVariables([], [step])) state.delete(id);
    return;
  }
  for (const operand of operandsOf(step)) advance(operand, state);
  if (step.kind !== "assign" || step.place.kind !== "variable") return;
  const { variable, offsetBytes } = step.place;
  const value = offsetBytes === 0 ? knownValue(resultOf(step.value), state) : null;
  if (value === null) state.delete(variable.id);
  else state.set(variable.id, value);
}

/** What the expression gives once it has assigned what it does. */
function resultOf(expression: Expression): Expression {
  if (expression.kind === "sequence") return resultOf(expression.result);
  if (expression.kind === "assign" && expression.place.kind === "variable")
    return { kind: "load", type: expression.type, place: expression.place, site: null };
  return mapOperands(expression, resultOf);
}
