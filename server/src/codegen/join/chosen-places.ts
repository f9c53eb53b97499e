// `if (c) a[i] = x; else a[j] = y;` is one store to the place that c selects, of one load where both values are loaded last: LLVM sinks the
// stores that ways of a branch end with, addresses and all (fixtures/forms/chosen_places).
import type { Assign, Load, MemoryPlace } from "../../ir/expression.ts";
import type { Evaluate, If, Statement } from "../../ir/statement.ts";
import { pointerTo, sameType } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { UniformityOf } from "../atomics/divergence.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { likeSite, withExpression, withStored } from "../walks/rebuild.ts";
import { assignedVariables, isPure } from "../walks/walk.ts";
import {
  isCopy,
  isSamePlace,
  type JoinOptions,
  type LoadStatement,
  leaves,
  namesAny,
  selectableLoadOf,
} from "./loads.ts";
import { areOfOneArray, isCopied } from "./stored-places.ts";
import {
  arrivals,
  type Before,
  decidingBranch,
  type EnclosingLoop,
  innerBranches,
  isIndexUsedIn,
  isIndexWidened,
  isZero,
  type LastStore,
  lastStoreOf,
  waysOf,
  withEnds,
} from "./stores.ts";

export interface ChosenOptions extends JoinOptions {
  readonly uniformityOf: () => UniformityOf;
  readonly readCounts: () => ReadonlyMap<number, number>;
  /** The innermost loop around the branch, which its stores may be charged to. */
  readonly loop: EnclosingLoop | null;
}

/**
 * The branch without the stores that its ways end with, and behind it one store for each of them. `before`: what runs before the branch,
 * nearest first, or that the ways are sunk whole. They stay in their ways where the condition is one for all lanes, where they go to
 * different arrays or members, where the index of one is used by another access too, which has it computed where it is, and where the last
 * way, with which LLVM compares the others, alone stores zero.
 */
export function withChosenPlaces(branch: If, before: Before, options: ChosenOptions): readonly Statement[] {
  if (leaves([branch]) || decidingBranch(branch, before) !== null) return [branch];
  const given = new Set<Statement>();
  const behind: Statement[] = [];
  let current = branch;
  for (;;) {
    const next = withoutLastStores(current, before, given, options);
    if (!next) return [current, ...behind];
    current = next.branch;
    behind.unshift(...next.behind);
  }
}

interface WayEnd {
  readonly way: readonly Statement[];
  readonly store: LastStore;
  /** What loads the value that is stored, for nothing else; null where it is no such load. */
  readonly load: PlacedLoad | null;
}

type PlacedLoad = LoadStatement & { readonly place: MemoryPlace };

/** `given`: what ways give already to stores that were sunk before; it is added to. */
function withoutLastStores(
  branch: If,
  before: Before,
  given: Set<Statement>,
  options: ChosenOptions,
): { readonly branch: If; readonly behind: readonly Statement[] } | null {
  const ends = waysOf(branch).map((way) => endOf(way, given, options));
  if (!ends.every((end) => end !== null)) return null;
  const kept = ends[arrivals(branch).at(options.beforeSteps.has(branch.range) ? -1 : 0) ?? 0]?.store;
  if (!kept || !areSunk(branch, ends, kept, before, options)) return null;
  const stores = ends.map(({ store }) => store);
  const loads = ends.map(({ load }) => load).filter((load) => load !== null);
  const place = chosen("place", stores, options);
  const isLoaded = loads.length === ends.length && areOfOneKind(loads);
  const source = isLoaded ? chosen("source", loads, options) : null;
  const value = options.fresh.temporary(kept.place.type, "stored");
  const load = source && selectedLoad(loads, source.variable);
  const stored: MemoryPlace = { ...kept.place, pointer: readOf(place.variable), offsetBytes: 0 };
  const site = siteOfAll(kept.expression, stores, options.loop);
  const valueIn = ({ statement, expression }: LastStore) =>
    assignment(placeOf(value), expression.value, statement.range);
  const isLeft = (statement: Statement, { store, load: own }: WayEnd) =>
    statement !== store.statement && (load === null || statement !== own?.statement);
  return {
    branch: withEnds(branch, (way) => {
      const at = ends.findIndex((end) => end.way === way);
      const end = ends[at];
      if (!end) return way;
      const giving = [place.given[at], load ? source?.given[at] : valueIn(end.store)].filter(
        (one) => one !== undefined,
      );
      for (const statement of giving) given.add(statement);
      return [...way.filter((one) => isLeft(one, end)), ...giving];
    }),
    behind: [
      ...(load ? [assignment(placeOf(value), load, kept.statement.range)] : []),
      withExpression(kept.statement, { ...withStored(kept.expression, stored, readOf(value)), site }),
    ],
  };
}

