// How much code functions of mathematics are in a loop's trip when LLVM decides how many copies to make of it. Measured in PTX of nvcc 13.0: how
// many additions may stand in the trip beside the function before four copies become two, and two one.
import type { Type } from "../../ir/type.ts";

/** Operations of LLVM's that the function is in a trip, about. Functions that are one instruction, or a few, are none. */
export function operationsOfFunction(name: string, type: Type): number {
  const sizes = sizesOfFunctions.get(name);
  if (!sizes) return 0;
  return sizes[type.kind === "float" && type.format === "double" ? "double" : "single"];
}

/** Whether LLVM makes no copies of a trip that calls it. */
export function isNeverCopied(name: string, type: Type): boolean {
  return operationsOfFunction(name, type) === neverCopied;
}

/** Loops over these LLVM leaves as they are: they hold loops of their own, or more code than two copies may have. */
const neverCopied = 100;

const sizesOfFunctions: ReadonlyMap<string, { readonly single: number; readonly double: number }> = new Map([
  size("exp", 12, 44),
  size("exp2", 1, 48),
  size("exp10", 12, 49),
  size("expm1", 29, 47),
  size("log", 29, 66),
  size("log2", 31, 68),
  size("log10", 30, 68),
  size("log1p", 33, neverCopied),
  size("sinh", 27, 61),
  size("cosh", 18, 40),
  size("tanh", 17, 55),
  size("erf", 25, 55),
  size("erfc", 53, neverCopied),
  size("cbrt", 16, 53),
  size("asin", 26, 62),
  size("acos", 29, 81),
  size("atan", 21, 35),
  size("atan2", 32, 42),
  size("hypot", 22, 32),
  size("sinpi", 27, neverCopied),
  size("cospi", 28, neverCopied),
  size("sin", neverCopied, neverCopied),
  size("cos", neverCopied, neverCopied),
  size("tan", neverCopied, neverCopied),
  size("pow", neverCopied, neverCopied),
  size("fmod", neverCopied, neverCopied),
  size("lgamma", neverCopied, neverCopied),
  size("tgamma", neverCopied, neverCopied),
]);

function size(name: string, single: number, double: number) {
  return [name, { single, double }] as const;
}
