// Loads of loop-invariant addresses leave the loop where nothing in it can change what they read.
import type { Expression, Load } from "../ir/expression.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import { operandsOf } from "../ir/operands.ts";
import type { Evaluate, Loop, Statement } from "../ir/statement.ts";
import { sizeOf } from "../ir/type.ts";
import type { Address } from "./address.ts";
import { basesMeet, mayAlias } from "./alias.ts";
import type { Addresses } from "./forward.ts";
import type { Fresh } from "./fresh.ts";
import { invariantCopies, withCopies } from "./invariant-copies.ts";
import type { RecordGroups } from "./linearise-context.ts";
import { promoteUpdates } from "./promote.ts";
import { assignedVariables, forEachExpression, forEachExpressionOf, isOpaque, isPure } from "./walk.ts";

export interface HoistOptions {
  readonly addresses: Addresses;
  readonly groups: RecordGroups;
  /** Variables whose address is taken: what they hold is not plain to see. */
  readonly escaped: ReadonlySet<number>;
  readonly fresh: Fresh;
}

/**
 * Moves invariant loads that every trip executes in front of their loop, inner loops first; under the loop's condition, since a loop
 * without a trip loads nothing (case loops/zeroTripInvariant).
 */
export function hoistInvariants(list: readonly Statement[], options: HoistOptions): readonly Statement[] {
  let changed = false;
  const output: Statement[] = [];
  for (const statement of list) {
    const parts = hoistIn(statement, options);
    if (parts.length !== 1 || parts[0] !== statement) changed = true;
    output.push(...parts);
  }
  return changed ? output : list;
}

function hoistIn(statement: Statement, options: HoistOptions): readonly Statement[] {
  switch (statement.kind) {
    case "if": {
      const whenTrue = hoistInvariants(statement.whenTrue, options);
      const whenFalse = hoistInvariants(statement.whenFalse, options);
      const isSame = whenTrue === statement.whenTrue && whenFalse === statement.whenFalse;
      return [isSame ? statement : { ...statement, whenTrue, whenFalse }];
    }
    case "block": {
      const body = hoistInvariants(statement.body, options);
      return [body === statement.body ? statement : { ...statement, body }];
    }
    case "switch": {
      const cases = statement.cases.map((one) => ({ ...one, body: hoistInvariants(one.body, options) }));
      const isSame = cases.every((one, index) => one.body === statement.cases[index]?.body);
      return [isSame ? statement : { ...statement, cases }];
    }
    case "loop": {
      const body = hoistInvariants(statement.body, options);
      return hoistFrom(body === statement.body ? statement : { ...statement, body }, options);
    }
    default:
      return [statement];
  }
}

const maximumPromotions = 8;

function hoistFrom(loop: Loop, options: HoistOptions): readonly Statement[] {
  const effects = effectsOf(loop, options.addresses);
  if (!effects) return [loop];
  const { before, rest } = withoutInvariants(loop, effects, options);
  let parts: readonly Statement[] = [rest];
  for (let count = 0; count < maximumPromotions; count++) {
    const at = parts.findIndex((part) => part.kind === "loop");
    const inner = parts[at];
    const promoted = inner?.kind === "loop" ? promoteUpdates(inner, options) : null;
    if (!promoted) break;
    parts = [...parts.slice(0, at), ...promoted, ...parts.slice(at + 1)];
  }
  return [...before, ...parts];
}

function withoutInvariants(
  loop: Loop,
  effects: readonly Stored[],
  options: HoistOptions,
): { readonly before: readonly Statement[]; readonly rest: Loop } {
  const assigned = assignedVariables(loop.body, loop.step);
  const copies = invariantCopies(loop, assigned, options.escaped);
  const hoisted: Evaluate[] = [];
  const body: Statement[] = [];
  let everyTrip = true;
  for (const statement of loop.body) {
    const load = everyTrip ? loadOf(statement) : null;
    const lifted = load && liftedLoad(load, copies, assigned, options);
    const isInvariant = load && lifted && !isChanged(load, effects, options.addresses);
    if (isInvariant && statement.kind === "evaluate" && statement.expression.kind === "assign")
      hoisted.push({ ...statement, expression: { ...statement.expression, value: lifted } });
    else body.push(statement);
    if (mayLeave(statement)) everyTrip = false;
  }
  if (hoisted.length === 0) return { before: [], rest: loop };
  const rest = { ...loop, body };
  if (loop.test === "bottom" || !loop.condition) return { before: hoisted, rest };
  if (!isPure(loop.condition)) return { before: [], rest: loop };
  const { condition, range } = loop;
  return { before: [{ kind: "if", condition, whenTrue: hoisted, whenFalse: [], range }], rest };
}

