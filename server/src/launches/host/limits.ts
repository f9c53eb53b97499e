// What a comparison that is taken both ways says of variables on either way: inside `if (x <= 16)`, x is at most 16. A kernel that such ways
// chose between keeps what held where it was chosen.
import type { Binary, Expression } from "../../ir/expression.ts";
import { evaluate, type HostContext } from "./evaluate.ts";
import type { Cell, Contents } from "./object.ts";
import type { RunState } from "./run-state.ts";
import { candidatesOf, type Dependence, isScalarValue, type Limits, mostOf, type Value } from "./value.ts";

/** On the way at hand `condition` is true or, as `outcome` says, false. */
export function supposeLimits(
  context: HostContext,
  state: RunState,
  condition: Expression,
  outcome: boolean,
): void {
  if (condition.kind === "convert") supposeLimits(context, state, condition.operand, outcome);
  else if (condition.kind === "unary" && condition.operator === "not")
    supposeLimits(context, state, condition.operand, !outcome);
  else if (condition.kind === "logical" && (condition.operator === "and") === outcome) {
    supposeLimits(context, state, condition.left, outcome);
    supposeLimits(context, state, condition.right, outcome);
  } else if (condition.kind === "binary") supposeCompared(context, state, condition, outcome);
}

/** How far below the number it is compared with a variable lies at most that stands to the left, by operator, where the comparison holds. */
const distanceBelow = new Map([
  ["<", 1],
  ["<=", 0],
]);
const mirrored = new Map([
  ["<", ">"],
  ["<=", ">="],
  [">", "<"],
  [">=", "<="],
]);
const opposite = new Map([
  ["<", ">="],
  ["<=", ">"],
  [">", "<="],
  [">=", "<"],
]);

function supposeCompared(context: HostContext, state: RunState, compared: Binary, outcome: boolean): void {
  const operator = outcome ? compared.operator : (opposite.get(compared.operator) ?? "");
  const { left, right } = compared;
  supposeBelow(context, state, left, right, distanceBelow.get(operator));
  supposeBelow(context, state, right, left, distanceBelow.get(mirrored.get(operator) ?? ""));
}

function supposeBelow(
  context: HostContext,
  state: RunState,
  variable: Expression,
  number: Expression,
  below: number | undefined,
): void {
  const of = below === undefined ? null : symbolOf(context, variable);
  if (of === null || below === undefined || !isPlain(number)) return;
  const value = evaluate(context, number);
  if (!isScalarValue(value)) return;
  state.limits = bothLimits(state.limits, new Map([[of, Number(value) - below]]));
}

/** The number that is not known of which `expression` reads the variable, at its own width or a larger one. */
function symbolOf(context: HostContext, expression: Expression): Dependence | null {
  if (expression.type.kind !== "integer") return null;
  if (expression.kind === "convert") {
    const from = expression.operand.type;
    return from.kind === "integer" && from.bits <= expression.type.bits
      ? symbolOf(context, expression.operand)
      : null;
  }
  if (expression.kind !== "load") return null;
  const value = evaluate(context, expression);
  return isScalarValue(value) || value.kind !== "unknown" ? null : (value.of ?? null);
}

function isPlain(expression: Expression): boolean {
  if (expression.kind === "convert") return isPlain(expression.operand);
  return expression.kind === "constant" || expression.kind === "load";
}

/** What holds where both hold. */
export function bothLimits(a: Limits, b: Limits): Limits {
  if (a.size === 0 || b.size === 0) return a.size === 0 ? b : a;
  const both = new Map(a);
  for (const [number, most] of b) both.set(number, Math.min(most, a.get(number) ?? most));
  return both;
}

/** `value` with the largest numbers that it may be. */
export function limited(value: Value, limits: Limits): Value {
  if (limits.size === 0 || isScalarValue(value)) return value;
  if (value.kind === "record")
    return { ...value, cells: eachCell(value.cells, (cell) => limited(cell, limits)) };
  const most = value.kind === "unknown" ? mostOf(value, limits) : undefined;
  return value.kind === "unknown" && most !== undefined ? { ...value, most } : value;
}

/** `value` as it is where `limits` hold: the functions that it may be are chosen under them. */
export function chosenUnder(value: Value, limits: Limits): Value {
  if (limits.size === 0 || isScalarValue(value)) return value;
  if (value.kind === "record")
    return { ...value, cells: eachCell(value.cells, (cell) => chosenUnder(cell, limits)) };
  if (candidatesOf(value).length === 0) return value;
  if (value.kind === "function") return { ...value, under: bothLimits(limits, value.under ?? noLimits) };
  if (value.kind !== "unknown" || value.functions === undefined) return value;
  const functions = value.functions.map((each) => ({
    ...each,
    under: bothLimits(limits, each.under ?? noLimits),
  }));
  return { ...value, functions };
}

/** The contents of an object at the end of a way on which `limits` hold; the same where no function lies there. */
export function contentsUnder(contents: Contents, limits: Limits): Contents {
  for (const { value } of contents.cells.values())
    if (candidatesOf(value).length > 0)
      return { ...contents, cells: eachCell(contents.cells, (cell) => chosenUnder(cell, limits)) };
  return contents;
}

export const noLimits: Limits = new Map();

function eachCell(
  cells: ReadonlyMap<number, Cell>,
  change: (value: Value) => Value,
): ReadonlyMap<number, Cell> {
  return new Map([...cells].map(([offset, cell]) => [offset, { ...cell, value: change(cell.value) }]));
}
