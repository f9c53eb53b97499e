// What the counter of a loop proves of addresses that count with it: LLVM keeps one register for addresses that differ by constants, and
// starts it at the middle one of them, so that ptxas sees no more of their alignment than that one has.
import type { Expression } from "../ir/expression.ts";
import type { Statement } from "../ir/statement.ts";
import { type Address, modulo } from "./address.ts";
import type { Addresses } from "./forward.ts";
import { lowBit } from "./linear.ts";
import { forEachExpression, partsOf } from "./walk.ts";

/** Narrows the alignment of addresses in shared memory, loop by loop (cases unrolling/byFour, byEight, evenOffsets, wavefront). */
export function limitByCounters(body: readonly Statement[], addresses: Addresses): void {
  for (const statement of body) {
    if (statement.kind === "loop") limitInTrip(statement.body, addresses);
    for (const list of partsOf(statement).lists) limitByCounters(list, addresses);
  }
}

function limitInTrip(trip: readonly Statement[], addresses: Addresses): void {
  const groups = new Map<number, Expression[]>();
  const visit = (node: Expression): void => {
    const address = addresses.get(node);
    if (!address?.trip?.copies || address.space !== "shared") return;
    const group = groups.get(address.termsKey);
    if (group) group.push(node);
    else groups.set(address.termsKey, [node]);
  };
  visitTrip(trip, visit);
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
  const middle = middleOf(found.map((address) => address.constant));
  if (middle === null) return;
  for (const node of group) {
    const address = addresses.get(node);
    if (address) addresses.set(node, limited(address, middle));
  }
}

/** LSR's choice among three and more: the first that is not below the mean of the lowest and the highest; of two the lower. */
function middleOf(constants: readonly number[]): number | null {
  const sorted = [...new Set(constants)].sort((a, b) => a - b);
  const lowest = sorted[0];
  const highest = sorted.at(-1);
  if (lowest === undefined || highest === undefined || sorted.length < 2) return null;
  if (sorted.length === 2) return lowest;
  return sorted.find((constant) => constant >= (lowest + highest) / 2) ?? lowest;
}

function limited(address: Address, middle: number): Address {
  // What its declaration aligns, LLVM has merged before it chooses registers.
  if ((address.base?.alignmentBytes ?? 1) >= address.modulus) return address;
  const residue = modulo(address.residue + middle - address.constant, address.modulus);
  const modulus = residue === 0 ? address.modulus : lowBit(residue);
  return { ...address, modulus, residue: modulo(address.residue, modulus) };
}
