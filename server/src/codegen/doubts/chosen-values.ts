// Values that a branch chooses between, of which ptxas may load one by those lanes alone that keep it.
import type { AccessSite, Expression, Place, VariablePlace } from "../../ir/expression.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { SourceRange } from "../../text/source.ts";
import { type Addresses, variableKey } from "../addresses/address.ts";
import { isSelection } from "../linearise/selections.ts";
import { loadOf } from "../sink/computations.ts";
import { isGuard, isJump } from "../walks/jumps.ts";
import {
  forEachExpression,
  forEachExpressionOf,
  rootVariableOf,
  sitesIn,
  someExpression,
  someExpressionOf,
} from "../walks/walk.ts";
import { isMemoryLoad, type MemoryLoad, memoryLoadsIn } from "./memory-loads.ts";

/** The loads of members that a short branch of the list chooses between (fixtures/forms/record_selections q4). */
export function chosenMembers(list: readonly Statement[]): readonly AccessSite[] {
  const chosen = new Set<number>();
  const note = (...ways: readonly (readonly number[])[]): void => {
    if (ways.every(({ length }) => length > 0)) for (const key of ways.flat()) chosen.add(key);
  };
  for (const statement of list) {
    if (statement.kind === "if" && isSelection(statement))
      note(membersReadIn(statement.whenTrue), membersReadIn(statement.whenFalse));
    if (statement.kind !== "evaluate") continue;
    forEachExpression(statement.expression, (node) => {
      if (node.kind === "conditional") note(membersOf(node.whenTrue), membersOf(node.whenFalse));
    });
  }
  if (chosen.size === 0) return [];
  return list.flatMap((statement) => {
    const place = placeSetIn(statement);
    const site = loadOf(statement)?.site;
    return place && site && chosen.has(variableKey(place.variable, place.offsetBytes)) ? [site] : [];
  });
}

/** The loads of the list into variables that one way of the next branch gives another value (fixtures/forms/chosen_loads storedBehindInBranch). */
export function replacedInBranch(list: readonly Statement[]): readonly AccessSite[] {
  return list.flatMap((statement, index) => {
    const site = loadOf(statement)?.site;
    const copy = list[index + 1];
    const held = copy && placeSetIn(copy);
    if (!site || !held || !reads(placeSetIn(statement), [copy])) return [];
    const next = list.slice(index + 2).find((one) => sets(held, [one]) || reads(held, [one]));
    return next?.kind === "if" && isReplacedIn(next, held) ? [site] : [];
  });
}

/**
 * The loads from one memory of which a variable takes one or, in a branch or the other way of it, another (fixtures/forms/chosen_loads). What is read elsewhere
 * too is loaded whichever way control goes: a neighbour at the border of a field, for which the element itself stands in.
 */
export function loadedOnOneWay(list: readonly Statement[], addresses: Addresses): readonly AccessSite[] {
  const sites: AccessSite[] = [];
  const inFront = new Set<MemoryLoad>();
  const isLoadedAnyway = ({ load, copiedFrom }: HeldLoad) =>
    copiedFrom !== null && inFront.has(load) && readCount(list, copiedFrom) > 1;
  const held = new Map<number, HeldLoad | null>();
  for (const statement of list) {
    if (statement.kind === "if") {
      const [left, right] = [heldBehind(statement.whenTrue, held), heldBehind(statement.whenFalse, held)];
      const own = new Set(memoryLoadsIn([statement]));
      for (const id of new Set([...left.keys(), ...right.keys()])) {
        const [one, other] = [left, right].map((way) => (way.has(id) ? way : held).get(id));
        held.set(id, one ?? other ?? null);
        if (!one || !other || one.load === other.load || isLoadedAnyway(one) || isLoadedAnyway(other))
          continue;
        const loads = [one.load, other.load];
        const [space, otherSpace] = loads.map((load) => addresses.get(load)?.space);
        if (space === otherSpace && loads.some((load) => own.has(load)))
          sites.push(...loads.flatMap(({ site }) => site ?? []));
      }
    } else if (statement.kind === "evaluate" || statement.kind === "declare") {
      noteHeld(statement, held, held);
      for (const load of memoryLoadsIn([statement])) inFront.add(load);
    } else held.clear();
  }
  return sites;
}

/** The loads of known elements of an array in shared memory that a short way makes: they may be made whichever way control goes (fixtures/forms/sure_elements). */
export function loadedInVain({ whenTrue, whenFalse }: If): readonly AccessSite[] {
  const ways = [...whenTrue, ...whenFalse];
  const isShort = ways.every((one) => one.kind === "declare" || placeSetIn(one) !== null);
  return isShort ? knownElementsIn(ways) : [];
}

/** Those that several branches of the list make at one place of the text, as trips of a loop that was unrolled (fixtures/forms/sure_in_trips). */
export function loadedBeforeTrips(list: readonly Statement[]): readonly AccessSite[] {
  const sites = new Map<SourceRange, AccessSite[]>();
  for (const statement of list)
    if (statement.kind === "if")
      for (const site of new Set(knownElementsIn([statement])))
        sites.set(site.range, [...(sites.get(site.range) ?? []), site]);
  return [...sites.values()].filter(({ length }) => length > 1).flat();
}

function knownElementsIn(ways: readonly Statement[]): readonly AccessSite[] {
  return memoryLoadsIn(ways).flatMap(({ place, site }) => {
    const isKnown = !someExpression(place.pointer, ({ kind }) => kind === "load" || kind === "intrinsic");
    return site && isKnown && rootVariableOf(place.pointer)?.storage === "shared" ? [site] : [];
  });
}