/** What a way of plain statements ends with, but for what is `given` to statements behind; null where that is no store. */
function endOf(
  way: readonly Statement[],
  given: ReadonlySet<Statement>,
  options: ChosenOptions,
): WayEnd | null {
  if (!way.every(({ kind }) => kind === "evaluate" || kind === "declare")) return null;
  const store = lastStoreOf(way, options);
  if (store === null) return null;
  const behind = way.slice(store.index + 1);
  const isLast = behind.every((each) => each.kind === "declare" || isCopied(each) || given.has(each));
  if (!isLast || namesAny(store.place.pointer, assignedVariables(behind))) return null;
  // Of a loop that was unrolled (lud's two halves of a warp) none has been seen sunk.
  if (way.slice(0, store.index).some((each) => isCopyOf(each, store))) return null;
  return { way, store, load: lastLoadOf(way, store, options) };
}

/** Whether a statement makes the same store as another, in another trip of its loop. */
function isCopyOf(statement: Statement, { expression }: LastStore): boolean {
  return (
    statement.kind === "evaluate" &&
    statement.expression.kind === "assign" &&
    statement.expression.place.kind === "memory" &&
    statement.expression.site?.range.start === expression.site?.range.start &&
    statement.expression.site?.range.file === expression.site?.range.file
  );
}

/** The load whose value the store takes, if nothing else does and nothing between them writes. */
function lastLoadOf(
  way: readonly Statement[],
  { index, expression: { value } }: LastStore,
  options: ChosenOptions,
): PlacedLoad | null {
  if (value.kind !== "load" || value.place.kind !== "variable" || !isCopy(value)) return null;
  const { id } = value.place.variable;
  if (options.readCounts().get(id) !== 1) return null;
  for (let at = index - 1; at >= 0; at--) {
    const statement = way[at];
    if (statement?.kind === "declare") continue;
    if (statement?.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
    const { place } = statement.expression;
    if (place.kind !== "variable") return null;
    if (place.variable.id !== id) continue;
    const load = selectableLoadOf(statement, options);
    const behind = assignedVariables(way.slice(at + 1));
    if (load?.load.place.kind !== "memory" || namesAny(load.load, behind)) return null;
    return sameType(load.load.type, value.type) ? { ...load, place: load.load.place } : null;
  }
  return null;
}

function areSunk(
  branch: If,
  ends: readonly WayEnd[],
  kept: LastStore,
  before: Before,
  { uniformityOf }: ChosenOptions,
): boolean {
  const values = ends.map(({ store }) => store.expression.value);
  if (!values.every(({ type }) => sameType(type, kept.expression.value.type))) return false;
  if (!ends.every(({ store }) => areOfOneArray(store, kept))) return false;
  if (ends.every(({ store }) => isSamePlace(store, kept))) return false;
  if (isZero(kept.expression.value) && !values.every(isZero)) return false;
  if (before !== "alike" && ends.some((end) => isHeldInWay(end, before))) return false;
  const conditions = [branch, ...innerBranches(branch)].map(({ condition }) => condition);
  return conditions.every((condition) => isPure(condition) && uniformityOf()(condition) === "varying");
}

function isHeldInWay({ way, store: { expression } }: WayEnd, before: readonly Statement[]): boolean {
  return isIndexUsedIn(way, expression) || isIndexWidened(expression, before);
}

function areOfOneKind(loads: readonly LoadStatement[]): boolean {
  const space = loads[0]?.address.space;
  return (space === "shared" || space === "global") && loads.every(({ address }) => address.space === space);
}

/** A variable that takes the address of one of several places, and the statements by which the ways give it. */
interface ChosenPlace {
  readonly variable: Variable;
  readonly given: readonly Statement[];
}

function chosen(
  name: string,
  accesses: readonly { readonly place: MemoryPlace; readonly statement: Evaluate }[],
  { fresh }: ChosenOptions,
): ChosenPlace {
  const [first] = accesses;
  if (!first) throw new Error("nothing to choose between");
  const type = pointerTo(first.place.type);
  const variable = fresh.temporary(type, name);
  const given = accesses.map(({ place, statement }) =>
    assignment(placeOf(variable), { kind: "address", type, place }, statement.range),
  );
  return { variable, given };
}

/** The load of a chosen place, charged to the last way's. */
function selectedLoad(loads: readonly LoadStatement[], source: Variable): Load | null {
  const last = loads.at(-1)?.load;
  if (!last?.site) return null;
  const merged = loads
    .slice(0, -1)
    .flatMap(({ load: { site } }) => (site ? [site.range, ...site.merged] : []));
  return {
    ...last,
    place: { kind: "memory", pointer: readOf(source), offsetBytes: 0, type: last.type },
    site: likeSite(last.site, { merged: [...last.site.merged, ...merged] }),
  };
}

function siteOfAll(kept: Assign, stores: readonly LastStore[], loop: EnclosingLoop | null): Assign["site"] {
  const merged = stores.flatMap(({ expression: { site } }) =>
    site && site !== kept.site ? [site.range, ...site.merged] : [],
  );
  const lines = loop ? [loop.range] : [];
  return kept.site && likeSite(kept.site, { merged: [...kept.site.merged, ...merged, ...lines] });
}
