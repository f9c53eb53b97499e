// Which statements may end a trip of a loop before its end, or the whole function.
import type { Loop, Statement } from "../../ir/statement.ts";
import { mapLists } from "../walks/rebuild.ts";
import { partsOf } from "../walks/walk.ts";

type Jump = "break" | "continue" | "return";

/** Whether the statement, of a loop's body, may end the trip. */
export function mayLeave(statement: Statement): boolean {
  return mayJump(statement, everyJump);
}

/** Whether a trip of the loop may be the last before its condition says so. */
export function leavesEarly({ body }: Loop): boolean {
  return body.some((statement) => mayJump(statement, outOfLoop));
}

/** Whether the statement, of a loop's body, may end the trip and go on with the next. */
export function mayContinue(statement: Statement): boolean {
  return mayJump(statement, continueAlone);
}

/** Whether the statement may end the function. */
export function mayReturn(statement: Statement): boolean {
  return mayJump(statement, returnAlone);
}

/** The loop without the ways that end by leaving it: LLVM has what they do behind the loop (cases forms/leaving_stores). */
export function goingOn(loop: Loop): Loop {
  return leavesEarly(loop) ? { ...loop, body: loop.body.map((one) => withoutLeaving(one, outOfLoop)) } : loop;
}

function withoutLeaving(statement: Statement, jumps: ReadonlySet<Jump>): Statement {
  if (statement.kind === "switch") return statement;
  const inner = statement.kind === "loop" ? returnAlone : jumps;
  return mapLists(statement, (list) => {
    const last = list.at(-1)?.kind;
    const leaves = (last === "break" || last === "return") && inner.has(last);
    return leaves ? [] : list.map((one) => withoutLeaving(one, inner));
  });
}

const everyJump: ReadonlySet<Jump> = new Set(["break", "continue", "return"]);
const outOfLoop: ReadonlySet<Jump> = new Set(["break", "return"]);
const continueAlone: ReadonlySet<Jump> = new Set(["continue"]);
const returnAlone: ReadonlySet<Jump> = new Set(["return"]);

function mayJump(statement: Statement, jumps: ReadonlySet<Jump>): boolean {
  switch (statement.kind) {
    case "break":
    case "continue":
    case "return":
      return jumps.has(statement.kind);
    case "loop":
      return jumps.has("return") && statement.body.some(mayReturn);
    case "switch": {
      const left = new Set(jumps);
      left.delete("break");
      return statement.cases.some((one) => one.body.some((inner) => mayJump(inner, left)));
    }
    default:
      return partsOf(statement).lists.some((list) => list.some((inner) => mayJump(inner, jumps)));
  }
}
