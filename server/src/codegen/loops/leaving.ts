// Loops without what stands in front of leaving them.
import type { Loop, Statement } from "../../ir/statement.ts";
import { exits, leaves } from "../walks/jumps.ts";
import { mapLists } from "../walks/rebuild.ts";

/** The loop without the ways that end by leaving it: LLVM has what they do behind the loop (cases forms/leaving_stores). */
export function goingOn(loop: Loop): Loop {
  return leaves(loop.body, exits.outOfLoop)
    ? { ...loop, body: loop.body.map((one) => withoutLeaving(one, exits.outOfLoop)) }
    : loop;
}

function withoutLeaving(statement: Statement, by: number): Statement {
  if (statement.kind === "switch") return statement;
  const inner = statement.kind === "loop" ? exits.return : by;
  return mapLists(statement, (list) => {
    const last = list.at(-1)?.kind;
    const isLeft = (last === "break" || last === "return") && (exits[last] & inner) !== 0;
    return isLeft ? [] : list.map((one) => withoutLeaving(one, inner));
  });
}
