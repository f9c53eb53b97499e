// Short branches that only compute: LLVM makes selections of them, so that what they read is loaded whichever way control goes.
import type { Expression } from "../../ir/expression.ts";
import { expressionsOf } from "../../ir/operands.ts";
import { isPieceType } from "../../ir/pieces.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { variableKey } from "../addresses/address.ts";
import {
  forEachExpression,
  forEachExpressionOf,
  forEachStatement,
  isPure,
  someExpression,
} from "../walks/walk.ts";

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

/** Whether a branch that is a selection is one with what it reads of records that were copied: of members LLVM decides in ways of its own. */
export function isSelectionOfMembers({ whenTrue, whenFalse }: If): boolean {
  const ways = [...whenTrue, ...whenFalse];
  return ways.some(({ kind }) => kind === "if") || !readsMembers(ways.flatMap(expressionsOf));
}

/** Whether the expressions read members of records that were copied: LLVM makes a branch of a choice between those. */
export function readsMembers(expressions: readonly Expression[]): boolean {
  return expressions.some((each) => someExpression(each, isMember));
}

function isMember(node: Expression): boolean {
  if (node.kind !== "load" || node.place.kind !== "variable" || !isPieceType(node.type)) return false;
  const { isMember, type } = node.place.variable;
  return isMember === true || type.kind === "record";
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

/** Whether the node is an instruction of its own: not a constant, a variable or a conversion between numbers of one kind. */
function isOperation(node: Expression): boolean {
  if (node.kind === "convert") return node.type.kind !== node.operand.type.kind;
  return ["binary", "unary", "logical", "offset", "difference", "conditional"].includes(node.kind);
}
