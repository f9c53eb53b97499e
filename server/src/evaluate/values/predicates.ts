// Comparisons and truth over the lanes of a warp, three-valued.
import type { ComparisonOperator } from "../../ir/expression.ts";
import type { Choice } from "../machine.ts";
import { areSplittable, conditionOf, factorsOf, listOf, nameOf } from "./derive.ts";
import {
  allLanes,
  divisorOfLanes,
  greatestDivisor,
  isUniform,
  laneCount,
  laneOf,
  uniformOver,
} from "./lanes.ts";
import { isKnown, known, type Linear, rangeOfTerms, subtract, type Term, variesInTerm } from "./linear.ts";
import { thresholdSplit } from "./split-points.ts";
import type { Indeterminate, Split, SymbolRole } from "./symbol.ts";
import { type Comparison, type Doubt, decided, type LaneOrder, type Lean, type Predicate } from "./value.ts";

/** `left operator right` of integers, which are compared as the mathematical integers that they are. */
export function compareLinear(
  operator: ComparisonOperator,
  left: Linear,
  right: Linear,
  mask: number,
): Predicate {
  const difference = subtract(left, right);
  return compareToZero(operator, difference, mask);
}

/** `value != 0`. */
export function truthOf(value: Linear, mask: number): Predicate {
  return compareToZero("!=", value, mask);
}

export function not(predicate: Predicate): Predicate {
  const doubt = predicate.doubt && {
    ...predicate.doubt,
    lean: predicate.doubt.lean && { ...predicate.doubt.lean, holds: !predicate.doubt.lean.holds },
    order: oppositeOrder(predicate.doubt.order),
    comparisons: oppositeOf(predicate.doubt.comparisons),
  };
  return { kind: "predicate", yes: predicate.no, no: predicate.yes, doubt };
}

/** `left && right`, where both are known to be evaluated. */
export function and(left: Predicate, right: Predicate): Predicate {
  const yes = left.yes & right.yes;
  const no = left.no | right.no;
  return combined(yes, no, left, right, (first, second) =>
    first === false || second === false ? false : first === null || second === null ? null : true,
  );
}

export function or(left: Predicate, right: Predicate): Predicate {
  return not(and(not(left), not(right)));
}

/** A predicate of which nothing is known. */
export function undecided(doubt: Doubt): Predicate {
  return { kind: "predicate", yes: 0, no: 0, doubt };
}

/** The lanes that are not known, within `mask`. */
export function openLanes(predicate: Predicate, mask: number): number {
  return mask & ~(predicate.yes | predicate.no);
}

function compareToZero(operator: ComparisonOperator, difference: Linear, mask: number): Predicate {
  if (isKnown(difference) && isUniform(difference.constant))
    return decided(holds(operator, Number(difference.constant)) ? allLanes : 0);
  let yes = 0;
  let no = 0;
  const coefficientsAgree = difference.terms.every((term) => isUniform(term.coefficient));
  const sharedRange = coefficientsAgree ? rangeOfTerms(difference.terms, 0) : null;
  const step = difference.terms.reduce(
    (common, term) => greatestDivisor(common, divisorOfLanes(term.coefficient, mask)),
    0,
  );
  for (let lane = 0; lane < laneCount; lane++) {
    const constant = Number(laneOf(difference.constant, lane));
    const range = sharedRange ?? rangeOfTerms(difference.terms, lane);
    const verdict = decide(operator, constant, constant + range.least, constant + range.most, step);
    if (verdict === true) yes |= 1 << lane;
    else if (verdict === false) no |= 1 << lane;
  }
  if ((mask & ~(yes | no)) === 0) return { kind: "predicate", yes, no, doubt: null };
  return { kind: "predicate", yes, no, doubt: doubtOf(operator, difference, mask & ~(yes | no)) };
}

/** Whether the comparison holds for all values from `least` to `most`, for none (false), or for some (null). */
function decide(
  operator: ComparisonOperator,
  constant: number,
  least: number,
  most: number,
  step: number,
): boolean | null {
  if (least === most) return holds(operator, least);
  switch (operator) {
    case "<":
      return most < 0 ? true : least >= 0 ? false : null;
    case "<=":
      return most <= 0 ? true : least > 0 ? false : null;
    case ">":
      return least > 0 ? true : most <= 0 ? false : null;
    case ">=":
      return least >= 0 ? true : most < 0 ? false : null;
    case "==":
      return least > 0 || most < 0 || (step > 0 && constant % step !== 0) ? false : null;
    case "!=":
      return least > 0 || most < 0 || (step > 0 && constant % step !== 0) ? true : null;
  }
}

