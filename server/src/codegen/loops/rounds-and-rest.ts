// Loops that are written out as rounds, and the trips left over. LLVM takes what no trip changes out of a loop before it makes rounds of it: one load in
// front of both, wherever the loop has a trip, serves them (forms/rounds_with_invariants). What an inner loop made of one access of the text, when it was
// unrolled, leaves rounds and rest each by itself (programs/kmeans).
import type { Load } from "../../ir/expression.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import type { Addresses } from "../addresses/address.ts";
import { startTogether } from "../addresses/alias.ts";
import { assignment, readOf } from "../walks/fresh.ts";

/** Whether one of the loops is the rounds of the other, which makes the trips that are left. */
export function isRoundsAndRest(first: Statement | undefined, second: Statement): second is Loop {
  if (first?.kind !== "loop" || second.kind !== "loop" || !first.rounds === !second.rounds) return false;
  const [a, b] = [first.range, second.range];
  return a.file === b.file && a.start === b.start && a.end === b.end;
}

/** What stands for the two loops once loads have left each of them, with those loads made once; the loop behind has the whole loop's condition. */
export function loadedOnce(
  ofFirst: readonly Statement[],
  ofSecond: readonly Statement[],
  second: Loop,
  addresses: Addresses,
): readonly Statement[] {
  const apart = [...ofFirst, ...ofSecond];
  const [front, ...rest] = ofFirst;
  const [again, ...behind] = ofSecond;
  if (!isGuardOfLoads(front) || !isGuardOfLoads(again) || !second.condition) return apart;
  const copies: Statement[] = [];
  const others: Statement[] = [];
  for (const statement of again.whenTrue) {
    const copy = stemsFromInnerLoop(statement, again) ? null : copyOf(statement, front, addresses);
    if (copy) copies.push(copy);
    else others.push(statement);
  }
  if (copies.length === 0) return apart;
  const guard = others.length > 0 ? [{ ...again, whenTrue: others }] : [];
  return [{ ...front, condition: second.condition }, ...rest, ...copies, ...guard, ...behind];
}

function isGuardOfLoads(statement: Statement | undefined): statement is If {
  if (statement?.kind !== "if" || statement.whenFalse.length > 0) return false;
  return statement.whenTrue.every((one) => loadIn(one) !== null);
}

/** Whether other loads of the guard stem from the same access of the text. */
function stemsFromInnerLoop(statement: Statement, guard: If): boolean {
  const range = loadIn(statement)?.load.site?.range;
  return guard.whenTrue.some((one) => one !== statement && loadIn(one)?.load.site?.range === range);
}

/** The statement as a copy of what one of the loads in front has left in a register. */
function copyOf(statement: Statement, front: If, addresses: Addresses): Statement | null {
  const again = loadIn(statement);
  const address = again && addresses.get(again.load);
  if (!again || !address || again.load.site?.uncertain) return null;
  for (const one of front.whenTrue) {
    const first = loadIn(one);
    const known = first && addresses.get(first.load);
    if (!first || !known || first.load.site?.uncertain || first.load.type !== again.load.type) continue;
    if (startTogether(known, address))
      return assignment(again.place, readOf(first.place.variable), front.range);
  }
  return null;
}

function loadIn(statement: Statement) {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place, value } = statement.expression;
  if (place.kind !== "variable" || place.offsetBytes !== 0 || value.kind !== "load") return null;
  const load: Load = value;
  return load.place.kind === "memory" ? { place, load } : null;
}
