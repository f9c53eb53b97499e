// What the counter of a loop proves of addresses that count with it: LLVM keeps one register for addresses that differ by constants, and
// starts it at the middle one of them, so that ptxas sees no more of their alignment than that one has.
import type { Expression, MemoryPlace } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { CountedFrom } from "../linearise/context.ts";
import { copyReadingsOf, mayBeCopied } from "../loops/copies.ts";
import { exits, leaves } from "../walks/jumps.ts";
import { forEachExpressionOf, partsOf, someExpressionOf } from "../walks/walk.ts";
import type { Address, Addresses } from "./address.ts";
import { declaredAlignment } from "./alignment.ts";
import { needsCounter } from "./counter-uses.ts";
import { lowBit, modulo } from "./linear.ts";
import { type Beside, startOfCopies, startOfRolled } from "./register-start.ts";

/**
 * Narrows the alignment of addresses in shared memory, loop by loop (cases unrolling/byFour, byEight, evenOffsets, wavefront; of loops that
 * stay rolled: rolled/words, eight).
 */
export function limitByCounters(
  body: readonly Statement[],
  addresses: Addresses,
  countedFrom: CountedFrom,
  around = body,
): void {
  for (const statement of body) {
    if (statement.kind === "loop") {
      limitInNest(statement, { addresses, countedFrom, around, reduced: "none" });
      if (innerLoopsOf(statement.body).length === 0) noteLeftOver(statement, addresses, countedFrom);
    } else for (const list of partsOf(statement).lists) limitByCounters(list, addresses, countedFrom, around);
  }
}

/**
 * The loops in one outermost loop, in the order of the text. LLVM's loop strength reduction looks at those that hold no other, and at none
 * behind one that it has changed (cases nested/tileBehindFill, tileBehindTile, tileBehindFillInNest; not: tileBehindRounds, tileFirst).
 */
interface Nest {
  readonly addresses: Addresses;
  readonly countedFrom: CountedFrom;
  /** The function's code. */
  readonly around: readonly Statement[];
  /** Whether LLVM has changed a loop of the nest so far. */
  reduced: "none" | "perhaps" | "some";
}

function limitInNest(loop: Loop, nest: Nest): void {
  const inner = innerLoopsOf(loop.body);
  for (const one of inner) limitInNest(one, nest);
  if (inner.length > 0) return;
  limitInTrip(loop, nest);
  const reduced = isReduced(loop, nest);
  if (reduced === "some" || nest.reduced === "none") nest.reduced = reduced;
}

function innerLoopsOf(list: readonly Statement[]): readonly Loop[] {
  return list.flatMap((statement) =>
    statement.kind === "loop" ? [statement] : partsOf(statement).lists.flatMap(innerLoopsOf),
  );
}

/**
 * Whether LLVM changes how the addresses of the loop are counted. It does not where it has made rounds with the trips that are left over
 * behind them, nor where it cannot count the trips.
 */
function isReduced(loop: Loop, { addresses, countedFrom }: Nest): Nest["reduced"] {
  if (loop.rounds) return "none";
  if (
    leaves(loop.body, exits.outOfLoop) ||
    !someExpressionOf(loop.body, (node) => countsWith(addresses.get(node), loop))
  )
    return "none";
  const readings = copyReadingsOf(loop, countedFrom);
  const inRounds = readings.filter(({ count, remainder }) => count > 1 && remainder === "after");
  if (inRounds.length === 0) return "some";
  return inRounds.length === readings.length ? "none" : "perhaps";
}

function isCopied({ trip }: Address): boolean {
  return (trip?.copies?.count ?? 1) > 1;
}

function countsWith(address: Address | undefined, loop: Loop): boolean {
  return address?.trip?.loop === loop.range;
}

function limitInTrip(loop: Loop, { addresses, countedFrom, around, reduced }: Nest): void {
  if (loop.rounds) return;
  const staysRolled = () => (copyReadingsOf(loop, countedFrom)[0]?.count ?? 1) === 1;
  const groups = new Map<number, Expression[]>();
  const visit = (node: Expression): void => {
    const address = addresses.get(node);
    if (!address?.trip || address.space !== "shared") return;
    const { isStartChosen } = address.trip;
    if (!isCopied(address) && !(isStartChosen && staysRolled())) {
      // The rounds may be merged wider than the trips that are left over (programs/int4_gemv).
      if (isOfHalves(node)) addresses.set(node, { ...address, isAlignmentUnclear: true });
      return;
    }
    if (reduced === "some") return;
    const group = groups.get(address.termsKey);
    if (group) group.push(node);
    else groups.set(address.termsKey, [node]);
  };
  forEachExpressionOf(loop.body, visit);
  const all = [...groups.values()];
  const registers = all.flatMap((group, index) => {
    const others = all.filter((other) => other !== group);
    const register = registerOf(group, addresses, {
      most: Math.max(0, ...others.map(({ length }) => length)),
      isFirst: index === 0,
      hasTwin: others.some((other) => shapeOf(other, addresses) === shapeOf(group, addresses)),
    });
    return register
      ? [register.isOfArray ? registerOfArray(register, { loop, addresses, around }) : register]
      : [];
  });
  for (const register of registers) {
    const isElsewhere = register.hangsOnStart && registers.some((other) => mayBeOne(register, other));
    const isUnsure = reduced === "perhaps" || register.isPeeled;
    limitGroup({ ...register, isUnclear: register.isUnclear || isElsewhere }, { addresses, isUnsure });
  }
}

