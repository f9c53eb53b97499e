// Loads of loop-invariant addresses leave the loop where nothing in it can change what they read.
import type { Expression, Load } from "../ir/expression.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import type { Evaluate, Loop, Statement } from "../ir/statement.ts";
import { sizeOf } from "../ir/type.ts";
import type { Address } from "./address.ts";
import { basesMeet, mayAlias } from "./alias.ts";
import type { Addresses } from "./forward.ts";
import type { Fresh } from "./fresh.ts";
import { assignedVariables, forEachExpression, forEachExpressionOf, isPure, operandsOf } from "./walk.ts";

export interface HoistOptions {
  readonly addresses: Addresses;
  readonly fresh: Fresh;
}

/**
 * Moves invariant loads that every trip executes in front of their loop, inner loops first; under the loop's condition, since a loop
 * without a trip loads nothing (case loops/zeroTripInvariant).
 */
export function hoistInvariants(list: readonly Statement[], options: HoistOptions): readonly Statement[] {
  return list.flatMap((statement) => {
    switch (statement.kind) {
      case "if":
        return [
          {
            ...statement,
            whenTrue: hoistInvariants(statement.whenTrue, options),
            whenFalse: hoistInvariants(statement.whenFalse, options),
          },
        ];
      case "block":
        return [{ ...statement, body: hoistInvariants(statement.body, options) }];
      case "switch":
        return [
          {
            ...statement,
            cases: statement.cases.map((one) => ({ ...one, body: hoistInvariants(one.body, options) })),
          },
        ];
      case "loop":
        return hoistFrom({ ...statement, body: hoistInvariants(statement.body, options) }, options);
      default:
        return [statement];
    }
  });
}

function hoistFrom(loop: Loop, options: HoistOptions): readonly Statement[] {
  const assigned = assignedVariables(loop.body, loop.step);
  const effects = effectsOf(loop, options.addresses);
  if (!effects) return [loop];
  const hoisted: Evaluate[] = [];
  const body: Statement[] = [];
  let everyTrip = true;
  for (const statement of loop.body) {
    const load = everyTrip ? loadOf(statement) : null;
    const isInvariant =
      load && dependsOn(load, assigned) === false && !isChanged(load, effects, options.addresses);
    if (isInvariant && statement.kind === "evaluate") hoisted.push(statement);
    else body.push(statement);
    if (mayLeave(statement)) everyTrip = false;
  }
  if (hoisted.length === 0) return [loop];
  if (loop.test === "bottom" || !loop.condition) return [...hoisted, { ...loop, body }];
  if (!isPure(loop.condition)) return [loop];
  return [
    { kind: "if", condition: loop.condition, whenTrue: hoisted, whenFalse: [], range: loop.range },
    { ...loop, body },
  ];
}

function loadOf(statement: Statement): Load | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place, value } = statement.expression;
  if (place.kind !== "variable" || place.variable.id >= 0 || value.kind !== "load") return null;
  return value.place.kind === "memory" && !value.site?.isVolatile ? value : null;
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
    if (node.kind === "call" || node.kind === "call-indirect" || node.kind === "unknown") isUnknown = true;
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
