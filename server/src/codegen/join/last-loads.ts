// Branches and switches whose ways all end with a load into one variable, of addresses that they come to in their own way: one load behind them
// to LLVM.
import type { AccessSite, Assign, Expression, Load, VariablePlace } from "../../ir/expression.ts";
import type { Evaluate, If, Statement, Switch } from "../../ir/statement.ts";
import { booleanType, sameType } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Space } from "../addresses/space.ts";
import { type SwitchWay, waysOfSwitch } from "../linearise/switches.ts";
import { leaves } from "../walks/jumps.ts";
import { likeSite, withExpression, withStored, withWays } from "../walks/rebuild.ts";
import { assignedVariables, isPure, readsAny, rootVariableOf } from "../walks/walk.ts";
import { selected } from "./alike.ts";
import { type JoinOptions, type LoadStatement, selectableLoadOf } from "./loads.ts";

/**
 * The branch or switch without the loads that its ways end with, and behind it those of the chosen addresses; null where they end otherwise.
 * Ways within ways, as of `if … else if … else`, are ways of their own (forms/two_case_switches oneBit, oneCase; forms/chosen_chains).
 * `behind`: the line behind the branch, which the loads may be charged to; `store`: the one that was sunk to there and stores what is loaded, whose
 * line they have (test/codegen/stored-loads.test.ts).
 */
export function withLastLoadsSelected(
  branch: If | Switch,
  behind: readonly SourceRange[],
  options: JoinOptions,
  store: AccessSite | null = null,
): { readonly branch: Statement; readonly behind: readonly Statement[] } | null {
  let current: Statement = branch;
  const loads: Statement[] = [];
  for (;;) {
    const found = lastOfFork(current, behind, { ...options, store });
    if (!found || found.isPlainChoice) break;
    loads.unshift(found.statement, ...(found.copy ? [found.copy] : []));
    current = found.branch;
  }
  return loads.length === 0 ? null : { branch: current, behind: loads };
}

/** What a way ends with: a load into a variable, and the way without it. */
interface End {
  readonly before: readonly Statement[];
  readonly statement: Evaluate;
  readonly expression: Assign;
  readonly load: Load;
  readonly space: Space;
  /** What it is loaded from, where a pointer or an array names it. */
  readonly array: Variable | null;
  /** What gives the loaded value to the variable, where a temporary of codegen has it first. */
  readonly copy: Evaluate | null;
  readonly place: VariablePlace;
}

/** What the ways of a fork end with, as one load, and the fork without it. */
interface Meeting extends Omit<End, "before"> {
  readonly branch: Statement;
  /** Whether it had two ways of nothing but that load, which are alike as they are (join/alike.ts). */
  readonly isPlainChoice: boolean;
}

function lastOfFork(
  statement: Statement,
  behind: readonly SourceRange[],
  options: LastOptions,
): Meeting | null {
  const fork = forkOf(statement);
  if (!fork || fork.ways.some(({ list }) => leaves(list))) return null;
  const assigned = assignedVariables([statement]);
  const isKnown = ({ condition }: Way) =>
    condition === null || (isPure(condition) && !readsAny(condition, assigned));
  if (!fork.ways.every(isKnown)) return null;
  const ends: (End & { readonly condition: Expression | null })[] = [];
  for (const { condition, list } of fork.ways) {
    const end = endOf(list, options);
    if (!end || (ends[0] && !areForOne(ends[0], end))) return null;
    ends.push({ ...end, condition });
  }
  const last = ends.at(-1);
  if (!last) return null;
  const others = ends.slice(0, -1).toReversed();
  const all = others.reduce((rest, { condition, load }, index) => {
    const lines = index === others.length - 1 ? behind : [];
    return condition ? selected(condition, load, rest, lines) : rest;
  }, last.load);
  const chosen: Load = { ...all, site: nearest(all.site, ends, options.store) };
  const expression = withStored(last.expression, last.expression.place, chosen);
  return {
    ...last,
    branch: fork.withLists(ends.map(({ before }) => before)),
    load: chosen,
    expression,
    statement: withExpression(last.statement, expression),
    isPlainChoice: ends.length === 2 && ends.every(({ before }) => before.length === 0),
  };
}

type LastOptions = JoinOptions & { readonly store: AccessSite | null };

