// What a load that may move leaves in variables, and which statements read it.
import type { Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { alignmentOf, isScalar, sizeOf } from "../../ir/type.ts";
import { someExpression, someExpressionOf } from "../walks/walk.ts";
import { type Summaries, summaryOf } from "./summaries.ts";

/** What the moved statements set. */
export interface Held {
  /** The variables. */
  readonly ids: ReadonlySet<number>;
  /** The bytes of the variable that was loaded, where it is a record: those of others have loads of their own. */
  readonly window: Window | null;
}

interface Window {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

const vectorBytes = 16;

/**
 * The bytes that LLVM loads with a member of a record that is copied whole: a vector as large as the record's alignment, or the member alone
 * (fixtures/forms/record_members).
 */
export function windowOf(statement: Statement): Window | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place } = statement.expression;
  if (place.kind !== "variable" || isScalar(place.variable.type)) return null;
  const bytes = sizeOf(place.type);
  const alignment = alignmentOf(place.variable.type);
  if (bytes === null || alignment === null) return null;
  const width = Math.max(bytes, Math.min(alignment, vectorBytes));
  const start = place.offsetBytes - (place.offsetBytes % width);
  return { id: place.variable.id, start, end: start + width };
}

/** Whether the statement, or one below it, reads what is held. */
export function readsHeld(statement: Statement, held: Held, context: Summaries): boolean {
  const { reads } = summaryOf(statement, context);
  for (const id of held.ids)
    if (reads.has(id))
      return held.window === null || someExpressionOf([statement], (node) => isReadOf(node, held));
  return false;
}

/** Whether the expression reads what is held. */
export function valueReadsHeld(value: Expression, held: Held): boolean {
  return someExpression(value, (node) => isReadOf(node, held));
}

function isReadOf(node: Expression, { ids, window }: Held): boolean {
  if ((node.kind !== "load" && node.kind !== "address") || node.place.kind !== "variable") return false;
  const { variable, offsetBytes, type } = node.place;
  if (!ids.has(variable.id)) return false;
  if (window === null || variable.id !== window.id || node.kind === "address") return true;
  const bytes = sizeOf(type);
  return bytes === null || (offsetBytes < window.end && offsetBytes + bytes > window.start);
}
