// Where control leaves a list otherwise than at its end.
import type { Statement } from "../../ir/statement.ts";
import { someStatement } from "./walk.ts";

/** Whether it is a `return`, `break` or `continue`. */
export function isJump(statement: Statement | undefined): boolean {
  const kind = statement?.kind;
  return kind === "return" || kind === "break" || kind === "continue";
}

/** Whether control never reaches the end of the list. */
export function endsInJump(list: readonly Statement[]): boolean {
  return isJump(list.at(-1));
}

/** Whether one stands in the list, in loops too. */
export function holdsAnyJump(list: readonly Statement[]): boolean {
  return someStatement(list, isJump);
}

/** Whether control leaves the statements otherwise than at their end, as far as they are understood. */
export function leaves(list: readonly Statement[]): boolean {
  return someStatement(list, (statement) => isJump(statement) || statement.kind === "unknown");
}

/** Whether it is `if (…) break;`. */
export function isExit(statement: Statement | undefined): boolean {
  if (statement?.kind !== "if" || statement.whenFalse.length > 0) return false;
  const [only, ...others] = statement.whenTrue;
  return only?.kind === "break" && others.length === 0;
}
