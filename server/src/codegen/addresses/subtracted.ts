// What addresses prove that LLVM subtracts from a constant: `s[1023 - 4 * t]` and its neighbours are that sum and small offsets from it, and ptxas
// knows no more of it than what divides both of its sides.
import type { Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { forEachExpressionOf } from "../walks/walk.ts";
import type { Addresses } from "./address.ts";
import { declaredAlignment, promisedAlignment } from "./alignment.ts";
import { lowBit, modulo } from "./linear.ts";

/**
 * Narrows the alignment of addresses in shared memory that hold such a difference, by the constant of the first of those that differ by constants
 * alone (fixtures/forms/subtracted downwards, fromMiddle, addsAnother; not: upwards, factored, negated, inDynamic).
 */
export function limitBySubtraction(body: readonly Statement[], addresses: Addresses): void {
  const firstConstants = new Map<number, number>();
  forEachExpressionOf(body, (node) => {
    const address = addresses.get(node);
    if (address?.space !== "shared" || (node.kind !== "load" && node.kind !== "assign")) return;
    if (node.place.kind !== "memory" || !subtractsFromConstant(node.place.pointer)) return;
    const first = firstConstants.get(address.termsKey) ?? address.constant;
    firstConstants.set(address.termsKey, first);
    const bytes = Math.max(sizeOf(node.place.type) ?? 1, promisedAlignment(node.place));
    const modulus = Math.max(lowBit(first), bytes);
    // Where the declaration tells LLVM the alignment, it merges by itself.
    if (address.modulus <= modulus || declaredAlignment(node.place, address) > bytes) return;
    addresses.set(node, { ...address, modulus, residue: modulo(address.constant - first, modulus) });
  });
}

/** Whether an index is a sum with `constant - x` in it; a difference that is multiplied is multiplied out. */
function subtractsFromConstant(pointer: Expression): boolean {
  if (pointer.kind === "convert") return subtractsFromConstant(pointer.operand);
  return pointer.kind === "offset" && (isDifference(pointer.index) || subtractsFromConstant(pointer.pointer));
}

function isDifference(index: Expression): boolean {
  if (index.kind === "convert") return isDifference(index.operand);
  if (index.kind !== "binary" || (index.operator !== "+" && index.operator !== "-")) return false;
  if (index.operator === "-" && isConstant(index.left)) return !isConstant(index.right);
  return isDifference(index.left) || (index.operator === "+" && isDifference(index.right));
}

function isConstant(side: Expression): boolean {
  if (side.kind === "convert") return isConstant(side.operand);
  return (
    side.kind === "constant" || (side.kind === "binary" && isConstant(side.left) && isConstant(side.right))
  );
}
