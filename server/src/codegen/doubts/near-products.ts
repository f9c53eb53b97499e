// Products of one number with neighbouring constants (`7 * t`, then `8 * t`): LLVM may make the second of the first by an addition, in which
// ptxas sees no alignment, so that it leaves neighbours apart (fixtures/forms/behind_odd_arrays ofLanesFromOne).
import type { AccessSite, Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { forEachExpression, forEachExpressionOf } from "../walks/walk.ts";

/** Where neighbours were made vectors at such products: those, and the single ones. */
export function atNearProducts(body: readonly Statement[]): readonly AccessSite[] {
  const factors = new Map<string, Set<number>>();
  const loads: (Expression & { readonly kind: "load" })[] = [];
  let hasVectors = false;
  forEachExpressionOf(body, (node) => {
    if (node.kind === "load" && node.place.kind === "memory") {
      loads.push(node);
      hasVectors ||= node.type.kind === "record";
    }
    const product = productOf(node);
    if (!product) return;
    const known = factors.get(product.of) ?? new Set();
    factors.set(product.of, known.add(product.factor));
  });
  const isNear = (node: Expression): boolean => {
    const product = productOf(node);
    const others = product && product.factor % 2 === 0 ? factors.get(product.of) : undefined;
    return (
      product !== null &&
      (others?.has(product.factor - 1) === true || others?.has(product.factor + 1) === true)
    );
  };
  if (!hasVectors) return [];
  return loads.flatMap(({ place, site }) => {
    let isFound = false;
    if (place.kind === "memory" && site)
      forEachExpression(place.pointer, (node) => {
        isFound ||= isNear(node);
      });
    return isFound && site ? [site] : [];
  });
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
