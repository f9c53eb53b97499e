// Loads that a branch of a trip alone uses: LLVM moves them into the branch before it takes out of the loop what no trip changes, and there they stay.
import type { Load } from "../../ir/expression.ts";
import type { If, Statement } from "../../ir/statement.ts";
import type { SourceRange } from "../../text/source.ts";
import { touchesMemory } from "../join/loads.ts";
import { isSelection } from "../linearise/selections.ts";
import { changedByTrips } from "../loops/invariant-copies.ts";
import { readCountsOf } from "../walks/read-counts.ts";
import { mapLists, mapStatements, withWays } from "../walks/rebuild.ts";
import { forEachStatement, hasLists, readsAny, someExpressionOf } from "../walks/walk.ts";
import { loadOf } from "./computations.ts";

interface Known {
  readonly escaped: ReadonlySet<number>;
  /** How often each variable is read. */
  readonly counts: ReadonlyMap<number, number>;
  /** The branches of which a way loads as it is written, whatever is known of it by now: LLVM sinks into them before it knows. */
  readonly loading: ReadonlySet<SourceRange>;
  /** The variables that the innermost loop changes; null outside of loops. */
  readonly changed: ReadonlySet<number> | null;
}

/**
 * The statements with such loads in their branches: those with one use, in the first block of a way or behind an exit that they stand right in
 * front of, with no access but loads between (`test/codegen/branch-loads.test.ts`).
 */
export function sunkBeforeLoops(
  body: readonly Statement[],
  { escaped, loading }: Pick<Known, "escaped" | "loading">,
): readonly Statement[] {
  return sunkIn(body, { escaped, loading, counts: readCountsOf(body), changed: null });
}

/** Where those branches stand of which a way loads something. */
export function loadingBranches(body: readonly Statement[]): ReadonlySet<SourceRange> {
  const loading = new Set<SourceRange>();
  forEachStatement(body, (statement) => {
    if (statement.kind !== "if" || !loadsInWay(statement)) return;
    loading.add(statement.range);
  });
  return loading;
}

function loadsInWay({ whenTrue, whenFalse }: If): boolean {
  return someExpressionOf(
    [...whenTrue, ...whenFalse],
    (node) => node.kind === "load" && node.place.kind === "memory",
  );
}

function sunkIn(list: readonly Statement[], known: Known): readonly Statement[] {
  let current = list;
  if (known.changed !== null)
    for (let index = list.length - 2; index >= 0; index--) current = withOneSunk(current, index, known);
  return mapStatements(current, (statement) => {
    if (!hasLists(statement)) return statement;
    const changed = statement.kind === "loop" ? changedByTrips(statement, known.escaped) : known.changed;
    return mapLists(statement, (inner) => sunkIn(inner, { ...known, changed }));
  });
}

function withOneSunk(list: readonly Statement[], index: number, known: Known): readonly Statement[] {
  const statement = list[index];
  const load = statement && loadOf(statement);
  const id = statement && load ? invariantIn(statement, load, known) : null;
  if (!statement || !load || id === null) return list;
  const at = list.findIndex((one, place) => place > index && !isStraight(one));
  const branch = list[at];
  const between = list.slice(index + 1, at);
  const ids = new Set([id]);
  if (branch?.kind !== "if" || readsAny(branch.condition, ids) || between.some(writes)) return list;
  if (isSelection(branch) && !(known.loading.has(branch.range) && isInFrontOf(branch, load))) return list;
  const put = (...rest: readonly Statement[]) => [...list.slice(0, index), ...between, ...rest];
  const { whenTrue, whenFalse, condition } = branch;
  if (isUsedFirst(whenTrue, ids))
    return put(withWays(branch, condition, [statement, ...whenTrue], whenFalse), ...list.slice(at + 1));
  if (isUsedFirst(whenFalse, ids))
    return put(withWays(branch, condition, whenTrue, [statement, ...whenFalse]), ...list.slice(at + 1));
  const rest = list.slice(at + 1);
  return leaves(branch) && isUsedFirst(rest, ids) ? put(branch, statement, ...rest) : list;
}

/** Whether the text has it outside of the branch: what was taken out of a way is to be loaded in vain. */
function isInFrontOf({ range }: If, load: Load): boolean {
  const at = load.site?.range;
  return at !== undefined && (at.file !== range.file || at.start < range.start || at.start >= range.end);
}

/** The variable that alone holds what is loaded, of which one statement reads it once, where the trips make one address; else null. */
function invariantIn(statement: Statement, load: Load, { counts, changed }: Known): number | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place } = statement.expression;
  if (place.kind !== "variable" || counts.get(place.variable.id) !== 1 || place.variable.isOutcome)
    return null;
  if (mayBeLoadedInVain(load)) return null;
  return changed && readsAny(load, changed) ? null : place.variable.id;
}

/** What lies at a known place of an array leaves the loop from its branch as well. */
function mayBeLoadedInVain({ place }: Load): boolean {
  if (place.kind !== "memory" || place.pointer.kind !== "address") return false;
  const of = place.pointer.place;
  return of.kind === "variable" && of.variable.storage !== "dynamic-shared";
}

/** Whether what stands in front of the first branch of the list reads one of the variables. */
function isUsedFirst(list: readonly Statement[], ids: ReadonlySet<number>): boolean {
  const end = list.findIndex((one) => !isStraight(one));
  const last = end < 0 ? undefined : list[end];
  const first = end < 0 ? list : list.slice(0, end);
  return first.some((one) => isRead(one, ids)) || (last?.kind === "if" && readsAny(last.condition, ids));
}

function isRead(statement: Statement, ids: ReadonlySet<number>): boolean {
  return statement.kind === "evaluate" && readsAny(statement.expression, ids);
}

function isStraight({ kind }: Statement): boolean {
  return kind === "evaluate" || kind === "declare";
}

function writes(statement: Statement): boolean {
  return loadOf(statement) === null && touchesMemory([statement]);
}

function leaves({ whenTrue, whenFalse }: If): boolean {
  const kind = whenTrue.at(-1)?.kind;
  return whenFalse.length === 0 && (kind === "break" || kind === "continue" || kind === "return");
}
