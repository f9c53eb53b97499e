// Fourth pass: a load whose value is used under one branch alone moves there, if nothing between could change what it reads.
import type { CompilerDoubt } from "../../ir/assumption.ts";
import type { AccessSite, Expression, Load } from "../../ir/expression.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import { isScalar } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { isSelection, isSelectionOfMembers } from "../linearise/selections.ts";
import { entersSurely } from "../loops/entry.ts";
import { exits, mayLeave } from "../walks/jumps.ts";
import {
  likeSite,
  mapLists,
  mapStatements,
  withExpression,
  withPlace,
  withStored,
  withWays,
} from "../walks/rebuild.ts";
import { forEachExpression, forEachExpressionOf, hasLists, isPure, readsAny } from "../walks/walk.ts";
import { loadOf } from "./computations.ts";
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
    if (statement?.kind === "evaluate" && load) current = sinkOne(current, index, load, context);
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
  load: Load,
  context: Summaries,
): readonly Statement[] {
  const statement = list[index];
  const loaded = statement && assignedIn(statement);
  if (!loaded) return list;
  const copy = copyBehind(list, index, loaded, context);
  const moved = copy ? [statement, copy.statement] : [statement];
  const ids = new Set(copy ? [loaded.id, copy.target] : [loaded.id]);
  const needed = summaryOf(statement, context).reads;
  for (let at = index + moved.length; at < list.length && at - index < maximumDistance; at++) {
    const next = list[at];
    if (!next) return list;
    const summary = summaryOf(next, context);
    if (meet(summary.reads, ids)) return placeAt({ list, index, at, moved, ids }, context);
    if (copy && summary.assigned.has(copy.target)) return list;
    if (clobbers(summary, load, needed, context.addresses)) return list;
  }
  return list;
}

/** The copy of what was loaded to a variable of the list's own: `sum = s[0];`. */
function copyBehind(
  list: readonly Statement[],
  index: number,
  loaded: Variable,
  { escaped }: Summaries,
): { readonly statement: Statement; readonly target: number } | null {
  const statement = list[index + 1];
  const target = statement && assignedIn(statement);
  if (!target || copiedIn(statement) !== loaded.id) return null;
  const isOwn = list
    .slice(0, index)
    .some((one) => one.kind === "declare" && one.variable.id === target.id && one.initializer === null);
  return isOwn && isScalar(target.type) && !escaped.has(target.id) ? { statement, target: target.id } : null;
}

/** The variable that the statement sets, or a part of it. */
function assignedIn(statement: Statement): Variable | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place } = statement.expression;
  return place.kind === "variable" ? place.variable : null;
}

/** The variable that the statement copies to another. */
function copiedIn(statement: Statement): number | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { value } = statement.expression;
  return value.kind === "load" && value.place.kind === "variable" ? value.place.variable.id : null;
}

interface Move {
  readonly list: readonly Statement[];
  readonly index: number;
  readonly at: number;
  readonly moved: readonly Statement[];
  /** The variables that the moved statements set. */
  readonly ids: ReadonlySet<number>;
}

/** Moves the load from `index` into the one branch of `at` that uses the value where nothing after does, or behind the last place before it where control may leave. */
function placeAt({ list, index, at, moved, ids }: Move, context: Summaries): readonly Statement[] {
  const user = list[at];
  let doubt: CompilerDoubt | null = null;
  const uses = (one: Statement) => meet(summaryOf(one, context).reads, ids);
  const before = list.slice(0, index);
  const between = list.slice(index + moved.length, at);
  if (user?.kind === "if" && !readsAny(user.condition, ids) && mayTakeLoads(user)) {
    const inTrue = user.whenTrue.some(uses);
    const inFalse = user.whenFalse.some(uses);
    const rest = list.slice(at + 1);
    if (inTrue !== inFalse && !rest.some(uses)) {
      const isSure = (setsStored(user) || !isSelection(user)) && !between.some(isBranch);
      const placed = moved.map((one) => movedLoad(one, isSure ? null : "loads-behind-branch", context));
      const whenTrue = inTrue ? [...placed, ...user.whenTrue] : user.whenTrue;
      const whenFalse = inFalse ? [...placed, ...user.whenFalse] : user.whenFalse;
      return [...before, ...between, withWays(user, user.condition, whenTrue, whenFalse), ...rest];
    }
  }
  if (user?.kind === "loop" && !list.slice(at + 1).some(uses)) {
    const upToLoop = list.slice(0, at);
    if (mayMakeNoTrip(user, upToLoop) && !readsAny(user.condition, ids)) {
      if (!hangsOnMemory(user.condition, upToLoop, context))
        return [...before, ...inFrontOf(user, between, moved), ...list.slice(at)];
      doubt = "loads-behind-branch";
    }
  }
  // To the start of what is done by those that go on, beside what else moves there.
  // Behind what control may leave in, a load has fewer lanes.
  const start = between.findLastIndex((each) => mayLeave(each, exits.jump)) + 1;
  if (start === 0 && doubt === null) return list;
  const placed = moved.map((one) => movedLoad(one, doubt, context));
  return [...before, ...between.slice(0, start), ...placed, ...between.slice(start), ...list.slice(at)];
}

