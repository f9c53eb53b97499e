// Loads under a condition that LLVM makes in front of a loop before it writes out the trips: of variables in shared memory, which surely exist.
import type { Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { rangeOfLast } from "../walks/lines.ts";
import { likeSite, mapLists, withExpression, withPlace, withStored } from "../walks/rebuild.ts";
import { hasLists } from "../walks/walk.ts";
import type { Context } from "./context.ts";
import { isUnchangedInTrip, memoryOfTrip } from "./held-in-loop.ts";

/**
 * The trips of a loop that is surely entered, written one after the other, with such loads in front of them: of a variable, or of an element at a
 * constant index, that no trip changes (fixtures/forms/sure_in_trips scalar, element, ofTwo, tileBeside, leaves, skips; not: oneTrip, ofLane,
 * withBarrier, changed, dynamic).
 */
export function withSureLoadsAhead(
  trips: readonly Statement[],
  before: readonly Statement[],
  context: Context,
): readonly Statement[] {
  const found = new Map<string, SureLoad>();
  collect(trips, found);
  if (found.size === 0) return trips;
  const memory = memoryOfTrip(trips, context);
  const held = new Map<string, Variable>();
  const ahead: Statement[] = [];
  for (const [key, { load, statement }] of found) {
    if (!isUnchangedInTrip(load.place, memory)) continue;
    const variable = context.fresh.temporary(load.type, "loaded");
    held.set(key, variable);
    ahead.push(assignment(placeOf(variable), charged(load, before, context), statement.range));
  }
  return held.size === 0 ? trips : [...ahead, ...withHeld(trips, held)];
}

interface SureLoad {
  readonly load: Load & { readonly place: MemoryPlace };
  readonly statement: Extract<Statement, { readonly kind: "evaluate" }>;
}

/** What stands under a condition, in no loop. */
function collect(list: readonly Statement[], found: Map<string, SureLoad>): void {
  for (const statement of list) {
    if (!hasLists(statement) || statement.kind === "loop") continue;
    mapLists(statement, (inner) => {
      if (statement.kind !== "block") collectIn(inner, found);
      collect(inner, found);
      return inner;
    });
  }
}

function collectIn(list: readonly Statement[], found: Map<string, SureLoad>): void {
  for (const statement of list) {
    const sure = sureLoadOf(statement);
    if (sure && !found.has(sure.key)) found.set(sure.key, sure);
    else if (statement.kind === "block") collectIn(statement.body, found);
  }
}

function sureLoadOf(statement: Statement): (SureLoad & { readonly key: string }) | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place, value } = statement.expression;
  if (place.kind !== "variable" || !isOfMemory(value) || !value.site || value.site.isVolatile) return null;
  const key = keyOf(value);
  return key === null ? null : { load: value, statement, key };
}

function isOfMemory(value: Expression): value is SureLoad["load"] {
  return value.kind === "load" && value.place.kind === "memory";
}

/** Which bytes of a variable in shared memory the load reads; null where nothing says that they lie in one. */
function keyOf({ place, type }: SureLoad["load"]): string | null {
  const { pointer, offsetBytes } = place;
  const bytes = sizeOf(type);
  if (pointer.kind !== "address" || pointer.place.kind !== "variable" || bytes === null) return null;
  const { variable } = pointer.place;
  const start = pointer.place.offsetBytes + offsetBytes;
  const isInside = start >= 0 && start + bytes <= (sizeOf(variable.type) ?? 0);
  return variable.storage === "shared" && isInside ? `${variable.id} ${start} ${type.kind} ${bytes}` : null;
}

/** LLVM takes the line from what it moves: it counts for what comes before. */
function charged(load: SureLoad["load"], before: readonly Statement[], { groups }: Context): Load {
  if (!load.site) return load;
  const merged = [...load.site.merged, ...rangeOfLast(before)];
  const moved = withPlace(load, load.place, likeSite(load.site, { merged }));
  const group = groups.get(load);
  if (group !== undefined) groups.set(moved, group);
  return moved;
}

function withHeld(list: readonly Statement[], held: ReadonlyMap<string, Variable>): readonly Statement[] {
  return list.map((statement) => {
    if (hasLists(statement))
      return statement.kind === "loop" ? statement : mapLists(statement, (inner) => withHeld(inner, held));
    const sure = sureLoadOf(statement);
    const variable = sure && held.get(sure.key);
    if (!variable || statement.kind !== "evaluate" || statement.expression.kind !== "assign")
      return statement;
    const { expression } = statement;
    return withExpression(statement, withStored(expression, expression.place, readOf(variable)));
  });
}
