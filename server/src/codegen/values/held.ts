// What registers hold of memory at one point: what was loaded from there, or stored there, and not changed since. Lists are shared
// between points: what changes one makes another.
import type { Expression } from "../../ir/expression.ts";
import { sameType, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { Address } from "../addresses/address.ts";
import { basesMeet, differInLowBits, type Extent, isSamePlace, mayOverlap } from "../addresses/alias.ts";
import { arePromisedApart, staysForNextCall } from "../addresses/promises.ts";
import type { Space } from "../addresses/space.ts";

/** A value in memory that a register holds as well. */
export interface Held {
  readonly address: Address;
  readonly bytes: number;
  readonly value: Expression;
  /** Through `const __restrict__`, or `__ldg`: nothing changes it. */
  readonly isReadOnly: boolean;
  /** Whether a store has gone between that LLVM may see to be elsewhere, or may not. */
  readonly isDoubtful?: boolean;
  /** Parameters of inlined calls through which was stored since: only who is promised to be apart from them reads what is held. */
  readonly passed?: readonly Variable[];
  /** The stretch of code without a meeting of ways in which the register was read or stored. */
  readonly stretch: number;
  /** When that was, among all that is noted of the function. */
  readonly moment: number;
}

/** What is held where a loop is entered. The outermost loop has depth 0. */
export interface Entry {
  readonly held: readonly Held[];
  readonly depth: number;
  readonly outer: Entry | null;
}

/** For each load and store in a loop that had to stay, the entry of the innermost loop around it. */
export type Entries = Map<Expression, Entry>;

/** More than LLVM would keep in registers; beyond it, code of thousands of loads would be compared with all of them. */
const maximumHeld = 1024;

/** What is held of the bytes at an address. */
export function heldAt(held: readonly Held[], address: Address, bytes: number): Held | null {
  for (const one of held) if (!one.isDoubtful && isReadAt(one, address, bytes)) return one;
  return null;
}

/**
 * Whether something is held of them that a store may have changed, or not, as far as LLVM sees, or that the stores of calls have passed by of
 * which each promises to leave alone what it reads: behind two such calls nvcc loads once or twice (forms/restrict_in_calls twoCalls).
 */
export function isDoubtfullyHeld(held: readonly Held[], address: Address, bytes: number): boolean {
  return held.some(
    (one) => (one.isDoubtful && isReadAt(one, address, bytes)) || isPassedByCalls(one, address, bytes),
  );
}

/** The same, of the type of `wanted`. */
export function heldFor(
  held: readonly Held[],
  address: Address,
  bytes: number,
  wanted: Expression,
): Held | null {
  const found = heldAt(held, address, bytes);
  return found && sameType(found.value.type, wanted.type) ? found : null;
}

/** The list with `added`, which takes the place of what was held of the same bytes. */
export function withHeld(held: readonly Held[], added: Held): readonly Held[] {
  const isThere = held.some((one) => isAt(one, added.address, added.bytes));
  const others = isThere ? held.filter((one) => !isAt(one, added.address, added.bytes)) : held.slice();
  if (others.length > maximumHeld) others.splice(0, others.length - maximumHeld);
  others.push(added);
  return others;
}

/** What nothing changes. */
export function readOnlyOf(held: readonly Held[]): readonly Held[] {
  return held.length === 0 ? held : held.filter((one) => one.isReadOnly);
}

/** What a barrier leaves: to LLVM it may change all memory but that of restricted pointers (cases restrict_barriers). */
export function heldAcrossBarrier(held: readonly Held[]): readonly Held[] {
  return held.length === 0 ? held : held.filter((one) => one.isReadOnly || isOwn(one.address));
}

/** Whether memory is reached by a restricted pointer alone. */
export function isOwn({ base }: Address): boolean {
  return base?.isRestrict === true;
}

/**
 * What is left where a shuffle has gone by and `passedAt`, by space, says when it or what ended ptxas' memory of that space did, whichever was
 * first: to LLVM a shuffle may change all memory but that of `__restrict__` pointers, and ptxas knows better only up to the next loop
 * (forms/beside_shuffles), and where nothing is stored in that space, before the shuffle or behind it (test/codegen/stores-beside-shuffles).
 */
export function heldSince(held: readonly Held[], passedAt: (space: Space) => number): readonly Held[] {
  const stays = (one: Held) =>
    one.isReadOnly || isOwn(one.address) || one.moment > passedAt(one.address.space);
  return held.every(stays) ? held : held.filter(stays);
}

/** What a store to `extent` leaves. */
export function withoutAliases(held: readonly Held[], extent: Extent): readonly Held[] {
  if (!held.some((one) => isTouched(one, extent))) return held;
  return held.flatMap((one) => {
    if (!isTouched(one, extent)) return [one];
    const { parameter } = extent.address;
    if (parameter) return [{ ...one, passed: [...(one.passed ?? []), parameter] }];
    return differInLowBits(one, extent) ? [{ ...one, isDoubtful: true }] : [];
  });
}

function isTouched(one: Held, extent: Extent): boolean {
  return !one.isReadOnly && mayOverlap(one, extent);
}

/** What stores anywhere into what `address` points into leave. */
export function withoutBase(held: readonly Held[], address: Address): readonly Held[] {
  return held.filter(
    (one) =>
      one.isReadOnly ||
      (address.space !== "unknown" &&
        one.address.space !== "unknown" &&
        address.space !== one.address.space) ||
      !basesMeet(one.address.base, address.base),
  );
}

/** What is in both lists. */
export function heldInBoth(a: readonly Held[], b: readonly Held[]): readonly Held[] {
  if (a === b) return a;
  const others = new Set(b);
  return a.filter((one) => others.has(one));
}

/** Whether a register holds what lies there, as a value of that type, where the loop of that depth is entered. */
export function isHeldOnEntry(
  entry: Entry | null | undefined,
  depth: number,
  place: { readonly address: Address; readonly bytes: number; readonly type: Type },
): boolean {
  if (!entry || entry.depth < depth) return false;
  if (entry.depth > depth) return isHeldOnEntry(entry.outer, depth, place);
  return entry.held.some(
    (one) =>
      !one.isDoubtful && isReadAt(one, place.address, place.bytes) && sameType(one.value.type, place.type),
  );
}

/** Whether an access at the address reads what is held. */
function isReadAt(held: Held, address: Address, bytes: number): boolean {
  if (!isAt(held, address, bytes)) return false;
  const { parameter } = address;
  return (
    held.passed?.every(
      (stored) =>
        arePromisedApart(stored, parameter) || staysForNextCall(stored, held.address.parameter, parameter),
    ) ?? true
  );
}

function isPassedByCalls(held: Held, address: Address, bytes: number): boolean {
  const { parameter } = address;
  if (!parameter || !held.passed || !isAt(held, address, bytes)) return false;
  if (parameter.isRestrict && held.address.parameter?.isRestrict) return false;
  return held.passed.every(
    (stored) => arePromisedApart(stored, parameter) || arePromisedApart(stored, held.address.parameter),
  );
}

function isAt(held: Held, address: Address, bytes: number): boolean {
  return isSamePlace(held, { address, bytes });
}
