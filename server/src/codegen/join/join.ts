// What the ways of a branch have in common: loads that both begin with, loads behind it that one of them has made, stores that all end with.
import type { AccessSite } from "../../ir/expression.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import type { SourceRange } from "../../text/source.ts";
import type { UniformityOf } from "../atomics/divergence.ts";
import { changedByTrips } from "../loops/invariant-copies.ts";
import { exits, isGuard, isJump, leaves, mayLeave } from "../walks/jumps.ts";
import { rangeOfFirst } from "../walks/lines.ts";
import { type ReadCounts, readCountsOf } from "../walks/read-counts.ts";
import { mapLists, mapStatements, withWays } from "../walks/rebuild.ts";
import { hasLists } from "../walks/walk.ts";
import { withSelectedLoads } from "./alike.ts";
import { withCommonHeads } from "./common-heads.ts";
import { withLastLoadsSelected } from "./last-loads.ts";
import { type JoinOptions, touchesMemory } from "./loads.ts";
import { withIndicesAhead } from "./own-indices.ts";
import { type EnclosingLoop, withCommonStores } from "./stores.ts";
import { withCommonTails } from "./tails.ts";

/** The body as LLVM makes it where ways meet. */
export function joinWays(
  body: readonly Statement[],
  { uniformityOf, ...options }: JoinOptions & { readonly uniformityOf: () => UniformityOf },
): readonly Statement[] {
  let counts: ReadonlyMap<number, number> | null = null;
  const readCounts = () => {
    counts ??= readCountsOf(body);
    return counts;
  };
  const place = { options, readCounts, uniformityOf, enclosing: [], loop: null };
  const meeting = withOtherWay(body);
  const joined = meeting && joinList(meeting, { ...place, end: "own" });
  return joined && joined !== meeting ? joined : joinList(body, { ...place, end: endOfBody(body) });
}

/**
 * The body with one load in the place of those that the ways of a branch end with: LLVM makes one of them before it looks for what only some ways have
 * loaded.
 */
export function withLastLoads(body: readonly Statement[], options: JoinOptions): readonly Statement[] {
  return lastLoadsIn(body, options, endOfBody(body));
}

function lastLoadsIn(
  list: readonly Statement[],
  options: JoinOptions,
  end: Place["end"],
): readonly Statement[] {
  if (!list.some(hasLists)) return list;
  const inner = mapStatements(list, (statement) => {
    if (!hasLists(statement)) return statement;
    const inside = endInside(statement, list, list.indexOf(statement), end);
    return mapLists(statement, (below) => lastLoadsIn(below, options, inside));
  });
  return withLastLoadsOfEach(inner, { options, end });
}

/** `if (c) { A; return; } B` as `if (c) A; else B`, where plain statements behind the only branch that leaves end the body: both ways meet. */
function withOtherWay(body: readonly Statement[]): readonly Statement[] | null {
  const at = body.findIndex((one) => mayLeave(one, exits.return | exits.unknown));
  const branch = body[at];
  if (branch?.kind !== "if" || branch.whenFalse.length > 0) return null;
  const way = branch.whenTrue.slice(0, -1);
  const rest = body.slice(at + 1);
  const last = branch.whenTrue.at(-1);
  if (last?.kind !== "return" || last.value !== null || way.length === 0 || rest.length === 0) return null;
  if (![...way, ...rest].every(({ kind }) => kind === "evaluate" || kind === "declare")) return null;
  return [...body.slice(0, at), withWays(branch, branch.condition, way, rest)];
}

interface Place {
  readonly options: JoinOptions;
  readonly readCounts: ReadCounts;
  readonly uniformityOf: () => UniformityOf;
  /** What runs before the list, nearest first. */
  readonly enclosing: readonly Statement[];
  readonly loop: EnclosingLoop | null;
  /** Whether the end of the list is where other ways arrive too: then nothing is sunk to it. */
  readonly end: "own" | "shared";
}

function endOfBody(body: readonly Statement[]): Place["end"] {
  return leaves(body.slice(0, -1), exits.return | exits.unknown) ? "shared" : "own";
}

