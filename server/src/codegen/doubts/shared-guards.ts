// Guards that ask the same first (`row < h && x < w` of neighbouring taps): LLVM may make one branch of what they share, with all that stands
// between them in either way of it (fixtures/programs/conv_layers direct_conv).
import type { AccessSite, Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { areEqual } from "../walks/equal.ts";
import { sitesIn, someStatement } from "../walks/walk.ts";

/** The accesses of the list from the first of such guards to the last, with no barrier between: no branch is made across one. */
export function underSharedGuards(list: readonly Statement[]): readonly AccessSite[] {
  const sites: AccessSite[] = [];
  let start = 0;
  list.forEach((statement, index) => {
    if (!someStatement([statement], ({ kind }) => kind === "barrier")) return;
    sites.push(...sharedIn(list.slice(start, index)));
    start = index + 1;
  });
  return [...sites, ...sharedIn(list.slice(start))];
}

function sharedIn(list: readonly Statement[]): readonly AccessSite[] {
  let guard: Expression | null = null;
  let first = -1;
  let last = -1;
  list.forEach((statement, index) => {
    const asked = askedFirst(statement);
    if (!asked) return;
    if (guard && areEqual(guard, asked)) last = index;
    else if (last < 0) {
      guard = asked;
      first = index;
    }
  });
  return last < 0 ? [] : sitesIn(list.slice(first, last + 1));
}

/** What a guard of more than one condition asks first. */
function askedFirst(statement: Statement): Expression | null {
  if (statement.kind !== "if" || statement.condition.kind !== "logical") return null;
  const { operator, left } = statement.condition;
  return operator === "and" ? left : null;
}
