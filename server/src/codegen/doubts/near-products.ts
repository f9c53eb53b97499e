// Products of one number with neighbouring constants (`7 * t`, then `8 * t`): LLVM may make the second of the first by an addition, in which
// ptxas sees no alignment, so that it leaves neighbours apart (fixtures/forms/behind_odd_arrays ofLanesFromOne).
import type { AccessSite, Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { forEachExpressionOf, rootVariableOf, someExpression } from "../walks/walk.ts";
import { type MemoryLoad, memoryLoadsIn } from "./memory-loads.ts";

/** Where neighbours were made vectors at such products: those, and the single ones of their arrays. */
export function atNearProducts(body: readonly Statement[]): readonly AccessSite[] {
  const loads = memoryLoadsIn(body);
  if (!loads.some(({ type }) => type.kind === "record")) return [];
  const factors: Factors = new Map();
  forEachExpressionOf(body, noteProduct, factors);
  const near = loads.filter(({ place }) =>
    someExpression(place.pointer, (node) => isMadeOfNeighbour(node, factors)),
  );
  const arrays = new Set(near.flatMap((load) => (load.type.kind === "record" ? [arrayOf(load)] : [])));
  return near.flatMap((load) => (load.site && arrays.has(arrayOf(load)) ? [load.site] : []));
}

/** The variable that a load's address starts at; null where that is not plain to see. */
function arrayOf({ place }: MemoryLoad): number | null {
  return rootVariableOf(place.pointer)?.id ?? null;
}

/** The constants that each factor is multiplied with. */
type Factors = Map<string, Set<number>>;

function noteProduct(node: Expression, factors: Factors): void {
  const product = productOf(node);
  if (!product) return;
  const known = factors.get(product.of) ?? new Set();
  factors.set(product.of, known.add(product.factor));
}

/** Whether it is a product that LLVM may make of a neighbouring one. An odd constant gives no alignment that could be lost. */
function isMadeOfNeighbour(node: Expression, factors: Factors): boolean {
  const product = productOf(node);
  if (!product || product.factor % 2 !== 0) return false;
  const others = factors.get(product.of);
  return others?.has(product.factor - 1) === true || others?.has(product.factor + 1) === true;
}

/** A product with a constant, of a variable or of the thread's number. */
function productOf(node: Expression): { readonly of: string; readonly factor: number } | null {
  if (node.kind !== "binary" || node.operator !== "*") return null;
  const [constant, other] = node.left.kind === "constant" ? [node.left, node.right] : [node.right, node.left];
  const of = nameOf(other);
  return constant.kind === "constant" && of !== null ? { of, factor: Number(constant.value) } : null;
}

function nameOf(factor: Expression): string | null {
  if (factor.kind === "convert") return nameOf(factor.operand);
  if (factor.kind === "intrinsic" && factor.arguments.length === 0) return factor.name;
  return factor.kind === "load" && factor.place.kind === "variable" ? `${factor.place.variable.id}` : null;
}
