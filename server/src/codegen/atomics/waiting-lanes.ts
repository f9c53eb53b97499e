// Lanes that repeat an atomic until it gives what they wait for let the others go on: ptxas yields in such a loop, and lanes that leave it, or never
// entered it, do not wait for the rest. Up to the next barrier they execute what follows apart, as time has it (fixtures/forms/waiting_lanes.cu).
import type { AccessSite } from "../../ir/expression.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import { partsOf, sitesIn } from "../walks/walk.ts";
import { isSpin } from "./lock-turns.ts";

type Waiting = Map<Loop | If, readonly AccessSite[]>;

/** The loops in which lanes wait and the branches around them, each with the accesses that lanes which part there may execute apart. */
export function lanesWaitAtIn(body: readonly Statement[]): ReadonlyMap<Loop | If, readonly AccessSite[]> {
  const found: Waiting = new Map();
  noteIn(body, { after: [], branches: [] }, found);
  return found;
}

interface Around {
  /** The lists that are executed behind this one, nearest first. */
  readonly after: readonly (readonly Statement[])[];
  readonly branches: readonly { readonly at: If; readonly after: Around["after"] }[];
}

function noteIn(list: readonly Statement[], { after, branches }: Around, found: Waiting): void {
  list.forEach((statement, index) => {
    const behind = [list.slice(index + 1), ...after];
    if (statement.kind === "loop" && isSpin(statement)) {
      note(statement, behind, found);
      for (const branch of branches) note(branch.at, branch.after, found);
    }
    const inner: Around =
      statement.kind === "if"
        ? { after: behind, branches: [...branches, { at: statement, after: behind }] }
        : { after: statement.kind === "loop" ? [statement.body, ...behind] : behind, branches };
    for (const each of partsOf(statement).lists) noteIn(each, inner, found);
  });
}

function note(at: Loop | If, after: Around["after"], found: Waiting): void {
  const sites: AccessSite[] = [];
  after.some((list) => reachesBarrier(list, sites));
  found.set(at, [...(found.get(at) ?? []), ...sites]);
}

/** Whether all of the warp meets within the list, in the first trip of its loops for instance; `sites` takes in the accesses before that. */
function reachesBarrier(list: readonly Statement[], sites: AccessSite[]): boolean {
  return list.some((statement) => {
    if (statement.kind === "barrier") return statement.scope !== "fence";
    if (statement.kind === "block" || statement.kind === "loop") return reachesBarrier(statement.body, sites);
    sites.push(...sitesIn([statement]));
    return false;
  });
}
