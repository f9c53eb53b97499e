// Numbers that blocks draw from a counter, one each (`if (threadIdx.x == 0) ticket = atomicAdd(counter, 1);`): scans that wait for the block before
// take them for indices, so that no block waits for one that has not begun, and sums over blocks leave the rest to the block that draws last.
import type { Expression, Intrinsic, Place } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { mayLeave } from "../walks/jumps.ts";
import {
  forEachExpression,
  forEachExpressionOf,
  partsOf,
  someExpression,
  someExpressionOf,
} from "../walks/walk.ts";
import { hangsOnBlock, isOfBlock, variablesOfBlock } from "./of-block.ts";

/** By the atomic that draws it: the index of the block. All blocks draw, so that in which order they do changes no total of a launch. */
export type BlockTickets = ReadonlyMap<Expression, Expression>;

/**
 * The tickets of a kernel that asks for no index of its blocks otherwise, or for none behind the draw: which block has which ticket then
 * changes no total either. `assigned`: by variable, what is assigned to it once. A counter starts at 0, for else the last blocks would find
 * no work, or none would be the last.
 */
export function ticketsIn(
  body: readonly Statement[],
  assigned: ReadonlyMap<number, Expression | null>,
): BlockTickets {
  const drawn: Drawn[] = [];
  collect(body, new Set(), assigned, drawn);
  const [only] = drawn;
  if (!only || drawn.length > 1) return new Map();
  const [counter] = only.atomic.arguments;
  if (asksForBlock(body)) {
    const ofBlock = variablesOfBlock(body);
    const isOne = counter !== undefined && !isOfBlock(counter, ofBlock);
    if (!isOne || hangsOnBlock(behind(body, only.atomic), ofBlock)) return new Map();
  }
  return new Map([[only.atomic, indexOfBlock(only)]]);
}

/** The variables that a ticket is kept in, with the number. */
export function ticketVariables(
  assigned: ReadonlyMap<number, Expression | null>,
  tickets: BlockTickets,
): ReadonlyMap<number, Expression> {
  const found = new Map<number, Expression>();
  for (const [id, value] of assigned) {
    const ticket = value && tickets.get(value);
    if (ticket) found.set(id, ticket);
  }
  return found;
}

/** The statements behind the one that draws, the inner ones first. */
function behind(list: readonly Statement[], draw: Expression): readonly Statement[] {
  const isDraw = (node: Expression) => node === draw;
  for (const [index, statement] of list.entries()) {
    const { expressions, lists } = partsOf(statement);
    const after = list.slice(index + 1);
    if (expressions.some((expression) => someExpression(expression, isDraw))) return after;
    const inner = lists.find((each) => someExpressionOf(each, isDraw));
    if (inner) return [...behind(inner, draw), ...after];
  }
  return [];
}

interface Drawn {
  readonly atomic: Intrinsic;
  /** The dimensions of the thread index that are known to be 0. */
  readonly axes: ReadonlySet<string>;
}

/** What each block draws once, by the thread of index 0. */
function collect(
  list: readonly Statement[],
  axes: ReadonlySet<string>,
  assigned: ReadonlyMap<number, Expression | null>,
  drawn: Drawn[],
): void {
  for (const statement of list) {
    if (mayLeave(statement)) return;
    if (statement.kind === "block") collect(statement.body, axes, assigned, drawn);
    if (statement.kind === "if") {
      const own = isOfLaunch(statement.condition, assigned) ? [] : axesOfFirst(statement.condition, assigned);
      if (own !== null) collect(statement.whenTrue, new Set([...axes, ...own]), assigned, drawn);
    }
    if (statement.kind !== "evaluate" || !axes.has("x")) continue;
    forEachExpression(statement.expression, (node) => {
      if (node.kind === "intrinsic" && drawsNext(node)) drawn.push({ atomic: node, axes });
    });
  }
}

/** Whether all threads of the launch go one way. */
function isOfLaunch(condition: Expression, assigned: ReadonlyMap<number, Expression | null>): boolean {
  return !someExpression(condition, (node) => {
    if (node.kind === "intrinsic") return !/^(blockDim|gridDim)/.test(node.name);
    if (node.kind !== "load") return node.kind === "call" || node.kind === "unknown";
    const { place } = node;
    if (place.kind !== "variable" || place.variable.storage !== "automatic") return true;
    const value = assigned.get(place.variable.id);
    return value === null || (value !== undefined && !isOfLaunch(value, assigned));
  });
}

