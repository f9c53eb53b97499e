// Stores of one place at the end of all ways of a branch: LLVM sinks them into one behind it, where their index needs no sinking of its own.
import type { Assign, Expression, MemoryPlace } from "../../ir/expression.ts";
import type { Evaluate, If, Statement } from "../../ir/statement.ts";
import { sameType, sizeOf } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Address } from "../addresses/address.ts";
import { isSamePlace } from "../addresses/alias.ts";
import { asks, type Decision, decisionOf } from "../linearise/decisions.ts";
import { writtenKeyOf } from "../walks/equal.ts";
import { passOnPlace } from "../walks/facts.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { mayLeave } from "../walks/jumps.ts";
import { likeSite, withExpression, withWays } from "../walks/rebuild.ts";
import { assignedVariables, forEachExpressionOf, isPure, readsAny, rootVariableOf } from "../walks/walk.ts";
import { areShapedAlike, isSameOperation } from "./alike.ts";
import { isCopy, type JoinOptions, namesAny } from "./loads.ts";
import {
  accessesPlace,
  allBeginWith,
  isAddressInFront,
  isCopied,
  type StoredPlace,
} from "./stored-places.ts";

/**
 * What runs before a branch on every way to it, nearest first: its indices have been widened to 64 bits already. `alike` where the ways are
 * sunk whole.
 */
type Before = readonly Statement[] | "alike";

export interface SinkOptions extends JoinOptions {
  /** The innermost loop around the branch. */
  readonly loop: EnclosingLoop | null;
  /** Of the statement behind the branch. */
  readonly linesBehind: readonly SourceRange[];
}

export interface EnclosingLoop {
  readonly range: SourceRange;
  /** The variables that its trips change. */
  readonly changed: ReadonlySet<number>;
}

interface LastStore {
  readonly index: number;
  readonly statement: Evaluate;
  readonly expression: Assign;
  readonly place: MemoryPlace;
  readonly address: Address;
  readonly bytes: number;
}

/**
 * The branch without the stores that all its ways end with, and those stores behind it. LLVM keeps the store that it compares the others
 * with, and its line where a way computes; else it has none, and is shown where its neighbours are: at the condition, the statement behind,
 * in a loop mostly at the loop, whose counter ptxas moves on while the values are on their way. Behind `a && b`, where b loads, nothing that a
 * way computes is sunk (case short_circuits/otherwise).
 */
export function withCommonStores(branch: If, before: Before, options: SinkOptions): readonly Statement[] {
  if (mayLeave(branch)) return [branch];
  let current = branch;
  const behind: Statement[] = [];
  let alone: Statement | null = null;
  for (;;) {
    const next = withoutLastStore(current, before, options);
    if (!next) break;
    current = next.branch;
    behind.unshift(next.store);
    alone = behind.length === 1 ? next.alone : null;
  }
  return [current, ...(alone ? [alone] : behind)];
}

/** `alone`: the store as it is shown where it is the only one that is sunk. */
function withoutLastStore(
  branch: If,
  before: Before,
  options: SinkOptions,
): { readonly branch: If; readonly store: Statement; readonly alone: Statement } | null {
  const ways = waysOf(branch);
  const stores = ways.map((way) => lastStoreOf(way, options));
  const order = arrivals(branch);
  const [way = 0] = order;
  const first = stores[way];
  if (!first) return null;
  // The address of a record is that of its first part.
  const record = recordOf(ways[way] ?? [], first, options);
  const isInFront = before !== "alike" && isAddressInFront(ways, record, before, options.addresses);
  // LLVM sinks what has its address in front while the step of a `for` still stands by itself.
  const isBeforeStep = options.beforeSteps.has(branch.range) && !isInFront;
  const kept = isBeforeStep ? stores[order.at(-1) ?? 0] : first;
  if (!kept) return null;
  for (const store of stores) {
    if (!store || !isSamePlace(store, kept)) return null;
    if (!sameType(store.expression.value.type, kept.expression.value.type)) return null;
  }
  const all = stores.filter((store) => store !== null);
  const copied = all.map(({ expression }) => options.byteCopies.get(options.groups.get(expression) ?? -1));
  if (copied.includes("record") || copied.every((one) => one === "vector")) return null;
  if (before !== "alike" && !areComputedAlike(ways, all)) return null;
  const assigned = assignedVariables([branch]);
  const donor = all.find(({ place }) => !namesAny(place.pointer, assigned));
  const deciding = decidingBranch(branch, before);
  const areGiven =
    all.every(({ expression: { value } }) => isCopy(value)) && computedIn(ways.flat()).length === 0;
  if (deciding?.operator === "and" && !areGiven) return null;
  // The way of b in `a || b` leads to one of the ways alone.
  const others = deciding ? [[deciding.branch]] : [];
  const surroundings: Surroundings = {
    branch,
    others,
    before,
    loop: options.loop,
    isInFront,
    holdsCopy: copied.includes("vector"),
  };
  if (!donor || !isSunk(all, kept, surroundings, options)) return null;
  const result = options.fresh.stored(kept.expression.value.type);
  const places = new Map(all.map((store, way) => [ways[way], store]));
  const sunkAs = ({ expression: { site } }: LastStore): Statement => {
    const merged = all.flatMap(({ expression }) =>
      expression.site === site || !expression.site ? [] : [expression.site.range, ...expression.site.merged],
    );
    merged.push(branch.range, ...options.linesBehind);
    if (options.loop) merged.push(options.loop.range);
    const sunk: Assign = {
      kind: "assign",
      type: kept.expression.type,
      place: donor.place,
      value: readOf(result),
      site: site && likeSite(site, { merged: [...site.merged, ...merged] }),
    };
    passOnPlace(kept.expression, sunk, options);
    return withExpression(kept.statement, sunk);
  };
  return {
    branch: withEnds(branch, (way) => {
      const store = places.get(way);
      if (!store) return way;
      const value = assignment(placeOf(result), store.expression.value, store.statement.range);
      return [...way.slice(0, store.index), value, ...way.slice(store.index + 1)];
    }),
    store: sunkAs(kept),
    alone: sunkAs(areGiven && before !== "alike" ? firstWritten(all, kept) : kept),
  };
}

