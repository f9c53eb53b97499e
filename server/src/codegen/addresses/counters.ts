// What the counter of a loop proves of addresses that count with it: LLVM keeps one register for addresses that differ by constants, and
// starts it at the middle one of them, so that ptxas sees no more of their alignment than that one has.
import type { Expression } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { CountedFrom } from "../linearise/context.ts";
import { copiesOf } from "../loops/copies.ts";
import { forEachExpression, partsOf } from "../walks/walk.ts";
import { type Address, type Addresses, modulo } from "./address.ts";
import { lowBit } from "./linear.ts";

/**
 * Narrows the alignment of addresses in shared memory, loop by loop (cases unrolling/byFour, byEight, evenOffsets, wavefront; of loops that
 * stay rolled: rolled/words, eight).
 */
export function limitByCounters(
  body: readonly Statement[],
  addresses: Addresses,
  countedFrom: CountedFrom,
): void {
  for (const statement of body) {
    if (statement.kind === "loop") limitInTrip(statement, addresses, countedFrom);
    for (const list of partsOf(statement).lists) limitByCounters(list, addresses, countedFrom);
  }
}

function limitInTrip(loop: Loop, addresses: Addresses, countedFrom: CountedFrom): void {
  const staysRolled = (copiesOf(loop, countedFrom)?.readings[0]?.count ?? 1) === 1;
  const groups = new Map<number, Expression[]>();
  const visit = (node: Expression): void => {
    const address = addresses.get(node);
    if (!address?.trip || address.space !== "shared") return;
    const { copies, isStartChosen } = address.trip;
    if (!copies && !(staysRolled && isStartChosen)) {
      // The rounds may be merged wider than the trips that are left over (programs/int4_gemv).
      if (isOfHalves(node)) addresses.set(node, { ...address, isAlignmentUnclear: true });
      return;
    }
    const group = groups.get(address.termsKey);
    if (group) group.push(node);
    else groups.set(address.termsKey, [node]);
  };
  visitTrip(loop.body, visit);
  for (const group of groups.values()) limitGroup(group, addresses);
}

/** The expressions of a trip but for those of the loops in it. */
function visitTrip(list: readonly Statement[], visit: (node: Expression) => void): void {
  for (const statement of list) {
    if (statement.kind === "loop") continue;
    const { expressions, lists } = partsOf(statement);
    for (const expression of expressions) forEachExpression(expression, visit);
    for (const inner of lists) visitTrip(inner, visit);
  }
}

function limitGroup(group: readonly Expression[], addresses: Addresses): void {
  const found = group.flatMap((node) => addresses.get(node) ?? []);
  const constants = [...new Set(found.map((address) => address.constant))].sort((a, b) => a - b);
  const [lowest] = constants;
  if (lowest === undefined || constants.length < 2) return;
  const isRolled = found.some(({ trip }) => !trip?.copies);
  // Of two words, copies count from the lower.
  const start = isRolled || constants.length > 2 ? middleOf(constants) : lowest;
  const isAlignmentUnclear = isRolled && !areWordsFromStart(constants, found);
  for (const node of group) {
    const address = addresses.get(node);
    if (address && (isOfHalves(node) || !isDeclared(address)))
      addresses.set(node, { ...limited(address, start), isAlignmentUnclear });
  }
}

/** In a loop that stays rolled, the choice is known of two, or four and more, words that follow the start of a window (rolled.cu). */
function areWordsFromStart(constants: readonly number[], [first]: readonly Address[]): boolean {
  const [lowest] = constants;
  if (!first || lowest === undefined || constants.length === 3) return false;
  const isAtStart = modulo(first.residue + lowest - first.constant, first.modulus) === 0;
  return isAtStart && constants.every((constant, index) => constant === lowest + 4 * index);
}

/** LSR's choice: the first that is not below the mean of the lowest and the highest. */
function middleOf(sorted: readonly number[]): number {
  const lowest = sorted[0] ?? 0;
  const highest = sorted.at(-1) ?? 0;
  return sorted.find((constant) => constant >= (lowest + highest) / 2) ?? lowest;
}

/** What its declaration aligns, LLVM has merged before it chooses registers. */
function isDeclared({ base, modulus }: Address): boolean {
  return (base?.alignmentBytes ?? 1) >= modulus;
}

/** Halves, of which pairs are made: LLVM loads each pair for itself, for the inline PTX that computes with it, and leaves merging to ptxas. */
function isOfHalves({ type }: Expression): boolean {
  return type.kind === "float" && sizeOf(type) === 2;
}

function limited(address: Address, middle: number): Address {
  const residue = modulo(address.residue + middle - address.constant, address.modulus);
  const modulus = residue === 0 ? address.modulus : lowBit(residue);
  return { ...address, modulus, residue: modulo(address.residue, modulus) };
}
