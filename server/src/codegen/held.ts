// What registers hold of memory at one point: what was loaded from there, or stored there, and not changed since.
import type { Expression } from "../ir/expression.ts";
import { sameType, type Type } from "../ir/type.ts";
import type { Address } from "./address.ts";

/** A value in memory that a register holds as well. */
export interface Held {
  readonly address: Address;
  readonly bytes: number;
  readonly value: Expression;
  /** Through `const __restrict__`, or `__ldg`: nothing changes it. */
  readonly isReadOnly: boolean;
}

/** What is held where a loop is entered. The outermost loop has depth 0. */
export interface Entry {
  readonly held: readonly Held[];
  readonly depth: number;
  readonly outer: Entry | null;
}

/** For each load in a loop that had to stay, the entry of the innermost loop around it. */
export type Entries = Map<Expression, Entry>;

export function isAt(held: Held, address: Address, bytes: number): boolean {
  return (
    held.bytes === bytes &&
    held.address.constant === address.constant &&
    held.address.termsKey === address.termsKey
  );
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
    (one) => isAt(one, place.address, place.bytes) && sameType(one.value.type, place.type),
  );
}

/** What is in both lists. */
export function heldInBoth(a: readonly Held[], b: readonly Held[]): readonly Held[] {
  if (a === b) return a;
  const others = new Set(b);
  return a.filter((one) => others.has(one));
}