/** The site of the way whose store names the line of the one that was sunk; the last's where none was. */
function nearest(
  all: AccessSite | null,
  ends: readonly Pick<End, "load">[],
  store: AccessSite | null,
): AccessSite | null {
  if (!all || !store) return all;
  const own = ends
    .flatMap(({ load: { site } }) => (site && site.range.start >= store.range.start ? [site] : []))
    .reduce<AccessSite | null>((a, b) => (a && a.range.start <= b.range.start ? a : b), null);
  if (!own || own.range === all.range) return all;
  return likeSite(own, { merged: [all.range, ...all.merged].filter((each) => each !== own.range) });
}

interface Way {
  /** Of control that has come to no way in front: null where it surely takes this one. */
  readonly condition: Expression | null;
  readonly list: readonly Statement[];
}

/** A statement of several ways that meet behind it, the one that is taken else the last. */
interface Fork {
  readonly ways: readonly Way[];
  /** The statement with these lists in place of those of its ways. */
  readonly withLists: (lists: readonly (readonly Statement[])[]) => Statement;
}

function forkOf(statement: Statement): Fork | null {
  if (statement.kind === "if") {
    const { condition, whenTrue, whenFalse } = statement;
    return {
      ways: [
        { condition, list: whenTrue },
        { condition: null, list: whenFalse },
      ],
      withLists: ([first = [], second = []]) => withWays(statement, condition, first, second),
    };
  }
  const ways = statement.kind === "switch" ? waysOfSwitch(statement) : null;
  if (statement.kind !== "switch" || !ways) return null;
  const { selector } = statement;
  const named = ways.filter(({ values }) => !values.includes(null));
  const ordered = [...named, ...ways.filter(({ values }) => values.includes(null))];
  return {
    ways: ordered.map(({ values, statements }) => ({
      condition: values.includes(null) ? null : isOneOf(selector, values),
      list: statements,
    })),
    withLists: (lists) => ({
      ...statement,
      cases: ordered.map(({ values }, index) => ({
        values,
        body: [...(lists[index] ?? []), { kind: "break" }],
      })),
    }),
  };
}

function isOneOf(selector: Expression, values: SwitchWay["values"]): Expression {
  const comparisons = values.map(
    (value): Expression => ({
      kind: "binary",
      operator: "==",
      type: booleanType,
      left: selector,
      right: { kind: "constant", type: selector.type, value: value ?? 0 },
    }),
  );
  return comparisons.reduce((left, right) => ({
    kind: "logical",
    operator: "or",
    type: booleanType,
    left,
    right,
  }));
}

function endOf(way: readonly Statement[], options: LastOptions): End | null {
  const done = way.filter(({ kind }) => kind !== "declare");
  const last = done.at(-1);
  if (last?.kind === "if" || last?.kind === "switch") {
    const found = lastOfFork(last, [], options);
    return found && { ...found, before: way.map((one) => (one === last ? found.branch : one)) };
  }
  const own = selectableLoadOf(last, options);
  const loaded = own ?? selectableLoadOf(done.at(-2), options);
  if (!loaded || last?.kind !== "evaluate" || last.expression.kind !== "assign") return null;
  const { place, value } = last.expression;
  if (place.kind !== "variable" || (own === null && !isCopyOf(value, loaded))) return null;
  const { statement, expression, load, address } = loaded;
  const moved = new Set<Statement>([last, statement]);
  const before = way.filter((one) => !moved.has(one));
  const { space } = address;
  return { before, statement, expression, load, space, array: arrayOf(load), copy: own ? null : last, place };
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

/** Whether two ways load from one memory into one variable. */
function areForOne(a: End, b: End): boolean {
  const { space } = a;
  return (
    (space === "shared" || space === "global") &&
    b.space === space &&
    sameType(a.load.type, b.load.type) &&
    // Of lanes in two arrays of shared memory nobody could say what their one load costs.
    (space === "global" || a.array === b.array) &&
    (a.copy === null) === (b.copy === null) &&
    a.place.variable.id === b.place.variable.id &&
    a.place.offsetBytes === b.place.offsetBytes
  );
}

function arrayOf({ place }: Load): Variable | null {
  return place.kind === "memory" ? rootVariableOf(place.pointer) : null;
}
