// A value that one branch alone uses is computed there, with the loads that it begins with: LLVM moves the whole computation down where
// that takes no more registers into the branch than the value did (fixtures/forms/guarded_values).
import type { Load } from "../../ir/expression.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import { holdsAsm } from "../linearise/asm-operations.ts";
import { isSelection } from "../linearise/selections.ts";
import { takesSlowPath } from "../linearise/slow-paths.ts";
import { isCopiedByLlvm } from "../loops/copies.ts";
import { isGuard } from "../walks/jumps.ts";
import { type ReadCounts, readCountsOf } from "../walks/read-counts.ts";
import { mapLists, mapStatements, withWays } from "../walks/rebuild.ts";
import { hasLists, isPure, readsAny } from "../walks/walk.ts";
import {
  type Computation,
  computationsOf,
  independentIn,
  loadOf,
  mentionsIn,
  registersOf,
} from "./computations.ts";
import { guardedBy, guardOf, isGuardedLoop, movedLoad } from "./sink.ts";
import { clobbers, type Summaries, type Summary, summaryOf } from "./summaries.ts";

export interface SinkOptions extends Summaries {
  /** Variables that take no register: parameters of a kernel. */
  readonly constants: ReadonlySet<number>;
}

interface Context extends SinkOptions {
  /** How often the whole body names each variable. */
  readonly mentions: () => ReadonlyMap<number, number>;
  readonly readCounts: ReadCounts;
  /** Loads of the list at hand that LLVM could move as well, by what is known of it. */
  readonly staying: Set<Statement>;
}

/** The statements with such computations moved into the branch, or behind the `return` that they were made in vain before. */
export function sinkValues(list: Statements, options: SinkOptions): Statements {
  let counted: ReadonlyMap<number, number> | null = null;
  const mentions = () => {
    counted ??= mentionsIn(list);
    return counted;
  };
  let reads: ReadonlyMap<number, number> | null = null;
  const readCounts = () => {
    reads ??= readCountsOf(list);
    return reads;
  };
  return sinkIn(list, { ...options, mentions, readCounts, staying: new Set() });
}

type Statements = readonly Statement[];

function sinkIn(list: Statements, options: Context): Statements {
  let current = list;
  if (!list.some(hasLists)) return list;
  const context = { ...options, staying: new Set<Statement>() };
  for (const branch of list.toReversed()) {
    if (branch.kind !== "if" && branch.kind !== "loop") continue;
    const at = current.indexOf(branch);
    // What only chooses between values is no branch to LLVM.
    if (branch.kind === "loop") current = sinkInFront(current, at, branch, context);
    else if (!isSelection(branch)) current = sinkInto(current, at, branch, context);
  }
  return mapStatements(current, (statement) => {
    if (context.staying.has(statement)) return movedLoad(statement, "loads-behind-branch", context);
    return hasLists(statement) ? mapLists(statement, (inner) => sinkIn(inner, context)) : statement;
  });
}

/** The list with what one way of the branch at `at` alone uses, or what is behind it where the other way leaves, moved there. */
function sinkInto(list: Statements, at: number, branch: If, context: Context): Statements {
  const { condition, whenTrue, whenFalse } = branch;
  const before = list.slice(0, at);
  const rest = list.slice(at + 1);
  const movedTo = (users: Statements, placed: (values: Statements) => Statements): Statements | null => {
    const values = users.length > 0 ? valuesFor(users, before, context) : [];
    if (users.length > 0) noteStaying(users, before, values, context);
    if (values.length === 0) return null;
    return [...before.filter((each) => !values.includes(each)), ...placed(values)];
  };
  return (
    movedTo(whenTrue, (values) => [
      withWays(branch, condition, [...values, ...whenTrue], whenFalse),
      ...rest,
    ]) ??
    movedTo(whenFalse, (values) => [
      withWays(branch, condition, whenTrue, [...values, ...whenFalse]),
      ...rest,
    ]) ??
    movedTo(isGuard(branch) ? rest : [], (values) => [branch, ...values, ...rest]) ??
    list
  );
}

/** The list with what the loop at `at` alone uses under the loop's condition. */
function sinkInFront(list: Statements, at: number, loop: Loop, context: Context): Statements {
  const guard = guardOf(loop, list[at - 1]);
  const before = list.slice(0, guard ? at - 1 : at);
  if (!hasLoadNear(before) || !isGuardedLoop(loop, before, context)) return list;
  const nearby = before.slice(-maximumDistance);
  const staying = isCopiedByLlvm(loop, context.countedFrom) ? nearby.filter(takesBranch) : [];
  const values = valuesFor(guard ? [guard, loop] : [loop], before, context, staying);
  const set = new Set(values.flatMap((each) => [...summaryOf(each, context).assigned]));
  if (values.length === 0 || readsAny(loop.condition, set)) return list;
  const kept = before.filter((each) => !values.includes(each));
  return [...kept, guardedBy(loop, [...values, ...(guard?.whenTrue ?? [])]), ...list.slice(at)];
}

/** Whether ptxas makes a branch of what the statement computes, and so leaves it where LLVM has it. */
function takesBranch(statement: Statement): boolean {
  return statement.kind === "evaluate" && takesSlowPath(statement.expression);
}

