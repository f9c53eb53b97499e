// Operations that take a branch for the values that the common way does not hold for: divisions, roots, sines. What stands on both sides of
// one is in two blocks for ptxas, which merges nothing across (fixtures/codegen/slow_paths.cu).
import type { Expression } from "../../ir/expression.ts";
import { forEachExpression, someExpression } from "../walks/walk.ts";

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

/** Of single width: what branches in CUDA's library, so briefly that ptxas predicates it where loads are merged (slow_paths/storedLogarithms, dynamic_loops). */
const branchingBriefly: ReadonlySet<string> = new Set([
  "log",
  "log2",
  "log10",
  "log1p",
  "erf",
  "atan",
  "lgamma",
  "tgamma",
  "pow",
]);

/** The same of double width (dynamic_loops, slow_paths_in_global). */
const doublesBranchingBriefly: ReadonlySet<string> = new Set(
  "exp exp2 exp10 log log2 log10 tanh atan asin acos cbrt".split(" "),
);

/** Functions whose branch is in CUDA's library for LLVM to see, by the widths of which it is: the others' branches ptxas makes. */
const branchingInLibrary: ReadonlyMap<string, "both" | "double"> = new Map([
  ["sin", "both"],
  ["cos", "both"],
  ["tan", "both"],
  ["fmod", "both"],
  ["atan2", "both"],
  ["pow", "double"],
  ["log1p", "double"],
  ["sinh", "double"],
]);

/**
 * Who makes two blocks of operations: ptxas alone, which are one to LLVM, or (for both) the library's code. `predicated`: the library's, of which ptxas makes
 * one again.
 */
export type SlowPath = "none" | "predicated" | "ptxas" | "library";

/**
 * Of the operations in the expression that part accesses of the kind, and were not made before: LLVM makes equal ones once. `made` has those,
 * by what they are made of, and takes the new ones.
 */
export function slowPathOf(expression: Expression, made: Set<string>, kind: "load" | "store"): SlowPath {
  let path: SlowPath = "none";
  forEachExpression(expression, (node) => {
    const maker = slowPathAt(node, made, kind);
    if (path === "none") path = maker;
    else if (maker !== "none" && maker !== path) path = "library";
  });
  return path;
}

/** The same of the operation alone, not of what its operands are. */
export function slowPathAt(node: Expression, made: Set<string>, kind: "load" | "store"): SlowPath {
  const maker = makerOf(node, kind);
  if (maker === "none") return "none";
  const key = keyOf(node);
  if (made.has(key)) return "none";
  if (!key.includes("?")) made.add(key);
  return maker;
}

/** Forgets what was made of a variable that is assigned anew: the next trip's division is another one. */
export function forgetMadeOf(variable: number, made: Set<string>): void {
  for (const key of made)
    if (key.includes(`(${variable}.`) || key.includes(`,${variable}.`)) made.delete(key);
}

/** Functions that branch in CUDA's library and stay branches to LLVM, of single width and of both; of two arguments none where one is a constant. */
const singlesBranching: ReadonlySet<string> = new Set(["sin", "cos", "tan"]);
const pairsBranching: ReadonlySet<string> = new Set(["atan2", "fmod", "pow"]);

/** Whether a function in the expression takes a branch that LLVM sees: it keeps the store that one behind the branch covers. */
export function branchesInLibrary(expression: Expression): boolean {
  return someExpression(expression, (node) => {
    if (node.kind !== "intrinsic" || node.isFast) return false;
    if (pairsBranching.has(node.name)) return node.arguments.every(({ kind }) => kind !== "constant");
    return singlesBranching.has(node.name) && !isDouble(node);
  });
}

/** Whether the expression holds an operation that parts loads for ptxas. */
export function takesSlowPath(expression: Expression): boolean {
  const path = slowPathOf(expression, new Set(), "load");
  return path === "ptxas" || path === "library";
}

function makerOf(node: Expression, kind: "load" | "store"): SlowPath {
  if (isSlow(node)) return isSlowInLibrary(node) ? "library" : "ptxas";
  if (branchesBriefly(node)) return kind === "load" ? "predicated" : "library";
  return kind === "store" && isSignedDivision(node) ? "ptxas" : "none";
}

function isSlowInLibrary(node: Expression): boolean {
  if (node.kind !== "intrinsic") return false;
  const widths = branchingInLibrary.get(node.name);
  return widths === "both" || (widths === "double" && isDouble(node));
}

/** Whether the operation branches for values that the common way does not hold for. */
export function isSlow(node: Expression): boolean {
  if (node.kind === "binary" && (node.operator === "/" || node.operator === "%")) {
    const { left, right, type } = node;
    if (type.kind === "integer") return type.bits === 64 && right.kind !== "constant";
    const divisor = constantOf(right);
    if (divisor === null) return type.kind === "float";
    return type.kind === "float" && constantOf(left) === null && !isPowerOfTwo(divisor);
  }
  if (node.kind !== "intrinsic") return false;
  // The fast forms have one way; the rounded root is the plain one.
  if (node.isFast && node.name !== "sqrt") return false;
  const widths = branching.get(node.name);
  return widths === "both" || widths === (isDouble(node) ? "double" : "single");
}

/** A number that is written there, or that a loop's counter has in an unrolled trip, converted or not. */
function constantOf(expression: Expression): number | null {
  if (expression.kind === "convert") return constantOf(expression.operand);
  return expression.kind === "constant" ? Number(expression.value) : null;
}

function branchesBriefly(node: Expression): boolean {
  if (node.kind !== "intrinsic" || node.isFast || node.type.kind !== "float") return false;
  if (isDouble(node)) return doublesBranchingBriefly.has(node.name);
  return node.type.format === "single" && branchingBriefly.has(node.name);
}

/** Of 32 bits, unless by a constant; unsigned division is straight. */
function isSignedDivision(node: Expression): boolean {
  if (node.kind !== "binary" || (node.operator !== "/" && node.operator !== "%")) return false;
  return node.type.kind === "integer" && node.type.signed && node.right.kind !== "constant";
}

function isDouble({ type }: Expression): boolean {
  return type.kind === "float" && type.format === "double";
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
