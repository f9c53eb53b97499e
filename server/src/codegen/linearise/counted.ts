// What a loop counts: a variable to which each of its trips adds the same, held against what no trip changes; and what of it no trip changes.
import type { AccessSite, Expression } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Loop } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import {
  assignedVariables,
  forEachExpression,
  forEachExpressionOf,
  forEachStatement,
  partsOf,
  someExpressionOf,
  someStatement,
} from "../walks/walk.ts";
import { isAsm } from "./asm-operations.ts";

/** The counter in what is compared: itself, or in a sum with what no trip changes. */
export function comparedCounter(side: Expression, assigned: ReadonlySet<number>): Variable | null {
  const counter = counterOf(side);
  if (counter || side.kind !== "binary" || side.type.kind !== "integer" || !side.type.signed) return counter;
  const { operator, left, right } = side;
  if ((operator === "+" || operator === "-") && isInvariant(right, assigned)) return counterOf(left);
  return operator === "+" && isInvariant(left, assigned) ? counterOf(right) : null;
}

/** The variable that is compared, perhaps widened. */
export function counterOf(left: Expression): Variable | null {
  if (left.kind === "convert")
    return left.type.kind === "integer" && left.operand.type.kind === "integer" && left.operand.type.signed
      ? counterOf(left.operand)
      : null;
  const isCounter = left.kind === "load" && left.place.kind === "variable" && left.place.offsetBytes === 0;
  return isCounter && left.type.kind === "integer" && left.place.kind === "variable"
    ? left.place.variable
    : null;
}

/** The pointer that is compared. */
export function comparedPointer(side: Expression): Variable | null {
  if (side.kind !== "load" || side.type.kind !== "pointer" || side.place.kind !== "variable") return null;
  return side.place.offsetBytes === 0 ? side.place.variable : null;
}

export interface Stride {
  readonly stride: Expression;
  readonly unrolledBy: "llvm" | "ptxas";
}

/**
 * What each trip adds to the counter; null where nobody unrolls the loop. LLVM cannot count its trips where an unsigned counter may wrap
 * around, unless it goes one by one, nor where something unsigned is added, such as blockDim.x. ptxas unrolls such loops of its own if
 * they add a constant.
 */
export function strideOf(counter: Variable, loop: Loop, assigned: ReadonlySet<number>): Stride | null {
  const strides: (Stride | null)[] = [];
  const names = namesOf(counter, loop);
  for (const [expression, where] of assignmentsTo(counter, loop)) {
    const { value } = expression;
    const isSum = value.kind === "binary" && (value.operator === "+" || value.operator === "-");
    if (!isSum || where === "below" || value.type.kind !== "integer") return null;
    if (value.left.kind !== "load" || !names.has(counterOf(value.left)?.id ?? Number.NaN)) return null;
    if (!isInvariant(value.right, assigned)) return null;
    const unrolledBy = value.type.signed || isOne(value.right) ? "llvm" : "ptxas";
    if (unrolledBy === "ptxas" && value.right.kind !== "constant") return null;
    const stride = value.operator === "+" ? value.right : negated(value.right);
    strides.push(stride && { stride, unrolledBy });
  }
  return strides.length === 1 ? (strides[0] ?? null) : null;
}

/** Whether each trip adds a constant to a signed counter as unsigned numbers (`i += 8u`): ptxas may count such trips. */
export function stepsUnsigned(counter: Variable, loop: Loop): boolean {
  const [only, ...others] = assignmentsTo(counter, loop);
  if (!only || others.length > 0 || only[1] === "below" || only[0].value.kind !== "convert") return false;
  const { operand } = only[0].value;
  return operand.kind === "binary" && "+-".includes(operand.operator) && operand.right.kind === "constant";
}

/** The bytes that each trip adds to the pointer; null where they are no constant, or not the same in each. */
export function strideOfPointer(pointer: Variable, loop: Loop): number | null {
  const [only, ...others] = assignmentsTo(pointer, loop);
  if (!only || others.length > 0) return null;
  const [{ value }, where] = only;
  if (where === "below" || value.kind !== "offset" || value.index.kind !== "constant") return null;
  if (!namesOf(pointer, loop).has(comparedPointer(value.pointer)?.id ?? Number.NaN)) return null;
  const strideBytes = Number(value.index.value) * value.strideBytes;
  return strideBytes === 0 ? null : strideBytes;
}

/**
 * Whether LLVM cannot count the trips because they add what is no constant, and may be zero: it would have to know that each trip ends, and knows
 * it of those alone that compute, load and store (fixtures/forms/variable_strides.cu).
 */
export function isUncountable(loop: Loop, asmSites: ReadonlySet<AccessSite>): boolean {
  if (loop.condition?.kind !== "binary") return false;
  const assigned = assignedVariables(loop.body, loop.step);
  const counter =
    comparedCounter(loop.condition.left, assigned) ?? comparedCounter(loop.condition.right, assigned);
  const found = counter && strideOf(counter, loop, assigned);
  return found?.unrolledBy === "llvm" && found.stride.kind !== "constant" && !surelyEnds(loop, asmSites);
}

/**
 * Whether each trip accesses one place that no trip changes: LLVM takes that out of the loop before it makes rounds, but not out of an inner loop
 * that it unrolls first (fixtures/programs/kmeans).
 */
