// What variables hold at a point of a loop's body where that is the same in all trips, those too that a trip sets several times
// (`at = row; … s[at++] … s[at++]`): the loads that they lead to are as invariant as if each had an index of its own.
import type { Expression, MemoryPlace } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { idOfKey, variableKey } from "../addresses/address.ts";
import { atPointer } from "../walks/rebuild.ts";
import { isRecordType } from "../walks/usage.ts";
import { assignedVariables, isPure, readsAny, someExpression } from "../walks/walk.ts";
import { type Lifting, withCopies } from "./invariant-copies.ts";

/** Follows the statements of a loop's body in their order. */
export class HeldInTrip {
  /** Variables whose address is taken: others may set them. */
  readonly #escaped: ReadonlySet<number>;
  /** By `variableKey`, in words of what the loop does not change. */
  readonly #held = new Map<number, Expression>();
  /** Of those variables. */
  readonly #ids = new Set<number>();

  constructor(escaped: ReadonlySet<number>) {
    this.#escaped = escaped;
  }

  /** The place with such variables replaced by what they hold here. */
  placeOf(place: MemoryPlace): MemoryPlace {
    const pointer = withCopies(place.pointer, this.#held);
    return pointer === place.pointer ? place : atPointer(place, pointer);
  }

  /** Moves on behind the statement. */
  pass(statement: Statement, { assigned, copies }: Lifting): void {
    const expression = statement.kind === "evaluate" ? statement.expression : null;
    const set = expression?.kind === "assign" && expression.place.kind === "variable" ? expression : null;
    const source = set && isPure(set.value) ? withCopies(withCopies(set.value, this.#held), copies) : null;
    if (this.#ids.size > 0) for (const id of assignedVariables([statement])) this.#forget(id);
    if (set?.place.kind !== "variable" || !source) return;
    const { variable } = set.place;
    if (variable.storage !== "automatic" || this.#escaped.has(variable.id)) return;
    if (isRecordType(source) || readsAny(source, assigned) || isLarge(source)) return;
    this.#held.set(variableKey(variable, set.place.offsetBytes), source);
    this.#ids.add(variable.id);
  }

  #forget(id: number): void {
    if (!this.#ids.delete(id)) return;
    for (const key of this.#held.keys()) if (idOfKey(key) === id) this.#held.delete(key);
  }
}

/** A value that is set from itself again and again would double each time. */
const largestNodes = 100;

function isLarge(expression: Expression): boolean {
  let nodes = 0;
  return someExpression(expression, () => ++nodes > largestNodes);
}