/**
 * The stores to one array that all ways of a branch end with, each at a place of its own, and what they load for them (fixtures/forms/chosen_places,
 * heads_of_returns). Behind a way that leaves, the rest of the list is the other one.
 */
export function storedByEachWay(list: readonly Statement[], addresses: Addresses): readonly AccessSite[] {
  return list.flatMap((branch, index) => {
    if (branch.kind !== "if") return [];
    const leaves = isGuard(branch);
    const ways = leaves ? [branch.whenTrue, list.slice(index + 1)] : waysOf(branch);
    const stores = ways.map((way) => storedLastIn(way, addresses));
    const [first, ...others] = stores;
    if (!first || !others.every((each) => each?.array === first.array && each.bytes === first.bytes))
      return [];
    if (stores.every((each) => each?.place === first.place)) return [];
    if (!leaves) return sitesIn([branch]);
    const loads = ways.map((way) => memoryLoadsIn(way).flatMap(({ site }) => site ?? []));
    const isLoaded = loads.every(({ length }) => length > 0);
    return [...stores.flatMap((store) => store?.site ?? []), ...(isLoaded ? loads.flat() : [])];
  });
}

function membersReadIn(way: readonly Statement[]): readonly number[] {
  const keys: number[] = [];
  forEachExpressionOf(way, noteMember, keys);
  return keys;
}

function membersOf(value: Expression): readonly number[] {
  const keys: number[] = [];
  forEachExpression(value, noteMember, keys);
  return keys;
}

function noteMember(node: Expression, keys: number[]): void {
  if (node.kind !== "load" || node.place.kind !== "variable") return;
  const { isMember, type } = node.place.variable;
  if (isMember || type.kind === "record") keys.push(variableKey(node.place.variable, node.place.offsetBytes));
}

function isReplacedIn({ condition, whenTrue, whenFalse }: If, held: VariablePlace): boolean {
  if (someExpression(condition, (node) => isReadOf(held, node))) return false;
  return [whenTrue, whenFalse].some((way) => sets(held, way) && !reads(held, way));
}

function waysOf({ whenTrue, whenFalse }: If): readonly (readonly Statement[])[] {
  return [whenTrue, whenFalse].flatMap((way) => {
    const last = way.at(-1);
    return last?.kind === "if" ? waysOf(last) : [way];
  });
}

interface LastStore {
  /** The id of the array or pointer that it goes to. */
  readonly array: number;
  readonly bytes: number;
  /** The same for stores at one address. */
  readonly place: string;
  readonly site: AccessSite | null;
}

function storedLastIn(way: readonly Statement[], addresses: Addresses): LastStore | null {
  const last = way.findLast((one) => placeSetIn(one) === null && one.kind !== "declare" && !isJump(one));
  if (last?.kind !== "evaluate" || last.expression.kind !== "assign") return null;
  const { place, site } = last.expression;
  const address = addresses.get(last.expression);
  if (!address?.base) return null;
  const { base, termsKey, constant } = address;
  return { array: base.id, bytes: sizeOf(place.type) ?? 0, place: `${termsKey}+${constant}`, site };
}

interface HeldLoad {
  readonly load: MemoryLoad;
  /** The variable that had it before; null where it was loaded for this one. */
  readonly copiedFrom: Variable | null;
}

/** By variable, the load whose value it holds; null where that is none. */
type HeldLoads = ReadonlyMap<number, HeldLoad | null>;

/** Of the variables that the way sets. */
function heldBehind(way: readonly Statement[], before: HeldLoads): HeldLoads {
  const held = new Map<number, HeldLoad | null>();
  for (const statement of way) noteHeld(statement, held, before);
  return held;
}

function noteHeld(statement: Statement, held: Map<number, HeldLoad | null>, before: HeldLoads): void {
  // Declared anew in each trip of a loop that was unrolled, it has nothing of the trip before.
  if (statement.kind === "declare") held.set(statement.variable.id, null);
  const place = placeSetIn(statement);
  if (!place || statement.kind !== "evaluate" || statement.expression.kind !== "assign") return;
  const value = withoutConversion(statement.expression.value);
  const source = value.kind === "load" && value.place.kind === "variable" ? value.place.variable : null;
  const copied = source && ((held.has(source.id) ? held : before).get(source.id) ?? null);
  const own = isMemoryLoad(value) ? { load: value, copiedFrom: null } : null;
  held.set(place.variable.id, own ?? (copied && { ...copied, copiedFrom: source }));
}

/** How often the statements read the variable. */
function readCount(statements: readonly Statement[], { id }: Variable): number {
  let count = 0;
  forEachExpressionOf(statements, (node) => {
    if (node.kind === "load" && node.place.kind === "variable" && node.place.variable.id === id) count++;
  });
  return count;
}

function withoutConversion(value: Expression): Expression {
  return value.kind === "convert" ? withoutConversion(value.operand) : value;
}

function placeSetIn(statement: Statement): VariablePlace | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place } = statement.expression;
  return place.kind === "variable" ? place : null;
}

function sets(held: VariablePlace, statements: readonly Statement[]): boolean {
  return someExpressionOf(statements, (node) => node.kind === "assign" && isOf(held, node.place));
}

function reads(held: VariablePlace | null, statements: readonly Statement[]): boolean {
  return held !== null && someExpressionOf(statements, (node) => isReadOf(held, node));
}

function isReadOf(held: VariablePlace, node: Expression): boolean {
  return (node.kind === "load" || node.kind === "address") && isOf(held, node.place);
}

function isOf({ variable }: VariablePlace, place: Place): boolean {
  return place.kind === "variable" && place.variable.id === variable.id;
}
