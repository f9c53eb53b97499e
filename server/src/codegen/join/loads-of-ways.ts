// Loads in front of a branch of which each is for one of its ways alone, where both ways end with a store to one place: LLVM moves them into the ways
// before it looks for what those end with, and so makes one load of them (test/codegen/stored-loads.test.ts).
import type { If, Statement } from "../../ir/statement.ts";
import { sameType } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import { passOnPlace } from "../walks/facts.ts";
import type { ReadCounts } from "../walks/read-counts.ts";
import { likeSite, withExpression, withPlace, withStored, withWays } from "../walks/rebuild.ts";
import { assignedVariables, forEachExpressionOf, isPure } from "../walks/walk.ts";
import { areShapedAlike } from "./alike.ts";
import { isQuiet } from "./chosen-loads.ts";
import {
  isSamePlace,
  type JoinOptions,
  type LoadStatement,
  leaves,
  namesAny,
  selectableLoadOf,
} from "./loads.ts";
import { lastStoreOf } from "./stores.ts";

/** The statements with such loads at the head of their ways; the same statements where there are none. */
export function withLoadsInWays(
  list: readonly Statement[],
  readCounts: ReadCounts,
  options: JoinOptions,
): readonly Statement[] {
  let result = list;
  for (let index = 1; index < result.length; index++) {
    const branch = result[index];
    if (branch?.kind !== "if") continue;
    const lines = linesOfOneStore(branch, options);
    if (!lines) continue;
    const { front, heads } = loadsFor(branch, lines, result.slice(0, index), readCounts, options);
    const [whenTrue = [], whenFalse = []] = heads;
    if (whenTrue.length === 0 || whenFalse.length === 0) continue;
    const ways = withWays(
      branch,
      branch.condition,
      [...whenTrue, ...branch.whenTrue],
      [...whenFalse, ...branch.whenFalse],
    );
    result = [...front, ways, ...result.slice(index + 1)];
    index = front.length;
  }
  return result;
}

/** The lines of the stores to one place that both ways end with; null where they end otherwise, or store more. */
function linesOfOneStore(branch: If, options: JoinOptions): readonly SourceRange[] | null {
  if (leaves([branch]) || !isPure(branch.condition)) return null;
  const [first, second] = [branch.whenTrue, branch.whenFalse].map((way) => lastStoreOf(way, options));
  if (!first || !second || !isSamePlace(first, second)) return null;
  if (lastStoreOf(branch.whenTrue.slice(0, first.index), options)) return null;
  if (!areComputedAlike(branch)) return null;
  const isOne = sameType(first.expression.value.type, second.expression.value.type);
  return isOne ? [first.statement.range, second.statement.range] : null;
}

/** Whether the ways are alike but for their variables: else each keeps its load, and the store is one by itself (forms/stored_by_ways). */
function areComputedAlike({ whenTrue, whenFalse }: If): boolean {
  const [values, others] = [whenTrue, whenFalse].map((way) =>
    way.flatMap((each) =>
      each.kind === "evaluate" && each.expression.kind === "assign" ? [each.expression.value] : [],
    ),
  );
  if (!values || !others || values.length !== others.length) return false;
  return values.every((value, at) => {
    const other = others[at];
    return other !== undefined && areShapedAlike(value, other);
  });
}

/** The load of two addresses has no line of its own, and is shown on one of those that the stores stand on. */
function chargedTo(
  lines: readonly SourceRange[],
  { statement, expression, load }: LoadStatement,
  options: JoinOptions,
): Statement {
  const { site } = load;
  const charged = withPlace(load, load.place, site && likeSite(site, { merged: [...site.merged, ...lines] }));
  passOnPlace(load, charged, options);
  return withExpression(statement, withStored(expression, expression.place, charged));
}

/** What stands in front of the branch without the loads for its ways, and those, way by way. */
function loadsFor(
  { whenTrue, whenFalse }: If,
  lines: readonly SourceRange[],
  before: readonly Statement[],
  readCounts: ReadCounts,
  options: JoinOptions,
): { readonly front: readonly Statement[]; readonly heads: readonly (readonly Statement[])[] } {
  const reads = [whenTrue, whenFalse].map(readsIn);
  const heads: Statement[][] = [[], []];
  const changed = new Set<number>();
  const moved = new Set<Statement>();
  for (const statement of [...before].reverse()) {
    if (!isQuiet(statement)) break;
    const load = selectableLoadOf(statement, options);
    const id = load?.expression.place.kind === "variable" ? load.expression.place.variable.id : null;
    const way = id === null ? -1 : reads.findIndex((each) => each.has(id));
    const isForWay = id !== null && way >= 0 && readCounts().get(id) === 1 && !options.escaped.has(id);
    if (load && isForWay && !namesAny(load.load, changed)) {
      heads[way]?.unshift(chargedTo(lines, load, options));
      moved.add(statement);
    } else for (const assigned of assignedVariables([statement])) changed.add(assigned);
  }
  return { front: before.filter((each) => !moved.has(each)), heads };
}

/** The variables that a way reads itself, not in a branch or loop of it. */
function readsIn(way: readonly Statement[]): ReadonlySet<number> {
  const ids = new Set<number>();
  const own = way.filter(({ kind }) => kind === "evaluate");
  forEachExpressionOf(own, (node) => {
    if (node.kind === "load" && node.place.kind === "variable") ids.add(node.place.variable.id);
  });
  return ids;
}
