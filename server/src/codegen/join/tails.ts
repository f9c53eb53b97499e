// What all ways of a branch compute last: LLVM sinks it behind the branch, operation by operation from the end, with the loads in it.
import type { AccessSite, Expression, Load } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Evaluate, If, Statement } from "../../ir/statement.ts";
import { sameType } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import { isSamePlace } from "../addresses/alias.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { mayLeave } from "../walks/jumps.ts";
import { mapOperands, withExpression, withStored } from "../walks/rebuild.ts";
import { assignedVariables, isPure } from "../walks/walk.ts";
import { isSameOperation } from "./alike.ts";
import { withLastLoadsSelected } from "./last-loads.ts";
import { type JoinOptions, type LoadStatement, loadStatementOf, namesAny, siteOfBoth } from "./loads.ts";
import { waysOf, withEnds } from "./stores.ts";

/**
 * The branch without the loads that belong to what its ways compute alike at their end, and behind it those loads with what is computed of
 * them (cases common_tails/divisor, wholeTail, threeWays; not: otherOrder, otherEnd, bothDiffer). If each way loads from another place what
 * they compute alike of, that is one load of the chosen address (chosen_chains scaledAlike, added). Where no load is sunk, nothing changes.
 * `lines`: the line behind the branch.
 */
export function withCommonTails(
  branch: If,
  lines: readonly SourceRange[],
  options: JoinOptions,
  store: AccessSite | null,
): readonly Statement[] {
  if (mayLeave(branch)) return [branch];
  const ways = waysOf(branch).map((list) => tailOf(list, options));
  const tails = ways.filter((way) => way !== null);
  const [first] = tails;
  if (!first || tails.length < ways.length || !tails.every((way) => isSameVariable(way, first)))
    return [branch];
  const assigned = assignedVariables([branch]);
  const count = sunkCount(tails, assigned);
  const loads = sunkLoads(tails, count);
  const donors = loads?.map((alike) => alike.find(({ load }) => !namesAny(load, assigned)));
  if (count === 0 || !loads || !donors?.every((donor) => donor !== undefined)) return [branch];
  const behind: Statement[] = [];
  const sunk: Sunk = { tails, count, assigned, options, values: new Map(), chosen: tails.map(() => []) };
  for (const [index, donor] of donors.entries()) {
    const alike = loads[index] ?? [];
    const temporary = options.fresh.temporary(donor.load.type, "sunk");
    const site = alike.reduce<Load["site"]>((one, { load }) => siteOfBoth(one, load.site), null);
    const load: Load = { kind: "load", type: donor.load.type, place: donor.load.place, site };
    options.addresses.set(load, donor.address);
    behind.push(assignment(placeOf(temporary), load, donor.statement.range));
    const variable = alike[0]?.expression.place;
    if (variable?.kind === "variable") sunk.values.set(variable.variable.id, readOf(temporary));
  }
  const values = tails.map((way) => way.value);
  const { statement, last } = first;
  behind.push(withExpression(statement, withStored(last, last.place, joined(values, sunk))));
  const moved = new Set<Statement>([
    ...loads.flat().map((one) => one.statement),
    ...tails.flatMap((way) => way.ending),
  ]);
  const chosen = new Map(tails.map((way, index) => [way.list, sunk.chosen[index] ?? []]));
  const rest = withEnds(branch, (list) => [
    ...list.filter((one) => !moved.has(one)),
    ...(chosen.get(list) ?? []),
  ]);
  if (loads.length > 0) return [rest, ...behind];
  const met = rest.kind === "if" ? withLastLoadsSelected(rest, lines, options, store) : null;
  return met ? [met.branch, ...met.behind, ...behind] : [branch];
}

