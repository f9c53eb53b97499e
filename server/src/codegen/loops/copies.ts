// Loops whose trips are counted when they start: nvcc unrolls them by 4 or 2, and makes the trips that do not fill a round before or
// behind the others. Where lanes make different numbers of trips, they meet in other trips than the text says.
import type { Expression } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Loop, LoopCopies, Rounds, Statement } from "../../ir/statement.ts";
import { int64 } from "../../ir/type.ts";
import type { Copies } from "../../semantics/trips.ts";
import type { Addresses } from "../addresses/address.ts";
import type { CountedFrom } from "../linearise/context.ts";
import {
  comparedCounter,
  comparedPointer,
  counterOf,
  isInvariant,
  type Stride,
  strideOf,
  strideOfPointer,
} from "../linearise/counted.ts";
import { operationsOf } from "../linearise/operations.ts";
import { isSlow } from "../linearise/slow-paths.ts";
import { mapLists } from "../walks/rebuild.ts";
import {
  assignedVariables,
  forEachExpression,
  forEachExpressionOf,
  isCall,
  partsOf,
  someExpressionOf,
  someStatement,
} from "../walks/walk.ts";
import { type Definitions, definitionsIn, knowsFewTrips, knowsRoomAtStart } from "./few-trips.ts";
import { isNeverCopied, operationsOfFunction } from "./function-sizes.ts";

/**
 * Operations of a trip, as `operationsOf` counts them, up to which LLVM makes four copies, and two: 50 and 93 in the PTX of 49 kinds of trips, of
 * some three fewer or two more, as what stands in the trip has it.
 */
const mostOfFour = 50;
/** Loops of known trips have been left as they are above 90, of which fewer may stand there by now. */
const surelyTwo = 80;
const mostOfTwo = 93;
const fewerThanCounted = 3;
const moreThanCounted = 3;
const mostOperations = mostOfTwo + moreThanCounted;
/** What counts in a trip are no constants: the copies are no whole loop. */
const noCounters: ReadonlySet<number> = new Set();
/** Loads and stores of a trip up to which ptxas unrolls what LLVM unrolled, and may do so (batched_lu_qr choleskyRows), and operations with them. */
const surelyGroupedAccesses = 3;
const mostGroupedAccesses = 4;
const surelyGroupedOperations = 20;
const mostGroupedOperations = 60;
/** Operations of a trip up to which ptxas makes rounds where it counts in 64 bits, and may: of 31 instructions, to which a product and a sum are one. */
const surelyLongOperations = 28;
const mostLongOperations = 66;
const readingsOfOne = [{ count: 1, remainder: "before", roundsTogether: 1 }] as const;
/** Where a trip's accesses go when nobody asked: it makes no difference to how many copies there are. */
const notAsked: Addresses = new Map();
/** What was found of loops: several passes ask of each. Numbers alone, so that nothing of a program is kept by it. */
const foundReadings = new WeakMap<CountedFrom, WeakMap<Loop, readonly Copies[]>>();

/** The statements, with `copies` at each loop that the compiler unrolls without knowing its trips. */
export function markCopies(
  body: readonly Statement[],
  countedFrom: CountedFrom,
  addresses: Addresses,
): readonly Statement[] {
  const definitions = definitionsIn(body);
  return marked(body, { countedFrom, addresses, definitions, outermost: definitions });
}

function marked(body: readonly Statement[], facts: Facts): readonly Statement[] {
  let changed = false;
  // LLVM leaves few trips as they are in outermost loops alone.
  const within = { ...facts, outermost: null };
  const statements = body.map((statement) => {
    const inner = mapLists(statement, (list) => marked(list, statement.kind === "loop" ? within : facts));
    const copies = inner.kind === "loop" ? copiesWith(inner, facts) : null;
    if (copies || inner !== statement) changed = true;
    return copies && inner.kind === "loop" ? { ...inner, copies } : inner;
  });
  return changed ? statements : body;
}