/** The dimensions in which the condition lets one thread through; null where it asks for something else as well. */
function axesOfFirst(
  condition: Expression,
  assigned: ReadonlyMap<number, Expression | null>,
): readonly string[] | null {
  if (condition.kind === "logical" && condition.operator === "and") {
    const [left, right] = [condition.left, condition.right].map((side) => axesOfFirst(side, assigned));
    return left && right ? [...left, ...right] : null;
  }
  if (condition.kind !== "binary" || condition.operator !== "==" || !isConstant(condition.right, 0))
    return null;
  return axesOfRank(condition.left, assigned);
}

/** The dimensions whose index is 0 where an index of a thread is, or one that counts several (`threadIdx.y * blockDim.x + threadIdx.x`). */
function axesOfRank(
  rank: Expression | null,
  assigned: ReadonlyMap<number, Expression | null>,
): readonly string[] | null {
  if (rank?.kind === "convert") return axesOfRank(rank.operand, assigned);
  if (rank?.kind === "load") return axesOfRank(sourceOf(rank.place, assigned), assigned);
  if (rank?.kind === "intrinsic") return rank.name.startsWith("threadIdx.") ? [rank.name.slice(-1)] : null;
  if (rank?.kind !== "binary") return null;
  const [left, right] = [rank.left, rank.right].map((side) => axesOfRank(side, assigned));
  if (rank.operator === "+") return left && right ? [...left, ...right] : null;
  if (rank.operator !== "*") return null;
  return isExtent(rank.right) ? (left ?? null) : isExtent(rank.left) ? (right ?? null) : null;
}

function isExtent(node: Expression): boolean {
  if (node.kind === "convert") return isExtent(node.operand);
  return node.kind === "intrinsic" && node.name.startsWith("blockDim.");
}

function sourceOf(place: Place, assigned: ReadonlyMap<number, Expression | null>): Expression | null {
  return place.kind === "variable" ? (assigned.get(place.variable.id) ?? null) : null;
}

/** Whether it adds 1 to a number that lies at one place for all blocks; a bound of `atomicInc` is the number of blocks, or one less. */
function drawsNext({ name, type, arguments: [pointer, added] }: Intrinsic): boolean {
  if (type.kind !== "integer" || !pointer || !added) return false;
  if (name === "atomicInc" ? !asksForGrid(added) : name !== "atomicAdd" || !isConstant(added, 1))
    return false;
  return pointer.kind === "load" && pointer.place.kind === "variable"
    ? pointer.place.variable.storage === "automatic"
    : pointer.kind === "address" &&
        pointer.place.kind === "variable" &&
        pointer.place.variable.storage !== "shared";
}

function isConstant(node: Expression, value: number): boolean {
  return node.kind === "constant" && Number(node.value) === value;
}

function asksForGrid(bound: Expression): boolean {
  return someExpression(bound, (node) => node.kind === "intrinsic" && node.name.startsWith("gridDim"));
}

function asksForBlock(body: readonly Statement[]): boolean {
  let asks = false;
  forEachExpressionOf(body, (node) => {
    if (node.kind === "intrinsic" && node.name.startsWith("blockIdx")) asks = true;
  });
  return asks;
}

/** Unknown where several threads draw, in blocks of more dimensions than those asked for. */
function indexOfBlock({ atomic, axes }: Drawn): Expression {
  const { type, range } = atomic;
  const identity = (name: string): Expression => ({
    kind: "intrinsic",
    name,
    type,
    arguments: [],
    site: null,
    range,
  });
  const combine = (operator: "+" | "*", left: Expression, right: Expression): Expression => ({
    kind: "binary",
    operator,
    type,
    left,
    right,
  });
  const rows = combine(
    "+",
    identity("blockIdx.y"),
    combine("*", identity("gridDim.y"), identity("blockIdx.z")),
  );
  const index = combine("+", identity("blockIdx.x"), combine("*", identity("gridDim.x"), rows));
  const others = ["y", "z"].filter((axis) => !axes.has(axis)).map((axis) => identity(`blockDim.${axis}`));
  const threads = others.reduce<Expression | null>(
    (product, one) => (product && combine("*", product, one)) || one,
    null,
  );
  if (threads === null) return index;
  const one: Expression = { kind: "constant", type, value: 1 };
  return {
    kind: "conditional",
    type,
    condition: { kind: "binary", operator: "==", type: { kind: "boolean" }, left: threads, right: one },
    whenTrue: index,
    whenFalse: {
      kind: "unknown",
      type,
      reason: "atomicAdd by several threads of a block",
      operands: [],
      isPure: true,
    },
  };
}