function recordOf(
  way: readonly Statement[],
  store: LastStore,
  { addresses, groups }: JoinOptions,
): StoredPlace {
  const group = groups.get(store.expression);
  if (group === undefined) return store;
  for (const statement of way) {
    if (statement.kind !== "evaluate" || groups.get(statement.expression) !== group) continue;
    const address = addresses.get(statement.expression);
    if (statement.expression.kind === "assign" && statement.expression.place.kind === "memory" && address)
      return { place: statement.expression.place, address };
  }
  return store;
}

/**
 * The store whose line is shown where one is sunk and nothing is computed for any: the sunk one has none of its own, so that it stands on that of the
 * instruction before it, and the selection of their values has the line of the first (SASS of 70 pairs of ways).
 */
function firstWritten(stores: readonly LastStore[], kept: LastStore): LastStore {
  const startOf = ({ statement }: LastStore) => statement.range.start;
  return stores.reduce((first, store) => (startOf(store) < startOf(first) ? store : first), kept);
}

/**
 * Whether the ways compute the same behind these stores: LLVM sinks them from their ends on, one by one, until two differ
 * (forms/computed_tails).
 */
function areComputedAlike(ways: readonly (readonly Statement[])[], stores: readonly LastStore[]): boolean {
  const [first = [], ...others] = stores.map(({ index }, way) =>
    computedIn(ways[way]?.slice(index + 1) ?? []),
  );
  return others.every(
    (other) =>
      other.length === first.length &&
      other.every((value, at) => {
        const same = first[at];
        return same !== undefined && areShapedAlike(value, same);
      }),
  );
}

function computedIn(list: readonly Statement[]): readonly Expression[] {
  return list.flatMap((statement) => {
    const isAssigned = statement.kind === "evaluate" && statement.expression.kind === "assign";
    return isAssigned && !isCopy(statement.expression.value) ? [statement.expression.value] : [];
  });
}

/** The branch right before this one that has decided its condition. */
function decidingBranch(
  { condition }: If,
  before: Before,
): { readonly branch: If; readonly operator: Decision["operator"] } | null {
  const last = before === "alike" ? undefined : before[0];
  if (last?.kind !== "if") return null;
  const decision = decisionOf(last);
  return decision && asks(condition, decision) ? { branch: last, operator: decision.operator } : null;
}

/** The statement lists that the branch ends in: one for each way through `if … else if … else`. */
export function waysOf(branch: If): (readonly Statement[])[] {
  return [branch.whenTrue, branch.whenFalse].flatMap((list) => {
    const inner = chainedIn(list);
    return inner ? waysOf(inner) : [list];
  });
}

export function withEnds(branch: If, map: (way: readonly Statement[]) => readonly Statement[]): If {
  const inList = (list: readonly Statement[]): readonly Statement[] => {
    const inner = chainedIn(list);
    return inner ? [...list.slice(0, -1), withEnds(inner, map)] : map(list);
  };
  return withWays(branch, branch.condition, inList(branch.whenTrue), inList(branch.whenFalse));
}