/** How the compiler unrolls the loop without knowing its trips; null where it does not. */
export function copiesOf(loop: Loop, countedFrom: CountedFrom, addresses: Addresses): LoopCopies | null {
  return copiesWith(loop, { countedFrom, addresses, definitions: null, outermost: null });
}

/** How many trips the compiler may make in a round of the loop, the likeliest first; none where it makes no rounds. */
export function copyReadingsOf(loop: Loop, countedFrom: CountedFrom): readonly Copies[] {
  const found = foundReadings.get(countedFrom) ?? new WeakMap<Loop, readonly Copies[]>();
  foundReadings.set(countedFrom, found);
  const known = found.get(loop);
  if (known !== undefined) return known;
  const readings = copiesOf(loop, countedFrom, notAsked)?.readings ?? [];
  found.set(loop, readings);
  return readings;
}

function copiesWith(loop: Loop, facts: Facts): LoopCopies | null {
  const { condition, unroll } = loop;
  if (loop.rounds) return copiesOfRounds(condition, loop.rounds);
  if (condition?.kind !== "binary" || unroll === 1 || unroll === 0) return null;
  const { operator, left, right } = condition;
  if (!isOperator(operator) || !isSimple(loop.body)) return null;
  if (left.type.kind === "pointer") return copiesOfPointers(loop, { operator, left, right });
  const assigned = assignedVariables(loop.body, loop.step);
  const counter = comparedCounter(left, assigned);
  if (!counter || !isInvariant(right, assigned)) return null;
  const found = strideOf(counter, loop, assigned);
  if (!found) return null;
  const { stride } = found;
  return {
    operator,
    left,
    right,
    stride,
    leastTrips: leastTripsOf(loop),
    readings: readingsWith(loop, found, facts),
  };
}

function leastTripsOf({ test }: Loop): LoopCopies["leastTrips"] {
  return test === "bottom" ? 1 : 0;
}

type Comparison = Pick<LoopCopies, "operator" | "left" | "right">;

/** LLVM counts no pointers up to an end; ptxas does. */
function copiesOfPointers(loop: Loop, comparison: Comparison): LoopCopies | null {
  if (comparison.operator === "!=") return null;
  const assigned = assignedVariables(loop.body, loop.step);
  const { operator, left, right } = isInvariant(comparison.right, assigned) ? comparison : turned(comparison);
  const pointer = comparedPointer(left);
  if (!pointer || right.type.kind !== "pointer" || !isInvariant(right, assigned)) return null;
  const strideBytes = strideOfPointer(pointer, loop);
  if (strideBytes === null) return null;
  return {
    operator,
    left: { kind: "difference", type: int64, left, right, strideBytes: 1 },
    right: { kind: "constant", type: int64, value: 0 },
    stride: { kind: "constant", type: int64, value: strideBytes },
    leastTrips: leastTripsOf(loop),
    readings: readingsOfLongCounters(loop),
  };
}

const turnedOperator = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!=", "==": "==" } as const;

function turned({ operator, left, right }: Comparison): Comparison {
  return { operator: turnedOperator[operator], left: right, right: left };
}

/** Rounds that are written out: ptxas may still make several of them without a test. */
function copiesOfRounds(
  condition: Expression | null,
  { trips, stride, together }: Rounds,
): LoopCopies | null {
  if (condition?.kind !== "binary" || !isOperator(condition.operator)) return null;
  const { operator, left, right } = condition;
  const readings = together.map(
    (roundsTogether): Copies => ({ count: 1, remainder: "after", roundsTogether }),
  );
  const ofRound: Expression = { kind: "constant", type: left.type, value: stride * trips };
  return { operator, left, right, stride: ofRound, leastTrips: 0, readings };
}

