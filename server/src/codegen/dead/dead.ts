// Drops what nobody needs: LLVM's DSE and ADCE in turn, on one function in SSA.
import type { Statement } from "../../ir/statement.ts";
import type { Aliases } from "../../mir/aliases.ts";
import { buildMir } from "../../mir/build.ts";
import { raise } from "../../mir/raise.ts";
import { eliminateDead, type Kept } from "../../passes/adce/adce.ts";
import { eliminateDeadStores, type StraightCode } from "../../passes/dse/dse.ts";
import type { Addresses } from "../addresses/address.ts";
import { aliasesOf } from "../addresses/alias.ts";
import type { KnownRounds } from "../linearise/context.ts";
import { holdsBranch, isSelection } from "../linearise/selections.ts";
import { branchesInLibrary } from "../linearise/slow-paths.ts";
import { isSurelyWrittenOut } from "../linearise/unroll.ts";

const maximumRounds = 12;

/** The statements without those that have no effect; the same list where all have one. */
export function withoutDead(
  body: readonly Statement[],
  addresses: Addresses,
  kept: Kept & { readonly knownRounds: KnownRounds },
): readonly Statement[] {
  const aliases: Aliases = aliasesOf(addresses);
  const straight: StraightCode = {
    isSelection: ({ origin }) => origin !== null && isSelection(origin),
    holdsBranch: (expression) => holdsBranch(expression) || branchesInLibrary(expression),
    isUnrolled: (loop) => {
      const trips = kept.knownRounds.get(loop.range) ?? null;
      return trips !== null && isSurelyWrittenOut(loop, trips);
    },
  };
  let current = body;
  for (let round = 0; round < maximumRounds; round++) {
    const mir = buildMir(current, kept.escaped);
    const isAnyStoreGone = eliminateDeadStores(mir, { aliases, straight });
    if (!isAnyStoreGone && round > 0) break;
    const dead = eliminateDead(mir, kept.arrays);
    if (isAnyStoreGone || dead !== "nothing") current = raise(mir);
    // A load that was dropped no longer keeps the store in front of it.
    if (dead !== "accesses") break;
  }
  return current;
}
