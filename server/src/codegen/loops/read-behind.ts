// Sums that a loop keeps at one place, which is read again behind it (`for (…) s[t] += g[i]; out = s[t];`): LLVM loads on both ways, with trips and without
// any, so that it loads in front of the loop whether it is entered or not, and behind it not again.
import type { Statement } from "../../ir/statement.ts";
import { sameType } from "../../ir/type.ts";
import type { Extent } from "../addresses/alias.ts";
import { isSamePlace } from "../addresses/alias.ts";
import type { AccessFacts } from "../walks/facts.ts";
import { isLoad, isStraight } from "./stored-for-next.ts";
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