function doubtOf(operator: ComparisonOperator, difference: Linear, open: number): Doubt {
  const unknowns = factorsOf([difference]);
  const sizes = unknowns.filter((unknown) => unknown.role === "size");
  const dependsOnData = unknowns.some((unknown) => unknown.role === "data");
  const isUniform = isUniformOver(difference, open);
  const isConditional = conditionOf(unknowns) !== null;
  return {
    split: splitFor(operator, difference, unknowns, open),
    lean: dependsOnData
      ? null
      : (leanOf(operator, difference) ?? leanInRow(operator, difference, isConditional)),
    isUniform: isUniform && !isConditional,
    order: orderOf(operator, difference, open),
    reason: nameOf(unknowns),
    dependsOnData,
    sizes,
    comparisons: [{ operator, difference }],
    // What is one for all lanes within a row differs in the few warps that straddle two.
    partsAtEdge: turnsSeldom(difference, open) || (isUniform && isConditional && !dependsOnData),
  };
}

/** The split that settles the comparison, where folded dimensions alone leave it open. */
function splitFor(
  operator: ComparisonOperator,
  difference: Linear,
  unknowns: readonly Indeterminate[],
  open: number,
): Split | null {
  if (!areSplittable(unknowns)) return null;
  for (const unknown of unknowns) if (unknown.split) return unknown.split;
  const limit = operator === "<=" || operator === ">" ? 1 : 0;
  return thresholdSplit(difference, limit, open);
}

/** Whether the open lanes hold one value, whatever it is. */
function isUniformOver(difference: Linear, open: number): boolean {
  return (
    uniformOver(difference.constant, open) !== null &&
    difference.terms.every((term) => uniformOver(term.coefficient, open) !== null && !variesInTerm(term))
  );
}

/**
 * Where the unknown part is the same for all lanes, those that pass are the first or the last ones if the known part rises or falls; it is equal
 * in one lane at most if no two have the same.
 */
function orderOf(operator: ComparisonOperator, difference: Linear, open: number): LaneOrder | null {
  const isShared = difference.terms.every(
    (term) => uniformOver(term.coefficient, open) !== null && !variesInTerm(term),
  );
  if (!isShared) return null;
  const values: number[] = [];
  for (let lane = 0; lane < laneCount; lane++)
    if ((open >>> lane) & 1) values.push(Number(laneOf(difference.constant, lane)));
  if (operator === "==" || operator === "!=") {
    if (new Set(values).size < values.length) return null;
    return operator === "==" ? "one" : "all but one";
  }
  const rises = values.every((value, index) => value >= (values[index - 1] ?? -Infinity));
  const falls = values.every((value, index) => value <= (values[index - 1] ?? Infinity));
  if (rises === falls) return null;
  const isBelow = operator === "<" || operator === "<=";
  return rises === isBelow ? "first" : "last";
}

/** What is known of a test that lanes are taken to pass together, as they do but for the few warps where it turns. Null for all else. */
export function passedTogether(predicate: Predicate, mask: number): Predicate | null {
  const { doubt } = predicate;
  if (openLanes(predicate, mask) === 0 || !doubt?.partsAtEdge) return null;
  if (doubt.isUniform || doubt.lean || doubt.split) return null;
  return { ...predicate, doubt: { ...doubt, isUniform: true } };
}

/** Whether what is not known of a comparison is one for all lanes, a position in a grid that is not known, and may be anything in a wide range. */
function turnsSeldom(difference: Linear, open: number): boolean {
  const unknowns = factorsOf([difference]);
  return (
    unknowns.some(({ role }) => role === "position") &&
    unknowns.every(({ role }) => placed.has(role)) &&
    conditionOf(unknowns) === null &&
    isFarApart(difference) &&
    difference.terms.every((term) => uniformOver(term.coefficient, open) !== null && !variesInTerm(term))
  );
}

/** What says where in a grid and its arrays a warp works. */
const placed: ReadonlySet<SymbolRole> = new Set(["position", "size", "dimension", "trip"]);

