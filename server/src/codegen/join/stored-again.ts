// A store, and another of the same place under the branch behind it: LLVM stores once, behind the branch, what either way has left.
import type { Assign, Expression, MemoryPlace } from "../../ir/expression.ts";
import type { Evaluate, If, Statement } from "../../ir/statement.ts";
import { sameType, sizeOf, type Type } from "../../ir/type.ts";
import { type Extent, mayAlias } from "../addresses/alias.ts";
import { isAskedInVain } from "../linearise/branches.ts";
import { decisionOf } from "../linearise/decisions.ts";
import { passOnPlace } from "../walks/facts.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { likeSite, withExpression, withWays } from "../walks/rebuild.ts";
import {
  assignedVariables,
  forEachExpression,
  forEachExpressionOf,
  isPure,
  isRemovable,
} from "../walks/walk.ts";
import { isSamePlace, type JoinOptions, namesAny, touchesMemory } from "./loads.ts";

interface Store extends Extent {
  readonly statement: Evaluate;
  readonly expression: Assign;
  readonly place: MemoryPlace;
}

/**
 * The list with one store behind a branch where one stood in front of it and one of the same place under it, if nothing between them touches
 * memory, what the branch computes included (cases stored_again/given, computed, both; not: loaded, otherBetween, loadBetween).
 */
export function withStoresAgainJoined(
  list: readonly Statement[],
  options: JoinOptions,
): readonly Statement[] {
  let current: Statement[] | null = null;
  for (let index = 1; index < (current ?? list).length; index++) {
    const branch: Statement | undefined = (current ?? list)[index];
    if (branch?.kind !== "if" || branch.whenFalse.length > 0) continue;
    const joined = withOneBehind(branch, (current ?? list).slice(0, index), options);
    if (joined) current = [...joined, ...(current ?? list).slice(index + 1)];
  }
  return current ?? list;
}

/** What stands in front of the branch, the branch, and the store behind it; null where there is none. */
function withOneBehind(
  branch: If,
  before: readonly Statement[],
  options: JoinOptions,
): readonly Statement[] | null {
  const pair = pairAround(branch, before, options) ?? pairInSight(branch, before, options);
  return pair && joinedBehind(branch, before, pair, options);
}

interface Pair {
  readonly first: Store;
  readonly under: Store;
  /** Whether the first stays as well, since what stands between may load what it has stored. */
  readonly isRead: boolean;
}

/** Two stores between which nothing touches memory. */
function pairAround(branch: If, before: readonly Statement[], options: JoinOptions): Pair | null {
  const under = lastStoreOf(branch.whenTrue, options);
  const first = under && lastStoreOf(before, options);
  if (!first) return null;
  const own = branch.whenTrue.slice(0, branch.whenTrue.indexOf(under.statement));
  return touchesMemory(own) ? null : { first, under, isRead: false };
}

/**
 * How many instructions LLVM looks back over from a branch that holds a store alone, for one of the same place: if it finds it, all lanes store
 * what either way leaves (fixtures/forms/stored_once flagThenReturns, flagByProduct, flagByTwo; not: flagByMore, flagOfFloats, computedOnce).
 */
const instructionsInSight = 7;

/** Two stores between which a few instructions load. */
function pairInSight(branch: If, before: readonly Statement[], options: JoinOptions): Pair | null {
  if (isComparisonOfFloats(branch.condition)) return null;
  const under = lastStoreOf(branch.whenTrue, options);
  if (!branch.whenTrue.every((one) => one === under?.statement || takesNothing(one))) return null;
  const at = before.findLastIndex((statement) => !isRemovableLoad(statement));
  const first = under && lastStoreOf(before.slice(0, at + 1), options);
  if (!first || !isLeaf(under.expression.value)) return null;
  const between = before.slice(before.indexOf(first.statement) + 1);
  let instructions = instructionsOf(branch.condition);
  for (const one of between) if (one.kind === "evaluate") instructions += instructionsOf(one.expression);
  if (instructions > instructionsInSight) return null;
  let isRead = false;
  forEachExpressionOf(between, (node) => {
    const address = options.addresses.get(node);
    if (node.kind === "load" && address && mayAlias({ address, bytes: sizeOf(node.type) ?? 1 }, first))
      isRead = true;
  });
  return { first, under, isRead };
}

function isComparisonOfFloats(condition: Expression): boolean {
  if (condition.kind === "unary") return isComparisonOfFloats(condition.operand);
  return condition.kind === "binary" && condition.left.type.kind === "float";
}

