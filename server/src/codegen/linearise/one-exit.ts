// Loops whose counter LLVM asks in one branch with what else ends them, so that their trips are no constant.
import type { Expression } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { onlyJumpOf } from "../walks/jumps.ts";
import { assignedVariables, someExpression } from "../walks/walk.ts";
import { type KnowledgeToRead, knownValue } from "./constants.ts";
import { withoutBlocks } from "./inline.ts";

/** LLVM computes one operation and a comparison in front of the jump that it folds into the one before. */
const foldedOperations = 1;

/**
 * Whether the loop is left by one branch and so stays as it is. Of what each trip asks first (`if (start + k >= n) break;`) LLVM makes one branch
 * with the counter's test, if it is no more than one operation on variables and a comparison (cases one_exit/beginsWith…, endsInElse; not:
 * twoOperations, usedAgain); of what no trip changes, two loops (invariant). Of `k < 8 && start + k < n` it counts both sides when the
 * loop starts (across_trips/boundedTwice, boundedLow); of other conditions, and of what a trip asks last, ptxas makes copies in the end
 * (one_exit/whileBelow, whileDifferent, endsWithBreak).
 */
export function hasOneExit(loop: Loop, knowledge: KnowledgeToRead): boolean {
  if (loop.unroll !== null || loop.test === "bottom") return false;
  const inBody = assignedVariables(loop.body);
  return beginsWithBreak(loop, inBody, knowledge) || isCountedAtStart(loop.condition, inBody);
}

function beginsWithBreak(loop: Loop, inBody: ReadonlySet<number>, knowledge: KnowledgeToRead): boolean {
  const test = breakingTest(withoutBlocks(loop.body)[0]);
  if (test === null || (operationsIn(test) ?? Infinity) > foldedOperations) return false;
  const inTrips = new Set([...inBody, ...assignedVariables([], loop.step)]);
  const isChanged = someExpression(test, (node) => isVariable(node, (id) => inTrips.has(id)));
  return isChanged && someExpression(test, (node) => isUnknownAtStart(node, inBody, inTrips, knowledge));
}

/** Whether all that the condition asks beside its left side can be counted before the first trip. */
function isCountedAtStart(condition: Expression | null, inBody: ReadonlySet<number>): boolean {
  if (condition?.kind !== "logical") return false;
  const isCounted = (one: Expression): boolean =>
    one.kind === "binary" &&
    comparisons.has(one.operator) &&
    isSum(one.left, inBody) &&
    isSum(one.right, inBody);
  return conjuncts(condition).slice(1).every(isCounted);
}

const comparisons: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

/** The sides of `a && b && c`. */
function conjuncts(condition: Expression): readonly Expression[] {
  if (condition.kind !== "logical" || condition.operator !== "and") return [condition];
  return [...conjuncts(condition.left), ...conjuncts(condition.right)];
}

/** Whether it is made of sums and products of what the trips leave alone, but for the counter. */
function isSum(value: Expression, inBody: ReadonlySet<number>): boolean {
  if (value.kind === "constant") return true;
  if (value.kind === "load") return value.place.kind === "variable" && !inBody.has(value.place.variable.id);
  if (value.kind === "convert") return value.type.kind === "integer" && isSum(value.operand, inBody);
  if (value.kind !== "binary" || !["+", "-", "*"].includes(value.operator)) return false;
  return value.type.kind === "integer" && isSum(value.left, inBody) && isSum(value.right, inBody);
}

/** What is asked by `if (c) break;` and by `if (c) {…} else break;`; null of any other statement. */
function breakingTest(statement: Statement | undefined): Expression | null {
  if (statement?.kind !== "if") return null;
  const { condition, whenTrue, whenFalse } = statement;
  const breaks = (way: readonly Statement[]): boolean => onlyJumpOf(way)?.kind === "break";
  const isBreak = (breaks(whenTrue) && whenFalse.length === 0) || breaks(whenFalse);
  return isBreak ? condition : null;
}

/** How many operations a test takes beside its comparison; null where it is more than arithmetic on variables. */
function operationsIn(test: Expression): number | null {
  if (test.kind === "unary" && test.operator === "not") return operationsIn(test.operand);
  if (test.kind === "convert" && test.type.kind === "boolean") return operationsIn(test.operand);
  if (test.kind !== "binary" || test.type.kind !== "boolean") return arithmeticIn(test);
  return sumOf(arithmeticIn(test.left), arithmeticIn(test.right));
}

function arithmeticIn(value: Expression): number | null {
  switch (value.kind) {
    case "constant":
      return 0;
    case "load":
      return value.place.kind === "variable" ? 0 : null;
    case "intrinsic":
      return value.arguments.length === 0 && value.site === null ? 0 : null;
    case "unary":
      return sumOf(arithmeticIn(value.operand), 1);
    case "convert": {
      const isSameWidth =
        value.type.kind === value.operand.type.kind && sizeOf(value.type) === sizeOf(value.operand.type);
      return sumOf(arithmeticIn(value.operand), isSameWidth ? 0 : 1);
    }
    case "binary": {
      const isDivision = value.operator === "/" || value.operator === "%";
      return isDivision ? null : sumOf(sumOf(arithmeticIn(value.left), arithmeticIn(value.right)), 1);
    }
    default:
      return null;
  }
}

function sumOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** Whether constants say nothing of it where the loop starts: of anything but counters, which they say all of. */
function isUnknownAtStart(
  node: Expression,
  inBody: ReadonlySet<number>,
  inTrips: ReadonlySet<number>,
  knowledge: KnowledgeToRead,
): boolean {
  if (node.kind === "intrinsic") return true;
  if (isVariable(node, (id) => inBody.has(id))) return true;
  return isVariable(node, (id) => !inTrips.has(id)) && typeof knownValue(node, knowledge) !== "number";
}

function isVariable(node: Expression, test: (id: number) => boolean): boolean {
  return node.kind === "load" && node.place.kind === "variable" && test(node.place.variable.id);
}
