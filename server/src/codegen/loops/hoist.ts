// Loads of loop-invariant addresses leave the loop where nothing in it can change what they read.
import type { CompilerDoubt } from "../../ir/assumption.ts";
import type { AccessSite, Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import type { Evaluate, Loop, Statement } from "../../ir/statement.ts";
import { booleanType } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import type { UniformityOf } from "../atomics/divergence.ts";
import type { CountedFrom } from "../linearise/context.ts";
import { type AccessFacts, passOn } from "../walks/facts.ts";
import { assignment, type Fresh, placeOf, readOf } from "../walks/fresh.ts";
import { exits, mayLeave } from "../walks/jumps.ts";
import { rangeOfLast } from "../walks/lines.ts";
import {
  atPointer,
  likeSite,
  mapLists,
  mapStatements,
  withExpression,
  withPlace,
  withStored,
} from "../walks/rebuild.ts";
import {
  assignedVariables,
  forEachExpression,
  forEachExpressionOf,
  hasLists,
  isPure,
} from "../walks/walk.ts";
import { AsmInTrip, leavesByPtxas } from "./asm-in-trip.ts";
import { mayBeCopied } from "./copies.ts";
import { changeOf, type Effects, effectsOf, leavesAlone } from "./effects.ts";
import { conditionOnEntry, entersSurely } from "./entry.ts";
import { isSameGuard, leavesLoop } from "./guards.ts";
import { HeldInTrip } from "./held-in-trip.ts";
import { invariantCopies, type Lifting, withCopies } from "./invariant-copies.ts";
import { goingOn } from "./leaving.ts";
import { type Promoted, promoteUpdates, registersOf } from "./promote.ts";
import { isReadBehind } from "./read-behind.ts";
import { isRoundsAndRest, loadedOnce } from "./rounds-and-rest.ts";
import { type SureLoads, withoutSureLoads, withoutThoseInWays } from "./sure-loads.ts";
import { lateUpdates, type Update, updatesOf } from "./updates.ts";

export interface HoistOptions extends AccessFacts {
  readonly countedFrom: CountedFrom;
  readonly asmSites: ReadonlySet<AccessSite>;
  /** Variables whose address is taken: what they hold is not plain to see. */
  readonly escaped: ReadonlySet<number>;
  readonly fresh: Fresh;
  /** How expressions are to the compiler, once somebody asks. */
  readonly uniformityOf: () => UniformityOf;
}

/**
 * Moves invariant loads that every trip executes in front of their loop, inner loops first; under the loop's condition, since a loop
 * without a trip loads nothing (case loops/zeroTripInvariant).
 */
export function hoistInvariants(list: readonly Statement[], options: HoistOptions): readonly Statement[] {
  return hoistInList(list, 0, options);
}

/** `depth`: of the loops around the list. */
function hoistInList(list: readonly Statement[], depth: number, options: HoistOptions): readonly Statement[] {
  let changed = false;
  const output: Statement[] = [];
  let last: readonly Statement[] = [];
  for (const [index, statement] of list.entries()) {
    const parts = hoistIn(statement, { before: output, after: () => list.slice(index + 1) }, depth, options);
    if (parts.length !== 1 || parts[0] !== statement) changed = true;
    if (changed && isRoundsAndRest(list[index - 1], statement))
      output.splice(-last.length, last.length, ...loadedOnce(last, parts, statement, options.addresses));
    else output.push(...parts);
    last = parts;
  }
  return changed ? output : list;
}

/** Of the list that a loop stands in. */
interface Neighbours {
  readonly before: readonly Statement[];
  readonly after: () => readonly Statement[];
}

function hoistIn(
  statement: Statement,
  beside: Neighbours,
  depth: number,
  options: HoistOptions,
): readonly Statement[] {
  if (!hasLists(statement)) return [statement];
  const innerDepth = statement.kind === "loop" ? depth + 1 : depth;
  const mapped = mapLists(statement, (list) => hoistInList(list, innerDepth, options));
  return mapped.kind === "loop" ? hoistFrom(mapped, beside, depth, options) : [mapped];
}

function hoistFrom(
  loop: Loop,
  { before, after }: Neighbours,
  depth: number,
  options: HoistOptions,
): readonly Statement[] {
  const effects = effectsOf(loop, options.addresses);
  if (!effects || (loop.condition && !isPure(loop.condition))) return [loop];
  const inTrips = effectsOf(goingOn(loop), options.addresses) ?? effects;
  const { hoisted, rest } = withoutInvariants(loop, inTrips, options);
  const isEntered = entersSurely(loop, before);
  const promoted =
    effects.stored.length > 0
      ? withoutUpdates(rest, { effects, depth, isEntered, after: after() }, options)
      : untouched(rest);
  const { behind, known } = promoted;
  const moved = [...hoisted, ...promoted.before];
  if (moved.length === 0 && behind.length === 0) return [promoted.loop, ...known];
  const { range } = loop;
  const ahead = [...(isEntered ? [] : [range]), ...rangeOfLast(before)];
  const front = moved.map((statement) => chargedTo(ahead, statement, options));
  if (!loop.condition || isEntered) return [...front, promoted.loop, ...behind, ...known];
  if (behind.length === 0) return [guarded(loop.condition, front, range), promoted.loop, ...known];
  const entered = options.fresh.temporary(booleanType, "entered");
  return [
    ...promoted.always.map((statement) => chargedTo(ahead, statement, options)),
    assignment(placeOf(entered), conditionOnEntry(loop.condition, before), range),
    ...(front.length > 0 ? [guarded(readOf(entered), front, range)] : []),
    promoted.loop,
    guarded(readOf(entered), behind, range),
    ...known,
  ];
}

/**
 * LLVM takes the line from what it moves in front of a loop, so that it counts for whatever instruction comes before: of the loop's test, or of
 * the last statement (case loops/invariantGlobal).
 */
function chargedTo(ahead: readonly SourceRange[], statement: Statement, options: HoistOptions): Statement {
  if (statement.kind === "if")
    return mapLists(statement, (list) => list.map((one) => chargedTo(ahead, one, options)));
  const load = loadOf(statement);
  const site = load?.value.site;
  if (!load || !site) return statement;
  const charged = withPlace(
    load.value,
    load.value.place,
    likeSite(site, { merged: [...site.merged, ...ahead] }),
  );
  passOn(load.value, charged, options);
  return load.with(charged);
}

function guarded(condition: Expression, whenTrue: readonly Statement[], range: SourceRange): Statement {
  return { kind: "if", condition, whenTrue, whenFalse: [], range };
}

function withoutInvariants(
  loop: Loop,
  effects: Effects,
  options: HoistOptions,
): { readonly hoisted: readonly Statement[]; readonly rest: Loop } {
  const assigned = assignedVariables(loop.body, loop.step);
  let lifting = liftingFrom(loop, assigned, options);
  const held = new HeldInTrip(options.escaped);
  const copied = effects.hasBarrier ? copiedLoads(loop) : new Set<Load>();
  const hoisted: Statement[] = [];
  const body: Statement[] = [];
  const sure: SureLoads = { effects, addresses: options.addresses, loadOf: onlyLoadOf, hoisted };
  let everyTrip = true;
  const asm = new AsmInTrip(options.asmSites, assigned);
  for (const statement of loop.body) {
    const load = everyTrip ? loadOf(statement) : null;
    const isCopied = load === null || copied.has(load.value);
    const change = isCopied ? "stored" : changeOf(load.value, effects, options.addresses);
    const lifted = load && change !== "stored" ? liftedLoad(load.value, lifting, options, held) : null;
    if (!everyTrip) body.push(...withoutSureLoads(statement, sure));
    else if (!load || !lifted) {
      body.push(withoutThoseInWays(statement, sure));
      asm.pass(statement);
    } else if (change === "none" && (!asm.isBehind || leavesByPtxas(load.value, loop, effects, options))) {
      hoisted.push(load.with(asm.isBehind ? notedInCopies(lifted, loop, options) : lifted));
      asm.passHoisted(load.temporary);
      lifting = liftingFrom(loop, assigned, options, assignedVariables(hoisted));
    } else {
      const isSure = asm.isBehind && withoutSureLoads(statement, sure).length === 0;
      if (!isSure) body.push(load.with(notedLoad(load.value, loop, options)));
      asm.pass(statement);
    }
    if (mayLeave(statement, exits.jump)) everyTrip = false;
    held.pass(statement, lifting);
  }
  const isSame = hoisted.length === 0 && !effects.exchanges;
  return { hoisted, rest: isSame ? loop : { ...loop, body } };
}

/**
 * The loads that stem from one access of the text, in an inner loop that was unrolled. Of such loops some are ptxas's to unroll: to LLVM their loads
 * step along, and stay (fixtures/programs/hmm_forward, elman_rnn).
 */
function copiedLoads(loop: Loop): ReadonlySet<Load> {
  const bySite = new Map<SourceRange, Load[]>();
  for (const statement of loop.body) {
    const load = loadOf(statement)?.value;
    if (!load?.site) continue;
    const known = bySite.get(load.site.range);
    if (known) known.push(load);
    else bySite.set(load.site.range, [load]);
  }
  return new Set([...bySite.values()].filter(({ length }) => length > 1).flat());
}

/** To LLVM the load stays in the loop; ptxas makes one for as many trips as it has copies of the body. */
function notedLoad(load: Load, loop: Loop, options: HoistOptions): Load {
  return mayBeCopied(loop, options.countedFrom) ? withDoubt(load, "once-per-round", options) : load;
}

/** A load that ptxas alone takes out of the loop leaves the rounds, and what is left over, each by itself (forms/behind_asm inCopies). */
function notedInCopies(load: Load, loop: Loop, options: HoistOptions): Load {
  return mayBeCopied(loop, options.countedFrom) ? withDoubt(load, "once-per-part", options) : load;
}

function withDoubt(load: Load, uncertain: CompilerDoubt, options: HoistOptions): Load {
  if (!load.site) return load;
  const noted = withPlace(load, load.place, likeSite(load.site, { uncertain }));
  passOn(load, noted, options);
  return noted;
}

/** What a loop does and leaves in registers. */
interface Rewritten extends Promoted {
  readonly known: readonly Statement[];
}

/** A loop among the statements around it. */
interface Surroundings {
  readonly effects: Effects;
  readonly depth: number;
  readonly isEntered: boolean;
  readonly after: readonly Statement[];
}

function withoutUpdates(
  loop: Loop,
  { effects, depth, isEntered, after }: Surroundings,
  options: HoistOptions,
): Rewritten {
  const { addresses, entries, asmSites } = options;
  const lifting = liftingFrom(loop, assignedVariables(loop.body, loop.step), options);
  const { updates, known, behindAsm } = updatesOf(loop, {
    addresses,
    entries,
    asmSites,
    depth,
    isEntered,
    isLeftAlone: (extent) => leavesAlone(effects, extent),
    lifted: (place) => liftedPlace(place, lifting),
    liftedGuard: (condition) => liftedGuard(condition, lifting, options),
  });
  const isLate = readsThroughViews(loop, options);
  const isCopied = mayBeCopied(loop, options.countedFrom);
  const late = new Set(isCopied ? (isLate ? updates : lateUpdates(updates, options.groups)) : []);
  const isDoubtful = areDoubtfulGuards(loop, updates);
  const readBehind = isEntered ? [] : updates.filter((update) => isReadBehind(update, after, options));
  const noted = updates.map((each) => {
    const update = readBehind.includes(each) ? { ...each, isReadBehind: true as const } : each;
    if (late.has(each)) return { ...update, uncertain: "once-per-part" as const };
    return isDoubtful && update.guards.length > 0
      ? { ...update, uncertain: "keeps-in-register" as const }
      : update;
  });
  const rest = isCopied && behindAsm.length > 0 ? withDoubts(loop, new Set(behindAsm), options) : loop;
  const promoted = updates.length === 0 ? untouched(rest) : promoteUpdates(rest, noted, options);
  return { ...promoted, known: registersOf([...known, ...readBehind], loop, options) };
}

/** The loop with a doubt at those accesses. */
function withDoubts(loop: Loop, doubtful: ReadonlySet<Expression>, options: HoistOptions): Loop {
  const within = (list: readonly Statement[]): readonly Statement[] =>
    mapStatements(list, (statement) => {
      if (statement.kind !== "evaluate" || statement.expression.kind !== "assign")
        return mapLists(statement, within);
      const { expression } = statement;
      const { place, value } = expression;
      const loaded =
        value.kind === "load" && doubtful.has(value) ? withDoubt(value, "once-per-round", options) : value;
      const stored = withStored(expression, place, loaded);
      if (!doubtful.has(expression) || !expression.site) return withExpression(statement, stored);
      const noted = { ...stored, site: likeSite(expression.site, { uncertain: "once-per-round" }) };
      passOn(expression, noted, options);
      return withExpression(statement, noted);
    });
  return { ...loop, body: within(loop.body) };
}

/**
 * Whether the loop reads through pointers in parameters whose address is taken, as PyTorch's accessors are: LLVM may see only once it has made
 * copies of the loop that its stores leave them alone.
 */
function readsThroughViews(loop: Loop, { addresses, escaped }: HoistOptions): boolean {
  let reads = false;
  if (escaped.size > 0)
    forEachExpressionOf(loop.body, (node) => {
      const base = node.kind === "load" ? addresses.get(node)?.base : null;
      if (base && escaped.has(base.id)) reads = true;
    });
  return reads;
}

function untouched(loop: Loop): Rewritten {
  return { always: [], before: [], loop, behind: [], known: [] };
}

/** A load of memory into a temporary, and the statement with another load in its place. */
interface LoadStatement {
  readonly temporary: number;
  readonly value: Load;
  with(load: Load): Evaluate;
}

function loadOf(statement: Statement): LoadStatement | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { expression } = statement;
  const { place, value } = expression;
  if (place.kind !== "variable" || place.variable.id >= 0 || value.kind !== "load") return null;
  if (value.place.kind !== "memory" || value.site?.isVolatile) return null;
  return {
    temporary: place.variable.id,
    value,
    with: (load) => withExpression(statement, withStored(expression, expression.place, load)),
  };
}

