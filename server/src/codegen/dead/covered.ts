// Stores that a later store covers before any thread could read what they store.
import type { AccessSite, Assign, Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { type Extent, mayAlias } from "../addresses/alias.ts";
import { isSelection } from "../linearise/selections.ts";
import { mapFromEnd, mapLists } from "../walks/rebuild.ts";
import { hasLists, isPure } from "../walks/walk.ts";
import type { WrittenTwice } from "./written-twice.ts";

interface Store extends Extent {
  readonly site: AccessSite | null;
}

interface Later extends Store {
  /** Whether a branch stands in front of it, in which it is not read. */
  readonly isBehindBranch: boolean;
}

/**
 * Within each list: a store is dropped where a later one covers it before any thread could read it. A short branch that only computes is none
 * (cases covered_stores/throughReference; stored: throughCall). Past any other branch only the next trip's store covers it: LLVM keeps what every
 * trip stores at one place in a register before it writes the trips out (forms/trips_beside_branch besideBranch; not in straight-line code: besideBranchOnce).
 */
export function withoutCoveredStores(
  list: readonly Statement[],
  addresses: Addresses,
  written: WrittenTwice,
): readonly Statement[] {
  if (written.termsKeys.size === 0) return list;
  let covered: readonly Later[] = [];
  return mapFromEnd(list, (statement) => {
    const store = storeOf(statement, addresses);
    if (store) {
      if (isCovered(store, covered)) return null;
      if (written.termsKeys.has(store.address.termsKey))
        covered = [...covered, { ...store, isBehindBranch: false }];
    } else if (covered.length > 0 && !(statement.kind === "if" && isSelection(statement))) {
      covered = uncoveredBy(statement, covered, addresses);
      if (statement.kind === "if") covered = covered.map((later) => ({ ...later, isBehindBranch: true }));
    }
    if (!hasLists(statement)) return statement;
    return mapLists(statement, (inner) => withoutCoveredStores(inner, addresses, written));
  });
}

function storeOf(statement: Statement, addresses: Addresses): Store | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const store: Assign = statement.expression;
  if (store.place.kind !== "memory") return null;
  const address = addresses.get(store);
  if (!address || store.site?.isVolatile || !isPure(store.value)) return null;
  return { address, bytes: sizeOf(store.place.type) ?? 0, site: store.site };
}

function isCovered(store: Store, covered: readonly Later[]): boolean {
  return covered.some(
    (later) => covers(later, store) && (!later.isBehindBranch || later.site === store.site),
  );
}

function covers(later: Extent, earlier: Extent): boolean {
  return (
    later.address.termsKey === earlier.address.termsKey &&
    later.address.constant <= earlier.address.constant &&
    later.address.constant + later.bytes >= earlier.address.constant + earlier.bytes
  );
}

/** What is still covered before a statement: nothing that it may read, and nothing at all where control may leave or go round in it. */
function uncoveredBy(
  statement: Statement,
  covered: readonly Later[],
  addresses: Addresses,
): readonly Later[] {
  switch (statement.kind) {
    case "declare":
      return covered;
    case "evaluate":
      return uncovered(statement.expression, covered, addresses);
    case "if":
      return [...statement.whenTrue, ...statement.whenFalse].reduce(
        (left, inner) => uncoveredBy(inner, left, addresses),
        covered,
      );
    default:
      return [];
  }
}

/** What is still covered before an expression: nothing that it may read. */
function uncovered(
  expression: Expression,
  covered: readonly Later[],
  addresses: Addresses,
): readonly Later[] {
  if (expression.kind === "assign" && isPure(expression.value))
    return expression.place.kind === "variable" ? covered : [];
  const loaded = expression.kind === "assign" ? expression.value : expression;
  const address: Address | undefined = addresses.get(loaded);
  if (!address || loaded.kind !== "load") return [];
  const read = { address, bytes: sizeOf(loaded.type) ?? 1 };
  return covered.filter((store) => !mayAlias(store, read));
}
