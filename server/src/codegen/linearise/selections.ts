// Short branches that only compute: LLVM makes selections of them, so that what they read is loaded whichever way control goes.
import type { Expression } from "../../ir/expression.ts";
import { expressionsOf } from "../../ir/operands.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { variableKey } from "../addresses/address.ts";
import {
  forEachExpression,
  forEachExpressionOf,
  forEachStatement,
  isPure,
  someExpression,
} from "../walks/walk.ts";
import { isChosen, isOperation, memberOperationsOf } from "./member-operations.ts";

/** The most operations of both ways (fixtures/forms/selections: four are computed in vain, five are jumped over). */
const mostOperations = 4;

/**
 * The most variables that a branch of one way sets where it computes something, or asks how floats compare (forms/nested_selections threeScaled;
 * branches: fourScaled, swaps). What only copies may set any number.
 */
const mostVariables = 3;

/** Whether the branch is no branch to LLVM: it assigns variables what a few cheap operations make of others. */
export function isSelection(branch: If): boolean {
  return operationsLeft(branch, mostOperations) >= 0;
}

/** The most variables that a branch sets which reads members of records. */
const mostChosen = 2;

/**
 * Whether a branch that is a selection is one with what it reads of records that were copied (fixtures/forms/record_selections). Of others
 * LLVM decides when it holds all numbers in registers.
 */
export function isSelectionOfMembers(branch: If): boolean {
  const { whenTrue, whenFalse } = branch;
  const first = memberOperationsOf(whenTrue.flatMap(expressionsOf));
  const second = memberOperationsOf(whenFalse.flatMap(expressionsOf));
  if (!first.readsMembers && !second.readsMembers) return true;
  if ([...whenTrue, ...whenFalse].some(({ kind }) => kind === "if")) return true;
  return variablesSetBy(branch) <= mostChosen && isChosen(first, second);
}

/** What the ways leave of so many operations; less than none where they take more, or do what LLVM does not do in vain. Reads no further than that. */
function operationsLeft(branch: If, operations: number): number {
  const { condition, whenTrue, whenFalse } = branch;
  const isOneWay = whenTrue.length === 0 || whenFalse.length === 0;
  let left = operations;
  for (const way of [whenTrue, whenFalse])
    for (const statement of way) {
      left = operationsLeftBy(statement, left);
      // By then a selection of each variable stands there (nested_selections nestedSameTwice; not behind an else: selections chained).
      if (isOneWay && statement.kind === "if") left -= variablesSetBy(statement);
      if (left < 0) return left;
    }
  const isLimited = isOneWay && (left < operations || someExpression(condition, comparesFloats));
  return isLimited && variablesSetBy(branch) > mostVariables ? -Infinity : left;
}

function comparesFloats(node: Expression): boolean {
  return node.kind === "binary" && node.type.kind === "boolean" && node.left.type.kind === "float";
}

function operationsLeftBy(statement: Statement, operations: number): number {
  switch (statement.kind) {
    case "declare":
      return statement.initializer === null ? operations : -Infinity;
    case "if":
      return operationsLeft(statement, operations - cheapOperations(statement.condition));
    case "evaluate": {
      const { expression } = statement;
      const setsVariable = expression.kind === "assign" && expression.place.kind === "variable";
      return setsVariable ? operations - cheapOperations(expression.value) : -Infinity;
    }
    default:
      return -Infinity;
  }
}

/** Whether LLVM makes a branch of a `c ? a : b` in the expression, so that what stands in front of it and behind is in two blocks. */
export function holdsBranch(expression: Expression): boolean {
  return someExpression(expression, (node) => {
    if (node.kind !== "conditional") return false;
    return chosenOperations(node.whenTrue) + chosenOperations(node.whenFalse) > mostOperations;
  });
}

/** A minimum of integers is a selection itself. */
function chosenOperations(value: Expression): number {
  const isOfIntegers = value.kind === "intrinsic" && value.type.kind === "integer";
  return isOfIntegers
    ? 1 + value.arguments.reduce((sum, each) => sum + cheapOperations(each), 0)
    : cheapOperations(value);
}

/** How many variables, or parts of them, the branch sets for what follows it. */
function variablesSetBy(branch: If): number {
  const own = new Set<number>();
  forEachStatement([branch], (statement) => {
    if (statement.kind === "declare") own.add(statement.variable.id);
  });
  const keys = new Set<number>();
  forEachExpressionOf([branch], (node) => {
    if (node.kind !== "assign" || node.place.kind !== "variable" || own.has(node.place.variable.id)) return;
    keys.add(variableKey(node.place.variable, node.place.offsetBytes));
  });
  return keys.size;
}

/** Functions, minima and maxima too, and divisions are jumped over. */
export function cheapOperations(value: Expression): number {
  if (!isPure(value)) return Infinity;
  let operations = 0;
  forEachExpression(value, (node) => {
    if (node.kind === "intrinsic") operations = Infinity;
    else if (node.kind === "binary" && (node.operator === "/" || node.operator === "%"))
      operations = Infinity;
    else if (isOperation(node)) operations++;
  });
  return operations;
}
