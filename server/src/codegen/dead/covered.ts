// Stores that a later store covers before any thread could read what they store.
import type { AccessSite, Assign, Expression } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { expressionsOf, operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { covers, type Extent, mayAlias } from "../addresses/alias.ts";
import type { KnownRounds } from "../linearise/context.ts";
import { holdsBranch, isSelection } from "../linearise/selections.ts";
import { branchesInLibrary } from "../linearise/slow-paths.ts";
import { isSurelyWrittenOut } from "../linearise/unroll.ts";
import { mapFromEnd, mapLists } from "../walks/rebuild.ts";
import { forEachStatement, hasLists, isPure } from "../walks/walk.ts";

interface Store extends Extent {
  readonly site: AccessSite | null;
}

interface StoreFacts {
  readonly addresses: Addresses;
  /** The terms of addresses that more than one statement stores to: no other store is covered. */
  readonly storedTwice: ReadonlySet<number>;
  readonly knownRounds: KnownRounds;
}

/** The terms of the addresses that more than one statement stores to. */
export function storedTwice(body: readonly Statement[], addresses: Addresses): ReadonlySet<number> {
  const once = new Set<number>();
  const twice = new Set<number>();
  forEachStatement(body, (statement) => {
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return;
    const address = statement.expression.place.kind === "memory" && addresses.get(statement.expression);
    if (!address) return;
    if (once.has(address.termsKey)) twice.add(address.termsKey);
    once.add(address.termsKey);
  });
  return twice;
}

interface Later extends Store {
  /** Whether a branch stands in front of it, in which it is not read. */
  readonly isBehindBranch: boolean;
}

/**
 * Within each list: a store is dropped where a later one covers it before any thread could read it. A short branch that only computes is none
 * (cases covered_stores/throughReference; stored: throughCall). Past any other branch only the next trip's store covers it: LLVM keeps what every
 * trip stores at one place in a register before it writes the trips out (forms/trips_beside_branch besideBranch; not in straight-line code: besideBranchOnce).
 * What a `c ? a : b` or a function of CUDA's library branches for is such a branch; shuffles and votes read no memory, and
 * what LLVM writes out of a loop that only computes is straight-line code (not what it leaves rolled).
 */
export function withoutCoveredStores(list: readonly Statement[], facts: StoreFacts): readonly Statement[] {
  const { addresses } = facts;
  if (facts.storedTwice.size === 0) return list;
  let covered: readonly Later[] = [];
  return mapFromEnd(list, (statement) => {
    const store = storeOf(statement, addresses);
    if (store) {
      if (isCovered(store, covered)) return null;
      if (facts.storedTwice.has(store.address.termsKey))
        covered = [...covered, { ...store, isBehindBranch: false }];
    } else if (covered.length > 0 && !(statement.kind === "if" && isSelection(statement)))
      covered = uncoveredBy(statement, covered, facts);
    if (covered.some((later) => !later.isBehindBranch) && isBranched(statement))
      covered = covered.map((later) => ({ ...later, isBehindBranch: true }));
    if (!hasLists(statement)) return statement;
    return mapLists(statement, (inner) => withoutCoveredStores(inner, facts));
  });
}

function isBranched(statement: Statement): boolean {
  if (statement.kind === "if") return !isSelection(statement);
  if (statement.kind === "loop") return statement.body.some(isBranched);
  return expressionsOf(statement).some((each) => holdsBranch(each) || branchesInLibrary(each));
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

/** What is still covered before a statement: nothing that it may read, and nothing at all where control may leave or go round in it. */
function uncoveredBy(statement: Statement, covered: readonly Later[], facts: StoreFacts): readonly Later[] {
  switch (statement.kind) {
    case "declare":
      return covered;
    case "evaluate":
      return uncovered(statement.expression, covered, facts.addresses);
    case "if":
      return uncoveredByList([...statement.whenTrue, ...statement.whenFalse], covered, facts);
    case "loop": {
      const trips = facts.knownRounds.get(statement.range) ?? null;
      return trips !== null && isSurelyWrittenOut(statement, trips)
        ? uncoveredByList(statement.body, covered, facts)
        : [];
    }
    default:
      return [];
  }
}

function uncoveredByList(
  list: readonly Statement[],
  covered: readonly Later[],
  facts: StoreFacts,
): readonly Later[] {
  return list.reduce((left, inner) => uncoveredBy(inner, left, facts), covered);
}

/** What is still covered before an expression: nothing that it may read. */
function uncovered(
  expression: Expression,
  covered: readonly Later[],
  addresses: Addresses,
): readonly Later[] {
  if (expression.kind === "assign" && readsNothing(expression.value))
    return expression.place.kind === "variable" ? covered : [];
  const loaded = expression.kind === "assign" ? expression.value : expression;
  const address: Address | undefined = addresses.get(loaded);
  if (!address || loaded.kind !== "load") return [];
  const read = { address, bytes: sizeOf(loaded.type) ?? 1 };
  return covered.filter((store) => !mayAlias(store, read));
}

function readsNothing(value: Expression): boolean {
  if (isPure(value)) return true;
  const computes =
    value.kind === "intrinsic"
      ? ["warp", "pure"].includes(intrinsicEffect(value.name) ?? "")
      : ["binary", "unary", "convert", "conditional", "extract"].includes(value.kind);
  return computes && operandsOf(value).every(readsNothing);
}