function loadOf(statement: Statement): Load | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place, value } = statement.expression;
  if (place.kind !== "variable" || place.variable.id >= 0 || value.kind !== "load") return null;
  return value.place.kind === "memory" && !value.site?.isVolatile ? value : null;
}

/** The load as it would stand in front of the loop; null where its address changes in the loop. */
function liftedLoad(
  load: Load,
  copies: ReadonlyMap<string, Expression>,
  assigned: ReadonlySet<number>,
  { addresses, groups }: HoistOptions,
): Load | null {
  const lifted = withCopies(load, copies);
  if (lifted.kind !== "load" || dependsOn(lifted, assigned)) return null;
  if (lifted === load) return load;
  const address = addresses.get(load);
  if (address) addresses.set(lifted, address);
  const group = groups.get(load);
  if (group !== undefined) groups.set(lifted, group);
  return lifted;
}

function dependsOn(load: Load, assigned: ReadonlySet<number>): boolean {
  let depends = false;
  for (const operand of operandsOf(load))
    forEachExpression(operand, (node) => {
      if (node.kind === "load" && (node.place.kind !== "variable" || assigned.has(node.place.variable.id)))
        depends = true;
    });
  return depends;
}

interface Stored {
  readonly address: Address;
  readonly bytes: number;
}

/** The stores of a loop; null where something in it may change any memory. */
function effectsOf(loop: Loop, addresses: Addresses): readonly Stored[] | null {
  const stored: Stored[] = [];
  let isUnknown = containsBarrier(loop.body);
  const visit = (node: Expression): void => {
    if (isOpaque(node)) isUnknown = true;
    if (node.kind === "intrinsic") {
      const effect = intrinsicEffect(node.name);
      if (effect !== "pure" && effect !== "identity" && effect !== "load" && effect !== "warp")
        isUnknown = true;
    }
    if (node.kind !== "assign" || node.place.kind !== "memory") return;
    const address = addresses.get(node);
    if (address) stored.push({ address, bytes: sizeOf(node.place.type) ?? 1 });
    else isUnknown = true;
  };
  forEachExpressionOf(loop.body, visit);
  for (const step of loop.step) forEachExpression(step, visit);
  return isUnknown ? null : stored;
}

function containsBarrier(list: readonly Statement[]): boolean {
  return list.some((statement) => {
    switch (statement.kind) {
      case "barrier":
      case "unknown":
      case "launch":
        return true;
      case "block":
      case "loop":
        return containsBarrier(statement.body);
      case "if":
        return containsBarrier(statement.whenTrue) || containsBarrier(statement.whenFalse);
      case "switch":
        return statement.cases.some((one) => containsBarrier(one.body));
      default:
        return false;
    }
  });
}

/** Addresses of stores are those of one trip: other trips store elsewhere, so that only the base counts unless both are invariant. */
function isChanged(load: Load, effects: readonly Stored[], addresses: Addresses): boolean {
  const address = addresses.get(load);
  if (!address) return true;
  const read = { address, bytes: sizeOf(load.type) ?? 1 };
  return effects.some((store) => {
    if (
      store.address.space !== address.space &&
      store.address.space !== "unknown" &&
      address.space !== "unknown"
    )
      return false;
    if (!basesMeet(store.address.base, address.base)) return false;
    return store.address.termsKey !== address.termsKey || mayAlias(read, store);
  });
}

function mayLeave(statement: Statement): boolean {
  switch (statement.kind) {
    case "break":
    case "continue":
    case "return":
    case "loop":
      return true;
    case "if":
      return statement.whenTrue.some(mayLeave) || statement.whenFalse.some(mayLeave);
    case "switch":
      return true;
    case "block":
      return statement.body.some(mayLeave);
    default:
      return false;
  }
}
