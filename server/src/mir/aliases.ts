// What passes ask of memory: one alias analysis answers for all of them.
import type { Expression } from "../ir/expression.ts";

/** Answers about accesses, by the loads and assignments that make them; an access that it does not know may be anywhere. */
export interface Aliases {
  /** Equal for addresses that lie a constant apart; null where nothing is known of the address. */
  sumOf(access: Expression): number | null;
  /** Whether the accesses are surely of the same bytes. */
  isSamePlace(a: Expression, b: Expression): boolean;
  /** Whether all bytes of `inner` are surely bytes of `outer`. */
  covers(outer: Expression, inner: Expression): boolean;
  /** Whether the accesses may overlap. */
  mayAlias(a: Expression, b: Expression): boolean;
}
