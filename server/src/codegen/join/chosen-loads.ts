// `v = p[i]; if (c) v = q[j];` is one load of the address that c selects: LLVM makes one load of two that a variable chooses between, where
// each is the last in its block that touches memory but other loads, and where nothing else uses either (fixtures/forms/chosen_loads).
import type { Expression } from "../../ir/expression.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { booleanType, sameType } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { rangeOfFirst } from "../walks/lines.ts";
import type { ReadCounts } from "../walks/read-counts.ts";
import { withWays } from "../walks/rebuild.ts";
import { assignedVariables, forEachExpressionOf, isPure } from "../walks/walk.ts";
import { selected } from "./alike.ts";
import {
  isCopy,
  type JoinOptions,
  type LoadStatement,
  leaves,
  namesAny,
  selectableLoadOf,
  touchesMemory,
} from "./loads.ts";

/** The statements with such loads behind their branches, in place of both; the same statements where there are none. */
export function withChosenLoads(
  list: readonly Statement[],
  readCounts: ReadCounts,
  options: JoinOptions,
): readonly Statement[] {
  let result = list;
  for (let index = 1; index < result.length; index++) {
    const branch = result[index];
    if (branch?.kind !== "if") continue;
    const site = { branch, index };
    const next = isOneWay(branch)
      ? chosenBehind(result, site, readCounts, options)
      : heldOrLoaded(result, site, readCounts, options);
    if (!next) continue;
    result = next;
    // What stood in front is gone, and the branch may choose between others.
    index = Math.max(0, index - 3);
  }
  return result;
}

function isOneWay({ condition, whenTrue, whenFalse }: If): boolean {
  return whenFalse.length === 0 && whenTrue.length > 0 && isPure(condition) && !leaves(whenTrue);
}

/** `temporary = load` and `variable = temporary`, by their places in a list. */
interface HeldLoad {
  readonly load: LoadStatement;
  readonly variable: Variable;
  readonly at: readonly [number, number];
}

interface Site {
  readonly branch: If;
  readonly index: number;
}

function chosenBehind(
  list: readonly Statement[],
  { branch, index }: Site,
  readCounts: ReadCounts,
  options: JoinOptions,
): readonly Statement[] | null {
  const { condition, whenTrue } = branch;
  const assigned = assignedVariables(whenTrue);
  if (namesAny(condition, assigned)) return null;
  for (const inWay of heldLoadsIn(whenTrue, readCounts, options)) {
    const { variable, load } = inWay;
    if (options.escaped.has(variable.id) || namesAny(condition, new Set([variable.id]))) continue;
    if (namesAny(load.load, assignedVariables(whenTrue.slice(inWay.at[0] + 1)))) continue;
    if (readsOf(variable, whenTrue) > 0) continue;
    const front = list.slice(0, index);
    const before = heldLoadsIn(front, readCounts, options).find((held) => held.variable.id === variable.id);
    if (!before || !areOfOneKind(before.load, load)) continue;
    const between = front.slice(before.at[0] + 1);
    if (readsOf(variable, front.slice(before.at[1] + 1)) > 0) continue;
    if (namesAny(before.load.load, new Set([...assignedVariables(between), ...assigned]))) continue;
    const way = without(whenTrue, inWay.at);
    const either = options.fresh.temporary(load.load.type, "either");
    const isNot: Expression = { kind: "unary", operator: "not", type: booleanType, operand: condition };
    const behind = rangeOfFirst(list.slice(index + 1));
    return [
      ...without(front, before.at),
      ...(way.length > 0 ? [withWays(branch, condition, way, [])] : []),
      assignment(placeOf(either), selected(isNot, before.load.load, load.load, behind), branch.range),
      assignment(placeOf(variable), readOf(either), branch.range),
      ...list.slice(index + 1),
    ];
  }
  return null;
}

