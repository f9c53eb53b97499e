// Sums that a loop keeps at one place, which is read again behind it (`for (…) s[t] += g[i]; out = s[t];`): LLVM loads on both ways, with trips and without
// any, so that it loads in front of the loop whether it is entered or not, and behind it not again.
import type { Assign, Expression, Load } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Evaluate, Statement } from "../../ir/statement.ts";
import { sameType } from "../../ir/type.ts";
import type { Extent } from "../addresses/alias.ts";
import { isSamePlace } from "../addresses/alias.ts";
import type { AccessFacts } from "../walks/facts.ts";
import { isOpaque, someExpressionOf } from "../walks/walk.ts";
import { overwrites, touchesOf } from "./touches.ts";
import type { Update } from "./updates.ts";

/** Whether the statements behind a loop load what it keeps in a register, before anything may change it. */
export function isReadBehind(
  { extent, place, loads, mayWait, guards, isHeld }: Update,
  behind: readonly Statement[],
  { addresses }: AccessFacts,
): boolean {
  if (!mayWait || isHeld || loads.length === 0 || guards.length > 0) return false;
  for (const statement of behind) {
    if (!isStraight(statement)) return false;
    const touches = touchesOf([statement], addresses);
    if (isLoad(statement) && touches.some((one) => isSamePlace(one, extent)))
      return sameType(statement.expression.value.type, place.type);
    if (touches.some((one) => overwrites(one, extent) || isStoreAt(one.node.kind, one, extent))) return false;
  }
  return false;
}

function isStoreAt(kind: string, one: Extent, extent: Extent): boolean {
  return kind !== "load" && isSamePlace(one, extent);
}

/** What control only passes through, and no other thread is waited for in. */
function isStraight(statement: Statement): boolean {
  if (statement.kind === "declare") return true;
  if (statement.kind !== "evaluate") return false;
  return !someExpressionOf([statement], (node) => isOpaque(node) || isEffect(node));
}

function isEffect(node: Expression): boolean {
  if (node.kind !== "intrinsic") return false;
  const effect = intrinsicEffect(node.name);
  return effect !== "pure" && effect !== "identity";
}

type LoadStatement = Evaluate & { readonly expression: Assign & { readonly value: Load } };

function isLoad(statement: Statement): statement is LoadStatement {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return false;
  const { place, value } = statement.expression;
  return (
    place.kind === "variable" &&
    value.kind === "load" &&
    value.place.kind === "memory" &&
    value.site?.isVolatile === false
  );
}
