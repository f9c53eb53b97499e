// How far a trip of a loop surely gets: to LLVM an `asm` of CUDA's headers may never end, so that nothing that stands behind it in the trip is
// known to be executed, and stays there. ptxas knows better, but less of memory (fixtures/forms/behind_asm).
import type { AccessSite, Load } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { isReadOnlyBase, type Variable } from "../../ir/variable.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { executesAsm, isAsm, isAsmSite } from "../linearise/asm-operations.ts";
import { isPure, readsAny, someExpression, someExpressionOf, someStatement } from "../walks/walk.ts";
import type { Effects } from "./effects.ts";

/**
 * Whether ptxas takes a load that no trip changes in front of an innermost loop, which LLVM left behind an `asm`: it must see that no store of the loop
 * changes what is loaded, by the space or by a promise that nobody writes there. What `asm` reads, LLVM promises nothing of.
 */
export function leavesByPtxas(load: Load, loop: Loop, { stored }: Effects, facts: AsmFacts): boolean {
  const address = facts.addresses.get(load);
  if (!address || someStatement(loop.body, ({ kind }) => kind === "loop")) return false;
  if (stored.every((store) => areApart(store.address.space, address.space))) return true;
  return isReadOnlyBase(address.base) && !isReadByAsm(address.base, loop, facts);
}

interface AsmFacts {
  readonly addresses: Addresses;
  readonly asmSites: ReadonlySet<AccessSite>;
}

function areApart(a: Address["space"], b: Address["space"]): boolean {
  return a !== b && a !== "unknown" && b !== "unknown";
}

function isReadByAsm(base: Variable | null, { body }: Loop, { addresses, asmSites }: AsmFacts): boolean {
  return someExpressionOf(body, (node) => isAsmSite(node, asmSites) && addresses.get(node)?.base === base);
}

/** A walk over the statements of a trip, in their order. */
export class AsmInTrip {
  /** Whether an `asm` stands before what comes next. */
  isBehind = false;
  private readonly asmSites: ReadonlySet<AccessSite>;
  private readonly varying: Set<number>;

  /** `assigned`: the variables that the loop assigns. */
  constructor(asmSites: ReadonlySet<AccessSite>, assigned: ReadonlySet<number>) {
    this.asmSites = asmSites;
    this.varying = new Set(assigned);
  }

  /** An `asm` of what is the same in all trips leaves the loop, and holds up nobody any more. */
  pass(statement: Statement): void {
    if (!executesAsm(statement, this.asmSites) || this.isSettled(statement)) this.settle(statement);
    else this.isBehind = true;
  }

  /** A load that has left the loop. */
  passHoisted(temporary: number): void {
    this.varying.delete(temporary);
  }

  /** Whether no `asm` in the statement takes what differs from trip to trip. */
  private isSettled(statement: Statement): boolean {
    if (statement.kind !== "evaluate") return false;
    return !someExpression(
      statement.expression,
      (node) => isAsmSite(node, this.asmSites) || (isAsm(node) && readsAny(node, this.varying)),
    );
  }

  /** Notes a temporary that holds what no trip changes. */
  private settle(statement: Statement): void {
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return;
    const { place, value } = statement.expression;
    if (place.kind !== "variable" || place.variable.id >= 0) return;
    if (isPure(value) && !readsAny(value, this.varying)) this.varying.delete(place.variable.id);
  }
}
