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
  const held: Held = new Map();
  forEachExpressionOf(body, (node) => {
    if (node.kind === "assign" && node.place.kind === "variable") {
      const { id } = node.place.variable;
      held.set(id, isDifference(node.value, held) && held.get(id) !== false);
    }
    const address = addresses.get(node);
    if (address?.space !== "shared" || (node.kind !== "load" && node.kind !== "assign")) return;
    if (node.place.kind !== "memory" || !subtractsFromConstant(node.place.pointer, held)) return;
    const first = firstConstants.get(address.termsKey) ?? address.constant;
    firstConstants.set(address.termsKey, first);
    const bytes = Math.max(sizeOf(node.place.type) ?? 1, promisedAlignment(node.place));
    const modulus = Math.max(lowBit(first), bytes);
    // Where the declaration tells LLVM the alignment, it merges by itself.
    if (address.modulus <= modulus || declaredAlignment(node.place, address) > bytes) return;
    addresses.set(node, { ...address, modulus, residue: modulo(address.constant - first, modulus) });
  });
}

/** By variable id, whether all that it was assigned so far is such a difference. */
type Held = Map<number, boolean>;

/** Whether an index is a sum with `constant - x` in it, or a variable that holds one; a difference that is multiplied is multiplied out. */
function subtractsFromConstant(pointer: Expression, held: Held): boolean {
  if (pointer.kind === "convert") return subtractsFromConstant(pointer.operand, held);
  return (
    pointer.kind === "offset" &&
    (isDifference(pointer.index, held) || subtractsFromConstant(pointer.pointer, held))
  );
}

function isDifference(index: Expression, held: Held): boolean {
  if (index.kind === "convert") return isDifference(index.operand, held);
  if (index.kind === "load" && index.place.kind === "variable") {
    return held.get(index.place.variable.id) ?? false;
  }
  if (index.kind !== "binary" || (index.operator !== "+" && index.operator !== "-")) return false;
  if (index.operator === "-" && isConstant(index.left)) return !isConstant(index.right);
  return isDifference(index.left, held) || (index.operator === "+" && isDifference(index.right, held));
}

function isConstant(side: Expression): boolean {
  if (side.kind === "convert") return isConstant(side.operand);
  return (
    side.kind === "constant" || (side.kind === "binary" && isConstant(side.left) && isConstant(side.right))
  );
}
