// What a sum is in the next trip of a loop.
import type { SourceRange } from "../../text/source.ts";
import { type Linear, type LinearTable, type Operation, operationName } from "./linear.ts";

/**
 * The sum as it is after a trip of the loop, if that is the innermost loop that it counts with. Null where it is not, and where it holds the
 * result of an operation that nothing in this trip is the result of.
 */
export function nextTripOf(linear: Linear, loop: SourceRange, linears: LinearTable): Linear | null {
  const innermost = latestCounter(linear, linears, mostNested);
  if (linears.atom(innermost)?.induction?.loop !== loop) return null;
  return advanced(linear, loop, linears, mostNested);
}

/** How deep operations on operations are looked into: `(y * w + x) * 3 >> 1`. */
const mostNested = 4;

/** The latest atom that a loop counts on, operands of operations included; -1 where there is none. */
function latestCounter({ terms }: Linear, linears: LinearTable, depth: number): number {
  let latest = -1;
  for (const id of terms.atoms) {
    const { induction, operation } = linears.atom(id) ?? {};
    if (induction) latest = Math.max(latest, id);
    if (!operation || depth === 0) continue;
    const left = latestCounter(operation.left, linears, depth - 1);
    latest = Math.max(latest, left, latestCounter(operation.right, linears, depth - 1));
  }
  return latest;
}

function advanced(linear: Linear, loop: SourceRange, linears: LinearTable, depth: number): Linear | null {
  let next = linear;
  for (const [index, id] of linear.terms.atoms.entries()) {
    const { induction, operation } = linears.atom(id) ?? {};
    const coefficient = linear.terms.coefficients[index] ?? 0;
    if (induction?.loop === loop) next = linears.sum(next, linears.scaled(induction.advance, coefficient));
    if (!operation || depth === 0) continue;
    const left = advanced(operation.left, loop, linears, depth - 1);
    const right = advanced(operation.right, loop, linears, depth - 1);
    if (left === operation.left && right === operation.right) continue;
    const change = left && right && changeOf(id, operation, { ...operation, left, right }, linears);
    if (!change) return null;
    next = linears.sum(next, linears.scaled(change, coefficient));
  }
  return next;
}

/** By how much the result of an operation differs from that of the next trip, the atom `id` being the one in this trip. */
function changeOf(id: number, now: Operation, then: Operation, linears: LinearTable): Linear | null {
  const result = linears.get(operationName(then));
  if (result) return linears.sum(result, linears.scaled(linears.unit(id), -1));
  if (!now.operator.startsWith("*")) return null;
  // A size times what steps by a number: `(i - 1) * pitch` is a pitch below `i * pitch`.
  const [left, right] = [stepOf(now.left, then.left), stepOf(now.right, then.right)];
  if (left !== null && right === 0) return linears.scaled(now.right, left);
  return right !== null && left === 0 ? linears.scaled(now.left, right) : null;
}

/** The number by which a sum steps; null where that is no number. */
function stepOf(now: Linear, then: Linear): number | null {
  return now.terms === then.terms ? then.constant - now.constant : null;
}
