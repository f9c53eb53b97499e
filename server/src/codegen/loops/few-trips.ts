// Loops that LLVM makes no copies of, because it knows that they make few trips: what it knows are ranges of numbers, by their signs and bits.
import type { Expression } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { counterOf } from "../linearise/counted.ts";
import {
  anything,
  type Range,
  type RangeOfVariable,
  rangeOf,
  rangeOfType,
  unionOf,
} from "../values/ranges.ts";
import { forEachExpression, forEachExpressionOf } from "../walks/walk.ts";

/** Trips up to which LLVM leaves a loop as it is, whatever they do (found with 400 loops compiled by nvcc 13.0; recorded: forms/lane_trips). */
const mostTripsLeft = 20;

/** By variable id, what is assigned to it anywhere in a function. */
export type Definitions = ReadonlyMap<number, readonly Expression[]>;

/** All that the statements assign to whole variables. */
export function definitionsIn(body: readonly Statement[]): Definitions {
  const found = new Map<number, Expression[]>();
  forEachExpressionOf(body, (node) => {
    if (node.kind !== "assign" || node.place.kind !== "variable") return;
    const { id } = node.place.variable;
    const known = found.get(id);
    if (known) known.push(node.value);
    else found.set(id, [node.value]);
  });
  return found;
}

/** Whether the ranges of where the counter starts and of what it is held against leave so few trips that LLVM makes no copies. */
export function knowsFewTrips(loop: Loop, stride: Expression, definitions: Definitions): boolean {
  const { condition } = loop;
  if (condition?.kind !== "binary" || stride.kind !== "constant") return false;
  const from = startOf(condition.left, loop, definitions);
  const to = rangeOf(condition.right, soleIn(definitions));
  const isEnd = condition.operator === "<=" || condition.operator === ">=";
  const upwards = condition.operator === "<" || condition.operator === "<=";
  if (!upwards && condition.operator !== ">" && condition.operator !== ">=") return false;
  const distance = upwards ? to.most - from.least : from.most - to.least;
  const trips = Math.ceil((distance + (isEnd ? 1 : 0)) / Math.abs(Number(stride.value)));
  return trips <= mostTripsLeft;
}

/** Whether the ranges of where the counter starts leave room for one more trip of `stride` in its type. */
export function knowsRoomAtStart(loop: Loop, stride: number, definitions: Definitions): boolean {
  if (loop.condition?.kind !== "binary") return false;
  const { least, most } = startOf(loop.condition.left, loop, definitions);
  return stride > 0 ? most + stride < 2 ** 31 : least + stride >= -(2 ** 31);
}

/** What the counter may be when the loop is entered: what is assigned to it outside of the loop. */
function startOf(left: Expression, loop: Loop, definitions: Definitions): Range {
  const counter = counterOf(left);
  if (!counter) return anything;
  const within = new Set<Expression>();
  const note = (node: Expression): void => {
    if (node.kind === "assign") within.add(node.value);
  };
  forEachExpressionOf(loop.body, note);
  for (const step of loop.step) forEachExpression(step, note);
  const starts = definitions.get(counter.id)?.filter((value) => !within.has(value)) ?? [];
  return starts.length === 0
    ? rangeOfType(left)
    : starts.map((one) => rangeOf(one, soleIn(definitions))).reduce(unionOf);
}

/** A variable is what the one assignment to it says. */
function soleIn(definitions: Definitions): RangeOfVariable {
  const ofVariable: RangeOfVariable = (id, depth) => {
    const [value, ...others] = definitions.get(id) ?? [];
    return value && others.length === 0 ? rangeOf(value, ofVariable, depth) : undefined;
  };
  return ofVariable;
}