/** The order of the lanes that do not pass. */
export function oppositeOrder(order: LaneOrder | null): LaneOrder | null {
  return order === null ? null : oppositeOrders[order];
}

const oppositeOrders: Readonly<Record<LaneOrder, LaneOrder>> = {
  first: "last",
  last: "first",
  one: "all but one",
  "all but one": "one",
};

/**
 * The truth of the comparison when sizes are large beside positions in the block and the grid: "interior warps". Of two sizes, the
 * one that is added to the position is where it starts, the other where it ends: `first + i < last` holds as `i < n` does. Where no size
 * takes part, a position in a grid that is not known is large: `i >= 1`, the lower guard of a stencil, holds, and so does `i != 0`.
 */
function leanOf(operator: ComparisonOperator, difference: Linear): Lean | null {
  const isEquality = operator === "==" || operator === "!=";
  if (isEquality && !isFarApart(difference)) return null;
  // A size times a position, `blockIdx.z * gridDim.x` or `row * width`, is a position itself.
  const isSize = ({ factors }: Term) => factors.every((factor) => factor.role === "size");
  const sizes = signOf(difference.terms.filter(isSize));
  if (sizes === null) return null;
  if (sizes === 1 || sizes === -1) {
    const isFew = isEquality || endsBeforeSize(operator, difference, sizes);
    return { holds: holds(operator, sizes * Infinity), others: isFew ? "few" : "any share" };
  }
  const others = difference.terms.filter((term) => !isSize(term));
  const positions = signOf(sizes === 0 ? inUnknownGrid(others) : others);
  if (typeof positions !== "number" || positions === 0) return null;
  return {
    holds: holds(operator, (sizes === 0 ? 1 : -1) * positions * Infinity),
    others: sizes === 0 ? "few" : "any share",
  };
}

/** A place in a row of unknown size is seldom one number: `i % w == 0` holds at the row's edge alone. */
function leanInRow(operator: ComparisonOperator, difference: Linear, isInRow: boolean): Lean | null {
  const isEquality = operator === "==" || operator === "!=";
  if (!isInRow || !isEquality || !isFarApart(difference)) return null;
  return { holds: operator === "!=", others: "few" };
}

/** Whether it asks for parameters alone, which nothing in sight says to be large or unlike a number: `mode == 0`, where `i < n` guards an index. */
export function isOfSizesAlone({ isUniform, comparisons }: Doubt): boolean {
  if (!isUniform || comparisons === null) return false;
  return comparisons.every(({ difference }) => factorsOf([difference]).every(({ role }) => role === "size"));
}

/** Whether the comparison turns at a position before the size itself, as `i + 1 < n` does: only the last few before it are beyond. */
function endsBeforeSize(operator: ComparisonOperator, { constant }: Linear, signOfSizes: -1 | 1): boolean {
  const added = Array.from({ length: laneCount }, (_, lane) => -signOfSizes * Number(laneOf(constant, lane)));
  // `i <= n` turns one position later than `i < n`.
  const turnsLater = holds(operator, 0) === holds(operator, -signOfSizes * Infinity) ? 0 : 1;
  return Math.min(...added) > turnsLater;
}

/** Whether the unknown part may be anything in a wide range, so that it seldom is one number: `i == n - 1` at the edge alone. */
function isFarApart({ terms }: Linear): boolean {
  const { least, most } = rangeOfTerms(terms, 0);
  return most - least >= leastFarApart;
}

const leastFarApart = 2 ** 16;

/** The terms without bounds, if all of them are positions in a grid that is not known, and steps from there on in a loop over the grid. */
function inUnknownGrid(terms: readonly Term[]): readonly Term[] {
  const open = terms.filter(({ factors }) => !factors.every(({ role }) => role === "dimension"));
  const isInGrid = open.some(({ factors }) => factors.some(({ role }) => role === "position"));
  return isInGrid && open.every(({ factors }) => factors.every(({ role }) => placed.has(role))) ? open : [];
}

/** The sign that the coefficients of some terms have; 0 where there are none, null where lanes have different ones. */
function signOf(terms: readonly Term[]): -1 | 0 | 1 | "both" | null {
  const signs = new Set<number>();
  for (const { coefficient } of terms) {
    if (!isUniform(coefficient) || Number(coefficient) === 0) return null;
    signs.add(Math.sign(Number(coefficient)));
  }
  return signs.size === 0 ? 0 : signs.size === 2 ? "both" : signs.has(1) ? 1 : -1;
}

