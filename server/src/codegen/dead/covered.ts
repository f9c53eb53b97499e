// Stores that a later store covers before any thread could read what they store.
import type { Assign, Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { type Extent, mayAlias } from "../addresses/alias.ts";
import { isSelection } from "../sink/selections.ts";
import { mapFromEnd, mapLists } from "../walks/rebuild.ts";
import { hasLists, isPure } from "../walks/walk.ts";
import type { WrittenTwice } from "./written-twice.ts";

/**
 * Within each list: a store is dropped where a later one covers it before any thread could read it. A short branch that only computes is none
 * (cases covered_stores/throughReference; stored: throughCall).
 */
export function withoutCoveredStores(
  list: readonly Statement[],
  addresses: Addresses,
  written: WrittenTwice,
): readonly Statement[] {
  if (written.termsKeys.size === 0) return list;
  let covered: Extent[] = [];
  return mapFromEnd(list, (statement) => {
    const store = storeOf(statement, addresses);
    if (store) {
      if (isCovered(store, covered)) return null;
      if (written.termsKeys.has(store.address.termsKey)) covered.push(store);
    } else if (statement.kind === "evaluate") {
      if (covered.length > 0) covered = uncovered(statement.expression, covered, addresses);
    } else if (statement.kind !== "declare" && !(statement.kind === "if" && isSelection(statement)))
      covered = [];
    if (!hasLists(statement)) return statement;
    return mapLists(statement, (inner) => withoutCoveredStores(inner, addresses, written));
  });
}

function storeOf(statement: Statement, addresses: Addresses): Extent | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const store: Assign = statement.expression;
  if (store.place.kind !== "memory") return null;
  const address = addresses.get(store);
  if (!address || store.site?.isVolatile || !isPure(store.value)) return null;
  return { address, bytes: sizeOf(store.place.type) ?? 0 };
}

function isCovered(store: Extent, covered: readonly Extent[]): boolean {
  return covered.some((later) => covers(later, store));
}

function covers(later: Extent, earlier: Extent): boolean {
  return (
    later.address.termsKey === earlier.address.termsKey &&
    later.address.constant <= earlier.address.constant &&
    later.address.constant + later.bytes >= earlier.address.constant + earlier.bytes
  );
}

/** What is still covered before an expression: nothing that it may read. */
function uncovered(expression: Expression, covered: Extent[], addresses: Addresses): Extent[] {
  if (expression.kind === "assign" && isPure(expression.value))
    return expression.place.kind === "variable" ? covered : [];
  const loaded = expression.kind === "assign" ? expression.value : expression;
  const address: Address | undefined = addresses.get(loaded);
  if (!address || loaded.kind !== "load") return [];
  const read = { address, bytes: sizeOf(loaded.type) ?? 1 };
  return covered.filter((store) => !mayAlias(store, read));
}