/**
 * Accesses of which the trips that are left over, which are made one by one as those of a rolled loop, show less alignment than the rounds do
 * (forms/left_over_trips copiedIn, copiedOut, fourWords).
 */
export function narrowedLeftOver(loop: Loop, addresses: Addresses): readonly Expression[] {
  const groups = new Map<number, Expression[]>();
  forEachExpressionOf(loop.body, (node) => {
    const address = addresses.get(node);
    if (address?.space !== "shared" || !countsWith(address, loop) || !address.trip?.isStartChosen) return;
    const group = groups.get(address.termsKey);
    if (group) group.push(node);
    else groups.set(address.termsKey, [node]);
  });
  return [...groups.values()].flatMap((group) => {
    const register = registerOf(group, addresses, { most: 0, isFirst: true, hasTwin: false });
    if (!register || register.isUnclear) return [];
    return group.filter((node) => {
      const address = addresses.get(node);
      if (!address || isDeclared(node, address)) return false;
      return limited(address, register.start - register.behind).modulus < address.modulus;
    });
  });
}

/** Of an outermost loop; of one in another, LLVM makes the trips that are left over without a loop. */
function noteLeftOver(loop: Loop, addresses: Addresses, countedFrom: CountedFrom): void {
  if (loop.rounds || !mayBeCopied(loop, countedFrom)) return;
  for (const node of narrowedLeftOver(loop, addresses)) {
    const address = addresses.get(node);
    if (address) addresses.set(node, { ...address, isAlignmentUnclear: true });
  }
}

/** Where the register of a group of addresses starts, which differ by constants. */
interface Register {
  readonly group: readonly Expression[];
  /** The constant of the first trip's address there. */
  readonly start: number;
  /** What of the constant is what the counter starts from. */
  readonly behind: number;
  /** Whether another start would show another alignment. */
  readonly hangsOnStart: boolean;
  readonly strideBytes: number;
  /** Whether nothing but the counter is added to where an array lies, from its start on, in a loop of copies. */
  readonly isOfArray: boolean;
  readonly isUnclear: boolean;
  /** Whether some trips may start where the alignment is known. */
  readonly isPeeled: boolean;
}

/**
 * ptxas may make four rounds at a time of a loop that counts from a constant; what fills no four it makes first, and knows the alignment of
 * (unrolled_twice/rounds, of nine; not: unrolling/byFour, of four).
 */
function mayBePeeled({ trip }: Address): boolean {
  return trip?.counts === "index" && trip.countsFrom === "constant" && (trip.copies?.rounds ?? 1) % 4 !== 0;
}

/** Registers that step alike may be one with two bases, which start alike, and may start at their last (rolled_pieces/besideOther). */
function mayBeOne(one: Register, other: Register): boolean {
  return one.strideBytes === other.strideBytes && one.start !== other.start;
}

function registerOf(
  group: readonly Expression[],
  addresses: Addresses,
  beside: Omit<Beside, "areSideBySide">,
): Register | null {
  const found = group.flatMap((node) => addresses.get(node) ?? []);
  const starts = group.flatMap((node) => startOf(node, addresses) ?? []);
  const constants = [...new Set(starts)].sort((a, b) => a - b);
  const [first] = found;
  const [lowest] = constants;
  if (!first || lowest === undefined || constants.length < 2) return null;
  const isRolled = !found.every(isCopied);
  const behind = (first.trip?.startConstant ?? 0) - first.constant;
  const started = starts.map((constant) => constant + behind).sort((a, b) => a - b);
  const strideBytes = strideOf(group, addresses) ?? 0;
  const bytesOfTrip = strideBytes / (first.trip?.copies?.count ?? 1);
  const areSideBySide = group.some(({ type }) => sizeOf(type) === bytesOfTrip);
  const { constant: start, instead } = isRolled
    ? { constant: startOfRolled(started), instead: startOfRolled(started) }
    : startOfCopies(started, { ...beside, areSideBySide });
  const lowOf = (constant: number) =>
    modulo(first.residue + constant - behind - first.constant, first.modulus);
  // Of copies that begin behind what they are added to, the first and the last have been seen (rolled_pieces/eightCopies, fourCopies).
  const hangsOnStart = started.some((one) => lowOf(one) !== lowOf(start));
  const isOtherwise = hangsOnStart && !isRolled && started[0] !== 0;
  return {
    group,
    start,
    behind,
    hangsOnStart,
    strideBytes,
    isOfArray: hangsOnStart && !isRolled && started[0] === 0 && countsAlone(first),
    // Of a pointer that is swapped with another, LLVM has been seen to start at the last word.
    isUnclear:
      first.base === null ||
      first.choices !== null ||
      isOtherwise ||
      lowOf(start) !== lowOf(instead) ||
      (isRolled && !areWordsFromStart(constants, found)),
    isPeeled: mayBePeeled(first),
  };
}

