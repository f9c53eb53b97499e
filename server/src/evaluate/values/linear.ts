// Integers over a warp as linear forms: a known part for each lane plus products of symbols times coefficients, which may
// differ by lane too. All arithmetic here is on mathematical integers; arithmetic.ts adds the types of C.
import {
  addLanes,
  allLanes,
  blendLanes,
  foldLanes,
  isMultiple,
  isUniform,
  type Lanes,
  laneCount,
  laneOf,
  mapLanes,
  multiplyLanes,
  sameLanes,
  subtractScalars,
  uniformOver,
} from "./lanes.ts";
import type { Indeterminate } from "./symbol.ts";

export interface Linear {
  readonly kind: "linear";
  readonly constant: Lanes;
  /** Sorted by key; no coefficient is 0 in every lane. */
  readonly terms: readonly Term[];
}

/** A product of symbols times a coefficient. */
export interface Term {
  /** Ids of the factors, in order. */
  readonly key: string;
  readonly factors: readonly Indeterminate[];
  readonly coefficient: Lanes;
}

export interface Range {
  readonly least: number;
  readonly most: number;
}

const noTerms: readonly Term[] = [];
const maximumTerms = 24;
/** Of one term: the trips of two loops times a grid of three dimensions and a size or two. */
const maximumDegree = 8;

export function known(constant: Lanes): Linear {
  return { kind: "linear", constant, terms: noTerms };
}

export function symbolic(symbol: Indeterminate): Linear {
  return { kind: "linear", constant: 0, terms: [{ key: `${symbol.id}`, factors: [symbol], coefficient: 1 }] };
}

export function isKnown(value: Linear): boolean {
  return value.terms.length === 0;
}

/** Whether every lane of `mask` is a multiple of `divisor`, whatever the unknowns are. */
export function isMultipleLinear({ constant, terms }: Linear, divisor: number, mask: number): boolean {
  return (
    isMultiple(constant, divisor, mask) &&
    terms.every(({ coefficient }) => isMultiple(coefficient, divisor, mask))
  );
}

export function add(a: Linear, b: Linear): Linear {
  const constant = addLanes(a.constant, b.constant);
  if (b.terms.length === 0) return { kind: "linear", constant, terms: a.terms };
  if (a.terms.length === 0) return { kind: "linear", constant, terms: b.terms };
  return { kind: "linear", constant, terms: mergeTerms(a.terms, b.terms) };
}

export function subtract(a: Linear, b: Linear): Linear {
  return add(a, scale(b, -1));
}

export function scale(a: Linear, factor: Lanes): Linear {
  if (factor === 1) return a;
  const constant = multiplyLanes(a.constant, factor);
  if (a.terms.length === 0 || factor === 0) return known(factor === 0 ? 0 : constant);
  const terms: Term[] = [];
  for (const term of a.terms) {
    const coefficient = multiplyLanes(term.coefficient, factor);
    if (coefficient !== 0) terms.push(withCoefficient(term, coefficient));
  }
  return { kind: "linear", constant, terms };
}

/** The product, or null where it has too many terms or factors to be worth keeping. */
export function multiply(a: Linear, b: Linear): Linear | null {
  if (b.terms.length === 0) return scale(a, b.constant);
  if (a.terms.length === 0) return scale(b, a.constant);
  if (a.terms.length * b.terms.length > maximumTerms) return null;
  let product = add(scale(a, b.constant), scale({ kind: "linear", constant: 0, terms: b.terms }, a.constant));
  for (const left of a.terms)
    for (const right of b.terms) {
      const factors = inOrder(left.factors, right.factors);
      if (factors.length > maximumDegree) return null;
      const coefficient = multiplyLanes(left.coefficient, right.coefficient);
      const key = keyOfFactors(factors);
      product = add(product, { kind: "linear", constant: 0, terms: [{ key, factors, coefficient }] });
    }
  return product;
}

