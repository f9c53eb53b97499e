// A load that begins a trip at a place where the trip before has ended with a store: LLVM leaves the value in a register for it, barriers between the two or
// not, and loads once, in front of the loop (`x = s[t]; __syncthreads(); …; __syncthreads(); s[t] = x;`).
import type { AccessSite, Assign, Expression, Load } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Evaluate, Loop, Statement } from "../../ir/statement.ts";
import { sameType, sizeOf } from "../../ir/type.ts";
import { isSamePlace } from "../addresses/alias.ts";
import { type AccessFacts, passOn } from "../walks/facts.ts";
import { assignment, type Fresh, placeOf, readOf } from "../walks/fresh.ts";
import { exits, leaves } from "../walks/jumps.ts";
import { mapLists, withExpression, withPlace, withStored } from "../walks/rebuild.ts";
import { assignedVariables, isOpaque, readsAny, someExpression, someExpressionOf } from "../walks/walk.ts";
import { AsmInTrip } from "./asm-in-trip.ts";
import { entersSurely } from "./entry.ts";
import { overwrites, type Touch, touchesOf } from "./touches.ts";

export interface StoredOptions extends AccessFacts {
  readonly asmSites: ReadonlySet<AccessSite>;
  readonly fresh: Fresh;
}

export function withStoredForNext(list: readonly Statement[], options: StoredOptions): readonly Statement[] {
  return list.flatMap((statement, index) => {
    const inner = mapLists(statement, (one) => withStoredForNext(one, options));
    if (inner.kind !== "loop") return [inner];
    return heldOver(inner, list.slice(0, index), options) ?? [inner];
  });
}

/** A load into a variable. */
export type HeldLoad = Evaluate & { readonly expression: Assign & { readonly value: Load } };

interface Pair {
  readonly load: HeldLoad;
  readonly store: Evaluate & { readonly expression: Assign };
}

/** The loop with the value in a variable, behind the load that gives the first one; null where there is no such load. */
function heldOver(
  loop: Loop,
  before: readonly Statement[],
  options: StoredOptions,
): readonly Statement[] | null {
  const { condition, body } = loop;
  if (condition === null || [condition, ...loop.step].some(mayTouchMemory) || leaves(body, exits.continue))
    return null;
  const pair = pairIn(loop, options);
  if (!pair) return null;
  const { load, store } = pair;
  const { value } = load.expression;
  const temporary = options.fresh.temporary(value.type, "held");
  const first = withPlace(value, value.place);
  passOn(value, first, options);
  const stored = withStored(store.expression, store.expression.place, readOf(temporary));
  passOn(store.expression, stored, options);
  const held = body.flatMap((statement) => {
    if (statement === load)
      return [withExpression(load, withStored(load.expression, load.expression.place, readOf(temporary)))];
    if (statement !== store) return [statement];
    return [
      assignment(placeOf(temporary), store.expression.value, store.range),
      withExpression(store, stored),
    ];
  });
  const entry = assignment(placeOf(temporary), first, load.range);
  const guarded: Statement = { kind: "if", condition, whenTrue: [entry], whenFalse: [], range: loop.range };
  return [entersSurely(loop, before) ? entry : guarded, { ...loop, body: held }];
}

function pairIn(loop: Loop, options: StoredOptions): Pair | null {
  const { body, step } = loop;
  const assigned = assignedVariables(body, step);
  const asm = new AsmInTrip(options.asmSites, assigned);
  const start = body.findIndex((statement) => {
    asm.pass(statement);
    return !isStraight(statement) || asm.isBehind;
  });
  for (const load of body.slice(0, start === -1 ? body.length : start)) {
    if (!isLoad(load) || readsAny(load.expression.value, assigned)) continue;
    const place = touchOf(load.expression.value, options);
    if (!place) continue;
    const at = body.findLastIndex((statement) => isStoreAt(statement, place, options));
    const store = body[at];
    if (at <= body.indexOf(load) || !store || !isStore(store)) continue;
    const between = [...body.slice(at + 1), ...body.slice(0, body.indexOf(load))];
    const isKept =
      between.every(isStraight) &&
      !touchesOf(between, options.addresses).some((one) => overwrites(one, place));
    if (isKept && sameType(store.expression.place.type, load.expression.value.type)) return { load, store };
  }
  return null;
}

function isEffect(node: Expression): boolean {
  if (node.kind !== "intrinsic") return false;
  const effect = intrinsicEffect(node.name);
  return effect !== "pure" && effect !== "identity";
}

export function mayTouchMemory(expression: Expression): boolean {
  return someExpression(expression, (node) => {
    if (node.kind === "load" || node.kind === "assign") return node.place.kind === "memory";
    return isOpaque(node) || isEffect(node);
  });
}

/** What control only passes through, and no other thread is waited for in. */
export function isStraight(statement: Statement): boolean {
  if (statement.kind === "declare") return true;
  if (statement.kind !== "evaluate") return false;
  return !someExpressionOf([statement], (node) => isOpaque(node) || isEffect(node));
}

export function isLoad(statement: Statement): statement is HeldLoad {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return false;
  const { place, value } = statement.expression;
  return (
    place.kind === "variable" &&
    value.kind === "load" &&
    value.place.kind === "memory" &&
    value.site?.isVolatile === false
  );
}

function isStore(statement: Statement): statement is Pair["store"] {
  return statement.kind === "evaluate" && statement.expression.kind === "assign";
}

export function isStoreAt(statement: Statement, place: Touch, options: StoredOptions): boolean {
  if (!isStore(statement) || statement.expression.site?.isVolatile !== false) return false;
  const store = touchOf(statement.expression, options);
  return store !== null && isSamePlace(store, place);
}

export function touchOf(node: Assign | Load, { addresses }: StoredOptions): Touch | null {
  const address = addresses.get(node);
  return address ? { node, address, bytes: sizeOf(node.place.type) ?? 1 } : null;
}
