// Loops that LLVM makes in rounds of several trips, where rounds and the trips that are left over load other vectors: for those the rounds are
// written out.
import type { Loop, Rounds, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { declaredAlignment } from "../addresses/alignment.ts";
import { narrowedLeftOver } from "../addresses/counters.ts";
import { type LinearTable, lowBit } from "../addresses/linear.ts";
import type { CountedFrom, RoundsToWrite } from "../linearise/context.ts";
import { forEachExpressionOf, partsOf } from "../walks/walk.ts";
import { copiesOf } from "./copies.ts";
import { hasNeighboursByMaskedCounter } from "./masked-counters.ts";

/** Of a loop in another, which may have been unrolled, LLVM unrolls what is left over as well (rounds_of_trips inNestFromStart): it is left as it is. */
export function roundsWorthWriting(
  body: readonly Statement[],
  countedFrom: CountedFrom,
  addresses: Addresses,
  linears: LinearTable,
): RoundsToWrite {
  const found = new Map<SourceRange, Rounds | null>();
  const visit = (list: readonly Statement[]): void => {
    for (const statement of list) {
      if (statement.kind !== "loop") for (const inner of partsOf(statement).lists) visit(inner);
      else if (found.has(statement.range)) found.set(statement.range, null);
      else {
        const rounds = surelyRounds(statement, countedFrom, addresses);
        found.set(
          statement.range,
          rounds && differsInRounds(statement, rounds, addresses, linears) ? rounds : null,
        );
      }
    }
  };
  visit(body);
  return new Map([...found].flatMap(([range, rounds]) => (rounds ? [[range, rounds] as const] : [])));
}

function differsInRounds(loop: Loop, rounds: Rounds, addresses: Addresses, linears: LinearTable): boolean {
  if (holdsForNextTrip(loop)) return true;
  const isAfter = rounds.remainder === "after";
  if (isAfter && hasNeighboursByMaskedCounter(loop, rounds, addresses, linears)) return true;
  if (isAfter && gainsByRounds(loop, rounds, addresses)) return true;
  return (isAfter || loop.test === "top") && narrowedLeftOver(loop, addresses).length > 0;
}

/** Whether a trip loads what the one before has loaded or stored: LLVM has it in a register in all trips of a round but the first. */
function holdsForNextTrip({ body }: Loop): boolean {
  let holds = false;
  forEachExpressionOf(body, (node) => {
    if (node.kind === "load" && node.site?.uncertain === "keeps-in-register") holds = true;
  });
  return holds;
}

/**
 * Whether rounds load neighbours of their trips at once, or trips that are left over load neighbours of their own otherwise. Where the first trip is
 * not at the start of such a vector, or one trip loads what the next does, several rounds may have others; of halves it is not known
 * what ptxas makes of them, but where LLVM does, by a declaration (half_neighbours cvtn_half_S, prodn_half_D).
 */
function gainsByRounds({ body, range }: Loop, { trips }: Rounds, addresses: Addresses): boolean {
  let isHeld = false;
  const starts = new Map<number, number>();
  const neighbours: { readonly address: Address; readonly trip: Trip; readonly isUnclear: boolean }[] = [];
  forEachExpressionOf(body, (node) => {
    if (node.kind !== "load" || node.place.kind !== "memory") return;
    const address = addresses.get(node);
    const trip = address?.trip;
    if (address?.space !== "shared" || trip?.loop !== range) return;
    if (node.site?.uncertain === "keeps-in-register") isHeld = true;
    const bytes = sizeOf(node.type) ?? 16;
    const start = starts.get(address.termsKey);
    starts.set(address.termsKey, Math.min(start ?? trip.startConstant, trip.startConstant));
    if ((start === undefined || bytes === 16) && node.site?.uncertain !== "loads-vectors") return;
    if (!isAlignedInRounds(trip)) isHeld = true;
    const areHalves = node.type.kind === "float" && bytes === 2;
    const isUnclear = areHalves && declaredAlignment(node.place, address) === bytes;
    neighbours.push({ address, trip, isUnclear });
  });
  const startsVector = ({ termsKey }: Address, { strideBytes, startModulus }: Trip) => {
    const window = Math.min(16, lowBit(strideBytes * trips));
    return startModulus >= window && (starts.get(termsKey) ?? 0) % window === 0;
  };
  return (
    neighbours.length > 0 &&
    !isHeld &&
    neighbours.every(({ address, trip, isUnclear }) => !isUnclear && startsVector(address, trip))
  );
}

type Trip = NonNullable<Address["trip"]>;

/**
 * The rounds and the trips left over step a pointer in one register, so that ptxas sees no more than what a trip adds to it; but `*p++` has one of its own
 * in the rounds, which then hangs on where the pointer starts (pointer_steps counted, product; not: inStep, atEnd, rowOf16).
 */
function isAlignedInRounds({ counts, countsFrom }: Trip): boolean {
  return counts === "index" || (counts === "pointer moved first" && countsFrom === "constant");
}

function surelyRounds(loop: Loop, countedFrom: CountedFrom, addresses: Addresses): Rounds | null {
  const copies = copiesOf(loop, countedFrom, addresses);
  const [first, ...others] = copies?.readings ?? [];
  if (!copies || !first || first.count === 1) return null;
  const { count, remainder } = first;
  if (others.some((other) => other.count !== count || other.remainder !== remainder)) return null;
  const { stride, operator } = copies;
  if (stride.kind !== "constant" || typeof stride.value !== "number" || operator === "!=") return null;
  const isUpwards = stride.value > 0 && (operator === "<" || operator === "<=");
  const isDownwards = stride.value < 0 && (operator === ">" || operator === ">=");
  // Of a bound that no launch gives, nobody would know how many trips are left over, nor where the rounds begin.
  const { right } = copies;
  if (remainder === "before" && !((isUpwards || isDownwards) && right.kind === "constant")) return null;
  // One trip at most, as of `for (i = threadIdx.x; i < 100; i += 128)`, is no loop to LLVM.
  if (isUpwards && remainder === "before" && right.kind === "constant" && Number(right.value) <= stride.value)
    return null;
  const together = [first, ...others].map(({ roundsTogether }) => roundsTogether);
  return { trips: count, stride: stride.value, remainder, together };
}
