// Last look at what was generated: the accesses of which nvcc may make more or fewer than stand there, by situations in which it has been seen to
// decide in a way that is not imitated. Their figures are told under that condition.
import type { CompilerDoubt } from "../../ir/assumption.ts";
import type { AccessSite } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Addresses } from "../addresses/address.ts";
import { forEachStatement, hasLists, partsOf, sitesIn } from "../walks/walk.ts";
import { leftOutAtBarriers } from "./behind-barriers.ts";
import {
  chosenMembers,
  loadedBeforeTrips,
  loadedInVain,
  loadedOnOneWay,
  replacedInBranch,
  storedByEachWay,
} from "./chosen-values.ts";
import { behindFallingThrough } from "./falling-through.ts";
import { heldThroughTrips } from "./held-through-trips.ts";
import { storedLikeUnclear } from "./like-loads.ts";
import { metBehind, storedAgain } from "./met-places.ts";
import { atNearProducts } from "./near-products.ts";
import { putBackFromOwn } from "./put-back.ts";
import { sameInAllTrips, usedOneWay } from "./same-in-all-trips.ts";
import { underSharedGuards } from "./shared-guards.ts";

export interface DoubtfulFacts {
  readonly addresses: Addresses;
  /** Where loops stand that LLVM may unroll. */
  readonly nearlyUnrolled: ReadonlySet<SourceRange>;
  /** Ids of the function's parameters. */
  readonly parameters: ReadonlySet<number>;
  /** Whether nvcc puts the function in the place of its calls, and codegen, for the returns in its loops, does not. */
  readonly isCalledHereAlone: boolean;
}

/** Why each access is in doubt, by its site; empty where none is. */
export function doubtsIn(
  body: readonly Statement[],
  { nearlyUnrolled, parameters, isCalledHereAlone, addresses }: DoubtfulFacts,
): ReadonlyMap<AccessSite, CompilerDoubt> {
  const doubts = new Map<AccessSite, CompilerDoubt>();
  const note = (sites: Iterable<AccessSite>, doubt: CompilerDoubt): void => {
    for (const site of sites) if (!doubts.has(site)) doubts.set(site, doubt);
  };
  const look = (list: readonly Statement[]): void => {
    note(underSharedGuards(list), "loads-behind-branch");
    note(heldThroughTrips(list), "keeps-in-register");
    note(usedOneWay(list), "loads-behind-branch");
    note(behindFallingThrough(list), "copies-what-follows");
    note(chosenMembers(list), "loads-behind-branch");
    note(replacedInBranch(list), "loads-behind-branch");
    note(loadedOnOneWay(list, addresses), "chooses-places");
    note(storedByEachWay(list, addresses), "chooses-places");
    note(loadedBeforeTrips(list), "loads-behind-branch");
    note(storedAgain(list, addresses), "stores-once");
    note(metBehind(list, addresses), "keeps-in-register");
    note(leftOutAtBarriers(list, parameters), "keeps-in-register");
  };
  note(atNearProducts(body), "other-alignment");
  note(storedLikeUnclear(body), "other-alignment");
  note(putBackFromOwn(body), "store-without-effect");
  if (isCalledHereAlone) note(sitesIn(body), "inlines-returns");
  look(body);
  forEachStatement(body, (statement) => {
    if (hasLists(statement)) partsOf(statement).lists.forEach(look);
    if (statement.kind === "if") note(loadedInVain(statement), "loads-behind-branch");
    if (statement.kind !== "loop") return;
    note(sameInAllTrips(statement), "keeps-in-register");
    if (nearlyUnrolled.has(statement.range)) note(sitesIn(statement.body), "unrolls-loop");
  });
  return doubts;
}