interface Tail {
  readonly list: readonly Statement[];
  /** The assignment that the way ends with. */
  readonly statement: Evaluate;
  readonly last: Expression & { kind: "assign" };
  /** What it assigns, and the statements that compute it. */
  readonly value: Expression;
  readonly ending: readonly Statement[];
  /** What stands right before it, by the variable that the value is loaded into. */
  readonly loads: ReadonlyMap<number, LoadStatement>;
  /** What is computed for it, in order: the operations of LLVM, loads among them. */
  readonly operations: readonly Expression[];
  /** How far from the end each of them stands, from 1 on. */
  readonly fromEnd: ReadonlyMap<Expression, number>;
}

function tailOf(list: readonly Statement[], options: JoinOptions): Tail | null {
  const done = list.filter(({ kind }) => kind !== "declare");
  const statement = done.at(-1);
  if (statement?.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const last = statement.expression;
  if (last.place.kind !== "variable" || !isPure(last.value)) return null;
  const named = namedValue(last.value, done.at(-2));
  const ending = named ? done.slice(-2) : [statement];
  const value = named ?? last.value;
  const loads = new Map<number, LoadStatement>();
  for (const before of done.slice(0, -ending.length).reverse()) {
    const load = loadStatementOf(before, options);
    if (load?.expression.place.kind !== "variable") break;
    loads.set(load.expression.place.variable.id, load);
  }
  const operations = operationsOf(value, loads);
  const fromEnd = new Map(operations.map((operation, index) => [operation, operations.length - index]));
  return { list, statement, ending, last, value, loads, operations, fromEnd };
}

/** What stands in a temporary of codegen that is copied at the end of the way: nobody else reads it. */
function namedValue(copy: Expression, before: Statement | undefined): Expression | null {
  if (copy.kind !== "load" || copy.place.kind !== "variable" || copy.place.variable.id >= 0) return null;
  if (before?.kind !== "evaluate" || before.expression.kind !== "assign") return null;
  const { place, value } = before.expression;
  const isNamed = place.kind === "variable" && place.variable.id === copy.place.variable.id;
  return isNamed && value.kind !== "load" && isPure(value) && sameType(value.type, copy.type) ? value : null;
}

/** What a register holds already is no operation. */
function operationsOf(value: Expression, loads: Tail["loads"]): Expression[] {
  if (value.kind === "constant") return [];
  if (value.kind === "load") return loadedBy(value, loads) ? [value] : [];
  return [...operandsOf(value).flatMap((operand) => operationsOf(operand, loads)), value];
}

function loadedBy(read: Expression, loads: Tail["loads"]): LoadStatement | null {
  if (read.kind !== "load" || read.place.kind !== "variable") return null;
  const load = loads.get(read.place.variable.id);
  return load && sameType(load.load.type, read.type) ? load : null;
}

function isSameVariable(a: Tail, b: Tail): boolean {
  const [left, right] = [a.last.place, b.last.place];
  return (
    left.kind === "variable" &&
    right.kind === "variable" &&
    left.variable.id === right.variable.id &&
    left.offsetBytes === right.offsetBytes &&
    sameType(left.type, right.type)
  );
}

/**
 * How many of the last operations are sunk: as long as all ways do the same, and no more than one operand of an operation comes from the ways
 * themselves.
 */
function sunkCount(tails: readonly Tail[], assigned: ReadonlySet<number>): number {
  const alike = alikeCount(tails);
  for (let count = 0; count < alike; count++) {
    const operations = operationsAt(tails, count + 1);
    const operands = operations.map((one) => (one.kind === "load" ? [] : operandsOf(one)));
    const chosen = (operands[0] ?? []).filter((_, index) => {
      const each = operands.map((list) => list[index]).filter((one) => one !== undefined);
      return !isSunkAlike(each, tails, alike) && !isOneForAll(each, assigned);
    });
    if (chosen.length > 1) return count;
  }
  return alike;
}

function alikeCount(tails: readonly Tail[]): number {
  const most = Math.min(...tails.map(({ operations }) => operations.length));
  for (let count = 0; count < most; count++) {
    const operations = operationsAt(tails, count + 1);
    const [first] = operations;
    const isAlike = operations.every((one, way) => {
      if (!first || one.kind !== first.kind || !sameType(one.type, first.type)) return false;
      if (one.kind !== "load") return isSameOperation(one, first);
      const [load, other] = [loadOf(one, tails[way]), loadOf(first, tails[0])];
      return load !== null && other !== null && isSamePlace(load, other);
    });
    if (!isAlike) return count;
  }
  return most;
}

function operationsAt(tails: readonly Tail[], fromEnd: number): readonly Expression[] {
  return tails.map(({ operations }) => operations.at(-fromEnd)).filter((one) => one !== undefined);
}

/** What was loaded into the variable right before the end of the way, for this one use. */
function loadOf(read: Expression, tail: Tail | undefined): LoadStatement | null {
  const load = tail && loadedBy(read, tail.loads);
  const uses = load && tail.operations.filter((one) => loadedBy(one, tail.loads) === load);
  return load && uses?.length === 1 ? load : null;
}

const nothing: Expression = { kind: "constant", type: { kind: "void" }, value: 0 };

/** Whether each way's operand is sunk itself, as the same operation. */
function isSunkAlike(operands: readonly Expression[], tails: readonly Tail[], count: number): boolean {
  const places = operands.map((operand, way) => tails[way]?.fromEnd.get(operand) ?? Number.POSITIVE_INFINITY);
  return places.every((place) => place === places[0] && place <= count);
}

/** Whether it is one constant, or a variable that the branch leaves alone. */
function isOneForAll(operands: readonly Expression[], assigned: ReadonlySet<number>): boolean {
  const [first] = operands;
  return operands.every((one) => {
    if (one.kind === "constant") return first?.kind === "constant" && one.value === first.value;
    if (one.kind !== "load" || one.place.kind !== "variable" || first?.kind !== "load") return false;
    return (
      first.place.kind === "variable" &&
      one.place.variable.id === first.place.variable.id &&
      one.place.offsetBytes === first.place.offsetBytes &&
      !assigned.has(one.place.variable.id)
    );
  });
}

/** The loads among the sunk operations, those of all ways together; null where the text makes them in another order. */
function sunkLoads(tails: readonly Tail[], count: number): readonly (readonly LoadStatement[])[] | null {
  const perWay = tails.map((tail) =>
    tail.operations
      .slice(tail.operations.length - count)
      .map((one) => loadOf(one, tail))
      .filter((one) => one !== null),
  );
  const isLast = perWay.every((loads, way) => {
    const made = [...(tails[way]?.loads.values() ?? [])].reverse();
    return loads.every((one, index) => one === made[made.length - loads.length + index]);
  });
  return isLast ? (perWay[0] ?? []).map((_, index) => perWay.flatMap((loads) => loads[index] ?? [])) : null;
}

interface Sunk {
  readonly tails: readonly Tail[];
  readonly count: number;
  readonly assigned: ReadonlySet<number>;
  readonly options: JoinOptions;
  /** By the variable that the first way loads into, what is loaded behind the branch. */
  readonly values: Map<number, Expression>;
  /** What each way leaves behind for the operations that are sunk. */
  readonly chosen: Statement[][];
}

/** What the ways compute, as it stands behind the branch. */
function joined(values: readonly Expression[], sunk: Sunk): Expression {
  const { tails, count, assigned, options, chosen } = sunk;
  const [first] = values;
  if (!first || isOneForAll(values, assigned)) return first ?? nothing;
  if (isSunkAlike(values, tails, count)) {
    if (first.kind === "load" && first.place.kind === "variable")
      return sunk.values.get(first.place.variable.id) ?? first;
    let index = 0;
    return mapOperands(first, () => {
      const at = index++;
      return joined(
        values.map((value) => operandsOf(value)[at] ?? nothing),
        sunk,
      );
    });
  }
  const temporary = options.fresh.temporary(first.type, "chosen");
  for (const [way, value] of values.entries())
    chosen[way]?.push(assignment(placeOf(temporary), value, tails[way]?.statement.range ?? noRange));
  return readOf(temporary);
}

const noRange = { file: "", start: 0, end: 0 };