function combined(
  yes: number,
  no: number,
  left: Predicate,
  right: Predicate,
  holdsOf: (left: boolean | null, right: boolean | null) => boolean | null,
): Predicate {
  if ((yes | no) === allLanes || (!left.doubt && !right.doubt))
    return { kind: "predicate", yes, no, doubt: null };
  const doubts = [left.doubt, right.doubt].filter((doubt) => doubt !== null);
  const first = doubts[0];
  if (!first) return { kind: "predicate", yes, no, doubt: null };
  // Of two doubts about the same lanes both must pass, about other lanes one is enough: only the former keep what each is like.
  const isOneDoubt =
    doubts.length === 1 ||
    (left.yes | left.no) === (right.yes | right.no) ||
    (isWholeOrNone(left) && isWholeOrNone(right));
  const uniformTruth = (predicate: Predicate) =>
    predicate.doubt ? (predicate.doubt.lean?.holds ?? null) : predicate.no !== allLanes;
  const leansTo = holdsOf(uniformTruth(left), uniformTruth(right));
  const isFew = doubts.every((doubt) => doubt.lean?.others === "few");
  return {
    kind: "predicate",
    yes,
    no,
    doubt: {
      split: doubts.find((doubt) => doubt.split)?.split ?? null,
      lean: leansTo === null ? null : { holds: leansTo, others: isFew ? "few" : "any share" },
      isUniform: doubts.every((doubt) => doubt.isUniform) && isOneDoubt,
      order: isOneDoubt ? sharedOrder(doubts) : null,
      reason: listOf(doubts.map((doubt) => doubt.reason)),
      dependsOnData: doubts.some((doubt) => doubt.dependsOnData),
      sizes: doubts.flatMap((doubt) => doubt.sizes),
      comparisons: allOf(doubts),
      partsAtEdge: doubts.every((doubt) => doubt.partsAtEdge || doubt.isUniform),
    },
  };
}

function allOf(doubts: readonly Doubt[]): readonly Comparison[] | null {
  const known = doubts.flatMap(({ comparisons }) => (comparisons === null ? [] : [comparisons]));
  return known.length === doubts.length ? known.flat() : null;
}

/** What must hold where `comparisons` do not: of several it is one of many ways. */
function oppositeOf(comparisons: readonly Comparison[] | null): readonly Comparison[] | null {
  const [only, ...others] = comparisons ?? [];
  if (only === undefined || others.length > 0) return null;
  return [{ ...only, operator: opposites[only.operator] }];
}

const opposites: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  "==": "!=",
  "!=": "==",
};

function sharedOrder(doubts: readonly Doubt[]): LaneOrder | null {
  const order = doubts[0]?.order ?? null;
  // Each of several may leave out a lane of its own.
  if (order === "all but one" && doubts.length > 1) return null;
  return doubts.every((doubt) => doubt.order === order) ? order : null;
}

function isWholeOrNone(predicate: Predicate): boolean {
  const settled = predicate.yes | predicate.no;
  return settled === 0 || (settled === allLanes && (predicate.yes === 0 || predicate.no === 0));
}

function holds(operator: ComparisonOperator, value: number): boolean {
  switch (operator) {
    case "<":
      return value < 0;
    case "<=":
      return value <= 0;
    case ">":
      return value > 0;
    case ">=":
      return value >= 0;
    case "==":
      return value === 0;
    case "!=":
      return value !== 0;
  }
}

/** The predicate as an integer form of 0 and 1 where it is known, else null. */
export function asLinear(predicate: Predicate, mask: number): Linear | null {
  if (openLanes(predicate, mask) !== 0) return null;
  if ((predicate.yes & mask) === mask) return known(1);
  if ((predicate.yes & mask) === 0) return known(0);
  return known(Array.from({ length: laneCount }, (_, lane) => (predicate.yes >>> lane) & 1));
}

/** What an undecided predicate leaves open, of the values of its two sides. */
export function choiceOf(predicate: Predicate): Choice {
  const { doubt } = predicate;
  return {
    reason: doubt?.reason ?? "a condition",
    varies: !(doubt?.isUniform ?? false) || (predicate.yes | predicate.no) !== 0,
    dependsOnData: doubt?.dependsOnData ?? false,
    split: doubt?.split ?? null,
  };
}
