// The unknowns of an evaluation. A symbol exists for what no launch in sight fixes, and for the dimensions over which equal
// work is folded (blocks, warps, trips), whose values are known to be one arithmetic progression.
import type { Lanes } from "./lanes.ts";
import type { Linear } from "./linear.ts";

export interface Indeterminate {
  readonly id: number;
  /** How people would name it: "m", "blockIdx.x", "data[i]". */
  readonly name: string;
  readonly role: SymbolRole;
  /** What it is computed as, in the user's names, "n/4", where its name is that of what it is computed of; null where that cannot be said. */
  readonly meaning: string | null;
  /** Whether lanes of one warp may hold different values. */
  readonly varies: boolean;
  /** Lanes with equal numbers here hold one value, such as those that loaded it from one place; null where that is not known. */
  readonly alike: Lanes | null;
  /** Bounds, inclusive; infinite where none is known. */
  readonly least: number;
  readonly most: number;
  /** Why it is not known, for people. */
  readonly reason: string;
  /** What to split so that it becomes known; null where no splitting helps. */
  readonly split: Split | null;
  /** What must hold for the lanes to hold it as it is taken here: "no warp straddles a multiple of n". */
  readonly condition: string | null;
  /** Whether it surely is a power of two, or is taken to be one. */
  readonly isPowerOfTwo: boolean;
  /** The two whose product it is the high half of: half of a division by what the host made a multiplier of; null for most. */
  readonly highHalfOf: { readonly dividend: Linear; readonly multiplier: Linear } | null;
  /** The name that is declared nowhere in sight and that it hangs on; null for most. */
  readonly undeclared: string | null;
}

/**
 * `dimension`: counts through a folded dimension. `position`: an unknown block index. `size`: a scalar parameter of the kernel,
 * or a function of such. `trip`: counts through a loop of unknown length. `data`: came from memory. `derived`: a function of other
 * symbols that is not linear in them.
 */
export type SymbolRole = "dimension" | "position" | "size" | "trip" | "data" | "derived";

/** A wish to evaluate parts of a dimension apart, because something is not the same over all of it. */
export interface Split {
  readonly dimension: Indeterminate;
  readonly at:
    | { readonly kind: "threshold"; readonly count: number } // the first `count` values, and the rest
    | { readonly kind: "modulo"; readonly period: number } // the values of each residue
    | { readonly kind: "starts"; readonly starts: readonly number[] } // the values up to each of these, and from the last on
    | { readonly kind: "points" }; // every value alone
}

/**
 * Thrown inside `evaluate` alone, and always caught there: the current region must be split before it can be evaluated. No `Error`, whose stack
 * would take as long to gather as a small region to evaluate.
 */
export class SplitRequest {
  readonly split: Split;
  constructor(split: Split) {
    this.split = split;
  }
}

/** Thrown inside `evaluate` alone: the budget is spent. */
export class BudgetSpent extends Error {}
