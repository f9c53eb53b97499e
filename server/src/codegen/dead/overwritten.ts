// What is assigned to parts of variables and overwritten (`v = *p; v.x = 1;`) or gone before anybody reads it.
import type { Expression, Place, VariablePlace } from "../../ir/expression.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { type Changes, JournalMap, keysOf } from "../walks/journal.ts";
import { mapFromEnd, mapLists, withWays } from "../walks/rebuild.ts";
import { forEachExpression, hasLists, isRemovable } from "../walks/walk.ts";
import type { WrittenTwice } from "./written-twice.ts";

/** Bytes of an automatic variable. */
interface VariablePart {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** By id of a variable, the parts of it that nobody reads any more, or not before they are assigned. */
type CoveredParts = JournalMap<readonly VariablePart[]>;

/**
 * What is assigned to a part of a variable of the function with this body is dropped where a later one covers it before it is read
 * (`v = *p; v.x = 1;`), both ways of a branch do (`v = *p; if (c) v = 1; else v = 2;`), or the function ends before (a sum that the last of
 * the unrolled trips adds to for nobody; cases last_values/runningSum, runningSumOfTrip).
 */
export function withoutOverwritten(body: readonly Statement[], written: WrittenTwice): readonly Statement[] {
  if (written.variables.size === 0) return body;
  const covered: CoveredParts = new JournalMap();
  for (const id of written.variables) coverWhole(id, covered);
  return withoutOverwrittenIn(body, written, covered);
}

/** `covered`: what nobody reads behind the list before it is assigned; at the end, what is so from its start on. */
function withoutOverwrittenIn(
  list: readonly Statement[],
  written: WrittenTwice,
  covered: CoveredParts,
): readonly Statement[] {
  // What the list declares ends with it.
  for (const statement of list) if (statement.kind === "declare") coverWhole(statement.variable.id, covered);
  return mapFromEnd(list, (statement) => {
    if (statement.kind === "if") return withoutOverwrittenInWays(statement, written, covered);
    if (statement.kind === "evaluate") {
      const { expression } = statement;
      const part = expression.kind === "assign" ? partOf(expression.place, written) : null;
      if (
        part &&
        expression.kind === "assign" &&
        isRemovable(expression.value) &&
        isCovered(part, covered.get(part.id))
      )
        return null;
      if (part) cover(part, covered);
      // What an assignment reads it reads before it assigns.
      if (covered.size > 0) forEachExpression(expression, uncoverRead, covered);
      return statement;
    }
    if (statement.kind === "block")
      return mapLists(statement, (inner) => withoutOverwrittenIn(inner, written, covered));
    if (statement.kind === "barrier" || (statement.kind === "declare" && statement.initializer === null))
      return statement;
    if (statement.kind === "loop") return withoutOverwrittenInTrips(statement, written, covered);
    covered.clear();
    return hasLists(statement)
      ? mapLists(statement, (inner) => withoutOverwrittenIn(inner, written, new JournalMap()))
      : statement;
  });
}

/** How often a loop is read again with less covered behind its trips. */
const maximumRounds = 4;

/**
 * Behind a trip stand the next one and what is behind the loop: what neither reads before it is assigned is covered there. It is first
 * thought that no trip reads what nothing behind the loop does, so that a sum is dropped of which only its own next trip would be read
 * (test/codegen/overwritten.test.ts), and then less of it while trips do.
 */
function withoutOverwrittenInTrips(loop: Loop, written: WrittenTwice, covered: CoveredParts): Loop {
  if (covered.size > 0) {
    if (loop.condition) forEachExpression(loop.condition, uncoverRead, covered);
    for (const step of loop.step) forEachExpression(step, uncoverRead, covered);
  }
  for (let round = 0; round < maximumRounds; round++) {
    const behindTrip = covered.mark();
    const body = withoutOverwrittenIn(loop.body, written, covered);
    const inTrip = covered.takeBack(behindTrip);
    if (!uncoverRest(inTrip, covered)) {
      if (loop.test === "bottom") covered.apply(inTrip);
      return body === loop.body ? loop : { ...loop, body };
    }
  }
  covered.clear();
  const body = withoutOverwrittenIn(loop.body, written, new JournalMap());
  return body === loop.body ? loop : { ...loop, body };
}

/** Takes out what is not covered at the start of a trip too; whether there was any. */
function uncoverRest(inTrip: Changes<readonly VariablePart[]>, covered: CoveredParts): boolean {
  let wasAny = false;
  for (const [id, parts] of inTrip) {
    const known = covered.get(id);
    const kept = known?.filter((part) => isCovered(part, parts));
    if (!known || !kept || kept.length === known.length) continue;
    wasAny = true;
    if (kept.length === 0) covered.delete(id);
    else covered.set(id, kept);
  }
  return wasAny;
}

function withoutOverwrittenInWays(branch: If, written: WrittenTwice, covered: CoveredParts): If {
  const behindTrue = covered.mark();
  const whenTrue = withoutOverwrittenIn(branch.whenTrue, written, covered);
  const inTrue = covered.takeBack(behindTrue);
  const behindFalse = covered.mark();
  const whenFalse = withoutOverwrittenIn(branch.whenFalse, written, covered);
  const inFalse = covered.takeBack(behindFalse);
  for (const id of keysOf(inTrue, inFalse)) {
    const left = (inTrue.has(id) ? inTrue : covered).get(id) ?? [];
    const right = (inFalse.has(id) ? inFalse : covered).get(id);
    const inBoth = left.filter((part) => isCovered(part, right));
    if (inBoth.length > 0) covered.set(id, inBoth);
    else covered.delete(id);
  }
  if (covered.size > 0) forEachExpression(branch.condition, uncoverRead, covered);
  return withWays(branch, branch.condition, whenTrue, whenFalse);
}

function partOf(place: Place, { variables }: WrittenTwice): VariablePart | null {
  if (place.kind !== "variable" || !variables.has(place.variable.id)) return null;
  const { variable, offsetBytes: start } = place;
  const sizeBytes = sizeOf(place.type);
  return sizeBytes === null ? null : { id: variable.id, start, end: start + sizeBytes };
}

/** Whether one of `parts`, of the same variable, covers the part. */
function isCovered({ start, end }: VariablePart, parts: readonly VariablePart[] | undefined): boolean {
  return parts?.some((later) => later.start <= start && end <= later.end) === true;
}

function cover(part: VariablePart, covered: CoveredParts): void {
  const known = covered.get(part.id);
  covered.set(part.id, known === undefined ? [part] : [...known, part]);
}

function coverWhole(id: number, covered: CoveredParts): void {
  covered.set(id, [{ id, start: 0, end: Number.POSITIVE_INFINITY }]);
}

/** Takes out what the expression reads. */
function uncoverRead(node: Expression, covered: CoveredParts): void {
  if ((node.kind !== "load" && node.kind !== "address") || node.place.kind !== "variable") return;
  const { id } = node.place.variable;
  const parts = covered.get(id);
  if (parts === undefined) return;
  // By its address any part of it may be read.
  const kept = node.kind === "address" ? [] : partsBeside(node.place, parts);
  if (kept.length === 0) covered.delete(id);
  else covered.set(id, kept);
}

function partsBeside(
  { offsetBytes: start, type }: VariablePlace,
  parts: readonly VariablePart[],
): readonly VariablePart[] {
  const end = start + (sizeOf(type) ?? 0);
  return parts.filter((part) => part.end <= start || end <= part.start);
}
