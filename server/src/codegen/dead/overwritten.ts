// What is assigned to parts of variables and overwritten before anybody reads it (`v = *p; v.x = 1;`).
import type { Expression, Place } from "../../ir/expression.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { mapFromEnd, mapLists, withWays } from "../walks/rebuild.ts";
import { forEachExpression, hasLists, isRemovable } from "../walks/walk.ts";
import type { WrittenTwice } from "./written-twice.ts";

/** Bytes of an automatic variable. */
interface VariablePart {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** By id of a variable, the parts of it that are assigned before anybody reads them. */
type CoveredParts = Map<number, VariablePart[]>;

/**
 * What is assigned to a part of a variable is dropped where a later one covers it before it is read (`v = *p; v.x = 1;`), or both ways of a
 * branch do (`v = *p; if (c) v = 1; else v = 2;`).
 */
export function withoutOverwritten(list: readonly Statement[], written: WrittenTwice): readonly Statement[] {
  return written.variables.size === 0 ? list : withoutOverwrittenIn(list, written, new Map());
}

/** `covered`: what is assigned behind the list before it is read; at the end, what is from its start on. */
function withoutOverwrittenIn(
  list: readonly Statement[],
  written: WrittenTwice,
  covered: CoveredParts,
): readonly Statement[] {
  return mapFromEnd(list, (statement) => {
    if (statement.kind === "if") return withoutOverwrittenInWays(statement, written, covered);
    if (statement.kind === "evaluate") {
      const { expression } = statement;
      const part = expression.kind === "assign" ? partOf(expression.place, written) : null;
      if (part && expression.kind === "assign" && isRemovable(expression.value) && isCovered(part, covered))
        return null;
      if (part) cover(part, covered);
      // What an assignment reads it reads before it assigns.
      if (covered.size > 0) forEachExpression(expression, uncoverRead, covered);
      return statement;
    }
    if (statement.kind !== "declare" || statement.initializer !== null) covered.clear();
    return hasLists(statement)
      ? mapLists(statement, (inner) => withoutOverwritten(inner, written))
      : statement;
  });
}

function withoutOverwrittenInWays(branch: If, written: WrittenTwice, covered: CoveredParts): If {
  const inTrue = new Map(covered);
  const inFalse = new Map(covered);
  const whenTrue = withoutOverwrittenIn(branch.whenTrue, written, inTrue);
  const whenFalse = withoutOverwrittenIn(branch.whenFalse, written, inFalse);
  covered.clear();
  for (const [id, parts] of inTrue) {
    const inBoth = parts.filter((part) => isCovered(part, inFalse));
    if (inBoth.length > 0) covered.set(id, inBoth);
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

function isCovered({ id, start, end }: VariablePart, covered: CoveredParts): boolean {
  return covered.get(id)?.some((later) => later.start <= start && end <= later.end) === true;
}

function cover(part: VariablePart, covered: CoveredParts): void {
  const known = covered.get(part.id);
  covered.set(part.id, known === undefined ? [part] : [...known, part]);
}

/** Takes out what the expression reads. */
function uncoverRead(node: Expression, covered: CoveredParts): void {
  if ((node.kind !== "load" && node.kind !== "address") || node.place.kind !== "variable") return;
  const { variable, offsetBytes: start, type } = node.place;
  const parts = covered.get(variable.id);
  if (parts === undefined) return;
  const end = start + (sizeOf(type) ?? 0);
  // By its address any part of it may be read.
  const kept = node.kind === "address" ? [] : parts.filter((part) => part.end <= start || end <= part.start);
  if (kept.length === 0) covered.delete(variable.id);
  else covered.set(variable.id, kept);
}
