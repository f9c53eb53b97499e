// A load behind a loop at a place where each trip ends with a store, and whose value is known in front of the loop: LLVM has it in a register on both
// ways, and loads nothing (`s[t] = v; for (…) { __syncthreads(); …; s[t] = x; } return s[t];`).
import type { Assign, Load } from "../../ir/expression.ts";
import type { Evaluate, Loop, Statement } from "../../ir/statement.ts";
import { sameType } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { isSamePlace } from "../addresses/alias.ts";
import { passOn } from "../walks/facts.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { leaves } from "../walks/jumps.ts";
import { mapLists, withExpression, withStored } from "../walks/rebuild.ts";
import { assignedVariables, readsAny } from "../walks/walk.ts";
import {
  type HeldLoad,
  isLoad,
  isStoreAt,
  isStraight,
  mayTouchMemory,
  type StoredOptions,
  touchOf,
} from "./stored-for-next.ts";
import { overwrites, type Touch, touchesOf } from "./touches.ts";

/** The statements with such loads as reads of what the loop has left, in every list. */
export function withStoredBehind(list: readonly Statement[], options: StoredOptions): readonly Statement[] {
  let result = list.map((statement) => mapLists(statement, (one) => withStoredBehind(one, options)));
  for (let at = result.length - 1; at >= 0; at--) {
    const loop = result[at];
    if (loop?.kind === "loop") result = withoutLoadBehind(result, at, loop, options) ?? result;
  }
  return result;
}

function withoutLoadBehind(
  list: readonly Statement[],
  at: number,
  loop: Loop,
  options: StoredOptions,
): Statement[] | null {
  const { condition, body, step } = loop;
  if (condition === null || [condition, ...step].some(mayTouchMemory) || leaves(body)) return null;
  for (const [index, load] of list.slice(at + 1).entries()) {
    if (!isStraight(load)) return null;
    const without = isLoad(load) ? withoutLoadAt(list, at, loop, load, at + 1 + index, options) : null;
    if (without) return without;
  }
  return null;
}

function withoutLoadAt(
  list: readonly Statement[],
  at: number,
  loop: Loop,
  load: HeldLoad,
  loadAt: number,
  options: StoredOptions,
): Statement[] | null {
  const { body, step } = loop;
  const { value } = load.expression;
  const place = touchOf(value, options);
  const changing = [...list.slice(at + 1, loadAt), ...body];
  if (!place || readsAny(value, assignedVariables(changing, step))) return null;
  const storeAt = body.findLastIndex((one) => isStoreAt(one, place, options));
  const knownAt = list.slice(0, at).findLastIndex((one) => holds(one, place, options));
  const [known, store] = [list[knownAt], body[storeAt]];
  if (!known || !store || !isOfType(known, value) || !isOfType(store, value)) return null;
  if (readsAny(value, assignedVariables(list.slice(knownAt, at)))) return null;
  const between = [...list.slice(knownAt + 1, at), ...body.slice(storeAt + 1), ...list.slice(at + 1, loadAt)];
  if (!between.every(isStraight)) return null;
  if (touchesOf(between, options.addresses).some((one) => overwrites(one, place))) return null;
  const held = options.fresh.temporary(value.type, "held");
  const inLoop: Loop = { ...loop, body: body.toSpliced(storeAt, 1, ...keeping(store, held, options)) };
  const read = withExpression(load, withStored(load.expression, load.expression.place, readOf(held)));
  return list.flatMap((one, index) => {
    if (index === knownAt) return keeping(known, held, options);
    if (index === at) return [inLoop];
    return [index === loadAt ? read : one];
  });
}

/** Whether what lies at the place is in a register behind the statement. */
function holds(statement: Statement, place: Touch, options: StoredOptions): boolean {
  if (isStoreAt(statement, place, options)) return true;
  const loaded = isLoad(statement) ? touchOf(statement.expression.value, options) : null;
  return loaded !== null && isSamePlace(loaded, place);
}

function isOfType(
  statement: Statement,
  { type }: Load,
): statement is Evaluate & { readonly expression: Assign } {
  return (
    statement.kind === "evaluate" &&
    statement.expression.kind === "assign" &&
    sameType(statement.expression.value.type, type)
  );
}

/** The statement with the value that it stores or loads in the variable. */
function keeping(
  statement: Evaluate & { readonly expression: Assign },
  held: Variable,
  options: StoredOptions,
): readonly Statement[] {
  const { expression, range } = statement;
  const changed = withStored(expression, expression.place, readOf(held));
  passOn(expression, changed, options);
  return [assignment(placeOf(held), expression.value, range), withExpression(statement, changed)];
}