function readingsWith(loop: Loop, { stride, unrolledBy }: Stride, facts: Facts): readonly Copies[] {
  if (unrolledBy === "ptxas")
    return isOf64Bits(stride) ? readingsOfLongCounters(loop) : readingsOfPtxas(loop);
  const { definitions, outermost } = facts;
  const isLeft = outermost !== null && knowsFewTrips(loop, stride, outermost);
  if (isLeft) return readingsOfPtxas(loop);
  if (definitions !== null && mayPassEnd(loop, stride, definitions))
    return isWidened(loop) ? readingsOfOne : readingsOfLongCounters(loop);
  return readingsOf(loop, stride, facts);
}

/**
 * Whether trips go up to an end that is itself one of them, by more than one, from where LLVM knows nothing of: then it does not know that the
 * counter stays in its type's range, and counts no trips (`j <= row` from `threadIdx.x`, not from `threadIdx.x % 32`; forms/inclusive_bounds).
 */
function mayPassEnd(loop: Loop, stride: Expression, definitions: Definitions): boolean {
  const { condition } = loop;
  if (condition?.kind !== "binary" || stride.kind !== "constant" || Math.abs(Number(stride.value)) === 1)
    return false;
  const { operator, right } = condition;
  if (right.kind === "constant" || knowsRoomAtStart(loop, Number(stride.value), definitions)) return false;
  const beyond = right.kind === "binary" && isOneOf(right.right) ? right.operator : null;
  return operator === "<=" || operator === ">="
    ? beyond !== (operator === "<=" ? "-" : "+")
    : beyond === (operator === "<" ? "+" : operator === ">" ? "-" : "");
}

function isOneOf(side: Expression): boolean {
  return side.kind === "constant" && Number(side.value) === 1;
}

/** Whether the counter is multiplied by what is no constant once it has 64 bits: so LLVM keeps it, and ptxas does not see the compared 32 count. */
function isWidened({ condition, body, step }: Loop): boolean {
  if (condition?.kind !== "binary" || isOf64Bits(condition.left)) return false;
  const assigned = assignedVariables(body, step);
  const counter = comparedCounter(condition.left, assigned);
  const isCounter = (side: Expression) => counter !== null && counterOf(side)?.id === counter.id;
  return someExpressionOf(
    body,
    (node) =>
      node.kind === "binary" &&
      node.operator === "*" &&
      isOf64Bits(node) &&
      ((isCounter(node.left) && node.right.kind !== "constant") ||
        (isCounter(node.right) && node.left.kind !== "constant")),
  );
}

/** Whether the compiler may make several trips in a round of the loop. */
export function mayBeCopied(loop: Loop, countedFrom: CountedFrom): boolean {
  return copyReadingsOf(loop, countedFrom).some(({ count }) => count > 1);
}

/** Whether LLVM makes copies of the loop's trips. Where ptxas does, or nobody, the loop is one to LLVM. */
export function isCopiedByLlvm(loop: Loop, countedFrom: CountedFrom): boolean {
  const { condition } = loop;
  const assigned = assignedVariables(loop.body, loop.step);
  const counter = condition?.kind === "binary" ? comparedCounter(condition.left, assigned) : null;
  const found = counter && strideOf(counter, loop, assigned);
  if (found?.unrolledBy !== "llvm") return false;
  return mayBeCopied(loop, countedFrom);
}

function isOperator(operator: string): operator is LoopCopies["operator"] {
  return ["<", "<=", ">", ">=", "!="].includes(operator);
}

/** Whether trips end at their end alone, and hold no loop and no call. */
function isSimple(body: readonly Statement[]): boolean {
  return !someStatement(body, endsOrRepeats) && !someExpressionOf(body, isCall);
}

const notSimple: ReadonlySet<string> = new Set(["break", "return", "loop", "switch", "unknown", "launch"]);

function endsOrRepeats({ kind }: Statement): boolean {
  return notSimple.has(kind);
}

/** ptxas makes short loops that only read four trips at a time (unrolled_trips pu, sizetTid), those that store not (puStore). */
function readingsOfPtxas(loop: Loop): readonly Copies[] {
  const weight = weightOf(loop.body);
  const isShort = weight.accesses <= surelyGroupedAccesses && weight.operations <= mostGroupedOperations;
  const [single] = readingsOfOne;
  const together = { ...single, roundsTogether: 4 } as const;
  if (!isShort || weight.isGuarded) return [single];
  return weight.stores ? [single, together] : [together, single];
}

