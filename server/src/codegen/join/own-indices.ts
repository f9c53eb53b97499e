// What the ways of a branch compute for themselves alone, such as an index: to LLVM it does not stand between accesses that both ways make.
import type { Expression } from "../../ir/expression.ts";
import type { If, Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import { type ReadCounts, readCountsOf } from "../walks/read-counts.ts";
import { withWays } from "../walks/rebuild.ts";
import {
  assignedVariables,
  forEachExpression,
  forEachExpressionOf,
  isPure,
  readsAny,
} from "../walks/walk.ts";

/**
 * The branch without the whole numbers and pointers that its ways compute for themselves, of what they do not change, and those, as if they stood in front of it;
 * null where there are none (fixtures/forms/indices_of_ways ownShift, ownShifts, bothOfTwoArrays, inLoop; nothing in common: otherEnds; places
 * that a function gives: programs/multigrid_poisson prolongate).
 */
export function withIndicesAhead(
  branch: If,
  escaped: ReadonlySet<number>,
  readCounts: ReadCounts,
): { readonly ahead: readonly Statement[]; readonly branch: If } | null {
  const left = liftedFrom(branch.whenTrue, escaped, readCounts);
  const right = liftedFrom(branch.whenFalse, escaped, readCounts);
  if (left.size === 0 && right.size === 0) return null;
  const rest = (way: readonly Statement[], lifted: ReadonlySet<Statement>) =>
    way.filter((statement) => !lifted.has(statement));
  return {
    ahead: [...left, ...right],
    branch: withWays(branch, branch.condition, rest(branch.whenTrue, left), rest(branch.whenFalse, right)),
  };
}

/** The declarations of such variables and what computes them, in their order. */
function liftedFrom(
  way: readonly Statement[],
  escaped: ReadonlySet<number>,
  readCounts: ReadCounts,
): ReadonlySet<Statement> {
  const own = new Map<number, Statement>();
  for (const statement of way)
    if (
      statement.kind === "declare" &&
      statement.initializer === null &&
      isPlain(statement.variable, escaped)
    )
      own.set(statement.variable.id, statement);
  const counts = assignmentCountsOf(way);
  const changed = new Set(assignedVariables(way));
  const lifted = new Set<Statement>();
  const places = placingIn(way);
  let readsHere: ReadonlyMap<number, number> | null = null;
  /** Whether it is read in the way alone. */
  const isOwn = (id: number) => {
    readsHere ??= readCountsOf(way);
    return readsHere.get(id) === readCounts().get(id);
  };
  for (const statement of way) {
    const computed = computedIn(statement);
    if (!computed || counts.get(computed.variable.id) !== 1 || readsAny(computed.value, changed)) continue;
    const { id } = computed.variable;
    if (!places.has(id)) continue;
    const declaration = own.get(id);
    if (!declaration && !(id < 0 && isPlain(computed.variable, escaped) && isOwn(id))) continue;
    changed.delete(id);
    if (declaration) lifted.add(declaration);
    lifted.add(statement);
  }
  return lifted;
}

/** The variables that say where something is accessed, by themselves or by way of others. */
function placingIn(way: readonly Statement[]): ReadonlySet<number> {
  const placing = new Set<number>();
  forEachExpressionOf(way, (node) => {
    if ((node.kind === "load" || node.kind === "assign") && node.place.kind === "memory")
      addRead(node.place.pointer, placing);
  });
  for (const statement of [...way].reverse()) {
    const computed = computedIn(statement);
    if (computed && placing.has(computed.variable.id)) addRead(computed.value, placing);
  }
  return placing;
}

function addRead(expression: Expression, ids: Set<number>): void {
  forEachExpression(expression, (node) => {
    if ((node.kind === "load" || node.kind === "address") && node.place.kind === "variable")
      ids.add(node.place.variable.id);
  });
}

function isPlain({ id, type, storage }: Variable, escaped: ReadonlySet<number>): boolean {
  const isNumber = type.kind === "integer" || type.kind === "pointer";
  return isNumber && storage === "automatic" && !escaped.has(id);
}

/** How often each variable is assigned to. */
function assignmentCountsOf(way: readonly Statement[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  forEachExpressionOf(way, (node) => {
    if (node.kind !== "assign" || node.place.kind !== "variable") return;
    const { id } = node.place.variable;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  });
  return counts;
}

function computedIn(
  statement: Statement,
): { readonly variable: Variable; readonly value: Expression } | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place, value } = statement.expression;
  return place.kind === "variable" && isPure(value) ? { variable: place.variable, value } : null;
}