function takesNothing(statement: Statement): boolean {
  if (statement.kind === "declare") return statement.initializer === null;
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return false;
  return statement.expression.place.kind === "variable" && isLeaf(statement.expression.value);
}

/** Whether it takes no instruction behind the branch to have the value. */
function isLeaf(value: Expression): boolean {
  if (value.kind === "convert") return value.type.kind === value.operand.type.kind && isLeaf(value.operand);
  if (value.kind === "intrinsic") return value.arguments.length === 0 && isPure(value);
  return value.kind === "constant" || (value.kind === "load" && isPure(value));
}

/** Whether the statement does no more than to give a variable what is loaded or computed. */
function isRemovableLoad(statement: Statement): boolean {
  if (statement.kind === "declare") return true;
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return false;
  const { place, value } = statement.expression;
  return place.kind === "variable" && isRemovable(value);
}

/** What LLVM makes of the expression: an index that is no constant is widened, and added to its pointer. */
function instructionsOf(expression: Expression): number {
  let count = 0;
  forEachExpression(expression, (node) => {
    if (node.kind === "load") count += node.place.kind === "memory" ? 1 : 0;
    else if (node.kind === "offset") count += node.index.kind === "constant" ? 0 : 2;
    else if (node.kind === "convert") count += isFree(node.type, node.operand.type) ? 0 : 1;
    else if (!["constant", "assign", "address"].includes(node.kind)) count++;
  });
  return count;
}

function isFree(to: Type, from: Type): boolean {
  return to.kind === from.kind && to.kind !== "pointer";
}

/** The same with these two as one; null where they cannot be. */
function joinedBehind(
  branch: If,
  before: readonly Statement[],
  { first, under, isRead }: Pair,
  options: JoinOptions,
): readonly Statement[] | null {
  if (!isPure(branch.condition) || !isSamePlace(first, under)) return null;
  const { type } = under.expression.value;
  if (!sameType(first.expression.value.type, type)) return null;
  const own = branch.whenTrue.slice(0, branch.whenTrue.indexOf(under.statement));
  const start = before.indexOf(first.statement);
  if (namesAny(first.place.pointer, assignedVariables([...before.slice(start), branch]))) return null;
  const result = options.fresh.outcome(type, "stored");
  const keep = ({ expression, statement }: Store) =>
    assignment(placeOf(result), expression.value, statement.range);
  const site =
    under.expression.site &&
    first.expression.site &&
    likeSite(under.expression.site, {
      merged: [
        ...under.expression.site.merged,
        first.expression.site.range,
        ...first.expression.site.merged,
        branch.range,
      ],
    });
  const store: Assign = {
    kind: "assign",
    type: under.expression.type,
    place: first.place,
    value: readOf(result),
    site,
  };
  passOnPlace(first.expression, store, options);
  return [
    ...before.slice(0, start),
    keep(first),
    ...(isRead ? [first.statement] : []),
    ...before.slice(start + 1),
    withWays(branch, branch.condition, [...own, keep(under)], branch.whenFalse),
    withExpression(under.statement, store),
  ];
}

/** Whether it decides `a && b` or `a || b` of what registers hold by now, which is one condition to LLVM (forms/stored_once_more outOfRange). */
function isOneCondition(statement: Statement): boolean {
  const decision = statement.kind === "if" ? decisionOf(statement) : null;
  if (statement.kind !== "if" || !decision) return false;
  const [asked, ...others] = decision.operator === "and" ? statement.whenTrue : statement.whenFalse;
  return (
    others.length === 0 &&
    asked?.kind === "evaluate" &&
    asked.expression.kind === "assign" &&
    isAskedInVain(asked.expression.value)
  );
}

/** The store that the list ends with, but for what touches no memory. */
function lastStoreOf(list: readonly Statement[], { addresses, groups, escaped }: JoinOptions): Store | null {
  const statement = list.findLast(
    (one) =>
      one.kind !== "declare" && (one.kind !== "evaluate" || touchesMemory([one])) && !isOneCondition(one),
  );
  if (statement?.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { expression } = statement;
  const { place } = expression;
  const address = addresses.get(expression);
  const bytes = sizeOf(place.type);
  if (place.kind !== "memory" || !address || !bytes || groups.has(expression)) return null;
  if (!expression.site || expression.site.isVolatile || !isPure(expression.value)) return null;
  return namesAny(expression.value, escaped) ? null : { statement, expression, place, address, bytes };
}
