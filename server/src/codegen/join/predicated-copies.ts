// Copies of 16 bytes past L1 (cp.async.cg) under branches that nvcc may make predication of. A warp that goes the other way whole then executes
// them with no lane, and the GPU counts it all the same: one wavefront and one sector, or more (fixtures/tensor/skipped_copies.cu).
import type { AccessSite } from "../../ir/expression.ts";
import type { SidesOfCopies } from "../../ir/function.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { forEachExpressionOf, forEachStatement } from "../walks/walk.ts";

/** As many copies nvcc always jumps over (recorded: five are predicated, six are not). */
const copiesJumpedOver = 6;

/** The branches that nvcc may make predication of, each with the copies on its sides. */
export function predicatedCopiesOf(body: readonly Statement[]): ReadonlyMap<If, SidesOfCopies> {
  const found = new Map<If, SidesOfCopies>();
  forEachStatement(body, (statement) => {
    if (statement.kind !== "if") return;
    const whenTrue = copiesPredicatedIn(statement.whenTrue);
    const whenFalse = copiesPredicatedIn(statement.whenFalse);
    if (whenTrue.length > 0 || whenFalse.length > 0) found.set(statement, { whenTrue, whenFalse });
  });
  return found;
}

function copiesPredicatedIn(side: readonly Statement[]): readonly AccessSite[] {
  const copies: AccessSite[] = [];
  forEachExpressionOf(side, (node) => {
    if (node.kind === "intrinsic" && isBypassCopy(node.name) && node.site) copies.push(node.site);
  });
  return copies.length < copiesJumpedOver && !holdsJump(side) ? copies : [];
}

/** The name that lowering gives them, whatever they were written as. */
export function isBypassCopy(name: string): boolean {
  return name === "cp.async.cg";
}

/** Whether what stands there is never predicated as a whole. */
function holdsJump(side: readonly Statement[]): boolean {
  let holds = false;
  forEachStatement(side, ({ kind }) => {
    if (kind === "loop" || kind === "barrier") holds = true;
  });
  return holds;
}
