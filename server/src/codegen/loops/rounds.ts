// Loops of known trips that LLVM leaves as loops, of single trips or of rounds of copies: ptxas makes several rounds at a time of those that are
// short (found in SASS of 250 loops that nvcc 13.0 compiled; cases tile_rounds).
import type { Expression, Load } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import type { KnownRounds } from "../linearise/context.ts";
import { partsOf } from "../walks/walk.ts";

/**
 * What a round weighs that ptxas leaves alone: each operation on floating-point numbers, a product and the sum that it goes into being one, and
 * twice each load of shared memory. It unrolls rounds of 70 (tile_rounds fourByTen, sixBySeven), and none of 73 (fiveByNine).
 */
const surelyAlone = 75;
/** Neighbours that LLVM knows to be aligned are one load of so many bytes before ptxas sees them. */
const mostLoadBytes = 16;

/** Whether ptxas makes the rounds of a loop one by one, however many there are. */
export function isLeftByPtxas({ body }: Loop, addresses: Addresses, knownRounds: KnownRounds): boolean {
  const counts = { sums: 0, products: 0, others: 0 };
  const loads = new Set<string>();
  const visit = (node: Expression, times: number): void => {
    const address = addresses.get(node);
    if (node.kind === "load" && address?.space === "shared")
      loads.add(`${address.termsKey} ${Math.floor(address.constant / bytesOfLlvm(address, node))}`);
    if (isFloatArithmetic(node)) counts[kindOf(node)] += times;
    for (const operand of operandsOf(node)) if (!isPointer(operand)) visit(operand, times);
  };
  const visitAll = (list: readonly Statement[], times: number): void => {
    for (const statement of list) {
      const { expressions, lists } = partsOf(statement);
      for (const expression of expressions) visit(expression, times);
      // Loops that access no memory still stand here as loops: LLVM has unrolled them.
      const trips = statement.kind === "loop" ? (knownRounds.get(statement.range) ?? 1) : 1;
      for (const inner of lists) visitAll(inner, times * trips);
    }
  };
  visitAll(body, 1);
  const arithmetic = Math.max(counts.sums, counts.products) + counts.others;
  return arithmetic + 2 * loads.size > surelyAlone;
}

/** How many bytes LLVM may load at once where the load is. */
function bytesOfLlvm({ base }: Address, { type }: Load): number {
  const alignmentBytes = base?.storage === "shared" ? base.alignmentBytes : mostLoadBytes;
  return Math.max(sizeOf(type) ?? 1, Math.min(mostLoadBytes, alignmentBytes));
}

function isFloatArithmetic(node: Expression): boolean {
  if (node.kind !== "binary" && node.kind !== "intrinsic") return false;
  return node.type.kind === "float";
}

/** A product and a sum may be one operation. */
function kindOf(node: Expression): "sums" | "products" | "others" {
  if (node.kind !== "binary") return "others";
  if (node.operator === "*") return "products";
  return node.operator === "+" || node.operator === "-" ? "sums" : "others";
}

function isPointer({ type }: Expression): boolean {
  return type.kind === "pointer";
}
