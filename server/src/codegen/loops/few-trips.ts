// Loops that LLVM makes no copies of, because it knows that they make few trips: what it knows are ranges of numbers, by their signs and bits.
import type { Binary, Conditional, Expression } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { counterOf } from "../linearise/counted.ts";
import { forEachExpression, forEachExpressionOf } from "../walks/walk.ts";

/** Trips up to which LLVM leaves a loop as it is, whatever they do (found with 400 loops compiled by nvcc 13.0; recorded: forms/lane_trips). */
const mostTripsLeft = 20;
/** How far definitions are followed. */
const deepest = 12;

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
  const to = rangeOf(condition.right, definitions, 0);
  const isEnd = condition.operator === "<=" || condition.operator === ">=";
  const upwards = condition.operator === "<" || condition.operator === "<=";
  if (!upwards && condition.operator !== ">" && condition.operator !== ">=") return false;
  const distance = upwards ? to.most - from.least : from.most - to.least;
  const trips = Math.ceil((distance + (isEnd ? 1 : 0)) / Math.abs(Number(stride.value)));
  return trips <= mostTripsLeft;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

const anything: Range = { least: -Infinity, most: Infinity };

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
    : starts.map((one) => rangeOf(one, definitions, 0)).reduce(unionOf);
}

/** What LLVM knows of the number, of its type at the least. Where a sum may wrap around, so may that of its ends. */
function rangeOf(expression: Expression, definitions: Definitions, depth: number): Range {
  const { least, most } = rangeInside(expression, definitions, depth);
  const ofType = rangeOfType(expression);
  return least < ofType.least || most > ofType.most ? ofType : { least, most };
}

function rangeOfType({ type }: Expression): Range {
  return type.kind === "integer" && !type.signed ? { least: 0, most: Infinity } : anything;
}

function rangeInside(expression: Expression, definitions: Definitions, depth: number): Range {
  if (depth === deepest) return anything;
  const inside = (one: Expression): Range => rangeOf(one, definitions, depth + 1);
  switch (expression.kind) {
    case "constant":
      return { least: Number(expression.value), most: Number(expression.value) };
    case "load": {
      const { place } = expression;
      const values = place.kind === "variable" ? definitions.get(place.variable.id) : undefined;
      return values?.length === 1 && values[0] ? inside(values[0]) : anything;
    }
    case "convert": {
      // What is unsigned and may be anything may be negative as a signed number.
      const range = expression.operand.type.kind === "integer" ? inside(expression.operand) : anything;
      return range.most === Infinity ? anything : range;
    }
    case "conditional":
      return rangeOfChoice(expression, inside);
    case "intrinsic": {
      const [a, b] = expression.arguments.map(inside);
      if (!a || !b || (expression.name !== "min" && expression.name !== "max")) return anything;
      const pick = expression.name === "min" ? Math.min : Math.max;
      return { least: pick(a.least, b.least), most: pick(a.most, b.most) };
    }
    case "binary":
      return rangeOfBinary(expression, inside(expression.left), inside(expression.right));
    default:
      return anything;
  }
}

/** `a < b ? a : b` is the lesser of the two to LLVM. */
function rangeOfChoice(
  { condition, whenTrue, whenFalse }: Conditional,
  inside: (one: Expression) => Range,
): Range {
  const [a, b] = [inside(whenTrue), inside(whenFalse)];
  const isOrder = condition.kind === "binary" && ["<", "<=", ">", ">="].includes(condition.operator);
  const isLesser = isOrder && (whenTrue.kind === "constant" || whenFalse.kind === "constant");
  return isLesser && Math.min(a.most, b.most) < Infinity
    ? { least: Math.min(a.least, b.least), most: Math.min(a.most, b.most) }
    : unionOf(a, b);
}

function unionOf(a: Range, b: Range): Range {
  return { least: Math.min(a.least, b.least), most: Math.max(a.most, b.most) };
}

function rangeOfBinary({ operator, type, right: by }: Binary, left: Range, right: Range): Range {
  const isSigned = type.kind === "integer" && type.signed;
  const constant = by.kind === "constant" ? Number(by.value) : null;
  const ends = (combine: (a: number, b: number) => number): Range => {
    const all = [left.least, left.most].flatMap((a) => [right.least, right.most].map((b) => combine(a, b)));
    return all.some(Number.isNaN) ? anything : { least: Math.min(...all), most: Math.max(...all) };
  };
  switch (operator) {
    case "+":
      return { least: left.least + right.least, most: left.most + right.most };
    case "-":
      return { least: left.least - right.most, most: left.most - right.least };
    case "*":
      return ends((a, b) => a * b);
    case "&": {
      const masks = [left, right].filter(({ least }) => least >= 0).map(({ most }) => most);
      return masks.length === 0 ? anything : { least: 0, most: Math.min(...masks) };
    }
    case "|":
    case "^":
      return left.least < 0 || right.least < 0
        ? anything
        : { least: 0, most: bitsOf(Math.max(left.most, right.most)) };
    case "/":
      return constant !== null && constant > 0 ? ends((a) => Math.trunc(a / constant)) : anything;
    case ">>":
      return constant !== null ? ends((a) => Math.floor(a / 2 ** constant)) : anything;
    case "%": {
      if (constant === null || constant <= 0) return anything;
      // Of an unsigned remainder LLVM knows nothing but where it is a mask; of a signed one the bits.
      if (!isSigned)
        return Number.isInteger(Math.log2(constant)) ? { least: 0, most: constant - 1 } : anything;
      const bits = bitsOf(constant - 1);
      return { least: left.least >= 0 ? 0 : -bits, most: bits };
    }
    default:
      return anything;
  }
}

/** The greatest number of as many bits. */
function bitsOf(value: number): number {
  return value < 1 ? 0 : 2 ** (Math.floor(Math.log2(value)) + 1) - 1;
}
