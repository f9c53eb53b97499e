// Copies of 16 bytes past L1 (cp.async.cg) under branches that nvcc may make predication of. A warp that goes the other way whole then executes
// them with no lane, and the GPU counts it all the same: one wavefront and one sector, or more (fixtures/tensor/skipped_copies.cu, skipped_otherwise.cu).
import type { AccessSite } from "../../ir/expression.ts";
import type { If, Statement, Switch } from "../../ir/statement.ts";
import { forEachExpressionOf, forEachStatement, partsOf } from "../walks/walk.ts";

/** As many copies nvcc always jumps over (recorded: five are predicated, six are not). */
const copiesJumpedOver = 6;

type Found = Map<If | Switch, readonly (readonly AccessSite[])[]>;

/** The branches that nvcc may make predication of, each with the copies on its sides. */
export function predicatedCopiesOf(body: readonly Statement[]): Found {
  const found: Found = new Map();
  noteIn(body, noStatements, found);
  return found;
}

/** Statements that are put together once somebody asks. */
type Rest = () => readonly Statement[];

const noStatements: Rest = () => [];

/** `behind`: what the trip goes on with after the list. */
function noteIn(list: readonly Statement[], behind: Rest, found: Found): void {
  list.forEach((statement, index) => {
    const rest = () => [...list.slice(index + 1), ...behind()];
    if (statement.kind === "if" || statement.kind === "switch") {
      const sides = sidesOf(statement, rest).map(copiesPredicatedIn);
      if (sides.some((side) => side.length > 0)) found.set(statement, sides);
    }
    for (const inner of partsOf(statement).lists)
      noteIn(inner, statement.kind === "loop" ? noStatements : rest, found);
  });
}

/** What is executed on each side: where one goes on to the next trip, the other is the rest of this one. */
function sidesOf(statement: If | Switch, rest: Rest): readonly (readonly Statement[])[] {
  if (statement.kind === "switch") return statement.cases.map(({ body }) => body);
  const { whenTrue, whenFalse } = statement;
  return [
    endsTrip(whenFalse) ? [...whenTrue, ...rest()] : whenTrue,
    endsTrip(whenTrue) ? [...whenFalse, ...rest()] : whenFalse,
  ];
}

function endsTrip(side: readonly Statement[]): boolean {
  const last = side.at(-1);
  return last?.kind === "continue" || (last?.kind === "block" && endsTrip(last.body));
}

function copiesPredicatedIn(side: readonly Statement[]): readonly AccessSite[] {
  const copies: AccessSite[] = [];
  forEachExpressionOf(side, (node) => {
    if (node.kind === "intrinsic" && isBypassCopy(node.name) && node.site) copies.push(node.site);
  });
  return copies.length < copiesJumpedOver && !isNeverPredicated(side) ? copies : [];
}

/** The name that lowering gives them, whatever they were written as. */
export function isBypassCopy(name: string): boolean {
  return name === "cp.async.cg";
}

/** Whether what stands there is never predicated as a whole. */
function isNeverPredicated(side: readonly Statement[]): boolean {
  let holds = false;
  forEachStatement(side, ({ kind }) => {
    if (kind === "loop" || kind === "barrier") holds = true;
  });
  return holds;
}
