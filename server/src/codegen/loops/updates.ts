// The places in memory that a loop loads from or stores to at an address that no trip changes, and whether registers can stand for them.
import type { CompilerDoubt } from "../../ir/assumption.ts";
import type { AccessSite, Assign, Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { sameType, sizeOf } from "../../ir/type.ts";
import type { Addresses } from "../addresses/address.ts";
import { atomicPlaceOf, basesMeet, bytesBetween, type Extent, mayAlias } from "../addresses/alias.ts";
import { executesAsm } from "../linearise/asm-operations.ts";
import type { RecordGroups } from "../linearise/context.ts";
import { type Entries, isHeldOnEntry } from "../values/held.ts";
import { exits, leaves, mayLeave } from "../walks/jumps.ts";
import { assignedVariables, forEachExpression, forEachExpressionOf } from "../walks/walk.ts";
import { AsmInTrip } from "./asm-in-trip.ts";
import { type Guard, isSameGuard, leavesLoop } from "./guards.ts";

export interface Update {
  readonly extent: Extent;
  /** The place, in words of what the loop does not change. */
  readonly place: MemoryPlace;
  /** In the order of the text. */
  readonly loads: readonly Load[];
  readonly stores: readonly Assign[];
  /** Whether the stores can wait for the end of the loop. */
  readonly mayWait: boolean;
  /** What must hold for the loop to access the place: conditions that are the same in all trips. */
  readonly guards: readonly Guard[];
  /** Whether a register holds the value where the loop is entered. */
  readonly isHeld: boolean;
  /** Whether it is read behind the loop whether that makes a trip or not. */
  readonly isReadBehind?: true;
  /** Why it is not certain how often the place is accessed outside the loop. */
  readonly uncertain?: CompilerDoubt;
}

export interface Updates {
  readonly updates: readonly Update[];
  /** Those of which registers hold the value behind the loop. */
  readonly known: readonly Pick<Update, "extent" | "place">[];
  /** Accesses of places that stay in the loop, it may be for an `asm` alone: copies of its trips make each once for all of them. */
  readonly behindAsm: readonly (Load | Assign)[];
}

export interface UpdateOptions {
  readonly addresses: Addresses;
  readonly entries: Entries;
  readonly asmSites: ReadonlySet<AccessSite>;
  /** Of loops around this one. */
  readonly depth: number;
  /** Whether the loop surely makes a trip. */
  readonly isEntered: boolean;
  /** Whether the loop leaves the place alone, but for the accesses that are seen in it. */
  readonly isLeftAlone: (extent: Extent) => boolean;
  /** The place as it would stand in front of the loop; null where its address changes in the loop. */
  readonly lifted: (place: MemoryPlace) => MemoryPlace | null;
  /** The condition of a branch as it would stand in front of the loop; null where LLVM would not make two loops of the one for it. */
  readonly liftedGuard: (condition: Expression) => Expression | null;
}

/**
 * The updates whose loads LLVM takes out of the loop. It needs no load where a register holds the value when the loop is entered; else a
 * load in front must be safe, which it is if every trip accesses the place. Stores wait if every trip makes one of them, and if nothing
 * else in the loop may see what they store. Behind the loop the value is known where it was before, or where every trip accesses the place.
 *
 * A branch on what is the same in all trips, such as whether an inner loop is entered, LLVM takes in front of the loop (forms/nested_sums
 * both, three): every trip of the loop that is left accesses what the branch does.
 */
export function updatesOf(loop: Loop, options: UpdateOptions): Updates {
  const touches = touchesOf(loop, options.addresses);
  const certain = accessesOfEveryTrip(loop, options);
  const canWait = !leaves(loop.body, exits.return);
  const updates: Update[] = [];
  const known: Pick<Update, "extent" | "place">[] = [];
  const behindAsm: (Load | Assign)[] = [];
  const holdsAsm = loop.body.some((statement) => executesAsm(statement, options.asmSites));
  for (const place of placesOf(touches)) {
    const update = updateAt(place, touches, options);
    if (!update || !options.isLeftAlone(update.extent)) continue;
    const { loads, stores, isSeen } = update;
    const accesses = [...loads, ...stores];
    const isHeldBefore = accesses.some((one) => isHeld(one, options));
    const guards = guardsOf(accesses, certain, isHeldBefore);
    const isCertain = (one: Expression): boolean =>
      guards.length > 0 ? certain.has(one) : certain.get(one)?.length === 0;
    const isAccessed = accesses.some((one) => one.site !== null && isCertain(one));
    const mayLoad = isAccessed || loads.every((load) => isHeld(load, options));
    const mayWait = canWait && !isSeen && stores.some(isCertain);
    const isPromoted = mayLoad && (loads.length > 0 || mayWait);
    if (isPromoted) updates.push({ ...update, mayWait, guards, isHeld: isHeldBefore });
    else if (holdsAsm && !isSeen) behindAsm.push(...accesses);
    const isAccessedSurely = options.isEntered && guards.length === 0 && isAccessed;
    // What is stored right behind the loop is known by that.
    const isStoredBehind = isPromoted && mayWait && isAccessedSurely;
    if ((isHeldBefore || isAccessedSurely) && !isStoredBehind) known.push(update);
  }
  return { updates, known, behindAsm };
}

/**
 * The updates that LLVM comes to only after it has copied the body of the loop: the rounds and the trips that fill none may have registers
 * of their own. Those are the ones whose stores stay in the loop, if they are loaded before it at all (case behind_loops/notHeld), and
 * those that stem from one access of the text, in an inner loop that was unrolled (cases promotion/rows, rowsBehindBarrier), and those under a
 * guard, which leaves the loop first (forms/nested_sums flagged).
 */
export function lateUpdates(updates: readonly Update[], groups: RecordGroups): readonly Update[] {
  const staying = updates.filter(
    ({ loads, mayWait, isHeld, guards }) => guards.length > 0 || (loads.length > 0 && !mayWait && !isHeld),
  );
  return updates.length > 1 ? [...staying, ...madeByUnrolling(updates, groups)] : staying;
}

function madeByUnrolling(updates: readonly Update[], groups: RecordGroups): readonly Update[] {
  const isCopy = (one: Assign | undefined, other: Assign | undefined): boolean =>
    one?.site?.range === other?.site?.range &&
    one?.site?.stack === other?.site?.stack &&
    !(one && other && groups.has(one) && groups.get(one) === groups.get(other));
  return updates.filter((update) =>
    updates.some((other) => other !== update && isCopy(update.stores[0], other.stores[0])),
  );
}

/** An access of the loop. */
interface Touch {
  /** null where the address is not known. */
  readonly extent: Extent | null;
  readonly reads: boolean;
  readonly writes: boolean;
  /** The load or store, if it may become one of a register. */
  readonly node: Load | Assign | null;
}

function touchesOf(loop: Loop, addresses: Addresses): readonly Touch[] {
  const touches: Touch[] = [];
  const touch = (node: Expression, place: MemoryPlace, how: Omit<Touch, "extent">): void => {
    const address = addresses.get(node);
    touches.push({ ...how, extent: address ? { address, bytes: sizeOf(place.type) ?? 1 } : null });
  };
  const visit = (node: Expression): void => {
    if ((node.kind === "load" || node.kind === "assign") && node.place.kind === "memory") {
      const isPlain = !node.site?.isVolatile;
      const reads = node.kind === "load";
      touch(node, node.place, { reads, writes: !reads, node: isPlain ? node : null });
    } else if (node.kind === "intrinsic" && intrinsicEffect(node.name) === "atomic") {
      const place = atomicPlaceOf(node);
      if (place) touch(node, place, { reads: true, writes: true, node: null });
    }
  };
  forEachExpressionOf(loop.body, visit);
  for (const step of loop.step) forEachExpression(step, visit);
  return touches;
}

/** The accesses of each place that is stored to. */
function placesOf(touches: readonly Touch[]): Iterable<readonly Touch[]> {
  const places = new Map<string, Touch[]>();
  for (const touch of touches) {
    if (!touch.node || !touch.extent) continue;
    const { address, bytes } = touch.extent;
    const key = `${address.termsKey}+${address.constant}:${bytes}`;
    const known = places.get(key);
    if (known) known.push(touch);
    else places.set(key, [touch]);
  }
  return [...places.values()].filter((list) => list.some(({ writes }) => writes));
}

function updateAt(
  own: readonly Touch[],
  touches: readonly Touch[],
  { lifted }: UpdateOptions,
): (Omit<Update, "mayWait" | "isHeld" | "guards"> & { readonly isSeen: boolean }) | null {
  const extent = own[0]?.extent;
  const nodes = own.flatMap(({ node }) => (node ? [node] : []));
  const type = nodes[0]?.place.type;
  if (!extent || !type || !nodes.every((node) => sameType(node.place.type, type))) return null;
  const place = firstOf(nodes, ({ place }) => (place.kind === "memory" ? lifted(place) : null));
  if (!place) return null;
  const members = new Set(own);
  const others = touches.filter((touch) => !members.has(touch) && meets(touch.extent, extent));
  if (others.some(({ writes }) => writes)) return null;
  return {
    extent,
    place,
    loads: nodes.filter((node) => node.kind === "load"),
    stores: nodes.filter((node) => node.kind === "assign"),
    isSeen: others.length > 0,
  };
}

function firstOf<T, R>(list: readonly T[], map: (item: T) => R | null): R | null {
  for (const item of list) {
    const result = map(item);
    if (result !== null) return result;
  }
  return null;
}

/** Whether the accesses may meet in any two trips: constants tell only addresses of the same invariant terms apart. */
function meets(a: Extent | null, b: Extent): boolean {
  if (!a) return true;
  if (bytesBetween(a.address, b.address) !== null) return mayAlias(a, b);
  const isApart =
    a.address.space !== b.address.space && a.address.space !== "unknown" && b.address.space !== "unknown";
  return !isApart && basesMeet(a.address.base, b.address.base);
}

/** By access: what must hold for each trip to make it. */
type CertainAccesses = ReadonlyMap<Expression, readonly Guard[]>;

/** The loads and stores that each trip is known to make, unless it is the last and ends before them. */
function accessesOfEveryTrip(loop: Loop, options: UpdateOptions): CertainAccesses {
  const accesses = new Map<Expression, readonly Guard[]>();
  const asm = new AsmInTrip(options.asmSites, assignedVariables(loop.body, loop.step));
  const visit = (list: readonly Statement[], guards: readonly Guard[]): void => {
    for (const statement of list) {
      if (statement.kind === "evaluate" && statement.expression.kind === "assign")
        accesses.set(statement.expression, guards).set(statement.expression.value, guards);
      asm.pass(statement);
      if (mayLeave(statement, exits.jump) || asm.isBehind) break;
      if (statement.kind !== "if" || statement.whenFalse.length > 0) continue;
      const { condition } = statement;
      if (guards.length === 0 && leavesLoop(condition, loop) === "no") continue;
      const lifted = options.liftedGuard(condition);
      if (lifted) visit(statement.whenTrue, [...guards, { condition, lifted }]);
    }
  };
  visit(loop.body, []);
  return accesses;
}

/**
 * What must hold for the loop to access a place: the guards, if all of its accesses stand under the same ones. Where a register holds the
 * value already, it may be read whatever holds.
 */
function guardsOf(
  accesses: readonly (Load | Assign)[],
  certain: CertainAccesses,
  isHeldBefore: boolean,
): readonly Guard[] {
  const [first, ...others] = accesses
    .filter((access) => access.site !== null || !isHeldBefore)
    .map((access) => certain.get(access) ?? []);
  const isSame = others.every(
    (guards) =>
      guards.length === first?.length &&
      first.every((guard, i) => guards[i] !== undefined && isSameGuard(guard, guards[i])),
  );
  return first && isSame ? first : [];
}

function isHeld(access: Load | Assign, { addresses, entries, depth }: UpdateOptions): boolean {
  const address = addresses.get(access);
  if (!address) return false;
  const { type } = access.place;
  return isHeldOnEntry(entries.get(access), depth, { address, bytes: sizeOf(type) ?? 0, type });
}
