// Shared variables whose stores stay although registers hold all that is loaded: LLVM drops those of one that nobody reads before it
// forwards values past branches, loops and other stores (cases counted_in_accesses).
import type { Expression, MemoryPlace } from "../../ir/expression.ts";
import { expressionsOf, listsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import { withoutUnread } from "../../passes/adce/adce.ts";
import { isWrittenAlike } from "../walks/equal.ts";
import {
  assignedVariables,
  forEachExpression,
  readsAny,
  rootVariableOf,
  someExpression,
} from "../walks/walk.ts";

export interface Variables {
  readonly escaped: ReadonlySet<number>;
  readonly sharedVariables: readonly Variable[];
}

/** The ids of such variables: what of the `written` statements the `forwarded` ones no longer load, but for what is loaded right behind its store. */
export function keptArrays(
  written: readonly Statement[],
  forwarded: readonly Statement[],
  { escaped, sharedVariables }: Variables,
): ReadonlySet<number> {
  if (sharedVariables.length === 0) return new Set();
  const left = loadedIn(forwarded);
  const isGone = (id: number) => !left.has(id);
  if (![...loadedIn(written)].some(isGone)) return new Set();
  const loaded = loadedIn(withoutUnread(written, { escaped, arrays: new Set() }).body);
  return new Set([...loaded].filter(isGone));
}

/** The shared variables that are loaded other than right behind a store to the same place. */
function loadedIn(body: readonly Statement[]): ReadonlySet<number> {
  const found = new Set<number>();
  visit(body, found);
  return found;
}

function visit(list: readonly Statement[], found: Set<number>): void {
  let stored: MemoryPlace | null = null;
  let othersStored = 0;
  // LLVM knows without looking further that scalars lie apart (case bounds_in_memory/startAndEnd).
  let scalars: readonly MemoryPlace[] = [];
  for (const statement of list) {
    const held = stored ? [stored, ...scalars] : scalars;
    const isForwarded = held.some((place) => loadsPlace(statement, place));
    if (isForwarded) othersStored = 0;
    else for (const expression of expressionsOf(statement)) forEachExpression(expression, noteLoad, found);
    for (const inner of listsOf(statement)) visit(inner, found);
    if (statement.kind === "declare") continue;
    const assign =
      statement.kind === "evaluate" && statement.expression.kind === "assign" ? statement.expression : null;
    if (assign?.place.kind === "memory") {
      const { place } = assign;
      if (isPassed(place, othersStored)) othersStored++;
      else {
        stored = isSeenAgain(place.pointer) ? place : null;
        othersStored = 0;
        scalars = isScalar(place) ? [...scalars, place] : [];
      }
    } else if (!assign) {
      stored = null;
      scalars = [];
    } else if (stored !== null && readsAny(stored.pointer, assignedVariables([statement]))) stored = null;
  }
}

/**
 * Whether LLVM looks for a value past a store: to memory that is not shared, the first behind the value's own store or load, and by an index that
 * needs no arithmetic, for it looks no more than six instructions back (cases forwarded_past_stores).
 */
function isPassed({ pointer }: MemoryPlace, othersStored: number): boolean {
  if (othersStored > 0 || rootVariableOf(pointer)?.storage === "shared") return false;
  let operations = 0;
  forEachExpression(pointer, ({ kind }) => {
    if (kind === "binary") operations++;
  });
  return operations <= 1;
}

/** Whether the place is a variable by its name. */
function isScalar({ pointer }: MemoryPlace): boolean {
  return pointer.kind === "address" && pointer.place.kind === "variable";
}

/** Whether the statement does nothing but load from the place. */
function loadsPlace(statement: Statement, place: MemoryPlace): boolean {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return false;
  const { value } = statement.expression;
  return value.kind === "load" && value.place.kind === "memory" && isWrittenAlike(value.place, place);
}

/** Each reading of a thread's index is another number to LLVM as yet, unless a variable holds it. */
function isSeenAgain(pointer: Expression): boolean {
  return !someExpression(pointer, ({ kind }) => kind === "intrinsic");
}

function noteLoad(node: Expression, found: Set<number>): void {
  if (node.kind !== "load" || node.place.kind !== "memory") return;
  const variable = rootVariableOf(node.place.pointer);
  if (variable?.storage === "shared") found.add(variable.id);
}
