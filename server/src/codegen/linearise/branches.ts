// Branches as they stand once LLVM has threaded its jumps: what one has decided, the next does not ask again.
import type { Binary, Conditional, Expression, Logical } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { booleanType } from "../../ir/type.ts";
import { areEqual } from "../walks/equal.ts";
import { endsInJump, onlyJumpOf } from "../walks/jumps.ts";
import {
  assignedVariables,
  forEachExpression,
  forEachExpressionOf,
  isPure,
  readsAny,
} from "../walks/walk.ts";

/**
 * The list with each branch that the one right before it decides made part of that one: `if (c) A if (!c) B` as `if (c) A else B`, and
 * `if (c) A if (c) B` as `if (c) { A B }` (forms/threaded_branches inARow, sameAgain; not: between, floats, orderOfConstants).
 */
export function threaded(
  list: readonly Statement[],
  addressTaken: ReadonlySet<number>,
): readonly Statement[] {
  let output: Statement[] | null = null;
  let last: Statement | undefined;
  list.forEach((statement, index) => {
    const joined = last && joinedBranches(last, statement, addressTaken);
    if (joined) {
      output ??= list.slice(0, index);
      output.pop();
    }
    last = joined ?? statement;
    output?.push(last);
  });
  return output ?? list;
}

/**
 * `if (a && b)` as `if (a) if (b)`, and `if (a || b) return` as two that return: nvcc jumps as soon as `a` decides, so that what `b` has
 * loaded is in registers where both hold (cases short_circuits/both, leavesUnlessBoth). So does `if (c && x) … else if (!c && y) …` as a
 * branch on `c` with two in it (forms/threaded_branches elseIf). So it is where `b` takes many operations (asked_last both, three). But
 * `if (a) if (b)`, of which `b` is one comparison, is `if (a && b)` to LLVM.
 */
export function inSteps(written: If): If {
  const statement = askedTogether(written);
  const { condition, whenTrue, whenFalse, range } = statement;
  const parted = condition.kind === "logical" ? partedAt(condition) : null;
  if (!parted || (whenFalse.length > 0 && isPure(condition))) return statement;
  const { operator, left, right } = parted;
  const inner: If = { kind: "if", condition: right, whenTrue, whenFalse: [], range };
  if (whenFalse.length > 0) {
    const other = onlyBranch(whenFalse);
    const opposite = operator === "and" && other?.whenFalse.length === 0 ? inSteps(other) : null;
    return opposite && decides(left, opposite.condition) === "opposite"
      ? { ...statement, condition: left, whenTrue: [inner], whenFalse: opposite.whenTrue }
      : statement;
  }
  if (operator === "and") return { ...statement, condition: left, whenTrue: [inner] };
  return onlyLeaves(whenTrue) ? { ...statement, condition: left, whenFalse: [inner] } : statement;
}

/**
 * A branch that nothing but another one stands in, as one that asks both: where the inner one takes a comparison and one more operation to ask, LLVM asks it
 * in vain (forms/asked_within one, oneMore; not: twoMore, bothWithin, otherwise).
 */
function askedTogether(statement: If): If {
  const { condition, whenTrue, whenFalse } = statement;
  const inner = whenFalse.length === 0 ? onlyBranch(whenTrue) : null;
  if (!inner || inner.whenFalse.length > 0 || !isOneComparison(inner.condition)) return statement;
  const both: Logical = {
    kind: "logical",
    operator: "and",
    type: booleanType,
    left: condition,
    right: inner.condition,
  };
  return askedTogether({ ...statement, condition: both, whenTrue: inner.whenTrue });
}

/** Whether it compares what registers hold, or one operation of it. */
function isOneComparison(condition: Expression): boolean {
  return condition.kind !== "logical" && isPure(condition) && operationsOf(condition) <= mostAskedWithin;
}

/** The condition with all that is asked from the first operand on that nvcc asks in a block of its own on its right; null where there is none. */
function partedAt(condition: Logical): Logical | null {
  const { operator, left, right } = condition;
  if (!isPure(right) || takesBlock(right)) return condition;
  const before =
    left.kind === "logical" && left.operator === operator && isPure(left) ? partedAt(left) : null;
  return before && { ...before, right: { ...condition, left: before.right } };
}

/** Operations, the comparison among them, up to which LLVM computes in vain what is asked last (cases asked_last), and what a branch within a branch asks. */
const mostAskedTogether = 5;
const mostAskedWithin = 2;

/** Whether the condition takes so many operations, or a function of mathematics, that LLVM jumps over them. */
function takesBlock(condition: Expression): boolean {
  return operationsOf(condition) > mostAskedTogether;
}

function operationsOf(condition: Expression): number {
  let operations = 0;
  forEachExpression(condition, (node) => {
    const isFunction = node.kind === "intrinsic" && intrinsicEffect(node.name) !== "identity";
    operations += isFunction ? Infinity : node.kind === "binary" || node.kind === "unary" ? 1 : 0;
  });
  return operations;
}

/** `(c && x) || (!c && y)` as `c ? x : y` (forms/threaded_branches either). */
export function chosenOf({ operator, type, left, right }: Logical): Conditional | null {
  if (operator !== "or" || left.kind !== "logical" || right.kind !== "logical") return null;
  if (left.operator !== "and" || right.operator !== "and") return null;
  if (isPure(left.right) && isPure(right.right)) return null;
  if (decides(left.left, right.left) !== "opposite") return null;
  return { kind: "conditional", type, condition: left.left, whenTrue: left.right, whenFalse: right.right };
}

