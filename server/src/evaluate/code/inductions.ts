// What a loop carries from trip to trip: variables that move by a constant step (inductions), and the rest.
import { int32, type Type } from "../../ir/type.ts";
import type { Steps } from "../../steps.ts";
import { dependsOnMemory, type Machine, sameValue, spend, unknownOfType } from "../machine.ts";
import { factorsOf, nameOf } from "../values/derive.ts";
import { add, type Linear, multiply, subtract, symbolic } from "../values/linear.ts";
import { mapCopy } from "../values/map-copy.ts";
import type { Indeterminate } from "../values/symbol.ts";
import {
  type AggregateValue,
  type Cell,
  isSameObject,
  unknownValue,
  type Value,
  variesByLane,
} from "../values/value.ts";

export interface Carried {
  readonly variables: readonly CarriedVariable[];
  /** Whether all of them are inductions, remade in each trip, or values of which nothing is known anyway. */
  readonly isFoldable: boolean;
  /** Whether some are no inductions but remade in each trip: after the loop they hold what the last trip made. */
  readonly isRemade: boolean;
}

interface CarriedVariable {
  readonly slot: number;
  readonly change: Change;
}

/** How a value moves in one trip. */
type Change =
  | { readonly kind: "induction"; readonly step: Linear }
  | {
      readonly kind: "parts";
      readonly parts: ReadonlyMap<number, { readonly type: Type; readonly change: Change }>;
    }
  /** Each trip surely makes it anew: until then it is what it was, which lanes that make no trip keep. `lost` is what is known behind the loop. */
  | { readonly kind: "remade"; readonly lost: Value }
  | { readonly kind: "lost"; readonly value: Value; readonly isHarmless: boolean };

/** Slots of variables that no trip takes over from the one before. */
export interface BornWithin {
  /** Declared in the loop: nobody sees them after it. */
  readonly inner: ReadonlySet<number>;
  /** Written by each trip before it reads them. */
  readonly remade: ReadonlySet<number>;
  /** Those of them that each trip surely writes. */
  readonly surelyRemade: ReadonlySet<number>;
  /** Declared before the loop, and not written until then. */
  readonly unwritten: ReadonlySet<number>;
}

/** The slots that a loop may change: those that its text writes, or that changed when it was last met. */
export interface Expected {
  readonly slots: ReadonlySet<number>;
  readonly from: "text" | "last time";
}

const mostRounds = 6;
const changedByLoop = "a value that a loop changes";

/**
 * Compares variables before and after a rehearsed trip, with placeholders for what changed, until no further change shows. Null where
 * it does not settle. `expected` is what may change: without it, loops within loops would take a power of rehearsals.
 */
export function* carriedBetween(
  machine: Machine,
  start: ReadonlyMap<number, Value>,
  { inner, remade, surelyRemade, unwritten }: BornWithin,
  rehearse: (from: Map<number, Value>) => Steps<Map<number, Value>>,
  expected: Expected,
): Steps<Carried | null> {
  const changed = new Set([...expected.slots].filter((slot) => start.has(slot)));
  const triedAsKept = new Set<number>();
  for (let round = 0; round < mostRounds; round++) {
    const placeholders = new Map<number, Indeterminate>();
    const from = mapCopy(start);
    for (const slot of changed) {
      const value = start.get(slot);
      if (value) from.set(slot, withPlaceholders(machine, value, placeholders));
    }
    spend(machine, start.size);
    const before = mapCopy(from);
    const firstBorn = machine.symbols.nextId();
    const after = yield* rehearse(from);
    let isSettled = true;
    for (const [slot, value] of before) {
      if (inner.has(slot) || changed.has(slot)) continue;
      const now = after.get(slot);
      if (now !== undefined && !sameValue(value, now)) {
        changed.add(slot);
        isSettled = false;
      }
    }
    for (const slot of round === 0 ? expected.slots : []) {
      const now = after.get(slot);
      const isCarried = hasChanged(before.get(slot), now) && hasChanged(start.get(slot), now);
      if (!isCarried && changed.delete(slot)) isSettled = false;
    }
    if (!isSettled) continue;
    // What a trip makes anew is another thing in each trip, and no step.
    let isSeenFirst = false;
    const isBornWithin = (symbol: Indeterminate) => {
      if (symbol.id >= firstBorn) isSeenFirst = true;
      return placeholders.has(symbol.id) || symbol.id >= firstBorn;
    };
    const written = [...unwritten].flatMap((slot): CarriedVariable[] => {
      const now = inner.has(slot) ? undefined : after.get(slot);
      return now === undefined ? [] : [{ slot, change: firstWritten(machine, now) }];
    });
    const carried = [...changed].map((slot): CarriedVariable => {
      const held = before.get(slot);
      const now = after.get(slot);
      const first = start.get(slot);
      return {
        slot,
        change:
          held && now && first
            ? changeOf(machine, first, held, now, isBornWithin)
            : lost(machine, null, null),
      };
    });
    // What the text writes may be there already, as in lanes that set a flag in each trip: seen from what it holds, it stays.
    const perhapsKept = carried.filter(
      ({ slot, change }) =>
        expected.from === "text" && !surelyRemade.has(slot) && !triedAsKept.has(slot) && !isFoldable(change),
    );
    if (perhapsKept.length > 0) {
      for (const { slot } of perhapsKept) {
        triedAsKept.add(slot);
        changed.delete(slot);
      }
      continue;
    }
    // Nor is what was never asked for before, such as a size: whether it is made anew, the next rehearsal shows.
    if (isSeenFirst && round === 0 && expected.from === "text") continue;
    const variables = [...carried, ...written].map((each) =>
      surelyRemade.has(each.slot) ? remadeOf(each) : each,
    );
    return {
      variables,
      isFoldable: variables.every(({ slot, change }) => remade.has(slot) || isFoldable(change)),
      isRemade: variables.some(({ slot, change }) => remade.has(slot) && change.kind !== "induction"),
    };
  }
  return null;
}

