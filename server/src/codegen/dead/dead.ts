// Drops what nobody uses, and the stores that later ones cover.
import type { Statement } from "../../ir/statement.ts";
import { type Kept, withoutUnread } from "../../passes/adce/adce.ts";
import type { Addresses } from "../addresses/address.ts";
import type { KnownRounds } from "../linearise/context.ts";
import { storedTwice, withoutCoveredStores } from "./covered.ts";

const maximumRounds = 12;

/** The statements without those that have no effect; the same list where all have one. */
export function withoutDead(
  body: readonly Statement[],
  addresses: Addresses,
  kept: Kept & { readonly knownRounds: KnownRounds },
): readonly Statement[] {
  const facts = { addresses, storedTwice: storedTwice(body, addresses), knownRounds: kept.knownRounds };
  let current = body;
  for (let round = 0; round < maximumRounds; round++) {
    const stored = withoutCoveredStores(current, facts);
    if (stored === current && round > 0) break;
    const left = withoutUnread(stored, kept);
    current = left.body;
    // A load that was dropped no longer keeps the store in front of it.
    if (left.dead !== "accesses") break;
  }
  return current;
}
