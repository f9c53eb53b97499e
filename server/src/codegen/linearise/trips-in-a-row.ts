// The trips of a loop one after the other, as straight code: what a trip leaves out by `continue`, and the trips after a `break`, stand under
// the branch that goes on.
import type { Expression } from "../../ir/expression.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import { exits, leaves } from "../walks/jumps.ts";
import { withWays } from "../walks/rebuild.ts";
import { withoutBlocks } from "./inline.ts";

type Jump = "break" | "continue";

/** Which of a loop's own jumps leave its trips early; "tangled" where they stand deeper than in a branch of the body itself. */
export type JumpsOfTrips = "none" | "continue" | "break" | "tangled";

export function jumpsOf(body: readonly Statement[]): JumpsOfTrips {
  if (!leaves(body, exits.break) && !leaves(body, exits.continue)) return "none";
  const whole = withoutContinue(body);
  if (whole === null) return "tangled";
  if (!leaves(whole, exits.break)) return "continue";
  return beforeBreaks(whole, []) === null ? "tangled" : "break";
}

/** A loop's body without `continue`; null where its jumps are tangled. */
export function withoutContinue(body: readonly Statement[]): readonly Statement[] | null {
  return beforeContinue(withoutBlocks(body));
}

function beforeContinue(list: readonly Statement[]): readonly Statement[] | null {
  const at = list.findIndex((statement) => leaves([statement], exits.continue));
  const statement = list[at];
  if (!statement) return list;
  if (statement.kind === "continue") return list.slice(0, at);
  const rest = beforeContinue(list.slice(at + 1));
  const whole = rest && goingOn(statement, "continue", rest);
  return whole && [...list.slice(0, at), whole];
}

/** The trips, each under `condition` where it may be the last; null where their jumps are tangled. */
export function tripsInARow(
  { body, step, range }: Loop,
  count: number,
  condition: Expression | null,
): readonly Statement[] | null {
  const whole = withoutContinue(body);
  const steps = step.map((expression): Statement => ({ kind: "evaluate", expression, range }));
  let row: readonly Statement[] | null = whole && [];
  for (let trip = 0; trip < count && whole && row; trip++) {
    row = beforeBreaks(whole, [...steps, ...row]);
    if (row && condition) row = [{ kind: "if", condition, whenTrue: row, whenFalse: [], range }];
  }
  return row;
}

/** The list with `tail` behind it on all ways but those that break. */
function beforeBreaks(list: readonly Statement[], tail: readonly Statement[]): readonly Statement[] | null {
  const at = list.findIndex((statement) => leaves([statement], exits.break));
  const statement = list[at];
  if (!statement) return [...list, ...tail];
  if (statement.kind === "break") return list.slice(0, at);
  const rest = beforeBreaks(list.slice(at + 1), tail);
  const whole = rest && goingOn(statement, "break", rest);
  return whole && [...list.slice(0, at), whole];
}

/** The branch of which one way ended in the jump, and the other goes on with `rest`. */
function goingOn(statement: Statement, jump: Jump, rest: readonly Statement[]): If | null {
  if (statement.kind !== "if") return null;
  const { condition, whenTrue, whenFalse } = statement;
  const left = withoutLast(whenTrue, jump);
  if (left && !leaves(whenFalse, exits[jump]))
    return withWays(statement, condition, left, [...whenFalse, ...rest]);
  const right = withoutLast(whenFalse, jump);
  return right && !leaves(whenTrue, exits[jump])
    ? withWays(statement, condition, [...whenTrue, ...rest], right)
    : null;
}

/** The way without the jump that it ends in; null where it does not, or jumps elsewhere too. */
function withoutLast(way: readonly Statement[], jump: Jump): readonly Statement[] | null {
  const flat = withoutBlocks(way);
  const before = flat.slice(0, -1);
  return flat.at(-1)?.kind === jump && !leaves(before, exits[jump]) ? before : null;
}
