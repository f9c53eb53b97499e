// How many operations LLVM sees of a pure function: most are inlined. Counted in the PTX of nvcc 13.0, one kernel a function.
import type { Intrinsic } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { entryOf } from "../../table.ts";

interface Sizes {
  readonly float: number;
  readonly double: number;
  /** Of the forms that begin with two underscores: `__expf`. */
  readonly fast?: number;
}

const sizes: Readonly<Record<string, Sizes>> = {
  exp: { float: 10, double: 52, fast: 2 },
  exp2: { float: 1, double: 40 },
  exp10: { float: 10, double: 41, fast: 2 },
  expm1: { float: 29, double: 45 },
  log: { float: 28, double: 66, fast: 2 },
  log2: { float: 30, double: 56 },
  log10: { float: 29, double: 56, fast: 2 },
  log1p: { float: 29, double: 77 },
  pow: { float: 110, double: 76, fast: 3 },
  cbrt: { float: 16, double: 42 },
  hypot: { float: 17, double: 30 },
  fmod: { float: 72, double: 177 },
  sin: { float: 94, double: 51 },
  cos: { float: 95, double: 45 },
  tan: { float: 94, double: 52, fast: 3 },
  sinpi: { float: 27, double: 44 },
  cospi: { float: 28, double: 46 },
  asin: { float: 26, double: 58 },
  acos: { float: 29, double: 70 },
  atan: { float: 21, double: 59 },
  atan2: { float: 43, double: 51 },
  sinh: { float: 25, double: 54 },
  cosh: { float: 16, double: 34 },
  tanh: { float: 17, double: 79 },
  erf: { float: 27, double: 91 },
  erfc: { float: 51, double: 96 },
  tgamma: { float: 166, double: 351 },
  lgamma: { float: 216, double: 107 },
  round: { float: 3, double: 3 },
};

/** Of integers they are a comparison and a choice, and a sign turned before it. */
const sizesOfIntegers: Readonly<Record<string, number>> = { min: 2, max: 2, abs: 3 };

/** Operations of the call itself, without those of its arguments. What is no function counts as what starts it. */
export function sizeOfCall({ name, type, isFast }: Intrinsic): number {
  const effect = intrinsicEffect(name);
  if (effect === "identity") return 0;
  if (effect !== "pure") return 2;
  if (type.kind === "integer") return entryOf(sizesOfIntegers, name) ?? 1;
  const size = entryOf(sizes, name);
  if (!size) return 1;
  if (isFast) return size.fast ?? 1;
  return type.kind === "float" && type.format === "double" ? size.double : size.float;
}