function joinList(list: readonly Statement[], place: Place): readonly Statement[] {
  if (!list.some(hasLists)) return list;
  const whole = withLastLoadsOfEach(joinInside(list, place), place);
  const shared = withHeadsBeforeLeaving(whole, place);
  let output: Statement[] | null = null;
  for (let index = 0; index < shared.length; index++) {
    const statement = shared[index];
    if (!statement) continue;
    const parts =
      statement.kind === "if" && isFork(statement)
        ? joinOne(statement, [...(output ?? shared.slice(0, index))].reverse().concat(place.enclosing), {
            ...place,
            end: isLast(shared, index) ? place.end : "own",
            linesBehind: rangeOfFirst(shared.slice(index + 1)),
          })
        : null;
    if (parts) output ??= shared.slice(0, index);
    if (parts) output?.push(...parts);
    else output?.push(statement);
  }
  return output ?? shared;
}

/** Of `if (c) { A; return; } B` the ways have their ends to themselves, but what A and B begin with is one (cases forms/heads_of_returns). */
function withHeadsBeforeLeaving(
  list: readonly Statement[],
  { options, enclosing, loop }: Place,
): readonly Statement[] {
  let result = list;
  for (let index = 0; index < result.length - 1; index++) {
    const branch = result[index];
    if (branch?.kind !== "if" || !isGuard(branch)) continue;
    if (!touchesMemory(branch.whenTrue)) continue;
    const ahead = result.slice(0, index);
    const both = withWays(branch, branch.condition, branch.whenTrue, result.slice(index + 1));
    const lines = linesAhead(branch, [...ahead].reverse().concat(enclosing), loop);
    const { lifted, branch: rest } = withCommonHeads(both, lines, options);
    if (lifted.length === 0) continue;
    const leaving = withWays(branch, branch.condition, rest.whenTrue, []);
    result = [...ahead, ...lifted, leaving, ...rest.whenFalse];
    index += lifted.length;
  }
  return result;
}

/** LLVM makes one of loads that ways end with before it looks for what only some ways have loaded. */
function withLastLoadsOfEach(
  list: readonly Statement[],
  { options, end }: Pick<Place, "options" | "end">,
): readonly Statement[] {
  let result: Statement[] | null = null;
  for (const [index, statement] of list.entries()) {
    const mayMeet = end === "own" || !isLast(list, index);
    const found =
      mayMeet && (statement.kind === "switch" || (statement.kind === "if" && isFork(statement)))
        ? withLastLoadsSelected(statement, rangeOfFirst(list.slice(index + 1)), options)
        : null;
    if (found) result ??= list.slice(0, index);
    result?.push(...(found ? [found.branch, ...found.behind] : [statement]));
  }
  return result ?? list;
}

/** The place of a branch whose ways may have something in common. */
interface Fork extends Place {
  /** Where the statement behind it stands, if one does. */
  readonly linesBehind: readonly SourceRange[];
}

/** Whether both its ways do something with memory, so that they can have it in common. */
function isFork({ whenTrue, whenFalse }: If): boolean {
  return whenTrue.length > 0 && whenFalse.length > 0 && touchesMemory(whenTrue) && touchesMemory(whenFalse);
}

function joinOne(branch: If, before: readonly Statement[], fork: Fork): readonly Statement[] | null {
  const own = withIndicesAhead(branch, fork.options.escaped, fork.readCounts);
  const parts = own && joinAsItStands(own.branch, before, fork);
  return own && parts ? [...own.ahead, ...parts] : joinAsItStands(branch, before, fork);
}