/**
 * Where the counter is a pointer, or has 64 bits, ptxas makes rounds of all loops of some thirty instructions, unless they branch or exchange
 * (forms/pointer_rounds).
 */
function readingsOfLongCounters({ body, unroll }: Loop): readonly Copies[] {
  const weight = weightOf(body);
  const [single] = readingsOfOne;
  const together = { ...single, roundsTogether: 4 } as const;
  if (weight.isGuarded || weight.operations > mostLongOperations) return [single];
  if (someStatement(body, ({ kind }) => kind === "barrier") || someExpressionOf(body, endsRounds))
    return [single];
  const isSure = weight.operations <= surelyLongOperations && !weight.mayBranch && unroll === null;
  return isSure ? [together] : [together, single];
}

function endsRounds(node: Expression): boolean {
  return isSlow(node) || (node.kind === "intrinsic" && intrinsicEffect(node.name) === "warp");
}

function isOf64Bits({ type }: Expression): boolean {
  return type.kind === "integer" && type.bits === 64;
}

interface Facts {
  readonly countedFrom: CountedFrom;
  readonly addresses: Addresses;
  /** Of the function's variables; null where whether there may be copies is all that is asked. */
  readonly definitions: Definitions | null;
  /** The same; null within loops too. */
  readonly outermost: Definitions | null;
}

function readingsOf(loop: Loop, stride: Expression, { countedFrom, addresses }: Facts): readonly Copies[] {
  const weight = weightOf(loop.body);
  const isAlongRows = copiesBetweenRows(loop.body, addresses);
  const rows = rowsOf(loop.body, addresses);
  const from = countedFrom.get(loop.range) ?? "both";
  const remainders =
    from === "both"
      ? (["before", "after"] as const)
      : from === "constant"
        ? (["after"] as const)
        : (["before"] as const);
  return countsOf(loop).flatMap((count) =>
    remainders.flatMap((remainder) =>
      groupings({ ...weight, isAlongRows, rows }, stride, remainder, count).map((roundsTogether) => ({
        count,
        remainder,
        roundsTogether,
      })),
    ),
  );
}

function countsOf({ body, unroll }: Loop): readonly number[] {
  if (typeof unroll === "number") return [unroll];
  if (someExpressionOf(body, (node) => node.kind === "intrinsic" && isNeverCopied(node.name, node.type)))
    return [1];
  const { operations } = operationsOf(body, noCounters, mostOperations);
  if (operations <= mostOfFour - fewerThanCounted) return [4];
  if (operations <= mostOfFour) return [4, 2];
  if (operations <= mostOfFour + moreThanCounted) return [2, 4];
  if (operations <= surelyTwo) return [2];
  if (operations <= mostOfTwo) return [2, 1];
  return operations <= mostOperations ? [1, 2] : [1];
}

/** ptxas makes four rounds at once of short loops of a constant stride; where LLVM counts down by itself, it seldom can. */
function groupings(
  weight: Weight & { readonly isAlongRows: boolean; readonly rows: number },
  stride: Expression,
  remainder: Copies["remainder"],
  count: number,
): readonly Copies["roundsTogether"][] {
  if (stride.kind !== "constant" || count !== 4 || weight.isGuarded) return [1];
  if (weight.operations > mostGroupedOperations) return [1];
  if (weight.accesses > mostGroupedAccesses) return weight.rows <= mostGroupedAccesses ? [1, 4] : [1];
  if (weight.hasLongOperation || weight.accesses > surelyGroupedAccesses) return [1, 4];
  if (remainder === "after") return [4, 1];
  if (weight.isAlongRows) return [1, 4];
  return weight.operations <= surelyGroupedOperations ? [4] : [1, 4];
}

