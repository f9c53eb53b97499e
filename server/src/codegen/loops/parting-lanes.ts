// Where a loop's counter meets something else that no trip changes, in lanes at trips of their own. Lanes that leave there (`if (j == i) break;`,
// `j < n && j < i`) make a number of trips that LLVM can count, and it unrolls the loop as any other. At a branch (`if (j == i) continue;`, `j < i`) it
// may cut the loop in two, one up to that trip and one from there on, if that is surely one of the loop's. Either way lanes meet in other trips than the text says
// (fixtures/forms/counted_exits.cu). So they do in all loops that are unrolled while their trips are counted, in an order that we may not know
// (fixtures/forms/lane_trips.cu).
import type { AccessSite, Expression } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import { copiedBy, counterOf, isInvariant, stepsUnsigned, strideOf } from "../linearise/counted.ts";
import { onlyJumpOf } from "../walks/jumps.ts";
import { assignedVariables, forEachStatement, partsOf, sitesIn, someExpressionOf } from "../walks/walk.ts";

/** Such loops and branches, each with the accesses of the loop. */
export function lanesPartAtIn(body: readonly Statement[]): ReadonlyMap<Loop | If, readonly AccessSite[]> {
  const found = new Map<Loop | If, readonly AccessSite[]>();
  forEachStatement(body, (statement) => {
    if (statement.kind !== "loop") return;
    const parting = partingIn(statement);
    if (parting.length === 0) return;
    const sites = sitesIn(statement.body);
    for (const each of parting) found.set(each, [...(found.get(each) ?? []), ...sites]);
  });
  return found;
}

function partingIn(loop: Loop): readonly (Loop | If)[] {
  const assigned = assignedVariables(loop.body, loop.step);
  const isCounted = countedTestsOf(loop, assigned);
  const isCountedLoop = loop.condition !== null && isCounted(loop.condition);
  const branches = isCountedLoop ? countedBranches(loop, isCounted) : [];
  const isParting =
    loop.copies !== undefined ||
    (isCountedLoop && hasCountedExit(loop, isCounted)) ||
    isCountedOtherwise(loop, assigned);
  const last = branchBeforeTest(loop);
  return [...(isParting ? [loop] : []), ...branches, ...(last ? [last] : [])];
}

/**
 * The branch that a trip ends with, where the loop's test is one of its statements: lanes that take it (`if (lane == 0) sums[row] = n;`) may come
 * to the next trip by themselves, and go through its loops apart from the others (fixtures/programs/vector_search).
 */
function branchBeforeTest({ condition, body }: Loop): If | null {
  if (condition !== null || !holdsLoop(body)) return null;
  const last = body.findLast(({ kind }) => kind !== "evaluate" && kind !== "declare");
  return last?.kind === "if" && !leavesInArm(last) && last.whenFalse.length === 0 ? last : null;
}

/**
 * Whether the compiler may count the trips of a loop of which we don't know what it makes of that: it steps a pointer, compares a multiple of its
 * counter, or has its one test elsewhere than at its ends.
 */
function isCountedOtherwise(loop: Loop, assigned: ReadonlySet<number>): boolean {
  if (loop.unroll === 1 || loop.unroll === 0) return false;
  const test = loop.condition ?? onlyExitOf(loop);
  if (test === null || !isLeftOnce(loop)) return false;
  if (test.kind !== "binary") return stepsBySum(test, loop, assigned);
  const { left, right } = test;
  return (
    (isInvariant(right, assigned) && stepsBySum(left, loop, assigned)) ||
    (isInvariant(left, assigned) && stepsBySum(right, loop, assigned))
  );
}

/** The condition of the one top-level `if (…) break;` of a loop without a test. */
function onlyExitOf({ body }: Loop): Expression | null {
  const exits = body.filter((one) => one.kind === "if" && leavesInArm(one));
  const [exit] = exits;
  if (exits.length !== 1 || exit?.kind !== "if") return null;
  return withoutNot(exit.condition);
}

function withoutNot(test: Expression): Expression {
  return test.kind === "unary" && test.operator === "not" ? withoutNot(test.operand) : test;
}

