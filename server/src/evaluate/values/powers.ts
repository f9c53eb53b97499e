// Powers of two that nothing in sight fixes: 2^s of a shift by a size s, and n of a mask n - 1.
import { deriveLinear, factorsOf, nameOf } from "./derive.ts";
import { allLanes, isUniform } from "./lanes.ts";
import { add, isKnown, known, type Linear, rangeOf, scale } from "./linear.ts";
import type { SymbolTable } from "./symbols.ts";

const mostExponent = 31;

/** 2^exponent for an exponent that sizes alone decide; null for others. In `1 << (5 + log)` the 32 is known. */
export function powerOfTwo(symbols: SymbolTable, exponent: Linear): Linear | null {
  if (!isOfSizes(exponent)) return null;
  const added = Math.min(mostExponent, Math.max(0, Number(exponent.constant)));
  const rest = add(exponent, known(-added));
  const isApart = rangeOf(rest, allLanes).least >= 0;
  const unknown = isApart ? rest : exponent;
  const { least, most } = rangeOf(unknown, allLanes);
  const power = deriveLinear(symbols, {
    operation: "2^",
    operands: [unknown],
    least: 2 ** Math.min(mostExponent, Math.max(0, least)),
    most: 2 ** Math.min(mostExponent, Math.max(0, most)),
    name: `2^${nameOf(factorsOf([unknown]))}`,
    isPowerOfTwo: true,
  });
  return isApart ? scale(power, 2 ** added) : power;
}

/**
 * For `n - 1` where sizes alone decide n: a mask is of use for an n that is a power of two, and is taken to be of one. Null for others.
 */
export function powerBehindMask(symbols: SymbolTable, mask: Linear): Linear | null {
  if (mask.constant !== -1 || !isOfSizes(mask)) return null;
  const size = add(mask, known(1));
  if (isPowerOfTwo(size)) return size;
  const range = rangeOf(size, -1);
  const names = nameOf(factorsOf([size]));
  return deriveLinear(symbols, {
    operation: "power of two",
    operands: [size],
    least: Math.max(1, range.least),
    most: range.most,
    name: names,
    condition: `${names} is a power of two`,
    isPowerOfTwo: true,
  });
}

function isPowerOfTwo({ constant, terms }: Linear): boolean {
  const [term, ...others] = terms;
  if (constant !== 0 || !term || others.length > 0) return false;
  const { coefficient, factors } = term;
  return (
    typeof coefficient === "number" &&
    Number.isInteger(Math.log2(coefficient)) &&
    factors.every((factor) => factor.isPowerOfTwo)
  );
}

function isOfSizes(form: Linear): boolean {
  return (
    !isKnown(form) &&
    isUniform(form.constant) &&
    factorsOf([form]).every(({ role, varies }) => role === "size" && !varies)
  );
}
