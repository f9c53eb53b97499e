// Loops whose trips ask how their counter compares with something of the thread: nvcc makes a loop of the trips below it and one of those above,
// so that lanes begin the second where each has ended the first (cases forms/split_at_index).
import type { Binary, Expression, VariablePlace } from "../../ir/expression.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import { sameType } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import { assignment, type Fresh, placeOf, readOf } from "../walks/fresh.ts";
import { withWays } from "../walks/rebuild.ts";
import {
  assignedVariables,
  isPure,
  partsOf,
  readsAny,
  someExpression,
  someExpressionOf,
  someStatement,
} from "../walks/walk.ts";
import { type KnowledgeToRead, knownValue } from "./constants.ts";
import { withoutBlocks } from "./inline.ts";
import { isSelection } from "./selections.ts";
import { slowPathOf } from "./slow-paths.ts";
import { withoutContinue } from "./trips-in-a-row.ts";

export interface IndexSplitting {
  /** Of the loops that stand in no other and hold none. */
  readonly loops: ReadonlySet<SourceRange>;
  /** How expressions of the text are to the compiler. */
  readonly uniformityOf: (expression: Expression) => "uniform" | "unclear" | "varying";
}

/**
 * The loops of a kernel that may be split, by their ranges: those that stand under a branch, or behind one that returns, and in no other loop,
 * and behind which, in their own list, no branch comes before the next loop.
 */
export function loopsToSplit(body: readonly Statement[]): ReadonlySet<SourceRange> {
  const loops = new Set<SourceRange>();
  findLoops(body, "always", loops);
  return loops;
}

/** Whether control comes to a point in any case, or only on one way of a branch. */
type Reached = "always" | "by-branch";

/** How control comes to the end of the list. */
function findLoops(list: readonly Statement[], reached: Reached, loops: Set<SourceRange>): Reached {
  let current = reached;
  const flat = withoutBlocks(list);
  for (const [index, statement] of flat.entries()) {
    if (statement.kind === "if")
      for (const way of [statement.whenTrue, statement.whenFalse]) findLoops(way, "by-branch", loops);
    else if (statement.kind === "loop" && current === "by-branch" && isPlainTrip(statement.body))
      if (!endsInBranch(flat, index + 1)) loops.add(statement.range);
    if (someStatement([statement], returns)) current = "by-branch";
  }
  return current;
}

/** Whether what stands from there on, up to a loop, comes to a branch: of the text, or of CUDA's library. */
function endsInBranch(list: readonly Statement[], start: number): boolean {
  const made = new Set<string>();
  for (const statement of list.slice(start)) {
    if (statement.kind === "loop") return false;
    if (partsOf(statement).expressions.some((each) => slowPathOf(each, made, "store") === "library"))
      return true;
    if (statement.kind === "switch") return true;
    if (statement.kind === "if" && !isSelection(withFlatWays(statement))) return true;
  }
  return false;
}

function withFlatWays(branch: If): If {
  return withWays(branch, branch.condition, withoutBlocks(branch.whenTrue), withoutBlocks(branch.whenFalse));
}

function returns({ kind }: Statement): boolean {
  return kind === "return";
}

const notPlain: ReadonlySet<string> = new Set([
  "loop",
  "switch",
  "break",
  "return",
  "barrier",
  "unknown",
  "launch",
]);

function isPlainTrip(body: readonly Statement[]): boolean {
  return !someStatement(body, ({ kind }) => notPlain.has(kind));
}

interface SplitContext {
  readonly splitting: IndexSplitting | null;
  readonly fresh: Fresh;
  /** By the range of a loop, that of the part in front of the rest. */
  readonly rangesOfFirstParts: Map<SourceRange, SourceRange>;
}

/** The loop in parts, from the statement `before` it, which declares the counter; null where it stays one. */
export function splitAtIndex(
  loop: Loop,
  before: Statement | null,
  knowledge: KnowledgeToRead,
  { splitting, fresh, rangesOfFirstParts }: SplitContext,
): readonly Statement[] | null {
  if (!splitting?.loops.has(loop.range)) return null;
  const counted = countedFromZero(loop, before, knowledge);
  const body = counted && withoutContinue(loop.body);
  if (!counted || !body) return null;
  const { counter, end } = counted;
  const assigned = assignedVariables([loop]);
  const isFixed = (node: Expression) => isPure(node) && !readsMemory(node) && !readsAny(node, assigned);
  if (!isFixed(end)) return null;
  const asking = body.flatMap((statement, index) => {
    // What computes only is chosen without a branch (cases forms/split_at_index restInTrip).
    const isBranch = statement.kind === "if" && someExpressionOf([statement], accessesMemory);
    const asked = isBranch ? askedOf(statement, counter, isFixed) : null;
    return asked ? [{ ...asked, index }] : [];
  });
  const [asked, ...others] = asking;
  if (!asked || others.length > 0 || splitting.uniformityOf(asked.value) !== "varying") return null;
  if (!sameType(asked.value.type, end.type)) return null;
  const { range } = loop;
  const firstRange = rangesOfFirstParts.get(range) ?? { ...range };
  rangesOfFirstParts.set(range, firstRange);
  const bodyWhere = (way: readonly Statement[]) => [
    ...body.slice(0, asked.index),
    ...way,
    ...body.slice(asked.index + 1),
  ];
  const { type } = end;
  const limit = fresh.temporary(type, "limit");
  const compare = (operator: Binary["operator"], left: Expression, right: Expression): Binary => {
    return { kind: "binary", operator, type: counted.condition.type, left, right };
  };
  const one: Expression = { kind: "constant", type, value: 1 };
  const next: Expression = { kind: "binary", operator: "+", type, left: asked.value, right: one };
  const least: Expression = {
    kind: "conditional",
    type,
    condition: compare("<", asked.value, end),
    whenTrue: asked.isBehind ? next : asked.value,
    whenFalse: end,
  };
  const part = (condition: Expression, statements: readonly Statement[], at: SourceRange): Loop => {
    return { ...loop, condition, body: statements, range: at };
  };
  const current = counted.condition.left;
  const first = bodyWhere(asked.below);
  const last = bodyWhere(asked.above);
  const isBelow = compare("<", current, readOf(limit));
  const skipped: If = {
    kind: "if",
    condition: isBelow,
    whenTrue: [assignment(counted.place, readOf(limit), range)],
    whenFalse: [],
    range: firstRange,
  };
  const middle: If = {
    kind: "if",
    condition: counted.condition,
    whenTrue: [
      ...body,
      ...loop.step.map((expression): Statement => ({ kind: "evaluate", expression, range })),
    ],
    whenFalse: [],
    range: firstRange,
  };
  return [
    assignment(placeOf(limit), least, range),
    first.length > 0 ? part(isBelow, first, firstRange) : skipped,
    ...(asked.isEqual ? [middle] : []),
    ...(last.length > 0 ? [part(counted.condition, last, range)] : []),
  ];
}

