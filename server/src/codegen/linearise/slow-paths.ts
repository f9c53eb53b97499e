// Operations that take a branch for the values that the common way does not hold for: divisions, roots, sines. What stands on both sides of
// one is in two blocks for ptxas, which merges nothing across (fixtures/codegen/slow_paths.cu).
import type { Expression } from "../../ir/expression.ts";
import { forEachExpression } from "../walks/walk.ts";

/** By the name of the function: for which widths it branches. */
const branching: ReadonlyMap<string, "both" | "single" | "double"> = new Map([
  ["sqrt", "both"],
  ["sin", "both"],
  ["cos", "both"],
  ["tan", "both"],
  ["fmod", "both"],
  ["atan2", "both"],
  ["__frcp_rn", "both"],
  ["hypot", "single"],
  ["rsqrt", "double"],
  ["pow", "double"],
  ["log1p", "double"],
  ["sinh", "double"],
]);

/** What branches where stores are merged, and no longer where loads are, of single width (slow_paths/storedQuotients, storedLogarithms). */
const partingStores: ReadonlySet<string> = new Set([
  "log",
  "log2",
  "log10",
  "log1p",
  "erf",
  "atan",
  "lgamma",
  "tgamma",
]);

/**
 * Whether the expression holds an operation that parts accesses of the kind, and was not made before: LLVM makes equal ones once. `made` has
 * those, by what they are made of, and takes the new ones.
 */
export function takesSlowPath(
  expression: Expression,
  made: Set<string>,
  kind: "load" | "store" = "load",
): boolean {
  let takes = false;
  forEachExpression(expression, (node) => {
    if (!isSlow(node) && !(kind === "store" && isSlowToStores(node))) return;
    const key = keyOf(node);
    if (made.has(key)) return;
    takes = true;
    if (!key.includes("?")) made.add(key);
  });
  return takes;
}

function isSlow(node: Expression): boolean {
  if (node.kind === "binary" && (node.operator === "/" || node.operator === "%")) {
    const { left, right, type } = node;
    if (type.kind === "integer") return type.bits === 64 && right.kind !== "constant";
    if (right.kind !== "constant") return type.kind === "float";
    return type.kind === "float" && left.kind !== "constant" && !isPowerOfTwo(Number(right.value));
  }
  if (node.kind !== "intrinsic") return false;
  // The fast forms have one way; the rounded root is the plain one.
  if (node.isFast && node.name !== "sqrt") return false;
  const widths = branching.get(node.name);
  const isDouble = node.type.kind === "float" && node.type.format === "double";
  return widths === "both" || widths === (isDouble ? "double" : "single");
}

/** Signed division of 32 bits, unless by a constant, and functions; unsigned division is straight. */
function isSlowToStores(node: Expression): boolean {
  if (node.kind === "binary" && (node.operator === "/" || node.operator === "%"))
    return node.type.kind === "integer" && node.type.signed && node.right.kind !== "constant";
  const isSingle = node.type.kind === "float" && node.type.format === "single";
  return node.kind === "intrinsic" && !node.isFast && isSingle && partingStores.has(node.name);
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(Math.abs(value)));
}

function keyOf(node: Expression): string {
  switch (node.kind) {
    case "constant":
      return String(node.value);
    case "load":
      return node.place.kind === "variable" ? `${node.place.variable.id}.${node.place.offsetBytes}` : "?";
    case "binary":
      return `${node.operator}(${keyOf(node.left)},${keyOf(node.right)})`;
    case "intrinsic":
      return `${node.name}(${node.arguments.map(keyOf).join(",")})`;
    case "convert":
      return keyOf(node.operand);
    default:
      return "?";
  }
}