/** Two lists in the order of their ids as one. */
function inOrder(a: readonly Indeterminate[], b: readonly Indeterminate[]): readonly Indeterminate[] {
  const all: Indeterminate[] = [];
  let left = 0;
  let right = 0;
  while (left < a.length || right < b.length) {
    const first = a[left];
    const second = b[right];
    if (first !== undefined && (second === undefined || first.id <= second.id)) {
      all.push(first);
      left++;
    } else if (second !== undefined) {
      all.push(second);
      right++;
    }
  }
  return all;
}

function keyOfFactors(factors: readonly Indeterminate[]): string {
  let key = "";
  for (const { id } of factors) key = key === "" ? `${id}` : `${key}*${id}`;
  return key;
}

/** Written out, as all terms and forms are: spreads would give them layouts of their own, at which reading them takes longer. */
function withCoefficient({ key, factors }: Term, coefficient: Lanes): Term {
  return { key, factors, coefficient };
}

/** `a` in the lanes of `mask`, `b` elsewhere. */
export function blend(mask: number, a: Linear, b: Linear): Linear {
  if (mask === allLanes) return a;
  const constant = blendLanes(mask, a.constant, b.constant);
  if (a.terms.length === 0 && b.terms.length === 0) return known(constant);
  const inside = a.terms.map((term) => withCoefficient(term, blendLanes(mask, term.coefficient, 0)));
  const outside = b.terms.map((term) => withCoefficient(term, blendLanes(mask, 0, term.coefficient)));
  return { kind: "linear", constant, terms: mergeTerms(inside, outside) };
}

/** The form without what only lanes outside of `mask` hold: the lanes of the mask have the same values. */
export function withinMask(mask: number, a: Linear): Linear {
  const isWithin = ({ coefficient }: Term): boolean => {
    if (typeof coefficient !== "object") return true;
    for (let lane = 0; lane < laneCount; lane++)
      if ((mask >>> lane) & 1 && laneOf(coefficient, lane) !== 0) return true;
    return false;
  };
  return a.terms.every(isWithin)
    ? a
    : { kind: "linear", constant: a.constant, terms: a.terms.filter(isWithin) };
}

/** The form as one for all lanes wherever those of the mask agree: what the others hold does not matter to them. */
export function agreedWithin(mask: number, a: Linear): Linear {
  if (mask === allLanes || isUniformKnownPart(a)) return a;
  const agreed = (lanes: Lanes): Lanes => (isUniform(lanes) ? lanes : (uniformOver(lanes, mask) ?? lanes));
  const within = withinMask(mask, a);
  return {
    kind: "linear",
    constant: agreed(a.constant),
    terms: within.terms.map((term) => withCoefficient(term, agreed(term.coefficient))),
  };
}

function isUniformKnownPart(a: Linear): boolean {
  return isUniform(a.constant) && a.terms.every((term) => isUniform(term.coefficient));
}

export function sameLinear(a: Linear, b: Linear): boolean {
  return (
    a === b ||
    (a.terms.length === b.terms.length &&
      sameLanes(a.constant, b.constant) &&
      a.terms.every((term, index) => {
        const other = b.terms[index];
        return (
          other !== undefined && term.key === other.key && sameLanes(term.coefficient, other.coefficient)
        );
      }))
  );
}

/** Whether all lanes surely hold one value. */
export function isUniformLinear(a: Linear): boolean {
  return isUniform(a.constant) && a.terms.every((term) => isUniform(term.coefficient) && !variesInTerm(term));
}

/** Whether the lanes of `active` surely hold one value. */
export function isUniformOver(a: Linear, active: number): boolean {
  return (
    uniformOver(a.constant, active) !== null &&
    a.terms.every((term) => uniformOver(term.coefficient, active) !== null && !variesInTerm(term))
  );
}

export function variesInTerm(term: Term): boolean {
  return term.factors.some((factor) => factor.varies);
}

/** Bounds of the product of a term's symbols, without its coefficient. */
export function rangeOfFactors(term: Term): Range {
  let least = 1;
  let most = 1;
  for (const factor of term.factors) {
    const a = product(least, factor.least);
    const b = product(least, factor.most);
    const c = product(most, factor.least);
    const d = product(most, factor.most);
    least = Math.min(a, b, c, d);
    most = Math.max(a, b, c, d);
  }
  return { least, most };
}