/** That nothing is known from trip to trip of what the loop changed when it was last met, but whether lanes differ in it. */
export function lostOf(machine: Machine, start: ReadonlyMap<number, Value>, last: Carried): Carried {
  const variables = last.variables.map(({ slot, change }): CarriedVariable => {
    const first = start.get(slot) ?? null;
    return { slot, change: lost(machine, first, valueLike(change, first)) };
  });
  return { variables, isFoldable: false, isRemade: false };
}

/** A value in which lanes differ as in what the change leaves; null for one in which they may. */
function valueLike(change: Change, first: Value | null): Value | null {
  switch (change.kind) {
    case "lost":
      return change.value;
    case "remade":
      return change.lost;
    case "induction":
      return variesByLane(change.step) ? null : first;
    case "parts":
      return null;
  }
}

function hasChanged(before: Value | undefined, after: Value | undefined): boolean {
  return before === undefined || after === undefined || !sameValue(before, after);
}

function remadeOf({ slot, change }: CarriedVariable): CarriedVariable {
  return { slot, change: change.kind === "lost" ? { kind: "remade", lost: change.value } : change };
}

/** The variables at the start of the trip of that number, counted from `start`. */
export function withTrip(
  start: ReadonlyMap<number, Value>,
  carried: Carried,
  trip: Linear,
): Map<number, Value> {
  const slots = mapCopy(start);
  for (const { slot, change } of carried.variables) {
    const value = start.get(slot);
    if (value) slots.set(slot, moved(value, change, trip));
    else if (change.kind === "lost") slots.set(slot, change.value);
  }
  return slots;
}

/** The variables behind a loop that made that many trips. */
export function behindTrips(
  start: ReadonlyMap<number, Value>,
  carried: Carried,
  trips: Linear,
): Map<number, Value> {
  const slots = withTrip(start, carried, trips);
  for (const { slot, change } of carried.variables)
    if (change.kind === "remade") slots.set(slot, change.lost);
  return slots;
}

function moved(value: Value, change: Change, trip: Linear): Value {
  switch (change.kind) {
    case "lost":
      return change.value;
    case "remade":
      return value;
    case "induction": {
      const distance = multiply(change.step, trip);
      if (!distance) return unknownValue("a loop", { varies: true, dependsOnData: false });
      if (value.kind === "linear") return add(value, distance);
      if (value.kind === "pointer") return { ...value, offset: add(value.offset, distance) };
      return value;
    }
    case "parts": {
      if (value.kind !== "aggregate") return value;
      const cells = new Map<number, Cell>(value.cells);
      for (const [offset, part] of change.parts) {
        const cell = cells.get(offset);
        if (cell) cells.set(offset, { type: cell.type, value: moved(cell.value, part.change, trip) });
        else if (part.change.kind === "lost")
          cells.set(offset, { type: part.type, value: part.change.value });
      }
      return { ...value, cells };
    }
  }
}

/** The value with a fresh symbol in place of every integer and offset. */
function withPlaceholders(machine: Machine, value: Value, placeholders: Map<number, Indeterminate>): Value {
  if (value.kind === "linear") return symbolic(placeholder(machine, variesByLane(value), placeholders));
  if (value.kind === "pointer")
    return {
      ...value,
      offset: add(value.offset, symbolic(placeholder(machine, variesByLane(value), placeholders))),
    };
  if (value.kind === "aggregate") {
    const cells = new Map<number, Cell>();
    for (const [offset, cell] of value.cells)
      cells.set(offset, { type: cell.type, value: withPlaceholders(machine, cell.value, placeholders) });
    return { ...value, cells };
  }
  if (value.kind === "floats")
    return unknownValue("a loop", { varies: variesByLane(value), dependsOnData: false });
  return value;
}

