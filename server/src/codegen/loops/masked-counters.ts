// Counters of which a trip uses the low bits alone (`2 * t + (phase & 1)`): in rounds of several trips they are constants, which LLVM sees, so that
// neighbours of some trips of a round lie in one vector and those of others in two (forms/masked_counters).
import type { Loop, Rounds } from "../../ir/statement.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { type LinearTable, lowBit, type Operation } from "../addresses/linear.ts";
import { forEachExpressionOf } from "../walks/walk.ts";

/** Whether such bits are in the address of neighbours in shared memory, which may merge where the bits are known. */
export function hasNeighboursByMaskedCounter(
  { body, range }: Loop,
  rounds: Rounds,
  addresses: Addresses,
  linears: LinearTable,
): boolean {
  const found = new Map<number, number>();
  let hasNeighbours = false;
  forEachExpressionOf(body, (node) => {
    if (node.kind !== "load" && node.kind !== "assign") return;
    const address = addresses.get(node);
    if (address?.space !== "shared" || !isMaskedBy(address, rounds, range, linears)) return;
    const constant = found.get(address.termsKey);
    if (constant === undefined) found.set(address.termsKey, address.constant);
    else if (constant !== address.constant) hasNeighbours = true;
  });
  return hasNeighbours;
}

function isMaskedBy({ terms }: Address, rounds: Rounds, loop: Loop["range"], linears: LinearTable): boolean {
  return terms.atoms.some((id) => {
    const operation = linears.atom(id)?.operation;
    const span = operation ? spanOfBits(operation) : null;
    if (!operation || span === null) return false;
    const { left } = operation;
    const counts = left.terms.atoms.some((each) => linears.atom(each)?.induction?.loop === loop);
    return counts && rounds.stride % span !== 0 && (rounds.trips * rounds.stride) % span === 0;
  });
}

/** The power of two that the operation takes the remainder of; null where it is no such operation. */
function spanOfBits({ operator, right }: Operation): number | null {
  if (right.terms.id !== 0) return null;
  const span = operator.startsWith("&") ? right.constant + 1 : operator.startsWith("%") ? right.constant : 0;
  return span > 1 && lowBit(span) === span ? span : null;
}
