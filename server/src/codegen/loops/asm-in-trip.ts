// How far a trip of a loop surely gets: to LLVM an `asm` of CUDA's headers may never end, so that nothing that stands behind it in the trip is
// known to be executed, and stays there. What ptxas does with it then is not imitated (fixtures/forms/behind_asm).
import type { AccessSite } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { executesAsm, isAsm, isAsmSite } from "../linearise/asm-operations.ts";
import { isPure, readsAny, someExpression } from "../walks/walk.ts";

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