/** How a group steps, and where its accesses lie from what they are added to. */
function shapeOf(group: readonly Expression[], addresses: Addresses): string {
  const constants = group.map((node) => addresses.get(node)?.trip?.startConstant ?? 0);
  return `${strideOf(group, addresses)} ${constants.sort((a, b) => a - b)}`;
}

function strideOf([first]: readonly Expression[], addresses: Addresses): number | null {
  return (first && addresses.get(first)?.trip?.strideBytes) ?? null;
}

function countsAlone({ base, terms, trip }: Address): boolean {
  return base?.storage === "shared" && terms.atoms.length <= 2 && trip?.countsFrom === "constant";
}

/** Addresses of one register up to which LLVM starts it at the first of them (test/codegen/counters-of-arrays.test.ts). */
const mostFromFirst = 6;

interface InLoop {
  readonly loop: Loop;
  readonly addresses: Addresses;
  readonly around: readonly Statement[];
}

/**
 * Where an array lies is a number, at which LLVM starts a pointer where the loop needs its counter for something else, so that both have a register, and where
 * there are few addresses; with many, and nothing else that counts, one register at the middle is all there is (test/codegen/counters-of-arrays.test.ts).
 */
function registerOfArray(register: Register, { loop, addresses, around }: InLoop): Register {
  const { group, behind } = register;
  const atFirst = {
    ...register,
    start: behind + Math.min(...group.map((node) => startOf(node, addresses) ?? 0)),
  };
  if (needsCounter(loop, around)) return atFirst;
  const others = othersCounted(group, { loop, addresses, around });
  const isFew = group.length <= mostFromFirst;
  if (others.has(isFew ? "global store" : "global load") || (isFew && others.has("global load")))
    return { ...register, isUnclear: true };
  return isFew || others.has("shared load") ? atFirst : register;
}

/** What else the loop accesses by its counter. */
function othersCounted(group: readonly Expression[], { loop, addresses }: InLoop): ReadonlySet<string> {
  const own = new Set(group);
  const found = new Set<string>();
  forEachExpressionOf(loop.body, (node) => {
    const address = addresses.get(node);
    if (address && !own.has(node) && countsWith(address, loop))
      found.add(`${address.space} ${node.kind === "assign" ? "store" : "load"}`);
  });
  return found;
}

interface Limits {
  readonly addresses: Addresses;
  readonly isUnsure: boolean;
}

function limitGroup({ group, start, behind, isUnclear }: Register, { addresses, isUnsure }: Limits): void {
  for (const node of group) {
    const address = addresses.get(node);
    if (!address || (!isOfHalves(node) && isDeclared(node, address))) continue;
    const narrowed = limited(address, start - behind);
    const isAlignmentUnclear =
      address.isAlignmentUnclear || isUnclear || (isUnsure && narrowed.modulus < address.modulus);
    addresses.set(node, { ...narrowed, isAlignmentUnclear });
  }
}

/** In a loop that stays rolled, the choice is known of two, or four and more, words that follow the start of a window (rolled.cu). */
function areWordsFromStart(constants: readonly number[], [first]: readonly Address[]): boolean {
  const [lowest] = constants;
  if (!first || lowest === undefined || constants.length === 3) return false;
  const isAtStart = modulo(first.residue + lowest - first.constant, first.modulus) === 0;
  return isAtStart && constants.every((constant, index) => constant === lowest + 4 * index);
}

/** What a declaration aligns, or the type of a vector that the text asks for, LLVM has as one access before it chooses registers. */
function isDeclared(node: Expression, address: Address): boolean {
  const place = accessedPlace(node);
  return (place ? declaredAlignment(place, address) : 1) >= address.modulus;
}

/** The constant that LLVM counts: of a word of such a vector, the vector's. */
function startOf(node: Expression, addresses: Addresses): number | null {
  const address = addresses.get(node);
  const place = accessedPlace(node);
  if (!address || !place) return null;
  return address.constant - (isDeclared(node, address) ? modulo(place.offsetBytes, address.modulus) : 0);
}

function accessedPlace(node: Expression): MemoryPlace | null {
  return (node.kind === "load" || node.kind === "assign") && node.place.kind === "memory" ? node.place : null;
}

/** Halves, of which pairs are made: LLVM loads each pair for itself, for the inline PTX that computes with it, and leaves merging to ptxas. */
function isOfHalves({ type }: Expression): boolean {
  return type.kind === "float" && sizeOf(type) === 2;
}

function limited(address: Address, middle: number): Address {
  const residue = modulo(address.residue + middle - address.constant, address.modulus);
  const modulus = residue === 0 ? address.modulus : lowBit(residue);
  return { ...address, modulus, residue: modulo(address.residue, modulus) };
}
