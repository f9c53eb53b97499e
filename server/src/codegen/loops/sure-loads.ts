// Loads under a condition that leave their loop all the same: what they read surely exists, so that LLVM makes them ahead of it whether a
// trip wants them or not.
import type { Load } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { mapLists } from "../walks/rebuild.ts";
import { hasLists, rootVariableOf } from "../walks/walk.ts";
import { changeOf, type Effects } from "./effects.ts";

/** A loop that such loads leave. */
export interface SureLoads {
  readonly effects: Effects;
  readonly addresses: Addresses;
  /** The load that a statement is, into a temporary that nothing else is assigned to; null of others. */
  readonly loadOf: (statement: Statement) => Load | null;
  /** Takes what leaves the loop. */
  readonly hoisted: Statement[];
}

/**
 * The statement, which not every trip executes, without the loads of variables in shared memory, or of their elements at constant indices, that
 * nothing in the loop changes (cases hoisted_scalars/scalar, element, skipped, left, twoScalars; not: elementAtParameter, elementOfLane,
 * dynamicElement, withBarrier).
 */
export function withoutSureLoads(statement: Statement, loop: SureLoads): readonly Statement[] {
  const load = loop.loadOf(statement);
  if (load && isSure(load, loop)) {
    loop.hoisted.push(statement);
    return [];
  }
  return [withoutThoseInWays(statement, loop)];
}

/** The same of what a statement that every trip executes holds under conditions. Inner loops have lost theirs before. */
export function withoutThoseInWays(statement: Statement, loop: SureLoads): Statement {
  if (!hasLists(statement) || statement.kind === "loop") return statement;
  return mapLists(statement, (list) => {
    const rest = list.flatMap((one) => withoutSureLoads(one, loop));
    return rest.length === list.length && rest.every((one, at) => one === list[at]) ? list : rest;
  });
}

function isSure(load: Load, { addresses, effects }: SureLoads): boolean {
  const address = addresses.get(load);
  return (
    address !== undefined &&
    isInVariable(address, sizeOf(load.type) ?? 1) &&
    // A pointer that trips move on stays within its array, but at no constant index.
    load.place.kind === "memory" &&
    rootVariableOf(load.place.pointer)?.id === address.base?.id &&
    changeOf(load, effects, addresses) === "none"
  );
}

/** Whether the bytes lie in a variable of known size in shared memory, whatever anything else holds. */
function isInVariable({ base, terms, constant }: Address, bytes: number): boolean {
  if (base?.storage !== "shared" || terms.atoms.length !== 1 || terms.coefficients[0] !== 1) return false;
  return constant >= 0 && constant + bytes <= (sizeOf(base.type) ?? 0);
}