/** The load, where its temporary is assigned there alone. */
function onlyLoadOf(statement: Statement): Load | null {
  const load = loadOf(statement);
  if (load === null || statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place } = statement.expression;
  return place.kind === "variable" && !place.variable.isOutcome ? load.value : null;
}

/** `inLoop`: the variables that the loop assigns; `inFront`: those of them that have left it already. */
function liftingFrom(
  loop: Loop,
  inLoop: ReadonlySet<number>,
  { escaped }: HoistOptions,
  inFront: ReadonlySet<number> = new Set(),
): Lifting {
  const assigned = inFront.size === 0 ? inLoop : new Set([...inLoop].filter((id) => !inFront.has(id)));
  return { assigned, copies: invariantCopies(loop, assigned, escaped) };
}

/** The place as it would stand in front of the loop; null where its address changes in the loop. */
function liftedPlace(place: MemoryPlace, { assigned, copies }: Lifting): MemoryPlace | null {
  const pointer = withCopies(place.pointer, copies);
  if (dependsOn(pointer, assigned)) return null;
  return atPointer(place, pointer);
}

/**
 * The condition as it would stand in front of the loop; null where its value changes in the loop, or may be another for another lane: LLVM
 * makes no two loops of one then (forms/nested_sums fromThread).
 */
