// Short branches that only compute: LLVM makes selections of them, so that what they read is loaded whichever way control goes.
import type { Expression } from "../../ir/expression.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { forEachExpression, isPure } from "../walks/walk.ts";

/** The most operations of both ways (fixtures/forms/selections: four are computed in vain, five are jumped over). */
const mostOperations = 4;

/** Whether the branch is no branch to LLVM: it assigns variables what a few cheap operations make of others. */
export function isSelection(branch: If): boolean {
  return operationsLeft(branch, mostOperations) >= 0;
}

/** What the ways leave of so many operations; less than none where they take more, or do what LLVM does not do in vain. Reads no further than that. */
function operationsLeft({ whenTrue, whenFalse }: If, operations: number): number {
  let left = operations;
  for (const way of [whenTrue, whenFalse])
    for (const statement of way) {
      left = operationsLeftBy(statement, left);
      if (left < 0) return left;
    }
  return left;
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

/** Functions, minima and maxima too, and divisions are jumped over. */
function cheapOperations(value: Expression): number {
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

function isOperation(node: Expression): boolean {
  if (node.kind === "convert") return node.type.kind !== node.operand.type.kind;
  return ["binary", "unary", "logical", "offset", "difference", "conditional"].includes(node.kind);
}