/** `v = p[i]; w = c ? q[j] : v;`: one way takes what was loaded in front, for it alone, and does nothing else. */
function heldOrLoaded(
  list: readonly Statement[],
  { branch, index }: Site,
  readCounts: ReadCounts,
  options: JoinOptions,
): readonly Statement[] | null {
  const { condition, whenTrue, whenFalse } = branch;
  if (!isPure(condition) || leaves([branch])) return null;
  const copy = onlyCopyIn(whenTrue) ?? onlyCopyIn(whenFalse);
  if (copy === null || readCounts().get(copy.source) !== 1) return null;
  const way = onlyCopyIn(whenTrue) === null ? whenTrue : whenFalse;
  const inWay = heldLoadsIn(way, readCounts, options).find(
    ({ variable }) => variable.id === copy.variable.id,
  );
  const front = list.slice(0, index);
  const before = lastLoadInto(copy.source, front, options);
  if (!inWay || !before || !areOfOneKind(before.load, inWay.load)) return null;
  const assigned = assignedVariables([branch]);
  const assignedBehind = assignedVariables(way.slice(inWay.at[0] + 1));
  if (options.escaped.has(copy.variable.id) || namesAny(condition, assigned)) return null;
  if (namesAny(inWay.load.load, assignedBehind) || readsOf(copy.variable, way) > 0) return null;
  if (namesAny(before.load.load, new Set([...assignedVariables(front.slice(before.at + 1)), ...assigned])))
    return null;
  const rest = without(way, inWay.at);
  const either = options.fresh.temporary(inWay.load.load.type, "either");
  const isNot: Expression = { kind: "unary", operator: "not", type: booleanType, operand: condition };
  const isHeld = way === whenTrue ? isNot : condition;
  const behind = rangeOfFirst(list.slice(index + 1));
  return [
    ...without(front, [before.at]),
    ...(rest.length > 0 ? [withWays(branch, way === whenTrue ? condition : isNot, rest, [])] : []),
    assignment(placeOf(either), selected(isHeld, before.load.load, inWay.load.load, behind), branch.range),
    assignment(placeOf(copy.variable), readOf(either), branch.range),
    ...list.slice(index + 1),
  ];
}

/** The variable that a way gives what another one holds, if it does nothing else. */
function onlyCopyIn(
  way: readonly Statement[],
): { readonly variable: Variable; readonly source: number } | null {
  const [only, ...others] = way.filter(({ kind }) => kind !== "declare");
  if (only?.kind !== "evaluate" || only.expression.kind !== "assign" || others.length > 0) return null;
  const { place, value } = only.expression;
  if (place.kind !== "variable" || !sameType(place.type, place.variable.type) || !isCopy(value)) return null;
  const isHeld = value.kind === "load" && value.place.kind === "variable";
  return isHeld ? { variable: place.variable, source: value.place.variable.id } : null;
}

/** The load into a variable at the end of a list, behind which nothing in its block writes. */
function lastLoadInto(
  id: number,
  list: readonly Statement[],
  options: JoinOptions,
): { readonly load: LoadStatement; readonly at: number } | null {
  for (let at = list.length - 1; at >= 0; at--) {
    const statement = list[at];
    if (!statement || !isQuiet(statement)) return null;
    if (!assignedVariables([statement]).has(id)) continue;
    const load = selectableLoadOf(statement, options);
    return load ? { load, at } : null;
  }
  return null;
}

/**
 * The loads that variables hold at the end of a list, the last first: nothing behind them in their block may write, and nothing but the
 * variable takes their value.
 */
function heldLoadsIn(list: readonly Statement[], readCounts: ReadCounts, options: JoinOptions): HeldLoad[] {
  const held: HeldLoad[] = [];
  const copies = new Map<number, { readonly variable: Variable; readonly at: number }>();
  const settled = new Set<number>();
  for (let at = list.length - 1; at >= 0; at--) {
    const statement = list[at];
    if (!statement || !isQuiet(statement)) break;
    const load = selectableLoadOf(statement, options);
    const temporary = load?.expression.place.kind === "variable" ? load.expression.place.variable.id : null;
    const copy = temporary !== null ? copies.get(temporary) : undefined;
    if (load && temporary !== null && copy && readCounts().get(temporary) === 1)
      held.push({ load, variable: copy.variable, at: [at, copy.at] });
    if (statement.kind === "evaluate" && statement.expression.kind === "assign") {
      const { place, value } = statement.expression;
      if (place.kind !== "variable") continue;
      const isFirst = !settled.has(place.variable.id);
      const source =
        value.kind === "load" && value.place.kind === "variable" ? value.place.variable.id : null;
      if (
        isFirst &&
        source !== null &&
        source < 0 &&
        isCopy(value) &&
        sameType(place.type, place.variable.type)
      )
        copies.set(source, { variable: place.variable, at });
    }
    for (const id of assignedVariables([statement])) settled.add(id);
  }
  return held;
}

/** Whether it stays in its block and writes no memory. */
export function isQuiet(statement: Statement): boolean {
  if (statement.kind === "declare") return true;
  if (statement.kind === "if") return !touchesMemory([statement]) && !leaves([statement]);
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return false;
  const { place, value } = statement.expression;
  return place.kind === "variable" && (isPure(value) || (value.kind === "load" && !value.site?.isVolatile));
}

function areOfOneKind(first: LoadStatement, second: LoadStatement): boolean {
  const { space } = first.address;
  return (
    (space === "shared" || space === "global") &&
    second.address.space === space &&
    sameType(first.load.type, second.load.type)
  );
}

function readsOf({ id }: Variable, list: readonly Statement[]): number {
  let count = 0;
  forEachExpressionOf(list, (node) => {
    if (node.kind === "load" && node.place.kind === "variable" && node.place.variable.id === id) count++;
  });
  return count;
}

function without(list: readonly Statement[], at: readonly number[]): readonly Statement[] {
  return list.filter((_, index) => !at.includes(index));
}