/** Bounds of what the terms add in one lane. */
export function rangeOfTerms(terms: readonly Term[], lane: number): Range {
  let least = 0;
  let most = 0;
  for (const term of terms) {
    const coefficient = Number(laneOf(term.coefficient, lane));
    if (coefficient === 0) continue;
    const factors = rangeOfFactors(term);
    const low = product(coefficient, coefficient > 0 ? factors.least : factors.most);
    const high = product(coefficient, coefficient > 0 ? factors.most : factors.least);
    least += low;
    most += high;
  }
  return { least, most };
}

/** Bounds over the lanes of `mask`. */
export function rangeOf(a: Linear, mask: number = allLanes): Range {
  const coefficientsAgree = a.terms.every((term) => isUniform(term.coefficient));
  const shared = coefficientsAgree ? rangeOfTerms(a.terms, 0) : null;
  if (shared && isUniform(a.constant))
    return { least: Number(a.constant) + shared.least, most: Number(a.constant) + shared.most };
  const factors = shared === null ? a.terms.map(rangeOfFactors) : [];
  let least = Infinity;
  let most = -Infinity;
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    let low = 0;
    let high = 0;
    if (shared !== null) {
      low = shared.least;
      high = shared.most;
    } else
      for (let index = 0; index < factors.length; index++) {
        const { coefficient = 0 } = a.terms[index] ?? {};
        const times = Number(laneOf(coefficient, lane));
        const range = factors[index];
        if (times === 0 || range === undefined) continue;
        low += product(times, times > 0 ? range.least : range.most);
        high += product(times, times > 0 ? range.most : range.least);
      }
    const constant = Number(laneOf(a.constant, lane));
    if (constant + low < least) least = constant + low;
    if (constant + high > most) most = constant + high;
  }
  return least > most ? { least: 0, most: 0 } : { least, most };
}

/** The lanes' values moved: lane `i` of the result is lane `sources[i]` of `a`. Null where a symbol varies by lane. */
export function permute(a: Linear, sources: readonly number[]): Linear | null {
  if (a.terms.some(variesInTerm)) return null;
  const move = (lanes: Lanes): Lanes =>
    isUniform(lanes) ? lanes : foldLanes(sources.map((source) => laneOf(lanes, source)));
  const terms = a.terms
    .map((term) => withCoefficient(term, move(term.coefficient)))
    .filter((term) => !isZero(term.coefficient));
  return { kind: "linear", constant: move(a.constant), terms };
}

/** A text that is equal for equal forms. */
export function keyOf(a: Linear): string {
  const lanes = (value: Lanes) => (isUniform(value) ? `${value}` : value.join(","));
  return `${lanes(a.constant)}${a.terms.map((term) => `+${term.key}:${lanes(term.coefficient)}`).join("")}`;
}

export function negate(a: Linear): Linear {
  return {
    kind: "linear",
    constant: mapLanes(a.constant, (value) => subtractScalars(0, value)),
    terms: scale(a, -1).terms,
  };
}

function mergeTerms(a: readonly Term[], b: readonly Term[]): readonly Term[] {
  const merged: Term[] = [];
  let left = 0;
  let right = 0;
  while (left < a.length || right < b.length) {
    const first = a[left];
    const second = b[right];
    if (first && (!second || first.key < second.key)) {
      if (!isZero(first.coefficient)) merged.push(first);
      left++;
    } else if (second && (!first || second.key < first.key)) {
      if (!isZero(second.coefficient)) merged.push(second);
      right++;
    } else if (first && second) {
      const coefficient = addLanes(first.coefficient, second.coefficient);
      if (!isZero(coefficient)) merged.push(withCoefficient(first, coefficient));
      left++;
      right++;
    }
  }
  return merged;
}

function isZero(lanes: Lanes): boolean {
  if (isUniform(lanes)) return lanes === 0;
  for (let lane = 0; lane < laneCount; lane++) if (lanes[lane] !== 0) return false;
  return true;
}

/** A product in which 0 times infinity is 0. */
function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}