/** The statements before a branch that compute values for `users` alone, in their order, and that LLVM would move to them. */
function valuesFor(
  users: Statements,
  before: Statements,
  context: Context,
  slow: Statements = [],
): Statements {
  if (!hasLoadNear(before)) return [];
  const staying = new Set<Statement>(slow);
  for (;;) {
    const found = movable(users, before, staying, context);
    const worthy = computationsOf(found).filter((each) => isWorthMoving(each, users, context));
    const moving = new Set(worthy.flatMap(({ statements }) => statements));
    // What stays after all is in the way of the others.
    if (moving.size === 0 || moving.size === found.length) return before.filter((each) => moving.has(each));
    for (const each of found) if (!moving.has(each)) staying.add(each);
  }
}

const maximumDistance = 400;

/** Notes the loads of the block before a branch that stay, though the users alone need what is computed of them: LLVM may move some of those too. */
function noteStaying(users: Statements, before: Statements, moving: Statements, context: Context): void {
  if (!hasLoadNear(before)) return;
  const total = context.readCounts();
  const inSight = new Map(readCountsOf(users));
  for (const statement of before.slice(-maximumDistance).toReversed()) {
    if (statement.kind === "declare") continue;
    const { assigned, isFence } = summaryOf(statement, context);
    if (statement.kind !== "evaluate" || isFence) return;
    const isForUsers = (id: number) => total.get(id) === inSight.get(id);
    if (assigned.size === 0 || ![...assigned].every(isForUsers)) continue;
    for (const [id, count] of readCountsOf([statement])) inSight.set(id, (inSight.get(id) ?? 0) + count);
    if (loadOf(statement) && !moving.includes(statement)) context.staying.add(statement);
  }
}

/** Whether there is a load among what may move: without one, nothing does, and the users need not be read. */
function hasLoadNear(before: Statements): boolean {
  const first = Math.max(0, before.length - maximumDistance);
  for (let index = before.length - 1; index >= first; index--) {
    const statement = before[index];
    if (!statement) continue;
    if (loadOf(statement)) return true;
    if (statement.kind !== "evaluate" && statement.kind !== "declare" && !isComputed(statement)) return false;
  }
  return false;
}

/** What may move down past all that stays: of the basic block before the branch, what computes a value that the users, or what moves, read. */
function movable(
  users: Statements,
  before: Statements,
  staying: ReadonlySet<Statement>,
  context: Context,
): Statement[] {
  const wanted = new Set(users.flatMap((each) => [...summaryOf(each, context).reads]));
  const passed: Summary[] = [];
  const found: Statement[] = [];
  for (const statement of before.slice(-maximumDistance).toReversed()) {
    const summary = summaryOf(statement, context);
    const load = loadOf(statement);
    const isValue = (load !== null || isComputed(statement)) && !staying.has(statement);
    if (
      isValue &&
      isWanted(statement, summary, wanted) &&
      !passed.some((one) => isInTheWay(one, summary, load, context))
    ) {
      found.unshift(statement);
      if (!load) for (const id of summary.reads) wanted.add(id);
    } else if (statement.kind === "evaluate" && !summary.isFence) passed.push(summary);
    else if (statement.kind !== "declare") break;
  }
  return found;
}

/** Whether it sets variables, and none but such. */
function isWanted(statement: Statement, { assigned }: Summary, wanted: ReadonlySet<number>): boolean {
  const set = [...assigned].filter((id) => !isOwn(statement, id));
  return set.length > 0 && set.every((id) => wanted.has(id));
}

/** Whether a statement that stays keeps one before it from moving past. */
function isInTheWay(
  staying: Summary,
  { reads }: Summary,
  load: Load | null,
  { addresses }: Context,
): boolean {
  if (load) return clobbers(staying, load, reads, addresses);
  for (const id of staying.assigned) if (reads.has(id)) return true;
  return false;
}

/** Whether a branch declares the variable within. */
function isOwn(statement: Statement, id: number): boolean {
  if (statement.kind !== "if") return false;
  return [...statement.whenTrue, ...statement.whenFalse].some(
    (each) => each.kind === "declare" && each.variable.id === id,
  );
}

/** The most assignments under a condition that become selections. */
const maximumSelections = 4;

/**
 * Whether a statement computes what variables hold, of variables: an assignment, or a short branch of such, which LLVM makes selections; a
 * branch that jumps over a division or a root stays where it is (fixtures/forms/chosen_quotients). Arithmetic of halves it leaves where it
 * is, since CUDA's headers make it of `asm` (forms/narrow_scalars twoHalvesFma).
 */
function isComputed(statement: Statement): boolean {
  if (statement.kind === "evaluate") {
    const { expression } = statement;
    if (expression.kind !== "assign" || expression.place.kind !== "variable") return false;
    return isPure(expression.value) && !holdsAsm(expression.value);
  }
  if (statement.kind !== "if" || !isPure(statement.condition) || !isSelection(statement)) return false;
  const ways = [...statement.whenTrue, ...statement.whenFalse].filter(({ kind }) => kind !== "declare");
  return (
    ways.length <= maximumSelections && ways.every((each) => each.kind === "evaluate" && isComputed(each))
  );
}

/** Whether all of a computation may move, and takes no more registers into the branch than the one of its value. */
function isWorthMoving(computation: Computation, users: Statements, context: Context): boolean {
  const { statements, assigned } = computation;
  if (!statements.some((each) => loadOf(each))) return false;
  const total = context.mentions();
  const inSight = mentionsIn([...statements, ...users]);
  for (const id of assigned) if (total.get(id) !== inSight.get(id)) return false;
  return independentIn(computation).every((each) => registersOf(each, users, context) <= 1);
}
