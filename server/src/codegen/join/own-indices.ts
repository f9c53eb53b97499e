// What the ways of a branch compute for themselves alone, such as an index: to LLVM it does not stand between accesses that both ways make.
import type { Expression } from "../../ir/expression.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { isScalar } from "../../ir/type.ts";
import { withWays } from "../walks/rebuild.ts";
import { assignedVariables, forEachExpressionOf, isPure, readsAny } from "../walks/walk.ts";

/**
 * The branch without the whole numbers that its ways declare and compute of what they do not change, and those, as if they stood in front of it; null where there are
 * none (fixtures/forms/indices_of_ways ownShift, ownShifts, bothOfTwoArrays, inLoop; nothing in common: otherEnds).
 */
export function withIndicesAhead(
  branch: If,
  escaped: ReadonlySet<number>,
): { readonly ahead: readonly Statement[]; readonly branch: If } | null {
  const left = liftedFrom(branch.whenTrue, escaped);
  const right = liftedFrom(branch.whenFalse, escaped);
  if (left.size === 0 && right.size === 0) return null;
  const rest = (way: readonly Statement[], lifted: ReadonlySet<Statement>) =>
    way.filter((statement) => !lifted.has(statement));
  return {
    ahead: [...left, ...right],
    branch: withWays(branch, branch.condition, rest(branch.whenTrue, left), rest(branch.whenFalse, right)),
  };
}

/** The declarations of such numbers and what computes them, in their order. */
function liftedFrom(way: readonly Statement[], escaped: ReadonlySet<number>): ReadonlySet<Statement> {
  const own = new Map<number, Statement>();
  for (const statement of way)
    if (statement.kind === "declare" && isOwnNumber(statement, escaped))
      own.set(statement.variable.id, statement);
  if (own.size === 0) return new Set();
  const counts = assignmentCountsOf(way);
  const changed = new Set(assignedVariables(way));
  const lifted = new Set<Statement>();
  for (const statement of way) {
    const computed = computedIn(statement);
    const declaration = computed && own.get(computed.id);
    if (!declaration || counts.get(computed.id) !== 1 || readsAny(computed.value, changed)) continue;
    changed.delete(computed.id);
    lifted.add(declaration);
    lifted.add(statement);
  }
  return lifted;
}

function isOwnNumber(
  { variable, initializer }: Extract<Statement, { readonly kind: "declare" }>,
  escaped: ReadonlySet<number>,
): boolean {
  const isNumber = isScalar(variable.type) && variable.type.kind === "integer";
  return isNumber && initializer === null && variable.storage === "automatic" && !escaped.has(variable.id);
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

function computedIn(statement: Statement): { readonly id: number; readonly value: Expression } | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place, value } = statement.expression;
  return place.kind === "variable" && isPure(value) ? { id: place.variable.id, value } : null;
}
