// Switches with cases that fall through: LLVM may give a way of them what follows the switch, as a copy of its own (fixtures/forms/loop_strides switches).
import type { AccessSite } from "../../ir/expression.ts";
import type { Statement, Switch } from "../../ir/statement.ts";
import { sitesIn } from "../walks/walk.ts";

/** The accesses behind such a switch of the list, up to a barrier or a loop. */
export function behindFallingThrough(list: readonly Statement[]): readonly AccessSite[] {
  const index = list.findIndex((statement) => statement.kind === "switch" && fallsThrough(statement));
  if (index < 0) return [];
  const rest = list.slice(index + 1);
  const end = rest.findIndex(({ kind }) => kind === "barrier" || kind === "loop");
  return sitesIn(end < 0 ? rest : rest.slice(0, end));
}

/** Whether control goes on from a case that does something into the next one. */
function fallsThrough({ cases }: Switch): boolean {
  return cases.some(({ body }, index) => index < cases.length - 1 && body.length > 0 && !isLeft(body));
}

function isLeft(body: readonly Statement[]): boolean {
  const last = body.at(-1);
  if (last?.kind === "block") return isLeft(last.body);
  return last?.kind === "break" || last?.kind === "return" || last?.kind === "continue";
}