function isLeftOnce({ condition, body }: Loop): boolean {
  let exits = condition === null ? 0 : 1;
  let isSimple = true;
  forEachStatement(body, ({ kind }) => {
    if (kind === "break" || kind === "return") exits++;
    if (kind === "loop" || kind === "switch" || kind === "unknown") isSimple = false;
  });
  return isSimple && exits === 1;
}

/** Whether a trip adds to the side, a pointer or a sum or product of a counter, what no trip changes. */
function stepsBySum(side: Expression, loop: Loop, assigned: ReadonlySet<number>): boolean {
  if (side.kind === "convert") return stepsBySum(side.operand, loop, assigned);
  if (side.kind === "binary" && ["+", "-", "*"].includes(side.operator))
    return (
      (isInvariant(side.right, assigned) && stepsBySum(side.left, loop, assigned)) ||
      (isInvariant(side.left, assigned) && stepsBySum(side.right, loop, assigned))
    );
  if (side.kind !== "load" || side.place.kind !== "variable") return false;
  const counter = counterOf(side);
  if (counter) {
    const own = copiedBy(counter, loop) ?? counter;
    return strideOf(own, loop, assigned) !== null || stepsUnsigned(own, loop);
  }
  return side.type.kind === "pointer" && assigned.has(side.place.variable.id);
}

type Test = (condition: Expression) => boolean;

/** Whether a condition holds the loop's counter, to which each trip adds the same, against what no trip changes. */
function countedTestsOf(loop: Loop, assigned: ReadonlySet<number>): Test {
  const isCounter = (side: Expression): boolean => {
    const counter = counterOf(side);
    return counter !== null && strideOf(counter, loop, assigned)?.unrolledBy === "llvm";
  };
  const isCounted: Test = (test) => {
    if (test.kind === "logical") return isCounted(test.left) && isCounted(test.right);
    if (test.kind === "unary" && test.operator === "not") return isCounted(test.operand);
    if (test.kind !== "binary") return false;
    const { left, right } = test;
    return (
      (isInvariant(right, assigned) && isCounter(left)) || (isInvariant(left, assigned) && isCounter(right))
    );
  };
  return isCounted;
}

/**
 * The branches of a loop that go one way up to one of its trips, or in it alone, and the other way in the rest. A loop in which lanes meet at
 * barriers or shuffles is not cut.
 */
function countedBranches({ body }: Loop, isCounted: Test): If[] {
  const found: If[] = [];
  forEachStatement(body, (statement) => {
    if (statement.kind === "if" && !leavesInArm(statement) && isCounted(statement.condition))
      found.push(statement);
  });
  return found.length > 0 && !holdsMeeting(body) ? found : [];
}

function holdsMeeting(body: readonly Statement[]): boolean {
  let holds = false;
  forEachStatement(body, ({ kind }) => {
    if (kind === "barrier") holds = true;
  });
  return (
    holds ||
    someExpressionOf(body, (node) => node.kind === "intrinsic" && intrinsicEffect(node.name) === "warp")
  );
}

function hasCountedExit({ condition, unroll, body }: Loop, isCounted: Test): boolean {
  if (unroll === 1 || unroll === 0 || holdsLoop(body)) return false;
  return condition?.kind === "logical" || exitsAtEnds(body).some(isCounted);
}

/** The conditions under which a trip leaves the loop at its start or at its end: between accesses LLVM leaves the loop as it is. */
function exitsAtEnds(body: readonly Statement[]): readonly Expression[] {
  const [only] = body;
  if (body.length === 1 && only?.kind === "block") return exitsAtEnds(only.body);
  const first = body.findIndex(accesses);
  const last = body.findLastIndex(accesses);
  const ends = first < 0 ? body : [...body.slice(0, first), ...body.slice(last + 1)];
  return ends.flatMap((statement) =>
    statement.kind === "if" && leavesInArm(statement) ? [statement.condition] : [],
  );
}

function accesses(statement: Statement): boolean {
  return sitesIn([statement]).length > 0;
}

/** Whether an arm of the branch does nothing but leave the loop. */
function leavesInArm({ whenTrue, whenFalse }: If): boolean {
  return [whenTrue, whenFalse].some((arm) => {
    const jump = onlyJumpOf(arm)?.kind;
    return jump === "break" || jump === "return";
  });
}

function holdsLoop(body: readonly Statement[]): boolean {
  return body.some((statement) => statement.kind === "loop" || partsOf(statement).lists.some(holdsLoop));
}
