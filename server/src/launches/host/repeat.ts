// Loops of the host that do the same over and over, as benchmarks have them: how to tell, and how often they go on.
import type { Binary, Expression, Place } from "../../ir/expression.ts";
import type { Loop } from "../../ir/statement.ts";
import type { IntegerType } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { forEachExpression, forEachStatement } from "../slice/walk.ts";
import type { Head, Target } from "./frame.ts";
import { type Contents, type HostObject, lastSerial, type Memory } from "./object.ts";
import type { Value } from "./value.ts";
import { isScalarValue, sameValue, unknownValue } from "./value.ts";

/** A loop that only counts: nothing in its body reads or writes the variable. */
export interface CountingLoop {
  readonly variable: Variable;
  readonly type: IntegerType;
  readonly stride: number;
  readonly operator: Binary["operator"];
  /** What the variable is compared with. */
  readonly bound: Expression;
}

const known = new WeakMap<Loop, CountingLoop | "other">();

/** The loop as one that only counts, or null. */
export function countingLoop(loop: Loop): CountingLoop | null {
  const found = known.get(loop) ?? analyse(loop) ?? "other";
  known.set(loop, found);
  return found === "other" ? null : found;
}

function analyse(loop: Loop): CountingLoop | null {
  const [step, ...more] = loop.step;
  if (step === undefined || more.length > 0 || loop.condition === null || loop.test !== "top") return null;
  const counted = strideOf(step);
  if (counted === null) return null;
  const { variable, type, stride } = counted;
  const condition = uncast(loop.condition);
  if (condition.kind !== "binary" || !reads(uncast(condition.left), variable)) return null;
  if (mentions(condition.right, variable)) return null;
  let isUsed = false;
  forEachStatement(
    loop.body,
    () => {},
    (expression) => {
      isUsed ||= placeOf(expression)?.id === variable.id;
    },
  );
  return isUsed ? null : { variable, type, stride, operator: condition.operator, bound: condition.right };
}

/** `i = i + 4`: the variable and the constant. */
function strideOf(step: Expression): Pick<CountingLoop, "variable" | "type" | "stride"> | null {
  if (step.kind !== "assign" || step.place.kind !== "variable" || step.place.offsetBytes !== 0) return null;
  const { variable, type } = step.place;
  const value = uncast(step.value);
  if (variable.storage !== "automatic" || type.kind !== "integer" || value.kind !== "binary") return null;
  const { operator, left, right } = value;
  if ((operator !== "+" && operator !== "-") || !reads(uncast(left), variable)) return null;
  const constant = uncast(right);
  if (constant.kind !== "constant" || Number(constant.value) <= 0) return null;
  return { variable, type, stride: operator === "+" ? Number(constant.value) : -Number(constant.value) };
}

function uncast(expression: Expression): Expression {
  return expression.kind === "convert" && expression.type.kind === "integer"
    ? uncast(expression.operand)
    : expression;
}

function reads(expression: Expression, variable: Variable): boolean {
  return expression.kind === "load" && placeOf(expression)?.id === variable.id;
}

function mentions(expression: Expression, variable: Variable): boolean {
  let found = false;
  forEachExpression(expression, (each) => {
    found ||= placeOf(each)?.id === variable.id;
  });
  return found;
}

function placeOf(expression: Expression): Variable | null {
  const hasPlace =
    expression.kind === "load" || expression.kind === "address" || expression.kind === "assign";
  const place: Place | null = hasPlace ? expression.place : null;
  return place?.kind === "variable" ? place.variable : null;
}

/** How many more iterations there are from `value` on; null where that is not plain. */
export function remainingTrips(loop: CountingLoop, value: Value, bound: Value): number | null {
  if (!isScalarValue(value) || !isScalarValue(bound)) return null;
  const at = Number(value);
  const distance = Number(bound) - at;
  // No counter wraps around below this.
  if (Math.abs(at) > 2 ** 31 - 1 || Math.abs(Number(bound)) > 2 ** 31 - 1 || at < 0) return null;
  const trips = distance / loop.stride;
  switch (loop.operator) {
    case "<":
      return loop.stride > 0 ? Math.max(0, Math.ceil(trips)) : null;
    case "<=":
      return loop.stride > 0 ? Math.max(0, Math.floor(trips) + 1) : null;
    case ">":
      return loop.stride < 0 ? Math.max(0, Math.ceil(trips)) : null;
    case ">=":
      return loop.stride < 0 && Number(bound) > 0 ? Math.max(0, Math.floor(trips) + 1) : null;
    case "!=":
      return Number.isInteger(trips) && trips >= 0 ? trips : null;
    default:
      return null;
  }
}

export function openHead(memory: Memory): Head {
  return { journal: memory.openJournal("changes"), serial: lastSerial() };
}

/** Ends what was begun to see whether the loop comes back to where it was. */
export function stopObserving(memory: Memory, target: Target): void {
  if (target.observed !== null) memory.closeJournal(target.observed.journal);
  target.observed = null;
}

/**
 * What objects older than the head hold now that they did not hold then, but for `except`: nothing, only what was written where nobody knew
 * what stood there, as in the first iteration that comes to it, or anything else.
 */
export function changeSince({ journal, serial }: Head, except: HostObject | null): Change {
  let change: Change = "none";
  for (const [object, contents] of journal) {
    if (object === except || object.serial > serial || isTemporary(object)) continue;
    // What lies there now is not compared with what lay there.
    if (object.data !== null) return "any";
    const own = object.fill === contents.fill ? changeOfCells(object, contents) : "any";
    if (own === "any") return own;
    if (own !== "none") change = own;
  }
  return change;
}

/** A variable of the lowering's own, which the expression that it is of writes before it reads it. */
function isTemporary({ name }: HostObject): boolean {
  return name.startsWith("$");
}

export type Change = "none" | "first writes" | "any";

function changeOfCells(now: Contents, before: Contents): Change {
  let change: Change = "none";
  for (const [offset, cell] of now.cells) {
    const other = before.cells.get(offset);
    // Most of a long text is what it was.
    if (other === cell && isScalarValue(cell.value)) continue;
    if (other !== undefined && cell.bytes !== other.bytes) return "any";
    const own = changeOfValue(cell.value, other?.value ?? valueOfFill(before));
    if (own === "any") return own;
    if (own !== "none") change = own;
  }
  for (const [offset, other] of before.cells) {
    if (now.cells.has(offset)) continue;
    const own = changeOfValue(valueOfFill(now), other.value);
    if (own === "any") return own;
    if (own !== "none") change = own;
  }
  return change;
}

function changeOfValue(now: Value, before: Value): Change {
  if (alike(now, before)) return "none";
  return isScalarValue(before) || before.kind !== "unknown" ? "any" : "first writes";
}

function valueOfFill({ fill }: Contents): Value {
  return fill === "zero" ? 0 : unknownValue("what nobody has written");
}

/** Equal, or as unknown as before. */
function alike(a: Value, b: Value): boolean {
  if (sameValue(a, b)) return true;
  return !isScalarValue(a) && !isScalarValue(b) && a.kind === "unknown" && b.kind === "unknown";
}