function placeholder(
  machine: Machine,
  varies: boolean,
  placeholders: Map<number, Indeterminate>,
): Indeterminate {
  const symbol = machine.symbols.create({
    name: "a loop",
    role: "derived",
    varies,
    least: -Infinity,
    most: Infinity,
    reason: changedByLoop,
  });
  placeholders.set(symbol.id, symbol);
  return symbol;
}

function changeOf(
  machine: Machine,
  first: Value,
  held: Value,
  now: Value,
  isBornWithin: (symbol: Indeterminate) => boolean,
): Change {
  if (held.kind === "linear" && now.kind === "linear")
    return stepOf(machine, first, held, now, now, isBornWithin);
  if (held.kind === "pointer" && now.kind === "pointer" && isSameObject(held.object, now.object))
    return stepOf(machine, first, held.offset, now.offset, now, isBornWithin);
  if (first.kind === "aggregate" && held.kind === "aggregate" && now.kind === "aggregate")
    return partsOf(machine, first, held, now, isBornWithin);
  return lost(machine, first, now);
}

function stepOf(
  machine: Machine,
  first: Value,
  held: Linear,
  now: Linear,
  value: Value,
  isBornWithin: (symbol: Indeterminate) => boolean,
): Change {
  const step = subtract(now, held);
  const isFree = step.terms.every((term) => term.factors.every((factor) => !isBornWithin(factor)));
  return isFree ? { kind: "induction", step } : lost(machine, first, value);
}

function partsOf(
  machine: Machine,
  first: AggregateValue,
  held: AggregateValue,
  now: AggregateValue,
  isBornWithin: (symbol: Indeterminate) => boolean,
): Change {
  const parts = new Map<number, { type: Type; change: Change }>();
  for (const [offset, cell] of held.cells) {
    const later = now.cells.get(offset);
    const original = first.cells.get(offset);
    if (!later || !original) return lost(machine, first, now);
    parts.set(offset, {
      type: cell.type,
      change: changeOf(machine, original.value, cell.value, later.value, isBornWithin),
    });
  }
  for (const [offset, { type, value }] of now.cells)
    if (!held.cells.has(offset)) parts.set(offset, { type, change: firstWritten(machine, value) });
  return { kind: "parts", parts };
}

/** A value of which nothing can be said from trip to trip. What nobody knew before is no loss. */
function lost(machine: Machine, first: Value | null, now: Value | null): Extract<Change, { kind: "lost" }> {
  const options = {
    varies: now === null || variesByLane(now) || (first !== null && variesByLane(first)),
    dependsOnData: (now !== null && dependsOnMemory(now)) || (first !== null && dependsOnMemory(first)),
  };
  const reason = reasonOfLoss([first, now]);
  if (first?.kind === "unknown" && now?.kind === "unknown")
    return { kind: "lost", value: { ...now, ...options }, isHarmless: true };
  // An integer that data decided before any of these trips: nothing more is lost of it.
  if (first?.kind === "linear")
    return {
      kind: "lost",
      value: unknownOfType(machine, int32, reason, options),
      isHarmless: dependsOnMemory(first),
    };
  // Wherever in its array a pointer is moved to, the array lies in the same memory, and lanes that moved alike point to one place. Where in a
  // sector that is, nobody knows, as of what data decide.
  if (first?.kind === "pointer" && now?.kind === "pointer" && isSameObject(first.object, now.object)) {
    const offset = unknownOfType(machine, int32, reason, { ...options, dependsOnData: true });
    if (offset.kind === "linear") return { kind: "lost", value: { ...first, offset }, isHarmless: false };
  }
  if (first?.kind === "pointer" || first?.kind === "predicate")
    return {
      kind: "lost",
      value: unknownOfType(
        machine,
        first.kind === "pointer" ? { kind: "pointer", target: { kind: "void" } } : { kind: "boolean" },
        reason,
        options,
      ),
      isHarmless: false,
    };
  if (first?.kind === "aggregate")
    return {
      kind: "lost",
      value: { kind: "aggregate", cells: new Map(), rest: unknownValue(reason, options) },
      isHarmless: false,
    };
  return { kind: "lost", value: unknownValue(reason, options), isHarmless: first?.kind === "unknown" };
}

/** A value that was none before the loop: nothing is lost of it, and the next trip finds what this one left. */
function firstWritten(machine: Machine, now: Value): Change {
  const { value } = lost(machine, now, now);
  return { kind: "lost", value, isHarmless: true };
}

/** The memory contents that it comes from where it comes from such: whoever reads the reason knows them by name. */
function reasonOfLoss(values: readonly (Value | null)[]): string {
  const forms = values.flatMap((value) =>
    value?.kind === "linear" ? [value] : value?.kind === "pointer" ? [value.offset] : [],
  );
  const data = factorsOf(forms).filter(({ role }) => role === "data");
  return data.length > 0 ? nameOf(data) : changedByLoop;
}

function isFoldable(change: Change): boolean {
  if (change.kind === "parts") return [...change.parts.values()].every((part) => isFoldable(part.change));
  return change.kind === "induction" || change.kind === "remade" || change.isHarmless;
}