function joinAsItStands(
  branch: If,
  before: readonly Statement[],
  { options, uniformityOf, loop, end, linesBehind }: Fork,
): readonly Statement[] | null {
  const { lifted, branch: rest } = withCommonHeads(branch, linesAhead(branch, before, loop), options);
  if (end === "shared") return lifted.length === 0 && rest === branch ? null : [...lifted, rest];
  const isVarying = () => uniformityOf()(branch.condition) === "varying";
  const alike = withSelectedLoads(rest, linesBehind, isVarying, options);
  const fork = alike?.branch ?? rest;
  const widened = alike ? "alike" : [...[...lifted].reverse(), ...withoutEarlierCopies(before, branch)];
  const [ways = fork, ...stores] = withCommonStores(fork, widened, { ...options, loop, linesBehind });
  const tails =
    ways.kind === "if" ? withCommonTails(ways, linesBehind, options, storedAt(stores[0])) : [ways];
  // Of ways that compute nothing in front of a store that is sunk, what they store is loaded once behind them, too.
  const met =
    ways.kind === "if" && tails[0] === ways && stores.length > 0
      ? withLastLoadsSelected(ways, linesBehind, options, storedAt(stores[0]))
      : null;
  const meeting = met ? [met.branch, ...met.behind] : tails;
  const parts = [...lifted, ...(alike?.loads ?? []), ...meeting, ...stores];
  return parts.length === 1 && parts[0] === branch ? null : parts;
}

/**
 * What stands in front of a branch, nearest first, without what trips before its own do: LLVM sinks stores before it writes trips out, and in
 * a function before it inlines it (forms/borders_of_tiles inChannels).
 */
function withoutEarlierCopies(before: readonly Statement[], { range }: If): readonly Statement[] {
  const isFromStart = (each: Statement) =>
    "range" in each && each.range.file === range.file && each.range.start >= range.start;
  const isCopy = (each: Statement) => isFromStart(each) && "range" in each && each.range.end <= range.end;
  // What the branch asks stands right in front of it.
  const front = before.findIndex((each) => !isCopy(each));
  const first = before.findLastIndex(isCopy);
  if (front < 0 || first < front) return before;
  const own = before.findIndex((each, index) => index >= front && isFromStart(each));
  return [...before.slice(0, own), ...before.slice(first + 1)];
}

function storedAt(store: Statement | undefined): AccessSite | null {
  return store?.kind === "evaluate" && store.expression.kind === "assign" ? store.expression.site : null;
}

/**
 * What Nsight Compute shows for a load in front of the branch: the line of its condition, or of the last statement before that, which in a
 * trip that begins with the branch is the test of the loop.
 */
function linesAhead(
  { range }: If,
  before: readonly Statement[],
  loop: EnclosingLoop | null,
): readonly SourceRange[] {
  const earlier = rangeOfFirst(before.filter((each) => "range" in each && each.range.start < range.start));
  return [range, ...(earlier.length === 0 && loop ? [loop.range] : earlier)];
}

/** Whether nothing is behind it but a jump to where other ways arrive (`if … else …; break;` of a case: SASS). */
function isLast(list: readonly Statement[], index: number): boolean {
  return list.slice(index + 1).every((statement) => statement.kind === "declare" || isJump(statement));
}

/** The lists below: their ends are those of their own statement where ways meet, which several reach. */
function joinInside(list: readonly Statement[], place: Place): readonly Statement[] {
  let mapped: Statement[] | null = null;
  for (let index = 0; index < list.length; index++) {
    const statement = list[index];
    if (!statement) continue;
    const next = hasLists(statement)
      ? mapLists(statement, (inner) =>
          joinList(inner, {
            options: place.options,
            readCounts: place.readCounts,
            uniformityOf: place.uniformityOf,
            enclosing:
              statement.kind === "loop" ? [] : list.slice(0, index).reverse().concat(place.enclosing),
            loop: statement.kind === "loop" ? enclosing(statement, place.options) : place.loop,
            end: endInside(statement, list, index, place.end),
          }),
        )
      : statement;
    if (next !== statement) mapped ??= list.slice(0, index);
    mapped?.push(next);
  }
  return mapped ?? list;
}

function enclosing(loop: Loop, { escaped }: JoinOptions): EnclosingLoop {
  return { range: loop.range, changed: changedByTrips(loop, escaped) };
}

function endInside(
  statement: Statement,
  list: readonly Statement[],
  index: number,
  end: Place["end"],
): Place["end"] {
  if (statement.kind === "block") return isLast(list, index) ? end : "own";
  if (statement.kind === "loop") return leaves(statement.body) ? "shared" : "own";
  return "shared";
}