/** What a trip asks of its counter, and what it does for counters below and above the value. */
interface Asked {
  readonly value: Expression;
  readonly below: readonly Statement[];
  readonly above: readonly Statement[];
  /** Whether the counter that equals the value is a part of its own. */
  readonly isEqual: boolean;
  /** Whether the first part ends behind the value. */
  readonly isBehind: boolean;
}

function askedOf(
  { condition, whenTrue, whenFalse }: If,
  counter: number,
  isFixed: (node: Expression) => boolean,
): Asked | null {
  if (condition.kind !== "binary") return null;
  const isLeft = isCounter(condition.left, counter);
  if (!isLeft && !isCounter(condition.right, counter)) return null;
  const value = isLeft ? condition.right : condition.left;
  const operator = isLeft ? condition.operator : (turnedOperator.get(condition.operator) ?? null);
  if (!isFixed(value)) return null;
  const whole = { value, isEqual: true, isBehind: false };
  const cut = { value, isEqual: false };
  switch (operator) {
    case "==":
      return { ...whole, below: whenFalse, above: whenFalse };
    case "!=":
      return { ...whole, below: whenTrue, above: whenTrue };
    case "<":
      return { ...cut, below: whenTrue, above: whenFalse, isBehind: false };
    case ">":
      // With something for the counters up to the value as well, nvcc makes more than these parts.
      return whenFalse.length > 0 ? null : { ...cut, below: whenFalse, above: whenTrue, isBehind: true };
    case ">=":
      return { ...cut, below: whenFalse, above: whenTrue, isBehind: false };
    default:
      return null;
  }
}

const turnedOperator: ReadonlyMap<Binary["operator"], Binary["operator"]> = new Map([
  ["==", "=="],
  ["!=", "!="],
  ["<", ">"],
  ["<=", ">="],
  [">", "<"],
  [">=", "<="],
]);

interface CountedLoop {
  readonly counter: number;
  readonly place: VariablePlace;
  readonly condition: Binary;
  readonly end: Expression;
}

/** `for (int j = 0; j < end; j++)` of numbers of 32 or 64 bits, whose end is no constant: nvcc splits no others. */
function countedFromZero(
  { condition, step, test }: Loop,
  before: Statement | null,
  knowledge: KnowledgeToRead,
): CountedLoop | null {
  if (test !== "top" || condition?.kind !== "binary" || condition.operator !== "<") return null;
  if (before?.kind !== "declare" || before.initializer === null) return null;
  const { variable, initializer } = before;
  const { left, right } = condition;
  if (!isCounter(left, variable.id) || left.type.kind !== "integer" || left.type.bits < 32) return null;
  if (knownValue(initializer, knowledge) !== 0 || knownValue(right, knowledge) !== null) return null;
  const [only, ...others] = step;
  if (!only || others.length > 0 || !isIncrement(only, variable.id, knowledge)) return null;
  return { counter: variable.id, place: placeOf(variable), condition, end: right };
}

function isIncrement(step: Expression, counter: number, knowledge: KnowledgeToRead): boolean {
  if (step.kind !== "assign" || step.place.kind !== "variable" || step.place.variable.id !== counter)
    return false;
  const { value } = step;
  return (
    value.kind === "binary" &&
    value.operator === "+" &&
    isCounter(value.left, counter) &&
    knownValue(value.right, knowledge) === 1
  );
}

function isCounter(node: Expression, counter: number): boolean {
  return (
    node.kind === "load" &&
    node.place.kind === "variable" &&
    node.place.offsetBytes === 0 &&
    node.place.variable.id === counter
  );
}

function readsMemory(node: Expression): boolean {
  return someExpression(node, accessesMemory);
}

function accessesMemory(node: Expression): boolean {
  return (node.kind === "load" || node.kind === "assign") && node.place.kind === "memory";
}