/**
 * The list with the choice that it ends with (`b = c ? y[j] : 0`) made part of the branch before it that asked the same, where only copies stand
 * between: `a = c ? x[i] : 0` (cases guarded_choices/twoChoices, nested, opposite, oneOfAnother; not: changed, storedBetween,
 * computedBetween).
 */
export function joinLastChoice(list: Statement[], addressTaken: ReadonlySet<number>): void {
  const choice = list.at(-1);
  const index = list.findLastIndex((statement, at) => at < list.length - 1 && !isCopy(statement));
  const before = list[index];
  const between = list.slice(index + 1, -1);
  if (choice?.kind !== "if" || before?.kind !== "if") return;
  // Behind a way that leaves, the other one goes on.
  if (endsInJump(before.whenTrue) || endsInJump(before.whenFalse)) return;
  const copied = assignedVariables(between);
  if (readsAny(choice.condition, copied)) return;
  const isIndependent = !touchesAny(choice, copied);
  const joined = joinedBranches(isIndependent ? before : endingWith(before, between), choice, addressTaken);
  if (!joined) return;
  const declared = between.filter(({ kind }) => kind === "declare");
  list.splice(index, list.length - index, ...(isIndependent ? [joined, ...between] : [...declared, joined]));
}

/** The branch with the copies at the end of either way. */
function endingWith(branch: If, copies: readonly Statement[]): If {
  const ends = copies.filter(({ kind }) => kind === "evaluate");
  return {
    ...branch,
    whenTrue: [...branch.whenTrue, ...ends],
    whenFalse: [...branch.whenFalse, ...ends],
  };
}

/** Whether it is nothing to LLVM: it gives a variable what another one holds. */
function isCopy(statement: Statement): boolean {
  if (statement.kind === "declare") return statement.initializer === null;
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return false;
  const { place, value } = statement.expression;
  const isHeld = value.kind === "constant" || (value.kind === "load" && value.place.kind === "variable");
  return place.kind === "variable" && isHeld;
}

function touchesAny(statement: Statement, variables: ReadonlySet<number>): boolean {
  let touches = [...assignedVariables([statement])].some((id) => variables.has(id));
  forEachExpressionOf([statement], (node) => {
    if (node.kind === "load" && node.place.kind === "variable" && variables.has(node.place.variable.id))
      touches = true;
    if (node.kind === "address" && node.place.kind === "variable" && variables.has(node.place.variable.id))
      touches = true;
  });
  return touches;
}

function joinedBranches(first: Statement, second: Statement, addressTaken: ReadonlySet<number>): If | null {
  if (first.kind !== "if" || second.kind !== "if") return null;
  const [one, next] = [inSteps(first), inSteps(second)];
  const decision = decides(one.condition, next.condition);
  if (decision === null || readsAny(one.condition, addressTaken)) return null;
  if (readsAny(one.condition, assignedVariables([first]))) return null;
  const [whenTrue, whenFalse] =
    decision === "same" ? [next.whenTrue, next.whenFalse] : [next.whenFalse, next.whenTrue];
  return {
    ...second,
    condition: one.condition,
    whenTrue: [...one.whenTrue, ...whenTrue],
    whenFalse: [...one.whenFalse, ...whenFalse],
  };
}

/** What the one condition says of the other, as far as LLVM sees it: of two that compute the same of the same variables. */
function decides(one: Expression, other: Expression): "same" | "opposite" | null {
  if (!isPure(one) || !isPure(other)) return null;
  if (areEqual(one, other)) return "same";
  return areOpposite(one, other) || areOpposite(other, one) ? "opposite" : null;
}

const opposites: Partial<Record<Binary["operator"], Binary["operator"]>> = {
  "==": "!=",
  "<": ">=",
  "<=": ">",
};

function areOpposite(one: Expression, other: Expression): boolean {
  if (other.kind === "unary" && other.operator === "not") return areEqual(one, other.operand);
  if (one.kind !== "binary" || other.kind !== "binary" || !areEqual(one.left, other.left)) return false;
  if (isOtherBit(one, other)) return true;
  if (opposites[one.operator] !== other.operator || !areEqual(one.right, other.right)) return false;
  // LLVM writes `n >= 6` as `n > 5`, which is no longer the opposite of `n < 6`; of floating-point numbers, NaN is neither.
  const isOrdered = one.operator !== "==";
  return !isOrdered || (one.left.type.kind !== "float" && one.right.kind !== "constant");
}

/** `b == 0` and `b == 1` of one bit. */
function isOtherBit(one: Binary, other: Binary): boolean {
  if (one.operator !== "==" || other.operator !== "==" || !isBit(one.left)) return false;
  const [first, second] = [one.right, other.right];
  return first.kind === "constant" && second.kind === "constant" && first.value === 0 && second.value === 1;
}

function isBit(value: Expression): boolean {
  if (value.kind !== "binary" || value.right.kind !== "constant") return false;
  const isUnsigned = value.type.kind === "integer" && !value.type.signed;
  const { operator, right } = value;
  return (operator === "&" && right.value === 1) || (operator === "%" && right.value === 2 && isUnsigned);
}

/** The branch that the list is nothing but. */
function onlyBranch([only, ...others]: readonly Statement[]): If | null {
  if (others.length > 0) return null;
  if (only?.kind === "block") return onlyBranch(only.body);
  return only?.kind === "if" ? only : null;
}

/** Whether it does nothing but leave. */
function onlyLeaves(list: readonly Statement[]): boolean {
  const jump = onlyJumpOf(list);
  return jump !== null && !(jump.kind === "return" && jump.value !== null);
}