/**
 * Whether trips store to global memory what they load from elsewhere in it, and the kernel chose the rows that they go along (both of two, or
 * any of more): LLVM then gives each row a pointer of its own, and ptxas seldom counts rounds by pointers (forms/row_copies copy, scaled,
 * ofThree; fours all the same: ofParameter, inPlace, fromShared).
 */
function copiesBetweenRows(body: readonly Statement[], addresses: Addresses): boolean {
  const rows = new Map<number, "row" | "parameter">();
  let stores = false;
  let isElsewhere = false;
  forEachExpressionOf(body, (node) => {
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory") return;
    const address = addresses.get(node);
    if (address?.space !== "global") isElsewhere = true;
    else {
      if (node.kind === "assign") stores = true;
      rows.set(address.termsKey, address.terms.atoms.length > 2 ? "row" : "parameter");
    }
  });
  const chosen = [...rows.values()].filter((kind) => kind === "row").length;
  return stores && !isElsewhere && chosen > (rows.size > 2 ? 0 : 1);
}

/**
 * Rows that trips go along: what one trip loads of a row, and what others load there, the copies of a round load once (`w[k] * x[i + k]` for
 * four k), so that ptxas finds fewer accesses in them than the text has.
 */
function rowsOf(body: readonly Statement[], addresses: Addresses): number {
  const rows = new Set<number>();
  let others = 0;
  forEachExpressionOf(body, (node) => {
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory") return;
    const address = addresses.get(node);
    if (address && node.kind === "load") rows.add(address.termsKey);
    else others++;
  });
  return rows.size + others;
}

interface Weight {
  /** Operations of LLVM's, about. */
  readonly operations: number;
  /** Loads and stores of memory. */
  readonly accesses: number;
  /** Whether it stores. */
  readonly stores: boolean;
  /** Whether it stores under a condition, or updates memory atomically. */
  readonly isGuarded: boolean;
  /** Whether it accesses memory under a condition. */
  readonly mayBranch: boolean;
  /** Whether it divides, or calls on mathematics that takes several instructions. */
  readonly hasLongOperation: boolean;
}

/** Functions that are one instruction, or a few. */
const shortFunctions = new Set(["min", "max", "fmin", "fmax", "abs", "fabs", "fma"]);

function isLong(node: Expression): boolean {
  if (node.kind === "binary") return node.operator === "/" || node.operator === "%";
  return node.kind === "intrinsic" && intrinsicEffect(node.name) === "pure" && !shortFunctions.has(node.name);
}

function weightOf(body: readonly Statement[]): Weight {
  let operations = 0;
  let accesses = 0;
  let stores = false;
  let isGuarded = false;
  let mayBranch = false;
  let hasLongOperation = false;
  const visit = (isUnderCondition: boolean) => (node: Expression) => {
    const isMemory = (node.kind === "load" || node.kind === "assign") && node.place.kind === "memory";
    if (isMemory || (node.kind === "intrinsic" && node.site && intrinsicEffect(node.name) !== "pure")) {
      accesses++;
      operations += 2;
      if (node.kind === "assign") stores = true;
      if (isUnderCondition) mayBranch = true;
      if (isUnderCondition && node.kind === "assign") isGuarded = true;
    }
    if (node.kind === "intrinsic" && intrinsicEffect(node.name) === "atomic") isGuarded = true;
    if (isLong(node)) hasLongOperation = true;
    if (node.kind === "intrinsic") operations += operationsOfFunction(node.name, node.type);
    if (
      node.kind === "binary" ||
      node.kind === "intrinsic" ||
      node.kind === "conditional" ||
      node.kind === "unary"
    )
      operations++;
  };
  for (const statement of body) {
    for (const expression of partsOf(statement).expressions) forEachExpression(expression, visit(false));
    for (const list of partsOf(statement).lists) forEachExpressionOf(list, visit(true));
  }
  return { operations, accesses, stores, isGuarded, mayBranch, hasLongOperation };
}
