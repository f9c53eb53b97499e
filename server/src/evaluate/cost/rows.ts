// Indices that a size parts into rows: of what lanes differ by known steps, a warp is taken to lie within one row.
import { conditionOf, deriveLinear, factorsOf, nameOf } from "../values/derive.ts";
import {
  allLanes,
  divisorOfLanes,
  floorDivide,
  greatestDivisor,
  isUniform,
  laneCount,
  laneOf,
  mapLanes,
} from "../values/lanes.ts";
import {
  add,
  isUniformLinear,
  keyOf,
  known,
  type Linear,
  rangeOf,
  scale,
  type Term,
  variesInTerm,
} from "../values/linear.ts";
import type { Indeterminate } from "../values/symbol.ts";
import type { SymbolTable } from "../values/symbols.ts";

/**
 * Quotient and remainder by a size that nothing in sight fixes (or that some numbers stand for), where lanes differ only by what is known: a
 * warp is taken to lie within one row of that size ("interior warps"), so that all lanes share the
 * quotient. Where warps and rows are multiples of 32 lanes that is sure. Null where that is not to be expected.
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
  const distance = known(mapLanes(left.constant, (value) => Number(value) - least));
  const step = commonDivisor([first, ...divisor]);
  // Rows of whole steps, none of which a warp straddles: u + lane parts by 32 * n as u does, where 32 divides u.
  const isWithinStep = divisor.length === 1 && rangeOf(distance, mask).most < step;
  const own = conditionOf(sizes);
  const inRow = `no warp straddles a multiple of ${divisor.length > 1 ? "the divisor behind " : ""}${nameOf(sizes)}`;
  const condition = isWithinStep ? own : own === null ? inRow : `${own} and ${inRow}`;
  const of = (operation: string, unit: number) =>
    deriveLinear(symbols, {
      operation: `${operation} of a row`,
      operands: [first, ...divisor].map((form) => dividedBy(form, unit)),
      least: Math.min(0, range.least),
      most: Math.max(0, range.most),
      ...(condition !== null && { condition }),
    });
  const counted = isWithinStep ? step : 1;
  return { quotient: of("/", counted), remainder: add(scale(of("%", counted), counted), distance) };
}

/** The greatest number that divides all of some forms, whatever their unknowns are; all lanes hold one value of each. */
function commonDivisor(forms: readonly Linear[]): number {
  const numbers = forms.flatMap(({ constant, terms }) => [
    constant,
    ...terms.map(({ coefficient }) => coefficient),
  ]);
  return numbers.reduce<number>(
    (common, lanes) => greatestDivisor(common, divisorOfLanes(lanes, allLanes)),
    0,
  );
}

function dividedBy(form: Linear, divisor: number): Linear {
  if (divisor === 1) return form;
  return {
    kind: "linear",
    constant: mapLanes(form.constant, (value) => floorDivide(value, divisor)),
    terms: form.terms.map((term) => ({
      ...term,
      coefficient: mapLanes(term.coefficient, (value) => floorDivide(value, divisor)),
    })),
  };
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

/** Whether they are the same for groups of lanes, of which it is known who belongs to each. */
export function areInGroups(terms: readonly Term[]): boolean {
  return terms.every(
    ({ coefficient, factors }) =>
      isUniform(coefficient) && factors.every(({ varies, alike }) => !varies || alike !== null),
  );
}
