// What a trip of a loop adds to its variables, and what that leaves open.
import type { AccessSite, Expression, VariablePlace } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { likeSite } from "../walks/rebuild.ts";
import {
  assignedVariables,
  forEachExpression,
  forEachExpressionIn,
  forEachStatement,
  someExpression,
} from "../walks/walk.ts";
import { type Address, type Addressing, idOfKey, type Values } from "./address.ts";
import { constantLinear, type Linear } from "./linear.ts";

const noChange = constantLinear(0);

export interface Change {
  /** What the variable holds before the first trip. */
  readonly start: Linear;
  /** A power of two that divides what a whole trip adds. */
  readonly divisor: number;
  readonly isPointer: boolean;
  /** What every trip adds: a sum that no trip changes; null where there is none. */
  readonly advance: Linear | null;
  /** Whether all that is added are numbers: a pointer stays within its array. */
  readonly addsNumbers: boolean;
  /** Whether a trip works with a copy and moves the variable on before: `*p++`. */
  readonly isMovedFirst: boolean;
}

/** By variable id, what a trip of the loop does to variables, of which `values` has what they hold before it. */
export function inductionChanges(
  statement: Loop,
  addressing: Addressing,
  values: Values,
): ReadonlyMap<number, Change> {
  const { linears } = addressing;
  const changes = new Map<number, Change>();
  const totals = new Map<number, { start: Linear; isPointer: boolean; advance: Linear }>();
  const assigned = assignedVariables(statement.body, statement.step);
  const declared = declaredIn(statement.body);
  const moves: Move[] = [];
  const copies = new Map<number, Copy>();
  const movedFirst = new Set<number>();
  const inTrip: Values = {
    get: (key) => copies.get(idOfKey(key))?.value ?? values.get(key),
  };
  // Of what the loop assigns, the value before the first trip says nothing of later trips: `len <<= 1` adds 1 to 1, and then 2.
  const inAnyTrip: Values = {
    get: (key) => (assigned.has(idOfKey(key)) ? undefined : values.get(key)),
  };
  const unfollowed = new Set<number>();
  const startOf = (place: VariablePlace): Linear => addressing.linearOf(loadOf(place), values);
  /** What a place holds in the midst of a trip, if it was moved on in straight code alone. */
  const nowOf = (place: VariablePlace): Linear =>
    linears.sum(startOf(place), totals.get(place.variable.id)?.advance ?? noChange);
  const limit = (id: number, change: Omit<Change, "isMovedFirst">) => {
    const { start, divisor, isPointer, advance, addsNumbers } = change;
    const known = changes.get(id);
    changes.set(id, {
      start,
      divisor: Math.min(known?.divisor ?? 2 ** 30, divisor),
      isPointer,
      advance: known ? null : advance,
      addsNumbers: addsNumbers && known?.addsNumbers !== false,
      isMovedFirst: movedFirst.has(id),
    });
  };
  const visit = (expression: Expression, isInEveryTrip: "always" | "perhaps"): void => {
    if (expression.kind !== "assign" || expression.place.kind !== "variable") return;
    const { variable, offsetBytes } = expression.place;
    const from = movedFrom(expression.value);
    copies.delete(variable.id);
    const isPointerMoved = expression.place.type.kind === "pointer" && isInEveryTrip === "always";
    if (from !== null && offsetBytes === 0 && isPointerMoved)
      copies.set(variable.id, { of: from.variable.id, value: nowOf(from) });
    if (offsetBytes !== 0 || variable.range === null) {
      unfollowed.add(variable.id);
      return;
    }
    if (from !== null && from.variable.id !== variable.id && assigned.has(from.variable.id)) {
      moves.push({ to: expression.place, from });
      return;
    }
    const start = startOf(expression.place);
    const copied = copyIn(expression.value, variable.id, copies);
    if (copied !== null) movedFirst.add(variable.id);
    const change =
      copied === null
        ? linears.difference(
            addressing.linearOf(expression.value, inAnyTrip),
            readCount(expression.value, variable.id) === 0
              ? start
              : addressing.linearOf(loadOf(expression.place), inAnyTrip),
          )
        : linears.difference(addressing.linearOf(expression.value, inTrip), nowOf(expression.place));
    const isPointer = variable.type.kind === "pointer";
    const addsNumbers = change !== null && linears.baseAtomOf(change) === null;
    if (
      change &&
      isInEveryTrip === "always" &&
      readsItselfAlone(expression.value, copied ?? variable.id, assigned)
    ) {
      const sum = totals.get(variable.id);
      const advance = sum ? linears.sum(sum.advance, change) : change;
      totals.set(variable.id, { start, isPointer, advance });
    } else {
      const divisor = change ? linears.divisorOf(change) : 1;
      limit(variable.id, { start, divisor, isPointer, advance: null, addsNumbers });
    }
  };
  for (const one of statement.body) {
    if (one.kind === "evaluate") visit(one.expression, "always");
    else forEachExpressionIn(one, (expression) => visit(expression, "perhaps"));
  }
  for (const step of statement.step) forEachExpression(step, (expression) => visit(expression, "always"));
  for (const [id, { start, isPointer, advance }] of totals) {
    const addsNumbers = linears.baseAtomOf(advance) === null;
    limit(id, { start, divisor: linears.divisorOf(advance), isPointer, advance, addsNumbers });
  }
  const moved = new Set(moves.map(({ to }) => to.variable.id));
  for (const group of groupsOf(moves)) {
    const divisors = [...group.values()].map((place) => {
      const { id } = place.variable;
      if (unfollowed.has(id)) return 1;
      const ofStart = declared.has(id) ? Infinity : linears.divisorOf(startOf(place));
      return Math.min(ofStart, changes.get(id)?.divisor ?? Infinity);
    });
    const divisor = Math.min(2 ** 30, ...divisors);
    for (const [id, place] of group)
      if (moved.has(id))
        changes.set(id, {
          start: startOf(place),
          divisor,
          isPointer: place.type.kind === "pointer",
          advance: null,
          addsNumbers: false,
          isMovedFirst: false,
        });
  }
  return changes;
}

