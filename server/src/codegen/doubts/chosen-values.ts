// Values that a branch chooses between, of which ptxas may load one by those lanes alone that keep it.
import type { AccessSite, Expression, Place, VariablePlace } from "../../ir/expression.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { variableKey } from "../addresses/address.ts";
import { isSelection } from "../linearise/selections.ts";
import { loadOf } from "../sink/computations.ts";
import {
  forEachExpression,
  forEachExpressionOf,
  sitesIn,
  someExpression,
  someExpressionOf,
} from "../walks/walk.ts";

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
    return place && site && chosen.has(keyOf(place)) ? [site] : [];
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

/** The accesses of a branch that moves a vector in either way, from one of two places to one of two (fixtures/forms/chosen_places ofWords). */
export function movedInBothWays({ whenTrue, whenFalse }: If): readonly AccessSite[] {
  const [first, second] = [vectorStoredLast(whenTrue), vectorStoredLast(whenFalse)];
  return first !== null && first === second ? [...sitesIn(whenTrue), ...sitesIn(whenFalse)] : [];
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
  if (isMember || type.kind === "record") keys.push(keyOf(node.place));
}

function keyOf({ variable, offsetBytes }: VariablePlace): number {
  return variableKey(variable, offsetBytes);
}

function isReplacedIn({ condition, whenTrue, whenFalse }: If, held: VariablePlace): boolean {
  if (someExpression(condition, (node) => isReadOf(held, node))) return false;
  return [whenTrue, whenFalse].some((way) => sets(held, way) && !reads(held, way));
}

/** The bytes of the vector that the way ends with a store of. */
function vectorStoredLast(way: readonly Statement[]): number | null {
  const last = way.at(-1);
  if (last?.kind !== "evaluate" || last.expression.kind !== "assign") return null;
  const { place } = last.expression;
  return place.kind === "memory" && place.type.kind === "record" ? sizeOf(place.type) : null;
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
