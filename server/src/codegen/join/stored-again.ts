// A store, and another of the same place under the branch behind it: LLVM stores once, behind the branch, what either way has left.
import type { Assign, MemoryPlace } from "../../ir/expression.ts";
import type { Evaluate, If, Statement } from "../../ir/statement.ts";
import { sameType, sizeOf } from "../../ir/type.ts";
import type { Extent } from "../addresses/alias.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { likeSite, withExpression, withWays } from "../walks/rebuild.ts";
import { assignedVariables, isPure } from "../walks/walk.ts";
import { isSamePlace, type JoinOptions, namesAny, touchesMemory } from "./loads.ts";

interface Store extends Extent {
  readonly statement: Evaluate;
  readonly expression: Assign;
  readonly place: MemoryPlace;
}

/**
 * The list with one store behind a branch where one stood in front of it and one of the same place under it, if nothing between them touches
 * memory, what the branch computes included (cases stored_again/given, computed, both; not: loaded, otherBetween, loadBetween).
 */
export function withStoresAgainJoined(
  list: readonly Statement[],
  options: JoinOptions,
): readonly Statement[] {
  let current: Statement[] | null = null;
  for (let index = 1; index < (current ?? list).length; index++) {
    const branch = (current ?? list)[index];
    if (branch?.kind !== "if" || branch.whenFalse.length > 0) continue;
    const joined = joinedBehind(branch, (current ?? list).slice(0, index), options);
    if (joined) current = [...joined, ...(current ?? list).slice(index + 1)];
  }
  return current ?? list;
}

/** What stands in front of the branch, the branch, and the store behind it; null where there is none. */
function joinedBehind(
  branch: If,
  before: readonly Statement[],
  options: JoinOptions,
): readonly Statement[] | null {
  const under = lastStoreOf(branch.whenTrue, options);
  const first = under && lastStoreOf(before, options);
  if (!first || !isPure(branch.condition) || !isSamePlace(first, under)) return null;
  const { type } = under.expression.value;
  if (!sameType(first.expression.value.type, type)) return null;
  const own = branch.whenTrue.slice(0, branch.whenTrue.indexOf(under.statement));
  if (touchesMemory(own)) return null;
  const start = before.indexOf(first.statement);
  if (namesAny(first.place.pointer, assignedVariables([...before.slice(start), branch]))) return null;
  const result = options.fresh.temporary(type, "stored");
  const keep = ({ expression, statement }: Store) =>
    assignment(placeOf(result), expression.value, statement.range);
  const site =
    under.expression.site &&
    first.expression.site &&
    likeSite(under.expression.site, {
      merged: [
        ...under.expression.site.merged,
        first.expression.site.range,
        ...first.expression.site.merged,
        branch.range,
      ],
    });
  const store: Assign = {
    kind: "assign",
    type: under.expression.type,
    place: first.place,
    value: readOf(result),
    site,
  };
  options.addresses.set(store, first.address);
  return [
    ...before.slice(0, start),
    keep(first),
    ...before.slice(start + 1),
    withWays(branch, branch.condition, [...own, keep(under)], branch.whenFalse),
    withExpression(under.statement, store),
  ];
}

/** The store that the list ends with, but for what touches no memory. */
function lastStoreOf(list: readonly Statement[], { addresses, groups, escaped }: JoinOptions): Store | null {
  const statement = list.findLast(
    (one) => one.kind !== "declare" && (one.kind !== "evaluate" || touchesMemory([one])),
  );
  if (statement?.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { expression } = statement;
  const { place } = expression;
  const address = addresses.get(expression);
  const bytes = sizeOf(place.type);
  if (place.kind !== "memory" || !address || !bytes || groups.has(expression)) return null;
  if (!expression.site || expression.site.isVolatile || !isPure(expression.value)) return null;
  return namesAny(expression.value, escaped) ? null : { statement, expression, place, address, bytes };
}
