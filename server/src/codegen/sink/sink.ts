// Fourth pass: a load whose value is used under one branch alone moves there, if nothing between could change what it reads.
import type { Expression, Load } from "../../ir/expression.ts";
import type { Evaluate, If, Loop, Statement } from "../../ir/statement.ts";
import { isCopiedByLlvm } from "../loops/copies.ts";
import { entersSurely } from "../loops/entry.ts";
import { mapLists, mapStatements, withWays } from "../walks/rebuild.ts";
import { forEachExpression, forEachExpressionOf, hasLists, isPure, partsOf } from "../walks/walk.ts";
import { loadOf } from "./computations.ts";
import { isSelection } from "./selections.ts";
import { clobbers, type Summaries, summaryOf } from "./summaries.ts";

/** The statements with such loads moved down to their first use, and into the branch that alone uses them. */
export function sinkLoads(list: readonly Statement[], summaries: Summaries): readonly Statement[] {
  return sinkIn(list, summaries);
}

function sinkIn(list: readonly Statement[], context: Summaries): readonly Statement[] {
  let current = list;
  // What moves goes into a branch, or behind a place where control may leave: nothing does that has neither behind it.
  for (let index = list.findLastIndex(mayPart) - 1; index >= 0; index--) {
    const statement = current[index];
    const load = statement && loadOf(statement);
    if (statement?.kind === "evaluate" && load) current = sinkOne(current, index, statement, load, context);
  }
  return mapStatements(current, (statement) =>
    hasLists(statement) ? mapLists(statement, (inner) => sinkIn(inner, context)) : statement,
  );
}

function mayPart({ kind }: Statement): boolean {
  return kind === "if" || kind === "loop" || kind === "return" || kind === "break" || kind === "continue";
}

const maximumDistance = 400;

function sinkOne(
  list: readonly Statement[],
  index: number,
  statement: Evaluate,
  load: Load,
  context: Summaries,
): readonly Statement[] {
  const target = statement.expression.kind === "assign" ? statement.expression.place : null;
  if (target?.kind !== "variable") return list;
  const { id } = target.variable;
  const needed = summaryOf(statement, context).reads;
  for (let at = index + 1; at < list.length && at - index < maximumDistance; at++) {
    const next = list[at];
    if (!next) return list;
    const summary = summaryOf(next, context);
    if (summary.reads.has(id)) return placeAt(list, index, at, statement, id, context);
    if (clobbers(summary, load, needed, context.addresses)) return list;
  }
  return list;
}

/** Moves the load from `index` to just before `at`, or into the one branch of it that uses the value where nothing after does. */
function placeAt(
  list: readonly Statement[],
  index: number,
  at: number,
  statement: Evaluate,
  id: number,
  context: Summaries,
): readonly Statement[] {
  const user = list[at];
  const uses = (one: Statement) => summaryOf(one, context).reads.has(id);
  if (user?.kind === "if" && !readsVariable(user.condition, id) && !isSelection(user)) {
    const inTrue = user.whenTrue.some(uses);
    const inFalse = user.whenFalse.some(uses);
    const rest = list.slice(at + 1);
    if (inTrue !== inFalse && !rest.some(uses)) {
      const whenTrue = inTrue ? [statement, ...user.whenTrue] : user.whenTrue;
      const whenFalse = inFalse ? [statement, ...user.whenFalse] : user.whenFalse;
      return [
        ...list.slice(0, index),
        ...list.slice(index + 1, at),
        withWays(user, user.condition, whenTrue, whenFalse),
        ...rest,
      ];
    }
  }
  if (user?.kind === "loop" && !list.slice(at + 1).some(uses)) {
    const inFront = isGuardedLoop(user, list.slice(0, at), context)
      ? placeInFront(list, index, at, statement, user, id)
      : null;
    if (inFront) return inFront;
  }
  if (!list.slice(index + 1, at).some(mayLeave)) return list;
  return [...list.slice(0, index), ...list.slice(index + 1, at), statement, ...list.slice(at)];
}

/**
 * Moves a load that the loop alone uses right in front of the loop, under its condition: a warp that makes no trip loads nothing
 * (fixtures/programs/scalars_and_guards). null where every warp makes one, or where the condition itself uses the value.
 */
function placeInFront(
  list: readonly Statement[],
  index: number,
  at: number,
  load: Evaluate,
  loop: GuardedLoop,
  id: number,
): readonly Statement[] | null {
  const { condition } = loop;
  const between = list.slice(index + 1, at);
  if (readsVariable(condition, id)) return null;
  const guard = guardOf(loop, between.at(-1));
  const whenTrue = [load, ...(guard?.whenTrue ?? [])];
  return [
    ...list.slice(0, index),
    ...(guard ? between.slice(0, -1) : between),
    guardedBy(loop, whenTrue),
    ...list.slice(at),
  ];
}

/** The branch in front of a loop that has what moved under the loop's condition so far. */
export function guardOf({ condition }: Loop, last: Statement | undefined): If | null {
  return last?.kind === "if" && last.condition === condition && last.whenFalse.length === 0 ? last : null;
}

type GuardedLoop = Loop & { readonly condition: Expression };

/** The statements in front of the loop, under its condition. */
export function guardedBy({ condition, range }: GuardedLoop, whenTrue: readonly Statement[]): If {
  return { kind: "if", condition, whenTrue, whenFalse: [], range };
}

/**
 * Whether what a loop alone uses moves under its condition: lanes may make no trip, what was loaded does not decide which, and LLVM makes no
 * copies of the trips, which would be as many users (test/codegen/guarded-loops.test.ts).
 */
export function isGuardedLoop(
  loop: Loop,
  before: readonly Statement[],
  context: Summaries,
): loop is GuardedLoop {
  const { condition } = loop;
  if (!condition || !isPure(condition) || entersSurely(loop, before)) return false;
  return !hangsOnMemory(condition, before, context) && !isCopiedByLlvm(loop, context.countedFrom);
}

/** Whether the value hangs on what was loaded: whether a load moved under such a condition is made, nobody could tell. */
function hangsOnMemory(value: Expression, before: readonly Statement[], context: Summaries): boolean {
  const ids = new Set<number>();
  forEachExpression(value, (node) => {
    if (node.kind === "load" && node.place.kind === "variable") ids.add(node.place.variable.id);
  });
  for (const statement of before.toReversed()) {
    const { assigned, reads } = summaryOf(statement, context);
    if (!meet(assigned, ids)) continue;
    if (loadsMemory(statement)) return true;
    for (const id of reads) ids.add(id);
  }
  return false;
}

function meet(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  for (const id of few) if (many.has(id)) return true;
  return false;
}

function loadsMemory(statement: Statement): boolean {
  let loads = false;
  forEachExpressionOf([statement], (node) => {
    if (node.kind === "load" && node.place.kind === "memory") loads = true;
  });
  return loads;
}

/** Whether control may leave in it, so that a load behind it has fewer lanes. */
function mayLeave(statement: Statement): boolean {
  if (statement.kind === "return" || statement.kind === "break" || statement.kind === "continue") return true;
  return statement.kind === "if" && partsOf(statement).lists.some((list) => list.some(mayLeave));
}

function readsVariable(expression: Expression, id: number): boolean {
  let reads = false;
  forEachExpression(expression, (node) => {
    if (
      (node.kind === "load" || node.kind === "address") &&
      node.place.kind === "variable" &&
      node.place.variable.id === id
    )
      reads = true;
  });
  return reads;
}