/** What one variable of a loop is given of another, as where two pointers change places after each trip. */
interface Move {
  readonly to: VariablePlace;
  readonly from: VariablePlace;
}

/** What a trip keeps of a variable that it then moves on: `*p++`. */
interface Copy {
  readonly of: number;
  readonly value: Linear;
}

/** The variable that the expression reads as a copy of the one it is assigned to. */
function copyIn(value: Expression, id: number, copies: ReadonlyMap<number, Copy>): number | null {
  let found: number | null = null;
  if (copies.size === 0) return found;
  forEachExpression(value, (node) => {
    if (node.kind !== "load" || node.place.kind !== "variable") return;
    const read = node.place.variable.id;
    if (copies.get(read)?.of === id) found = read;
  });
  return found;
}

/** The variable whose value it is; null where it is anything else. */
function movedFrom(value: Expression): VariablePlace | null {
  if (value.kind === "convert" && value.type.kind === "pointer" && value.operand.type.kind === "pointer")
    return movedFrom(value.operand);
  const isWhole = value.kind === "load" && value.place.kind === "variable" && value.place.offsetBytes === 0;
  return isWhole ? value.place : null;
}

/** By id, the variables among which values move: whatever one of them holds, another may hold in a later trip (forms/chosen_steps mergedSwapped). */
function groupsOf(moves: readonly Move[]): readonly ReadonlyMap<number, VariablePlace>[] {
  const groupOf = new Map<number, Map<number, VariablePlace>>();
  for (const { to, from } of moves) {
    const ofTo = groupOf.get(to.variable.id);
    const ofFrom = groupOf.get(from.variable.id);
    const [few, many] = (ofTo?.size ?? 0) < (ofFrom?.size ?? 0) ? [ofTo, ofFrom] : [ofFrom, ofTo];
    const group = many ?? new Map<number, VariablePlace>();
    if (few && few !== group)
      for (const [id, place] of few) {
        group.set(id, place);
        groupOf.set(id, group);
      }
    for (const place of [to, from]) {
      group.set(place.variable.id, place);
      groupOf.set(place.variable.id, group);
    }
  }
  return [...new Set(groupOf.values())];
}

function declaredIn(body: readonly Statement[]): ReadonlySet<number> {
  const declared = new Set<number>();
  forEachStatement(body, (statement) => {
    if (statement.kind === "declare") declared.add(statement.variable.id);
  });
  return declared;
}

function loadOf(place: VariablePlace): Expression {
  return { kind: "load", type: place.type, place, site: null };
}

/** How often the expression reads the variable. */
function readCount(expression: Expression, id: number): number {
  let count = 0;
  forEachExpression(expression, (node) => {
    if (node.kind === "load" && node.place.kind === "variable" && node.place.variable.id === id) count++;
  });
  return count;
}

/** Whether the expression reads the variable once, and all else that it reads stays as it is in the loop: a variable that is set anew does not move on. */
function readsItselfAlone(expression: Expression, id: number, assigned: ReadonlySet<number>): boolean {
  const readsOther = someExpression(
    expression,
    (node) =>
      node.kind === "load" &&
      (node.place.kind === "memory" ||
        (node.place.variable.id !== id && assigned.has(node.place.variable.id))),
  );
  return !readsOther && readCount(expression, id) === 1;
}

/** nvcc unrolls loops of unknown trips too, by factors that hang on their size: neighbours in successive trips may become vectors. */
export function notedSite(site: AccessSite | null, address: Address, bytes: number): AccessSite | null {
  const { trip } = address;
  if (!site || site.isVolatile || !trip || address.space !== "shared" || bytes > 8) return site;
  // The rounds of known trips are as the copies say, unless the last ends early: then ptxas may make the first by itself (unrolling/oddTrips).
  if (trip.copies?.lastRound === "whole") return site;
  const strideBytes = trip.strideBytes / (trip.copies?.count ?? 1);
  const isInVector = trip.startAlignment >= bytes * 2 || startsBeforeVector(trip, bytes);
  if (Math.abs(strideBytes) !== bytes || !isInVector) return site;
  return likeSite(site, {
    uncertain: "loads-vectors",
  });
}

/** Whether a vector starts at the second trip's word: the first's is the last of one. */
function startsBeforeVector(
  { startConstant, startModulus, strideBytes }: NonNullable<Address["trip"]>,
  bytes: number,
): boolean {
  return strideBytes > 0 && startModulus >= bytes * 4 && startConstant % (bytes * 2) === bytes;
}
