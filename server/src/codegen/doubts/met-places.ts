// Places in memory that a branch and what stands around it have in common: LLVM and ptxas may store once behind the branch what either way has left,
// or take the register in which the ways' values meet (fixtures/forms/stored_once, stored_once_more, met_values).
import type { AccessSite } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { forEachExpressionOf, someStatement } from "../walks/walk.ts";

/** The stores of the list that a branch behind them may store again, and those of the branch, which loads nothing that could come between. */
export function storedAgain(list: readonly Statement[], addresses: Addresses): readonly AccessSite[] {
  const sites = new Set<AccessSite>();
  const stored = new Map<string, AccessSite[]>();
  for (const statement of list) {
    if (partsBlocks(statement)) stored.clear();
    const accesses = accessesIn(statement, addresses);
    const isBranch = statement.kind === "if" && !someStatement([statement], partsBlocks);
    const loads = accesses.filter(({ isLoad }) => isLoad);
    for (const { isLoad, key, site, space } of accesses) {
      if (isLoad) continue;
      const before = stored.get(key);
      const isApart = loads.some((load) => space === "global" || load.space === space);
      if (isBranch && before && !isApart) for (const each of [...before, site]) sites.add(each);
      if (before) before.push(site);
      else stored.set(key, [site]);
    }
  }
  return [...sites];
}

/** The loads of the list at places that were accessed in front of a branch, which may store there, and behind it. */
export function metBehind(list: readonly Statement[], addresses: Addresses): readonly AccessSite[] {
  const sites: AccessSite[] = [];
  const known = new Set<string>();
  const met = new Set<string>();
  for (const statement of list) {
    const accesses = accessesIn(statement, addresses);
    for (const { isLoad, key, site } of accesses) if (isLoad && met.has(key)) sites.push(site);
    if (partsBlocks(statement)) {
      known.clear();
      met.clear();
    } else
      for (const { isLoad, key } of accesses) {
        if (statement.kind === "if" && !isLoad && known.has(key)) met.add(key);
        else if (!isLoad) met.delete(key);
        known.add(key);
      }
  }
  return sites;
}

interface Access {
  readonly isLoad: boolean;
  /** The same for accesses at one address. */
  readonly key: string;
  readonly space: Address["space"];
  readonly site: AccessSite;
}

function accessesIn(statement: Statement, addresses: Addresses): readonly Access[] {
  const found: Access[] = [];
  forEachExpressionOf([statement], (node) => {
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory") return;
    const address = addresses.get(node);
    if (!address || !node.site || node.site.isVolatile) return;
    const { termsKey, constant, space } = address;
    found.push({ isLoad: node.kind === "load", key: `${termsKey}+${constant}`, space, site: node.site });
  });
  return found;
}

/** Whether nothing is known behind it of what stands in front. */
function partsBlocks({ kind }: Statement): boolean {
  return kind === "loop" || kind === "switch" || kind === "barrier" || kind === "unknown";
}
