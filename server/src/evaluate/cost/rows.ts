// Indices that a size parts into rows: of what lanes differ by known steps, a warp is taken to lie within one row.
import { conditionOf, deriveLinear, factorsOf, nameOf } from "../values/derive.ts";
import { isUniform, laneCount, laneOf, mapLanes } from "../values/lanes.ts";
import {
  add,
  isUniformLinear,
  keyOf,
  known,
  type Linear,
  rangeOf,
  type Term,
  variesInTerm,
} from "../values/linear.ts";
import type { Indeterminate } from "../values/symbol.ts";
import type { SymbolTable } from "../values/symbols.ts";

/**
 * Quotient and remainder by a size that nothing in sight fixes (or that some numbers stand for), where lanes differ only by what is known: a
 * warp is taken to lie within one row of that size ("interior warps"), so that all lanes share the
 * quotient. Null where that is not to be expected.
 */
export function rowOfWarp(
  symbols: SymbolTable,
  left: Linear,
  divisor: readonly Linear[],
  mask: number,
): { quotient: Linear; remainder: Linear } | null {
  if (!areShared(left.terms) || isUniform(left.constant) || !divisor.every(isUniformLinear)) return null;
  const sizes = factorsOf(divisor);
  if (!sizes.every((size) => size.role === "size") || factorsOf([left]).some(isData)) return null;
  let least = Infinity;
  for (let lane = 0; lane < laneCount; lane++)
    if ((mask >>> lane) & 1) least = Math.min(least, Number(laneOf(left.constant, lane)));
  const range = rangeOf(left, mask);
  const first = { ...left, constant: least };
  const own = conditionOf(sizes);
  const inRow = `no warp straddles a multiple of ${divisor.length > 1 ? "the divisor behind " : ""}${nameOf(sizes)}`;
  const of = (operation: string) =>
    deriveLinear(symbols, {
      operation: `${operation} of a row`,
      operands: [first, ...divisor],
      least: Math.min(0, range.least),
      most: Math.max(0, range.most),
      condition: own === null ? inRow : `${own} and ${inRow}`,
    });
  const distance = known(mapLanes(left.constant, (value) => Number(value) - least));
  return { quotient: of("/"), remainder: add(of("%"), distance) };
}

/**
 * `(__umulhi(n, m) + n) >> s` or `__umulhi(n, m) >> s` with a multiplier and a shift that nothing in sight fixes: the host made them of a
 * divisor, as compilers do of constant ones. Null for other shifts, and where no warp can be taken to lie within a row.
 */
export function rowByMultiplier(
  symbols: SymbolTable,
  left: Linear,
  shift: Linear,
  mask: number,
): Linear | null {
  for (const term of left.terms) {
    const highHalf = term.factors.length === 1 && term.coefficient === 1 ? term.factors[0]?.highHalfOf : null;
    if (!highHalf) continue;
    const { dividend, multiplier } = highHalf;
    const rest: Linear = { ...left, terms: left.terms.filter((other) => other !== term) };
    const isDivision = keyOf(rest) === keyOf(known(0)) || keyOf(rest) === keyOf(dividend);
    if (!isDivision) continue;
    const row = rowOfWarp(symbols, dividend, [multiplier, shift], mask);
    if (row !== null) return row.quotient;
  }
  return null;
}

function isData(unknown: Indeterminate): boolean {
  return unknown.role === "data";
}

/** Whether these terms are the same for all lanes of a warp. */
export function areShared(terms: readonly Term[]): boolean {
  return terms.every((term) => isUniform(term.coefficient) && !variesInTerm(term));
}