/** Whether it is a branch when loads move. */
function mayTakeLoads(branch: If): boolean {
  return setsStored(branch) || !isSelection(branch) || !isSelectionOfMembers(branch);
}

/** Whether the ways store in one place, which is one store later than loads move (fixtures/forms/stored_by_ways). */
function setsStored({ whenTrue, whenFalse }: If): boolean {
  return [...whenTrue, ...whenFalse].some((statement) => assignedIn(statement)?.isStored === true);
}

/**
 * The load where it has moved, as an access of its own: where data decide of the branch, what is known of the members that stay is known all the same.
 * Where one of a member moves into a short branch it is in doubt: what was named in front of the branch stays there, and that is not known here.
 */
export function movedLoad(statement: Statement, doubt: CompilerDoubt | null, context: Summaries): Statement {
  const load = loadOf(statement);
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign" || !load?.site)
    return statement;
  const { place } = statement.expression;
  const isMember = place.kind === "variable" && place.variable.isMember === true;
  const isKnown = doubt === null || load.site.uncertain !== undefined;
  if (!isMember && isKnown) return statement;
  const site = isMember ? siteFrom(load.site, context.movedSites, {}) : load.site;
  const noted = isKnown ? site : siteFrom(site, context.doubtedSites, { uncertain: doubt });
  const moved = withPlace(load, load.place, noted);
  const address = context.addresses.get(load);
  if (address) context.addresses.set(moved, address);
  const group = context.groups.get(load);
  if (group !== undefined) context.groups.set(moved, group);
  return withExpression(statement, withStored(statement.expression, place, moved));
}

/** The site that stands for this one after a change that accesses of one site share. */
function siteFrom(
  site: AccessSite,
  known: Map<AccessSite, AccessSite>,
  changes: Partial<AccessSite>,
): AccessSite {
  const changed = known.get(site) ?? likeSite(site, changes);
  known.set(site, changed);
  return changed;
}

/** Whether LLVM parts two blocks there. */
function isBranch(statement: Statement): boolean {
  return statement.kind === "switch" || (statement.kind === "if" && !isSelection(statement));
}

/**
 * What is in front of a loop that alone uses a load, with the load right in front of the loop, under its condition: a warp that makes no trip
 * loads nothing (fixtures/forms/scalars_and_guards).
 */
function inFrontOf(
  loop: GuardedLoop,
  between: readonly Statement[],
  moved: readonly Statement[],
): readonly Statement[] {
  const guard = guardOf(loop, between.at(-1));
  return [
    ...(guard ? between.slice(0, -1) : between),
    guardedBy(loop, [...moved, ...(guard?.whenTrue ?? [])]),
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
 * Whether what a loop alone uses moves under its condition: lanes may make no trip, and what was loaded does not decide which. Where LLVM
 * makes copies of the trips, which are several users to it, ptxas moves what is straight-line code (fixtures/forms/guarded_copies).
 */
export function isGuardedLoop(
  loop: Loop,
  before: readonly Statement[],
  context: Summaries,
): loop is GuardedLoop {
  return mayMakeNoTrip(loop, before) && !hangsOnMemory(loop.condition, before, context);
}

function mayMakeNoTrip(loop: Loop, before: readonly Statement[]): loop is GuardedLoop {
  const { condition } = loop;
  return condition !== null && isPure(condition) && !entersSurely(loop, before);
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