function liftedGuard(
  condition: Expression,
  { assigned, copies }: Lifting,
  { uniformityOf }: HoistOptions,
): Expression | null {
  const lifted = withCopies(condition, copies);
  const isOne = isPure(lifted) && !dependsOn(lifted, assigned) && uniformityOf()(lifted) === "uniform";
  return isOne ? lifted : null;
}

/** Whether LLVM may leave a guard of the updates in the loop: where the rest of a trip is large, or where there is another guard. */
function areDoubtfulGuards(loop: Loop, updates: readonly Update[]): boolean {
  const [first, ...others] = updates.flatMap(({ guards }) => guards.slice(0, 1));
  if (!first) return false;
  return (
    leavesLoop(first.condition, loop) !== "surely" || !others.every((guard) => isSameGuard(guard, first))
  );
}

function liftedLoad(load: Load, lifting: Lifting, options: HoistOptions, held: HeldInTrip): Load | null {
  const place = load.place.kind === "memory" ? liftedPlace(held.placeOf(load.place), lifting) : null;
  if (!place || place === load.place) return place && load;
  const lifted: Load = { kind: "load", type: load.type, place, site: load.site };
  passOn(load, lifted, options);
  return lifted;
}

function dependsOn(pointer: Expression, assigned: ReadonlySet<number>): boolean {
  let depends = false;
  forEachExpression(pointer, (node) => {
    if (node.kind === "load" && (node.place.kind !== "variable" || assigned.has(node.place.variable.id)))
      depends = true;
  });
  return depends;
}
