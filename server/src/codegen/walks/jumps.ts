// Where control leaves statements otherwise than at their end: the one answer to "does control leave?".
import { listsOf } from "../../ir/operands.ts";
import type { If, Statement } from "../../ir/statement.ts";

/** By what control leaves; a statement that is not understood may go anywhere. Sums of these are sets. */
export const exits = {
  break: 1,
  continue: 2,
  return: 4,
  unknown: 8,
  jump: 7,
  outOfLoop: 5,
  any: 15,
} as const;

/** Whether control may leave the statements by one of `by`. What ends in them, such as a loop that its own `break` leaves, does not leave them. */
export function leaves(list: readonly Statement[], by: number = exits.any): boolean {
  return list.some((statement) => mayLeave(statement, by));
}

/** The same of one statement. */
export function mayLeave(statement: Statement, by: number = exits.any): boolean {
  switch (statement.kind) {
    case "break":
    case "continue":
    case "return":
    case "unknown":
      return (exits[statement.kind] & by) !== 0;
    case "loop":
      return leavesOnce(statement, by & ~(exits.break | exits.continue));
    case "switch":
      return leavesOnce(statement, by & ~exits.break);
    default:
      return leavesOnce(statement, by);
  }
}

function leavesOnce(statement: Statement, by: number): boolean {
  return by !== 0 && listsOf(statement).some((list) => leaves(list, by));
}

/** Whether it is a `return`, `break` or `continue`. */
export function isJump(statement: Statement | undefined): boolean {
  const kind = statement?.kind;
  return kind === "return" || kind === "break" || kind === "continue";
}

/** Whether control never reaches the end of the list. */
export function endsInJump(list: readonly Statement[]): boolean {
  return isJump(list.at(-1));
}

/** Whether whoever takes the branch does not come to what follows, and all others do nothing in it. */
export function isGuard({ whenTrue, whenFalse }: If): boolean {
  return whenFalse.length === 0 && endsInJump(whenTrue);
}

/** The jump that the list is nothing but; null where it is anything else. */
export function onlyJumpOf([only, ...others]: readonly Statement[]): Statement | null {
  if (!only || others.length > 0) return null;
  if (only.kind === "block") return onlyJumpOf(only.body);
  return isJump(only) ? only : null;
}

/** Whether it is `if (…) break;`. */
export function isExit(statement: Statement | undefined): boolean {
  if (statement?.kind !== "if" || statement.whenFalse.length > 0) return false;
  return onlyJumpOf(statement.whenTrue)?.kind === "break";
}
