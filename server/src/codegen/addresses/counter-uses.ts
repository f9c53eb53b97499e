// What a loop needs its counter for besides the addresses that count with it: where it does, LLVM gives the counter a register of its own, and addresses
// another.
import type { Expression } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { comparedCounter } from "../linearise/counted.ts";
import { assignedVariables, partsOf } from "../walks/walk.ts";

/** Whether trips use the number that the loop counts, and not only as an index; `around` is the function's code. */
export function needsCounter(loop: Loop, around: readonly Statement[]): boolean {
  const { condition, body, step } = loop;
  const assigned = assignedVariables(body, step);
  const counter = condition?.kind === "binary" ? comparedCounter(condition.left, assigned) : null;
  if (!counter) return false;
  const needed = new Set<number>();
  addReadsOutside(around, loop, needed);
  needed.delete(counter.id);
  for (let size = -1; size < needed.size; ) {
    size = needed.size;
    needIn(body, needed);
    for (const one of step) need(one, needed);
  }
  return needed.has(counter.id);
}

function addReadsOutside(list: readonly Statement[], loop: Loop, needed: Set<number>): void {
  for (const statement of list) {
    if (statement === loop) continue;
    const { expressions, lists } = partsOf(statement);
    for (const expression of expressions) addReads(expression, needed);
    for (const inner of lists) addReadsOutside(inner, loop, needed);
  }
}

function needIn(list: readonly Statement[], needed: Set<number>): void {
  for (const statement of list) {
    const { expressions, lists } = partsOf(statement);
    for (const expression of expressions) need(expression, needed);
    for (const inner of lists) needIn(inner, needed);
  }
}

/** Adds the variables that the expression reads for their values: of an index they are not. */
function need(expression: Expression, needed: Set<number>): void {
  if (expression.kind === "load") {
    if (expression.place.kind === "variable") needed.add(expression.place.variable.id);
    return;
  }
  if (expression.kind === "assign") {
    const { place, value } = expression;
    const isIndex = place.kind === "variable" && mayBeIndex(value) && !needed.has(place.variable.id);
    if (!isIndex) need(value, needed);
    return;
  }
  for (const operand of operandsOf(expression)) need(operand, needed);
}

function mayBeIndex({ type, kind }: Expression): boolean {
  const isNumber = type.kind === "integer" || type.kind === "boolean" || type.kind === "pointer";
  return isNumber && kind !== "intrinsic" && kind !== "call";
}

function addReads(expression: Expression, needed: Set<number>): void {
  if (expression.kind === "load" && expression.place.kind === "variable")
    needed.add(expression.place.variable.id);
  for (const operand of operandsOf(expression)) addReads(operand, needed);
}
