// Numbers that blocks draw from a counter, one each (`if (threadIdx.x == 0) ticket = atomicAdd(counter, 1);`): scans that wait for the block before
// take them for indices, so that no block waits for one that has not begun.
import type { Expression, Intrinsic, Place } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { leaves } from "../join/loads.ts";
import { forEachExpression, forEachExpressionOf } from "../walks/walk.ts";

/** By the atomic that draws it: the index of the block. All blocks draw, so that in which order they do changes no total of a launch. */
export type BlockTickets = ReadonlyMap<Expression, Expression>;

/**
 * The tickets of a kernel that asks for no index of its blocks otherwise. `assigned`: by variable, what is assigned to it once. A counter starts
 * at 0, for else the last blocks would find no work.
 */
export function ticketsIn(
  body: readonly Statement[],
  assigned: ReadonlyMap<number, Expression | null>,
): BlockTickets {
  const drawn: Drawn[] = [];
  collect(body, new Set(), assigned, drawn);
  const [only] = drawn;
  if (!only || drawn.length > 1 || asksForBlock(body)) return new Map();
  return new Map([[only.atomic, indexOfBlock(only)]]);
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
    if (leaves([statement])) return;
    if (statement.kind === "block") collect(statement.body, axes, assigned, drawn);
    const own = statement.kind === "if" ? axesOfFirst(statement.condition, assigned) : null;
    if (statement.kind === "if" && own !== null)
      collect(statement.whenTrue, new Set([...axes, ...own]), assigned, drawn);
    if (statement.kind !== "evaluate" || !axes.has("x")) continue;
    forEachExpression(statement.expression, (node) => {
      if (node.kind === "intrinsic" && drawsNext(node)) drawn.push({ atomic: node, axes });
    });
  }
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
  let asked: Expression | null = condition.left;
  while (asked?.kind === "convert" || (asked?.kind === "load" && asked.place.kind === "variable"))
    asked = asked.kind === "convert" ? asked.operand : sourceOf(asked.place, assigned);
  return asked?.kind === "intrinsic" && asked.name.startsWith("threadIdx.") ? [asked.name.slice(-1)] : null;
}

function sourceOf(place: Place, assigned: ReadonlyMap<number, Expression | null>): Expression | null {
  return place.kind === "variable" ? (assigned.get(place.variable.id) ?? null) : null;
}

/** Whether it adds 1 to a number that lies at one place for all blocks. */
function drawsNext({ name, type, arguments: [pointer, added] }: Intrinsic): boolean {
  if (name !== "atomicAdd" || type.kind !== "integer" || !pointer || !added || !isConstant(added, 1))
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