export function accessesInvariant({ body, step }: Loop): boolean {
  const assigned = assignedVariables(body, step);
  let accesses = false;
  const holdsLoop = someStatement(body, ({ kind }) => kind === "loop");
  forEachExpressionOf(body, (node) => {
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory") return;
    if (holdsLoop && node.kind === "load") return;
    if (isInvariant(node.place.pointer, assigned)) accesses = true;
  });
  return accesses || someExpressionOf(body, ({ kind }) => kind === "unknown");
}

/** No atomic, shuffle or barrier, nothing volatile, nothing that CUDA's headers write as `asm`. */
function surelyEnds({ body }: Loop, asmSites: ReadonlySet<AccessSite>): boolean {
  let holds = true;
  forEachStatement(body, ({ kind }) => {
    if (kind === "barrier") holds = false;
  });
  forEachExpressionOf(body, (node) => {
    const site = node.kind === "load" || node.kind === "assign" ? node.site : null;
    if (site && (site.isVolatile || asmSites.has(site))) holds = false;
    if (isAsm(node)) holds = false;
    const effect = node.kind === "intrinsic" ? intrinsicEffect(node.name) : "pure";
    if (effect !== "pure" && effect !== "identity") holds = false;
  });
  return holds;
}

/** The counter, and those that hold it as it was in the trip: `i++` adds to a copy of it. */
function namesOf(counter: Variable, loop: Loop): ReadonlySet<number> {
  const names = new Set([counter.id]);
  for (const [place, value] of changesIn(loop).moves)
    if (value.id === counter.id && isAssignedOnce(place, loop)) names.add(place);
  return names;
}

/** The variable of which this one is a copy in every trip; null where it is none. */
export function copiedBy(variable: Variable, loop: Loop): Variable | null {
  return isAssignedOnce(variable.id, loop) ? (changesIn(loop).moves.get(variable.id) ?? null) : null;
}

function isAssignedOnce(variable: number, loop: Loop): boolean {
  return changesIn(loop).assignments.get(variable)?.length === 1;
}

function assignmentsTo(counter: Variable, loop: Loop): readonly Assigned[] {
  return changesIn(loop).assignments.get(counter.id) ?? [];
}

type Assignment = Expression & { kind: "assign" };
type Assigned = readonly [assignment: Assignment, where: "always" | "below"];

/** What a trip does to variables, by their ids. */
interface Changes {
  readonly assignments: ReadonlyMap<number, readonly Assigned[]>;
  /** The first assignment of another integer or pointer that every trip makes: what is moved there. */
  readonly moves: ReadonlyMap<number, Variable>;
}

/** Long loops are asked about each of their variables, and are read once for all of them. */
const changesOf = new WeakMap<Loop, Changes>();

function changesIn(loop: Loop): Changes {
  const known = changesOf.get(loop);
  if (known) return known;
  const changes = { assignments: allAssignmentsIn(loop), moves: movesIn(loop) };
  changesOf.set(loop, changes);
  return changes;
}

function allAssignmentsIn({ body, step }: Loop): Map<number, Assigned[]> {
  const found = new Map<number, Assigned[]>();
  const visit = (where: "always" | "below") => (expression: Expression) => {
    if (expression.kind !== "assign" || expression.place.kind !== "variable") return;
    const { id } = expression.place.variable;
    const known = found.get(id);
    if (known) known.push([expression, where]);
    else found.set(id, [[expression, where]]);
  };
  for (const expression of step) forEachExpression(expression, visit("always"));
  for (const statement of body) {
    for (const expression of partsOf(statement).expressions) forEachExpression(expression, visit("always"));
    for (const list of partsOf(statement).lists) forEachExpressionOf(list, visit("below"));
  }
  return found;
}

function movesIn({ body }: Loop): Map<number, Variable> {
  const found = new Map<number, Variable>();
  for (const statement of body) {
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") continue;
    const { place, value } = statement.expression;
    const moved = value.kind === "load" ? (counterOf(value) ?? comparedPointer(value)) : null;
    if (place.kind === "variable" && moved && !found.has(place.variable.id))
      found.set(place.variable.id, moved);
  }
  return found;
}

function isOne(expression: Expression): boolean {
  return expression.kind === "constant" && (expression.value === 1 || expression.value === -1);
}

function negated(operand: Expression): Expression | null {
  if (operand.kind === "constant" && typeof operand.value === "number")
    return { ...operand, value: -operand.value };
  return { kind: "unary", operator: "negate", type: operand.type, operand };
}

/** Whether no trip that assigns these changes it, and it accesses no memory. */
export function isInvariant(expression: Expression, assigned: ReadonlySet<number>): boolean {
  let holds = true;
  forEachExpression(expression, (node) => {
    if (node.kind === "load" && (node.place.kind !== "variable" || assigned.has(node.place.variable.id)))
      holds = false;
    if (
      node.kind === "call" ||
      node.kind === "call-indirect" ||
      node.kind === "assign" ||
      node.kind === "unknown"
    )
      holds = false;
    if (node.kind === "intrinsic") {
      const effect = intrinsicEffect(node.name);
      if (effect !== "pure" && effect !== "identity") holds = false;
    }
  });
  return holds;
}
