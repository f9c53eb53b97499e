// Branches whose ways both end with a load into one variable, of addresses that they come to in their own way: one load behind them to LLVM.
import type { Expression, VariablePlace } from "../../ir/expression.ts";
import type { Evaluate, If, Statement } from "../../ir/statement.ts";
import { sameType } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import { withExpression, withStored, withWays } from "../walks/rebuild.ts";
import { assignedVariables, isPure, readsAny, rootVariableOf } from "../walks/walk.ts";
import { selected } from "./alike.ts";
import { type JoinOptions, type LoadStatement, leaves, selectableLoadOf } from "./loads.ts";

/**
 * The branch without the loads that its ways end with, and behind it one of the chosen address; null where they end otherwise
 * (forms/two_case_switches oneBit, oneCase; not: twoOfMany). `behind`: the line behind the branch, which the load may be charged to.
 */
export function withLastLoadSelected(
  branch: If,
  behind: readonly SourceRange[],
  options: JoinOptions,
): { readonly branch: If; readonly behind: readonly Statement[] } | null {
  if (!isPure(branch.condition) || leaves([branch])) return null;
  if (readsAny(branch.condition, assignedVariables([branch]))) return null;
  const first = endOf(branch.whenTrue, options);
  const second = endOf(branch.whenFalse, options);
  if (!first || !second || !areForOne(first, second)) return null;
  // Ways of one load each are alike as they are.
  if (first.before.length === 0 && second.before.length === 0) return null;
  const { statement, expression, load } = second.loaded;
  const chosen = selected(branch.condition, first.loaded.load, load, behind);
  return {
    branch: withWays(branch, branch.condition, first.before, second.before),
    behind: [
      withExpression(statement, withStored(expression, expression.place, chosen)),
      ...(second.copy ? [second.copy] : []),
    ],
  };
}

interface End {
  readonly before: readonly Statement[];
  readonly loaded: LoadStatement;
  /** What gives the loaded value to the variable, where a temporary of codegen has it first. */
  readonly copy: Evaluate | null;
  readonly place: VariablePlace;
}

function endOf(way: readonly Statement[], options: JoinOptions): End | null {
  const done = way.filter(({ kind }) => kind !== "declare");
  const last = done.at(-1);
  const own = selectableLoadOf(last, options);
  const loaded = own ?? selectableLoadOf(done.at(-2), options);
  if (!loaded || last?.kind !== "evaluate" || last.expression.kind !== "assign") return null;
  const { place, value } = last.expression;
  if (place.kind !== "variable" || (own === null && !isCopyOf(value, loaded))) return null;
  const moved = new Set<Statement>([last, loaded.statement]);
  return { before: way.filter((one) => !moved.has(one)), loaded, copy: own ? null : last, place };
}

function isCopyOf(value: Expression, { expression }: LoadStatement): boolean {
  const { place } = expression;
  return (
    value.kind === "load" &&
    value.place.kind === "variable" &&
    place.kind === "variable" &&
    value.place.variable.id === place.variable.id &&
    sameType(value.type, place.type)
  );
}

/** Whether both load from one memory into one variable. */
function areForOne(a: End, b: End): boolean {
  const { space } = a.loaded.address;
  return (
    (space === "shared" || space === "global") &&
    b.loaded.address.space === space &&
    sameType(a.loaded.load.type, b.loaded.load.type) &&
    // Of lanes in two arrays of shared memory nobody could say what their one load costs.
    (space === "global" || arrayOf(a.loaded) === arrayOf(b.loaded)) &&
    (a.copy === null) === (b.copy === null) &&
    a.place.variable.id === b.place.variable.id &&
    a.place.offsetBytes === b.place.offsetBytes
  );
}

function arrayOf({ load: { place } }: LoadStatement): number | null {
  return place.kind === "memory" ? (rootVariableOf(place.pointer)?.id ?? null) : null;
}