/** The branches that ways of this one end in. */
function innerBranches(branch: If): If[] {
  return [branch.whenTrue, branch.whenFalse].flatMap((list) => {
    const inner = chainedIn(list);
    return inner ? [inner, ...innerBranches(inner)] : [];
  });
}

function chainedIn(list: readonly Statement[]): If | null {
  const last = list.at(-1);
  return last?.kind === "if" && last.whenTrue.length > 0 && last.whenFalse.length > 0 ? last : null;
}

/** The store that a way ends with; what is left of others that were sunk before it does not count. */
function lastStoreOf(way: readonly Statement[], { addresses }: JoinOptions): LastStore | null {
  for (let index = way.length - 1; index >= 0; index--) {
    const statement = way[index];
    if (statement?.kind === "declare") continue;
    if (statement?.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
    const { expression } = statement;
    const { place } = expression;
    if (place.kind === "variable") {
      if (!isPure(expression.value)) return null;
      continue;
    }
    const address = addresses.get(expression);
    const bytes = sizeOf(place.type);
    if (!address || !bytes || !expression.site || expression.site.isVolatile || !isPure(expression.value))
      return null;
    return { index, statement, expression, place, address, bytes };
  }
  return null;
}

/**
 * Whether LLVM sinks them (fixtures/forms/branch_joins): always where the loop does not change the index, which is computed in front of
 * it; where the address is there before the branch, two of them and no more; and not where a way computes it for another access (cases
 * common_stores/scaledOrZero, knownBefore, threeWays, sharedInTheMidst). Else not if the way that LLVM compares the others with stores zero
 * (forms/zero_ways); and in global memory not if a way uses the index for another access too, for then it must stay where it is, unless it
 * has been widened to 64 bits before the branch.
 */
function isSunk(
  stores: readonly LastStore[],
  kept: LastStore,
  { branch, others, before, loop, isInFront, holdsCopy }: Surroundings,
  options: JoinOptions,
): boolean {
  const { addresses } = options;
  const { place, address, expression } = kept;
  const ways = waysOf(branch);
  if (before === "alike") return true;
  const indices = indicesOf(place.pointer);
  const isInvariant = (index: Expression) => loop !== null && !readsAny(index, loop.changed);
  if (indices.every(isInvariant)) return !holdsCopy;
  if (isInFront) return !holdsCopy && (ways.length === 2 || areMadeAlike(ways, stores));
  if (innerBranches(branch).some((inner) => allBeginWith(waysOf(inner), kept, addresses))) return false;
  const own = new Set<Expression>(stores.map((store) => store.expression));
  if (accessesPlace([branch], kept, own, addresses)) return false;
  if (isZero(expression.value)) return false;
  if (indices.every((index) => isInvariant(index) || isWidened(index, before))) return true;
  if (address.space === "shared") return true;
  const lists = [...withoutEqualEnds(ways, options), ...others];
  return !lists.some((list) => isIndexUsedIn(list, expression));
}

/**
 * Whether what the ways store is made by one operation, which is sunk with it: the store of an address in front LLVM sinks from three ways no
 * more than that (forms/borders_of_tiles madeAlike).
 */
function areMadeAlike(ways: readonly (readonly Statement[])[], stores: readonly LastStore[]): boolean {
  const [first, ...others] = stores.map(({ index, expression: { value } }, way) => {
    if (value.kind !== "load" || value.place.kind !== "variable") return value;
    const { variable } = value.place;
    const makes = (one: Statement) =>
      one.kind === "evaluate" &&
      one.expression.kind === "assign" &&
      one.expression.place.kind === "variable" &&
      one.expression.place.variable.id === variable.id;
    const made = ways[way]?.slice(0, index).findLast(makes);
    return made?.kind === "evaluate" && made.expression.kind === "assign" ? made.expression.value : value;
  });
  return (
    first !== undefined &&
    !isCopy(first) &&
    others.every((other) => isSameOperation(other, first) || areLoadsOfOneArray(other, first))
  );
}

function areLoadsOfOneArray(a: Expression, b: Expression): boolean {
  if (a.kind !== "load" || b.kind !== "load" || !sameType(a.type, b.type)) return false;
  const [array, other] = [a.place, b.place].map((place) =>
    place.kind === "memory" ? rootVariableOf(place.pointer) : null,
  );
  return array !== null && array !== undefined && array === other;
}

/** Whether statements use an index of what is stored to for another access: one of 32 bits, which is widened for both. */
function isIndexUsedIn(list: readonly Statement[], store: Assign): boolean {
  const narrow = new Set(
    indicesOfStore(store)
      .filter((index) => !isWide(index))
      .map(writtenKeyOf),
  );
  return usesIndex(list, narrow, store);
}

function indicesOfStore({ place }: Assign): readonly Expression[] {
  return place.kind === "memory" ? indicesOf(place.pointer) : [];
}

/** The ways without the stores that they end with, of the same places one by one and computing nothing: LLVM sinks them with their indices. */
function withoutEqualEnds(
  ways: readonly (readonly Statement[])[],
  options: JoinOptions,
): (readonly Statement[])[] {
  const done = ways.map((way) => way.filter((one) => one.kind !== "declare" && !isCopied(one)));
  for (let count = 0; ; count++) {
    const ends = done.map((way) => lastStoreOf(way.slice(0, way.length - count), options));
    const [first] = ends;
    if (!first || !ends.every((end) => end && isSamePlace(end, first) && isCopy(end.expression.value)))
      return done.map((way) => way.slice(0, way.length - count));
  }
}

interface Surroundings {
  readonly branch: If;
  /** What else has to keep an index where it is. */
  readonly others: readonly (readonly Statement[])[];
  readonly before: Before;
  readonly loop: EnclosingLoop | null;
  /** Whether their address is there before the branch. */
  readonly isInFront: boolean;
  /** Whether a way copies a vector from place to place: LLVM sinks that with its address alone. */
  readonly holdsCopy: boolean;
}

/**
 * The ways in the order in which LLVM has them where they meet, by their places in `waysOf`: what arrives last stands first, and a place
 * that inner ways alone meet at gives way to them, whose order that turns round. The step of a `for` takes the ways over so once more.
 */
function arrivals(branch: If): number[] {
  const ways = [branch.whenTrue, branch.whenFalse].map((list) => {
    const inner = chainedIn(list);
    return inner ? { isInner: true, order: arrivals(inner).reverse() } : { isInner: false, order: [0] };
  });
  const before = ways[0]?.order.length ?? 0;
  const [whenTrue = [], whenFalse = []] = ways.map(({ order }, way) =>
    order.map((one) => one + way * before),
  );
  return ways[0]?.isInner && !ways[1]?.isInner ? [...whenTrue, ...whenFalse] : [...whenFalse, ...whenTrue];
}

function isZero(value: Expression): boolean {
  return value.kind === "constant" && Number(value.value) === 0;
}

function usesIndex(way: readonly Statement[], keys: ReadonlySet<string>, last: Assign): boolean {
  if (keys.size === 0) return false;
  let uses = false;
  forEachExpressionOf(way, (node) => {
    if (node.kind !== "load" && node.kind !== "assign") return;
    if (node.place.kind !== "memory" || (node.kind === "assign" && sameStore(node, last))) return;
    if (indicesOf(node.place.pointer).some((index) => keys.has(writtenKeyOf(index)))) uses = true;
  });
  return uses;
}

function sameStore(store: Assign, last: Assign): boolean {
  return (
    store.place.kind === "memory" &&
    last.place.kind === "memory" &&
    writtenKeyOf(store.place.pointer) === writtenKeyOf(last.place.pointer)
  );
}

/** The indices that are added to a pointer, without their conversions. */
function indicesOf(pointer: Expression): readonly Expression[] {
  if (pointer.kind === "convert") return indicesOf(pointer.operand);
  if (pointer.kind === "address" && pointer.place.kind === "memory") return indicesOf(pointer.place.pointer);
  if (pointer.kind !== "offset") return [];
  return [...indicesOf(pointer.pointer), pointer.index].filter((index) => index.kind !== "constant");
}

function isWide(index: Expression): boolean {
  return index.type.kind === "integer" && index.type.bits === 64 && index.kind !== "convert";
}

/** Whether an access in front of the branch has the same index, with nothing between that changes it. */
function isWidened(index: Expression, before: readonly Statement[]): boolean {
  const key = writtenKeyOf(index);
  const variables = new Set<number>();
  addVariables(index, variables);
  for (const statement of before) {
    let isFound = false;
    forEachExpressionOf(statement.kind === "evaluate" ? [statement] : [], (node) => {
      if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory") return;
      if (indicesOf(node.place.pointer).some((one) => writtenKeyOf(one) === key)) isFound = true;
    });
    if (isFound) return true;
    for (const id of assignedVariables([statement])) if (variables.has(id)) return false;
  }
  return false;
}

function addVariables(expression: Expression, ids: Set<number>): void {
  forEachExpressionOf([{ kind: "evaluate", expression, range: { file: "", start: 0, end: 0 } }], (node) => {
    if (node.kind === "load" && node.place.kind === "variable") ids.add(node.place.variable.id);
  });
}
